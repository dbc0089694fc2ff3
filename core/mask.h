/* mask.h - the rules that hide a cell, by name.
 *
 * hidden(i,j) = causal or pad or window or documents or mask or hide, with
 * i the query, j the key. Each rule is a bit, so that a cell can say all that
 * hide it.
 */
#ifndef CORE_MASK_H
#define CORE_MASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/options.h"
#include "core/problem.h"

enum mask_rule {
	RULE_CAUSAL = 1, RULE_PAD = 2, RULE_WINDOW = 4, RULE_DOCUMENTS = 8, RULE_MASK = 16,
	RULE_HIDE = 32,
	RULE_INVERT = 64,	/* mask-invert: visible by the rules, so hidden */
	RULE_KEPT = 128,	/* not a reason to hide: `keep` shows it though a rule hides it */
};
enum { RULE_COUNT = 7 };

typedef uint8_t rules;

/* Name of the bit 1 << n, n < RULE_COUNT, as options call it. */
const char *mask_rule_name(int n);

static inline bool mask_hides(rules r)
{
	return r && !(r & RULE_KEPT);
}

/* Position of query i on the key axis: i, or i + n_k - n_q bottom-right. */
long mask_position(const struct problem *p, const struct options *o, size_t i);

/* Fills out[0..n_k) with the rules of row i. With RULE_KEPT set the other bits
 * say what would have hidden the cell. */
void mask_row(const struct problem *p, const struct options *o, size_t i, rules *out);

/* Checks the options against the shapes: indices in range, documents one id a
 * key, and so on. E_VALUE about the first that does not fit. */
enum status mask_check(const struct problem *p, const struct options *o, struct error *e);

/* Takes a mask of (1, n_k) or (n_q, n_k) over (m is zeroed on success); any other
 * shape is E_SHAPE with both. Integers keep where they are not zero. What True of
 * a boolean means goes by the option polarity, then by the name ("keep", "valid",
 * "attention_mask", "attn_mask", "mask" itself, ... keep; "pad", "hidden", ... hide),
 * and without any of these words it hides.
 * Floats are additive: -1e4 or less hides, the rest is a bias; floats of 0 and 1,
 * with a 1 at least, are taken for keep flags.
 * p->mask_note says how it was read. */
enum status mask_load(struct problem *p, struct matrix *m, bool is_float, bool is_boolean,
		      const char *name, const struct options *o, struct error *e);
/* What an additive mask adds to a cell that it does not hide; else 0. */
double mask_bias(const struct problem *p, size_t i, size_t j);
/* Takes an additive matrix over that hides nothing. */
enum status bias_load(struct problem *p, struct matrix *m, struct error *e);

#endif
