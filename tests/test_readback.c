/* test_readback.c - reads every number off the picture and compares it with an
 * independent computation: the formulas of the README, in long double.
 *
 * Each case says which options and edits ought to be in force after its keys; the
 * model below computes from those, never from what the program computed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixture.h"
#include "tests/play_cells.h"
#include "tui/text.h"

/* ---- the model ---- */

/* Row-major, n_q by n_k; what is shown at each stage, and what is said of each row. */
struct model {
	struct options o;		/* that ought to be in force */
	size_t n_q, n_k, d_k, d_v, heads, head;
	bool given_scores, given_weights;
	double *q, *k, *v;		/* of the head */
	double *scores, *scaled, *masked, *weights, *output;
	double *share;			/* the first softmax, before anything else is done to it */
	bool *hidden, *kept;
	double *sum, *largest, *entropy;
	enum verdict *verdict;
};

static double *numbers(size_t n)
{
	double *v = calloc(n + 1, sizeof *v);

	assert_non_null(v);
	return v;
}

static double *copy_of(const struct matrix *m)
{
	double *v = numbers(m->rows * m->columns);

	memcpy(v, m->v, m->rows * m->columns * sizeof *v);
	return v;
}

/* (n, m) times (m, columns) */
static double *product(const struct matrix *a, const struct matrix *b)
{
	double *v = numbers(a->rows * b->columns);

	for (size_t i = 0; i < a->rows; i++)
		for (size_t j = 0; j < b->columns; j++) {
			long double sum = 0;
			for (size_t c = 0; c < a->columns; c++)
				sum += (long double)a->v[i * a->columns + c] * b->v[c * b->columns + j];
			v[i * b->columns + j] = (double)sum;
		}
	return v;
}

/* Q, K or V of a head as the scenario gives it, or X times its weights. */
static double *projected(const struct problem *p, enum array a, enum array w, size_t head)
{
	return p->source == SOURCE_X ? product(problem_array(p, ARRAY_X, 0), problem_array(p, w, head))
				     : copy_of(problem_array(p, a, head));
}

/* Inputs only: results are computed below. */
static void model_input(struct model *m, const struct problem *p, size_t head)
{
	m->n_q = p->n_q;
	m->n_k = p->n_k;
	m->d_k = p->d_k;
	m->d_v = p->d_v;
	m->heads = p->heads;
	m->head = head;
	m->given_scores = p->source == SOURCE_SCORES;
	m->given_weights = p->source == SOURCE_WEIGHTS;
	if (problem_has_qk(p)) {
		m->q = projected(p, ARRAY_Q, ARRAY_W_Q, head);
		m->k = projected(p, ARRAY_K, ARRAY_W_K, head);
	}
	m->v = p->identity_v ? numbers(m->n_k * m->n_k) : projected(p, ARRAY_V, ARRAY_W_V, head);
	for (size_t j = 0; p->identity_v && j < m->n_k; j++)	/* not given: the identity */
		m->v[j * m->n_k + j] = 1;
	m->scores = m->given_scores ? copy_of(problem_array(p, ARRAY_SCORES, head)) : numbers(m->n_q * m->n_k);
	m->weights = m->given_weights ? copy_of(problem_array(p, ARRAY_WEIGHTS, head)) : numbers(m->n_q * m->n_k);
	m->scaled = numbers(m->n_q * m->n_k);
	m->masked = numbers(m->n_q * m->n_k);
	m->output = numbers(m->n_q * m->d_v);
	m->share = numbers(m->n_q * m->n_k);
	m->sum = numbers(m->n_q);
	m->largest = numbers(m->n_q);
	m->entropy = numbers(m->n_q);
	m->hidden = calloc(m->n_q * m->n_k, sizeof *m->hidden);
	m->kept = calloc(m->n_q * m->n_k, sizeof *m->kept);
	m->verdict = calloc(m->n_q, sizeof *m->verdict);
	assert_true(m->hidden && m->kept && m->verdict);
}

static void model_free(struct model *m)
{
	double *all[] = { m->q, m->k, m->v, m->scores, m->scaled, m->masked, m->weights, m->output, m->share,
			  m->sum, m->largest, m->entropy };

	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		free(all[k]);
	free(m->hidden);
	free(m->kept);
	free(m->verdict);
	options_free(&m->o);
}

static long position(const struct model *m, size_t i)
{
	return (long)i + (m->o.causal_align == ALIGN_BOTTOM_RIGHT ? (long)m->n_k - (long)m->n_q : 0);
}

/* The rules as DESIGN.md words them, without `keep`. */
static bool by_the_rules(const struct model *m, size_t i, size_t j)
{
	const struct options *o = &m->o;
	long at = position(m, i), key = (long)j;

	if (o->causal && key > at + o->causal_offset && key >= o->prefix)
		return true;
	if (o->pad_mask && o->pad_axis != PAD_QUERY && list_has(&o->pad, key))
		return true;
	if (o->pad_mask && o->pad_axis != PAD_KEY && list_has(&o->pad, (long)i))
		return true;
	if (o->window > 0 && at - key >= o->window)
		return true;
	if (o->documents.n && (o->documents.v[at] == 0 || o->documents.v[at] != o->documents.v[key]))
		return true;
	return list_has_cell(&o->hide, (long)i, key);
}

static void compute_hidden(struct model *m)
{
	for (size_t i = 0; i < m->n_q; i++)
		for (size_t j = 0; j < m->n_k; j++) {
			bool ruled = by_the_rules(m, i, j) != m->o.mask_invert;
			bool keep = list_has_cell(&m->o.keep, (long)i, (long)j);
			m->hidden[i * m->n_k + j] = ruled && !keep && !m->given_weights;
			m->kept[i * m->n_k + j] = ruled && keep;
		}
}

static void compute_scores(struct model *m)
{
	for (size_t i = 0; i < m->n_q && !m->given_scores; i++)
		for (size_t j = 0; j < m->n_k; j++) {
			long double sum = 0;
			for (size_t c = 0; c < m->d_k; c++)
				sum += (long double)m->q[i * m->d_k + c] *
				       (m->o.transpose ? m->k[j * m->d_k + c] : m->k[c * m->d_k + j]);
			m->scores[i * m->n_k + j] = (double)sum;
		}
}

static long double scale_factor(const struct model *m)
{
	const struct number_or_word *scale = &m->o.scale;
	long d_model = m->o.d_model > 0 ? m->o.d_model : (long)(m->heads * m->d_k);

	if (scale->word < 0)
		return scale->number;
	if (scale->word == SCALE_NONE || !m->d_k)
		return 1;
	return scale->word == SCALE_SQRT ? 1 / sqrtl((long double)m->d_k)
	     : scale->word == SCALE_DK ? 1 / (long double)m->d_k : 1 / sqrtl((long double)d_model);
}

static double fill_value(const struct model *m)
{
	return m->o.fill.word == FILL_MINUS_INFINITY ? -INFINITY : m->o.fill.word == FILL_MIN ? -DBL_MAX : m->o.fill.number;
}

static double filled(const struct model *m, double x, bool hidden)
{
	bool has_keep = m->o.keep_value.word < 0;

	if (m->o.mask_at != MASK_BEFORE)
		return x;
	if (m->o.fill_op == FILL_ADD)
		return x + (hidden ? fill_value(m) : has_keep ? m->o.keep_value.number : 0);
	if (m->o.fill_op == FILL_MULTIPLY)
		return x * (hidden ? fill_value(m) : has_keep ? m->o.keep_value.number : 1);
	return hidden ? fill_value(m) : x;
}

