/* write_script.h - between write_script*.c: a NumPy script while it is written. */
#ifndef TUI_WRITE_SCRIPT_H
#define TUI_WRITE_SCRIPT_H

#include "tui/show_parts.h"

/* Numbers that may stand in a script. */
enum { SCRIPT_NUMBERS = 20000 };

struct script {
	struct buffer *out;
	struct sheet *sheet;
	const struct attention *a;
	const struct options *o;	/* in force: with the bug's options */
	const struct problem *p;
	bool all_heads;			/* the joined stage: what is computed stands in a loop over h */
	bool narrow;			/* a * b and a + b are rounded to a->dtype */
	int depth;			/* of indentation */
	size_t numbers;			/* written so far */
};

/* A line of code, with a comment behind it unless that is "". */
void script_line(struct script *s, const char *comment, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* A number, so that Python reads the same. */
void script_number(struct script *s, double x);
/* Without zeros in front, which Python refuses; "" is 0. */
const char *script_seed(const char *digits);
/* Python's name of an array: w_q for w-q. */
const char *script_name(enum array a, char out[16]);
/* name = np.array(...) of one matrix. */
void script_matrix(struct script *s, const char *name, const struct matrix *m, const char *comment);

/* write_script_head.c: the comments at the top, and the import. */
void script_heading(struct script *s);
/* Too many cells to be looked at one by one. */
bool script_is_large(const struct script *s);

/* write_script_types.c: what the state needs of functions that round, and the text of
 * f16(expression), or of the expression where the type is double. */
enum { SCRIPT_EXPRESSION = 200 };
void script_types(struct script *s);
const char *script_rounded(enum dtype t, const char *expression, char out[SCRIPT_EXPRESSION]);
bool script_over_columns(const struct script *s);	/* the softmax */
/* Something follows from what is given. */
bool script_computes(const struct script *s);

/* write_script_input.c: the arrays that the stage needs, before the loop over
 * heads where there is one; and its first lines, of head h. */
void script_input(struct script *s);
void script_head(struct script *s);
/* After the loop: W_O, which is drawn last. */
void script_last_input(struct script *s);

/* write_script_mask.c: `hidden`, where the state has rules that hide, and i and
 * j where something asks for positions. */
bool script_needs_hidden(const struct script *s);
void script_hidden(struct script *s);

#endif
