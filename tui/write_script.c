/* write_script.c - the state as a NumPy script that prints the same table: the
 * lines that it needs, and no others. */
#include "tui/write_script.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"

/* ---- lines and numbers ---- */

static void put_indent(struct script *s)
{
	buffer_repeat(s->out, ' ', 4 * (size_t)s->depth);
}

void script_line(struct script *s, const char *comment, const char *format, ...)
{
	va_list arguments;

	put_indent(s);
	va_start(arguments, format);
	buffer_format_list(s->out, format, arguments);
	va_end(arguments);
	if (*comment)
		buffer_format(s->out, "  # %s", comment);
	buffer_text(s->out, "\n");
}

static const char *python_number(double x, char out[NUMBER_SIZE])
{
	if (isnan(x))
		return "np.nan";
	if (isinf(x))
		return x < 0 ? "-np.inf" : "np.inf";
	if (x == 0 && signbit(x))
		return "-0.0";		/* -0 is an integer to Python */
	number_plain(x, out);
	return out;
}

void script_number(struct script *s, double x)
{
	char text[NUMBER_SIZE];

	buffer_text(s->out, python_number(x, text));
	s->numbers++;
}

const char *script_seed(const char *digits)
{
	digits += strspn(digits, "0");
	return *digits ? digits : "0";
}

const char *script_name(enum array a, char out[16])
{
	snprintf(out, 16, "%s", array_name(a));
	for (char *p = out; *p; p++)
		if (*p == '-')
			*p = '_';
	return out;
}

void script_matrix(struct script *s, const char *name, const struct matrix *m, const char *comment)
{
	size_t head = strlen(name) + strlen(" = np.array(") + 1 + 4 * (size_t)s->depth;

	put_indent(s);
	buffer_format(s->out, "%s = np.array([", name);
	for (size_t k = 0; k < m->rows * m->columns && s->numbers <= SCRIPT_NUMBERS; k++) {
		if (k && k % m->columns == 0) {
			buffer_text(s->out, "],\n");
			buffer_repeat(s->out, ' ', head);
		}
		buffer_text(s->out, k % m->columns ? ", " : "[");
		script_number(s, matrix_at(m, k / m->columns, k % m->columns));
	}
	buffer_format(s->out, "]], float)%s%s\n", *comment ? "  # " : "", comment);
}

/* ---- stages; each leaves the name of its result in `now` ---- */

struct now { const char *name; };

static void product(struct script *s, const char *result, const char *a, const char *b, const char *comment)
{
	if (s->narrow)
		script_line(s, comment, "%s = dot(%s, %s)", result, a, b);
	else
		script_line(s, comment, "%s = %s @ %s", result, a, b);
}

static void overrides(struct script *s)
{
	char text[NUMBER_SIZE];

	for (size_t k = 0; k < s->p->edits.n && s->numbers <= SCRIPT_NUMBERS && problem_has_qk(s->p); k++) {
		const struct edit *e = &s->p->edits.v[k];
		if (e->array != ARRAY_SCORES || (!s->all_heads && e->head != s->a->head))
			continue;
		const char *value = python_number(dtype_round(e->value, s->a->dtype), text);
		s->numbers++;
		if (s->all_heads)
			script_line(s, _("changed by hand"), "if h == %zu: scores[%zu, %zu] = %s", e->head, e->row, e->column, value);
		else
			script_line(s, _("changed by hand"), "scores[%zu, %zu] = %s", e->row, e->column, value);
	}
}

static void scores(struct script *s, struct now *now)
{
	now->name = "scores";
	if (s->p->source == SOURCE_SCORES) {
		if (s->narrow)
			script_line(s, "", "scores = %s(scores)", dtype_name(s->a->dtype));
		return;
	}
	if (s->o->transpose)
		product(s, "scores", "q", "k.T", _("row: query, column: key"));
	else
		product(s, "scores", "q", "k", _("mistake: the transpose is forgotten"));
	overrides(s);
}

/* result = f(now op ...), rounded as scores are. */
static void change(struct script *s, struct now *now, const char *result, const char *expression, const char *comment)
{
	char text[SCRIPT_EXPRESSION];

	script_line(s, comment, "%s = %s", result, script_rounded(s->a->score_dtype, expression, text));
	now->name = result;
}

