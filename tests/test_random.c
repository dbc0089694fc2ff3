/* test_random.c - the random stream against NumPy's.
 *
 * Expected values come from NumPy 1.24.2: default_rng(seed).normal(),
 * .random(), .standard_normal(), and its bit_generator's random_raw() and
 * advance(). The hash of the tables is that of NumPy's own tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"

/* ---- tools ---- */

static int set_up(void **state)
{
	struct random_tables *t = malloc(sizeof *t);
	struct error e = { 0 };

	if (!t || random_tables_init(t, &e))
		return -1;
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static struct random seeded(void **state, const char *digits)
{
	struct random r;
	struct error e = { 0 };

	assert_int_equal(random_seed(&r, *state, digits, &e), OK_STATUS);
	assert_ptr_equal(r.tables, *state);
	return r;
}

/* Equal bits: tells -0.0 from +0.0. */
static void assert_same(double got, double expected)
{
	uint64_t got_bits, expected_bits;

	memcpy(&got_bits, &got, sizeof got);
	memcpy(&expected_bits, &expected, sizeof expected);
	assert_int_equal(got_bits, expected_bits);
}

static void assert_same_place(const struct random *a, const struct random *b)
{
	assert_int_equal(a->state.high, b->state.high);
	assert_int_equal(a->state.low, b->state.low);
	assert_int_equal(a->increment.high, b->increment.high);
	assert_int_equal(a->increment.low, b->increment.low);
}

/* n equal digits; the caller frees. */
static char *repeat_digit(char digit, size_t n)
{
	char *text = malloc(n + 1);

	assert_non_null(text);
	memset(text, digit, n);
	text[n] = '\0';
	return text;
}

/* ---- the tables ---- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	while (n--) {
		hash ^= *p++;
		hash *= 0x100000001b3u;
	}
	return hash;
}

static void test_tables(void **state)
{
	const struct random_tables *t = *state;
	const uint16_t one = 1;

	assert_int_equal(t->k[1], 0);
	assert_same(t->f[0], 1.0);
	/* NumPy's words are hashed from their lowest byte. */
	if (*(const unsigned char *)&one == 1) {
		uint64_t hash = 0xcbf29ce484222325u;
		hash = hash_bytes(hash, t->k, sizeof t->k);
		hash = hash_bytes(hash, t->w, sizeof t->w);
		hash = hash_bytes(hash, t->f, sizeof t->f);
		assert_int_equal(hash, 0x2aaf6f8cd4345568u);
	}
}

/* ---- seeds ---- */

static void test_seed_state(void **state)
{
	struct random r = seeded(state, "0");

	assert_int_equal(r.state.high, 0x1aa1b5345996452du);
	assert_int_equal(r.state.low, 0x09585eb7a69561e3u);
	assert_int_equal(r.increment.high, 0x418ddadb3af71a82u);
	assert_int_equal(r.increment.low, 0x588133bc447873a9u);

	r = seeded(state, "42");
	assert_int_equal(r.state.high, 0xcea44f6798798f2au);
	assert_int_equal(r.state.low, 0xacbc7c9d68860ac8u);
	assert_int_equal(r.increment.high, 0xfa505436c9a8416eu);
	assert_int_equal(r.increment.low, 0x66caf2e28d25abffu);
}

static void test_leading_zeros(void **state)
{
	struct random plain = seeded(state, "42"), zeros = seeded(state, "00000000000042");
	assert_same_place(&plain, &zeros);

	plain = seeded(state, "0");
	zeros = seeded(state, "0000");
	assert_same_place(&plain, &zeros);

	char *text = repeat_digit('0', 100000);
	zeros = seeded(state, text);
	assert_same_place(&plain, &zeros);
	text[99999] = '7';
	plain = seeded(state, "7");
	zeros = seeded(state, text);
	assert_same_place(&plain, &zeros);
	free(text);
}

