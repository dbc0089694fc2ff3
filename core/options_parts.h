/* options_parts.h - between the registry of options and what sets their values. For these files alone. */
#ifndef CORE_OPTIONS_PARTS_H
#define CORE_OPTIONS_PARTS_H

#include <stddef.h>

#include "core/options.h"

#define AT(member) offsetof(struct options, member)
#define MANY 1e9	/* more than any index, far from overflow */

/* Where the value of an option stands. */
static inline void *place(struct options *o, enum option which)
{
	return (char *)o + option_info(which)->offset;
}

static inline const void *place_const(const struct options *o, enum option which)
{
	return (const char *)o + option_info(which)->offset;
}

static inline bool is_list(enum option_type t)
{
	return t == TYPE_INDICES || t == TYPE_IDS || t == TYPE_CELLS;
}

static inline bool is_text(enum option_type t)
{
	return t == TYPE_TEXT || t == TYPE_DIGITS;
}

#endif
