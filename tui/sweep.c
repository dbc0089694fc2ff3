/* sweep.c - `qkv sweep`: the d_k experiment as text. */
#include "tui/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"
#include "core/number.h"
#include "tui/text.h"

const char *const sweep_format_words[] = { "table", "csv", "json", NULL };

/* ---- what is there ---- */

static bool has_sd(const struct sweep *s)
{
	return s->request.repeats > 1;
}

/* The place of a d_k in a list, or the list's length. */
static size_t find_size(const struct sweep_sizes *l, size_t d_k)
{
	size_t k = 0;

	while (k < l->count && l->v[k] != d_k)
		k++;
	return k;
}

/* ---- table ---- */

enum {
	D_K_WIDTH = 6, GAP = 2, PRECISION = 3, NUMBER_WIDTH = 10, STD_WIDTH = 18, NOTE_WIDTH = 19,
	CELLS = SWEEP_MEASURE_COUNT
};

struct table {
	struct buffer *out;
	const struct sweep *sweep;
	bool ascii;
};

/* One line of a table: the cells behind its d_k. */
struct line {
	char text[CELLS][NUMBER_SIZE];
	int width[CELLS];
	size_t count;
};

static void add_cell(struct line *l, const char *text, int width)
{
	snprintf(l->text[l->count], sizeof l->text[0], "%s", text);
	l->width[l->count++] = width;
}

static const char *unknown(const struct table *t)
{
	return t->ascii ? "..." : "…";
}

static void add_rounded(struct line *l, const struct table *t, double x, bool known, int width)
{
	double rounded = number_round(x, PRECISION);
	char text[NUMBER_SIZE];

	number_shortest(rounded, text);
	/* As on the screen, what only rounds to zero does not pass for it. */
	add_cell(l, !known ? unknown(t) : rounded == 0 && x != 0 ? "~0" : text, width);
}

static void put_line(const struct table *t, const char *d_k, const struct line *l)
{
	buffer_format(t->out, "%*s", D_K_WIDTH, d_k);
	buffer_repeat(t->out, ' ', GAP);
	for (size_t k = 0; k < l->count; k++) {
		int left = l->width[k] - text_width(l->text[k], t->ascii);
		buffer_text(t->out, l->text[k]);
		if (k + 1 < l->count)
			buffer_repeat(t->out, ' ', (size_t)(left > 0 ? left : 0) + GAP);
	}
	buffer_text(t->out, "\n");
}

static void put_size_line(const struct table *t, size_t d_k, const struct line *l)
{
	char text[32];

	snprintf(text, sizeof text, "%zu", d_k);
	put_line(t, text, l);
}

static const char *scale_head(const struct table *t, int scale)
{
	static const char *const head[][2] = {
		[SWEEP_NONE] = { N_("no scale"), N_("no scale") },
		[SWEEP_SQRT] = { "÷√d_k", "/sqrt(d_k)" },
		[SWEEP_DK] = { "÷d_k", "/d_k" },
	};

	return head[scale][t->ascii];
}

static const char *root(const struct table *t)
{
	return t->ascii ? "sqrt(d_k)" : "√d_k";
}

static const char *product(const struct table *t)
{
	return t->ascii ? "q.k" : "q·k";
}

typedef double statistic(const struct sweep *s, size_t item, int measure);

/* The six measures of every d_k, under a head that names the two groups. */
static void put_measures(const struct table *t, const char *largest, const char *entropy, statistic *value)
{
	const struct sweep *s = t->sweep;
	struct line groups = { .count = 0 }, heads = { .count = 0 };

	add_cell(&groups, largest, SWEEP_SCALE_COUNT * (NUMBER_WIDTH + GAP) - GAP);
	add_cell(&groups, entropy, 0);
	for (int m = 0; m < SWEEP_MEASURE_COUNT; m++)
		add_cell(&heads, scale_head(t, m % SWEEP_SCALE_COUNT), NUMBER_WIDTH);
	put_line(t, "", &groups);
	put_line(t, "d_k", &heads);
	for (size_t k = 0; k < s->request.d_k.count; k++) {
		struct line l = { .count = 0 };
		for (int m = 0; m < SWEEP_MEASURE_COUNT; m++)
			add_rounded(&l, t, value(s, k, m), sweep_repeats_done(s, k), NUMBER_WIDTH);
		put_size_line(t, s->request.d_k.v[k], &l);
	}
}

/* What a row would have that looks at all keys alike. */
static void put_even(const struct table *t)
{
	double n = (double)t->sweep->request.n;
	struct line l = { .count = 0 };

	for (int m = 0; m < SWEEP_MEASURE_COUNT; m++)
		add_rounded(&l, t, m < SWEEP_ENTROPY ? 1 / n : log2(n), true, NUMBER_WIDTH);
	put_line(t, _("even"), &l);
}