static void test_long_seeds(void **state)
{
	/* 10**10000 - 1 */
	char *text = repeat_digit('9', 10000);
	struct random r = seeded(state, text);
	assert_int_equal(random_next(&r), 0x3c239a9325d9a4a1u);
	assert_int_equal(random_next(&r), 0xe11a8c6227036e26u);

	/* 10**9999 */
	memset(text, '0', 10000);
	text[0] = '1';
	r = seeded(state, text);
	assert_int_equal(random_next(&r), 0xcbd34f8fa6dc5ea7u);
	assert_int_equal(random_next(&r), 0x194e931d61c541edu);
	free(text);
}

static void assert_refused(void **state, const char *digits, enum status expected)
{
	const struct random before = seeded(state, "5");
	struct random r = before;
	struct error e = { 0 };

	assert_int_equal(random_seed(&r, NULL, digits, &e), expected);
	assert_int_equal(e.status, expected);
	assert_true(e.text[0] != '\0');
	assert_same_place(&r, &before);
	assert_ptr_equal(r.tables, before.tables);
}

static void test_refused_seeds(void **state)
{
	static const char *const texts[] = {
		"", "-1", "+1", "-0", " 1", "1 ", "1\n", "1.0", "1e3", "0x10", "1_000",
		"1,000", "a", "12a", "\xd9\xa1",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_refused(state, texts[i], E_VALUE);

	char *text = repeat_digit('9', 10001);
	assert_refused(state, text, E_LIMIT);
	free(text);

	text = repeat_digit('9', 100000);
	assert_refused(state, text, E_LIMIT);
	text[99999] = 'x';
	assert_refused(state, text, E_VALUE);
	free(text);
}

/* ---- raw draws and doubles ---- */

static const struct {
	const char *seed;
	uint64_t raw[4];
	double doubles[4];
} first_draws[] = {
	{ "0",
	  { 0xa30febcfd9c2825f, 0x4510bdf882d9d721, 0x0a7d3da94ecde8b8, 0x043b27b61342f01d },
	  { 0x1.461fd79fb3850p-1, 0x1.1442f7e20b674p-2, 0x1.4fa7b529d9bd0p-5, 0x1.0ec9ed84d0bc0p-6 } },
	{ "1",
	  { 0x8306bdf37922e4ff, 0xf35196bbc152a866, 0x24e7a4f608ec18cd, 0xf2dab0aed2ac6fd2 },
	  { 0x1.060d7be6f245cp-1, 0x1.e6a32d7782a55p-1, 0x1.273d27b04760cp-3, 0x1.e5b5615da558dp-1 } },
	{ "42",
	  { 0xc621fbcd16d92688, 0x705a5661a791ffc1, 0xdbcd12c26eda1624, 0xb286b60e1600888d },
	  { 0x1.8c43f79a2db24p-1, 0x1.c16959869e47ep-2, 0x1.b79a2584ddb42p-1, 0x1.650d6c1c2c011p-1 } },
	/* 2**200 + 123456789 */
	{ "1606938044258990275541962092341162602522202993782792958758165",
	  { 0x08c7f893434b9016, 0x3aeb96f2ba89e101, 0xa62276cf7169655a, 0xc2fa31612df43e31 },
	  { 0x1.18ff126869720p-5, 0x1.d75cb795d44f0p-3, 0x1.4c44ed9ee2d2cp-1, 0x1.85f462c25be87p-1 } },
};

static void test_first_draws(void **state)
{
	for (size_t i = 0; i < sizeof first_draws / sizeof *first_draws; i++) {
		struct random raw = seeded(state, first_draws[i].seed), doubles = raw;
		for (size_t j = 0; j < 4; j++) {
			assert_int_equal(random_next(&raw), first_draws[i].raw[j]);
			assert_same(random_double(&doubles), first_draws[i].doubles[j]);
		}
	}
}

/* ---- normals ---- */

static const struct {
	const char *seed;
	double normals[20];
} first_normals[] = {
	{ "0", {
		0x1.017ed89db8441p-3, -0x1.0e8cfe9bd45ccp-3, 0x1.47e57a468b06dp-1,
		0x1.adabbec84d4f0p-4, -0x1.1243418e643edp-1, 0x1.7245f95ced1e6p-2,
		0x1.4dd2f26bd103cp+0, 0x1.e4e7cbc69bca3p-1, -0x1.684ffc1daaf28p-1,
		-0x1.43f2a959cc8bbp+0, -0x1.3f1dd4920f4fbp-1, 0x1.528adc38b0ce3p-5,
		-0x1.299a9bc1a2383p+1, -0x1.c015d809d257ep-3, -0x1.3ef405142e27ep+0,
		-0x1.76ebbf28c26f7p-1, -0x1.16a91d07da4d4p-1, -0x1.43e4302d4d028p-2,
		0x1.a58279af0c1f8p-2, 0x1.0ae227fb66293p+0,
	} },
	{ "1", {
		0x1.61e0d28bbb3a1p-2, 0x1.a4ab22204681fp-1, 0x1.525e18ce5fc0ap-2,
		-0x1.4d9bb65b49607p+0, 0x1.cf8acddd349f3p-1, 0x1.c9166a7847147p-2,
		-0x1.12eb88d2b5275p-1, 0x1.29884fe946122p-1, 0x1.7552775a92feep-2,
		0x1.2d3111b74e252p-2, 0x1.d1ab853b8b22fp-6, 0x1.17eac3bb990f6p-1,
		-0x1.791082955afb4p-1, -0x1.4da3bb1695f5bp-3, -0x1.edb0af62ec097p-2,
		0x1.329bf88532c8bp-1, 0x1.45674c11fb447p-5, -0x1.2b79c8538ed1cp-2,
		-0x1.90564e549399fp-1, -0x1.075d6718f8d84p-2,
	} },
	{ "42", {
		0x1.3807c1104fc6bp-2, -0x1.0a3c65fca9a7ep+0, 0x1.803b239e77350p-1,
		0x1.e191b2d157f36p-1, -0x1.f3770ac89d08fp+0, -0x1.4d5ba2db7ebc8p+0,
		0x1.05d13075b0043p-3, -0x1.43d5191edf2d2p-2, -0x1.1345298103f02p-6,
		-0x1.b4c22c75f5b7fp-1, 0x1.c240738c68b17p-1, 0x1.8e3abe9b850e9p-1,
		0x1.0e763468eb7a8p-4, 0x1.2092e136a19adp+0, 0x1.debac4de30229p-2,
		-0x1.b7f52e8390cb7p-1, 0x1.7999ce3808e60p-2, -0x1.eaf2a90687277p-1,
		0x1.c1c43ce68d5a9p-1, -0x1.98fe395d163a3p-5,
	} },
	{ "4294967301", {
		0x1.b4441f9f30526p-2, -0x1.30fc7606e46a8p+0, -0x1.260f009857707p+0,
		0x1.9014882d464e5p-1, -0x1.6716908ef3c4dp-1, 0x1.6eeb318d3dc89p-2,
		-0x1.c3f75a3ceb5ccp+0, 0x1.b17be286f4060p-1, -0x1.afb3043f59122p+0,
		-0x1.30a6177da02bap+1, 0x1.6e24f0099107cp-9, -0x1.24148b4b496c5p+0,
		-0x1.2c6587100c2c2p+0, -0x1.4e59eeabe2e2fp-1, 0x1.b4a09ecf891cdp-3,
		0x1.cab9f7c9b66e3p+0, -0x1.b1e518c337f52p+0, 0x1.576c52ccd4d99p+0,
		0x1.21ca1be0c8a4ap-2, 0x1.2fb6bffee6969p+0,
	} },
	{ "18446744073709551615", {
		0x1.715303191d87bp-1, -0x1.f10c32096a2bdp-1, 0x1.1b8d40660f8bfp-4,
		-0x1.2fb3a24341b2bp-2, -0x1.96bfdca5babc4p-6, -0x1.f0a8b8b15689ep-1,
		0x1.0950f9bcd8210p+0, 0x1.9cb0635c35311p-1, -0x1.898b75fcfd806p-2,
		0x1.fcd791a1b6b19p-6, -0x1.c27f294f6914ap-3, -0x1.83779f6fb7f30p-4,
		0x1.40f02cdfc4b9cp+0, 0x1.5e4e20209266fp-1, -0x1.ee9bcae282a06p-1,
		0x1.76557f0d989e6p-1, -0x1.c384df70c771ep-7, -0x1.0985c5e70a760p-8,
		0x1.56982d79eb187p-1, -0x1.5c1220a583aa8p+0,
	} },
	{ "340282366920938463463374607431768211456", {
		0x1.9c34aff467089p-1, -0x1.e97cb67f22f58p+0, -0x1.bf9233dbc4e33p+1,
		0x1.de185f27407c7p-1, 0x1.4b2b9e3092c15p+0, -0x1.644d2dc8ed697p-2,
		0x1.432a44cf0676cp-2, -0x1.09cc36a378ee9p+0, -0x1.c16c486f1c4aep-2,
		0x1.8104e7ba894dfp-1, 0x1.ed5837ac768f8p-1, 0x1.3309166c27f9cp+0,
		0x1.1c1e83109e256p-2, 0x1.348586086543fp-1, -0x1.121a995a1228dp-1,
		-0x1.dc1fb38e211dap-2, -0x1.1d2160ac33095p-2, -0x1.5be6a12e726f4p-1,
		-0x1.198ee9ae8601cp-1, -0x1.033733bf1104bp-3,
	} },
	{ "1606938044258990275541962092341162602522202993782792958758165", {
		0x1.90d1f43bddad6p-3, 0x1.7500073186ae0p-4, -0x1.a44838e426df0p+1,
		-0x1.370793b11905bp+0, -0x1.9be56099ed087p+0, 0x1.b7a6a35e7af4cp-2,
		0x1.784fbbbeb4086p-2, -0x1.f4b3f812f061bp-2, 0x1.d80149f013592p-3,
		0x1.4296ee26bc968p-1, 0x1.425f1a2e11f4bp-1, -0x1.7857034f27f18p+0,
		-0x1.782e4b332adc9p-5, 0x1.045c2b540d0c9p+0, 0x1.adbb9a262204cp-2,
		-0x1.0a7ea2a14b688p+0, -0x1.ed7c4c1a25c15p-1, -0x1.c1f36d9f4febep-1,
		-0x1.8767d2fb8a688p-3, 0x1.f17f8fe01e7bep-8,
	} },
};

static void test_first_normals(void **state)
{
	for (size_t i = 0; i < sizeof first_normals / sizeof *first_normals; i++) {
		struct random r = seeded(state, first_normals[i].seed);
		for (size_t j = 0; j < 20; j++)
			assert_same(random_normal(&r), first_normals[i].normals[j]);
	}
}

/* The first draws of seed 0 from beyond the last strip, of both signs, and
 * what follows, which tells that each took the right number of raw draws. */
static void test_tail(void **state)
{
	static const struct { size_t index; double normal; } expected[] = {
		{ 303, -3.772275156122734 },
		{ 478, -3.899421730054339 },
		{ 10477, 3.945549686526577 },
		{ 10478, 1.704139679701497 },
		{ 19999, 0.15540730975754227 },
	};
	struct random r = seeded(state, "0");
	size_t drawn = 0;

	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		while (drawn < expected[i].index) {
			random_normal(&r);
			drawn++;
		}
		assert_same(random_normal(&r), expected[i].normal);
		drawn++;
	}
}

