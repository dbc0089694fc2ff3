/* view_grid.c - the grid: labels, numbers on colours. */
#include <stdio.h>

#include "tui/compare.h"
#include "tui/digits.h"
#include "tui/text.h"
#include "tui/view_parts.h"

/* ---- one cell ---- */

static enum paint look_paint(enum number_look look)
{
	switch (look) {
	case LOOK_HIDDEN:
		return PAINT_HIDDEN;
	case LOOK_NAN:
		return PAINT_NAN;
	case LOOK_INFINITE:
		return PAINT_INFINITE;
	case LOOK_RANGE:
		return PAINT_RANGE;
	default:
		return PAINT_TEXT;
	}
}

const char *view_small_glyph(enum number_look look, bool ascii)
{
	switch (look) {
	case LOOK_HIDDEN:
		return ascii ? "#" : "\u259a";
	case LOOK_NAN:
		return "?";
	case LOOK_INFINITE:
		return ascii ? "8" : "\u221e";
	case LOOK_RANGE:
		return "!";
	case LOOK_TINY:
		return "~";
	case LOOK_ZERO:
		return "0";
	default:
		return " ";
	}
}

static struct style cell_style(const struct canvas *c, const struct scale *scale, const struct cell_info *info,
			       enum number_look look, const char **shade)
{
	struct style style;

	*shade = "";
	if (look == LOOK_NUMBER || look == LOOK_ZERO || look == LOOK_TINY) {
		struct heat heat = color_heat(&c->look, scale->map, scale_value(scale, info->value));
		style = heat.style;
		*shade = heat.shade;
	} else {
		style = color_paint(&c->look, look_paint(look));
	}
	if (info->edited)
		style.attributes |= UNDERLINE;
	/* In the terminal's own colours, reversed: those of a light cell would look like a dark one's. */
	if (info->flashing) {
		style.foreground = style.background = COLOR_DEFAULT;
		style.attributes |= color_paint(&c->look, PAINT_FLASH).attributes;
	}
	if (info->cursor)
		style.attributes |= BOLD;
	return style;
}

static void draw_small(const struct canvas *c, int y, int x, const struct cell_info *info, enum number_look look,
		       const char *shade, struct style style)
{
	const char *glyph = view_small_glyph(look, c->look.ascii);

	if (look == LOOK_NUMBER && *shade)
		glyph = shade;
	pane_field(&c->screen, y, x, info->cursor ? "[" : glyph, 1, -1, style);
	pane_field(&c->screen, y, x + 1, info->cursor ? "]" : glyph, 1, -1, style);
}

/* A cell whose number is not shown: a mark in its middle, and no colour that tells. */
static void draw_blank(const struct canvas *c, int y, int x, const struct cell_info *info)
{
	const struct layout *l = &c->l;
	struct style style = color_paint(&c->look, PAINT_KEY);
	int middle = y + l->cell_height / 2, width = l->numbers ? l->cell_width : 2;
	int at = x + 1 + (width - 1 + l->number_width) / 2 - text_width(info->mark, c->look.ascii);

	if (info->cursor)
		style.attributes |= BOLD;
	if (!l->numbers) {
		pane_field(&c->screen, y, x, info->mark, 2, -1, style);
		return;
	}
	if (at + text_width(info->mark, c->look.ascii) > x + width)
		at = x + width - text_width(info->mark, c->look.ascii);
	pane_text(&c->screen, middle, at, info->mark, -1, style);
	if (info->cursor)
		pane_text(&c->screen, middle, at - 1 < x ? x : at - 1, "[", 1, style);
}

/* What was drawn there; nothing outside the screen. */
static struct style style_at(const struct canvas *c, int row, int column)
{
	bool inside = row >= 0 && row < c->screen.rows && column >= 0 && column < c->screen.columns;

	return inside ? cells_at(c->screen.cells, row, column)->style : (struct style){ 0 };
}

