/* test_cells.c - the picture and its panes: clipping, cutting, wide cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <string.h>

#include "core/utf8.h"
#include "tui/cells.h"

static const struct style plain;
static const struct style red = { .foreground = COLOR_PALETTE(1), .attributes = BOLD };
static const struct style blue = { .background = COLOR_RGB(0, 0, 255) };

static struct cells make(int rows, int columns)
{
	struct cells c;
	struct error e = { 0 };

	assert_int_equal(cells_init(&c, rows, columns, &e), OK_STATUS);
	return c;
}

static struct pane whole(struct cells *c)
{
	return (struct pane){ .cells = c, .rows = c->rows, .columns = c->columns };
}

static bool same(struct style a, struct style b)
{
	return a.foreground == b.foreground && a.background == b.background &&
	       a.attributes == b.attributes;
}

/* Each wide cell has its right half beside it, and each half its cell. */
static void check_whole(const struct cells *c)
{
	for (int i = 0; i < c->rows; i++) {
		for (int j = 0; j < c->columns; j++) {
			const struct cell *cell = cells_at(c, i, j);

			if (cell->width == 0) {
				assert_true(j > 0 && cell[-1].width == 2);
				assert_true(same(cell->style, cell[-1].style));
				assert_int_equal(cell->count, 0);
				continue;
			}
			assert_in_range(cell->width, 1, 2);
			assert_in_range(cell->count, 1, CLUSTER_MAX);
			if (cell->width == 2)
				assert_true(j + 1 < c->columns && cell[1].width == 0);
		}
	}
}

/* A row as UTF-8, blanks included. */
static void check_row(const struct cells *c, int row, const char *want)
{
	char got[512];
	size_t n = 0;

	for (int j = 0; j < c->columns; j++) {
		const struct cell *cell = cells_at(c, row, j);

		for (int k = 0; k < cell->count; k++)
			n += utf8_encode(cell->code[k], got + n);
	}
	got[n] = '\0';
	assert_string_equal(got, want);
	check_whole(c);
}

static void starts_blank(void **state)
{
	struct cells c = make(2, 3);
	struct error e = { 0 };

	(void)state;
	check_row(&c, 0, "   ");
	assert_int_equal(c.cursor_row, -1);
	struct pane p = whole(&c);
	pane_text(&p, 1, 0, "abc", -1, red);
	c.cursor_row = 1;
	assert_int_equal(cells_reset(&c, 2, 3, &e), OK_STATUS);
	check_row(&c, 1, "   ");
	assert_true(same(cells_at(&c, 1, 0)->style, plain));
	assert_int_equal(c.cursor_row, -1);
	assert_int_equal(cells_reset(&c, 4, 5, &e), OK_STATUS);
	assert_int_equal(c.rows, 4);
	check_row(&c, 3, "     ");
	assert_int_equal(cells_reset(&c, 0, -3, &e), OK_STATUS);
	assert_int_equal(c.rows, 1);
	assert_int_equal(c.columns, 1);
	cells_free(&c);
	assert_null(c.cell);
	cells_free(&c);
}

static void too_large_a_picture(void **state)
{
	struct cells c = make(2, 3), before = c;
	struct error e = { 0 };

	(void)state;
	assert_int_equal(cells_reset(&c, INT_MAX, INT_MAX, &e), E_MEMORY);
	assert_int_equal(e.status, E_MEMORY);
	assert_memory_equal(&c, &before, sizeof c);
	assert_int_equal(cells_init(&c, INT_MAX, INT_MAX, &e), E_MEMORY);
	assert_memory_equal(&c, &before, sizeof c);
	cells_free(&c);
}

static void text_is_cut_with_a_mark(void **state)
{
	struct cells c = make(1, 8);
	struct pane p = whole(&c);
	struct error e = { 0 };

	(void)state;
	assert_int_equal(pane_text(&p, 0, 1, "abc", 5, red), 3);
	check_row(&c, 0, " abc    ");
	assert_true(same(cells_at(&c, 0, 1)->style, red));
	assert_true(same(cells_at(&c, 0, 4)->style, plain));
	assert_int_equal(pane_text(&p, 0, 1, "abcdef", 5, red), 5);
	check_row(&c, 0, " abcd\u2026  ");
	assert_int_equal(pane_text(&p, 0, 0, "abcdefgh", -1, red), 8);
	check_row(&c, 0, "abcdefgh");
	assert_int_equal(pane_text(&p, 0, 2, "abcdefgh", -1, red), 6);
	check_row(&c, 0, "ababcde\u2026");
	assert_int_equal(pane_text(&p, 0, 3, "xyz", 1, red), 1);
	assert_int_equal(pane_text(&p, 0, 4, "xyz", 0, red), 0);
	assert_int_equal(pane_text(&p, 0, 8, "xyz", -1, red), 0);
	check_row(&c, 0, "aba\u2026cde\u2026");
	/* a wide character does not fit beside the mark: one column less */
	cells_reset(&c, 1, 8, &e);
	assert_int_equal(pane_text(&p, 0, 0, "\ud55c\uae00\ub9d0", 4, red), 3);
	check_row(&c, 0, "\ud55c\u2026     ");
	assert_int_equal(pane_text(&p, 0, 0, "\ud55c\uae00\ub9d0", 5, red), 5);
	check_row(&c, 0, "\ud55c\uae00\u2026   ");
	assert_int_equal(pane_text(&p, 0, 0, "\ud55c", 1, red), 1);
	p.ascii = true;
	assert_int_equal(pane_text(&p, 0, 0, "\ud55c\uae00", 8, red), 8);
	check_row(&c, 0, "\\ud55c\\~");
	cells_free(&c);
}

