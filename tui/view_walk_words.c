/* view_walk_words.c - what is done in a step of a walk, in words, under the options in force.
 *
 * Each option that makes a sentence untrue has a sentence of its own: what is said
 * stands beside the numbers that it is said of.
 */
#include <math.h>

#include "core/message.h"
#include "tui/view_walk.h"

/* Beyond e^EXPONENT_MOST a blackboard subtracts the maximum too. */
enum { EXPONENT_MOST = 9 };

/* ---- e^x and shares ---- */

bool walk_in_columns(const struct board *b)
{
	return b->a->columns.sum != NULL;
}

/* Code that does not subtract gets what it gets. */
double walk_shift(const struct board *b, size_t j)
{
	double m = walk_in_columns(b) ? b->a->columns.maximum[j] : b->r->maximum;

	return isfinite(m) && fabs(m) > EXPONENT_MOST && b->a->options.softmax_kind == SOFTMAX_STABLE ? m : 0;
}

double walk_power(const struct board *b, size_t j)
{
	return exp(b->r->masked[j] - walk_shift(b, j));
}

double walk_divisor(const struct board *b, size_t j)
{
	double sum = 0;

	if (walk_in_columns(b)) {
		double put_back = b->a->options.softmax_kind == SOFTMAX_STABLE ? b->a->columns.maximum[j] - walk_shift(b, j) : 0;
		return b->a->columns.sum[j] * exp(put_back);
	}
	for (size_t k = 0; k < b->c->s->problem->n_k; k++)
		sum += walk_power(b, k);
	return sum;
}

/* ---- titles ---- */

const char *walk_title(const struct board *b)
{
	static const char *const title[WALK_STEPS] = {
		N_("compare: the row of Q with each row of K"), N_("scale"), N_("hide"), N_("share: e to each number"),
		N_("share: the sum"), N_("share: each divided by the sum"), N_("mix: the rows of V by their shares"),
		N_("all heads side by side"),
	};

	if (b->step == WALK_COMPARE && !problem_has_qk(b->c->s->problem))
		return _("compare");
	if (b->step == WALK_COMPARE && !b->a->options.transpose)
		return _("compare: the row of Q with each column of K");
	if (b->step == WALK_SUM && walk_in_columns(b))
		return _("share: the sum of each column");
	if (b->step == WALK_SHARE && b->c->s->problem->source == SOURCE_WEIGHTS)
		return _("share");
	if (b->step == WALK_SHARE && walk_in_columns(b))
		return _("share: each divided by its column's sum");
	return _(title[b->step]);
}

/* ---- scores ---- */

static void compare_words(const struct board *b, struct buffer *out)
{
	if (!problem_has_qk(b->c->s->problem))
		buffer_text(out, _("the scores are given"));
	else if (!b->a->options.transpose)
		buffer_text(out, _("K is not transposed: key j gets column j of K, not its row; multiplied, then added"));
	else
		buffer_text(out, _("column by column multiplied, then added: one score a key"));
}

static void scale_words(const struct board *b, struct buffer *out)
{
	const struct attention *a = b->a;
	char number[NUMBER_SIZE];
	bool off = a->divisor == 1 && a->factor == 1, hot = a->options.temperature.number != 1;

	view_short_number(a->divisor != 1 ? a->divisor : a->factor, 4, number);
	if (off)
		buffer_text(out, hot ? _("no scale") : _("no scale: the scores stay as they are"));
	else if (a->options.scale.word == SCALE_SQRT)
		buffer_format(out, _("each score is divided by sqrt(d_k) = sqrt(%zu) = %s"), b->c->s->problem->d_k, number);
	else if (a->divisor != 1)
		buffer_format(out, _("each score is divided by %s"), number);
	else
		buffer_format(out, _("each score is multiplied by %s"), number);
	if (!off && a->options.scale_times == 2)
		buffer_text(out, _(", twice"));
	if (hot) {
		view_short_number(a->options.temperature.number, 4, number);
		buffer_format(out, _(", then divided by the temperature %s"), number);
	}
}

/* ---- what changes a score, and the mask ---- */

/* "softcap, alibi": what each score goes through before the mask. */
static void name_changes(const struct board *b, struct buffer *out)
{
	const struct problem *p = b->c->s->problem;
	const char *name[4];
	size_t n = 0;
	bool added = false;

	for (size_t j = 0; j < p->n_k; j++)
		added |= mask_bias(p, b->r->index, j) != 0;
	if (b->a->options.softcap.word < 0)
		name[n++] = _("softcap");
	if (b->a->slope != 0)
		name[n++] = _("alibi");
	if (p->bias.v)
		name[n++] = _("bias");
	if (added)
		name[n++] = _("what the mask adds");
	for (size_t k = 0; k < n; k++)
		buffer_format(out, "%s%s", k ? ", " : "", name[k]);
}

static void fill_words(const struct board *b, struct buffer *out)
{
	const struct options *o = &b->a->options;
	char fill[NUMBER_SIZE];

	number_plain(b->a->fill, fill);
	if (o->mask_at != MASK_BEFORE)
		buffer_text(out, _("O may be seen, X not; here the mask comes after softmax, which is too late"));
	else if (o->fill_op == FILL_ADD)
		buffer_format(out, _("O may be seen, X not: there %s is added"), fill);
	else if (o->fill_op == FILL_MULTIPLY)
		buffer_format(out, _("O may be seen, X not: there the score is multiplied by %s"), fill);
	else if (b->a->fill == -INFINITY)
		buffer_text(out, _("O may be seen, X not: there -inf is put, since e^-inf = 0"));
	else
		buffer_format(out, _("O may be seen, X not: there the fill %s comes in"), fill);
}