static void compute_masked(struct model *m)
{
	for (size_t i = 0; i < m->n_q; i++)
		for (size_t j = 0; j < m->n_k; j++) {
			size_t at = i * m->n_k + j;
			long double x = m->scores[at];
			for (long t = 0; t < m->o.scale_times; t++)
				x *= scale_factor(m);
			x /= m->o.temperature.number;
			m->scaled[at] = (double)x;
			if (m->o.softcap.word < 0)
				x = m->o.softcap.number * tanhl(x / m->o.softcap.number);
			if (m->o.alibi.word < 0)
				x -= m->o.alibi.number * fabsl((long double)(position(m, i) - (long)j));
			m->masked[at] = filled(m, (double)x, m->hidden[at]);
		}
}

/* One softmax of n numbers that stand `step` apart; a nan anywhere makes all nan. */
static void softmax(const struct model *m, const double *x, double *out, size_t n, size_t step)
{
	long double largest = x[0], sum = 0;

	for (size_t j = 0; j < n; j++)
		if (isnan(x[j * step]) || x[j * step] > largest)
			largest = x[j * step];
	if (m->o.softmax_kind == SOFTMAX_NAIVE)
		largest = 0;
	for (size_t j = 0; j < n; j++)
		sum += (double)expl(x[j * step] - largest);
	for (size_t j = 0; j < n; j++)
		out[j * step] = (double)((double)expl(x[j * step] - largest) / sum);
}

static void softmax_all(struct model *m, const double *from)
{
	bool rows = m->o.softmax == SOFTMAX_ROW;

	for (size_t k = 0; k < (rows ? m->n_q : m->n_k); k++) {
		size_t start = rows ? k * m->n_k : k;
		softmax(m, from + start, m->weights + start, rows ? m->n_k : m->n_q, rows ? 1 : m->n_k);
	}
}

static bool all_hidden(const struct model *m, size_t i)
{
	for (size_t j = 0; j < m->n_k; j++)
		if (!m->hidden[i * m->n_k + j])
			return false;
	return true;
}

static void mask_after(struct model *m, size_t i)
{
	double *w = m->weights + i * m->n_k;
	long double sum = 0;

	for (size_t j = 0; j < m->n_k; j++) {
		w[j] *= m->hidden[i * m->n_k + j] ? 0 : 1;
		sum += w[j];
	}
	for (size_t j = 0; j < m->n_k && m->o.mask_at == MASK_AFTER_RENORM; j++)
		w[j] = (double)(w[j] / sum);
}

static void compute_weights(struct model *m)
{
	double *before = numbers(m->n_q * m->n_k);

	softmax_all(m, m->masked);
	memcpy(m->share, m->weights, m->n_q * m->n_k * sizeof *m->share);
	if (m->o.softmax_times == 2) {
		memcpy(before, m->weights, m->n_q * m->n_k * sizeof *before);
		softmax_all(m, before);
	}
	free(before);
	for (size_t i = 0; i < m->n_q; i++) {
		if (m->o.mask_at != MASK_BEFORE)
			mask_after(m, i);
		for (size_t j = 0; all_hidden(m, i) && m->o.empty_row != EMPTY_LITERAL && j < m->n_k; j++)
			m->weights[i * m->n_k + j] = m->o.empty_row == EMPTY_ZERO ? 0 : 1 / (double)m->n_k;
	}
}

static enum verdict judge(const struct model *m, size_t i)
{
	if (!m->given_weights && all_hidden(m, i))
		return VERDICT_EMPTY;
	for (size_t j = 0; j < m->n_k && !m->given_weights; j++) {
		double x = m->masked[i * m->n_k + j];
		if (!m->hidden[i * m->n_k + j] && (isnan(x) || x == INFINITY))
			return VERDICT_NON_FINITE;
	}
	if (isnan(m->sum[i]))
		return VERDICT_NAN;
	return m->sum[i] < 1 - 1e-9 ? VERDICT_LOW : m->sum[i] > 1 + 1e-9 ? VERDICT_HIGH : VERDICT_OK;
}

static void compute_row_facts(struct model *m, size_t i)
{
	const double *w = m->weights + i * m->n_k;
	long double sum = 0, entropy = 0;

	m->largest[i] = w[0];
	for (size_t j = 0; j < m->n_k; j++) {
		sum += w[j];
		entropy -= w[j] == 0 ? 0 : w[j] * log2l(w[j]);
		if (isnan(w[j]) || w[j] > m->largest[i])
			m->largest[i] = w[j];
	}
	m->sum[i] = (double)sum;
	m->entropy[i] = (double)entropy;
	m->verdict[i] = judge(m, i);
	for (size_t c = 0; c < m->d_v; c++) {
		long double mixed = 0;
		for (size_t j = 0; j < m->n_k; j++)
			mixed += (long double)w[j] * m->v[j * m->d_v + c];
		m->output[i * m->d_v + c] = m->o.empty_row == EMPTY_ZERO && all_hidden(m, i) ? 0 : (double)mixed;
	}
}

/* "s1:0=2.5 q0:2=-1": scores, q, k, v and the place. Scores need Q and K first. */
static void apply_edits(struct model *m, const char *edits, bool of_scores)
{
	char array;
	size_t i, j;
	double value;
	int used;

	while (edits && sscanf(edits, " %c%zu:%zu=%lf%n", &array, &i, &j, &value, &used) == 4) {
		edits += used;
		if ((array == 's') != of_scores)
			continue;
		double *target = array == 's' ? m->scores : array == 'q' ? m->q : array == 'k' ? m->k : m->v;
		target[i * (array == 's' ? m->n_k : array == 'v' ? m->d_v : m->d_k) + j] = value;
	}
}

static void model_compute(struct model *m, const char *edits)
{
	apply_edits(m, edits, false);
	compute_hidden(m);
	if (!m->given_weights) {
		compute_scores(m);
		apply_edits(m, edits, true);
		compute_masked(m);
		compute_weights(m);
	}
	for (size_t i = 0; i < m->n_q; i++)
		compute_row_facts(m, i);
}

/* ---- what is shown of it ---- */

/* One matrix that may be on screen. */
struct shown {
	const double *v;
	size_t columns;
	bool grid;			/* hidden cells have their look */
};

static struct shown shown_of(const struct model *m, const struct state *s)
{
	switch (m->o.stage) {
	case STAGE_SCORES:
		return (struct shown){ m->scores, m->n_k, false };
	case STAGE_SCALED:
		return (struct shown){ m->scaled, m->n_k, false };
	case STAGE_MASKED:
		return (struct shown){ m->masked, m->n_k, true };
	case STAGE_WEIGHTS:
		return (struct shown){ m->weights, m->n_k, true };
	case STAGE_OUTPUT:
		return (struct shown){ m->output, m->d_v, false };
	default:
		switch (state_array(s)) {
		case ARRAY_Q:
			return (struct shown){ m->q, m->d_k, false };
		case ARRAY_K:
			return (struct shown){ m->k, m->d_k, false };
		default:
			return (struct shown){ m->v, m->d_v, false };
		}
	}
}

struct place {
	const struct play *p;
	const struct model *m;
	const char *what;		/* the case, for messages */
	size_t i, j;
};

