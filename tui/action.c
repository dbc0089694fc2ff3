/* action.c - which command does what. */
#include "tui/action.h"

#include "tui/compare.h"
#include "tui/layout.h"
#include "tui/live_dock.h"
#include "tui/panel_lesson.h"
#include "tui/view.h"

/* ---- moving ---- */

static void move(struct state *s, const struct call *call)
{
	struct layout l;
	size_t rows, columns, page;

	state_shape(s, &rows, &columns);
	layout_make(&l, s);
	page = l.visible_rows > 1 ? l.visible_rows - 1 : 1;
	switch (call->command) {
	case CMD_UP:
		s->row -= s->row > 0;
		break;
	case CMD_DOWN:
		s->row += s->row + 1 < rows;
		break;
	case CMD_LEFT:
		s->column -= s->column > 0;
		break;
	case CMD_RIGHT:
		s->column += s->column + 1 < columns;
		break;
	case CMD_ROW_START:
		s->column = 0;
		break;
	case CMD_ROW_END:
		s->column = columns - 1;
		break;
	case CMD_PAGE_UP:
		s->row -= s->row < page ? s->row : page;
		break;
	case CMD_PAGE_DOWN:
		s->row += rows - 1 - s->row < page ? rows - 1 - s->row : page;
		break;
	case CMD_FIRST:
		s->row = 0;
		break;
	default:
		s->row = rows - 1;
		break;
	}
}

static void move_help(struct state *s, enum command c)
{
	size_t page = s->rows > 6 ? (size_t)s->rows - 5 : 1;

	if (c == CMD_UP && s->help_top)
		s->help_top--;
	else if (c == CMD_DOWN)
		s->help_top++;
	else if (c == CMD_PAGE_UP)
		s->help_top -= s->help_top < page ? s->help_top : page;
	else if (c == CMD_PAGE_DOWN)
		s->help_top += page;
	else if (c == CMD_FIRST || c == CMD_ROW_START)
		s->help_top = 0;
	else if (c == CMD_LAST || c == CMD_ROW_END)
		s->help_top = (size_t)-1;	/* the view brings it back into range */
	size_t last = view_help_lines(s);
	last = last > page ? last - page : 0;
	if (s->help_top > last)
		s->help_top = last;
}

/* ---- small ones ---- */

static void open_panel(struct state *s, const struct call *call)
{
	panel_command(s, call->command, call->argument, call->by);
}

static void backward(struct state *s, const struct call *call)
{
	state_say(s, false, "%s: Space begins a walk through the row; then this goes back", call->by);
}

static void pin(struct state *s, const struct call *call)
{
	compare_pin(s, call->by);
}

static void difference(struct state *s, const struct call *call)
{
	compare_step(s, call->by);
}

static void lesson(struct state *s, const struct call *call)
{
	lesson_command(s, call->argument, call->by);
}

static void tolerance(struct state *s, const struct call *call)
{
	panel_set_tolerance(s, call->argument, call->by);
}

static void live_text(struct state *s, const struct call *call)
{
	live_command_text(s, call->argument, call->by);
}

static void live_at(struct state *s, const struct call *call)
{
	live_command_at(s, call->argument, call->by);
}

static void live_off(struct state *s, const struct call *call)
{
	live_command_off(s, call->argument, call->by);
}

static void live_padding(struct state *s, const struct call *call)
{
	live_command_padding(s, call->argument, call->by);
}

static void open_prompt(struct state *s, const struct call *call)
{
	(void)call;
	prompt_open(s, PROMPT_COMMAND, "");
}

static void help(struct state *s, const struct call *call)
{
	(void)call;
	s->mode = MODE_HELP;
	s->help_top = 0;
}

static void close_what_is_open(struct state *s, const struct call *call)
{
	(void)call;
	compare_close(s);
	s->sentence[0] = '\0';
}

/* ---- dispatch ---- */