static void fields_are_padded(void **state)
{
	struct cells c = make(1, 10);
	struct pane p = whole(&c);

	(void)state;
	pane_fill(&p, 0, 0, 1, 10, plain);
	assert_int_equal(pane_field(&p, 0, 1, "ab", 7, -1, blue), 7);
	check_row(&c, 0, " ab       ");
	assert_true(same(cells_at(&c, 0, 7)->style, blue));
	assert_true(same(cells_at(&c, 0, 8)->style, plain));
	pane_field(&p, 0, 1, "ab", 7, 1, blue);
	check_row(&c, 0, "      ab  ");
	pane_field(&p, 0, 1, "ab", 7, 0, blue);
	check_row(&c, 0, "   ab     ");
	pane_field(&p, 0, 1, "abcdefghij", 7, 1, blue);
	check_row(&c, 0, " abcdef\u2026  ");
	pane_field(&p, 0, 1, "\ud55c\uae00\ub9d0\uc785\ub2c8", 6, 1, blue);
	check_row(&c, 0, "  \ud55c\uae00\u2026\u2026  ");
	pane_field(&p, 0, 0, "", 10, 0, plain);
	check_row(&c, 0, "          ");
	/* a number is cut with a mark at the edge, never silently */
	assert_int_equal(pane_field(&p, 0, 7, "0.731", 6, 1, plain), 3);
	check_row(&c, 0, "       0.\u2026");
	assert_int_equal(pane_field(&p, 0, 0, "ab", -1, 1, plain), 0);
	cells_free(&c);
}

/* C01, C02: what is right of labels stands in one column. */
static void wide_labels_keep_columns(void **state)
{
	static const char *const labels[] = {
		"abcd\u3067", "abc\u3067", "abcdef",
		"\u5929\u5730\u7384\u9ec4\u5b87\u5b99\u6d2a\u8352\u65e5\u6708",
	};
	static const char *const rows[] = {
		"abcd\u3067|", "abc\u3067 |", "abcdef|", "\u5929\u5730\u2026 |",
	};
	struct cells c = make(1, 7);
	struct pane p = whole(&c);

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_int_equal(pane_field(&p, 0, 0, labels[i], 6, -1, plain), 6);
		pane_text(&p, 0, 6, "|", -1, plain);
		check_row(&c, 0, rows[i]);
	}
	cells_free(&c);
}

/* Every hostile label takes exactly six columns of six. */
static void hostile_labels(void **state)
{
	static const char *const labels[] = {
		"hello", "\ud55c\uad6d\uc5b4\ud1a0\ud070\ub77c\ubca8",
		"\u1112\u1161\u11ab\uae00", "e\u0301t\u00e9", "\U0001f600\U0001f600\U0001f600",
		"\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466x",
		"\U0001f1f0\U0001f1f7x", "\U0001f44d\U0001f3fdok", "\u2764\ufe0f", "\U0001fae8 new",
		"a\u200b" "b", "\ufeff" "bom", "\u202e" "rlo", "\u05e9\u05dc\u05d5\u05dd",
		"\u0928\u093f", "\n", "\t", "\x01\x1b[31m", "\xff\xfe",
		"\u65e5\u672c\u8a9e\u30c6\u30ad\u30b9\u30c8", "\uff76\uff80\uff76\uff85",
		"\u2026\u00b7\u03b1", "\u2581the", "\u0120the",
		"e\u0301\u0302\u0303\u0304\u0305\u0306", "", "abcdefghijkl",
	};
	struct cells c = make(1, 8);
	struct pane p = whole(&c);

	(void)state;
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		for (int ascii = 0; ascii < 2; ascii++) {
			int columns = 0;

			p.ascii = ascii;
			pane_fill(&p, 0, 0, 1, 8, plain);
			assert_int_equal(pane_field(&p, 0, 0, labels[i], 6, (int)(i % 3) - 1, red), 6);
			pane_text(&p, 0, 6, "|", -1, plain);
			check_whole(&c);
			for (int j = 0; j < 6; j++) {
				columns += cells_at(&c, 0, j)->width;
				assert_true(same(cells_at(&c, 0, j)->style, red));
			}
			assert_int_equal(columns, 6);
			assert_int_equal(cells_at(&c, 0, 6)->code[0], '|');
		}
	}
	cells_free(&c);
}