static void complain(const struct place *at, const char *kind, const char *text, double want)
{
	fail_msg("%s: %s of row %zu column %zu: '%s' on screen, %.17g computed", at->what, kind, at->i, at->j, text, want);
}

/* Whether text is x, correctly rounded at the digits it shows. Doubles computed
 * in another order may differ in their last bits. */
static bool is_rounded(const char *text, double x, int *decimals)
{
	char *end, copy[64];
	double shown, unit = 1;
	const char *point = strchr(text, '.'), *e = strchr(text, 'e');

	snprintf(copy, sizeof copy, "%s%s", *text == '.' ? "0" : "", text);
	shown = strtod(copy, &end);
	if (end == copy || *end)
		return false;
	*decimals = point ? (int)strspn(point + 1, "0123456789") : 0;
	unit = pow(10, (e ? atoi(e + 1) : 0) - *decimals);
	return fabs(shown - x) <= 0.5 * unit * (1 + 1e-9) + 1e-11 * fabs(x);
}

static bool is_weight_stage(const struct model *m)
{
	return m->o.stage == STAGE_WEIGHTS;
}

static int precision_of(const struct model *m)
{
	return m->o.precision < 0 ? 3 : (int)m->o.precision;
}

/* A number without its hidden mark. */
static void check_number(const struct place *at, const char *text, double x, bool marked)
{
	bool range = is_weight_stage(at->m) && isfinite(x) && (x < 0 || x > 1 + 1e-9);
	double half = 0.5 * pow(10, -precision_of(at->m));
	int decimals;

	if (!strcmp(text, "min")) {
		if (x != -DBL_MAX)
			complain(at, "number", text, x);
		return;
	}
	if ((*text == '!') != range)
		complain(at, "range mark", text, x);
	text += range;
	if (isnan(x) || isinf(x) || x == 0) {
		if (strcmp(text, isnan(x) ? "nan" : isinf(x) ? x < 0 ? "-inf" : "inf" : "0"))
			complain(at, "number", text, x);
	} else if (!strcmp(text, x < 0 ? "-~0" : "~0")) {
		if (fabs(x) > half * (1 + 1e-9))
			complain(at, "number", text, x);
	} else if (!is_rounded(text, x, &decimals) || !text[strspn(text, "-0.")]) {
		complain(at, "number", text, x);
	} else if (range && decimals < 2 && decimals < precision_of(at->m)) {
		complain(at, "number of digits", text, x);	/* A42: 1.25 stays 1.25 */
	} else if (!marked && !range && !strchr(text, 'e') && decimals != precision_of(at->m)) {
		complain(at, "number of digits", text, x);
	}
}

static void check_cell(const struct place *at, const struct shown *shown)
{
	size_t cell = at->i * shown->columns + at->j;
	bool hidden = shown->grid && at->m->hidden[cell];
	char mark[ROW_TEXT], text[ROW_TEXT];
	const char *number = text;
	size_t lead = 0;

	play_cell_text(at->p, at->i, at->j, mark, text);
	if (!strncmp(text, "\u259a", 3))
		lead = 3;
	else if (*text == '#')
		lead = 1;
	if (hidden != (lead > 0))
		complain(at, hidden ? "missing hidden look" : "hidden look", text, shown->v[cell]);
	number += lead;
	number += strspn(number, " ");
	check_number(at, number, shown->v[cell], lead > 0);
	/* What stands before a number must not make another number of it. */
	if (strchr("-.0123456789!~#", *mark))
		complain(at, "glyph before the number", mark, shown->v[cell]);
}

static const char *next_word(const char *text, char word[64])
{
	text += strspn(text, " ");
	size_t n = strcspn(text, " ");
	snprintf(word, 64, "%.*s", (int)(n < 63 ? n : 63), text);
	return text + n;
}

/* nan, and numbers with exactly that many digits behind the point. */
static void check_fixed(const struct place *at, const char *kind, const char *text, double x, int wanted)
{
	int decimals;

	if (isnan(x) ? strcmp(text, "nan") != 0 : (!is_rounded(text, x, &decimals) || decimals != wanted))
		complain(at, kind, text, x);
}

/* Sum, verdict, largest weight, entropy, from left to right. */
static void check_sums(const struct place *at)
{
	const struct play *p = at->p;
	const struct model *m = at->m;
	const struct layout *l = &p->layout;
	int y = l->grid + (int)(at->i - p->state.top) * l->cell_height + l->cell_height / 2;
	char text[ROW_TEXT], word[64];
	const char *rest = text, *verdict = verdict_name(m->verdict[at->i]);

	play_text(p, y, l->sums + l->bar_width, p->cells.columns, text);
	rest = next_word(rest, word);
	if (m->verdict[at->i] == VERDICT_NON_FINITE && strcmp(word, "n/a"))
		complain(at, "row sum", word, m->sum[at->i]);
	char *cut = strstr(word, "\u2026");		/* many digits on a small screen: cut with a mark */
	if (cut) {
		assert_true(p->cells.columns < 60 && precision_of(m) > 3);
		assert_true(strtod(word, NULL) <= m->sum[at->i] && strtod(word, NULL) > m->sum[at->i] - 0.01);
	} else if (m->verdict[at->i] != VERDICT_NON_FINITE)
		check_fixed(at, "row sum", word, m->sum[at->i], precision_of(m) < 2 ? 2 : precision_of(m));
	rest = next_word(rest, word);
	size_t n = strcspn(word, "\u2026~");		/* cut on the smallest screens */
	if (!n || strncmp(word, verdict, n) || (!word[n] && strlen(verdict) != n))
		fail_msg("%s: row %zu: verdict '%s' on screen, %s computed", at->what, at->i, word, verdict);
	if (l->largest) {
		rest = next_word(rest, word);
		check_fixed(at, "largest weight", word, m->largest[at->i], precision_of(m));
	}
	if (l->entropy) {
		next_word(rest, word);
		check_fixed(at, "entropy", word, m->entropy[at->i], 2);
	}
}

/* ---- the lines below ---- */

/* x as written with some digits from 2 to 4, zeros at the end left out; 0 only for 0. */
static bool is_short_form(const char *text, double x)
{
	char *end;
	double shown = strtod(text, &end);

	if (end == text)
		return false;
	if (isnan(x) || isnan(shown))
		return isnan(x) && isnan(shown);
	if (isinf(x) || x == 0 || shown == 0)
		return shown == x;
	if (fabs(shown - x) > 0.1 * fabs(x) && fabs(x) < 0.005)
		return false;
	if (strchr(text, 'e') && strcspn(text, "e") < (size_t)(end - text))
		return fabsl(strtold(text, NULL) - x) <= 0.051L * fabsl(x);	/* the lowest double, rounded, is beyond doubles */
	for (double unit = 1e-2; unit > 1e-5; unit /= 10)
		if (fabs(shown - x) <= unit / 2 * (1 + 1e-9))
			return true;
	return false;
}

/* Stages that are no grid of weights say the number in full. */
static void check_full_number(const struct place *at, const struct shown *shown)
{
	const struct play *p = at->p;
	double x = shown->v[p->state.row * shown->columns + p->state.column];
	char text[ROW_TEXT];

	play_row(p, p->layout.cell, text);
	const char *equals = strstr(text, " = ");
	if (!equals || !(fabs(strtod(equals + 3, NULL) - x) <= 1e-12 * (1 + fabs(x))))
		fail_msg("%s: the line of the cell says '%s', not %.17g", at->what, text, x);
}

