/* layout.c - where everything stands on a screen of a given size. */
#include "tui/layout.h"

#include "tui/compare.h"
#include "tui/live_dock.h"
#include "tui/panel_lesson.h"
#include "tui/state.h"
#include "tui/text.h"
#include "tui/view.h"

enum { LEAST_COLUMNS = 20, LEAST_ROWS = 6, LABELS_LOOKED_AT = 2000, LEAST_CELL = 6 };

static int clamp(int x, int low, int high)
{
	return x < low ? low : x > high ? high : x;
}

enum { LEAST_LESSON = 4, LESSON_TO_READ = 8, LEAST_PANEL = 3, LEAST_SWEEP = 4, LEAST_WHOLE = 9, ALL_LAMPS = 9 };

/* Room for a lesson that wants so many rows, below a panel, or 0, and what needs at
 * least so many. It comes first where its page has opened the panel; else it yields
 * to the panel as far as some lines of it stay. Returns the new bottom. */
static int place_lesson(struct layout *l, const struct state *s, int space, int bottom, int panel, int least)
{
	const struct lesson_page *page = lesson_page_shown(s);
	int wanted = view_lesson_rows(s), room = space - least;

	if (!wanted)
		return bottom;
	if (panel && page && page->open != LESSON_PANEL_NONE)
		room -= LEAST_PANEL;
	else if (panel)
		room = clamp(room - (panel < ALL_LAMPS ? panel : ALL_LAMPS), room < LEAST_LESSON ? room : LEAST_LESSON, room);
	l->lesson_rows = clamp(wanted, 1, room < 1 ? 1 : room);
	l->lesson = bottom - l->lesson_rows;
	return l->lesson;
}

/* Room for a language model below all else, which needs at least so many of `space`
 * rows; its text stays. Returns the new bottom. */
static int place_live(struct layout *l, const struct state *s, int space, int bottom, int least)
{
	int wanted = view_live_rows(s);

	if (!wanted || space < 3)
		return bottom;
	l->live_rows = clamp(wanted, 1, space - least < 1 ? 1 : space - least);
	l->live = bottom - l->live_rows;
	return l->live;
}

/* Of the grid; on a small screen it yields to a lesson, and to a panel with it. */
static int least_rows(const struct state *s, int space, int panel, int needed)
{
	int least = needed < 4 ? needed : 4;
	bool small = s->lesson && space < least + (panel ? LEAST_PANEL + LEAST_LESSON : LESSON_TO_READ);

	return small && least > 2 ? 2 : least;
}

/* Room for a panel of `wanted` rows, or none, below a grid that needs so many; the
 * cell's lines stay only where there is room for all three. */
static void place_panel(struct layout *l, int top, int bottom, int wanted, int needed, int least)
{
	int space = bottom - top;

	if (l->bar_rows && least < 2 * needed)		/* before an audience cells of two rows, in a third of the room */
		least = clamp(2 * needed, least, space / 3 > least ? space / 3 : least);
	l->panel_rows = wanted ? clamp(wanted, 1, space - least < 1 ? 1 : space - least) : 0;
	bottom -= l->panel_rows;
	l->panel = bottom;
	l->hand = l->products = l->cell = l->rule = -1;
	if (l->bar_rows ? bottom - top >= 3 * needed + 2 : bottom - top - needed >= 3) {
		if (!l->bar_rows)
			l->hand = --bottom;
		l->cell = --bottom;
		l->rule = --bottom;
	}
	l->grid_rows = bottom - top < 1 ? 1 : bottom - top;
}

/* Which lines a height has room for; the last to go is named first. */
static void place_lines(struct layout *l, int rows)
{
	int y = 0, bottom = rows;

	l->title = rows >= 7 ? y++ : -1;
	l->switches = rows >= 10 ? y++ : -1;
	l->labels = y++;
	l->grid = y;
	l->footer = rows >= 14 ? --bottom : -1;
	l->sentence = rows >= 6 ? --bottom : -1;
	l->hand = rows >= 13 ? --bottom : -1;
	l->products = rows >= 28 ? --bottom : -1;
	l->cell = rows >= 9 ? --bottom : -1;
	l->rule = rows >= 12 ? --bottom : -1;
	l->grid_rows = bottom - y;
}

/* The same before an audience. */
static void place_few_lines(struct layout *l, int rows)
{
	int y = 0, bottom = rows;

	l->title = rows >= 7 ? y++ : -1;
	l->switches = rows >= 16 ? y++ : -1;
	l->labels = y++;
	l->grid = y;
	l->footer = l->hand = l->products = -1;
	l->bar_rows = rows >= 18 ? 3 : rows >= 10 ? 2 : 1;
	bottom -= l->bar_rows;
	l->sentence = bottom;
	l->cell = rows >= 9 ? --bottom : -1;
	l->rule = rows >= 14 ? --bottom : -1;
	l->grid_rows = bottom - y;
}

