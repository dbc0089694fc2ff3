/* assets.h - the files of assets/ that are built into the program.
 *
 * The table is made by build-aux/embed from the list in Makefile.am. Names are
 * paths below assets/, "scenarios/causal-3.yaml"; `data` is followed by a NUL
 * that `size` does not count. After the last entry stands one with name NULL.
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

#endif