static const char *scale_comment(const struct script *s)
{
	switch (s->o->scale.word) {
	case SCALE_SQRT:
		return _("d_k, the length of a query");
	case SCALE_DMODEL:
		return "d_model";
	default:
		return "";
	}
}

static void scaled(struct script *s, struct now *now)
{
	const struct attention *a = s->a;
	char expression[SCRIPT_EXPRESSION], number[NUMBER_SIZE];
	bool root = s->o->scale.word == SCALE_SQRT || s->o->scale.word == SCALE_DMODEL;

	for (long t = 0; t < s->o->scale_times; t++) {
		if (a->divisor != 1 && root)
			snprintf(expression, sizeof expression, "%s / np.sqrt(%.0f)", now->name, rint(a->divisor * a->divisor));
		else if (a->divisor != 1)
			snprintf(expression, sizeof expression, "%s / %.0f", now->name, a->divisor);
		else if (a->factor != 1)
			snprintf(expression, sizeof expression, "%s * %.40s", now->name, python_number(a->factor, number));
		else
			break;
		change(s, now, "scaled", expression, t ? _("mistake: scaled twice") : scale_comment(s));
	}
	if (s->o->temperature.number != 1) {
		snprintf(expression, sizeof expression, "%s / %.40s", now->name, python_number(s->o->temperature.number, number));
		change(s, now, "scaled", expression, _("temperature"));
	} else if (!strcmp(now->name, "scores") && a->score_dtype != a->dtype) {
		change(s, now, "scaled", now->name, "");
	}
}

static void alibi(struct script *s, struct now *now)
{
	char expression[SCRIPT_EXPRESSION], number[NUMBER_SIZE];

	if (s->all_heads && s->o->alibi.word == ALIBI_AUTO) {
		put_indent(s);
		buffer_text(s->out, "slope = [");
		for (size_t h = 0; h < s->sheet->heads.heads; h++) {
			buffer_text(s->out, h ? ", " : "");
			script_number(s, s->sheet->heads.head[h].slope);
		}
		buffer_format(s->out, "][h]  # %s\n", _("each head has its own"));
		snprintf(expression, sizeof expression, "%s - slope * abs(i - j)", now->name);
	} else {
		snprintf(expression, sizeof expression, "%s - %.40s * abs(i - j)", now->name, python_number(s->a->slope, number));
	}
	change(s, now, "scaled", expression, _("ALiBi: less for keys that are far"));
}

/* What changes a score and hides nothing. */
static void biases(struct script *s, struct now *now)
{
	char expression[SCRIPT_EXPRESSION], number[NUMBER_SIZE];

	if (s->o->softcap.word < 0) {
		python_number(s->o->softcap.number, number);
		snprintf(expression, sizeof expression, "%.40s * np.tanh(%s / %.40s)", number, now->name, number);
		change(s, now, "scaled", expression, _("soft cap"));
	}
	if (s->o->alibi.word != ALIBI_OFF && (s->a->slope != 0 || s->all_heads))
		alibi(s, now);
	if (s->p->bias.v) {
		script_matrix(s, "bias", &s->p->bias, _("from a file; it hides nothing"));
		snprintf(expression, sizeof expression, "%s + bias", now->name);
		change(s, now, "scaled", expression, "");
	}
	if (s->p->mask.v && s->p->mask_additive) {
		snprintf(expression, sizeof expression, "np.where((mask <= -1e4) | (mask == 0), %s, %s + mask)", now->name, now->name);
		change(s, now, "scaled", expression, _("what of the mask does not hide is a bias"));
	}
}

static const char *fill_value(const struct script *s, char out[NUMBER_SIZE])
{
	static const char *const lowest[] = { [DTYPE_F64] = "np.finfo(float).min", [DTYPE_F32] = "float(np.finfo(np.float32).min)",
					      [DTYPE_F16] = "-65504" };

	if (s->o->fill.word == FILL_MIN && s->a->fill_dtype != DTYPE_BF16)
		return lowest[s->a->fill_dtype];
	return python_number(s->a->fill, out);
}

