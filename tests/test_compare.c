/* test_compare.c - A, pinned, against B: hand values, what outlives a pin, and the picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/play.h"
#include "tui/compare.h"
#include "tui/frame.h"
#include "tui/session.h"

static double difference(struct play *p, size_t i, size_t j)
{
	return compare_difference(compare_values(&p->state, i)[j], state_values(&p->state, i)[j]);
}

static void near(double x, double wanted)
{
	if (!(fabs(x - wanted) < 5e-4))
		fail_msg("%.17g is not %.3f", x, wanted);
}

/* By hand, for causal-3: e^2 = 7.389, e^1 = 2.718, e^0.1 = 1.105, sum 11.21. Row 0
 * was (1, 0, 0) and is (.659, .242, .099); row 1 was (.269, .731, 0); row 2 stays. */
static void hand_values_of_the_causal_mask(void **state)
{
	static const double wanted[3][3] = { { -0.341, 0.242, 0.099 }, { 0.242 - 0.269, 0.659 - 0.731, 0.099 }, { 0, 0, 0 } };
	struct play p;
	char row[ROW_TEXT];

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "a c d d");
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			near(difference(&p, i, j), wanted[i][j]);
	play_row(&p, p.layout.grid, row);
	assert_non_null(strstr(row, "[-0.341]"));
	assert_non_null(strstr(row, "0.242"));
	assert_non_null(strstr(row, "0 ="));
	must_show(&p, "6 of 9 cells differ, most by -0.341 at 0:0; row sums equal");
	must_show(&p, "causal on -> off");
	must_show(&p, "B - A  4 weights");
	assert_int_equal(p.state.pinned.found.differ, 6);
	/* The other way round: the signs change. */
	play_keys(&p, "a c");
	near(difference(&p, 0, 0), 0.341);
	near(difference(&p, 1, 2), -0.099);
	play_free(&p);
}

/* Masked after softmax the rows lose what was hidden: .242 + .099, and .099. */
static void row_sums_differ(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "a :mask-at after<Enter> d d");
	must_show(&p, "sums by -0.341, row 0");
	must_show(&p, "!=");
	assert_int_equal(p.state.pinned.found.sums_differ, 2);
	near(p.state.pinned.found.largest_sum, -0.341);
	play_free(&p);
}

/* Sums that are 1 but for the last bits: quiet, no other sum, and nothing flashes. */
static void rounding_of_sums_is_no_difference(void **state)
{
	struct play p;
	char row[ROW_TEXT];

	(void)state;
	play_open(&p, "random-4", NULL);
	play_keys(&p, "a");
	play_keys_flashing(&p, "c");
	assert_true(p.state.flash.on);
	for (size_t i = 0; i < p.state.flash.rows; i++)
		assert_false(p.state.flash.sum_changed[i]);
	play_keys(&p, "d d");
	assert_true(p.state.pinned.found.sums_differ > 0);
	assert_int_equal(p.state.pinned.found.sums_apart, 0);
	must_lack(&p, "!=");
	must_show(&p, "; row sums equal but for rounding");
	play_row(&p, p.layout.grid, row);
	assert_non_null(strstr(row, "e-16"));
	play_free(&p);
}

/* Beside scores the sums are those of the weights: the header says so, in every language. */
static void sums_say_what_they_are_of(void **state)
{
	static const char *const stages[] = { "0", "1", "2", "3", "5" };
	struct play p;

	(void)state;
	for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
		play_open(&p, "causal-3", NULL);
		must_lack(&p, "\u03a3 weights");
		play_keys(&p, stages[k]);
		must_show(&p, "\u03a3 weights");
		must_show(&p, "max w");
		play_keys(&p, "a d");
		must_show(&p, "A \u03a3 w");
		must_show(&p, "B \u03a3 w");
		play_keys(&p, "d");
		must_show(&p, "\u0394 \u03a3 weights");
		play_free(&p);
		play_open(&p, "causal-3", "ascii=on");
		play_keys(&p, stages[k]);
		must_show(&p, "sum of weights");
		play_free(&p);
	}
}

static void the_same_state_is_equal_bit_for_bit(void **state)
{
	static const char *const stage[] = { "0", "1", "2", "3", "4", "5" };
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "a d");
	for (size_t k = 0; k < sizeof stage / sizeof *stage; k++) {
		play_keys(&p, stage[k]);
		must_show(&p, "A and B are equal bit for bit: all 9 cells, and the row sums");
		must_show(&p, "nothing was changed");
	}
	/* There and back, too; and a nan is equal to itself. */
	play_keys(&p, "4 c c");
	must_show(&p, "equal bit for bit");
	play_free(&p);
	play_open(&p, "all-pad-3", NULL);
	play_keys(&p, "a d");
	must_show(&p, "equal bit for bit");
	play_free(&p);
}