/* Where log(1 - U), which NumPy used before 1.21, differs from log1p(-U): draws
 * 241877, 439347 and 606522 of seed 0, by the raw draws before them. */
static void test_tail_logarithm(void **state)
{
	static const struct { uint64_t raw; double normal; } expected[] = {
		{ 247177, -3.7380522214221896 },
		{ 449157, 3.907277549961771 },
		{ 619967, -3.7042111520880363 },
	};

	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		struct random r = seeded(state, "0");
		random_advance(&r, expected[i].raw);
		assert_same(random_normal(&r), expected[i].normal);
	}
}

static void test_skip(void **state)
{
	struct random r = seeded(state, "0");

	random_skip_normals(&r, 0);
	random_skip_normals(&r, 303);
	assert_same(random_normal(&r), -3.772275156122734);
	random_skip_normals(&r, 478 - 304);
	assert_same(random_normal(&r), -3.899421730054339);
	random_skip_normals(&r, 19999 - 479);
	assert_same(random_normal(&r), 0.15540730975754227);
}

/* NumPy's stream gives -0.0 only once in 2^61 draws: by hand, a generator whose
 * next raw draw has only the sign's bit set. */
static void test_negative_zero(void **state)
{
	struct random r = { .tables = *state };

	/* The state 0 steps to the increment, 2^8; that folds to itself and
	 * is not turned, since its upper six bits are 0. */
	r.increment.low = 0x100;
	struct random standard = r;
	assert_same(random_standard_normal(&standard), -0.0);
	assert_same(random_normal(&r), 0.0);
}