/* C06: right-to-left letters stay in order, one to a cell, and nothing is added. */
static void right_to_left_labels(void **state)
{
	struct cells c = make(1, 8);
	struct pane p = whole(&c);

	(void)state;
	pane_field(&p, 0, 0, "\u05d0\u05d1", 4, -1, plain);
	pane_text(&p, 0, 4, "0.1", -1, plain);
	check_row(&c, 0, "\u05d0\u05d1  0.1 ");
	pane_field(&p, 0, 0, "\u2068\u0645\u0631\u2069", 4, -1, plain);
	check_row(&c, 0, "\u0645\u0631  0.1 ");
	cells_free(&c);
}

/* C12: a label of 200 characters in ever fewer columns, and back. */
static void narrower_and_wider(void **state)
{
	struct cells c = make(1, 60);
	struct pane p = whole(&c);
	char label[201], before[201] = "";

	(void)state;
	memset(label, 'x', 200);
	label[200] = '\0';
	for (int step = 0; step <= 100; step++) {
		int width = step <= 50 ? 50 - step : step - 50;
		char row[256];

		pane_fill(&p, 0, 0, 1, 60, plain);
		assert_int_equal(pane_field(&p, 0, 0, label, width, -1, plain), width);
		memset(row, 'x', sizeof row);
		strcpy(row + (width ? width - 1 : 0), width ? "\u2026" : "");
		for (int j = width; j < 60; j++)
			strcat(row, " ");
		check_row(&c, 0, row);
		if (step == 0)
			memcpy(before, row, sizeof before);
		if (step == 100)
			assert_string_equal(row, before);
	}
	cells_free(&c);
}

static void panes_clip(void **state)
{
	struct cells c = make(4, 10);
	struct pane all = whole(&c), p = pane_part(&all, 1, 2, 2, 5);

	(void)state;
	assert_int_equal(p.row, 1);
	assert_int_equal(p.column, 2);
	pane_fill(&p, -1, -1, 99, 99, blue);
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 10; j++)
			assert_true(same(cells_at(&c, i, j)->style,
					 i >= 1 && i < 3 && j >= 2 && j < 7 ? blue : plain));
	pane_text(&p, 0, 0, "abcdefg", -1, plain);
	check_row(&c, 1, "  abcd\u2026   ");
	pane_text(&p, 1, -2, "abcdef", 5, plain);	/* its first two columns are outside */
	check_row(&c, 2, "  cd\u2026     ");
	pane_text(&p, -1, 0, "above", -1, plain);
	pane_text(&p, 2, 0, "below", -1, plain);
	check_row(&c, 0, "          ");
	check_row(&c, 3, "          ");
	/* a part of a part, and parts that stick out */
	struct pane q = pane_part(&p, 1, 3, 9, 9);
	assert_int_equal(q.row, 2);
	assert_int_equal(q.column, 5);
	assert_int_equal(q.rows, 1);
	assert_int_equal(q.columns, 2);
	q = pane_part(&p, -1, -1, 2, 3);
	assert_int_equal(q.row, 1);
	assert_int_equal(q.column, 2);
	assert_int_equal(q.rows, 1);
	assert_int_equal(q.columns, 2);
	q = pane_part(&p, 5, 5, 3, 3);
	assert_int_equal(q.rows, 0);
	assert_int_equal(q.columns, 0);
	q = pane_part(&p, INT_MIN, INT_MAX, INT_MAX, INT_MAX);
	assert_int_equal(pane_text(&q, 0, 0, "x", -1, plain), 0);
	pane_text(&p, INT_MAX, INT_MIN, "x", -1, plain);
	pane_fill(&p, INT_MIN, INT_MIN, INT_MAX, INT_MAX, plain);
	pane_style(&p, INT_MAX, INT_MIN, INT_MAX, plain);
	/* a pane that is larger than its picture */
	q = (struct pane){ .cells = &c, .row = 3, .column = 8, .rows = 9, .columns = 9 };
	pane_text(&q, 0, 0, "\ud55c\uae00", -1, plain);
	pane_text(&q, 1, 0, "x", -1, plain);
	check_row(&c, 3, "        \ud55c");
	cells_free(&c);
}

