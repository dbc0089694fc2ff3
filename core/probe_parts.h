/* probe_parts.h - the state of a run of probes, and what its files share.
 *
 * probe.c has the run and the checks of the weights, probe_noise.c the probes of
 * K, V and Q; probe_lesson.c and influence.c compare outputs alike. For these
 * files alone.
 */
#ifndef CORE_PROBE_PARTS_H
#define CORE_PROBE_PARTS_H

#include "core/probe.h"
#include "core/variant.h"

/* ---- texts ---- */

/* Appends to a detail (PROBE_TEXT bytes); what does not fit is cut. */
void probe_say(char *detail, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "; 64 of 1025 outputs, spread", where it is not all. */
void probe_say_spread(char *detail, size_t looked_at, size_t all, const char *what);

/* ---- comparing outputs ---- */

struct difference {
	double largest;		/* between finite outputs */
	bool bits;		/* some bit differs */
	bool broke, healed;	/* finite became nan or infinite, and the reverse */
};

/* Compares one output of n numbers; returns whether it moved, and adds to *d. */
bool probe_compare(const double *before, const double *after, size_t n, struct difference *d);

/* ---- some or all of a row of indices ---- */

struct indices { size_t *v, n; };

/* How many probe_spread gives. */
size_t probe_spread_count(size_t n, size_t all, size_t few);
/* first .. first + n - 1 where that is no more than `all`, else `few` of them,
 * the ends included. The caller frees v. E_MEMORY; *out is then as it was. */
enum status probe_spread(struct indices *out, size_t first, size_t n, size_t all, size_t few, struct error *e);

/* ---- the state of a run ---- */

/* A problem and options whose rules are those that ought to hide. Both borrow
 * from the attention, so that neither is ever freed. */
struct expectation {
	struct problem problem;
	struct options options;
};

/* What is counted of the weights, for one check. */
struct tally {
	size_t of, faults, nan;
	struct probe_pair pair[PROBE_PAIRS], first_nan;
	double value[PROBE_PAIRS], largest;
};

/* Which positions become noise together. */
enum trial { TRIAL_LAST, TRIAL_PREFIX, TRIAL_PADS, TRIAL_ROWS, TRIAL_SINGLE, TRIAL_COUNT };

struct tried { size_t moved, compared; };

/* What the next step of a part does. */
enum part_next {
	PART_DRAW,
	/* again for every trial, the last two for each round of it */
	PART_CHOOSE, PART_JUDGE, PART_CHANGE, PART_COMPARE,
};

/* One probe: of an array, with noise at the positions that are chosen. */
struct part {
	struct probe_work *w;
	enum probe_name name;
	enum array array;
	size_t n;			/* positions: n_k, of Q n_q */
	struct variant variant;
	struct matrix noise;		/* as the array */
	struct indices prefixes;	/* first position behind each */
	struct indices singles;		/* positions that are tried one by one */
	bool *chosen;			/* n: becomes noise */
	bool *forbidden;		/* n: row i must not see it */
	bool *stays, *moved;		/* rows.n: of the trial at hand */
	bool *compared;			/* rows.n: of any trial */
	struct tried tried[TRIAL_COUNT];
	struct difference difference;
	struct probe_check check;

	enum part_next next;
	size_t drawn;			/* positions that have their noise */
	enum trial trial;
	size_t index;			/* which of that kind */
	size_t from, to, at;		/* of the list of rows: in the trial, and the next */
	size_t staying;			/* rows from..at-1 that see nothing of what is chosen */
	int round;			/* 1: with the opposite of the noise */
};

enum phase { PHASE_WEIGHTS, PHASE_BEFORE, PHASE_PARTS, PHASE_DONE };

struct probe_work {
	const struct attention *a;	/* that is probed: the caller's, or the stand-in's */
	const struct random_tables *tables;
	struct stand_in stand_in;
	struct expectation expected;
	struct random stream;		/* of the noise */
	struct row row;
	rules *rules;			/* n_k: what ought to hide the cells of a row */
	struct indices seen;		/* rows whose weights are looked at */
	struct indices rows;		/* rows whose outputs are compared */
	struct matrix before;		/* (rows.n, d_v): their outputs */
	struct tally triangle, pads, sums, empty;
	struct part part;		/* at hand in PHASE_PARTS; zeroed: to be opened */
	enum probe_name name;		/* of that part */

	enum phase phase;
	size_t at;			/* next of `seen`, of `rows` */
	double progress;		/* 0..1 */
	uint64_t left, piece;		/* planned cost of all that is left, and of the piece at hand */
	struct probe_report report;
	bool done[PROBE_COUNT];
};

/* The rules that ought to hide the cells of row i, into w->rules. */
void probe_expected_rules(struct probe_work *w, size_t i);

/* ---- how far it is ---- */

/* In units of a judged row; a computed one takes some eight times as long. */
enum { JUDGE_COST = 1, ROW_COST = 8 };

/* A piece of this cost begins, which is in `left`. What was not needed of the one
 * before is no longer planned. */
void probe_plan(struct probe_work *w, uint64_t cost);
/* Work on the piece at hand; more than was planned does not count. The progress
 * that is missing to 1 is spread over what is left, so that it never goes back
 * though the plan changes. */
void probe_spend(struct probe_work *w, uint64_t cost);

/* ---- one probe: of K, V or Q ---- */

/* What is planned for it as long as nothing leaks. */
uint64_t part_cost(const struct probe_work *w, enum probe_name name);
/* One step of the part at hand, the first of which opens it; *over after the
 * last, when the check is in the report and the part is zeroed. E_MEMORY; the
 * step may be taken again then. */
enum status part_step(struct probe_work *w, bool *over, struct error *e);
void part_close(struct part *t);	/* at any time; a zeroed struct is accepted */

#endif
