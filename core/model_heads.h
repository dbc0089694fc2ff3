/* model_heads.h - what a head does, measured on the text that it is shown.
 *
 * Means over the queries that are no [PAD], from the HEAD_FIRST_QUERY-th after [BOS]
 * on, where the previous key, the one before that and [BOS] are different ones. "What followed" is the key after the last
 * earlier occurrence of the query's own character: where an induction head looks
 * (C. Olsson et al. 2022, "In-context Learning and Induction Heads").
 */
#ifndef CORE_MODEL_HEADS_H
#define CORE_MODEL_HEADS_H

#include "core/model_run.h"

enum {
	HEAD_FIRST_QUERY = 3,
	HEAD_QUERIES = 4,	/* of fewer no name is earned */
};

/* What earns a name, the first of these that holds. More than half of the weight
 * is a head's main business. Induction is a matter of where something comes
 * back: among near repetitions in running text its weight is shared, so less is
 * asked of it, but it is asked before [BOS], on which such heads rest in between.
 * Broad heads have six tenths of the largest entropy that their queries allow. */
#define HEAD_PREVIOUS_LEAST 0.5
#define HEAD_INDUCTION_LEAST 0.3
#define HEAD_BOS_LEAST 0.5
#define HEAD_BROAD_LEAST 0.6

enum head_name { HEAD_PREVIOUS, HEAD_INDUCTION, HEAD_RESTS, HEAD_BROAD, HEAD_NONE, HEAD_NAME_COUNT };
/* "previous token", "induction", "rests on [BOS]", "broad", "none": marked for translation. */
const char *head_name_text(enum head_name n);

/* Mean weights; NaN where no query counts. */
struct head_figures {
	double previous, two_back, itself, bos, followed;
	double entropy;			/* of a row, divided by the largest that its visible keys allow */
	size_t queries, followed_queries;
	enum head_name name;
	double figure;			/* that earned the name; NaN for none */
};

/* The key that followed the last occurrence of position i's token before i, or 0:
 * there was none, what followed is i itself, or i is [PAD]. Cost: i. */
size_t model_followed(const struct model_run *r, size_t i);

/* How many queries that are no [PAD] give weight to a [PAD] in some head that is on:
 * no model has learned what to make of that. */
size_t model_pad_seen(const struct model_run *r);

struct head_figures model_head_figures(const struct model_run *r, size_t layer, size_t head);

#endif
