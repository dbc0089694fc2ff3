/* action_find.c - tokens that are searched for. */
#include "tui/action.h"

#include <stdlib.h>
#include <string.h>

#include "core/message.h"
#include "tui/text.h"

static bool token_matches(const char *token, const char *wanted)
{
	char *a = text_nfc(token, strlen(token)), *b = text_nfc(wanted, strlen(wanted));
	bool found = a && b && strstr(a, b);

	free(a);
	free(b);
	return found;
}

/* Places are the shown rows, then the shown columns. */
static bool place_matches(const struct state *s, size_t place, size_t rows, const char *wanted)
{
	char scratch[32];

	return token_matches(place < rows ? state_row_label(s, place, scratch)
					  : state_column_label(s, place - rows, scratch), wanted);
}

static void find(struct state *s, const char *wanted, int step, const char *by)
{
	size_t rows, columns, place;
	bool same = s->problem->n_q == s->problem->n_k && state_is_grid(s);

	if (*wanted) {
		free(s->found);
		s->found = strdup(wanted);
		s->found_column = false;
	}
	if (!s->found) {
		state_say(s, true, "%s: nothing was searched for yet; / and a token finds it", by);
		return;
	}
	state_shape(s, &rows, &columns);
	size_t all = same ? rows : rows + columns;
	place = !same && s->found_column ? rows + s->column : s->row;
	for (size_t k = 0; k < all; k++) {
		place = (place + (step > 0 ? 1 : all - 1)) % all;
		if (!place_matches(s, place, rows, s->found))
			continue;
		s->found_column = place >= rows;
		if (place < rows)
			s->row = place;
		if (place >= rows)
			s->column = place - rows;
		else if (same)
			s->column = place;
		state_say(s, false, "%s: '%s' is %s %zu", by, s->found, place < rows ? _("row") : _("column"), place < rows ? place : place - rows);
		return;
	}
	state_say(s, true, "%s: no token has '%s' in it", by, s->found);
}

void act_find(struct state *s, const struct call *call)
{
	if (call->command != CMD_FIND)
		find(s, "", call->command == CMD_FIND_NEXT ? 1 : -1, call->by);
	else if (*call->argument)
		find(s, call->argument, 1, call->by);
	else
		prompt_open(s, PROMPT_FIND, "");
}