/* The widest of the first labels and the last, which of t0, t1, ... is the widest. */
static int widest_label(const struct state *s, const char *label(const struct state *s, size_t i, char scratch[32]), size_t n, bool ascii)
{
	char scratch[32];
	int widest = 1;

	for (size_t i = 0; i < n; i = i + 1 < LABELS_LOOKED_AT || i + 1 == n ? i + 1 : n - 1) {
		int w = text_width(label(s, i, scratch), ascii);
		widest = w > widest ? w : widest;
	}
	return widest;
}

void layout_measure(struct state *s)
{
	bool ascii = state_look(s).ascii;
	size_t rows, columns;

	if (s->label_width.problem == s->problem && s->label_width.stage == (int)state_stage(s) &&
	    s->label_width.array == (int)state_array(s) && s->label_width.ascii == ascii)
		return;
	state_shape(s, &rows, &columns);
	s->label_width.problem = s->problem;
	s->label_width.stage = (int)state_stage(s);
	s->label_width.array = (int)state_array(s);
	s->label_width.ascii = ascii;
	s->label_width.rows = widest_label(s, state_row_label, rows, ascii);
	s->label_width.columns = widest_label(s, state_column_label, columns, ascii);
}

static int number_width(const struct state *s)
{
	int precision = state_precision(s);
	bool no_sign = state_stage(s) == STAGE_WEIGHTS && compare_shown(s) != COMPARE_DIFFERENCE;
	int width = precision + (no_sign ? 2 : state_stage(s) == STAGE_WEIGHTS ? 3 : 4);

	return width < 5 ? 5 : width;
}

/* The columns that the sums take with as much beside them as there is room for. */
static int sums_width(struct layout *l, const struct state *s, int room, int verdict)
{
	int number = clamp(state_precision(s) + 2, 5, 20);
	int least = l->bar_width + l->sum_width + 1 + verdict, cause = 2 + 24;
	int with_largest = least + 1 + number, with_entropy = with_largest + 2 + 5, with_cause = with_entropy + cause;

	/* Where the sum itself is cut, nothing stands beside it. */
	if (l->sum_width <= number)
		room = 0;
	l->verdict_width = verdict;
	if (s->present.on) {		/* the sum alone, and why it is not 1 */
		l->largest = l->entropy = false;
		l->cause = room >= least + cause;
		return l->cause ? least + cause : least;
	}
	l->largest = room >= with_largest;
	l->entropy = room >= with_entropy;
	l->cause = room >= with_cause;
	return l->cause ? with_cause : l->entropy ? with_entropy : l->largest ? with_largest : least;
}

/* The sums at the right. cell: the width of one; needed: that of all of them. */
static void place_sums(struct layout *l, const struct state *s, int space, int cell, int needed)
{
	int number = clamp(state_precision(s) + 2, 5, 20);
	bool narrow = s->columns < 30;
	int verdict = narrow ? 2 : s->columns < 60 ? 5 : 10;

	/* On the smallest screens the bar, the sum and two letters of the verdict.
	 * A sum is cut, with a mark, before the only cell is. */
	l->bar_width = narrow ? 1 : 3;
	l->sum_width = narrow ? 5 : clamp(space - l->bar_width - 1 - verdict - cell - 1, 5, number + 1);
	int width = sums_width(l, s, space - needed, verdict);
	/* A wider screen shows no less: the long verdicts give way. */
	if (verdict > 5) {
		struct layout other = *l;
		int other_width = sums_width(&other, s, space - needed, 5);
		if (other.largest != l->largest || other.entropy != l->entropy) {
			*l = other;
			width = other_width;
		}
	}
	l->sums = s->columns - width;
}

/* Odd, so that numbers stand in the middle, but two rows before one. */
static int cell_height(const struct layout *l, const struct state *s, size_t rows)
{
	bool grows = s->present.on && s->zoom != ZOOM_SMALL;
	int least = s->zoom == ZOOM_LARGE ? 3 : 1, each = rows < 1000 ? l->grid_rows / (int)rows : 1;

	if (!grows || each < 2 || each < least)
		return least;
	return each == 2 ? 2 : each >= 9 ? 9 : each - (each % 2 == 0);
}

