/* write_script_types.c - a NumPy script: functions that round as a narrow number type
 * does, and sums and products made of them. */
#include "tui/write_script.h"

#include <stdio.h>

#include "core/message.h"

const char *script_rounded(enum dtype t, const char *expression, char out[SCRIPT_EXPRESSION])
{
	if (t == DTYPE_F64)
		snprintf(out, SCRIPT_EXPRESSION, "%s", expression);
	else
		snprintf(out, SCRIPT_EXPRESSION, "%.8s(%.*s)", dtype_name(t), SCRIPT_EXPRESSION - 12, expression);
	return out;
}

static void define_type(struct script *s, enum dtype t)
{
	if (t == DTYPE_F64)
		return;
	script_line(s, _("every number is kept as a double and rounded after each operation"), "def %s(x):", dtype_name(t));
	if (t != DTYPE_BF16) {
		script_line(s, "", "    return np.%s(x).astype(float)", t == DTYPE_F32 ? "float32" : "float16");
	} else {
		script_line(s, "", "    bits = np.float32(x).view(np.uint32)");
		script_line(s, _("to the nearest, ties to even"), "    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000");
		script_line(s, "", "    return np.where(np.isnan(x), x, bits.view(np.float32).astype(float))");
	}
	buffer_text(s->out, "\n\n");
}

/* Matrix product and row sums as the row engine does them: NumPy would keep more
 * digits between the steps. */
static void define_arithmetic(struct script *s)
{
	const char *t = dtype_name(s->a->dtype);

	script_line(s, _("a @ b, with every product and every sum rounded"), "def dot(a, b):");
	script_line(s, "", "    a, b, total = %s(a), %s(b), np.zeros((len(a), b.shape[1]))", t, t);
	script_line(s, "", "    for c in range(len(b)):");
	script_line(s, "", "        total = %s(total + %s(a[:, c:c + 1] * b[c]))", t, t);
	script_line(s, "", "    return total\n\n");
}

bool script_over_columns(const struct script *s)
{
	return s->o->softmax == SOFTMAX_COLUMN;
}

/* In NumPy's order: eight sums side by side, then those in pairs. */
static void define_pairwise(struct script *s, bool short_too)
{
	const char *t = dtype_name(s->a->dtype);

	script_line(s, _("sums of rows in NumPy's order, every one rounded"), "def add(a):");
	script_line(s, "", "    n, total = a.shape[1], a[:, :8]");
	if (short_too)
		script_line(s, "", "    if n == 1:\n        return a");
	script_line(s, "", "    if n > 128:");
	script_line(s, "", "        half = n // 2 - n // 2 %% 8");
	script_line(s, "", "        return %s(add(a[:, :half]) + add(a[:, half:]))", t);
	script_line(s, "", "    for c in range(8, n - n %% 8, 8):");
	script_line(s, "", "        total = %s(total + a[:, c:c + 8])", t);
	script_line(s, "", "    for _ in range(3):");
	script_line(s, "", "        total = %s(total[:, 0::2] + total[:, 1::2])", t);
	script_line(s, "", "    for c in range(n - n %% 8, n):");
	script_line(s, "", "        total = %s(total + a[:, c:c + 1])", t);
	script_line(s, "", "    return total\n\n");
}

static void define_plain_sum(struct script *s)
{
	script_line(s, _("sums of rows, every one rounded"), "def add(a):");
	script_line(s, "", "    total = 0");
	script_line(s, "", "    for column in a.T:");
	script_line(s, "", "        total = %s(total + column)", dtype_name(s->a->dtype));
	script_line(s, "", "    return total[:, None]\n\n");
}

static void define_column_sum(struct script *s)
{
	script_line(s, _("sums of columns, every one rounded"), "def add_columns(a):");
	script_line(s, "", "    total = 0");
	script_line(s, "", "    for row in a:");
	script_line(s, "", "        total = %s(total + row)", dtype_name(s->a->dtype));
	script_line(s, "", "    return total\n\n");
}

static void define_sums(struct script *s)
{
	bool single = script_over_columns(s) && s->p->n_k == 1;	/* one column is contiguous to NumPy */

	if (s->sheet->stage < STAGE_WEIGHTS || s->p->source == SOURCE_WEIGHTS)
		return;
	if (script_over_columns(s) && !single)
		define_column_sum(s);
	if (script_over_columns(s) && !single && s->o->mask_at != MASK_AFTER_RENORM)
		return;
	if (s->p->n_k >= 8 || (single && s->p->n_q >= 8))
		define_pairwise(s, single);
	else
		define_plain_sum(s);
}

bool script_computes(const struct script *s)
{
	return s->sheet->stage != STAGE_INPUT && (s->p->source != SOURCE_WEIGHTS || s->sheet->stage >= STAGE_OUTPUT);
}

void script_types(struct script *s)
{
	const struct attention *a = s->a;
	bool scores = a->score_dtype != a->dtype && s->sheet->stage >= STAGE_SCALED && s->p->source != SOURCE_WEIGHTS;

	if (!script_computes(s))
		return;
	buffer_text(s->out, s->narrow || scores ? "\n\n" : "");
	define_type(s, a->dtype);
	if (scores)
		define_type(s, a->score_dtype);
	if (s->narrow && (problem_has_qk(s->p) || s->sheet->stage >= STAGE_OUTPUT))
		define_arithmetic(s);
	if (s->narrow)
		define_sums(s);
}
