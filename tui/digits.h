/* digits.h - one number as a cell shows it: its text and its look. */
#ifndef TUI_DIGITS_H
#define TUI_DIGITS_H

#include <stdbool.h>
#include <stddef.h>

/* Six looks that differ without colour too, beside the plain number. */
enum number_look {
	LOOK_NUMBER,
	LOOK_HIDDEN,	/* a mask hides the cell: a mark before what it got */
	LOOK_ZERO,	/* exactly zero: "0" */
	LOOK_TINY,	/* not zero, but the digits shown are: "~0" */
	LOOK_NAN,	/* "nan" */
	LOOK_INFINITE,	/* "inf", "-inf" */
	LOOK_RANGE,	/* a weight below 0 or above 1: "!" before it */
};

struct digits_rule {
	int precision, width;
	bool weights;		/* [0, 1] is the range */
	bool ascii;
};

enum { DIGITS_SIZE = 64 };

/* Never longer than rule->width columns (at least 5); a number without room
 * becomes shorter in exponent form. */
enum number_look digits_cell(double x, bool hidden, const struct digits_rule *rule, char out[DIGITS_SIZE]);

#endif
