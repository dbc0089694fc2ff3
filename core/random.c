/* random.c - the stream of numpy.random.default_rng(seed), bit for bit. */
#include "core/random.h"

#include <math.h>
#include <string.h>

/* Nine decimal digits are less than 30 bits: one more word holds them. */
enum { SEED_CHUNK = 9, SEED_WORDS = RANDOM_SEED_DIGITS / SEED_CHUNK + 1 };

enum { POOL_WORDS = 4 };

/* ---- 128 bits as two halves: C11 has no wider integer ---- */

static struct random_word128 add_128(struct random_word128 a, struct random_word128 b)
{
	struct random_word128 sum = { a.high + b.high, a.low + b.low };
	sum.high += sum.low < a.low;
	return sum;
}

/* The low 128 bits of the product. */
static struct random_word128 multiply_128(struct random_word128 a, struct random_word128 b)
{
	uint64_t a0 = (uint32_t)a.low, a1 = a.low >> 32;
	uint64_t b0 = (uint32_t)b.low, b1 = b.low >> 32;
	uint64_t low = a0 * b0, cross = a0 * b1, cross2 = a1 * b0;
	/* At most 3 * (2^32 - 1): cannot overflow. */
	uint64_t middle = (low >> 32) + (uint32_t)cross + (uint32_t)cross2;

	return (struct random_word128){
		.high = a1 * b1 + (cross >> 32) + (cross2 >> 32) + (middle >> 32) +
			a.high * b.low + a.low * b.high,
		.low = middle << 32 | (uint32_t)low,
	};
}

/* ---- PCG64: a 128-bit linear congruential generator ---- */

static const struct random_word128 pcg_multiplier = {
	0x2360ed051fc65da4u, 0x4385df649fccf645u
};

static void pcg_step(struct random *r)
{
	r->state = add_128(multiply_128(r->state, pcg_multiplier), r->increment);
}

uint64_t random_next(struct random *r)
{
	/* XSL-RR: the state moves first, then its new value is folded. */
	pcg_step(r);
	uint64_t folded = r->state.high ^ r->state.low;
	unsigned turn = (unsigned)(r->state.high >> 58);
	return folded >> turn | folded << (-turn & 63);
}

/* Brown's jump: a step is x -> m*x + p; squaring that map doubles the number
 * of steps, and the bits of count say which powers to combine. */
void random_advance(struct random *r, uint64_t count)
{
	const struct random_word128 one = { 0, 1 };
	struct random_word128 multiplier = pcg_multiplier, plus = r->increment;
	struct random_word128 total_multiplier = one, total_plus = { 0, 0 };

	for (; count; count >>= 1) {
		if (count & 1) {
			total_multiplier = multiply_128(total_multiplier, multiplier);
			total_plus = add_128(multiply_128(total_plus, multiplier), plus);
		}
		plus = multiply_128(add_128(multiplier, one), plus);
		multiplier = multiply_128(multiplier, multiplier);
	}
	r->state = add_128(multiply_128(r->state, total_multiplier), total_plus);
}

/* ---- the seed: O'Neill's seed_seq hashing ---- */

static uint32_t hash_word(uint32_t word, uint32_t *constant, uint32_t multiplier)
{
	word ^= *constant;
	*constant *= multiplier;
	word *= *constant;
	return word ^ word >> 16;
}

static uint32_t mix_words(uint32_t x, uint32_t y)
{
	uint32_t mixed = x * 0xca01f9ddu - y * 0x4973f715u;
	return mixed ^ mixed >> 16;
}

static void fill_pool(uint32_t pool[POOL_WORDS], const uint32_t *words, size_t n)
{
	const uint32_t multiplier = 0x931e8875u;
	uint32_t constant = 0x43b0d7e5u;

	/* Words that a short seed does not have count as 0. */
	for (size_t i = 0; i < POOL_WORDS; i++)
		pool[i] = hash_word(i < n ? words[i] : 0, &constant, multiplier);
	for (size_t from = 0; from < POOL_WORDS; from++)
		for (size_t to = 0; to < POOL_WORDS; to++)
			if (from != to)
				pool[to] = mix_words(pool[to],
						     hash_word(pool[from], &constant, multiplier));
	for (size_t from = POOL_WORDS; from < n; from++)
		for (size_t to = 0; to < POOL_WORDS; to++)
			pool[to] = mix_words(pool[to],
					     hash_word(words[from], &constant, multiplier));
}

/* The state and the increment from a seed's words, lowest first. */
static void seed_state(struct random *r, const uint32_t *words, size_t n)
{
	const uint32_t multiplier = 0x58f38dedu;
	uint32_t constant = 0x8b51f9ddu;
	uint32_t pool[POOL_WORDS];
	uint64_t out[4];

	fill_pool(pool, words, n);
	for (size_t i = 0; i < 4; i++) {
		uint64_t low = hash_word(pool[2 * i % POOL_WORDS], &constant, multiplier);
		uint64_t high = hash_word(pool[(2 * i + 1) % POOL_WORDS], &constant, multiplier);
		out[i] = high << 32 | low;
	}

	/* Of the 128-bit numbers the high half comes first. The increment is
	 * twice the sequence number plus one: odd, as the generator needs. */
	struct random_word128 start = { out[0], out[1] };
	r->increment.high = out[2] << 1 | out[3] >> 63;
	r->increment.low = out[3] << 1 | 1;
	r->state = (struct random_word128){ 0, 0 };
	pcg_step(r);
	r->state = add_128(r->state, start);
	pcg_step(r);
}

/* Decimal digits, at most RANDOM_SEED_DIGITS, as 32-bit words, lowest first and none
 * of the leading ones zero. Returns how many; 0 for the number 0. */
