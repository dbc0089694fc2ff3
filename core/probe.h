/* probe.h - leak probes: what must not be seen is changed, and outputs must stay.
 *
 * A zero in the weights proves little: a mask after softmax leaves zeros too.
 * So K, V and Q, each separately, are replaced by noise x 100 at positions that
 * an output must not depend on, the rows are computed again by row_compute, and
 * each output that moved is a leak. Four ways to choose the positions:
 *   the last token, as a student does by hand;
 *   all after a prefix: every prefix up to 256 tokens, else 16 spread ones;
 *   the pad tokens together, where padding ought to be hidden (K and V);
 *   for each row all that it must not see.
 * All but the prefixes are tried with the noise and with its opposite, since where
 * another key has all the weight a score that falls moves nothing. Q of other tokens must never
 * move an output, whatever the masks.
 *
 * Shapes: Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v); i = query, j = key. Nothing of
 * size n_q x n_k is allocated. Cost: for K, V and Q one row of row_compute for
 * each row and each prefix before which it stands, n^2 / 2 rows up to 256 tokens;
 * as much again to name the pairs when something moved. Beyond 1024 queries 64
 * spread rows are compared, beyond 16384 the weights of 1024 are looked at; the
 * details say so. With softmax over columns a probe of K or Q scans all rows anew
 * for each change; there 16 spread rows are compared beyond 64. All of it can be
 * done in small pieces: whoever calls looks at what is known so far between two of
 * them, and gives up whenever he wants.
 *
 * Where V is the identity since none was given, a few random columns stand for it.
 */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/row.h"

/* ---- which masks ought to be there ---- */

/* Not given: the masks that are set, causal with offset 0, the pad mask and the
 * key axis of padding taken as on, mask-invert as off; prefix and keep hold.
 * Given: causal is j > i, the alignment in force, pad every index of `pad`;
 * nothing else is expected, and prefix and keep excuse nothing. */
struct probe_expect {
	bool given;
	bool causal, pad;	/* with given */
	/* Not given, for a screen on which masks are switched: causal is expected
	 * though it is off now; pad-mask is not taken as on but as it is. */
	bool also_causal, pad_as_set;
	/* For who has many heads to go through: no more rows than these are computed for
	 * their weights, and outputs compared; spread. 0: as many as the checks take. */
	size_t rows_most, outputs_most;
};

/* Reads "none", "causal", "pad" or "causal,pad". E_VALUE, about the option
 * expect, for anything else; *x is as it was then. */
enum status probe_expect_parse(struct probe_expect *x, const char *text, struct error *e);

/* ---- the checks ---- */

enum probe_name {
	PROBE_UPPER_TRIANGLE,	/* cells that causal ought to hide have weight 0 */
	PROBE_ROW_SUMS,		/* each row of weights sums to 1 */
	PROBE_K, PROBE_V,	/* no output moves with a key's K, V that it must not see */
	PROBE_Q,		/* no output moves with another query's Q */
	PROBE_PAD_COLUMNS,	/* cells that pad ought to hide have weight 0 */
	PROBE_EMPTY_ROWS,	/* no row is fully masked, whatever the policy */
	PROBE_COUNT
};

/* ANSWER_NONE: the check does not apply, or has nothing but nan to judge by. */
enum probe_answer { ANSWER_NO, ANSWER_YES, ANSWER_NONE };

const char *probe_name(enum probe_name n);	/* "upper-triangle", "row-sums", ... */
/* What the check cannot see, in a few words. */
const char *probe_blind(enum probe_name n);

enum { PROBE_PAIRS = 32, PROBE_TEXT = 1536 };

/* A cell, or an output (row) and the key or query whose change moved it. */
struct probe_pair { size_t row, other; };

struct probe_check {
	enum probe_answer ok;
	char detail[PROBE_TEXT];	/* one line: what was found, or why it does not apply */
	size_t faults, of;		/* cells, rows or pairs: at fault, and looked at (pairs: 0 when ok) */
	struct probe_pair pair[PROBE_PAIRS];	/* the first min(faults, PROBE_PAIRS) */
	double value;			/* at the first: a cell's weight, a row's sum; of the probes 0 */
	double largest;			/* of the probes: largest |before - after| of finite outputs */
	bool same_bits;			/* of the probes: all compared outputs bit for bit as before */
};

/* The rules that ought to hide the cells of row i, n_k of them. */
void probe_expected_row(const struct attention *a, const struct probe_expect *x, size_t i, rules *out);

struct probe_report {
	struct probe_check check[PROBE_COUNT];
	size_t n_q;
	uint8_t *moved;		/* n_q: bits 1 << PROBE_K, PROBE_V, PROBE_Q of outputs that moved and must not */
};

/* Runs all checks on one head. *out is filled from nothing and is the caller's,
 * who ends it by probe_free. E_MEMORY; *out is then as it was. */
