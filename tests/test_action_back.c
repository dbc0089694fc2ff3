/* test_action_back.c - undo, redo, reset and bookmarks. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tests/player_check.h"

/* Each is one change. */
static const char *const changes[] = {
	"c", "P", "s", "S", "p", "<Home> x", "f", "E", "+", "-", "<lt>", "<gt>", ",", ".", "t", "m", "5", "<Tab>", "<S-Tab>", "0", "0",
	"<Enter> <C-u> 4 <Enter>", "j + <Del>", ": s c a l e <Space> 0 . 3 <Enter>", ": h i d e <Space> 2 : 0 <Enter>",
	": o <Space> r a n d o m - 4 <Enter>", "R", ": n <Space> 6 <Enter>", ": t o k e n s <Space> a <Space> b <Enter>",
	": s e e d <Space> 7 <Enter>", "r", "' 1", ": o <Space> s h a p e s - 1 0 <Enter>", "]", "]", "[", "6", "o a",
	": m a s k <Space> l a s t - k e y <Enter>", ": b u g <Space> n o - s c a l e <Enter>",
};
enum { CHANGES = sizeof changes / sizeof *changes };

struct moment {
	struct snapshot snapshot;
	struct numbers numbers;
};

static struct moment moment_of(struct player *p)
{
	return (struct moment){ copy_of(&p->state.now), compute_all(p) };
}

static void check_moment(struct player *p, const struct moment *m, const char *what)
{
	if (!snapshot_equal(&p->state.now, &m->snapshot))
		fail_msg("%s: the options, edits or scenario differ", what);
	if (!computes(p, &m->numbers))
		fail_msg("%s: the numbers differ", what);
	assert_null(state_fault(&p->state));
}

static void undo_and_redo_of_everything(void **state)
{
	enum { LIMIT = 2 * CHANGES + 2 };
	struct moment moments[LIMIT];
	size_t n = 0;
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "M 1 l");
	moments[n++] = moment_of(&p);
	for (int k = 0; k < CHANGES; k++) {
		size_t undo = p.state.undo.n;
		player_keys(&p, changes[k]);
		if (p.state.undo.n == undo)
			fail_msg("'%s' changed nothing: %s", changes[k], p.state.sentence);
		assert_true(n + 1 < LIMIT);
		/* A change made of two is met half way, going back. */
		if (p.state.undo.n == undo + 2) {
			player_keys(&p, "u");
			moments[n++] = moment_of(&p);
			player_keys(&p, "<C-r>");
		}
		moments[n++] = moment_of(&p);
		assert_int_equal(p.state.undo.n, n - 1);
	}
	for (int round = 0; round < 2; round++) {
		for (size_t k = n - 1; k-- > 0;) {
			player_keys(&p, "u");
			says(&p, false, "undone");
			check_moment(&p, &moments[k], "undo");
		}
		player_keys(&p, "u");
		says(&p, false, "nothing to undo");
		for (size_t k = 1; k < n; k++) {
			player_keys(&p, "<C-r>");
			says(&p, false, "made again");
			check_moment(&p, &moments[k], "redo");
		}
		player_keys(&p, "<C-r>");
		says(&p, false, "nothing to redo");
	}
	for (size_t k = 0; k < n; k++) {
		snapshot_free(&moments[k].snapshot);
		free(moments[k].numbers.v);
	}
	player_close(&p);
}

static void a_change_ends_redo(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "c s u u");
	assert_int_equal(p.state.redo.n, 2);
	player_keys(&p, "j");		/* moving is no change */
	assert_int_equal(p.state.redo.n, 2);
	player_keys(&p, "P");
	assert_int_equal(p.state.redo.n, 0);
	assert_int_equal(p.state.undo.n, 1);
	/* Setting what is set already is no change. */
	player_command(&p, "pad-mask on");
	player_keys(&p, "4");
	assert_int_equal(p.state.undo.n, 1);
	player_close(&p);
}

