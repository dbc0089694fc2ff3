/* lanes_bins.h - the part of the kernel that pools weights into bins; lanes_build.h includes it. */
#ifndef CORE_LANES_BINS_H
#define CORE_LANES_BINS_H

/* ---- keys into bins ---- */

/* More keys of one bin. */
INLINE void pool_bin(const float *s, size_t keys, vec *max, vec *sum)
{
	vec now[VECTORS], less[VECTORS], more[VECTORS];

	UNROLL
	for (int n = 0; n < VECTORS; n++) {
		now[n] = largest(s + n * WIDTH, keys, max[n]);
		less[n] = reference(now[n]);
		more[n] = all(0);
	}
	for (size_t j = 0; j < keys; j++)
		UNROLL
		for (int n = 0; n < VECTORS; n++)
			more[n] += power_of_two(((const vec *)(s + j * LANES))[n] - less[n]);
	UNROLL
	for (int n = 0; n < VECTORS; n++) {
		more[n] += sum[n] * power_of_two(max[n] - less[n]);
		sum[n] = choose(all_hidden(now[n], more[n]), all(0), more[n]);
		max[n] = now[n];
	}
}

static void pool(const float *s, const uint32_t *stop, size_t bins, float *max, float *sum)
{
	size_t from = 0;

	for (size_t b = 0; b < bins; b++) {
		pool_bin(s + from * LANES, stop[b] - from, (vec *)(max + b * LANES), (vec *)(sum + b * LANES));
		from = stop[b];
	}
}

/* ---- bins into cells ---- */

/* A vector's numbers as doubles, added to two vectors of them. */
INLINE void add_doubles(doubles total[2], vec x)
{
	few part[2];

	memcpy(part, &x, sizeof part);
	total[0] += __builtin_convertvector(part[0], doubles);
	total[1] += __builtin_convertvector(part[1], doubles);
}

/* 1 / total, NaN where that is not above 0. */
INLINE void inverse_of(const doubles total[2], float *inverse)
{
	double all[WIDTH];

	memcpy(all, total, sizeof all);
	for (int i = 0; i < WIDTH; i++)
		inverse[i] = all[i] > 0 ? (float)(1 / all[i]) : NAN;
}

static void shares(float *max, float *sum, size_t bins, float inverse[LANES])
{
	for (int n = 0; n < VECTORS; n++) {
		float *m = max + n * WIDTH, *w = sum + n * WIDTH;
		vec less = reference(largest(m, bins, all(-INFINITY)));
		doubles total[2] = { { 0 } };

		for (size_t c = 0; c < bins * LANES; c += LANES) {
			vec x = *(vec *)(m + c) - less;
			vec weight = (vec)((truth)power_of_two(x) & ~(x < all(-126)));
			*(vec *)(m + c) = weight;
			*(vec *)(w + c) *= weight;
			add_doubles(total, *(vec *)(w + c));
		}
		inverse_of(total, inverse + n * WIDTH);
		vec factor = vector_at((const unsigned char *)(inverse + n * WIDTH));
		for (size_t c = 0; c < bins * LANES; c += LANES) {
			*(vec *)(m + c) *= factor;
			*(vec *)(w + c) *= factor;
		}
	}
}

/* The lanes from..to-1 as a vector of truths. */
INLINE truth in_range(int n, size_t from, size_t to)
{
	int32_t lane[WIDTH];
	truth which;

	for (int i = 0; i < WIDTH; i++)
		lane[i] = (size_t)(n * WIDTH + i) >= from && (size_t)(n * WIDTH + i) < to ? -1 : 0;
	memcpy(&which, lane, sizeof which);
	return which;
}

INLINE double across_doubles(const doubles total[2])
{
	doubles both = total[0] + total[1];
	double sum = 0;

	UNROLL
	for (int i = 0; i < WIDTH / 2; i++)
		sum += both[i];
	return sum;
}

/* Of numbers, none of them NaN. */
INLINE float largest_across(vec x)
{
	few part[2];
	float most;

	memcpy(part, &x, sizeof part);
	__typeof__(part[0] > part[1]) which = part[0] > part[1];
	part[0] = (few)((which & (__typeof__(which))part[0]) | (~which & (__typeof__(which))part[1]));
	most = part[0][0];
	UNROLL
	for (int i = 1; i < WIDTH / 2; i++)
		most = part[0][i] > most ? part[0][i] : most;
	return most;
}

static void fold(const float *max, const float *sum, size_t bins, size_t from, size_t to,
		 float *most, double *total)
{
	truth which[VECTORS];

	for (int n = 0; n < VECTORS; n++)
		which[n] = in_range(n, from, to);
	for (size_t c = 0; c < bins; c++) {
		doubles all_of_it[2] = { { 0 } };
		vec largest_of_it = all(0);
		for (int n = 0; n < VECTORS; n++) {
			const vec *m = (const vec *)(max + c * LANES) + n, *w = (const vec *)(sum + c * LANES) + n;
			largest_of_it = larger((vec)((truth)*m & which[n]), largest_of_it);
			add_doubles(all_of_it, (vec)((truth)*w & which[n]));
		}
		most[c] = largest_across(largest_of_it);
		total[c] = across_doubles(all_of_it);
	}
}

#endif