/* The cell under the cursor: its line ends in the number that stands in the grid. */
static void check_cell_line(const struct place *at, const struct shown *shown)
{
	const struct play *p = at->p;
	const struct model *m = at->m;
	char text[ROW_TEXT], *equals = NULL;
	double w = m->weights[p->state.row * m->n_k + (p->state.column < m->n_k ? p->state.column : 0)];

	if (p->layout.cell < 0)
		return;
	if (!state_is_grid(&p->state)) {
		check_full_number(at, shown);
		return;
	}
	play_row(p, p->layout.cell, text);
	if (m->given_weights) {
		const char *number = strstr(text, "weight ");
		assert_non_null(number);
		assert_true(strtod(number + 7, NULL) == w || isnan(w));
		return;
	}
	bool by_policy = m->o.empty_row != EMPTY_LITERAL && all_hidden(m, p->state.row);
	for (char *s = text; (s = strstr(s, by_policy && !strstr(text, "weight = ") ? "-> " : " = ")); s++)
		equals = s + 3;
	if (!equals || !is_short_form(equals, w))
		fail_msg("%s: the line of the cell says '%s', the weight is %.17g", at->what, text, w);
	char *quotient = strstr(text, " / ");
	w = m->share[p->state.row * m->n_k + p->state.column];
	if (quotient && (!(quotient = strstr(quotient, " = ")) || !is_short_form(quotient + 3, w)))
		fail_msg("%s: the line of the cell says '%s', the quotient is %.17g", at->what, text, w);
}

/* As on a blackboard: two digits, exponents for the very small and large. */
static void check_board(const struct place *at, const char *kind, const char *text, double x)
{
	int decimals;

	if (x == 0 || !isfinite(x)) {
		if (strcmp(text, x == 0 ? "0" : isnan(x) ? "nan" : x < 0 ? "-inf" : "inf"))
			complain(at, kind, text, x);
	} else if (!is_rounded(text, x, &decimals) || strtod(text, NULL) == 0 || decimals != (strchr(text, 'e') ? 1 : 2)) {
		complain(at, kind, text, x);
	}
}

/* Each e^x of the row, from the word after "by hand"; returns their sum's place. */
static const char *check_hand_terms(struct place *at, const char *text, long double *sum)
{
	const struct model *m = at->m;
	char word[64];

	*sum = 0;
	for (at->j = 0; at->j < m->n_k; at->j++) {
		size_t cell = at->i * m->n_k + at->j;
		double e = exp(m->masked[cell]);
		*sum += e;
		text = next_word(text, word);
		if (m->hidden[cell] && !strcmp(word, "hidden"))
			continue;
		char *equals = strchr(word, '=');
		if (strncmp(word, "e^", 2) || !equals || !is_short_form(word + 2, m->masked[cell]))
			complain(at, "exponent by hand", word, m->masked[cell]);
		check_board(at, "power by hand", equals + 1, e);
	}
	return text;
}

static void check_hand_line(struct place at)
{
	const struct play *p = at.p;
	const struct model *m = at.m;
	char text[ROW_TEXT], word[64];
	const char *rest = text + 7;
	long double sum;

	if (p->layout.hand < 0)
		return;
	play_row(p, p->layout.hand, text);
	at.i = p->state.row;
	if (strncmp(text, "by hand", 7) || strstr(text, " more)") || strstr(text, "hand  ("))
		return;
	rest = check_hand_terms(&at, rest, &sum);
	/* What is divided again afterwards is a share of what the mask left. */
	if (m->o.mask_at == MASK_AFTER_RENORM) {
		sum = 0;
		for (size_t j = 0; j < m->n_k; j++)
			if (!m->hidden[at.i * m->n_k + j])
				sum += expl((long double)m->masked[at.i * m->n_k + j]);
	}
	rest = next_word(rest, word);
	assert_true(!strcmp(word, "\u03a3") || !strcmp(word, "sum"));
	rest = next_word(rest, word);
	check_board(&at, "sum by hand", word, (double)sum);
	rest = next_word(rest, word);
	assert_string_equal(word, "->");
	for (at.j = 0; at.j < m->n_k; at.j++) {
		size_t cell = at.i * m->n_k + at.j;
		double share = (double)(exp(m->masked[cell]) / sum);
		rest = next_word(rest, word);
		check_board(&at, "share by hand", word, m->o.mask_at != MASK_BEFORE && m->hidden[cell] ? 0 : share);
	}
}

/* ---- the legend ---- */

/* Of what is on screen, finite and not hidden: the map is symmetrical about 0. */
static void wanted_legend(const struct place *at, const struct shown *shown, double *low, double *high)
{
	const struct play *p = at->p;
	double first = NAN, largest = 0;
	bool differ = false;

	*low = 0;
	*high = 1;
	if (is_weight_stage(at->m))
		return;
	for (size_t i = p->state.top; i < at->m->n_q && i < p->state.top + p->layout.visible_rows; i++)
		for (size_t j = p->state.left; j < shown->columns && j < p->state.left + p->layout.visible_columns; j++) {
			double x = shown->v[i * shown->columns + j];
			if (!isfinite(x) || (shown->grid && at->m->hidden[i * shown->columns + j]))
				continue;
			first = isnan(first) ? x : first;
			differ |= fabs(x - first) > 1e-12 * fabs(x);
			largest = fmax(largest, fabs(x));
		}
	*low = differ ? -largest : isnan(first) ? 0 : first;
	*high = differ ? largest : *low;
}

/* <Esc> empties the sentence, so that the legend has its place. */
static void check_legend(struct place *at, struct play *p, const struct shown *shown)
{
	enum { STEPS = 8 };
	char text[ROW_TEXT], *word;
	double low, high;
	int decimals, end;

	if (p->layout.sentence < 0 || p->cells.columns < 40)
		return;
	play_keys(p, "<Esc>");
	wanted_legend(at, shown, &low, &high);
	play_row(p, p->layout.sentence, text);
	word = strrchr(text, ' ');
	assert_non_null(word);
	if (!is_rounded(word + 1, high, &decimals))
		complain(at, "upper end of the legend", word + 1, high);
	end = p->cells.columns - (int)strlen(word + 1) - STEPS - 2;
	play_text(p, p->layout.sentence, 0, end, text);
	word = strrchr(text, ' ');
	if (!is_rounded(word ? word + 1 : text, low, &decimals))
		complain(at, "lower end of the legend", word ? word + 1 : text, low);
}

/* ---- labels ---- */

/* A token that fits stands there as it is. */
static void check_row_label(const struct place *at)
{
	const struct play *p = at->p;
	const struct layout *l = &p->layout;
	int y = l->grid + (int)(at->i - p->state.top) * l->cell_height + l->cell_height / 2;
	char text[ROW_TEXT], scratch[32], word[64], mark[64];
	const char *label = state_row_label(&p->state, at->i, scratch);
	bool ascii = state_look(&p->state).ascii;

	play_text(p, y, 0, 2, text);
	next_word(text, mark);
	assert_int_equal(mark[0] == '>', at->i == p->state.row);
	play_text(p, y, 2, 2 + l->label_width, text);
	next_word(text, word);
	if (text_width(label, ascii) <= l->label_width && !label[strspn(label, "abcdefghijklmnopqrstuvwxyz0123456789<>")])
		assert_string_equal(word, label);
}

