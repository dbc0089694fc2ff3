/* verify_file.c - `qkv verify` of a file of arrays: all layers, batches and heads.
 *
 * Q, K and V are computed with the file's masks and probed; stored weights are read row
 * by row, judged by themselves and compared with those computed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/stored_weights.h"
#include "core/message.h"
#include "tui/show.h"
#include "tui/verify_parts.h"

/* ---- how much is looked at ---- */

/* Multiplications and exponentials of one kind of work over the whole file, and stored
 * numbers that are read; some seconds each. */
#define WORK_LIMIT 5e9
#define READ_LIMIT 4e9
enum { EXPONENTIAL = 20, PROBES = 3, TRIALS = 6, PREFIXES_ALL = 256, PREFIXES_FEW = 16 };

struct bounds { size_t computed, outputs, read; };	/* rows of each head */

static size_t at_least(double wanted, size_t least, size_t most)
{
	size_t n = wanted < (double)least ? least : wanted < (double)most ? (size_t)wanted : most;

	return n < most ? n : most;
}

static struct bounds bounds_of(const struct part *p, size_t units)
{
	enum { ROWS_LEAST = 64, ROWS_MOST = 16384, OUTPUTS_LEAST = 4, OUTPUTS_MOST = 1024, READ_LEAST = 1024 };
	double n = (double)p->n_k, each = WORK_LIMIT / (double)units;
	double row = n * ((double)p->d_k + EXPONENTIAL), output = row + n * (double)p->d_v;
	double prefixes = p->n_k <= PREFIXES_ALL ? n : PREFIXES_FEW;

	return (struct bounds){
		.computed = at_least(each / row, ROWS_LEAST, p->n_q < ROWS_MOST ? p->n_q : ROWS_MOST),
		/* A prefix is seen by half of the rows, about. */
		.outputs = at_least(each / (PROBES * (prefixes / 2 + TRIALS) * output), OUTPUTS_LEAST,
				    p->n_q < OUTPUTS_MOST ? p->n_q : OUTPUTS_MOST),
		.read = at_least(READ_LIMIT / (double)units / n, READ_LEAST, p->n_q),
	};
}

/* ---- the state of a run ---- */

struct run {
	const struct verify_file *f;
	struct recognition recognised;
	struct report report;
	struct line unagreed;		/* stored weights that no setting explains, before any agreed */
	struct setting known;		/* of the last part that agreed */
	bool agreed;
	struct bounds bounds;
	size_t heads;			/* of one layer and batch, that are gone through */

	/* of the layer and batch at hand */
	struct part part;
	size_t batch;
	struct setting setting;
	bool comparable;		/* stored weights beside Q and K, and masks that explain most */
	double tolerance;		/* of sums of stored rows */
	struct scenario scenario;
	struct options options;
	struct problem problem;
	struct probe_expect expect;	/* with the padding of the file's own mask */
};

static bool has_stored(const struct run *r)
{
	return r->part.array[ROLE_WEIGHTS] < r->recognised.n;
}

static bool computes(const struct run *r)
{
	return r->part.source != SOURCE_WEIGHTS;
}

static size_t first_head(const struct run *r)
{
	return r->f->head < 0 ? 0 : (size_t)r->f->head;
}

/* ---- findings in stored weights ---- */

