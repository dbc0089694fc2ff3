/* yaml_options.c - a map of options: YAML's lists, booleans and infinities in the
 * words of the registry. */
#include "core/io/yaml_options.h"

#include <math.h>
#include <string.h>

#include "core/bug.h"
#include "core/io/yaml_value.h"
#include "core/number.h"
#include "core/random.h"

enum { INDEX_LIMIT = 1000000000 };	/* as the registry of options has it */

static const char *option_name(int key)
{
	return option_info((enum option)key)->name;
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(text, *words))
			return true;
	return false;
}

/* The value in the words of option_set: YAML's booleans and infinities have other ones. */
static const char *option_word(const struct option_info *info, const char *text)
{
	static const char *const yes[] = { "true", "True", "TRUE", "yes", "Yes", "YES", "On", "ON", NULL };
	static const char *const no[] = { "false", "False", "FALSE", "no", "No", "NO", "Off", "OFF", NULL };
	bool has_off = info->type == TYPE_SWITCH || (info->words && is_one_of("off", info->words));
	double v;

	if (info->type == TYPE_SWITCH && is_one_of(text, yes))
		return "on";
	if (has_off && is_one_of(text, no))
		return "off";
	if (info->type == TYPE_NUMBER && number_parse(text, strlen(text), &v) && isinf(v))
		return v > 0 ? "inf" : "-inf";
	return text;
}

/* How many indices a text such as "0-3,7" stands for, or more than SIZE_LIMIT. */
static size_t count_indices(const char *text)
{
	size_t total = 0, first, last;

	for (const char *p = text; value_digits(&p, INDEX_LIMIT, &first); p++) {
		last = first;
		if (*p == '-') {
			p++;
			if (!value_digits(&p, INDEX_LIMIT, &last) || last < first)
				break;
		}
		total += last - first + 1;
		if (total > SIZE_LIMIT || *p != ',')
			break;
	}
	return total;
}

static enum status set_option(struct document *d, struct options *o, enum option which, const char *text,
			      struct mark at)
{
	struct error found;
	const struct option_info *info = option_info(which);

	error_clear(&found);
	if (info->type == TYPE_DIGITS && value_seed_digits(text) > RANDOM_SEED_DIGITS)
		return document_fail(d, at, E_LIMIT, "%s: %zu digits; at most %d are taken", info->name,
				     value_seed_digits(text), RANDOM_SEED_DIGITS);
	/* Few bytes can stand for very many indices: 0-1000000,0-1000000,... */
	if (info->type == TYPE_INDICES && count_indices(text) > SIZE_LIMIT)
		return document_fail(d, at, E_LIMIT, "%s: more than %d indices", info->name, SIZE_LIMIT);
	if (!option_set(o, which, option_word(info, text), &found))
		return OK_STATUS;
	return document_fail(d, at, found.status, "%s: %s", info->name, found.text);
}

/* The bug lab's names are known to bug.c only. */
static enum status check_bug(struct document *d, const struct options *o, struct mark at)
{
	struct options copy;
	struct error found;
	enum status s = options_copy(&copy, o, &d->error);

	if (s)
		return s;
	error_clear(&found);
	if (bug_apply(&copy, &found))
		s = document_fail(d, at, found.status, "bug: %s", found.text);
	options_free(&copy);
	return s;
}

static bool takes_list(const struct option_info *info)
{
	return info->type == TYPE_INDICES || info->type == TYPE_IDS || info->type == TYPE_CELLS ||
	       info == option_info(OPT_BUG);
}

/* Appends an item, tried by itself first: its place is known only now. */
static enum status add_item(struct document *d, struct options *scratch, enum option which, struct buffer *all,
			    size_t *indices)
{
	const char *name = option_info(which)->name;
	enum status s = node_expect_value(d, name, "a text or a number");

	if (s)
		return s;
	*indices += count_indices(d->text);
	if (*indices > SIZE_LIMIT)
		return node_fail(d, E_LIMIT, "%s: more than %d indices", name, SIZE_LIMIT);
	if ((s = set_option(d, scratch, which, d->text, d->here)))
		return s;
	if (all->size)
		buffer_text(all, ",");
	buffer_put(all, d->text, d->length);
	return all->failed ? node_fail(d, E_MEMORY, "%s: no memory for a list", name) : OK_STATUS;
}

/* The items of the list that is current, as one text. */
static enum status read_items(struct document *d, enum option which, struct buffer *all)
{
	struct options scratch;
	size_t indices = 0;
	enum status s = options_init(&scratch, &d->error);

	if (s)
		return s;
	while (!(s = node_next(d)) && d->node != NODE_END) {
		size_t level = node_level(d);
		if ((s = document_recover(d, add_item(d, &scratch, which, all, &indices), level)))
			break;
	}
	options_free(&scratch);
	return s;
}

static enum status read_list(struct document *d, struct options *o, enum option which)
{
	const struct option_info *info = option_info(which);
	struct mark start = d->here;
	struct buffer all = { 0 };
	enum status s;

	if (!takes_list(info))
		return node_fail(d, E_SYNTAX, "%s: a list, but one value is expected: %s", info->name, info->values);
	s = read_items(d, which, &all);
	if (!s)
		s = set_option(d, o, which, all.size ? all.data : info->words[0], start);
	buffer_free(&all);
	return s;
}

enum status option_read(struct document *d, struct options *o, enum option which)
{
	const struct option_info *info = option_info(which);
	struct mark at = d->here;
	enum status s;

	if (d->node == NODE_LIST)
		s = read_list(d, o, which);
	else if (d->node == NODE_VALUE)
		s = set_option(d, o, which, d->text, at);
	else
		s = node_fail(d, E_SYNTAX, "%s: %s, but one value is expected: %s", info->name, node_kind(d),
			      info->values);
	return !s && which == OPT_BUG ? check_bug(d, o, at) : s;
}

enum status options_read(struct document *d, const char *name, struct options *o, struct mark mark[OPT_COUNT])
{
	struct map m = { .what = name, .name = option_name, .n = OPT_COUNT };
	enum status s = map_open(d, &m, "{causal: on}");

	while (!s && !(s = map_next(d, &m)) && m.key >= 0) {
		size_t level = node_level(d), reported = d->reported;
		s = document_recover(d, option_read(d, o, (enum option)m.key), level);
		if (!s && reported == d->reported)
			mark[m.key] = m.value[m.key];
	}
	return s;
}
