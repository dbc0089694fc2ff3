/* program.h - what the commands of qkv share. For main.c and run_*.c alone: they see the terminal, standard
 * output and the environment, and everything else.
 */
#ifndef TUI_PROGRAM_H
#define TUI_PROGRAM_H

#include "tui/arguments.h"
#include "tui/live_input.h"
#include "tui/load.h"

enum { EXIT_FAULT = 1, EXIT_BAD = 2, BROKEN_PIPE = 128 + 13 };
#define DEFAULT_INPUT "causal-3"

struct program {
	struct invocation inv;
	bool ascii;			/* the locale is not UTF-8 */
	struct random_tables *tables;
	struct buffer out;		/* what standard output gets */
	struct live_dock *live;		/* of a screen on a language model, until that takes it over */
	struct live_point *point;	/* its text and interventions; of what is shown as text, too */
};

/* ---- main.c ---- */

/* The error as a line on standard error. EXIT_BAD. */
int program_fail(const struct program *p, const struct error *e);
/* p->out to standard output. Exit status. */
int program_write(const struct program *p, struct error *e);

/* ---- run_input.c ---- */

static inline const char *input_name(const struct program *p)
{
	return p->inv.input ? p->inv.input : DEFAULT_INPUT;
}

/* Which arrays of a file are what, and of which layer and batch, as the command line says. */
struct tensor_choice program_choice(const struct program *p);
/* The scenario, and its options with those of the command line on top. */
enum status program_open(const struct program *p, const char *name, struct scenario *s, struct options *o, struct error *e);
/* p->tables, which main frees. E_MEMORY. */
enum status program_tables(struct program *p, struct error *e);
/* --keys where no screen is. EXIT_BAD. */
int program_refuse_keys(const struct program *p, struct error *e);

/* ---- the commands; each returns the exit status ---- */

int run_input(struct program *p, struct error *e);	/* the screen, show, frame: an input */
int run_verify(struct program *p, struct error *e);
int run_resumed(struct program *p, struct error *e);
int run_list(struct program *p, struct error *e);	/* run_lesson.c */
int run_lesson(struct program *p, struct error *e);

#endif