/* ---- cases ---- */

#define A42 "qkv: 1\nweights: [[1.25, 0, 1.25], [0.416667, 0.416667, 0.416667], [0, 0, 0], [0.33, 0.33, 0.33], [-0.25, .nan, 0.5]]\n"
#define A45 "qkv: 1\nweights: [[0.244728471, 0.090030573], [1, 0]]\n"
#define A47 "qkv: 1\nscores: [[-250.1, -424.2, -460.3, 378.4, -292.5], [1000, 1001, 0, 0, 0], [-1000, -1001, -2000, -2000, -2000], " \
	    "[710, 711, 0, 0, 0], [140.5, 139.5, 0, 0, 0]]\n"
#define A48 "qkv: 1\nscores: [[1, .inf, 3], [0, 0, 0], [1, .nan, 2], [1, -.inf, 2]]\n"
#define LARGE "qkv: 1\nscores: [[123456.789, -99999.5, 0.00001], [1e20, -3.5e-7, 12.3456], [-1234.5, 99.9995, 0.9996]]\n"
#define EQUAL "qkv: 1\nscores: [[7, 7, 7, 7], [7, 7, 7, 7], [7, 7, 7, 7], [7, 7, 7, 7]]\n"

#define X50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define LONG_TOKENS "qkv: 1\ntokens: [\"" X50 X50 X50 X50 "\", \"\\e[31m" X50 "\"]\nrandom: {n: 2, d-k: 3, seed: 5}\nset: {causal: on}\n"

/* What each input sets itself, written again. */
static const struct { const char *input, *settings; } baseline[] = {
	{ "two-tokens", "scale=sqrt" },
	{ "causal-3", "causal=on scale=none pad=2 pad-mask=off" },
	{ "korean-5", "causal=on scale=none" },
	{ "random-4", "causal=on" },
	{ "pad-4", "pad=2,3" },
	{ "left-pad-4", "causal=on pad=0,1" },
	{ "ones-8", "causal=on" },
};

struct reading {
	const char *input, *keys;
	const char *settings;		/* in force after the keys, beside the baseline */
	const char *size;		/* NULL: 80x24 */
	const char *edits;
	bool fresh;			/* the keys make another input: read it after them */
	size_t head;
};

