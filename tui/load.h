/* load.h - finds an input and reads it: the one place that opens files. */
#ifndef TUI_LOAD_H
#define TUI_LOAD_H

#include "core/buffer.h"
#include "core/lesson.h"
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

/* INPUT of qkv lesson: a built-in lesson's name, a file, "-"; as for scenarios. A
 * page's scenario that is a file is looked for beside the lesson's file, and is
 * then what load_scenario_file takes. Errors as lesson_read has them. */
enum status load_lesson(struct lesson *l, const char *input, struct error *e);
/* The same from the screen: files must be plain ones, and "-" is refused. */
enum status load_lesson_file(struct lesson *l, const char *input, struct error *e);
/* The same behind each error: see lesson_read_all. *l is to be freed in any case;
 * *name becomes what errors call the file, as long-lived as input. */
enum status load_lesson_all(struct lesson *l, const char *input, const char **name,
			    void (*report)(void *context, const struct error *e), void *context);

/* Bytes to a temporary file beside the target, renamed when complete; an
 * existing file is E_FILE unless `replace`. */
enum status save_bytes(const char *name, const char *data, size_t size, bool replace, struct error *e);

/* Reads the files that the options mask and bias name into the problem. */
enum status load_masks(struct problem *p, const struct options *o, struct error *e);

/* Names and titles of the built-in scenarios, in their order. */
size_t builtin_count(void);
const char *builtin_name(size_t i);
/* The same of the built-in lessons, in the order of teaching. */
size_t builtin_lesson_count(void);
const char *builtin_lesson_name(size_t i);

#endif