/* The cursor's column has a rule on each side where there is room for one, else its
 * numbers are underlined; its row has one above and one below, in cells of three rows or
 * more, else it is underlined. The first column may have marks of its own. */
static void spotlight(const struct canvas *c, int y, int x, const struct cell_info *info, bool left, bool right)
{
	int width = c->l.numbers ? c->l.cell_width : 2, last = y + c->l.cell_height - 1;
	struct style style = style_at(c, y, x);
	const char *rule = c->look.ascii ? "|" : "\u2502", *across = c->look.ascii ? "-" : "\u2500";
	bool tall = c->l.cell_height >= 3;

	for (int k = 0; info->in_row && tall && k < width; k++) {
		pane_text(&c->screen, y, x + k, across, 1, style);
		pane_text(&c->screen, last, x + k, across, 1, style);
	}
	for (int k = y; info->in_column && k <= last; k++) {
		if (left)
			pane_text(&c->screen, k, x, rule, 1, style);
		if (right)
			pane_text(&c->screen, k, x + width - 1, rule, 1, style);
	}
	if ((info->in_row && !tall) || (info->in_column && !right)) {
		style.attributes |= UNDERLINE;
		pane_style(&c->screen, last, x, width, style);
	}
}

void view_cell(const struct canvas *c, int y, int x, const struct scale *scale, const struct cell_info *info)
{
	const struct layout *l = &c->l;
	struct digits_rule rule = { state_precision(c->s), l->number_width,
				    state_stage(c->s) == STAGE_WEIGHTS && compare_shown(c->s) != COMPARE_DIFFERENCE,
				    c->look.ascii };
	char text[DIGITS_SIZE];
	const char *shade;
	enum number_look look = digits_cell(info->value, info->hidden, &rule, text);

	if (info->blank) {
		draw_blank(c, y, x, info);
		return;
	}
	/* The lowest number of a type has no short form that is not another number. */
	if (look == LOOK_HIDDEN && state_stage(c->s) == STAGE_MASKED && info->value == c->s->grid.attention.fill &&
	    c->s->grid.attention.options.fill.word == FILL_MIN)
		snprintf(text, sizeof text, "%s min", c->look.ascii ? "#" : "\u259a");
	struct style style = cell_style(c, scale, info, look, &shade);
	bool outside = look != LOOK_HIDDEN && scale_excludes(scale, info->value);	/* of the limits that are set */
	if (outside)
		style.attributes |= color_paint(&c->look, PAINT_RANGE).attributes;
	if (outside && (look == LOOK_NUMBER || look == LOOK_TINY || look == LOOK_ZERO) && !l->numbers)
		look = LOOK_RANGE;

	if (!l->numbers) {
		draw_small(c, y, x, info, look, shade, style);
		spotlight(c, y, x, info, false, false);
		return;
	}
	pane_fill(&c->screen, y, x, l->cell_height, l->cell_width, style);
	int middle = y + l->cell_height / 2;
	/* The number is set in the middle of what the first column, for marks, leaves. */
	int room = l->cell_width - 1, width = text_width(text, c->look.ascii);
	int right = x + 1 + (room + l->number_width) / 2;
	if (right > x + l->cell_width)
		right = x + l->cell_width;
	pane_text(&c->screen, middle, right - width, text, width, style);
	if (*shade && !info->edited && !info->kept)
		for (int k = 0; k < l->cell_height; k++)
			pane_field(&c->screen, y + k, x, shade, 1, -1, style);
	if (info->edited || info->kept)
		pane_field(&c->screen, middle, x, info->edited ? "*" : "+", 1, -1, style);
	else if (outside)
		pane_field(&c->screen, middle, x, "!", 1, -1, style);
	spotlight(c, y, x, info, !*shade && !info->edited && !info->kept && right - width > x, right + 1 < x + l->cell_width);
	if (info->cursor) {
		/* Brackets close around the number, so that it is found without colour. */
		int at = right - width - 1 < x ? x : right - width - 1;
		pane_field(&c->screen, middle, at, "[", 1, -1, style_at(c, middle, at));
	}
}

