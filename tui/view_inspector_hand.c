/* view_inspector_hand.c - the arithmetic of a cell as on a blackboard, beside that of the program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/text.h"
#include "tui/view_inspector.h"

/* Where the blackboard stands after step k: before softmax the number itself, then e^x, then a share. */
struct hand {
	double x, sum;
};

static double hand_sum(const struct sheet *t, const struct explain_step *step)
{
	const struct state *s = t->c->s;
	double sum = 0;

	if (step->kind == EXPLAIN_DIVIDE_COLUMN || step->again) {
		/* Of these there is no row to add up: the program's sum, what was subtracted put back. */
		for (const struct explain_step *k = step; k > t->x->steps; k--)
			if (k->kind == EXPLAIN_MINUS_MAXIMUM || k->kind == EXPLAIN_MINUS_COLUMN_MAXIMUM)
				return step->operand * exp(k->operand);
		return step->operand;
	}
	for (size_t j = 0; j < s->problem->n_k; j++)
		sum += exp(t->r->masked[j]);
	return sum;
}

static struct hand by_hand(const struct sheet *t, size_t k)
{
	struct hand h = { 0 };

	for (size_t n = 0; n <= k; n++) {
		const struct explain_step *step = &t->x->steps[n];
		switch (step->kind) {
		case EXPLAIN_MINUS_MAXIMUM:
		case EXPLAIN_MINUS_COLUMN_MAXIMUM:
			break;
		case EXPLAIN_EXP:
			h.x = exp(h.x);
			break;
		case EXPLAIN_DIVIDE:
		case EXPLAIN_DIVIDE_COLUMN:
			h.sum = hand_sum(t, step);
			h.x /= h.sum;
			break;
		case EXPLAIN_MASK_AFTER:
		case EXPLAIN_RENORMALISE:
		case EXPLAIN_DROPOUT:
			h.x = explain_info(step->kind)->sign == '/' ? h.x / step->operand : h.x * step->operand;
			break;
		default:
			h.x = step->value;
			break;
		}
	}
	return h;
}

/* e^800 has no place on a blackboard: that is why the maximum is subtracted. */
static bool is_too_large(enum explain_kind k, const struct hand *was, const struct hand *now)
{
	return k >= EXPLAIN_EXP && (isinf(now->x) || isinf(now->sum) || (k > EXPLAIN_EXP && isinf(was->x)));
}

void inspector_hand_step(const struct sheet *t, size_t k, struct buffer *out)
{
	const struct explain_step *step = &t->x->steps[k];
	struct hand was = k ? by_hand(t, k - 1) : (struct hand){ 0 }, now = by_hand(t, k);
	char a[NUMBER_SIZE], b[NUMBER_SIZE], v[NUMBER_SIZE], sign = explain_info(step->kind)->sign;

	view_board_number(was.x, a);
	view_board_number(step->kind == EXPLAIN_DIVIDE || step->kind == EXPLAIN_DIVIDE_COLUMN ? now.sum : step->operand, b);
	view_board_number(now.x, v);
	if (sign == 'e')		/* the exponent is the number that stands above */
		view_short_number(was.x, 4, a);
	if (step->kind == EXPLAIN_MINUS_MAXIMUM || step->kind == EXPLAIN_MINUS_COLUMN_MAXIMUM)
		buffer_text(out, _("nothing is subtracted"));
	else if (is_too_large(step->kind, &was, &now))
		buffer_text(out, _("too large for a blackboard"));
	else if (sign == 'e')
		buffer_format(out, "e^%s %s %s", a, view_board_equals(now.x, t->c->look.ascii), v);
	else if (sign == '/' || sign == '*')
		buffer_format(out, "%s %s %s = %s", a, sign == '/' ? "/" : "x", b, v);
	else if (step->kind != EXPLAIN_VISIBLE)
		buffer_text(out, v);
}

static void hand_terms(const struct sheet *t, int room, struct buffer *out)
{
	size_t n = t->c->s->problem->n_k;
	double *v = calloc(n + 1, sizeof *v), sum = 0;

	for (size_t j = 0; v && j < n; j++)
		sum += v[j] = exp(t->r->masked[j]);
	if (v && isfinite(sum))
		view_board_sum(v, n, sum, room, t->c->look.ascii, true, out);
	free(v);
}

/* An output as the board gives it, with the digits behind it: "2.7 + 0 = 2.7 (true: 2.6894)". */
static void hand_mix(const struct sheet *t, const double *v, int room, struct buffer *out)
{
	char board[NUMBER_SIZE], whole[NUMBER_SIZE];
	struct buffer behind = { 0 };
	double sum = 0;

	for (size_t k = 0; k < t->products; k++)
		sum += v[k];
	view_board_number(sum, board);
	view_short_number(inspector_before(t->x, t->products), 4, whole);
	if (strcmp(board, whole))
		buffer_format(&behind, _(" (true: %s)"), whole);
	view_board_sum(v, t->products, sum, room - text_width(behind.data ? behind.data : "", t->c->look.ascii), t->c->look.ascii,
		       false, out);
	buffer_text(out, behind.data ? behind.data : "");
	buffer_free(&behind);
}

/* What the rounded factors give, as they stand on the board; of a score when that is another number. */
static void hand_total(const struct sheet *t, int room, struct buffer *out)
{
	double *v = calloc(t->products + 1, sizeof *v);

	for (size_t k = 0; v && k < t->products; k++) {
		const struct explain_step *step = &t->x->steps[k];
		v[k] = view_board_value(step->left) * view_board_value(step->right);
	}
	if (v && t->x->steps[0].kind == EXPLAIN_MIX)
		hand_mix(t, v, room, out);
	else if (v)
		view_board_sum(v, t->products, inspector_before(t->x, t->products), room, t->c->look.ascii, true, out);
	free(v);
}

void inspector_hand(const struct sheet *t, const struct line *line, int room, struct buffer *out)
{
	char v[NUMBER_SIZE];
	double x;

	switch (line->kind) {
	case LINE_STEP:
		inspector_hand_step(t, line->step, out);
		break;
	case LINE_TERMS:
		hand_terms(t, room, out);
		break;
	case LINE_TOTAL:
		hand_total(t, room, out);
		break;
	case LINE_CELL:
		x = by_hand(t, t->x->n - 1).x;
		view_board_number(x, v);
		/* Where the board has come to 0 / 0, and the program has not, that stands above. */
		if (isfinite(x) || !isfinite(explain_value(t->x)))
			buffer_text(out, v);
		break;
	default:
		break;
	}
}