static void undo_goes_far(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	for (int k = 0; k < 1000; k++)
		player_keys(&p, "c + l j");
	for (int k = 0; k < 2000; k++)
		player_keys(&p, "u");
	assert_int_equal(p.state.undo.n, 0);
	assert_true(computes(&p, &before));
	free(before.v);
	player_close(&p);
}

/* The oldest change goes first when there are too many; nothing breaks. */
static void history_is_limited(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "two-tokens");
	for (int k = 0; k < HISTORY_LIMIT + 5; k++)
		player_keys(&p, "c");
	assert_int_equal(p.state.undo.n, HISTORY_LIMIT);
	player_close(&p);
}

static void reset_can_be_undone(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers opened = compute_all(&p);
	player_keys(&p, "r");
	says(&p, false, "as it was opened");
	assert_int_equal(p.state.undo.n, 0);
	player_keys(&p, "c s + P j x");
	struct numbers changed = compute_all(&p);
	player_keys(&p, "r");
	assert_true(computes(&p, &opened));
	assert_int_equal(p.state.now.edits.n, 0);
	says(&p, false, "u brings the changes back");
	player_keys(&p, "u");
	assert_true(computes(&p, &changed));
	player_keys(&p, "<C-r>");
	assert_true(computes(&p, &opened));
	free(opened.v);
	free(changed.v);
	player_close(&p);
}

static void bookmarks(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "' 1");
	says(&p, true, "no such bookmark");
	player_keys(&p, "j l M");
	assert_int_equal(p.state.mode, MODE_MARK);
	player_keys(&p, "1");
	assert_int_equal(p.state.mode, MODE_GRID);
	struct numbers marked = compute_all(&p);
	player_keys(&p, "c s P g <Home> o d R M 9");
	struct numbers other = compute_all(&p);
	player_keys(&p, "' 1");
	assert_true(computes(&p, &marked));
	cursor_is(&p, 1, 1);
	player_keys(&p, "' 9");
	assert_true(computes(&p, &other));
	/* Going to a bookmark is a change. */
	player_keys(&p, "u");
	assert_true(computes(&p, &marked));
	/* By name too. */
	player_command(&p, "mark 2");
	player_keys(&p, "c");
	player_command(&p, "recall 2");
	assert_true(computes(&p, &marked));
	refused(&p, "recall 7", "no such bookmark");
	refused(&p, "mark 0", "1 to 9");
	refused(&p, "mark 12", "1 to 9");
	free(marked.v);
	free(other.v);
	player_close(&p);
}

static void bookmarks_are_cancelled(void **state)
{
	static const char *const keys[] = { "<Esc>", "0", "c", "<Enter>", "<Space>", "<Up>", "M" };
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	struct numbers before = compute_all(&p);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		player_keys(&p, k % 2 ? "M" : "'");
		player_keys(&p, keys[k]);
		assert_int_equal(p.state.mode, MODE_GRID);
		assert_true(computes(&p, &before));
		/* It no longer asks for a digit. */
		assert_null(strstr(p.state.sentence, "press 1 to 9"));
	}
	for (int k = 0; k < 9; k++)
		assert_false(p.state.bookmark[k].set);
	/* Ctrl-C is heard here too. */
	player_keys(&p, "M <C-c>");
	assert_int_equal(p.effects, EFFECT_INTERRUPT);
	free(before.v);
	player_close(&p);
}

/* A bookmark whose cursor is far away is scrolled to. */
static void a_bookmark_is_scrolled_to(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "random-4");
	player_command(&p, "n 300");
	player_keys(&p, "G <End> M 1 g <Home> ' 1");
	cursor_is(&p, 299, 299);
	player_keys(&p, "g <Home>");
	player_command(&p, "recall 1");
	cursor_is(&p, 299, 299);
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(undo_and_redo_of_everything),
		cmocka_unit_test(a_change_ends_redo),
		cmocka_unit_test(undo_goes_far),
		cmocka_unit_test(history_is_limited),
		cmocka_unit_test(reset_can_be_undone),
		cmocka_unit_test(bookmarks),
		cmocka_unit_test(bookmarks_are_cancelled),
		cmocka_unit_test(a_bookmark_is_scrolled_to),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