static void two_heads_differ(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "a ] d");
	must_show(&p, "head 0 -> 1");
	must_show(&p, "100 of 100 cells differ");
	for (size_t i = 0; i < 10; i++)
		for (size_t j = 0; j < 10; j++)
			assert_true(difference(&p, i, j) != 0);
	/* The heads side by side are the same, whichever is looked at. */
	play_keys(&p, "6");
	must_show(&p, "equal bit for bit");
	play_keys(&p, "5");
	must_show(&p, "640 of 640 cells differ");
	play_keys(&p, "4 [");
	must_show(&p, "equal bit for bit");
	play_free(&p);
}

static void two_scenarios_of_different_shapes(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "a :o random-4<Enter> d");
	must_show(&p, "causal-3 -> random-4");
	must_show(&p, "(3,3) -> (4,4): compared where both exist");
	play_keys(&p, "G <End>");
	must_show(&p, "only B has this cell");
	play_keys(&p, "d");
	assert_int_equal(p.state.pinned.found.cells, 9);
	must_show(&p, "B - A");
	play_keys(&p, "1 5 0 0 0 0 4 6");
	/* A larger than B, and one that has no scores. */
	play_keys(&p, "4 a :o two-tokens<Enter>");
	must_show(&p, "(4,4) -> (2,2)");
	play_free(&p);
	play_open(&p, "qkv: 1\nweights: [[0.5, 0.5], [0.25, 0.75]]\n", NULL);
	play_keys(&p, "a :o two-tokens<Enter> 1 d");
	must_show(&p, "A does not have this stage");
	must_show(&p, "no cell is in both");
	play_keys(&p, "d 4");
	assert_int_equal(p.state.pinned.found.cells, 4);
	play_free(&p);
}

static void what_is_hidden_on_both_sides_is_equal(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "3 a s d d");		/* -inf in both: not nan */
	for (size_t i = 0; i < 3; i++)
		for (size_t j = i + 1; j < 3; j++)
			assert_true(difference(&p, i, j) == 0);
	play_keys(&p, "c");			/* -inf, now a number */
	assert_true(isinf(difference(&p, 0, 1)));
	must_show(&p, "most by inf at 0:1");
	play_free(&p);
}

/* ---- pins ---- */

static void a_pins_and_unpins(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	must_lack(&p, "A pinned");
	play_keys(&p, "d");
	must_show(&p, "nothing is pinned yet");
	play_keys(&p, "a");
	must_show(&p, "A pinned");
	play_keys(&p, "3 . t");			/* shows the same otherwise: still that state */
	play_keys(&p, "a");
	assert_false(p.state.pinned.set);
	must_show(&p, "nothing is pinned any more");
	play_keys(&p, "4 a c a");		/* another state: pinned anew */
	assert_true(p.state.pinned.set);
	assert_false(p.state.pinned.snapshot.options.causal);
	play_keys(&p, "d d d");
	assert_int_equal(p.state.pinned.show, COMPARE_OFF);
	play_keys(&p, "d <Esc>");
	assert_int_equal(p.state.pinned.show, COMPARE_OFF);
	must_show(&p, "A pinned");
	play_free(&p);
}

static void undo_and_scenarios_leave_it(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "c a d c s u u u");	/* further back than the pin */
	assert_true(p.state.pinned.set);
	assert_false(p.state.pinned.snapshot.options.causal);
	assert_true(p.state.now.options.causal);
	near(difference(&p, 0, 0), 0.341);
	play_keys(&p, ":o random-4<Enter> :tokens a b<Enter> R r :o shapes-10<Enter> ] u u u u u u u u");
	near(compare_values(&p.state, 0)[0], 0.659);
	assert_int_equal(p.state.undo.n, 0);
	play_free(&p);
}

static void a_session_keeps_it(void **state)
{
	struct play p, again;
	struct buffer text = { 0 }, second = { 0 };
	struct error e = { 0 };

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "+ + c a :o random-4<Enter> d d");
	session_write(&p.state, NULL, &text);
	memset(&again, 0, sizeof again);
	assert_int_equal(random_tables_init(&again.tables, &e), OK_STATUS);
	assert_int_equal(session_read(&again.state, text.data, text.size, &again.tables, &frame_ports, &e), OK_STATUS);
	assert_true(again.state.pinned.set);
	assert_int_equal(again.state.pinned.show, COMPARE_DIFFERENCE);
	assert_true(snapshot_equal(&p.state.pinned.snapshot, &again.state.pinned.snapshot));
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			assert_true(difference(&p, i, j) == difference(&again, i, j));
	session_write(&again.state, NULL, &second);
	assert_int_equal(text.size, second.size);
	assert_memory_equal(text.data, second.data, text.size);
	buffer_free(&text);
	buffer_free(&second);
	state_free(&again.state);
	play_free(&p);
}

