/* yaml_options.h - a map of options, as `set: {causal: on, pad: [2, 3]}` is one.
 * Private to core/io.
 */
#ifndef CORE_IO_YAML_OPTIONS_H
#define CORE_IO_YAML_OPTIONS_H

#include "core/io/yaml_node.h"

/* Sets the options of the map that is current on top of *o; errors call it
 * `name`, and stand at the value (of a list: at the item) or at the key that is
 * wrong. mark[x] becomes where the value of option x stands; the marks of options
 * that the map does not have, or has wrongly, stay. On error o has the values before it. option_read
 * sets one, whose value is current. */
enum status option_read(struct document *d, struct options *o, enum option which);
enum status options_read(struct document *d, const char *name, struct options *o, struct mark mark[OPT_COUNT]);

#endif
