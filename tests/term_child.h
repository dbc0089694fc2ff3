/* term_child.h - a small user of the terminal layer: what term_play.h starts in a pseudo-terminal.
 *
 * It draws a line that tells depth, theme and size, one of the last event, colours in row 2,
 * clusters in row 3, and does what the key that it gets stands for.
 */
#ifndef TESTS_TERM_CHILD_H
#define TESTS_TERM_CHILD_H

/* Whether a test program was started to be this. */
int is_term_child(int argc, char **argv);
/* The whole of it. Words after "child" are options, name=value or a word that says what kind of
 * child it is. Exit status. */
int term_child(int argc, char **argv);

#endif