static void put_std(const struct table *t)
{
	const struct sweep *s = t->sweep;
	struct line head = { .count = 0 };
	char text[NUMBER_SIZE];

	buffer_format(t->out, _("\nspread of %s over %zu pairs\n"), product(t), s->request.pairs);
	add_cell(&head, "std", STD_WIDTH);
	add_cell(&head, root(t), 0);
	put_line(t, "d_k", &head);
	for (size_t k = 0; k < s->request.std_d_k.count; k++) {
		struct line l = { .count = 0 };
		number_shortest(s->std[k], text);
		add_cell(&l, k < sweep_std_done(s) ? text : unknown(t), STD_WIDTH);
		number_shortest(sqrt((double)s->request.std_d_k.v[k]), text);
		add_cell(&l, text, 0);
		put_size_line(t, s->request.std_d_k.v[k], &l);
	}
}

/* The largest weight of a d_k that may not be among those that were weighed. */
static void add_weight(struct line *l, const struct table *t, size_t d_k, int scale)
{
	const struct sweep *s = t->sweep;
	size_t item = find_size(&s->request.d_k, d_k);

	if (item == s->request.d_k.count)
		add_cell(l, "-", NOTE_WIDTH);
	else
		add_rounded(l, t, sweep_mean(s, item, SWEEP_LARGEST + scale), sweep_repeats_done(s, item), NOTE_WIDTH);
}

static void put_notebook(const struct table *t)
{
	const struct sweep *s = t->sweep;
	struct line head = { .count = 0 };
	char text[64];

	buffer_text(t->out, _("\nfor the notebook\n"));
	for (int scale = SWEEP_NONE; scale <= SWEEP_SQRT; scale++) {
		snprintf(text, sizeof text, _("largest, %s"), scale_head(t, scale));
		add_cell(&head, text, NOTE_WIDTH);
	}
	snprintf(text, sizeof text, _("std of %s"), product(t));
	add_cell(&head, text, NUMBER_WIDTH);
	add_cell(&head, root(t), 0);
	put_line(t, "d_k", &head);
	for (size_t k = 0; k < s->request.std_d_k.count; k++) {
		size_t d_k = s->request.std_d_k.v[k];
		struct line l = { .count = 0 };
		add_weight(&l, t, d_k, SWEEP_NONE);
		add_weight(&l, t, d_k, SWEEP_SQRT);
		add_rounded(&l, t, s->std[k], k < sweep_std_done(s), NUMBER_WIDTH);
		add_rounded(&l, t, sqrt((double)d_k), true, 0);
		put_size_line(t, d_k, &l);
	}
}

static void write_table(struct buffer *out, const struct sweep *s, bool ascii)
{
	const struct table t = { .out = out, .sweep = s, .ascii = ascii };
	const struct sweep_request *r = &s->request;

	buffer_format(out, "sweep  n %zu  seed %s  repeats %zu\n\n", r->n, r->seed, r->repeats);
	put_measures(&t, _("largest weight, mean over rows"), _("entropy of a row, bits"), sweep_mean);
	put_even(&t);
	if (has_sd(s)) {
		buffer_text(out, "\n");
		put_measures(&t, _("its sd over the repeats"), _("its sd over the repeats"), sweep_sd);
	}
	if (r->std_d_k.count) {
		put_std(&t);
		put_notebook(&t);
	}
	buffer_format(out, _("\nComplete it: without a scale, a larger d_k makes softmax ______,\n"
			   "since the variance of %s grows in proportion to ______.\n"), product(&t));
}

/* ---- csv, json ---- */

/* The names of columns and keys, in the order of the measures. */
static const char *const mean_names[SWEEP_MEASURE_COUNT] = {
	"none", "sqrt", "dk", "entropy_none", "entropy_sqrt", "entropy_dk",
};
static const char *const sd_names[SWEEP_MEASURE_COUNT] = {
	"sd_none", "sd_sqrt", "sd_dk", "sd_entropy_none", "sd_entropy_sqrt", "sd_entropy_dk",
};

static void put_number(struct buffer *out, double x)
{
	char text[NUMBER_SIZE];

	number_shortest(x, text);
	buffer_text(out, text);
}

static void csv_statistics(struct buffer *out, const struct sweep *s, size_t item, statistic *value)
{
	bool known = item < s->request.d_k.count && sweep_repeats_done(s, item);

	for (int m = 0; m < SWEEP_MEASURE_COUNT; m++) {
		buffer_text(out, ",");
		if (known)
			put_number(out, value(s, item, m));
	}
}

static void csv_row(struct buffer *out, const struct sweep *s, size_t d_k)
{
	size_t item = find_size(&s->request.d_k, d_k), std = find_size(&s->request.std_d_k, d_k);

	buffer_format(out, "%zu", d_k);
	csv_statistics(out, s, item, sweep_mean);
	if (has_sd(s))
		csv_statistics(out, s, item, sweep_sd);
	buffer_text(out, ",");
	if (std < sweep_std_done(s))
		put_number(out, s->std[std]);
	buffer_text(out, ",");
	put_number(out, sqrt((double)d_k));
	buffer_text(out, "\n");
}

