/* run.h - runs the program named by the environment variable QKV, as a user
 * would, and keeps what it writes. Everything here stops the test when it
 * cannot do its own part.
 */
#ifndef TESTS_RUN_H
#define TESTS_RUN_H

#include <stddef.h>

struct run {
	int status;		/* exit status, or 128 + the signal that ended it */
	char *out, *err;	/* with a NUL that the sizes do not count */
	size_t out_size, err_size;
};

/* argv without the program, ended by NULL; input is what it reads (NULL: nothing). */
struct run run_words(const char *const *argv, const char *input);
/* The same from one text: words separated by blanks, '...' around one with blanks. */
struct run run(const char *line);
struct run run_input(const char *line, const char *input);
/* With standard output on the file descriptor, which is closed; out is then empty. */
struct run run_onto(const char *line, int output);
void run_free(struct run *r);

/* All bytes of a file, with a NUL behind them; NULL when it cannot be read. */
char *read_file(const char *path, size_t *size);
void write_file(const char *path, const void *data, size_t size);
/* A fresh folder for a test's files, to be removed with remove_folder. */
void make_folder(char path[256]);
void remove_folder(const char *path);

/* The value of an environment variable that must be set. */
const char *surroundings(const char *name);

/* A file in a folder of its own, which is made with the first file and is to be removed
 * (remove_folder); path is that of the last. */
struct place { char folder[256], path[300]; };
void place_bytes(struct place *p, const char *name, const void *bytes, size_t size);

#endif
