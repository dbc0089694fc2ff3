/* model_strips.h - the inner loop of model_linear.c, for one width of vectors.
 *
 * Included once a width, with LANES (floats in a vector), NAME(x) for names and
 * TARGET, the processor's features. In GNU C's vectors, which the compiler turns
 * into what the processor has.
 */
typedef float NAME(lanes) __attribute__((vector_size(LANES * sizeof(float))));
/* The same anywhere among other floats. */
typedef float NAME(loose) __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
#define LOAD(p) (*(const NAME(loose) *)(p))
#define STORE(p, v) (*(NAME(loose) *)(p) = (v))

/* Two vectors of outputs, for four positions and for one. The sums are written
 * out so that they stay in registers. */
#define ADD(r) \
	first##r += x[(r) * step + c] * low; \
	second##r += x[(r) * step + c] * high
#define PUT(r) \
	STORE(out[r], first##r); \
	STORE(out[r] + LANES, second##r)

TARGET
static void NAME(four)(const float *w, const float *bias, const float *x, size_t step, size_t in,
		      float out[BLOCK][LINEAR_STRIP])
{
	NAME(lanes) first0 = LOAD(bias), first1 = first0, first2 = first0, first3 = first0;
	NAME(lanes) second0 = LOAD(bias + LANES), second1 = second0, second2 = second0, second3 = second0;

	for (size_t c = 0; c < in; c++, w += LINEAR_STRIP) {
		NAME(lanes) low = LOAD(w), high = LOAD(w + LANES);
		ADD(0);
		ADD(1);
		ADD(2);
		ADD(3);
	}
	PUT(0);
	PUT(1);
	PUT(2);
	PUT(3);
}

TARGET
static void NAME(one)(const float *w, const float *bias, const float *x, size_t in, float out[BLOCK][LINEAR_STRIP])
{
	enum { step = 0 };		/* there is no second position */

	NAME(lanes) first0 = LOAD(bias), second0 = LOAD(bias + LANES);

	for (size_t c = 0; c < in; c++, w += LINEAR_STRIP) {
		NAME(lanes) low = LOAD(w), high = LOAD(w + LANES);
		ADD(0);
	}
	PUT(0);
}

/* A whole strip for BLOCK positions, or one. */
TARGET
static void NAME(strip)(const float *w, const float *bias, const float *x, size_t step, size_t in,
			size_t rows, float out[BLOCK][LINEAR_STRIP])
{
	for (size_t o = 0; o < LINEAR_STRIP; o += 2 * LANES) {
		float part[BLOCK][LINEAR_STRIP];
		if (rows == BLOCK)
			NAME(four)(w + o, bias + o, x, step, in, part);
		else
			NAME(one)(w + o, bias + o, x, in, part);
		for (size_t r = 0; r < rows; r++)
			memcpy(out[r] + o, part[r], 2 * LANES * sizeof(float));
	}
}

#undef ADD
#undef PUT
#undef LOAD
#undef STORE
