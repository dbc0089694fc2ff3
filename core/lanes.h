/* lanes.h - the inner loops of long float inputs, once for each width of vectors.
 *
 * A panel is 16 query rows, one a lane. What belongs to a panel lies lane beside
 * lane: its queries as [d_k][16], scores and weights as [key][16], outputs as
 * [d_v][16]. K and V are read where they are, row after row, each number going to
 * all lanes at once: nothing is packed, and softmax needs no sum across a vector.
 *
 * All arithmetic is float32. Arrays of a panel are aligned to LANES_ALIGN bytes;
 * K and V need no alignment at all, and `step` is the bytes from a row to the next.
 *
 * NaN and infinities behave as in softmax by definition: a row that sees NaN or
 * +inf, or nothing above -inf, gets the sum NaN or 0, and 0/0 is NaN.
 */
#ifndef CORE_LANES_H
#define CORE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/dtype.h"

enum { LANES = 16, LANES_ALIGN = 64 };

/* What softmax needs of a run of keys, for each lane. Of no key at all: -inf, 0, 0. */
struct lane_sums {
	_Alignas(LANES_ALIGN) float max[LANES];
	float sum[LANES];		/* of exp(x - max); 0 when max is -inf */
	float moment[LANES];		/* of exp(x - max) (x - max) */
};

struct lanes {
	const char *name;

	/* s[j][r] = scale * sum_c k[j][c] q[c][r], c ascending; q is [d][16]. */
	void (*dots)(const void *k, size_t step, size_t keys, size_t d, const float *q, float scale, float *s);
	/* The same for two panels: q is [2][d][16], and the second one's scores begin `next`
	 * floats behind those of the first. Same bits as two calls. */
	void (*dots_two)(const void *k, size_t step, size_t keys, size_t d, const float *q, float scale,
			 float *s, size_t next);
	/* The same for one query, unscaled, and K of any type: s[j] = sum_c k[j][c] q[c], in
	 * another order. */
	void (*dots_of_row)(const void *k, enum dtype type, size_t step, size_t keys, size_t d,
			    const float *q, float *s);

	/* out = factor * s, n numbers, n divided by 16; out may be s. */
	void (*scale)(const float *s, size_t n, float factor, float *out);
	/* s[j][r] = -inf for j >= limit[r]. */
	void (*hide)(float *s, size_t keys, const int32_t limit[LANES]);

	/* The sums of s. */
	void (*sums)(const float *s, size_t keys, struct lane_sums *out);
	/* The sums of one row of scores, in lane 0. */
	void (*sums_of_row)(const float *s, size_t keys, struct lane_sums *out);
	/* into = the sums of both runs together. */
	void (*merge)(struct lane_sums *into, const struct lane_sums *more);

	/* More keys for bins of which max and the sum of 2^(x - max), [bins][16], are known (-inf
	 * and 0: of none): bin b gets the keys stop[b-1]..stop[b]-1, the first one from 0 on. s is
	 * in units of ln 2. NaN is passed over in max, and makes the sum NaN. */
	void (*pool)(const float *s, const uint32_t *stop, size_t bins, float *max, float *sum);

	/* All bins of a panel, [bins][16] as pool leaves them, become shares of their rows' weights:
	 * the largest and the sum. inverse is 1 / softmax' denominator, NaN where there is none. */
	void (*shares)(float *max, float *sum, size_t bins, float inverse[LANES]);
	/* The same of the rows from..to-1 together: the largest, NaN passed over, and the sum of each bin. */
	void (*fold)(const float *max, const float *sum, size_t bins, size_t from, size_t to,
		     float *most, double *total);

	/* One step of a softmax that sees its keys in pieces: s becomes exp(s - max) with
	 * max raised to that of s, sum gets theirs alone, and factor is what everything
	 * from before has to be multiplied by. Returns whether a factor is not 1. */
	bool (*advance)(float *s, size_t keys, float max[LANES], float sum[LANES], float factor[LANES]);

	/* o[c][r] += sum_j v[j][c] w[j][r], j ascending; with limits a key j >= limit[r]
	 * adds nothing, whatever v holds. */
	void (*mix)(const void *v, size_t step, size_t keys, size_t d, const float *w, float *o);
	void (*mix_limited)(const void *v, size_t step, size_t keys, size_t d, const float *w,
			    const int32_t limit[LANES], float *o);
	/* o[c][r] *= factor[r] */
	void (*multiply)(float *o, size_t d, const float factor[LANES]);

	/* s[j][r] = exp(s[j][r] - max[r]) / sum[r]; max -inf counts as 0. */
	void (*weights)(float *s, size_t keys, const float max[LANES], const float sum[LANES]);

	/* n numbers of a type, one after another at any address, as float32. */
	void (*widen)(const void *from, enum dtype type, size_t n, float *to);
	/* exp of n numbers: 1.3 ulp at most; below -87.33 it is 0. */
	void (*exponential)(const float *x, size_t n, float *y);
};

/* Each width: for any processor, for AVX2 with FMA and F16C, for AVX-512; NULL where the compiler
 * has no such thing. To be called only where lanes_usable says so. */
const struct lanes *lanes_base(void);
const struct lanes *lanes_avx2(void);
const struct lanes *lanes_avx512(void);

enum { LANES_KERNELS = 3 };
/* The same by number, from the narrowest on. */
const struct lanes *lanes_kernel(size_t which);
/* Whether this processor runs it; NULL is not usable. */
bool lanes_usable(const struct lanes *l);
/* The widest that this processor runs. */
const struct lanes *lanes_choose(void);

#endif