static const struct {
	act *run;		/* NULL: nothing but the effect */
	unsigned effect;
} actions[CMD_COUNT] = {
	[CMD_UP] = { .run = move },
	[CMD_DOWN] = { .run = move },
	[CMD_LEFT] = { .run = move },
	[CMD_RIGHT] = { .run = move },
	[CMD_ROW_START] = { .run = move },
	[CMD_ROW_END] = { .run = move },
	[CMD_PAGE_UP] = { .run = move },
	[CMD_PAGE_DOWN] = { .run = move },
	[CMD_FIRST] = { .run = move },
	[CMD_LAST] = { .run = move },
	[CMD_INPUT] = { .run = act_input },
	[CMD_SCORES] = { .run = act_stage },
	[CMD_SCALED] = { .run = act_stage },
	[CMD_MASKED] = { .run = act_stage },
	[CMD_WEIGHTS] = { .run = act_stage },
	[CMD_OUTPUT] = { .run = act_stage },
	[CMD_JOINED] = { .run = act_stage },
	[CMD_NEXT_STAGE] = { .run = act_step_stage },
	[CMD_PREVIOUS_STAGE] = { .run = act_step_stage },
	[CMD_CAUSAL] = { .run = act_causal },
	[CMD_PAD_KEY] = { .run = act_pad_key },
	[CMD_PAD_MASK] = { .run = act_pad_mask },
	[CMD_SCALE] = { .run = act_scale },
	[CMD_NEXT_SCALE] = { .run = act_next_scale },
	[CMD_HIDE_CELL] = { .run = act_hide_cell },
	[CMD_NEXT_FILL] = { .run = act_next_fill },
	[CMD_NEXT_EMPTY_ROW] = { .run = act_next_empty_row },
	[CMD_EDIT] = { .run = act_edit },
	[CMD_MORE] = { .run = act_nudge },
	[CMD_LESS] = { .run = act_nudge },
	[CMD_CLEAR_EDIT] = { .run = act_clear_edit },
	[CMD_COOLER] = { .run = act_temperature },
	[CMD_HOTTER] = { .run = act_temperature },
	[CMD_FEWER_DIGITS] = { .run = act_digits },
	[CMD_MORE_DIGITS] = { .run = act_digits },
	[CMD_UNDO] = { .run = act_travel },
	[CMD_REDO] = { .run = act_travel },
	[CMD_RESET] = { .run = act_reset },
	[CMD_NEXT_SEED] = { .run = act_next_seed },
	[CMD_PREVIOUS_HEAD] = { .run = act_step_head },
	[CMD_NEXT_HEAD] = { .run = act_step_head },
	[CMD_PREVIOUS_LAYER] = { .run = act_step_layer },
	[CMD_NEXT_LAYER] = { .run = act_step_layer },
	[CMD_HEADS] = { .run = open_panel },
	[CMD_OVERVIEW] = { .run = open_panel },
	[CMD_LIVE] = { .run = live_text },
	[CMD_AT] = { .run = live_at },
	[CMD_HEAD_OFF] = { .run = live_off },
	[CMD_PADDING] = { .run = live_padding },
	[CMD_MEAN] = { .run = act_mean },
	[CMD_MARK] = { .run = act_mark },
	[CMD_RECALL] = { .run = act_recall },
	[CMD_PIN] = { .run = pin },
	[CMD_DIFFERENCE] = { .run = difference },
	[CMD_VERIFY] = { .run = open_panel },
	[CMD_BUG_LAB] = { .run = open_panel },
	[CMD_INFLUENCE] = { .run = open_panel },
	[CMD_GRADIENT] = { .run = open_panel },
	[CMD_SWEEP] = { .run = open_panel },
	[CMD_FORWARD] = { .run = open_panel },
	[CMD_PREDICT] = { .run = open_panel },
	[CMD_CLINIC] = { .run = open_panel },
	[CMD_INSPECT] = { .run = open_panel },
	[CMD_BACKWARD] = { .run = backward },
	[CMD_CELL_SIZE] = { .run = act_cell_size },
	[CMD_THEME] = { .run = act_theme },
	[CMD_COLOR_OFF] = { .run = act_color },
	[CMD_OPEN_PICKER] = { .run = act_open_picker },
	[CMD_LESSON] = { .run = lesson },
	[CMD_COMMAND_LINE_TEXT] = { .run = act_command_line, .effect = EFFECT_COPY },
	[CMD_EXPORT] = { .run = act_export },
	[CMD_FIND] = { .run = act_find },
	[CMD_FIND_NEXT] = { .run = act_find },
	[CMD_FIND_PREVIOUS] = { .run = act_find },
	[CMD_PROMPT] = { .run = open_prompt },
	[CMD_HELP] = { .run = help },
	[CMD_CLOSE] = { .run = close_what_is_open },
	[CMD_SET] = { .run = act_set },
	[CMD_WRITE] = { .run = act_write },
	[CMD_WRITE_OVER] = { .run = act_write },
	[CMD_OPEN] = { .run = act_open },
	[CMD_GO] = { .run = act_go },
	[CMD_TOKENS] = { .run = act_tokens },
	[CMD_TOLERANCE] = { .run = tolerance },
	[CMD_MOUSE] = { .run = act_mouse, .effect = EFFECT_MOUSE },
	[CMD_PRESENT] = { .run = act_present },
	[CMD_SPOTLIGHT] = { .run = act_spotlight },
	[CMD_REDRAW] = { .effect = EFFECT_REDRAW },
	[CMD_SUSPEND] = { .effect = EFFECT_SUSPEND },
	[CMD_QUIT] = { .effect = EFFECT_QUIT },
	[CMD_INTERRUPT] = { .effect = EFFECT_INTERRUPT },
};

static unsigned leave_or_close(struct state *s, enum command c)
{
	if (s->mode == MODE_HELP || s->mode == MODE_PICKER) {
		if (c == CMD_QUIT || c == CMD_CLOSE || c == CMD_HELP || c == CMD_OPEN_PICKER || c == CMD_LESSON) {
			if (s->mode == MODE_HELP)	/* what it said of itself */
				s->sentence[0] = '\0';
			s->mode = panel_mode(s);
			return 0;
		}
	}
	return c == CMD_QUIT ? EFFECT_QUIT : 0;
}

unsigned action(struct state *s, enum command c, const char *argument, const char *by)
{
	c = present_instead(s, c);
	const struct call call = { c, argument, by };

	if (c == CMD_INTERRUPT || c == CMD_SUSPEND || c == CMD_REDRAW)
		return actions[c].effect;
	/* Only the mouse gets here while a line is typed: its cell stays the one it is for. */
	if (s->mode == MODE_PROMPT && c <= CMD_LAST)
		return 0;
	if (s->mode == MODE_HELP || s->mode == MODE_PICKER) {
		enum mode mode = s->mode;
		unsigned effects = leave_or_close(s, c);
		if (s->mode != mode)
			return effects;
		if (mode == MODE_HELP)
			move_help(s, c);
		else
			act_move_picker(s, c, by);
		return 0;
	}
	bool is_look = c == CMD_PRESENT || c == CMD_SPOTLIGHT;	/* of the screen, whatever is open on it */
	if (!is_look && (lesson_takes(s, c, argument, by) || panel_takes(s, c, by)))
		return 0;
	if (c == CMD_QUIT && !present_may_quit(s, by))
		return 0;
	if (actions[c].run)
		actions[c].run(s, &call);
	return actions[c].effect;
}
