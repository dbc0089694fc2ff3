/* action_picture.c - cell size, theme, colour, mouse, presenting. */
#include "tui/action.h"

#include <string.h>

#include "core/message.h"

void act_cell_size(struct state *s, const struct call *call)
{
	static const char *const name[] = { N_("normal"), N_("large"), N_("small: colours only") };

	s->zoom = (enum zoom)((s->zoom + 1) % ZOOM_COUNT);
	state_say(s, false, "%s: %s cells", call->by, _(name[s->zoom]));
}

void act_theme(struct state *s, const struct call *call)
{
	bool light = state_look(s).theme == THEME_DARK;

	if (act_change(s, call->by, "theme", light ? "light" : "dark"))
		state_say(s, false, "%s: colours for a %s terminal", call->by, light ? _("light") : _("dark"));
}

void act_color(struct state *s, const struct call *call)
{
	bool off = state_look(s).depth != DEPTH_NONE;

	if (!off && s->look.depth == DEPTH_NONE) {
		state_say(s, true, "%s: this terminal has no colours (or NO_COLOR is set); --color overrides that", call->by);
		return;
	}
	if (act_change(s, call->by, "color", off ? "never" : "auto"))
		state_say(s, false, "%s: colour %s", call->by, off ? _("off; shades and marks carry it") : "on");
}

void act_mouse(struct state *s, const struct call *call)
{
	s->mouse = strcmp(call->argument, "off") != 0;
	state_say(s, false, "%s: the mouse is %s", call->by, s->mouse ? _("the program's") : _("the terminal's"));
}

/* "on", "off", or "" for the other one; false, and said, for anything else. */
static bool wanted(struct state *s, const struct call *call, bool now, bool *on)
{
	const char *word = call->argument;

	if (*word && strcmp(word, "on") && strcmp(word, "off")) {
		state_say(s, true, "%s: on or off is expected, not '%.40s'", call->by, word);
		return false;
	}
	*on = *word ? !strcmp(word, "on") : !now;
	return true;
}

void act_present(struct state *s, const struct call *call)
{
	bool on;

	if (!wanted(s, call, s->present.on, &on))
		return;
	present_turn(s, on);
	if (on)
		state_say(s, false, "%s: for an audience: q twice leaves, Ctrl-Z undoes, :present ends it", call->by);
	else
		state_say(s, false, "%s: no longer presenting", call->by);
}

void act_spotlight(struct state *s, const struct call *call)
{
	bool on;

	if (!wanted(s, call, s->present.spotlight, &on))
		return;
	s->present.spotlight = on;
	state_say(s, false, on ? N_("%s: the query's row and the key's column stand out") : N_("%s: the spotlight is off"), call->by);
}