static void halves_of_wide_cells(void **state)
{
	struct cells c = make(1, 6);
	struct pane all = whole(&c), p = pane_part(&all, 0, 1, 1, 3);

	(void)state;
	pane_text(&all, 0, 0, "\ud55c\uae00\ub9d0", -1, plain);
	check_row(&c, 0, "\ud55c\uae00\ub9d0");
	pane_text(&all, 0, 2, "x", -1, plain);		/* over a left half */
	check_row(&c, 0, "\ud55cx \ub9d0");
	pane_text(&all, 0, 5, "y", -1, plain);		/* over a right half */
	check_row(&c, 0, "\ud55cx  y");
	pane_text(&all, 0, 1, "\ub9d0", -1, plain);	/* over both of two */
	check_row(&c, 0, " \ub9d0  y");
	pane_text(&all, 0, 0, "\ud55c\uae00\ub9d0", -1, plain);
	pane_text(&all, 0, 1, "\ub098\ub77c", -1, plain);
	check_row(&c, 0, " \ub098\ub77c ");
	/* from outside of the pane, and half outside of it */
	pane_text(&all, 0, 0, "\ud55c\uae00\ub9d0", -1, red);
	pane_fill(&p, 0, 0, 1, 3, blue);
	check_row(&c, 0, "    \ub9d0");
	assert_true(same(cells_at(&c, 0, 0)->style, red));
	pane_text(&p, 0, -1, "\ud55c", -1, blue);
	check_row(&c, 0, "    \ub9d0");
	assert_true(same(cells_at(&c, 0, 1)->style, blue));
	/* a mark of its own style lands where a wide character began */
	pane_text(&all, 0, 0, "\ud55c\uae00\ub9d0", -1, plain);
	pane_text(&all, 0, 0, "abcdefg", 3, plain);
	check_row(&c, 0, "ab\u2026 \ub9d0");
	cells_free(&c);
}

static void styles_follow_wide_cells(void **state)
{
	struct cells c = make(1, 6);
	struct pane p = whole(&c);

	(void)state;
	pane_text(&p, 0, 0, "a\ud55c\uae00b", -1, plain);
	pane_style(&p, 0, 0, 2, red);
	check_row(&c, 0, "a\ud55c\uae00b");
	assert_true(same(cells_at(&c, 0, 2)->style, red));
	assert_true(same(cells_at(&c, 0, 3)->style, plain));
	pane_style(&p, 0, 4, 9, blue);			/* begins at a right half */
	check_whole(&c);
	assert_true(same(cells_at(&c, 0, 4)->style, plain));
	assert_true(same(cells_at(&c, 0, 5)->style, blue));
	pane_style(&p, 1, 0, 6, blue);
	cells_free(&c);
}

static void anything_keeps_the_picture_whole(void **state)
{
	static const char *const texts[] = {
		"a", "\ud55c", "ab\ud55c\uae00", "\U0001f600\U0001f600x", "e\u0301\u0302", "\xff", "",
	};
	struct cells c = make(3, 9);
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		int r[6];
		struct pane all = whole(&c);

		for (int i = 0; i < 6; i++) {
			seed = seed * 1103515245u + 12345u;
			r[i] = (int)(seed >> 16 & 0x7fff);
		}
		struct pane p = pane_part(&all, r[0] % 5 - 1, r[1] % 11 - 1, r[2] % 4, r[3] % 10);
		int row = r[4] % 5 - 1, column = r[5] % 13 - 3, width = r[0] / 8 % 12 - 1;
		const char *text = texts[r[1] / 16 % 7];
		struct style style = r[2] & 64 ? red : blue;

		p.ascii = r[3] / 32 % 8 == 0;
		switch (r[2] / 128 % 4) {
		case 0: pane_text(&p, row, column, text, width, style); break;
		case 1: pane_field(&p, row, column, text, width, r[4] / 64 % 3 - 1, style); break;
		case 2: pane_style(&p, row, column, width, style); break;
		default: pane_fill(&p, row, column, r[4] / 64 % 3, width / 4, style); break;
		}
		check_whole(&c);
	}
	cells_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_blank),
		cmocka_unit_test(too_large_a_picture),
		cmocka_unit_test(text_is_cut_with_a_mark),
		cmocka_unit_test(fields_are_padded),
		cmocka_unit_test(wide_labels_keep_columns),
		cmocka_unit_test(hostile_labels),
		cmocka_unit_test(right_to_left_labels),
		cmocka_unit_test(narrower_and_wider),
		cmocka_unit_test(panes_clip),
		cmocka_unit_test(halves_of_wide_cells),
		cmocka_unit_test(styles_follow_wide_cells),
		cmocka_unit_test(anything_keeps_the_picture_whole),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