static void hide_words(const struct board *b, struct buffer *out)
{
	struct buffer changes = { 0 };

	name_changes(b, &changes);
	if (changes.size)
		buffer_format(out, _("first %s; "), changes.data);
	buffer_free(&changes);
	fill_words(b, out);
}

/* ---- shares ---- */

static void exp_words(const struct board *b, struct buffer *out)
{
	char m[NUMBER_SIZE];

	if (walk_in_columns(b)) {
		buffer_text(out, _("e to each number; softmax runs down the columns here"));
	} else if (walk_shift(b, 0) != 0) {
		view_short_number(b->r->maximum, 4, m);
		buffer_format(out, _("the largest, %s, is subtracted first, or e^x had no place here; the shares are the same"), m);
	} else {
		buffer_text(out, _("e to each number: all become positive, the larger ones more so"));
	}
}

/* Why a row is no row of numbers. */
static const char *nan_words(const struct board *b)
{
	if (walk_in_columns(b))
		return _("a column that has no share to give makes nan of this row");
	if (!b->r->visible && b->a->options.mask_at == MASK_BEFORE)
		return _("no key is left, the sum is 0, and 0 / 0 is nan");
	return _("nan or inf among the numbers makes nan of the row");
}

/* What has become of the shares after they were divided. */
static void share_words(const struct board *b, struct buffer *out)
{
	const struct options *o = &b->a->options;
	char sum[NUMBER_SIZE];

	if (!b->r->visible && o->empty_row != EMPTY_LITERAL) {
		buffer_text(out, o->empty_row == EMPTY_ZERO ? _("no key is left: the option empty-row gives each 0")
			    : _("no key is left: the option empty-row gives each the same"));
		return;
	}
	if (isnan(b->r->sum)) {
		buffer_text(out, nan_words(b));
		return;
	}
	view_board_number(b->r->sum, sum);
	buffer_text(out, walk_in_columns(b) ? _("each part of its column's sum") : _("each part of the sum"));
	if (o->softmax_times == 2)
		buffer_text(out, _(", then softmax once more"));
	if (o->mask_at == MASK_AFTER)
		buffer_text(out, _(", then 0 where hidden, and not shared out again"));
	else if (o->mask_at == MASK_AFTER_RENORM)
		buffer_text(out, _(", then 0 where hidden, and what is left divided by its sum"));
	if (o->dropout.number > 0)
		buffer_text(out, _(", then dropout makes some 0 and the others larger"));
	buffer_format(out, b->r->verdict == VERDICT_OK ? _("; together they are 1") : _("; together they are %s, not 1"), sum);
}

static void mix_words(const struct board *b, struct buffer *out)
{
	if (!b->r->visible && b->a->options.empty_row == EMPTY_ZERO)
		buffer_text(out, _("no key is left: the option empty-row makes the output 0"));
	else
		buffer_text(out, b->c->s->problem->identity_v ? _("V is not given: the output is the weights")
			    : _("each row of V times its weight, added column by column"));
}

void walk_words(const struct board *b, struct buffer *out)
{
	switch (b->step) {
	case WALK_COMPARE: compare_words(b, out); break;
	case WALK_SCALE: scale_words(b, out); break;
	case WALK_HIDE: hide_words(b, out); break;
	case WALK_EXP: exp_words(b, out); break;
	case WALK_SUM:
		buffer_text(out, walk_in_columns(b) ? _("added up down each column, over all queries")
						    : _("added up: what the shares are shares of"));
		break;
	case WALK_SHARE:
		if (b->c->s->problem->source == SOURCE_WEIGHTS)
			buffer_text(out, _("the weights are given"));
		else
			share_words(b, out);
		break;
	case WALK_MIX: mix_words(b, out); break;
	default:
		buffer_format(out, _("the outputs of the %zu heads, one beside the other"), b->c->s->problem->heads);
		break;
	}
}

/* ---- shapes ---- */

static void product_shape(struct buffer *out, const char *name, size_t n, size_t inner, size_t m)
{
	buffer_format(out, "%s: (%zu,%zu) x (%zu,%zu) -> (%zu,%zu)", name, n, inner, inner, m, n, m);
}

static void compare_shapes(const struct board *b, struct buffer *out)
{
	const struct problem *p = b->c->s->problem;

	if (p->source == SOURCE_X) {
		product_shape(out, "X W_Q", p->n_q, p->d_model, p->d_k);
		buffer_text(out, ", ");
	}
	if (problem_has_qk(p))		/* without the transpose K has as many rows as columns */
		product_shape(out, b->a->options.transpose ? "Q K^T" : "Q K", p->n_q, p->d_k, p->n_k);
	else
		buffer_format(out, "(%zu,%zu)", p->n_q, p->n_k);
}

void walk_shapes(const struct board *b, struct buffer *out)
{
	const struct problem *p = b->c->s->problem;
	size_t joined = attention_joined_columns(b->a);

	switch (b->step) {
	case WALK_COMPARE:
		compare_shapes(b, out);
		break;
	case WALK_MIX:
		product_shape(out, _("weights V"), p->n_q, p->n_k, p->d_v);
		break;
	case WALK_JOIN:
		buffer_format(out, _("%zu x (%zu,%zu) -> (%zu,%zu)"), p->heads, p->n_q, p->d_v, p->n_q, p->heads * p->d_v);
		if (problem_array(p, ARRAY_W_O, 0)) {
			buffer_text(out, ", ");
			product_shape(out, "W_O", p->n_q, p->heads * p->d_v, joined);
		}
		break;
	default:
		buffer_format(out, "(%zu,%zu) -> (%zu,%zu)", p->n_q, p->n_k, p->n_q, p->n_k);
		break;
	}
}