void view_close_bracket(const struct canvas *c, int y, int x)
{
	const struct layout *l = &c->l;
	int room = l->cell_width - 1;
	int right = x + 1 + (room + l->number_width) / 2;

	if (right > x + l->cell_width)
		right = x + l->cell_width;
	int row = y + l->cell_height / 2;
	struct style style = style_at(c, row, right);
	style.attributes |= BOLD;
	pane_field(&c->screen, row, right, "]", 1, -1, style);
}

/* ---- the whole grid ---- */

static void column_labels(const struct canvas *c, size_t columns)
{
	const struct layout *l = &c->l;
	char scratch[32];
	struct style style = color_paint(&c->look, PAINT_LABEL), lit = style;

	lit.attributes |= BOLD | (c->s->present.spotlight ? REVERSE : UNDERLINE);
	/* Rows are queries, columns are keys: said where the two meet. */
	if (compare_shown(c->s) == COMPARE_DIFFERENCE)
		pane_text(&c->screen, l->labels, 0, "B - A", l->cells, color_paint(&c->look, PAINT_LIT));
	else if (state_is_grid(c->s))
		pane_text(&c->screen, l->labels, 0, l->label_width >= 9 ? (c->look.ascii ? "query\\key" : "query\u2572key") : "q\\k",
			  l->label_width + 1, color_paint(&c->look, PAINT_MUTED));
	for (size_t k = 0; k < l->visible_columns && c->s->left + k < columns; k++) {
		size_t j = c->s->left + k;
		int x = l->cells + (int)k * l->cell_width;
		if (l->numbers)
			pane_field(&c->screen, l->labels, x + 1, state_column_label(c->s, j, scratch), l->cell_width - 1, 0,
				   j == c->s->column ? lit : style);
		else if (j == c->s->column)
			pane_text(&c->screen, l->labels, x, state_column_label(c->s, j, scratch), l->sums - x, lit);
	}
}