static void test_standard_is_the_same_stream(void **state)
{
	struct random normal = seeded(state, "42"), standard = normal;

	for (int i = 0; i < 5000; i++)
		assert_true(random_normal(&normal) == random_standard_normal(&standard));
	assert_same_place(&normal, &standard);
}

/* ---- moving ahead ---- */

static void test_advance_is_stepping(void **state)
{
	struct random stepped = seeded(state, "123456789012345678901234567890");
	const struct random start = stepped;

	for (uint64_t n = 0; n <= 300; n++) {
		struct random jumped = start;
		random_advance(&jumped, n);
		assert_same_place(&jumped, &stepped);
		random_next(&stepped);
	}

	struct random jumped = start;
	random_advance(&jumped, 100000);
	for (int i = 301; i < 100000; i++)
		random_next(&stepped);
	assert_same_place(&jumped, &stepped);
}

static void test_advance_far(void **state)
{
	struct random r = seeded(state, "0");
	random_advance(&r, 1000000000000u);
	assert_int_equal(random_next(&r), 0x884ea7a131b9c987u);
	assert_int_equal(random_next(&r), 0xffc1fba8ae0c3f76u);

	r = seeded(state, "0");
	random_advance(&r, UINT64_MAX);
	assert_int_equal(random_next(&r), 0x384ba3319d6ec5efu);
	assert_int_equal(random_next(&r), 0xf581712150e79a80u);

	struct random halves = seeded(state, "0");
	random_advance(&halves, UINT64_MAX / 2);
	random_advance(&halves, UINT64_MAX / 2 + 1);
	random_next(&halves);
	random_next(&halves);
	assert_same_place(&halves, &r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_seed_state),
		cmocka_unit_test(test_leading_zeros),
		cmocka_unit_test(test_long_seeds),
		cmocka_unit_test(test_refused_seeds),
		cmocka_unit_test(test_first_draws),
		cmocka_unit_test(test_first_normals),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_tail_logarithm),
		cmocka_unit_test(test_skip),
		cmocka_unit_test(test_negative_zero),
		cmocka_unit_test(test_standard_is_the_same_stream),
		cmocka_unit_test(test_advance_is_stepping),
		cmocka_unit_test(test_advance_far),
	};

	return cmocka_run_group_tests_name("random", tests, set_up, tear_down);
}