static void say(char *detail, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends; a text that fills its room is cut. */
static void say(char *detail, const char *format, ...)
{
	size_t used = strlen(detail);
	va_list list;

	va_start(list, format);
	vsnprintf(detail + used, PROBE_TEXT - used, format, list);
	va_end(list);
}

static void say_some(char *detail, size_t some, size_t all)
{
	if (some < all)
		say(detail, _("; %zu of %zu rows, spread"), some, all);
}

static void say_cells(struct finding *f, const struct stored_tally *t, const char *rule, bool expected)
{
	f->ok = t->faults ? ANSWER_NO : t->of ? ANSWER_YES : ANSWER_NONE;
	if (t->faults)
		say(f->detail, _("%zu of %zu stored cells that %s ought to hide have weight; first query %zu, key %zu, weight %.4g; largest %.4g"),
		    t->faults, t->of, rule, t->row, t->column, t->value, t->largest);
	else if (t->of)
		say(f->detail, _("%zu stored cells that %s ought to hide have no weight"), t->of, rule);
	else
		say(f->detail, expected ? _("%s has no cell to hide here") : _("no %s mask is expected"), rule);
}

static void say_sums(struct finding *f, const struct stored_tally *t, double tolerance)
{
	f->ok = t->faults ? ANSWER_NO : ANSWER_YES;
	if (t->faults)
		say(f->detail, _("%zu of %zu stored rows do not sum to 1, within %.3g; first query %zu, sum %.6g"), t->faults, t->of,
		    tolerance, t->row, t->value);
	else
		say(f->detail, _("all %zu stored rows sum to 1, within %.3g"), t->of, tolerance);
}

static void say_empty(struct finding *f, const struct stored_tally *t)
{
	f->ok = t->faults ? ANSWER_NO : ANSWER_YES;
	if (t->faults)
		say(f->detail, _("%zu of %zu stored rows have no weights, or no key that they may see; first query %zu, sum %.4g"), t->faults,
		    t->of, t->row, t->value);
	else
		say(f->detail, _("each of %zu stored rows has weights"), t->of);
}

static void say_differences(struct finding *f, const struct stored_report *s, double limit)
{
	const struct stored_tally *t = &s->differs;

	f->ok = t->faults ? ANSWER_NO : ANSWER_YES;
	if (t->faults)
		say(f->detail, _("%zu of %zu stored rows are not what Q and K give, within %.3g; first query %zu, key %zu, weight %.4g, computed %.4g; largest difference %.4g"),
		    t->faults, t->of, limit, t->row, t->column, t->value, s->computed, t->largest);
	else
		say(f->detail, _("%zu stored rows are what Q and K give, within %.3g"), t->of, limit);
	say_some(f->detail, s->compared, s->all);
}

static void place(struct finding *f, const struct stored_tally *t, bool cell)
{
	if (f->ok != ANSWER_NO)
		return;
	f->has_row = f->has_value = true;
	f->has_column = cell;
	f->row = t->row;
	f->column = t->column;
	f->value = t->value;
}

/* What is stored under the name of a probe's check; false where it has none. */
static bool stored_finding(struct finding *f, const struct run *r, const struct stored_report *s, enum probe_name name)
{
	const struct probe_expect *x = &r->expect;
	const struct options *o = &r->options;

	*f = (struct finding){ .ok = ANSWER_NONE };
	switch (name) {
	case PROBE_UPPER_TRIANGLE:
		say_cells(f, &s->triangle, "causal", x->given ? x->causal : o->causal);
		place(f, &s->triangle, true);
		break;
	case PROBE_PAD_COLUMNS:
		say_cells(f, &s->pads, "pad", o->pad.n && (!x->given || x->pad));
		place(f, &s->pads, true);
		break;
	case PROBE_ROW_SUMS:
		say_sums(f, &s->sums, r->tolerance);
		place(f, &s->sums, false);
		break;
	case PROBE_EMPTY_ROWS:
		say_empty(f, &s->empty);
		place(f, &s->empty, false);
		break;
	default:
		say(f->detail, _("finished weights are given: what has weight is what moves an output"));
		return false;
	}
	if (f->ok != ANSWER_NONE)
		say_some(f->detail, s->rows, s->all);
	return true;
}

/* ---- one head ---- */

static enum status judge_stored(struct run *r, const struct attention *a, const struct probe_expect *x, struct stored_report *out,
				struct error *e)
{
	const struct stored_request q = {
		.t = r->f->tensors, .r = &r->recognised, .part = &r->part, .batch = r->batch, .attention = a, .expect = x,
		.tolerance = r->tolerance, .compare = r->comparable, .limit = r->setting.limit,
		.rows_most = r->bounds.read, .compare_most = r->bounds.computed,
	};

	return stored_check(out, &q, e);
}

static void add_agreement(struct run *r, const struct stored_report *s, const struct unit *at)
{
	struct finding f = { .ok = ANSWER_NONE };

	if (r->comparable) {
		say_differences(&f, s, r->setting.limit);
		place(&f, &s->differs, true);
		report_add(&r->report.line[LINE_AGREEMENT], &f, at);
		return;
	}
	f.has_value = true;
	f.value = r->setting.difference;
	say(f.detail, _("does not agree (%.3g): Q/K may be from before rotary embedding or of another layer, the weights with softcap, ALiBi, bias or window"),
	    r->setting.difference);
	report_add(&r->unagreed, &f, at);
}

/* The worse of what was computed and what is stored, of each check. */
static void add_findings(struct run *r, const struct probe_report *probed, const struct stored_report *stored, const struct unit *at)
{
	for (int n = 0; n < PROBE_COUNT; n++) {
		struct finding found = { .ok = ANSWER_NONE }, of_stored;
		if (probed)
			finding_of_check(&found, &probed->check[n], (enum probe_name)n);
		if (stored && (stored_finding(&of_stored, r, stored, (enum probe_name)n) || !probed) &&
		    (!probed || !finding_outweighs(&found, &of_stored)))
			found = of_stored;
		report_add(&r->report.line[n], &found, at);
	}
	if (probed && stored)
		add_agreement(r, stored, at);
}

static enum status judge_head(struct run *r, const struct attention *a, struct error *e)
{
	const struct unit at = { r->part.layer, r->batch, a->head };
	struct probe_expect x = r->expect;
	struct probe_report probed = { 0 };
	struct stored_report stored;
	enum status s = OK_STATUS;

	x.rows_most = r->bounds.computed;
	x.outputs_most = r->bounds.outputs;
	if (computes(r))
		s = probe_run(&probed, a, &x, r->f->tables, e);
	if (!s && has_stored(r))
		s = judge_stored(r, a, &x, &stored, e);
	if (!s)
		add_findings(r, computes(r) ? &probed : NULL, has_stored(r) ? &stored : NULL, &at);
	probe_free(&probed);
	return s;
}

/* ---- a layer and batch ---- */

static void close_part(struct run *r)
{
	scenario_free(&r->scenario);
	options_free(&r->options);
	problem_free(&r->problem);
	r->scenario = (struct scenario){ 0 };
	r->options = (struct options){ 0 };
}

/* Numbers of all heads or one: Q and K are small beside scores, and stored weights are not copied. */
static enum status open_numbers(struct run *r, bool one, size_t head, struct error *e)
{
	const struct verify_file *f = r->f;
	const struct tensor_part part = { &r->part, r->batch, &r->setting };
	const struct tensor_extent extent = { .one_head = one, .head = head, .some_rows = r->part.source == SOURCE_WEIGHTS };
	enum status s = tensor_scenario_part(&r->scenario, f->tensors, &r->recognised, f->name, f->path, &f->choice, &part, &extent, e);

	if (s || (s = options_copy(&r->options, &r->scenario.set, e)) || (s = f->set(f->context, &r->options, e)))
		return s;
	r->options.head = (long)head;
	if ((s = problem_build(&r->problem, &r->scenario, &r->options, &r->scenario.edits, f->tables, e)))
		return s;
	return f->load_masks(&r->problem, &r->options, e);
}

static enum status judge_heads(struct run *r, size_t first, size_t n, struct error *e)
{
	enum status s = OK_STATUS;

	for (size_t h = first; h < first + n && !s; h++) {
		struct attention a;
		r->options.head = (long)h;
		if (r->problem.of_one_head && (s = r->f->load_masks(&r->problem, &r->options, e)))
			return s;
		if ((s = attention_init(&a, &r->problem, &r->options, r->f->tables, e)))
			return s;
		s = judge_head(r, &a, e);
		attention_free(&a);
	}
	return s;
}

/* A leak into padding that the file itself tells of is none of those that were not asked about. */
static void expect_padding(struct run *r)
{
	r->expect = r->f->expect;
	if (r->expect.causal && r->scenario.set.pad.n)
		r->expect.pad = true;
}

static void put_shape(struct buffer *out, const struct run *r)
{
	const struct recognition *k = &r->recognised;
	size_t layers = r->f->choice.layer < 0 ? k->layers : 1, batches = r->f->choice.batch < 0 ? r->part.batches : 1;

	show_safe_text(out, r->scenario.name, r->report.ascii);
	buffer_format(out, _(": verify (%zu, %zu), heads %zu, layers %zu, batches %zu, %s; expected: "), r->part.n_q, r->part.n_k, r->heads,
		      layers, batches,
		      !computes(r) ? _("stored weights") : r->part.source == SOURCE_SCORES ? _("scores")
		      : has_stored(r) ? _("Q, K and stored weights") : _("Q and K"));
	report_expected(out, &r->expect, &r->options, r->problem.mask.v != NULL);
	if (r->expect.pad && !r->f->expect.pad)
		buffer_text(out, _(" and by the file's mask"));
}

/* What is not looked at in full, and how the numbers came about. */
static void put_bounds(struct buffer *out, const struct run *r)
{
	const struct part *p = &r->part;

	if (has_stored(r) && r->bounds.read < p->n_q)
		buffer_format(out, _("; %zu of %zu stored rows"), r->bounds.read, p->n_q);
	if (computes(r) && r->bounds.computed < p->n_q)
		buffer_format(out, _("; %zu of %zu rows computed"), r->bounds.computed, p->n_q);
	if (computes(r) && (r->bounds.outputs < p->n_q || p->n_k > PREFIXES_ALL))
		buffer_format(out, _("; probes of %zu outputs and %d prefixes a head"), r->bounds.outputs,
			      p->n_k > PREFIXES_ALL ? PREFIXES_FEW : (int)p->n_k - 1);
}

static void put_titles(struct run *r)
{
	struct report *report = &r->report;
	const struct probe_expect *x = &r->f->expect;

	put_shape(&report->quiet, r);
	put_bounds(&report->quiet, r);
	put_shape(&report->title, r);
	put_bounds(&report->title, r);
	buffer_text(&report->title, "\n");
	if (computes(r) && x->given && x->causal && !r->options.causal)
		buffer_text(&report->title, r->setting.causal_by == EVIDENCE_WEIGHTS
			    ? _("computed without a causal mask: the stored weights are those of none\n")
			    : _("computed without a causal mask: nothing in the file confirms one; --causal computes with it\n"));
	if (r->problem.mask_note[0]) {
		show_safe_text(&report->title, r->problem.mask_note, report->ascii);
		buffer_text(&report->title, "\n");
	}
}

/* The first part tells how many heads there are in all. */
static enum status begin_report(struct run *r, struct error *e)
{
	const struct verify_file *f = r->f;
	struct report *report = &r->report;
	size_t layers = f->choice.layer < 0 ? r->recognised.layers : 1, batches = f->choice.batch < 0 ? r->part.batches : 1;
	char value[24];

	snprintf(value, sizeof value, "%ld", f->head);
	if (f->head >= (long)r->part.heads)
		return error_option(e, E_VALUE, "head", value, "there are only %zu, counted from 0", r->part.heads);
	r->heads = f->head < 0 ? r->part.heads : 1;
	report->units = layers * batches * r->heads;
	report->layers = r->recognised.layers > 1;
	report->batches = r->part.batches > 1;
	if (computes(r) && has_stored(r)) {
		report->lines = LINES_MAX;
		report->line[LINE_AGREEMENT] = (struct line){ .name = "agreement", .blind = _("a mask that is missing on both sides") };
	}
	r->bounds = bounds_of(&r->part, report->units);
	return OK_STATUS;
}

/* Masks and scale: those that the part's own weights confirm, else those that others' did. */
static enum status judge_setting(struct run *r, struct error *e)
{
	struct setting *x = &r->setting;
	struct sums sums;
	enum status s = recognise_setting(&r->recognised, r->f->tensors, &r->part, r->batch, x, e);

	if (s)
		return s;
	bool agrees = x->agrees || x->mostly;
	if (agrees) {
		r->known = *x;
		r->agreed = true;
	} else if (x->checked && r->agreed) {
		*x = r->known;
	}
	r->comparable = computes(r) && has_stored(r) && (agrees || (x->checked && r->agreed));
	if (!has_stored(r))
		return OK_STATUS;
	s = recognise_sums(&r->recognised, r->f->tensors, &r->part, ROLE_WEIGHTS, &sums, e);
	if (!s)
		r->tolerance = sums.tolerance;
	return s;
}

/* Nothing that the file says explains its weights; what the command line says of scores may. */
static void compare_under_options(struct run *r)
{
	static const enum option of_scores[] = { OPT_ALIBI, OPT_SOFTCAP, OPT_WINDOW, OPT_BIAS };

	for (size_t k = 0; k < sizeof of_scores / sizeof *of_scores && r->setting.checked; k++)
		r->comparable = r->comparable || !option_same(&r->options, &r->scenario.set, of_scores[k]);
}

/* Whether causal would be off, had the file said that it is on. */
static enum status is_switched_off(const struct run *r, bool *off, struct error *e)
{
	struct options o;
	enum status s = options_copy(&o, &r->options, e);

	if (s)
		return s;
	o.causal = true;
	s = r->f->set(r->f->context, &o, e);
	*off = !o.causal;
	options_free(&o);
	return s;
}

/* Q and K alone say nothing of the mask that a model had: to find a leak in what is computed
 * from them would be to find that no mask was asked for. */
static enum status check_expected(const struct run *r, struct error *e)
{
	const struct probe_expect *x = &r->f->expect;
	bool off;
	enum status s;

	if (!x->given || !x->causal || r->options.causal || r->part.source != SOURCE_QKV || has_stored(r) || r->problem.mask.v)
		return OK_STATUS;
	if ((s = is_switched_off(r, &off, e)) || off)
		return s;
	return error_option(e, E_VALUE, "expect", "causal", "nothing in the file tells of a mask: it has Q and K without weights; "
			    "--causal computes with a causal mask, --causal=off without one");
}

static enum status judge_part(struct run *r, struct error *e)
{
	bool by_head = r->part.source == SOURCE_SCORES || r->heads == 1;
	size_t first = first_head(r), each = by_head ? 1 : r->heads;
	enum status s = judge_setting(r, e);

	for (size_t h = first; h < first + r->heads && !s; h += each) {
		if (!(s = open_numbers(r, by_head, h, e)))
			s = check_expected(r, e);
		if (s) {
			close_part(r);
			return s;
		}
		expect_padding(r);
		compare_under_options(r);
		if (!r->report.title.size)
			put_titles(r);
		s = judge_heads(r, h, each, e);
		close_part(r);
	}
	return s;
}

/* ---- the whole ---- */

/* Other layers may have other shapes; what is counted is what the first has. */
static enum status judge_layer(struct run *r, long layer, struct error *e)
{
	const struct verify_file *f = r->f;
	enum status s = recognise_part(&r->recognised, f->tensors, layer, &r->part, e);
	size_t first;

	if (s || (s = tensor_batch(&r->part, f->choice.batch, &first, e)))
		return s;
	if (!r->report.units && (s = begin_report(r, e)))
		return s;
	if (r->part.heads < first_head(r) + r->heads)
		return error_set(e, E_SHAPE, "layer %ld has %zu heads, layer %ld has more; --layer chooses one", layer, r->part.heads,
				 r->recognised.layer[0]);
	size_t end = f->choice.batch < 0 ? r->part.batches : first + 1;
	for (r->batch = first; r->batch < end && !s; r->batch++)
		s = judge_part(r, e);
	return s;
}

/* Weights that nothing explains are a fault where others were explained. */
static void conclude_agreement(struct run *r)
{
	struct line *l = &r->report.line[LINE_AGREEMENT];

	if (!r->unagreed.alike)
		return;
	if (l->alike)
		r->unagreed.found.ok = ANSWER_NO;
	if (!l->alike || l->found.ok != ANSWER_NO) {
		l->found = r->unagreed.found;
		l->at = r->unagreed.at;
		l->alike = r->unagreed.alike;
	}
}

static enum status judge_all(struct run *r, struct error *e)
{
	const struct verify_file *f = r->f;
	const struct recognition *k = &r->recognised;
	enum status s = OK_STATUS;

	if (f->choice.layer >= 0 || !k->layers)
		return judge_layer(r, f->choice.layer, e);
	for (size_t n = 0; n < k->layers && !s; n++)
		s = judge_layer(r, k->layer[n], e);
	return s;
}

enum status verify_file(struct buffer *out, bool *ok, const struct verify_file *f, struct error *e)
{
	const struct recognise_options o = { f->choice.as, f->choice.layout };
	const char *slash = strrchr(f->name, '/');
	struct run *r = calloc(1, sizeof *r);
	enum status s = r ? recognise(&r->recognised, f->tensors, slash ? slash + 1 : f->name, &o, e)
			  : error_set(e, E_MEMORY, "no memory for a report");

	if (s) {
		free(r);
		return s;
	}
	r->f = f;
	r->report = (struct report){ .format = f->format, .width = f->width, .ascii = f->ascii, .of_file = true };
	report_begin(&r->report);
	recognition_as_named(&r->recognised);
	if (!(s = judge_all(r, e))) {
		conclude_agreement(r);
		report_write(out, &r->report);
		if (out->failed)
			s = error_set(e, E_MEMORY, "no memory for the report");
		else
			*ok = !report_count_false(&r->report);
	}
	report_free(&r->report);
	recognition_free(&r->recognised);
	free(r);
	return s;
}