static const struct reading readings[] = {
	{ "causal-3", "", "", NULL, NULL, false, 0 },
	{ "causal-3", "c", "causal=off", NULL, NULL, false, 0 },
	{ "causal-3", "c c", "", NULL, NULL, false, 0 },
	{ "causal-3", "s", "scale=sqrt", NULL, NULL, false, 0 },
	{ "causal-3", "P", "pad-mask=on", NULL, NULL, false, 0 },
	{ "causal-3", "c P jjl", "causal=off pad-mask=on", NULL, NULL, false, 0 },
	{ "causal-3", "c P s u u u", "", NULL, NULL, false, 0 },
	{ "causal-3", "c u <C-r>", "causal=off", NULL, NULL, false, 0 },
	{ "causal-3", "p", "pad=0,2 pad-mask=on", NULL, NULL, false, 0 },
	{ "causal-3", "f f f", "fill=0", NULL, NULL, false, 0 },
	{ "causal-3", "f 3 l", "fill=-1e9 stage=masked", NULL, NULL, false, 0 },
	{ "causal-3", "f f 3", "fill=min stage=masked", "120x40", NULL, false, 0 },
	{ "causal-3", "3", "stage=masked", NULL, NULL, false, 0 },
	{ "causal-3", ":mask-at after<Enter> jl", "mask-at=after", NULL, NULL, false, 0 },
	{ "causal-3", ":mask-at after<Enter> jl", "mask-at=after", "120x40", NULL, false, 0 },
	{ "causal-3", ":mask-at after-renorm<Enter>", "mask-at=after-renorm", NULL, NULL, false, 0 },
	{ "causal-3", ":causal-offset -1<Enter>", "causal-offset=-1", NULL, NULL, false, 0 },
	{ "causal-3", ":causal-offset 1<Enter>", "causal-offset=1", NULL, NULL, false, 0 },
	{ "causal-3", "x", "hide=0:0", NULL, NULL, false, 0 },
	{ "causal-3", ":keep 0:2,1:2<Enter> ll", "keep=0:2,1:2", NULL, NULL, false, 0 },
	{ "causal-3", ":mask-invert<Enter>", "mask-invert=on", NULL, NULL, false, 0 },
	{ "causal-3", ":fill-op add<Enter> :fill 1<Enter>", "fill-op=add fill=1", NULL, NULL, false, 0 },
	{ "causal-3", ":fill-op multiply<Enter> :fill 0<Enter> 3", "fill-op=multiply fill=0 stage=masked", NULL, NULL, false, 0 },
	{ "causal-3", "j + +", "", NULL, "s1:0=1.2", false, 0 },
	{ "causal-3", "jl <Enter> <C-u> <Type:-3.25> <Enter> 1", "stage=scores", NULL, "s1:1=-3.25", false, 0 },
	{ "causal-3", "0 l <Enter> <C-u> <Type:5> <Enter> 4", "", NULL, "q0:1=5", false, 0 },
	{ "causal-3", ". . .", "precision=6", "120x40", NULL, false, 0 },
	{ "causal-3", ", , ,", "precision=0", NULL, NULL, false, 0 },
	{ "causal-3", ", ,", "precision=1", NULL, NULL, false, 0 },
	{ "causal-3", "z", "", NULL, NULL, false, 0 },
	{ "causal-3", "m c", "causal=off color=never", NULL, NULL, false, 0 },
	{ "causal-3", ":ascii<Enter> m c s", "causal=off scale=sqrt color=never ascii=on", NULL, NULL, false, 0 },
	{ "causal-3", ":softmax column<Enter>", "softmax=column", NULL, NULL, false, 0 },
	{ "causal-3", "c :softmax column<Enter>", "causal=off softmax=column", "120x40", NULL, false, 0 },
	{ "causal-3", ":softmax-times 2<Enter>", "softmax-times=2", NULL, NULL, false, 0 },
	{ "causal-3", "<lt> <lt>", "temperature=0.64", NULL, NULL, false, 0 },
	{ "causal-3", ":scale 3.5<Enter> 2", "scale=3.5 stage=scaled", NULL, NULL, false, 0 },
	{ "causal-3", "jl", "", "48x18", NULL, false, 0 },
	{ "causal-3", "c jjll", "causal=off", "40x12", NULL, false, 0 },
	{ "causal-3", "j", "", "20x6", NULL, false, 0 },
	{ "causal-3", "c ll", "causal=off", "20x6", NULL, false, 0 },
	{ "causal-3", "1 jj", "stage=scores", "21x7", NULL, false, 0 },
	{ "causal-3", ". . . . c l", "precision=7 causal=off", "24x8", NULL, false, 0 },
	{ "causal-3", ". . . . . . . . . . . . . . l", "precision=17", "30x12", NULL, false, 0 },
	{ "causal-3", ". . . . . . . j", "precision=10", "40x12", NULL, false, 0 },
	{ "causal-3", "z j", "", "40x14", NULL, false, 0 },
	{ "two-tokens", "", "", NULL, NULL, false, 0 },
	{ "two-tokens", "1", "stage=scores", NULL, NULL, false, 0 },
	{ "two-tokens", "2", "stage=scaled", NULL, NULL, false, 0 },
	{ "two-tokens", "5 l", "stage=output", NULL, NULL, false, 0 },
	{ "two-tokens", "S S", "scale=dk", NULL, NULL, false, 0 },
	{ "korean-5", "G <End>", "", NULL, NULL, false, 0 },
	{ "korean-5", ":window 2<Enter>", "window=2", "120x40", NULL, false, 0 },
	{ "random-4", "", "", NULL, NULL, false, 0 },
	{ "random-4", "c 1", "causal=off stage=scores", NULL, NULL, false, 0 },
	{ "random-4", "5", "stage=output", NULL, NULL, false, 0 },
	{ "random-4", "0", "stage=input", "120x40", NULL, false, 0 },
	{ "random-4", "0 0 <End>", "stage=input", NULL, NULL, false, 0 },
	{ "random-4", "0 0 0 G", "stage=input", "48x18", NULL, false, 0 },
	{ "random-4", "R R", "seed=2", NULL, NULL, true, 0 },
	{ "random-4", ":n 9<Enter> G <End>", "n=9", NULL, NULL, true, 0 },
	{ "random-4", ":softcap 0.5<Enter> :alibi 0.25<Enter> 3", "softcap=0.5 alibi=0.25 stage=masked", NULL, NULL, false, 0 },
	{ "random-4", ":documents 1,1,2,0<Enter>", "documents=1,1,2,0", NULL, NULL, false, 0 },
	{ "random-4", ":prefix 2<Enter>", "prefix=2", NULL, NULL, false, 0 },
	{ "random-4", ":n 300<Enter> :scale dk<Enter> /t150<Enter>", "n=300 scale=dk", NULL, NULL, true, 0 },
	{ "random-4", ":tokens the cat sat on 나는<Enter>", "", NULL, NULL, true, 0 },
	{ LONG_TOKENS, "jl", "causal=on", NULL, NULL, false, 0 },
	{ LONG_TOKENS, "5 jl", "causal=on stage=output", "48x18", NULL, false, 0 },
	{ "pad-4", "", "", NULL, NULL, false, 0 },
	{ "pad-4", ":pad-axis query<Enter>", "pad-axis=query", NULL, NULL, false, 0 },
	{ "pad-4", ":pad-axis both<Enter> E", "pad-axis=both empty-row=zero", "120x40", NULL, false, 0 },
	{ "pad-4", "c :hide 3:0,3:1<Enter> E E G", "causal=on hide=3:0,3:1 empty-row=uniform", NULL, NULL, false, 0 },
	{ "left-pad-4", "", "", NULL, NULL, false, 0 },
	{ "left-pad-4", "E", "empty-row=zero", NULL, NULL, false, 0 },
	{ "left-pad-4", "f l", "fill=-1e9", NULL, NULL, false, 0 },
	{ "left-pad-4", ":softmax-kind naive<Enter> jj", "softmax-kind=naive", NULL, NULL, false, 0 },
	{ "saturation-16", "s", "scale=none", "200x60", NULL, false, 0 },
	{ "saturation-16", "s G <End>", "scale=none", NULL, NULL, false, 0 },
	{ "saturation-16", "S S", "scale=dk", "100x30", NULL, false, 0 },
	{ "shapes-10", "] ]", "head=2", NULL, NULL, false, 2 },
	{ "shapes-10", "] 5 <End>", "head=1 stage=output", "120x40", NULL, false, 1 },
	{ "cross-3x5", "c", "causal=on", NULL, NULL, false, 0 },
	{ "cross-3x5", "c :causal-align bottom-right<Enter> G <End>", "causal=on causal-align=bottom-right", "120x40", NULL, false, 0 },
	{ "ones-8", "z", "", "120x40", NULL, false, 0 },
	{ "ones-8", ":temperature 3<Enter> :window 3<Enter> G", "temperature=3 window=3", NULL, NULL, false, 0 },
	{ A42, "", "", NULL, NULL, false, 0 },
	{ A42, "G l", "", "120x40", NULL, false, 0 },
	{ A45, "j", "", NULL, NULL, false, 0 },
	{ A47, "G", "", NULL, NULL, false, 0 },
	{ A47, ":softmax-kind naive<Enter> j", "softmax-kind=naive", NULL, NULL, false, 0 },
	{ A48, "", "", NULL, NULL, false, 0 },
	{ A48, "1", "stage=scores", NULL, NULL, false, 0 },
	{ A48, ":pad 1<Enter>", "pad=1", NULL, NULL, false, 0 },
	{ LARGE, "1", "stage=scores", NULL, NULL, false, 0 },
	{ LARGE, "3 :pad 2<Enter> f", "stage=masked pad=2 fill=-1e9", NULL, NULL, false, 0 },
	{ EQUAL, "1", "stage=scores", NULL, NULL, false, 0 },
	{ EQUAL, "c", "causal=on", NULL, NULL, false, 0 },
};
enum { READINGS = sizeof readings / sizeof *readings };

static void wanted_options(struct options *o, const struct reading *r)
{
	struct error e = { 0 };

	assert_int_equal(options_init(o, &e), OK_STATUS);
	for (size_t k = 0; k < sizeof baseline / sizeof *baseline; k++)
		if (!strcmp(r->input, baseline[k].input))
			options_from(o, baseline[k].settings);
	options_from(o, r->settings);
}

static void read_everything(struct play *p, const struct model *m, const char *what)
{
	struct shown shown = shown_of(m, &p->state);
	struct place at = { p, m, what, 0, 0 };
	const struct layout *l = &p->layout;
	size_t rows, columns, seen = 0;

	state_shape(&p->state, &rows, &columns);
	assert_int_equal(columns, shown.columns);
	for (at.i = p->state.top; at.i < rows && at.i < p->state.top + l->visible_rows; at.i++) {
		for (at.j = p->state.left; at.j < columns && at.j < p->state.left + l->visible_columns; at.j++, seen++)
			check_cell(&at, &shown);
		check_row_label(&at);
		if (at.i < m->n_q)
			check_sums(&at);
	}
	assert_true(seen > 0);
	at.i = p->state.row;
	check_cell_line(&at, &shown);
	check_hand_line(at);
	check_legend(&at, p, &shown);
}

static void shows_what_was_computed(void **state)
{
	const struct reading *r = *state;
	struct model m = { 0 };
	struct play p;
	char what[200];
	int rows = 24, columns = 80;

	snprintf(what, sizeof what, "%.*s keys '%s'", (int)strcspn(r->input, "\n"), r->input, r->keys);
	play_open(&p, r->input, NULL);
	assert_true(!r->size || sscanf(r->size, "%dx%d", &columns, &rows) == 2);
	play_resize(&p, rows, columns);
	if (!r->fresh)
		model_input(&m, p.state.problem, r->head);
	play_keys(&p, r->keys);
	if (r->fresh)
		model_input(&m, p.state.problem, r->head);
	wanted_options(&m.o, r);
	model_compute(&m, r->edits);
	read_everything(&p, &m, what);
	model_free(&m);
	play_free(&p);
}