static size_t read_words(uint32_t words[SEED_WORDS], const char *digits, size_t length)
{
	size_t n = 0;

	while (length) {
		/* The first chunk is the short one, so that the others are equal. */
		size_t chunk = length % SEED_CHUNK ? length % SEED_CHUNK : SEED_CHUNK;
		uint64_t carry = 0, scale = 1;
		for (size_t i = 0; i < chunk; i++) {
			carry = carry * 10 + (uint64_t)(digits[i] - '0');
			scale *= 10;
		}
		for (size_t i = 0; i < n; i++) {
			carry += words[i] * scale;
			words[i] = (uint32_t)carry;
			carry >>= 32;
		}
		if (carry)
			words[n++] = (uint32_t)carry;
		digits += chunk;
		length -= chunk;
	}
	return n;
}

enum status random_seed(struct random *r, const struct random_tables *t,
			const char *digits, struct error *e)
{
	uint32_t words[SEED_WORDS] = { 0 };
	size_t length = strspn(digits, "0123456789");

	if (!length || digits[length])
		return error_set(e, E_VALUE,
				 "a seed is a whole number in decimal digits, without a sign");
	size_t zeros = strspn(digits, "0");
	if (length - zeros > RANDOM_SEED_DIGITS)
		return error_set(e, E_LIMIT, "a seed has at most %d digits, this one has %zu",
				 RANDOM_SEED_DIGITS, length - zeros);

	size_t n = read_words(words, digits + zeros, length - zeros);
	seed_state(r, words, n);
	r->tables = t;
	return OK_STATUS;
}

/* ---- doubles and normals ---- */

double random_double(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

/* Where the tail starts, its reciprocal, and the area of each of the 256
 * strips. NumPy's area is a little off the true one (...6549), which matters:
 * with the true one half of all draws have another last bit. */
static const double tail_start = 0x1.d3bb48209ad33p+1;
static const double tail_start_reciprocal = 0x1.183aa6c20e8c1p-2;
static const double strip_area = 0x1.43016a5a4372ep-8;

/* FNV-1a over the bytes of a 64-bit word, lowest first. */
static uint64_t hash_bytes(uint64_t hash, uint64_t word)
{
	for (int shift = 0; shift < 64; shift += 8) {
		hash ^= word >> shift & 0xff;
		hash *= 0x100000001b3u;
	}
	return hash;
}

static uint64_t hash_doubles(uint64_t hash, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t bits;
		memcpy(&bits, &v[i], sizeof bits);
		hash = hash_bytes(hash, bits);
	}
	return hash;
}

static uint64_t hash_tables(const struct random_tables *t)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < 256; i++)
		hash = hash_bytes(hash, t->k[i]);
	hash = hash_doubles(hash, t->w, 256);
	return hash_doubles(hash, t->f, 256);
}

/* NumPy's tables were made in plain double arithmetic and are not the nearest
 * doubles to the exact ones; the same arithmetic in the same order gives them. */
static void compute_tables(struct random_tables *t)
{
	double edge = tail_start;

	for (int i = 255; i > 0; i--) {
		t->f[i] = exp(-0.5 * edge * edge);
		/* The one entry where the libm that made NumPy's tables was
		 * not correctly rounded. */
		if (i == 38)
			t->f[i] = nextafter(t->f[i], 1.0);
		t->w[i] = edge * 0x1p-52;
		if (i == 1)
			break;
		double next_edge = sqrt(-2.0 * log(strip_area / edge + t->f[i]));
		t->k[i] = (uint64_t)rint(next_edge / edge * 0x1p52);
		edge = next_edge;
	}
	t->k[1] = 0;
	t->f[0] = 1.0;
	t->w[0] = strip_area / t->f[255] * 0x1p-52;
	t->k[0] = (uint64_t)(tail_start * t->f[255] / strip_area * 0x1p52);
}

enum status random_tables_init(struct random_tables *t, struct error *e)
{
	struct random_tables made;

	compute_tables(&made);
	if (hash_tables(&made) != 0x2aaf6f8cd4345568u)
		return error_set(e, E_VALUE, "this machine's mathematical library gives other "
				 "random numbers than NumPy's");
	*t = made;
	return OK_STATUS;
}

/* Marsaglia's method for the part beyond the last strip. */
static double draw_tail(struct random *r)
{
	for (;;) {
		double beyond = -tail_start_reciprocal * log1p(-random_double(r));
		double height = -log1p(-random_double(r));
		if (height + height > beyond * beyond)
			return tail_start + beyond;
	}
}

double random_standard_normal(struct random *r)
{
	const struct random_tables *t = r->tables;

	for (;;) {
		/* Bits 0-7 choose the strip, 8 is the sign, 9-60 the place in
		 * the strip; the upper three are not used. */
		uint64_t bits = random_next(r);
		unsigned strip = bits & 0xff;
		uint64_t place = bits >> 9 & 0xfffffffffffffu;
		double x = (double)place * t->w[strip];

		if (bits >> 8 & 1)
			x = -x;
		if (place < t->k[strip])
			return x;
		if (strip == 0) {
			/* The tail takes its sign from the place, not from bit 8. */
			double tail = draw_tail(r);
			return place >> 8 & 1 ? -tail : tail;
		}
		double y = (t->f[strip - 1] - t->f[strip]) * random_double(r) + t->f[strip];
		if (y < exp(-0.5 * x * x))
			return x;
	}
}

double random_normal(struct random *r)
{
	/* NumPy adds the mean, which turns -0.0 into +0.0. */
	return 0.0 + random_standard_normal(r);
}

void random_skip_normals(struct random *r, uint64_t count)
{
	/* How many raw draws a normal takes is only known by drawing it. */
	while (count--)
		random_standard_normal(r);
}