static void fill(struct script *s, struct now *now)
{
	const struct options *o = s->o;
	char number[NUMBER_SIZE], keep[NUMBER_SIZE], expression[SCRIPT_EXPRESSION];
	const char *value = fill_value(s, number);
	bool multiplies = o->fill_op == FILL_MULTIPLY;

	if (o->fill_op == FILL_REPLACE) {
		script_line(s, "", "masked = np.where(hidden, %.40s, %s)", value, now->name);
		now->name = "masked";
		return;
	}
	const char *visible = o->keep_value.word < 0 ? python_number(o->keep_value.number, keep) : multiplies ? "1" : "0";
	snprintf(expression, sizeof expression, "%s %c np.where(hidden, %.40s, %.40s)", now->name, multiplies ? '*' : '+', value, visible);
	change(s, now, "masked", expression, "");
}

static void masked(struct script *s, struct now *now)
{
	biases(s, now);
	if (s->o->mask_at == MASK_BEFORE && script_needs_hidden(s))
		fill(s, now);
}

/* result = softmax(x) along the axis. */
static void softmax(struct script *s, const char *x, const char *comment)
{
	enum dtype t = s->a->dtype;
	int axis = script_over_columns(s) ? 0 : 1;
	char maximum[96], inner[SCRIPT_EXPRESSION], e[SCRIPT_EXPRESSION], sum[SCRIPT_EXPRESSION], share[SCRIPT_EXPRESSION];

	snprintf(maximum, sizeof maximum, "%s - %s.max(axis=%d, keepdims=True)", x, x, axis);
	if (s->o->softmax_kind == SOFTMAX_STABLE)
		script_rounded(t, maximum, inner);
	else
		snprintf(inner, sizeof inner, "%s", x);
	snprintf(sum, sizeof sum, "np.exp(%.180s)", inner);
	script_line(s, *comment ? comment : axis ? "" : _("mistake: over columns"), "e = %s", script_rounded(t, sum, e));
	if (!s->narrow)
		snprintf(share, sizeof share, "e / e.sum(axis=%d, keepdims=True)", axis);
	else
		snprintf(share, sizeof share, axis ? "e / add(e)" : s->p->n_k > 1 ? "e / add_columns(e)" : "e / add(e.T)");
	script_line(s, "", "weights = %s", script_rounded(t, share, e));
}

/* A line too many does no harm. */
static bool any_empty(struct script *s)
{
	if (script_is_large(s))
		return script_needs_hidden(s);
	for (size_t i = 0; i < s->p->n_q; i++) {
		size_t visible = 0;
		mask_row(s->p, s->o, i, s->sheet->row.rules);
		for (size_t j = 0; j < s->p->n_k; j++)
			visible += !mask_hides(s->sheet->row.rules[j]);
		if (!visible)
			return true;
	}
	return false;
}

static void after_softmax(struct script *s)
{
	const struct options *o = s->o;
	char share[SCRIPT_EXPRESSION], number[NUMBER_SIZE];
	enum dtype t = s->a->dtype;

	if (o->mask_at != MASK_BEFORE && script_needs_hidden(s))
		script_line(s, _("mistake: masked after softmax"), "weights = weights * ~hidden");
	if (o->mask_at == MASK_AFTER_RENORM)
		script_line(s, _("and shared out again"), "weights = %s",
			    script_rounded(t, s->narrow ? "weights / add(weights)"
						 : "weights / weights.sum(axis=1, keepdims=True)", share));
	if (o->empty_row != EMPTY_LITERAL && any_empty(s)) {
		python_number(o->empty_row == EMPTY_ZERO ? 0 : dtype_round(1.0 / (double)s->p->n_k, t), number);
		script_line(s, _("rows without any visible key"), "weights[hidden.all(axis=1)] = %.40s", number);
	}
	if (o->dropout.number > 0) {
		python_number(o->dropout.number, number);
		script_line(s, _("dropout"), "kept = np.random.default_rng(%s).random((%zu, %zu)) >= %.40s",
			    script_seed(o->dropout_seed), s->p->n_q, s->p->n_k, number);
		char expression[SCRIPT_EXPRESSION];
		snprintf(expression, sizeof expression, "weights * np.where(kept, 1 / (1 - %.40s), 0)", number);
		script_line(s, "", "weights = %s", script_rounded(t, expression, share));
	}
}

