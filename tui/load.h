/* load.h - finds an input and reads it. */
#ifndef TUI_LOAD_H
#define TUI_LOAD_H

#include "core/buffer.h"
#include "core/io/tensor_scenario.h"
#include "core/lesson.h"
#include "core/problem.h"
#include "core/scenario.h"
#include "tui/content.h"

/* INPUT of the command line: a built-in scenario's name, a file, "-". A name
 * that is both is the scenario; ./name is the file. The scenario's options are
 * checked against its shapes, errors in files have line and column. */
enum status load_scenario(struct scenario *s, const char *input, const struct random_tables *tables,
			  struct error *e);
/* The same from the screen: files must be plain ones, and "-" is refused. */
enum status load_scenario_file(struct scenario *s, const char *input, const struct random_tables *tables,
			       struct error *e);

/* The same with a part of a file of arrays (NULL: the first layer and batch, as
 * recognised). E_VALUE about as or layout when the input is no such file. */
enum status load_part(struct scenario *s, const char *input, const struct tensor_choice *choice,
		      const struct random_tables *tables, struct error *e);
enum status load_part_file(struct scenario *s, const char *input, const struct tensor_choice *choice,
			   const struct random_tables *tables, struct error *e);

/* The numbers of the layers of a plain file, ascending, to be freed; one where arrays have no
 * layer. load_layers.c */
enum status load_layers(long **layer, size_t *n, const char *input, const struct tensor_choice *choice, struct error *e);

/* INPUT as what it is: a file of arrays stays open in *t, which refers to *c, and *arrays
 * is true; anything else becomes the scenario, options not yet compared with its shapes. */
enum status load_either(struct scenario *s, struct tensors *t, struct content *c, bool *arrays, const char *input,
			const struct tensor_choice *choice, struct error *e);

/* The same as load_part without tables, with a part of the numbers (tensor_extent). */
enum status load_extent(struct scenario *s, const char *input, const struct tensor_choice *choice,
			const struct tensor_extent *extent, struct error *e);

/* The arrays of a file of INPUT, or of "-"; *t refers to *c. E_VALUE when it is none. */
enum status load_tensors(struct tensors *t, struct content *c, const char *input, const struct tensor_choice *choice,
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

/* Reads the files that the options mask and bias name into the problem; of masks that
 * differ by head that of the option head, in place of those that were loaded. */
enum status load_masks(struct problem *p, const struct options *o, struct error *e);

/* Names and titles of the built-in scenarios, in their order. */
size_t builtin_count(void);
const char *builtin_name(size_t i);
/* The same of the built-in lessons, in the order of teaching. */
size_t builtin_lesson_count(void);
const char *builtin_lesson_name(size_t i);

#endif
