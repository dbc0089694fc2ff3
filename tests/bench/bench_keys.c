/* bench_keys.c - what a key press costs: 50 rows, 200 columns of weights on screen. */
#include <stdio.h>
#include <stdlib.h>

#include "core/panels.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"
#include "tests/bench/rivals.h"

enum { SCREEN = 50, COLUMNS = 200, D = 64, TURNS = 31, SIZES = 5 };
static const size_t size[SIZES] = { 128, 1024, 8192, 32768, 131072 };

/* A head, its cache, and what is on screen of it. */
struct screen {
	struct fast_head head;
	struct panels *panels;
	float *cell;
	size_t from, column;
	uint64_t seed;
};

static void end(const struct error *e)
{
	fprintf(stderr, "bench: %s\n", e->text);
	exit(1);
}

static size_t below(struct screen *s, size_t n)
{
	s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(s->seed >> 33) % n;
}

static void fill(struct screen *s)
{
	while (panels_step(s->panels, NULL))
		;
}

static struct screen open_screen(size_t n, struct workers *workers)
{
	struct screen s = { .head = bench_head(n, D), .cell = take(SCREEN * COLUMNS * sizeof(float)), .seed = n };
	size_t inputs = 3 * n * D * sizeof(float);
	struct error e = { 0 };

	if (panels_begin(&s.panels, &s.head, SCREEN, inputs / 5 + (12 << 20), workers, &e))
		end(&e);
	s.from = (n - SCREEN) / 2;
	panels_show(s.panels, s.from, s.from + SCREEN, s.from);
	fill(&s);
	return s;
}

static void close_screen(struct screen *s)
{
	panels_free(s->panels);
	bench_head_free(&s->head);
	free(s->cell);
}

/* Everything a frame shows: the sums of its rows, and its cells. */
static void draw(struct screen *s)
{
	size_t n = s->head.k.rows, columns = n < COLUMNS ? n : COLUMNS;

	for (size_t i = s->from; i < s->from + SCREEN; i++)
		if (!panels_row(s->panels, i))
			exit(1);
	panels_window(s->panels, STAGE_WEIGHTS, s->from, s->from + SCREEN, s->column, s->column + columns, s->cell);
}

/* ---- keys ---- */

static void move(struct screen *s)
{
	panels_show(s->panels, s->from, s->from + SCREEN, s->from + below(s, SCREEN));
	draw(s);
}

static void scroll(struct screen *s)
{
	size_t n = s->head.k.rows;

	s->column = n > COLUMNS ? (s->column + COLUMNS / 4) % (n - COLUMNS) : 0;
	draw(s);
}

static void toggle(struct screen *s)
{
	s->head.causal = !s->head.causal;
	panels_change(s->panels, &s->head);
	draw(s);
}

static void rescale(struct screen *s)
{
	s->head.scale *= 1.001f;
	panels_change(s->panels, &s->head);
	for (size_t i = s->from; i < s->from + SCREEN; i++)
		while (!panels_row(s->panels, i))
			panels_step(s->panels, NULL);
	draw(s);
}

static void go_far(struct screen *s)
{
	size_t n = s->head.q.rows;

	s->from = n > 3 * SCREEN ? (s->from + n / 3 + below(s, n / 3)) % (n - SCREEN) : below(s, n - SCREEN);
	panels_show(s->panels, s->from, s->from + SCREEN, s->from + SCREEN / 2);
}

/* A jump until the cursor's rows can be shown. */
static void jump_first(struct screen *s)
{
	size_t n = s->head.k.rows, columns = n < COLUMNS ? n : COLUMNS, i;

	go_far(s);
	i = s->from + SCREEN / 2;
	while (!panels_row(s->panels, i))
		panels_step(s->panels, NULL);
	panels_window(s->panels, STAGE_WEIGHTS, i, i + 1, s->column, s->column + columns, s->cell);
}

static void jump(struct screen *s)
{
	go_far(s);
	for (size_t i = s->from; i < s->from + SCREEN; i++)
		while (!panels_row(s->panels, i))
			panels_step(s->panels, NULL);
	draw(s);
}

