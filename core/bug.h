/* bug.h - the bug lab's named mistakes: each a bundle of options, with what the
 * code looks like, what one sees, and what exposes it.
 */
#ifndef CORE_BUG_H
#define CORE_BUG_H

#include "core/options.h"

enum { BUG_SETTINGS = 3 };

struct bug_setting { enum option option; const char *value; };

/* What a mistake needs to act at all; without it the weights are the right ones
 * (or, for a forgotten transpose, there are none). */
enum bug_needs {
	BUG_NEEDS_NOTHING,
	BUG_NEEDS_HIDDEN,	/* a hidden cell */
	BUG_NEEDS_PAD,		/* a pad key */
	BUG_NEEDS_EMPTY_ROW,	/* a row whose keys are all hidden */
	BUG_NEEDS_D_K,		/* Q and K, or scores with d-k */
	BUG_NEEDS_SCALE,	/* the same, and a scale that is not none */
	BUG_NEEDS_HEADS,	/* a d_model that is not d_k: several heads, or the option d-model */
	BUG_NEEDS_SQUARE,	/* n_k = d_k; else there is a shape error */
	BUG_NEEDS_COUNT
};

/* The texts are ASCII. In `code`, `hidden` is a table of booleans, True where a
 * cell is hidden, `s` the scaled scores, `w` the weights. */
struct bug {
	const char *name;	/* as --bug takes it */
	const char *title;	/* a few words */
	struct bug_setting set[BUG_SETTINGS];	/* value NULL ends */
	const char *code;	/* 1 to 3 lines of at most 60 columns, no newline at the end */
	const char *symptom;	/* a sentence or two, at most 240 bytes */
	const char *fix;	/* one sentence, at most 240 bytes */
	unsigned lamps;		/* 1 << PROBE_*: the checks that turn false. On random Q, K, V with
				 * the causal mask, its diagonal visible; for BUG_NEEDS_PAD with a pad
				 * key besides that is neither the first nor the last */
	const char *readout;	/* what exposes it where no lamp does (readout.h, clinic.h); else NULL */
	enum bug_needs needs;
	const char *scenario;	/* the built-in one in which it is best seen */
};

extern const struct bug bugs[];
extern const size_t bugs_count;

/* "a hidden cell", ...; "nothing" for BUG_NEEDS_NOTHING. */
const char *bug_needs_text(enum bug_needs n);

/* An option that both set, to different values: together they mean nothing.
 * OPT_COUNT when there is none. */
enum option bug_clash(const struct bug *a, const struct bug *b);

/* Sets the options of the bugs named in o->bug on top of o. E_VALUE naming
 * the first that does not exist, or two that clash; o is then as it was. */
enum status bug_apply(struct options *o, struct error *e);

#endif