static void place_cells(struct layout *l, const struct state *s, size_t rows, size_t columns)
{
	int least = l->number_width + 1, spare;
	int widest = s->label_width.columns + 1, wider = s->present.on ? 16 : 6;

	l->cell_height = cell_height(l, s, rows);
	l->numbers = s->zoom != ZOOM_SMALL;
	if (s->zoom == ZOOM_SMALL)
		least = widest = 2;
	else if (s->zoom == ZOOM_LARGE)
		least += 4;
	/* Before an audience wide cells come before words about the sums. */
	int wish = least + (s->present.on && s->zoom != ZOOM_SMALL ? 8 : 0);
	int needed = columns > 1000 ? s->columns : (int)columns * wish + 1;
	place_sums(l, s, s->columns - l->cells, least, needed);
	/* One column between for the cursor's bracket, but on the smallest screens. */
	spare = l->sums - l->cells - (l->sums - l->cells > LEAST_CELL);
	if (least > spare) {
		least = spare < 1 ? 1 : spare;	/* on a screen too small for anything */
		l->number_width = clamp(l->number_width, LEAST_CELL - 1, least - 1);
	}
	l->cell_width = least;
	if (columns * (size_t)least < (size_t)clamp(spare, 0, 10000))
		l->cell_width = clamp(spare / (int)columns, least, clamp(s->present.on ? 100 : widest, least, least + wider));
	/* Larger screens get wider cells. */
	for (int k = 0; k < 3 && s->zoom != ZOOM_SMALL; k++)
		if (columns * (size_t)(l->cell_width + 1) < (size_t)clamp(spare - 8, 0, 10000))
			l->cell_width++;
	l->visible_columns = (size_t)clamp(spare / l->cell_width, 1, 10000);
	/* Close the gap: the sums stand beside the last cell, not at the far edge. */
	if (l->visible_columns >= columns && l->cells + (int)columns * l->cell_width < l->sums)
		l->sums = l->cells + (int)columns * l->cell_width + 1;
	l->visible_rows = (size_t)clamp(l->grid_rows / l->cell_height, 1, 10000);
}

void layout_make(struct layout *l, const struct state *s)
{
	size_t rows, columns;

	*l = (struct layout){ .small = s->rows < LEAST_ROWS || s->columns < LEAST_COLUMNS };
	state_shape(s, &rows, &columns);
	int height = s->rows < LEAST_ROWS ? LEAST_ROWS : s->rows, wanted = panel_rows(s);
	(s->present.on ? place_few_lines : place_lines)(l, height);
	int bottom = l->bar_rows ? l->sentence : height - (l->footer >= 0) - (l->sentence >= 0);
	if (panel_is_whole(s)) {
		/* Over a grid that stays as it is, for when the experiment is closed. */
		l->panel = l->title >= 0;
		bottom = place_live(l, s, bottom - l->panel, bottom, LEAST_WHOLE);
		bottom = place_lesson(l, s, bottom - l->panel, bottom, bottom, LEAST_SWEEP);
		l->panel_rows = bottom - l->panel;
	} else if (wanted || s->lesson || live_shown(s)) {
		int cell = s->zoom == ZOOM_LARGE ? 3 : 1, needed = rows > 1000 ? bottom : (int)rows * cell;
		bottom = place_live(l, s, bottom - l->grid, bottom, (s->lesson ? 3 + LEAST_LESSON : 4) + (wanted ? LEAST_PANEL : 0));
		int least = least_rows(s, bottom - l->grid, wanted, needed);
		bottom = place_lesson(l, s, bottom - l->grid, bottom, wanted, least);
		place_panel(l, l->grid, bottom, wanted, needed, least);
	}
	l->number_width = number_width(s);
	l->label_width = clamp(s->label_width.rows, 3, clamp(s->columns / 6, 3, 24));
	l->cells = 2 + l->label_width + (s->columns >= 60);
	place_cells(l, s, rows, columns);
}

bool layout_hit(const struct layout *l, const struct state *s, int row, int column, size_t *i, size_t *j)
{
	size_t rows, columns;

	if (l->small || row < l->grid || row >= l->grid + l->grid_rows || column < l->cells)
		return false;
	state_shape(s, &rows, &columns);
	size_t down = (size_t)((row - l->grid) / l->cell_height);
	if (compare_shown(s) == COMPARE_BESIDE) {
		*i = s->top + down;
		return down < l->visible_rows && *i < rows && compare_hit(l, s, column, j) && *j < columns;
	}
	size_t across = (size_t)((column - l->cells) / l->cell_width);
	if (down >= l->visible_rows || across >= l->visible_columns || s->top + down >= rows || s->left + across >= columns)
		return false;
	*i = s->top + down;
	*j = s->left + across;
	return true;
}
