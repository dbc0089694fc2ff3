/* frame.c - plays keys without a terminal and writes the last picture. */
#include "tui/frame.h"

#include <stdio.h>
#include <string.h>

#include "tui/export.h"
#include "tui/live_dock.h"
#include "tui/load.h"
#include "tui/view.h"

const struct ports frame_ports = {
	.open = load_scenario_file, .masks = load_masks, .part = load_part_file, .layers = load_layers, .write = save_bytes,
	.builtin_count = builtin_count, .builtin_name = builtin_name,
	.lesson = load_lesson_file, .lesson_count = builtin_lesson_count, .lesson_name = builtin_lesson_name,
	.live = live_init,
};

enum status frame_start(struct state *s, struct screen_options *o, struct error *e)
{
	enum status status = state_init(s, o->tables, &frame_ports, o->scenario, o->options, e);

	if (status) {
		live_dock_free(o->live);
		live_point_free(o->point);
		return status;
	}
	s->look.ascii = o->ascii;
	if (o->input)
		state_set_source(s, o->input);
	if (o->live) {
		live_dock_attach(s, o->live, o->point);
		o->live = NULL;
		o->point = NULL;
	}
	return OK_STATUS;
}

static enum status type_text(struct state *s, const char *text, size_t n, struct error *e)
{
	for (size_t used; n; text += used, n -= used) {
		char one[8];
		struct key k = { .kind = KEY_CHARACTER };
		used = 1;
		while (used < n && used < 4 && ((unsigned char)text[used] & 0xc0) == 0x80)
			used++;
		snprintf(one, sizeof one, "%.*s", (int)used, text);
		if (*one == ' ' || *one == '<' || *one == '>')
			k.code = (unsigned char)*one;
		else if (!key_parse(one, &k))
			return error_set(e, E_SYNTAX, "'%s' cannot be typed", one);
		state_key(s, &k);
	}
	return OK_STATUS;
}

enum status frame_play(struct state *s, const char *keys, struct error *e)
{
	bool typing = false;		/* after : or /, until <Enter> or <Esc> */

	for (const char *p = keys; *p;) {
		struct key k;
		size_t used;
		if (!typing && (*p == ' ' || *p == '\n' || *p == '\t')) {
			p++;
			continue;
		}
		if (!strncmp(p, "<Type:", 6)) {
			const char *end = strchr(p, '>');
			if (!end)
				return error_set(e, E_SYNTAX, "'%.40s' has no closing >", p);
			enum status status = type_text(s, p + 6, (size_t)(end - p - 6), e);
			if (status)
				return status;
			p = end + 1;
			continue;
		}
		if (typing && *p == ' ') {
			k = (struct key){ .kind = KEY_CHARACTER, .code = ' ' };
			used = 1;
		} else if (!(used = key_parse(p, &k))) {
			return error_set(e, E_SYNTAX, "'%.*s' is not a key; expected one like c, <Down>, <Enter>, <C-r>, <lt> or <Type:0.73>",
					 (int)(strcspn(p, " ") < 40 ? strcspn(p, " ") : 40), p);
		}
		state_key(s, &k);
		typing = s->mode == MODE_PROMPT && s->prompt.kind != PROMPT_VALUE;
		p += used;
	}
	return OK_STATUS;
}

static void export_frame(struct buffer *out, const struct cells *c, const struct state *s, enum frame_format format)
{
	struct export_options options = { state_look(s).theme, state_scenario(s)->name };

	switch (format) {
	case FRAME_ANSI:
		export_ansi(c, out);
		break;
	case FRAME_SVG:
		export_svg(c, &options, out);
		break;
	case FRAME_HTML:
		export_html(c, &options, out);
		break;
	default:
		export_text(c, out);
		break;
	}
}

enum status frame_write(struct buffer *out, struct screen_options *o, const char *keys, int rows, int columns,
			 enum frame_format format, struct error *e)
{
	struct state s;
	struct cells cells = { 0 };
	enum status status = frame_start(&s, o, e);

	if (status)
		return status;
	state_resize(&s, rows, columns);
	if (!(status = frame_play(&s, keys, e)) && !(status = cells_init(&cells, rows, columns, e))) {
		while (state_work(&s))
			;
		state_end_flash(&s);
		view_draw(&s, &cells, NULL);
		export_frame(out, &cells, &s, format);
		if (out->failed)
			status = error_set(e, E_MEMORY, "no memory for the picture");
	}
	cells_free(&cells);
	state_free(&s);
	return status;
}