/* One row a d_k, whichever list has it, with empty fields for what was not measured. */
static void write_csv(struct buffer *out, const struct sweep *s)
{
	const struct sweep_sizes *d_k = &s->request.d_k, *std = &s->request.std_d_k;

	buffer_text(out, "d_k");
	for (int m = 0; m < SWEEP_MEASURE_COUNT; m++)
		buffer_format(out, ",%s", mean_names[m]);
	for (int m = 0; m < SWEEP_MEASURE_COUNT && has_sd(s); m++)
		buffer_format(out, ",%s", sd_names[m]);
	buffer_text(out, ",std,sqrt_d_k\n");
	for (size_t k = 0; k < d_k->count; k++)
		csv_row(out, s, d_k->v[k]);
	for (size_t k = 0; k < std->count; k++)
		if (find_size(d_k, std->v[k]) == d_k->count)
			csv_row(out, s, std->v[k]);
}

static void json_key(struct buffer *out, const char *name, double x)
{
	buffer_format(out, ", \"%s\": ", name);
	put_number(out, x);
}

/* The next object of a list, as far as its d_k. */
static void json_begin(struct buffer *out, size_t d_k, bool first)
{
	buffer_format(out, "%s\n    {\"d_k\": %zu", first ? "" : ",", d_k);
}

static void json_row(struct buffer *out, const struct sweep *s, size_t item, bool first)
{
	json_begin(out, s->request.d_k.v[item], first);
	for (int m = 0; m < SWEEP_MEASURE_COUNT; m++)
		json_key(out, mean_names[m], sweep_mean(s, item, m));
	for (int m = 0; m < SWEEP_MEASURE_COUNT && has_sd(s); m++)
		json_key(out, sd_names[m], sweep_sd(s, item, m));
	buffer_text(out, "}");
}

static void write_json(struct buffer *out, const struct sweep *s)
{
	bool first = true;

	buffer_text(out, "{\n  \"rows\": [");
	for (size_t k = 0; k < s->request.d_k.count; k++)
		if (sweep_repeats_done(s, k)) {
			json_row(out, s, k, first);
			first = false;
		}
	buffer_format(out, "%s],\n  \"std\": [", first ? "" : "\n  ");
	for (size_t k = 0; k < sweep_std_done(s); k++) {
		json_begin(out, s->request.std_d_k.v[k], !k);
		json_key(out, "std", s->std[k]);
		json_key(out, "sqrt_d_k", sqrt((double)s->request.std_d_k.v[k]));
		buffer_text(out, "}");
	}
	buffer_text(out, sweep_std_done(s) ? "\n  ]\n}\n" : "]\n}\n");
}

void sweep_write(struct buffer *out, const struct sweep *s, enum sweep_format format, bool ascii)
{
	if (format == SWEEP_JSON)
		write_json(out, s);
	else if (format == SWEEP_CSV)
		write_csv(out, s);
	else
		write_table(out, s, ascii);
}

/* ---- progress ---- */

static void progress_words(const struct sweep *s, char *text, size_t size)
{
	const struct sweep_request *r = &s->request;

	if (s->phase == SWEEP_DONE)
		snprintf(text, size, _("done"));
	else if (s->phase >= SWEEP_SKIP_QUERIES)
		snprintf(text, size, _("std, d_k %zu"), r->std_d_k.v[s->item]);
	else if (r->repeats > 1)
		snprintf(text, size, _("d_k %zu, repeat %zu of %zu"), r->d_k.v[s->item], s->repeat + 1, r->repeats);
	else
		snprintf(text, size, "d_k %zu", r->d_k.v[s->item]);
}

void sweep_progress_bar(struct buffer *out, const struct sweep *s, int width)
{
	enum { WORDS = 33, PERCENT = 5, NARROWEST_BAR = 10, WIDEST_BAR = 40, FRAME = 2 };
	char words[64], line[FRAME + WIDEST_BAR + PERCENT + GAP + WORDS + 64];
	double progress = sweep_progress(s);
	int bar = width - FRAME - PERCENT - GAP - WORDS;

	bar = bar < NARROWEST_BAR ? NARROWEST_BAR : bar > WIDEST_BAR ? WIDEST_BAR : bar;
	progress_words(s, words, sizeof words);
	int full = (int)(progress * bar);
	/* Rounded down: 100% is not said before it is true. */
	int used = snprintf(line, sizeof line, "[%.*s%*s] %3d%%  %s", full,
			    "########################################", bar - full, "", (int)(progress * 100), words);
	if (width < 0)
		width = 0;
	buffer_put(out, line, (size_t)(used < width ? used : width));
	if (used < width)
		buffer_repeat(out, ' ', (size_t)(width - used));
}
