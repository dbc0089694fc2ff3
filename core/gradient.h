/* gradient.h - how much each weight of a row still reacts to each number that
 * softmax received in that row.
 *
 * x_k (masked) is what softmax received, w_j the row's finished weight; j, k are
 * keys of one query. For the plain softmax (Vaswani et al. 2017, equation 1)
 *   dw_j/dx_k = w_j (delta_jk - w_k),
 * which is 0 once one weight is 1: a saturated softmax learns little. Of the row
 * engine's variants, with p the softmax of x before anything else is done to it,
 *   mask-at after         w_j (delta_jk - p_k): a hidden key still takes its share
 *   mask-at after-renorm  as plain; f_k for w_k below
 *   dropout               w_j (delta_jk - t_k), t the weights before the dropping
 *   softmax-times 2       the chain rule: the second Jacobian times the first
 *   softmax column        w_j (1 - p_j) for k == j, else 0: of its own row a weight
 *                         shares the column with nothing; with after-renorm it does,
 *                         w_j (delta_jk - f_k) (1 - p_k), f the weights before dropout
 *   softmax-kind naive    as stable; the rounding of the row engine decides on nan
 *   empty-row zero, uniform   0: a row without visible keys is constant then
 *   finished weights      taken for the softmax of scores that nobody knows:
 *                         w_j (delta_jk - w_k), even if they do not sum to 1
 * and what is combined is chained.
 * Scale, temperature, softcap, alibi and bias come before x and are no part of it.
 * Nor is the fill: where it replaces a hidden cell, x_k is the fill itself, and the
 * entry tells what the fill does; the score that was there moves nothing.
 *
 * What is nan stays nan: all of a row whose sum is not finite; with softmax over
 * columns a weight that is not finite, alone. Hidden by -inf is exactly 0, never -0.
 *
 * The derivative is computed in double from the row's weights, in narrow number
 * types from the rounded ones: it is that of softmax at these weights, not that of
 * the rounding, which is 0 nearly everywhere. What a row does not keep is computed
 * again, each step rounded, from its masked numbers, maximum and denominator.
 *
 * A row must be computed at least as far as its weights, by this attention. Nothing
 * is allocated, nothing of size n_k x n_k is kept, nothing can fail. Cost of each
 * function: n_k, with a few exponentials a key where the weights alone do not do.
 */
#ifndef CORE_GRADIENT_H
#define CORE_GRADIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/row.h"

/* False for two softmaxes over columns: there a number comes back to its own row
 * through all other rows, which a row does not know. All results are nan then, but
 * for rows that are constant. */
bool gradient_known(const struct attention *a);

/* out[k] = dw_j/dx_k for k < n_k; j < n_k. */
void gradient_row(const struct row *r, const struct attention *a, size_t j, double *out);

/* The row in one number, the trace: sum_j dw_j/dx_j, each weight's reaction to its
 * own number. Plain: 1 - sum_j w_j^2, which is 0 when saturated and 1 - 1/n when
 * n weights are equal. */
double gradient_reaction(const struct row *r, const struct attention *a);

/* Largest |dw_j/dx_k| of all j, k; plain: max_j w_j (1 - w_j), at most 1/4. After one
 * softmax an entry off the diagonal is w_j times something of k alone, so that the
 * two largest of these are enough. softmax-times 2 has no such shortcut: nan, unless
 * the row is constant. */
double gradient_largest(const struct row *r, const struct attention *a);

#endif
