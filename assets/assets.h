/* assets.h - the files of assets/ that are built into the program.
 *
 * The tables are made by build-aux/embed from the lists in Makefile.am. Names are
 * paths below assets/, "scenarios/causal-3.yaml"; `data` is followed by a NUL
 * that `size` does not count. After the last entry stands one with name NULL.
 *
 * Weights of models are in a table, and a file of C, of their own: it takes the
 * compiler seconds, and hardly ever changes. They cost no memory and no time
 * until they are read.
 */
#ifndef ASSETS_ASSETS_H
#define ASSETS_ASSETS_H

#include <stddef.h>

struct asset {
	const char *name;
	const unsigned char *data;
	size_t size;
};

extern const struct asset assets[];
extern const size_t assets_count;

extern const struct asset models[];
extern const size_t models_count;

#endif