typedef void press(struct screen *s);
enum { KINDS = 6, CACHED = 3 };
static const struct { press *press; const char *key, *name; } kind[KINDS] = {
	{ move, "move", "cursor move" }, { scroll, "scroll", "scroll by a quarter of a screen" },
	{ toggle, "toggle", "causal mask on, off" }, { rescale, "scale", "scale (exponentials again)" },
	{ jump_first, "jump_first", "jump, until the cursor's rows are there" }, { jump, "jump", "jump, all rows" },
};

/* Sizes take turns, so that what disturbs the machine disturbs all of them. */
static void press_keys(struct screen s[SIZES], struct samples time[KINDS][SIZES])
{
	for (size_t k = 0; k < KINDS; k++)
		for (int turn = -2; turn < (k < CACHED ? TURNS : 11); turn++)
			for (size_t n = 0; n < SIZES; n++) {
				double start = now();
				kind[k].press(&s[n]);
				if (turn >= 0)
					samples_add(&time[k][n], now() - start);
				if (k >= CACHED && turn % 4 == 0)
					fill(&s[n]);
			}
}

static void report_keys(struct samples time[KINDS][SIZES])
{
	char key[60], text[100];

	for (size_t k = 0; k < KINDS; k++) {
		for (size_t n = 0; n < SIZES; n++) {
			snprintf(key, sizeof key, "key_%s_%zu", kind[k].key, size[n]);
			snprintf(text, sizeof text, "%s, n = %zu", kind[k].name, size[n]);
			report_time(key, text, &time[k][n]);
		}
		snprintf(key, sizeof key, "key_%s_growth", kind[k].key);
		if (k < CACHED)
			report_ratio(key, "  n = 131072 / n = 1024", &time[k][4], &time[k][1], 2);
	}
}

/* ---- against the machine ---- */

static void cold_row(struct screen *s)
{
	size_t n = s->head.k.rows;
	struct samples ours = { .n = 0 }, theirs = { .n = 0 };
	float *score = take((n + 16) * sizeof *score);
	struct fast_head head = s->head;
	struct fast_work w;
	struct fast_row row;
	struct error e = { 0 };

	if (fast_work_init(&w, &head, &e))
		end(&e);
	head.causal = false;
	for (int turn = -2; turn < TURNS; turn++) {
		double them = read_once(head.k.data, n * D), start = now();
		fast_cold_row(&head, &w, below(s, n), score, &row);
		start = now() - start;
		if (turn >= 0) {
			samples_add(&ours, start);
			samples_add(&theirs, them);
		}
	}
	report_time("cold_row", "a row that nothing is known of, n = 131072, one thread", &ours);
	report_ratio("cold_row_read", "  / reading K once", &ours, &theirs, 1.5);
	fast_work_free(&w);
	free(score);
}

static void jump_against_product(struct screen *s)
{
	size_t n = s->head.k.rows;
	float *square = take((size_t)64 * n * sizeof *square);
	struct samples ours = { .n = 0 }, theirs = { .n = 0 };

	blas_threads(1);
	s->head.causal = false;
	panels_change(s->panels, &s->head);
	for (int turn = -1; turn < 9; turn++) {
		double start = now(), us;
		jump(s);
		us = now() - start;
		start = now();
		blas_multiply(64, n, D, s->head.q.data, s->head.k.data, true, square);
		if (turn < 0)
			continue;
		samples_add(&theirs, now() - start);
		samples_add(&ours, us);
	}
	report_ratio("jump_blas", "jump without a mask / OpenBLAS 64 x 131072 x 64, one thread", &ours, &theirs, 0);
	free(square);
}

void bench_keys(struct workers *workers, bool blas)
{
	struct screen s[SIZES];
	static struct samples time[KINDS][SIZES];

	report_section("A key press: 50 rows x 200 columns, exact sums over all keys, d = 64",
		       "what core computes for the frame; drawing and terminal not included");
	for (size_t n = 0; n < SIZES; n++)
		s[n] = open_screen(size[n], workers);
	press_keys(s, time);
	report_keys(time);
	cold_row(&s[SIZES - 1]);
	for (size_t n = 0; n < SIZES; n++)
		close_screen(&s[n]);
	if (blas) {
		s[0] = open_screen(size[SIZES - 1], NULL);
		jump_against_product(&s[0]);
		close_screen(&s[0]);
	}
}
