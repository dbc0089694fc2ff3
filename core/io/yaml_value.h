/* yaml_value.h - the values that YAML files of this program share: numbers, seeds,
 * texts, and texts in several languages. Private to core/io.
 *
 * Each reads the node that is current (yaml_node.h) and is called with the name
 * that errors begin with. Outputs are as they were on error, where nothing else
 * is said.
 */
#ifndef CORE_IO_YAML_VALUE_H
#define CORE_IO_YAML_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/io/yaml_node.h"

/* Digits up to limit; p moves behind them. False when there are none, or more. */
bool value_digits(const char **p, size_t limit, size_t *value);

/* A whole number from lowest to highest: E_VALUE, E_LIMIT when it is more. */
enum status value_size(struct document *d, const char *name, uint64_t lowest, uint64_t highest, uint64_t *value);

/* A number, .inf, -.inf or .nan. */
enum status value_number(struct document *d, const char *name, double *value);

/* Decimal digits, to be freed; E_LIMIT when RANDOM_SEED_DIGITS do not hold them. */
enum status value_seed(struct document *d, const char *name, char **seed);
/* The digits of a seed that count: those behind leading zeros. */
size_t value_seed_digits(const char *text);

/* A text that is not nothing, to be freed. */
enum status value_text(struct document *d, const char *name, char **text);

/* A text, or a map with one for each language, into *t, which is empty (free it
 * with what owns it, also on error). title_in finds the one to show. */
enum status value_title(struct document *d, const char *name, struct title *t);

#endif
