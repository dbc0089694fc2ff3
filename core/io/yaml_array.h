/* yaml_array.h - matrices in YAML: a list of rows, or a list of those, one a head.
 * Private to core/io.
 */
#ifndef CORE_IO_YAML_ARRAY_H
#define CORE_IO_YAML_ARRAY_H

#include "core/io/yaml_node.h"

/* Reads the array that is current, whose name is in errors, into *to, which is
 * empty (free it with what owns it, also on error). E_SHAPE about ragged rows,
 * empty ones, and heads of several shapes; x and w-o have one matrix for all
 * heads. The numbers go straight into their matrix. */
enum status array_read(struct document *d, enum array which, struct array_heads *to);

#endif