static void weights(struct script *s, struct now *now)
{
	const char *comment = s->o->softmax_kind == SOFTMAX_STABLE && !script_over_columns(s) ? _("minus the maximum: the same shares, no overflow") : "";

	softmax(s, now->name, comment);
	if (s->o->softmax_times == 2)
		softmax(s, "weights", _("mistake: softmax of the softmax"));
	after_softmax(s);
	now->name = "weights";
}

static void output(struct script *s, struct now *now)
{
	product(s, "output", "weights", "v", "");
	if (s->o->empty_row == EMPTY_ZERO && s->p->source != SOURCE_WEIGHTS && any_empty(s))
		script_line(s, "", "output[hidden.all(axis=1)] = 0");
	now->name = "output";
}

/* From the scores of one head to the stage that is asked for. */
static void head(struct script *s, struct now *now)
{
	enum stage last = s->sheet->stage;

	now->name = "weights";
	if (s->p->source != SOURCE_WEIGHTS) {
		scores(s, now);
		if (last >= STAGE_SCALED)
			scaled(s, now);
		if (last >= STAGE_MASKED)
			masked(s, now);
		if (last >= STAGE_WEIGHTS)
			weights(s, now);
	}
	if (last >= STAGE_OUTPUT)
		output(s, now);
}

static void joined(struct script *s, struct now *now)
{
	script_line(s, "", "heads = []");
	script_line(s, "", "for h in range(%zu):", s->p->heads);
	s->depth++;
	script_head(s);
	head(s, now);
	script_line(s, "", "heads.append(output)");
	s->depth--;
	script_line(s, _("heads side by side"), "joined = np.concatenate(heads, axis=1)");
	script_last_input(s);
	if (s->p->array[ARRAY_W_O].n)
		product(s, "joined", "joined", "w_o", _("the same as one matrix product"));
	now->name = "joined";
}

/* ---- all of it ---- */

/* name[a:b, c:d], as little of it as is needed. */
static void put_printed(struct script *s, const char *name)
{
	const struct sheet *sheet = s->sheet;
	bool rows = sheet->rows.count != sheet->all_rows, columns = sheet->columns.count != sheet->all_columns;
	long precision = sheet->request->options->precision;

	buffer_text(s->out, precision < 0 ? "print(" : "print(np.round(");
	buffer_text(s->out, name);
	buffer_text(s->out, sheet->request->row_sums ? ".sum(axis=1)" : "");
	if (rows || columns)
		buffer_format(s->out, "[%zu:%zu", sheet->rows.first, sheet->rows.first + sheet->rows.count);
	if (columns)
		buffer_format(s->out, ", %zu:%zu", sheet->columns.first, sheet->columns.first + sheet->columns.count);
	buffer_text(s->out, rows || columns ? "]" : "");
	if (precision >= 0)
		buffer_format(s->out, ", %ld)", precision);
	buffer_text(s->out, ")\n");
}

static void put_script(struct script *s)
{
	struct now now = { "" };
	char name[16];

	script_heading(s);
	script_types(s);
	buffer_text(s->out, s->narrow ? "" : "\n");
	script_input(s);
	if (script_computes(s) && s->p->source != SOURCE_WEIGHTS && s->sheet->stage >= STAGE_MASKED)
		script_hidden(s);
	if (s->all_heads)
		joined(s, &now);
	else if (s->sheet->stage != STAGE_INPUT)
		head(s, &now);
	else
		now.name = script_name(s->sheet->array, name);
	put_printed(s, now.name);
}

enum status show_script(struct buffer *out, struct sheet *sheet, struct error *e)
{
	struct script s = {
		.out = out, .sheet = sheet, .a = &sheet->attention, .o = &sheet->attention.options,
		.p = sheet->request->problem, .all_heads = sheet->stage == STAGE_JOINED,
		.narrow = sheet->attention.dtype != DTYPE_F64,
	};
	enum status status = s.all_heads ? joined_init(&sheet->heads, s.a, sheet->request->tables, e) : OK_STATUS;

	if (status)
		return status;
	put_script(&s);
	if (s.numbers > SCRIPT_NUMBERS)
		return error_set(e, E_LIMIT, "the script would hold more than %d numbers; a smaller input is expected, or .npy and .csv, which hold any",
				 SCRIPT_NUMBERS);
	return OK_STATUS;
}