/* Every depth, theme and alphabet shows the same numbers. */
static void looks_show_the_same_numbers(void **state)
{
	static const char *const depths[] = { "never", "8", "16", "256", "truecolor" };
	static const struct reading r = { "causal-3", "jl c", "causal=off", NULL, NULL, false, 0 };
	char settings[80];

	(void)state;
	for (int k = 0; k < 20; k++) {
		struct model m = { 0 };
		struct play p;
		snprintf(settings, sizeof settings, "color=%s theme=%s ascii=%s", depths[k % 5], k / 5 % 2 ? "light" : "dark",
			 k / 10 ? "on" : "off");
		play_open(&p, r.input, settings);
		model_input(&m, p.state.problem, 0);
		play_keys(&p, r.keys);
		wanted_options(&m.o, &r);
		model_compute(&m, NULL);
		read_everything(&p, &m, settings);
		model_free(&m);
		play_free(&p);
	}
}

/* ---- the lessons' numbers, as they are printed there ---- */

static void check_grid_text(const char *input, const char *keys, const char *const *lines)
{
	struct play p;
	char row[ROW_TEXT];

	play_open(&p, input, NULL);
	play_keys(&p, keys);
	for (int i = 0; lines[i]; i++) {
		const char *rest = lines[i];
		char word[64];
		play_row(&p, p.layout.grid + i, row);
		for (const char *at = row; *(rest = next_word(rest, word)) || *word; at += strlen(word)) {
			at = strstr(at, word);
			if (!at)
				fail_msg("%s: '%s' is not in its order in '%s'", input, word, row);
		}
	}
	play_free(&p);
}

static void lessons_show_their_numbers(void **state)
{
	(void)state;
	check_grid_text("causal-3", "", (const char *const[]){
		"1.000 \u259a 0 \u259a 0 1.000 ok", "0.269 0.731 \u259a 0 1.000 ok", "0.659 0.242 0.099 1.000 ok", NULL });
	check_grid_text("causal-3", "c", (const char *const[]){
		"0.659 0.242 0.099 1.000", "0.242 0.659 0.099 1.000", "0.659 0.242 0.099 1.000", NULL });
	check_grid_text("causal-3", ":mask-at after<Enter>", (const char *const[]){
		"0.659 0.659 low", "0.242 0.659 0.901 low", "0.659 0.242 0.099 1.000 ok", NULL });
	check_grid_text("causal-3", "f f f", (const char *const[]){ "0.787 \u259a.107 \u259a.107 1.000", NULL });
	check_grid_text("two-tokens", "5 , ,", (const char *const[]){ "5.0 5.0", "2.7 7.3", NULL });
	check_grid_text("random-4", "", (const char *const[]){
		"1.000", "0.827 0.173", "0.340 0.413 0.247", "0.102 0.031 0.684 0.183", NULL });
	check_grid_text("left-pad-4", "", (const char *const[]){ "nan nan nan nan empty", "nan nan nan nan empty", "1.000", NULL });
	check_grid_text("left-pad-4", "E", (const char *const[]){ "0 0 0 0 0.000 empty", NULL });
}

/* A17: ten cells may attend, six are hidden, and the help says which mark is which. */
static void causal_of_four(void **state)
{
	struct play p;
	int hidden = 0;

	(void)state;
	play_open(&p, "random-4", NULL);
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 4; j++) {
			char mark[ROW_TEXT], text[ROW_TEXT];
			play_cell_text(&p, i, j, mark, text);
			bool is_hidden = !strncmp(text, "\u259a", 3);
			assert_int_equal(is_hidden, j > i);
			hidden += is_hidden;
		}
	assert_int_equal(hidden, 6);
	play_keys(&p, "?");
	assert_true(play_shows(&p, "hidden by a mask"));
	play_free(&p);
}

/* A43: 6000 equal weights in f16 are not plain zeros, and sum to 1 nearly. */
static void tiny_weights_are_no_zeros(void **state)
{
	struct buffer yaml = { 0 };
	struct play p;
	char mark[ROW_TEXT], text[ROW_TEXT];

	(void)state;
	buffer_text(&yaml, "qkv: 1\nscores: [[0");
	for (int j = 1; j < 6000; j++)
		buffer_text(&yaml, ", 0");
	buffer_text(&yaml, "]]\n");
	play_open(&p, yaml.data, NULL);
	for (size_t j = 0; j < 5; j++) {
		play_cell_text(&p, 0, j, mark, text);
		assert_string_equal(text, "~0");
	}
	assert_true(play_shows(&p, "1.000 ok"));
	play_free(&p);
	buffer_free(&yaml);
}

/* A30: a soft fill leaks, and what leaks is shown. */
static void soft_fills_leak_visibly(void **state)
{
	struct play p;
	char mark[ROW_TEXT], text[ROW_TEXT];

	(void)state;
	play_open(&p, "qkv: 1\nscores: [[0, 0, 12]]\nset: {pad: [2], fill: -10, fill-op: add}\n", NULL);
	play_cell_text(&p, 0, 2, mark, text);
	assert_string_equal(text, "\u259a.787");
	play_cell_text(&p, 0, 0, mark, text);
	assert_string_equal(text, "0.107");
	play_free(&p);
}

/* ---- colours ---- */

#define RAMP "qkv: 1\nweights: [[0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.35, 0.45], [0.5, 0.55, 0.6, 0.65, 0.75, 0.85, 0.95, 1]]\n"
#define SLOPE "qkv: 1\nscores: [[-4, -3.1, -2, -1.5, -1, -0.5, -0.1, -0.01], [0, 0.01, 0.2, 0.7, 1.3, 1.9, 3.5, 4]]\n"

/* How light or how inked the k-th of the sixteen cells is. */
static double strength(const struct play *p, size_t k)
{
	static const char *const shades[] = { " ", "\u2591", "\u2592", "\u2593", "\u2588" };
	const struct layout *l = &p->layout;
	int x = l->cells + (int)(k % 8) * l->cell_width, y = l->grid + (int)(k / 8);
	char glyph[ROW_TEXT];
	color text, ground;

	play_colors(p, cells_at(&p->cells, y, x), &text, &ground);
	if (state_look(&p->state).depth >= DEPTH_256)
		return relative_luminance(ground) * (state_look(&p->state).theme == THEME_DARK ? 1 : -1);
	play_text(p, y, x, x + 1, glyph);
	for (int n = 0; n < 5; n++)
		if (!strcmp(glyph, shades[n]))
			return n;
	fail_msg("'%s' is no shade", glyph);
	return 0;
}

static void check_ramps(const char *depth, const char *theme)
{
	struct play p;
	char settings[80];

	snprintf(settings, sizeof settings, "color=%s theme=%s precision=2", depth, theme);
	play_open(&p, RAMP, settings);
	play_resize(&p, 24, 120);
	/* The cursor's brackets stand in the first two cells, not in their first column. */
	play_keys(&p, "j l l l");
	for (size_t k = 1; k < 16; k++)
		if (k != 12)
			assert_true(strength(&p, k) >= strength(&p, k - (k == 13 ? 2 : 1)));
	assert_true(strength(&p, 15) > strength(&p, 0));
	play_free(&p);
	if (atoi(depth) < 256 && strcmp(depth, "truecolor"))
		return;
	/* Diverging: both ways from the middle. */
	play_open(&p, SLOPE, settings);
	play_resize(&p, 24, 120);
	play_keys(&p, "1 j l l l");
	for (size_t k = 1; k < 8; k++)
		assert_true(strength(&p, k - 1) >= strength(&p, k));
	for (size_t k = 9; k < 16; k++)
		assert_true(strength(&p, k) >= strength(&p, k - 1));
	assert_true(strength(&p, 0) > strength(&p, 7) && strength(&p, 15) > strength(&p, 8));
	play_free(&p);
}

