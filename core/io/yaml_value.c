/* yaml_value.c - the values that YAML files of this program share. */
#include "core/io/yaml_value.h"

#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/random.h"

/* ---- numbers ---- */

static bool all_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

bool value_digits(const char **p, size_t limit, size_t *value)
{
	size_t v = 0, n = strspn(*p, "0123456789");

	for (size_t i = 0; i < n; i++) {
		v = v * 10 + (size_t)((*p)[i] - '0');
		if (v > limit)
			return false;
	}
	*p += n;
	*value = v;
	return n > 0;
}

enum status value_size(struct document *d, const char *name, uint64_t lowest, uint64_t highest, uint64_t *value)
{
	char shown[YAML_CLIP_SIZE];
	uint64_t v = 0;
	enum status s = node_expect_value(d, name, "a whole number");

	if (s)
		return s;
	if (!all_digits(d->text))
		return node_fail(d, E_VALUE, "%s: '%s' is not a whole number from %llu to %llu", name,
				 node_clip(d, shown), (unsigned long long)lowest, (unsigned long long)highest);
	for (const char *p = d->text; *p && v <= highest; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (v > highest)
		return node_fail(d, E_LIMIT, "%s: '%s' is more than this program takes: %llu to %llu", name,
				 node_clip(d, shown), (unsigned long long)lowest, (unsigned long long)highest);
	if (v < lowest)
		return node_fail(d, E_VALUE, "%s: '%s' is too small: %llu to %llu is expected", name,
				 node_clip(d, shown), (unsigned long long)lowest, (unsigned long long)highest);
	*value = v;
	return OK_STATUS;
}

static enum status fail_number(struct document *d, const char *name)
{
	char shown[YAML_CLIP_SIZE];

	if (node_is_null(d) && !*d->text)
		return node_fail(d, E_VALUE, "%s: nothing where a number is expected", name);
	return node_fail(d, E_VALUE, "%s: '%s' is not a number; expected one like 0.5, 1e-3, .inf, -.inf, .nan", name,
			 node_clip(d, shown));
}

enum status value_number(struct document *d, const char *name, double *value)
{
	enum status s = node_expect_value(d, name, "a number");

	if (!s && !number_parse(d->text, d->length, value))
		s = fail_number(d, name);
	return s;
}

size_t value_seed_digits(const char *text)
{
	return strlen(text + strspn(text, "0"));
}

enum status value_seed(struct document *d, const char *name, char **seed)
{
	char shown[YAML_CLIP_SIZE];
	enum status s = node_expect_value(d, name, "a text of decimal digits");

	if (s)
		return s;
	if (!all_digits(d->text))
		return node_fail(d, E_VALUE, "%s: '%s' is not a seed; decimal digits are expected", name,
				 node_clip(d, shown));
	if (value_seed_digits(d->text) > RANDOM_SEED_DIGITS)
		return node_fail(d, E_LIMIT, "%s: %zu digits; at most %d are taken", name, value_seed_digits(d->text),
				 RANDOM_SEED_DIGITS);
	return node_copy(d, seed);
}

/* ---- texts ---- */

enum { LANGUAGES_LIMIT = 200, LANGUAGE_LIMIT = 35 };	/* how many, and bytes of the name of one */

enum status value_text(struct document *d, const char *name, char **text)
{
	enum status s = node_expect_value(d, name, "a text");

	if (s)
		return s;
	if (node_is_null(d))
		return node_fail(d, E_VALUE, "%s: nothing where a text is expected; "
				 "a text with # , or : in it is put in quotes", name);
	return node_copy(d, text);
}

/* Takes both texts over, also on error. */
static enum status add_translation(struct document *d, const char *name, struct title *t, char *language, char *text)
{
	struct translation *v = realloc(t->v, (t->n + 1) * sizeof *v);

	if (!v) {
		free(language);
		free(text);
		return node_fail(d, E_MEMORY, "no memory for a %s", name);
	}
	t->v = v;
	t->v[t->n++] = (struct translation){ language, text };
	return OK_STATUS;
}

/* The text that is current, in a language that is taken over. */
static enum status take_text(struct document *d, const char *name, struct title *t, char *language)
{
	char *text = NULL;
	enum status s = value_text(d, name, &text);

	if (s) {
		free(language);
		return s;
	}
	return add_translation(d, name, t, language, text);
}

static bool is_language(const char *text, size_t n)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	return n <= LANGUAGE_LIMIT && strspn(text, letters) == n;
}

static enum status read_language(struct document *d, const char *name, const struct title *t, char **language)
{
	char shown[YAML_CLIP_SIZE];

	if (d->node != NODE_VALUE)
		return node_fail(d, E_SYNTAX, "%s: %s where a language such as en is expected", name, node_kind(d));
	if (!is_language(d->text, d->length) || node_is_null(d))
		return node_fail(d, E_VALUE, "%s: '%s' is not a language such as en or ko", name, node_clip(d, shown));
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->v[i].language, d->text))
			return node_fail(d, E_VALUE, "%s: the language %s stands twice", name, d->text);
	return node_copy(d, language);
}

static enum status read_translation(struct document *d, const char *name, struct title *t)
{
	char *language = NULL;
	enum status s;

	if (t->n == LANGUAGES_LIMIT)
		return node_fail(d, E_LIMIT, "%s: more than %d languages", name, LANGUAGES_LIMIT);
	size_t level = node_level(d);
	if ((s = read_language(d, name, t, &language)))
		return document_recover_key(d, s, level);
	if ((s = node_next(d))) {
		free(language);
		return s;
	}
	return take_text(d, name, t, language);
}

enum status value_title(struct document *d, const char *name, struct title *t)
{
	struct mark start = d->here;
	size_t reported = d->reported;
	enum status s;

	if (d->node != NODE_MAP) {
		char *language = calloc(1, 1);
		return language ? take_text(d, name, t, language)
				: node_fail(d, E_MEMORY, "no memory for a %s", name);
	}
	while (!(s = node_next(d)) && d->node != NODE_END) {
		size_t level = node_level(d);
		if ((s = document_recover(d, read_translation(d, name, t), level)))
			return s;
	}
	if (!s && !t->n && reported == d->reported)
		s = document_fail(d, start, E_VALUE, "%s: an empty map; a text, or one for each language is expected",
				  name);
	return s;
}