static void draw_row(const struct canvas *c, const struct scale *scale, size_t i, int y, size_t columns)
{
	struct state *s = c->s;
	const struct layout *l = &c->l;
	const struct flash *f = &s->flash;
	bool from_masks = state_stage(s) == STAGE_MASKED || state_stage(s) == STAGE_WEIGHTS;
	const struct row *query = state_query(s, i);
	const double *values = state_values(s, i);
	bool compared = compare_shown(s) == COMPARE_DIFFERENCE;
	const double *other = compared ? compare_values(s, i) : NULL;
	size_t other_rows, other_columns = 0;
	struct scale own = view_row_scale(s, l, scale, i);
	char scratch[32];
	int cursor_x = -1;
	struct style label = color_paint(&c->look, PAINT_LABEL);
	bool on_row = i == s->row;

	if (on_row)
		label.attributes |= BOLD | (s->present.spotlight ? REVERSE : 0);
	if (compared)
		compare_shape(s, &other_rows, &other_columns);
	int middle = y + l->cell_height / 2;
	unsigned moved = query ? panel_moved(s, query->index) : 0;
	pane_text(&c->screen, middle, 0, on_row ? "> " : "  ", 2, label);
	if (moved)
		pane_text(&c->screen, middle, 1, "!", 1, color_paint(&c->look, PAINT_BAD));
	pane_field(&c->screen, middle, 2, state_row_label(s, i, scratch), l->label_width, -1, label);
	for (size_t k = 0; k < l->visible_columns && s->left + k < columns; k++) {
		size_t j = s->left + k;
		struct cell_info info = { .value = values[j], .cursor = on_row && j == s->column };
		info.in_row = s->present.spotlight && on_row;
		info.in_column = s->present.spotlight && j == s->column;
		if (query && state_is_grid(s)) {
			info.hidden = from_masks && mask_hides(query->rules[j]);
			info.kept = from_masks && query->rules[j] & RULE_KEPT && query->rules[j] & ~RULE_KEPT;
			enum array edited = s->problem->source == SOURCE_WEIGHTS ? ARRAY_WEIGHTS : ARRAY_SCORES;
			info.edited = query->overridden[j] ||
				      edits_find(&s->now.edits, edited, s->grid.attention.head, i, j);
		} else if (state_stage(s) == STAGE_INPUT) {
			/* X and W_O are the same for all heads. */
			size_t head = state_array(s) == ARRAY_X || state_array(s) == ARRAY_W_O ? 0 : s->grid.attention.head;
			info.edited = edits_find(&s->now.edits, state_array(s), head, i, j);
		}
		if (f->on && i >= f->top && i - f->top < f->rows && j >= f->left && j - f->left < f->columns)
			info.flashing = f->changed[(i - f->top) * f->columns + (j - f->left)];
		if (compared) {
			info.value = view_difference(other, other_columns, values, j);
			info.hidden = info.kept = info.edited = false;
			info.blank = !other || j >= other_columns;	/* nothing to compare with */
			info.mark = c->look.ascii ? "." : "\u00b7";
		}
		if (query && state_is_grid(s) && list_has(&s->now.options.without, (long)j)) {
			info.blank = true;
			info.mark = c->look.ascii ? "." : "\u00b7";
		}
		if (!query && long_view_has_values(s)) {	/* not computed yet */
			info.blank = true;
			info.mark = c->look.ascii ? "." : "\u00b7";
		}
		const char *asked = panel_asked(s, i, j);
		if (asked) {
			info.blank = true;
			info.mark = asked;
		}
		int x = l->cells + (int)k * l->cell_width;
		view_cell(c, y, x, &own, &info);
		if (info.cursor)
			cursor_x = x;
	}
	if (cursor_x >= 0 && l->numbers)
		view_close_bracket(c, y, cursor_x);
	bool sum_flash = f->on && i >= f->top && i - f->top < f->rows && f->sum_changed[i - f->top];
	for (int k = 0; k < l->cell_height; k++)
		if (k == l->cell_height / 2)
			view_sums(c, y + k, i, query, sum_flash && !panel_asks(s), moved);
}

static void scroll_marks(const struct canvas *c, size_t rows, size_t columns)
{
	const struct layout *l = &c->l;
	struct style style = color_paint(&c->look, PAINT_MUTED);
	bool ascii = c->look.ascii;

	if (c->s->left + l->visible_columns < columns && l->sums > 0)
		pane_text(&c->screen, l->labels, l->sums, ascii ? ">" : "\u2192", 1, style);
	if (c->s->left > 0)
		pane_text(&c->screen, l->labels, l->cells - 1, ascii ? "<" : "\u2190", 1, style);
	if (c->s->top > 0)
		pane_text(&c->screen, l->grid, 1, ascii ? "^" : "\u2191", 1, style);
	if (c->s->top + l->visible_rows < rows)
		pane_text(&c->screen, l->grid + ((int)l->visible_rows - 1) * l->cell_height, 1, ascii ? "v" : "\u2193", 1, style);
}

void view_grid(struct canvas *c)
{
	struct scale scale = view_scale(c->s, &c->l);
	size_t rows, columns;

	if (compare_shown(c->s) == COMPARE_BESIDE) {
		view_beside(c);
		return;
	}
	state_shape(c->s, &rows, &columns);
	view_sum_header(c);
	column_labels(c, columns);
	for (size_t k = 0; k < c->l.visible_rows && c->s->top + k < rows; k++)
		draw_row(c, &scale, c->s->top + k, c->l.grid + (int)k * c->l.cell_height, columns);
	scroll_marks(c, rows, columns);
}
