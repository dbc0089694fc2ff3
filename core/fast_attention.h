/* fast_attention.h - an attention in the terms of fast.h, where its rules allow that.
 *
 * fast.h knows causal with its offsets, padding of keys, and a scale; every other option
 * has to be as at first, scores must not be edited, and masks not come from files. The
 * number type has to be auto or f64: whether float32 will do is for the caller to say.
 */
#ifndef CORE_FAST_ATTENTION_H
#define CORE_FAST_ATTENTION_H

#include "core/fast.h"
#include "core/row.h"

bool fast_attention_fits(const struct attention *a);

/* A head that computes what the attention, which fits, does. Its numbers are the problem's
 * doubles, or those of q, k and v where these are given (NULL: not). *pad, which the head
 * refers to, is the caller's to free; NULL without padding. E_MEMORY. */
enum status fast_attention_head(struct fast_head *h, unsigned char **pad, const struct attention *a,
				const struct tensor_view *q, const struct tensor_view *k, const struct tensor_view *v, struct error *e);

#endif
