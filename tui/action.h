/* action.h - what each command does to the state: between action*.c alone.
 *
 * action.c has the table; the files beside it are one subject each. Errors and
 * results are said in the state's sentence.
 */
#ifndef TUI_ACTION_H
#define TUI_ACTION_H

#include "tui/state.h"

struct call {
	enum command command;
	const char *argument;	/* "" without one */
	const char *by;		/* what was pressed or typed, for the sentence */
};
typedef void act(struct state *s, const struct call *call);

/* action_option.c; also what others need to change options and to say so */
act act_set;
void act_say_error(struct state *s, const char *by, const struct error *e);
bool act_change(struct state *s, const char *by, const char *name, const char *value);
/* True, and said, when finished weights are given and no mask or scale applies. */
bool act_weights_given(struct state *s, const char *by);
/* ": 3 of 9 cells hidden", or "" where counting would take long. */
void act_hidden_text(struct state *s, char *out, size_t size);
void act_say_scale(struct state *s, const char *by, const char *lead);

/* action_switch.c */
act act_causal, act_pad_key, act_pad_mask, act_scale, act_next_scale, act_hide_cell, act_next_fill, act_next_empty_row;
/* action_number.c */
act act_edit, act_nudge, act_clear_edit, act_temperature, act_digits, act_next_seed;
/* action_stage.c */
act act_input, act_stage, act_step_stage, act_step_head, act_mean;
/* action_part.c */
act act_step_layer;
/* :layer N, :batch N; false, and nothing said, where the input has one of them or N is no number. */
bool act_choose_part(struct state *s, enum option which, const char *value, const char *by);
/* action_back.c */
act act_travel, act_reset, act_mark, act_recall;
/* action_open.c */
act act_open, act_open_picker, act_tokens;
void act_move_picker(struct state *s, enum command c, const char *by);
/* action_write.c */
act act_write, act_export, act_command_line;
/* action_find.c */
act act_find;
/* action_place.c */
act act_go;
/* action_picture.c */
act act_cell_size, act_theme, act_color, act_mouse, act_present, act_spotlight;

#endif
