/* lesson_yaml_parts.h - what the files that read a lesson share (lesson_yaml.c). Private
 * to core/io.
 *
 * Each reads the node that is current (yaml_node.h), and is called with the name that
 * errors begin with where that is not always the same. Outputs are as they were on error,
 * where nothing else is said.
 */
#ifndef CORE_IO_LESSON_YAML_PARTS_H
#define CORE_IO_LESSON_YAML_PARTS_H

#include "core/io/yaml_node.h"
#include "core/lesson.h"

/* ---- values: lesson_yaml_value.c ---- */

/* "; did you mean 'verify'?", or nothing; in `out`. */
const char *lesson_guess(const char *text, const char *(*name)(int), int n, char *out, size_t size);
/* A text or one in several languages, and where it stands; also on error. */
enum status lesson_value_text(struct document *d, const char *name, struct title *t, struct mark *mark);
enum status lesson_value_cell(struct document *d, struct lesson_cell *cell);
/* Row and column; stars: also one of them and a `*`. */
enum status lesson_value_place(struct document *d, struct lesson_place *place, bool stars);
/* A panel that is one of the first n; what: the list of them, for errors. The node is a single value. */
enum status lesson_value_panel(struct document *d, const char *name, int n, const char *what, enum lesson_panel *out);
/* What is said of a language model; its mark says where. */
enum status lesson_value_live(struct document *d, enum lesson_live_part part, struct lesson_live *l);

/* ---- parts of a page ---- */

enum status lesson_read_goal(struct document *d, struct lesson_page *page);		/* lesson_yaml_goal.c */
/* A page takes no more than so many. */
enum { LESSON_QUESTIONS_LIMIT = 100 };
enum status lesson_read_questions(struct document *d, struct lesson_page *page);	/* lesson_yaml_ask.c */

/* The key stands in the map, or another one that was probably meant to be it. */
static inline bool lesson_has_key(const struct map *m, int key)
{
	return m->seen[key].line || m->meant[key];
}

#endif
