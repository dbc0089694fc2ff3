/* row_products.h - the two products of a row, wherever their numbers lie; for row.c. */
#ifndef CORE_ROW_PRODUCTS_H
#define CORE_ROW_PRODUCTS_H

#include "core/row.h"

/* The scores of row r->index from Q and K. */
void row_products(struct row *r, const struct attention *a);

/* out_c = sum_j weights_j m_jc: all c side by side, each with ascending j from +0, so that m is
 * gone through once. `buffer` has room for a row of it, or is NULL where m has numbers of its own. */
void row_mix(const double *weights, const struct matrix *m, double *buffer, enum dtype t, double *out);

#endif
