/* model_vectors.h - the inner loops of model_linear.c, for one width of vectors.
 *
 * Included once a width, with LANES (floats in a vector), NAME(x) for names,
 * TARGET, the processor's features, and MULTIPLY_ADD(a, b, c), a b + c of vectors.
 * In GNU C's vectors, which the compiler turns into what the processor has.
 */

/* ---- matrices ---- */

typedef float NAME(lanes) __attribute__((vector_size(LANES * sizeof(float))));
/* The same anywhere among other floats. */
typedef float NAME(loose) __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
#define LOAD(p) (*(const NAME(loose) *)(p))
#define STORE(p, v) (*(NAME(loose) *)(p) = (v))
/* A number in every lane. */
#define ALL(x) ((x) - (NAME(lanes)){ 0 })

/* Two vectors of outputs, for four rows and for one. The sums are written out so
 * that they stay in registers. */
#define ADD(r) do { \
	const NAME(lanes) in##r = ALL(x.v[(r) * x.step + c]); \
	first##r = MULTIPLY_ADD(in##r, low, first##r); \
	second##r = MULTIPLY_ADD(in##r, high, second##r); \
} while (0)
#define PUT(r) do { \
	STORE(y.v + (r) * y.step, first##r); \
	STORE(y.v + (r) * y.step + LANES, second##r); \
} while (0)

TARGET
static void NAME(four)(const float *w, const float *bias, size_t in, struct rows x, struct rows y)
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
static void NAME(one)(const float *w, const float *bias, size_t in, struct rows x, struct rows y)
{
	NAME(lanes) first0 = LOAD(bias), second0 = LOAD(bias + LANES);

	for (size_t c = 0; c < in; c++, w += LINEAR_STRIP) {
		NAME(lanes) low = LOAD(w), high = LOAD(w + LANES);
		ADD(0);
	}
	PUT(0);
}

/* A whole strip for n rows. */
TARGET
static void NAME(strip)(const float *w, const float *bias, size_t in, struct rows x, size_t n, struct rows y)
{
	for (size_t o = 0; o < LINEAR_STRIP; o += 2 * LANES) {
		struct rows from = x, to = { y.v + o, y.step };
		size_t left = n;
		for (; left >= 4; left -= 4, from.v += 4 * x.step, to.v += 4 * y.step)
			NAME(four)(w + o, bias + o, in, from, to);
		for (; left; left--, from.v += x.step, to.v += y.step)
			NAME(one)(w + o, bias + o, in, from, to);
	}
}

/* ---- functions, one number a lane ---- */

typedef uint32_t NAME(bits) __attribute__((vector_size(LANES * sizeof(uint32_t))));

/* The bits of v where the comparison holds, else 0. */
#define KEEP(holds, v) ((NAME(lanes))((NAME(bits))(v) & (NAME(bits))(holds)))

/* e^x of a lane for x <= 0, within 2 units in the last place; 0 below -87, NaN of NaN.
 * x = n ln 2 + r with n whole, and e^r by its series: |r| <= 0.35, and r^8 / 8! is 5e-9. */
#define EXP(result, x) do { \
	const NAME(lanes) in = (x), shifted = MULTIPLY_ADD(in, ALL(1.44269504f), ALL(12582912.0f)), n = shifted - 12582912.0f; \
	const NAME(lanes) r = MULTIPLY_ADD(n, ALL(2.12194440e-4f), MULTIPLY_ADD(n, ALL(-0.693359375f), in)); \
	NAME(lanes) sum = MULTIPLY_ADD(r, ALL(1 / 5040.0f), ALL(1 / 720.0f)); \
	sum = MULTIPLY_ADD(sum, r, ALL(1 / 120.0f)); \
	sum = MULTIPLY_ADD(sum, r, ALL(1 / 24.0f)); \
	sum = MULTIPLY_ADD(sum, r, ALL(1 / 6.0f)); \
	sum = MULTIPLY_ADD(sum, r, ALL(0.5f)); \
	sum = MULTIPLY_ADD(sum, r * r, r) + 1.0f; \
	/* The last bits of `shifted` are n, which goes into the exponent. */ \
	(result) = KEEP(in >= -87.0f, (NAME(bits))sum + ((NAME(bits))shifted << 23)) + KEEP(in != in, in); \
} while (0)

/* The rest of n numbers that fill no vector go through one with zeros behind them. */
TARGET
static void NAME(exp)(const float *x, float shift, size_t n, float *y)
{
	for (size_t c = 0; c < n; c += LANES) {
		float part[LANES] = { 0 };
		NAME(lanes) e;
		if (c + LANES <= n) {
			EXP(e, LOAD(x + c) - shift);
			STORE(y + c, e);
			continue;
		}
		memcpy(part, x + c, (n - c) * sizeof *part);
		EXP(e, LOAD(part) - shift);
		STORE(part, e);
		memcpy(y + c, part, (n - c) * sizeof *part);
	}
}

/* erf y = 1 - (a_1 t + ... + a_5 t^5) e^(-y^2), t = 1 / (1 + p y), y >= 0, within 1.5e-7:
 * M. Abramowitz and I. Stegun 1964, 7.1.26. */
TARGET
static void NAME(gelu_part)(float *a)
{
	const NAME(lanes) x = LOAD(a);
	const NAME(bits) negative = (NAME(bits))(x < 0);
	const NAME(lanes) y = (KEEP(~negative, x) - KEEP(negative, x)) * 0.70710678f;
	const NAME(lanes) t = 1.0f / MULTIPLY_ADD(y, ALL(0.3275911f), ALL(1.0f));
	NAME(lanes) sum = MULTIPLY_ADD(t, ALL(1.061405429f), ALL(-1.453152027f)), e;

	sum = MULTIPLY_ADD(sum, t, ALL(1.421413741f));
	sum = MULTIPLY_ADD(sum, t, ALL(-0.284496736f));
	sum = MULTIPLY_ADD(sum, t, ALL(0.254829592f));
	EXP(e, -y * y);
	/* 1 + erf of a negative number is what erf of its size leaves of 1. */
	const NAME(lanes) rest = sum * t * e;
	STORE(a, 0.5f * x * (KEEP(negative, rest) + KEEP(~negative, 2.0f - rest)));
}

TARGET
static void NAME(gelu)(float *a, size_t n)
{
	float part[LANES] = { 0 };
	size_t c = 0;

	for (; c + LANES <= n; c += LANES)
		NAME(gelu_part)(a + c);
	memcpy(part, a + c, (n - c) * sizeof *part);
	NAME(gelu_part)(part);
	memcpy(a + c, part, (n - c) * sizeof *part);
}

/* Multiplied and added apart, so that what fills no vector has the same bits. */
TARGET
static void NAME(divide)(float *x, size_t n, float by)
{
	size_t c = 0;

	for (; c + LANES <= n; c += LANES)
		STORE(x + c, LOAD(x + c) / by);
	for (; c < n; c++)
		x[c] /= by;
}

TARGET
static void NAME(norm)(const struct norm *l, const float *x, float mean, float root, float *y)
{
	size_t c = 0;

	for (; c + LANES <= l->n; c += LANES)
		STORE(y + c, (LOAD(x + c) - mean) / root * LOAD(l->weight + c) + LOAD(l->bias + c));
	for (; c < l->n; c++)
		y[c] = (x[c] - mean) / root * l->weight[c] + l->bias[c];
}

static const struct kernel NAME(kernel) = { NAME(strip), NAME(exp), NAME(gelu), NAME(divide), NAME(norm) };

#undef ALL
#undef ADD
#undef PUT
#undef LOAD
#undef STORE
#undef KEEP
#undef EXP