enum status probe_run(struct probe_report *out, const struct attention *a, const struct probe_expect *x,
		      const struct random_tables *tables, struct error *e);
void probe_free(struct probe_report *r);	/* a zeroed struct is accepted */
/* Whether no check is false. */
bool probe_ok(const struct probe_report *r);

/* ---- the checks in pieces ---- */

struct probe_work;

/* Begins what probe_run does. Refers to *a, its problem and the tables, which
 * outlive the work (after the last step it has no more use for them). Allocates a
 * row, and d_v numbers a compared row; computes nothing yet. E_MEMORY; *out is
 * then as it was. The caller ends it by probe_work_free. */
enum status probe_begin(struct probe_work **out, const struct attention *a, const struct probe_expect *x,
			const struct random_tables *tables, struct error *e);
/* Does a piece: one row of row_compute, or what takes no longer than one or two;
 * *more tells whether anything is left to do. With softmax over columns the pieces
 * that change K or Q scan all rows, which cannot be divided: they take as long as
 * attention_init, n_q n_k d_k. Allocates where a probe begins (twice its array)
 * and in such a scan. E_MEMORY; *more is then as it was, and the step may be
 * taken again. */
enum status probe_step(struct probe_work *w, bool *more, struct error *e);
/* 0 to 1, never backwards; 1 is done. It slows down when something moves, since
 * then the pairs have to be named. */
double probe_progress(const struct probe_work *w);
/* Whether a check is finished; with NULL none is. In this order: upper-triangle,
 * row-sums, pad-columns and empty-rows, together after one pass of rows; then
 * probe-k, probe-v, probe-q. */
bool probe_work_done(const struct probe_work *w, enum probe_name n);
/* Finished checks are as probe_run has them and change no more; of the others `ok`
 * is ANSWER_NONE and the detail empty. Bits of `moved` come one by one as outputs
 * are seen to move. The work owns it. */
const struct probe_report *probe_work_report(const struct probe_work *w);
void probe_work_free(struct probe_work *w);	/* at any time; NULL is accepted */

/* ---- one output ---- */

/* NumPy's allclose for one output, before against after: |a-b| > 1e-8 + 1e-5 |b|,
 * or other kinds of number. Unlike there a nan that stays nan has not moved. */
bool probe_moved(double before, double after);

/* ---- the lesson's own test ---- */

/* K and V of the last key become noise x 100 together, K drawn first, and the
 * outputs of the rows before its place are compared: all but the last, or fewer
 * with more queries than keys counted from the top left. */
struct probe_lesson {
	enum probe_answer ok;		/* ANSWER_NONE without K, or without such a row */
	char detail[PROBE_TEXT];
	bool all_close;			/* as np.allclose has it: a nan is close to nothing */
	bool same_bits;
	size_t moved;			/* of these rows, that moved */
	double largest;			/* difference of finite outputs */
	struct matrix before, after;	/* (n_q, d_v): all outputs; v NULL with ANSWER_NONE */
};

/* The noise continues default_rng(seed) after `skip` normals and those that made
 * the problem; with seed NULL (input that was not drawn) it is default_rng(0)'s first.
 * Cost: 2 n_q rows. Ownership and errors as probe_run; E_VALUE about the seed. */
enum status probe_lesson_run(struct probe_lesson *out, const struct attention *a, const char *seed, uint64_t skip,
			     const struct random_tables *tables, struct error *e);
void probe_lesson_free(struct probe_lesson *l);

/* The same in pieces. begin refers to *a, its problem and the tables, which outlive
 * the work, and copies K and V; errors as probe_lesson_run, and *out is then as it
 * was. A step is a row, or one scan of all rows with softmax over columns; on
 * E_MEMORY it may be taken again. */
struct probe_lesson_work;
enum status probe_lesson_begin(struct probe_lesson_work **out, const struct attention *a, const char *seed,
			       uint64_t skip, const struct random_tables *tables, struct error *e);
enum status probe_lesson_step(struct probe_lesson_work *w, bool *more, struct error *e);
/* After the last step: what was found is the caller's. */
void probe_lesson_take(struct probe_lesson_work *w, struct probe_lesson *out);
void probe_lesson_work_free(struct probe_lesson_work *w);	/* at any time; NULL is accepted */

/* ---- the influence picture ---- */

/* One row of it: out[j], j < n_k, tells whether token j as a key (its K and V
 * together, as noise x 100 and as its opposite) moves output i. With given scores
 * or weights V alone is changed. Cost: 2 n_k rows (softmax over columns: as many
 * scans of all rows). E_MEMORY; out is then as it was. influence.h has it in
 * pieces. */
enum status probe_influence(const struct attention *a, size_t i, const struct random_tables *tables, bool *out,
			    struct error *e);

#endif
