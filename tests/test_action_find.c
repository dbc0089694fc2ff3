/* test_action_find.c - tokens that are searched for. */
#include <locale.h>

#include "tests/player_check.h"

static void find_a_token(void **state)
{
	struct player p;

	(void)state;
	player_open(&p, "causal-3");
	player_keys(&p, "n");
	says(&p, true, "nothing was searched for");
	player_keys(&p, "/");
	player_type(&p, "\u1112\u1161\u11a8\u1109\u1162\u11bc");	/* as decomposed letters */
	player_keys(&p, "<Enter>");
	cursor_is(&p, 2, 2);
	player_keys(&p, "g <Home> /");
	player_type(&p, "학생");
	player_keys(&p, "<Enter>");
	cursor_is(&p, 2, 2);
	player_keys(&p, "/");
	player_type(&p, "없음");
	player_keys(&p, "<Enter>");
	says(&p, true, "no token");
	cursor_is(&p, 2, 2);
	player_close(&p);
	player_open_yaml(&p, "qkv: 1\ntokens: [\"\u1112\u1161\u11ab\", \"\ud55c\uae00\", x]\nrandom: {n: 3}\n");
	player_keys(&p, "/");
	player_type(&p, "\ud55c");
	player_keys(&p, "<Enter>");
	cursor_is(&p, 1, 1);
	player_keys(&p, "n");
	cursor_is(&p, 0, 0);
	player_close(&p);
}

static void find_next_and_previous(void **state)
{
	struct player p;

	(void)state;
	player_open_yaml(&p, "qkv: 1\ntokens: [the, cat, and, the, other]\nrandom: {n: 5}\n");
	player_command(&p, "find the");
	cursor_is(&p, 3, 3);
	player_keys(&p, "n");
	cursor_is(&p, 4, 4);
	player_keys(&p, "n");
	cursor_is(&p, 0, 0);
	player_keys(&p, "N");
	cursor_is(&p, 4, 4);
	player_keys(&p, "N N");
	cursor_is(&p, 0, 0);
	player_close(&p);
}

/* Queries and keys with names of their own: rows first, then columns, and round. */
static void find_among_columns(void **state)
{
	struct player p;

	(void)state;
	player_open_yaml(&p, "qkv: 1\nquery-tokens: [a, b]\nkey-tokens: [x, ab, y, a]\nrandom: {n-q: 2, n-k: 4}\n");
	player_keys(&p, "j");
	player_command(&p, "find a");
	cursor_is(&p, 1, 1);
	player_keys(&p, "n");
	cursor_is(&p, 1, 3);
	player_keys(&p, "n");
	cursor_is(&p, 0, 3);
	player_keys(&p, "n");
	cursor_is(&p, 0, 1);
	player_keys(&p, "N");
	cursor_is(&p, 0, 1);
	player_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_a_token),
		cmocka_unit_test(find_next_and_previous),
		cmocka_unit_test(find_among_columns),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
