/* arguments_parts.h - between reading the words of the command line and what they mean. For these files alone. */
#ifndef TUI_ARGUMENTS_PARTS_H
#define TUI_ARGUMENTS_PARTS_H

#include "tui/arguments.h"

/* The bits of all commands (flag_info). */
#define EVERY ((1u << TOOL_COUNT) - 1)
/* A value of --stage that is no stage. */
#define ROW_SUMS_WORD "row-sums"

/* These mean something else to qkv sweep: lists, other limits. */
static inline bool is_sweeps(enum option o)
{
	return o == OPT_D_K || o == OPT_N || o == OPT_SEED;
}

/* What the words that were read mean to the command that was named: flags that it does not take are
 * refused, and the values of the others are put into inv. E_VALUE. */
enum status arguments_interpret(struct invocation *inv, struct error *e);

#endif
