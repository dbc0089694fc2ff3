/* load.h - finds an input and reads it: the one place that opens files. */
#ifndef TUI_LOAD_H
#define TUI_LOAD_H

#include "core/buffer.h"
#include "core/problem.h"
#include "core/scenario.h"

enum { LOAD_LIMIT = 64 << 20 };		/* bytes of one file */

/* All bytes of a plain file; anything else, "-" too, is E_FILE and never waited
 * for. E_LIMIT beyond LOAD_LIMIT. */
enum status load_bytes(struct buffer *out, const char *name, struct error *e);

/* INPUT of the command line: a built-in scenario's name, a file, "-". A name
 * that is both is the scenario; ./name is the file. The scenario's options are
 * checked against its shapes, errors in files have line and column. */
enum status load_scenario(struct scenario *s, const char *input, const struct random_tables *tables,
			  struct error *e);
/* The same from the screen: files must be plain ones, and "-" is refused. */
enum status load_scenario_file(struct scenario *s, const char *input, const struct random_tables *tables,
			       struct error *e);

/* Bytes to a temporary file beside the target, renamed when complete; an
 * existing file is E_FILE unless `replace`. */
enum status save_bytes(const char *name, const char *data, size_t size, bool replace, struct error *e);

/* Reads the files that the options mask and bias name into the problem. */
enum status load_masks(struct problem *p, const struct options *o, struct error *e);

/* Names and titles of the built-in scenarios, in their order. */
size_t builtin_count(void);
const char *builtin_name(size_t i);

#endif