/* Its mask's file is gone: the session is resumed without A, and says so. */
static void a_pin_that_cannot_be_made_again_is_said(void **state)
{
	struct play p;
	struct state again;
	struct buffer text = { 0 };
	struct error e = { 0 };

	(void)state;
	play_open(&p, "causal-3", NULL);
	play_keys(&p, "a c");
	session_write(&p.state, NULL, &text);
	const char *at = strstr(text.data, "\npinned ");
	assert_non_null(at);
	at += strcspn(at + 1, "\n") + 1;
	struct buffer broken = { 0 };
	buffer_put(&broken, text.data, (size_t)(at - text.data));
	buffer_text(&broken, " mask=/no/such/file.npy");
	buffer_text(&broken, at);
	assert_int_equal(session_read(&again, broken.data, broken.size, &p.tables, &frame_ports, &e), OK_STATUS);
	assert_false(again.pinned.set);
	assert_non_null(strstr(again.sentence, "what was pinned as A is lost"));
	state_free(&again);
	buffer_free(&text);
	buffer_free(&broken);
	play_free(&p);
}

/* ---- the picture ---- */

static void whole_at_all_sizes(void **state)
{
	static const char *const keys[] = { "a c d", "a c d d", "a :o cross-3x5<Enter> d", "a :o shapes-10<Enter> d d", "a z d z", "a 5 d d 0 d 6 d" };
	static const char *const settings[] = { NULL, "ascii=on", "color=never", "color=8" };
	static const char *const inputs[] = { "causal-3", "shapes-10", "korean-5", "saturation-16" };

	(void)state;
	for (size_t n = 0; n < sizeof inputs / sizeof *inputs; n++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
			struct play p;
			play_open(&p, inputs[n], settings[(n + k) % 4]);
			play_keys(&p, keys[k]);
			play_sizes(&p, n);
			play_free(&p);
		}
}

static void only_ascii_where_asked(void **state)
{
	struct play p;

	(void)state;
	play_open(&p, "causal-3", "ascii=on");
	play_keys(&p, "a c");
	for (int n = 0; n < 2; n++) {
		play_keys(&p, "d");
		play_check_ascii(&p);
	}
	play_free(&p);
}

/* A click on either half chooses the cell that is drawn there. */
static void both_halves_can_be_clicked(void **state)
{
	struct compare_halves h;
	struct play p;
	size_t i, j;

	(void)state;
	play_open(&p, "shapes-10", NULL);
	play_keys(&p, "a ] d <End>");
	compare_halves(&p.layout, &p.state, &h);
	assert_true(h.left > 0);
	for (int half = 0; half < 2; half++)
		for (size_t k = 0; k < h.columns; k++) {
			assert_true(layout_hit(&p.layout, &p.state, p.layout.grid + 2, h.x[half] + (int)k * h.cell_width, &i, &j));
			assert_int_equal(i, 2);
			assert_int_equal(j, h.left + k);
		}
	assert_false(layout_hit(&p.layout, &p.state, p.layout.grid, h.bar, &i, &j));
	play_free(&p);
}

/* Whatever happens to the state while something is pinned (under AddressSanitizer). */
static void keys_at_any_moment(void **state)
{
	static const char *const keys[] = {
		"a", "d", "c", "s", "u", "<C-r>", "r", "R", "0", "1", "3", "4", "5", "6", "]", "v", "I", "b", "<Esc>", "o e", "o a", "j", "l", "G",
		"<End>", "x", "+", "M 1", "' 1", ":n 6<Enter>", ":tokens a b c<Enter>", ":o shapes-10<Enter>", ":o causal-3<Enter>", "z", "?", "T",
	};
	struct play p;

	(void)state;
	play_open(&p, "random-4", NULL);
	play_any_keys(&p, keys, sizeof keys / sizeof *keys, 500);
	play_free(&p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(hand_values_of_the_causal_mask), cmocka_unit_test(row_sums_differ),
		cmocka_unit_test(rounding_of_sums_is_no_difference),
		cmocka_unit_test(sums_say_what_they_are_of),
		cmocka_unit_test(the_same_state_is_equal_bit_for_bit), cmocka_unit_test(two_heads_differ),
		cmocka_unit_test(two_scenarios_of_different_shapes), cmocka_unit_test(what_is_hidden_on_both_sides_is_equal),
		cmocka_unit_test(a_pins_and_unpins), cmocka_unit_test(undo_and_scenarios_leave_it),
		cmocka_unit_test(a_session_keeps_it), cmocka_unit_test(a_pin_that_cannot_be_made_again_is_said),
		cmocka_unit_test(whole_at_all_sizes), cmocka_unit_test(only_ascii_where_asked),
		cmocka_unit_test(both_halves_can_be_clicked), cmocka_unit_test(keys_at_any_moment),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
