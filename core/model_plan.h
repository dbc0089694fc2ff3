/* model_plan.h - which heads of a model are interfered with, and how.
 *
 * A head is untouched, has options of its own, carried through the layers above
 * it, or is off: it adds nothing, its output is 0. A head that is off may have
 * options too; its picture has them.
 */
#ifndef CORE_MODEL_PLAN_H
#define CORE_MODEL_PLAN_H

#include "core/model.h"

struct head_plan {
	bool off;
	struct options *options;	/* NULL: untouched */
};

struct model_plan {
	size_t layers, heads;
	struct head_plan *head;		/* [layers][heads] */
};

/* Nothing is touched. */
enum status model_plan_init(struct model_plan *p, const struct model *m, struct error *e);
enum status model_plan_copy(struct model_plan *to, const struct model_plan *from, struct error *e);
void model_plan_free(struct model_plan *p);

/* Which heads: one, a layer's, or every one. */
enum { MODEL_ALL = -1 };
struct head_set { long layer, head; };	/* MODEL_ALL: each */

/* "1.0" (layer.head), "1" (a layer) or "all". E_VALUE, with what is expected, for
 * anything else and for what the model does not have. */
enum status head_set_parse(struct head_set *s, const struct model *m, const char *text, size_t length, struct error *e);
bool head_set_has(const struct head_set *s, size_t layer, size_t head);

/* Whether the option is one of a head's numbers: not of which is shown, nor how. */
bool model_option_counts(enum option o);

void model_plan_off(struct model_plan *p, const struct head_set *s, bool off);
/* Copies the options to those heads; such as are no different from model_options
 * in what is computed, and NULL, leave them untouched. */
enum status model_plan_options(struct model_plan *p, const struct head_set *s, const struct options *o, struct error *e);

const struct head_plan *model_plan_head(const struct model_plan *p, size_t layer, size_t head);
bool head_plan_same(const struct head_plan *a, const struct head_plan *b);
bool model_plan_touches(const struct model_plan *p);
/* How many heads are computed without a causal mask: outside of what a decoder was trained on. */
size_t model_plan_not_causal(const struct model_plan *p);

#endif
