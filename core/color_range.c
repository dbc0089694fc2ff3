/* color_range.c - what the ends of a colour scale are: the option `range`. */
#include "core/color_range.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/number.h"

const char *const color_range_words[] = { "auto", "shown", "row", "log", "percentile", NULL };

/* Where the two points are that stand between the numbers; NULL without them. A
 * number may end in a point of its own: 0...5 is 0. and .5 for nobody. */
static const char *between(const char *text)
{
	const char *points = strstr(text, "..");

	return points && points[2] != '.' ? points : NULL;
}

bool color_range_parse(const char *text, struct color_range *r)
{
	struct color_range limits = { .mode = RANGE_LIMITS };
	const char *points = between(text);

	for (int k = 0; color_range_words[k]; k++)
		if (!strcmp(text, color_range_words[k]) || (!k && !*text)) {
			*r = (struct color_range){ .mode = (enum range_mode)k };
			return true;
		}
	if (!points || !number_parse(text, (size_t)(points - text), &limits.low) ||
	    !number_parse(points + 2, strlen(points + 2), &limits.high))
		return false;
	if (!isfinite(limits.low) || !isfinite(limits.high) || limits.low >= limits.high)
		return false;
	*r = limits;
	return true;
}