static void colours_follow_the_values(void **state)
{
	static const char *const depths[] = { "never", "8", "16", "256", "truecolor" };

	(void)state;
	for (int k = 0; k < 10; k++)
		check_ramps(depths[k % 5], k / 5 ? "light" : "dark");
}

static bool has_ink(const struct cell *cell)
{
	return cell->width && cell->code[0] != ' ';
}

static void check_contrast(const struct play *p, const char *what)
{
	for (int y = 0; y < p->cells.rows; y++)
		for (int x = 0; x < p->cells.columns; x++) {
			color text, ground;
			const struct cell *cell = cells_at(&p->cells, y, x);
			play_colors(p, cell, &text, &ground);
			if (has_ink(cell) && contrast_ratio(text, ground) < 4.5)
				fail_msg("%s: contrast %.2f at row %d, column %d", what, contrast_ratio(text, ground), y, x);
			/* DIM darkens by an amount that nobody can tell. */
			if (has_ink(cell) && cell->style.attributes & DIM)
				fail_msg("%s: dim text at row %d, column %d", what, y, x);
		}
}

static void text_can_be_read(void **state)
{
	static const char *const inputs[] = { "causal-3", "saturation-16", "left-pad-4", A42, A48, LARGE };
	static const char *const keys[] = { "", "c", "P", "?", "o", ":set ma<Tab>", ":pad 9<Enter>", "3 jl", "1", "0", "z", "z z" };
	char settings[80], what[200];

	(void)state;
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			for (int look = 0; look < 4; look++) {
				struct play p;
				snprintf(settings, sizeof settings, "color=%s theme=%s", look & 1 ? "256" : "truecolor", look & 2 ? "light" : "dark");
				snprintf(what, sizeof what, "%.30s, keys '%s', %s", inputs[i], keys[k], settings);
				play_open(&p, inputs[i], settings);
				play_keys_flashing(&p, keys[k]);
				check_contrast(&p, what);
				play_free(&p);
			}
}

/* The numbers at the ends of the legend have the colours at its ends. */
static void legend_has_the_cells_colours(void **state)
{
	struct play p;
	color text, ground, end;

	(void)state;
	play_open(&p, RAMP, NULL);
	play_keys(&p, "<Esc>");
	const struct layout *l = &p.layout;
	const struct cell *last = cells_at(&p.cells, l->sentence, 80 - 4 - 2);
	play_colors(&p, last, &text, &end);
	play_colors(&p, cells_at(&p.cells, l->grid + 1, l->cells + (int)(15 % 8) * l->cell_width), &text, &ground);
	assert_true(l->visible_columns >= 8);
	assert_int_equal(end, ground);
	play_free(&p);
}

/* ---- the six looks without colour ---- */

/* One cell of a picture of scores or weights, as glyphs alone. */
static void look_text(const char *yaml, const char *keys, size_t j, const char *alphabet, const char *zoom, char out[ROW_TEXT])
{
	struct play p;
	char settings[80];

	snprintf(settings, sizeof settings, "color=never ascii=%s", alphabet);
	play_open(&p, yaml, settings);
	play_resize(&p, 24, 120);
	play_keys(&p, keys);
	play_keys(&p, zoom);
	play_keys(&p, "j");		/* the cursor's brackets are no part of a look */
	const struct layout *l = &p.layout;
	int x = l->cells + (int)j * l->cell_width;
	play_text(&p, l->grid + l->cell_height / 2, x, x + l->cell_width, out);
	play_free(&p);
}

static void six_looks_differ_without_colour(void **state)
{
	static const struct { const char *yaml, *keys; size_t j; } looks[] = {
		{ "qkv: 1\nscores: [[1, 2], [1, 2]]\nset: {pad: [1]}\n", "", 1 },		/* hidden */
		{ "qkv: 1\nweights: [[1, 0], [1, 0]]\n", "", 1 },				/* exactly zero */
		{ "qkv: 1\nweights: [[1, 1e-9], [1, 0]]\n", "", 1 },				/* tiny */
		{ "qkv: 1\nscores: [[1, .nan], [1, 1]]\n", "1", 1 },				/* nan */
		{ "qkv: 1\nscores: [[1, .inf], [1, 1]]\n", "1", 1 },				/* infinite */
		{ "qkv: 1\nweights: [[1, 1.25], [1, 0]]\n", "", 1 },				/* out of range */
		{ "qkv: 1\nweights: [[1, 0.5], [1, 0]]\n", "", 1 },				/* a number */
	};
	enum { LOOKS = sizeof looks / sizeof *looks };
	static const char *const zooms[] = { "", "z", "z z" };
	char text[LOOKS][ROW_TEXT];

	(void)state;
	for (int way = 0; way < 6; way++)
		for (int a = 0; a < LOOKS; a++) {
			look_text(looks[a].yaml, looks[a].keys, looks[a].j, way & 1 ? "on" : "off", zooms[way / 2], text[a]);
			for (int b = 0; b < a; b++)
				if (!strcmp(text[a], text[b]))
					fail_msg("looks %d and %d are both '%s' (way %d)", a, b, text[a], way);
		}
}

/* A cell that is hidden and what an equal visible one shows: never the same. */
static void edited_and_kept_are_marked(void **state)
{
	struct play p;
	char mark[ROW_TEXT], text[ROW_TEXT];

	(void)state;
	play_open(&p, "causal-3", "keep=0:2");
	play_keys(&p, "j + j");
	play_cell_text(&p, 1, 0, mark, text);
	assert_string_equal(mark, "*");
	play_cell_text(&p, 0, 2, mark, text);
	assert_string_equal(mark, "+");
	play_cell_text(&p, 0, 0, mark, text);
	assert_string_equal(mark, " ");
	play_free(&p);
}

int main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(looks_show_the_same_numbers),
		cmocka_unit_test(lessons_show_their_numbers),
		cmocka_unit_test(causal_of_four),
		cmocka_unit_test(tiny_weights_are_no_zeros),
		cmocka_unit_test(soft_fills_leak_visibly),
		cmocka_unit_test(colours_follow_the_values),
		cmocka_unit_test(text_can_be_read),
		cmocka_unit_test(legend_has_the_cells_colours),
		cmocka_unit_test(six_looks_differ_without_colour),
		cmocka_unit_test(edited_and_kept_are_marked),
	};
	enum { OTHERS = sizeof others / sizeof *others };
	static char names[READINGS][160];
	struct CMUnitTest tests[READINGS + OTHERS];

	for (size_t k = 0; k < READINGS; k++) {
		snprintf(names[k], sizeof names[k], "%s %.*s %.60s", readings[k].size ? readings[k].size : "80x24",
			 strchr(readings[k].input, '\n') ? 4 : 20, strchr(readings[k].input, '\n') ? "yaml" : readings[k].input,
			 readings[k].keys);
		tests[k] = (struct CMUnitTest){ names[k], shows_what_was_computed, NULL, NULL, (void *)&readings[k] };
	}
	memcpy(tests + READINGS, others, sizeof others);
	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("readback", tests, NULL, NULL);
}
