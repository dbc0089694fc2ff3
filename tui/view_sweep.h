/* view_sweep.h - what the files of the d_k experiment's view share. For these files alone. */
#ifndef TUI_VIEW_SWEEP_H
#define TUI_VIEW_SWEEP_H

#include "core/message.h"
#include "tui/text.h"
#include "tui/view_parts.h"

enum { STD_WIDTH = 26, STD_POINT = 3 };		/* of the std and its root; where the decimal point of both stands */

/* How a scale is drawn, wherever it stands. */
struct series {
	const char *glyph[2], *head[2];		/* UTF-8, ASCII */
	enum paint paint;
};
extern const struct series view_sweep_series[SWEEP_SCALE_COUNT];

/* Where the parts stand in the pane. */
struct sheet {
	struct canvas *c;
	const struct sweep *s;
	struct pane p;
	int ascii;			/* index of what is there in UTF-8 and in ASCII */
	int d_k_width;
	bool asked, groups;		/* the lines above the table's head */
	int measures;			/* columns of the table */
	bool sd[2];			/* of the largest weights, of the entropies */
	int table, table_rows;		/* first row below the heads, rows of d_k and of what is left out */
	bool even;			/* and a row for weights that are all alike */
	int std, std_column, std_rows;	/* without the heads; 0: not shown */
	int lower;			/* where the picture and the notes begin */
};

/* What of the notebook there is room for. */
struct notes {
	bool title;
	int sentence, table, questions;		/* rows of each; the table's with its head */
	int rows, gap;
};

static inline struct style paint(const struct sheet *t, enum paint p)
{
	return color_paint(&t->c->look, p);
}

static inline const char *root(const struct sheet *t)
{
	return t->ascii ? "sqrt(d_k)" : "\u221ad_k";
}

static inline int at_most(int x, int most)
{
	return x < most ? x : most;
}

static inline int at_least(int x, int least)
{
	return x > least ? x : least;
}

/* Of `count` lines in so many rows: those shown before the line that counts the others. */
static inline size_t lines_shown(size_t count, int rows)
{
	if (rows <= 0)
		return 0;
	return count <= (size_t)rows ? count : (size_t)rows - 1;
}

/* 0: a column of the largest weights; 1: of the entropies. */
static inline int group_of(int measure)
{
	return measure >= SWEEP_ENTROPY;
}

/* ---- view_sweep.c ---- */

/* Columns of the widest d_k, `least` where all are narrower. */
int view_sweep_size_width(const struct sweep_sizes *l, int least);
/* All d_k by their size. */
void view_sweep_sort(const struct sweep_sizes *l, size_t item[SWEEP_LIST]);
/* As np.round prints; what only rounds to zero does not pass for it. */
void view_sweep_rounded(double x, char out[NUMBER_SIZE]);
/* A number whose decimal point stands in that column, or the mark of none. */
void view_sweep_number(const struct sheet *t, int row, int point, double x, bool known, enum paint p);
void view_sweep_size(const struct sheet *t, int row, int column, int width, size_t d_k);
/* How many lines were left out (lines_shown); nothing for none. */
void view_sweep_more(const struct sheet *t, int row, int column, size_t left_out);
/* Where a column of the table begins. */
int view_sweep_column(const struct sheet *t, int measure);

/* ---- the parts ---- */

void view_sweep_table(const struct sheet *t);
/* The std of the dot products. */
void view_sweep_std(const struct sheet *t);
/* The picture, in so many rows of the pane from a row on. */
void view_sweep_plot(const struct sheet *t, int row, int rows, int columns);
/* The notebook in so much room; rows 0: there is none for it. */
struct notes view_sweep_plan_notes(const struct sheet *t, int rows, int columns);
void view_sweep_notes(const struct sheet *t, const struct notes *n, int row, int x);

#endif
