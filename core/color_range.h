/* color_range.h - what the ends of a colour scale are: the option `range`. */
#ifndef CORE_COLOR_RANGE_H
#define CORE_COLOR_RANGE_H

#include <stdbool.h>

enum range_mode {
	RANGE_AUTO,		/* 0 to 1 for weights; scores symmetrical about 0, up to the largest shown */
	RANGE_SHOWN,		/* the smallest and the largest that are shown */
	RANGE_ROW,		/* the same of each row by itself */
	RANGE_LOG,		/* as SHOWN, in equal ratios */
	RANGE_PERCENTILE,	/* the 2nd and the 98th of what is shown */
	RANGE_LIMITS,		/* low and high, as given */
};

struct color_range {
	enum range_mode mode;
	double low, high;	/* of LIMITS: finite, low < high */
};

/* The words for them, in that order, without that of LIMITS; NULL-terminated. */
extern const char *const color_range_words[];
/* Reads a word, or LOW..HIGH; "" is auto. False, and *r as it was, for anything else. */
bool color_range_parse(const char *text, struct color_range *r);

#endif
