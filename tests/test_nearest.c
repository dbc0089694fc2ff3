/* test_nearest.c - the name that was probably meant. Distances by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/nearest.h"

static const char *const names[] = { "causal", "causal-align", "scale", "scale-times", "k", "pad" };
enum { NAMES = sizeof names / sizeof *names };

static const char *name(int k)
{
	return names[k];
}

static const char *find(const char *text, size_t limit)
{
	return nearest(text, name, NAMES, limit, false);
}

static const char *find_begun(const char *text, size_t limit)
{
	return nearest(text, name, NAMES, limit, true);
}

static void distances(void **state)
{
	char giant[300];

	(void)state;
	assert_int_equal(nearest_distance("", "", false), 0);
	assert_int_equal(nearest_distance("causal", "causal", false), 0);
	assert_int_equal(nearest_distance("causl", "causal", false), 1);
	assert_int_equal(nearest_distance("kitten", "sitting", false), 3);
	assert_int_equal(nearest_distance("sitting", "kitten", false), 3);
	assert_int_equal(nearest_distance("", "abc", false), 3);
	assert_int_equal(nearest_distance("abc", "", false), 3);
	assert_int_equal(nearest_distance("casual", "causal", false), 2);	/* two letters exchanged */
	memset(giant, 'x', sizeof giant - 1);
	giant[sizeof giant - 1] = '\0';
	assert_int_equal(nearest_distance(giant, "abc", false), 299);
	assert_int_equal(nearest_distance("abc", giant, false), 299);
	giant[64] = '\0';
	assert_int_equal(nearest_distance(giant, "x", false), 63);
	assert_int_equal(nearest_distance(giant, giant, false), 0);
}

static void beginnings(void **state)
{
	(void)state;
	assert_int_equal(nearest_distance("caus", "causal", true), 0);
	assert_int_equal(nearest_distance("caus", "causal", false), 2);
	assert_int_equal(nearest_distance("causal", "causal", true), 0);
	assert_int_equal(nearest_distance("causals", "causal", true), 1);
	assert_int_equal(nearest_distance("ausal", "causal", true), 1);
	assert_int_equal(nearest_distance("", "abc", true), 3);
}

static void the_nearest(void **state)
{
	(void)state;
	assert_string_equal(find("casual", 2), "causal");
	assert_string_equal(find("scal", 1), "scale");
	assert_string_equal(find("scale-time", 3), "scale-times");
	assert_string_equal(find("causal-alin", 3), "causal-align");
	assert_string_equal(find("causal", 0), "causal");
	assert_string_equal(find("pads", 1), "pad");
}

static void none_is_near(void **state)
{
	char giant[300];

	(void)state;
	assert_null(find("hello", 2));
	assert_null(find("casual", 1));
	assert_null(find("", 0));
	assert_null(find_begun("", 0));
	assert_null(nearest("causal", name, 0, 9, true));
	/* "x" to "k" and "" to "k" are 1 apart, and nothing of the name is kept */
	assert_null(find("x", 1));
	assert_null(find("", 1));
	memset(giant, 'c', sizeof giant - 1);
	giant[sizeof giant - 1] = '\0';
	assert_null(find(giant, 99));
}

static void the_first_of_two(void **state)
{
	(void)state;
	assert_string_equal(find_begun("c", 0), "causal");
	assert_string_equal(find_begun("scale-", 2), "scale-times");	/* nearer than scale, at 1 */
	assert_string_equal(find("scale-", 2), "scale");
	assert_null(find("c", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances), cmocka_unit_test(beginnings), cmocka_unit_test(the_nearest),
		cmocka_unit_test(none_is_near), cmocka_unit_test(the_first_of_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
