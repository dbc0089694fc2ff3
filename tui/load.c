/* load.c - finds an input and reads it. */
#include "tui/load.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assets/assets.h"
#include "core/io/lesson_yaml.h"
#include "core/io/scenario_yaml.h"
#include "core/mask.h"
#include "core/nearest.h"
#include "core/row.h"
#include "tui/arguments.h"

/* ---- what is built in ---- */

/* Their order in lists and pickers. */
static const char *const builtins[] = {
	"two-tokens", "causal-3", "korean-5", "random-4", "pad-4", "left-pad-4", "saturation-16", "shapes-10",
	"cross-3x5", "ones-8", "all-pad-3", "overflow-7x3", "low-scores-3", "masked-twice-3", "cached-3x5", "square-4",
};

size_t builtin_count(void)
{
	return sizeof builtins / sizeof *builtins;
}

const char *builtin_name(size_t i)
{
	return builtins[i];
}

/* The order in which they are taught. */
static const char *const lessons[] = {
	"five-steps", "shapes", "why-sqrt", "causal-by-hand", "padding", "two-masks", "empty-row", "mistakes", "leak-probe",
	"libraries", "heads", "beyond", "live-heads", "live-induction", "live-masks",
};

size_t builtin_lesson_count(void)
{
	return sizeof lessons / sizeof *lessons;
}

const char *builtin_lesson_name(size_t i)
{
	return lessons[i];
}

static const struct asset *find_asset(const char *folder, const char *name)
{
	char path[128];
	int n = snprintf(path, sizeof path, "%s/%s.yaml", folder, name);

	for (size_t i = 0; i < assets_count && (size_t)n < sizeof path; i++)
		if (!strcmp(assets[i].name, path))
			return &assets[i];
	return NULL;
}

static const char *builtin(int i)
{
	return builtins[i];
}

static const char *lesson(int i)
{
	return lessons[i];
}

/* "no built-in scenario or file", with the built-in name that is nearest. */
static enum status unknown_input(const char *input, const char *kind, const char *(*name)(int), size_t n,
				 struct error *e)
{
	const char *near = nearest(input, name, (int)n, strlen(input) / 3, strlen(input) > 2);

	return error_at(e, E_FILE, input, 0, 0,
			"no built-in %s or file of that name; qkv list --%ss names them%s%s%s", kind, kind,
			near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* A bare word that no file has for its name was meant for something built in. */
static bool is_no_file(const char *input)
{
	struct stat st;
	return !strpbrk(input, "/.") && strcmp(input, "-") && stat(input, &st) && errno == ENOENT;
}

/* ---- scenarios ---- */

static enum status no_part(const struct tensor_choice *choice, struct error *e)
{
	return error_option(e, E_VALUE, choice->as ? "as" : "layout", choice->as ? choice->as : choice->layout,
			    "the input is no file of arrays, and needs none of this");
}

/* A fault of the file is told with its name; one of an option is not. */
static enum status blame_file(struct error *e, enum status s, const char *name)
{
	char text[sizeof e->text];

	if (!s || e->file[0] || e->option[0])
		return s;
	snprintf(text, sizeof text, "%s", e->text);
	return error_at(e, s, name, 0, 0, "%s", text);
}

/* A file of arrays, for as long as numbers of it are in use. */
struct arrays {
	struct content content;
	struct tensors tensors;
};

static void arrays_free(void *data)
{
	struct arrays *a = data;

	tensors_free(&a->tensors);
	content_free(&a->content);
	free(a);
}

/* Takes content and tensors over; in any case they are then zeroed. */
static enum status arrays_keep(struct storage **out, struct arrays **arrays, struct content *c, struct tensors *t, struct error *e)
{
	struct arrays *a = malloc(sizeof *a);
	enum status s = a ? storage_begin(out, a, arrays_free, e) : error_set(e, E_MEMORY, "no memory for a file of arrays");

	if (s) {
		free(a);
		tensors_free(t);
		content_free(c);
		return s;
	}
	*a = (struct arrays){ *c, *t };
	*c = (struct content){ 0 };
	*t = (struct tensors){ 0 };
	*arrays = a;
	return OK_STATUS;
}

/* The scenario of what is open, which it takes over: it stays open for numbers that are left in the file. */
static enum status take_arrays(struct scenario *s, struct content *c, struct tensors *t, const char *input, const char *name,
			       const struct tensor_choice *choice, const struct tensor_extent *extent, struct error *e)
{
	struct tensor_extent kept = *extent;
	struct arrays *a;
	enum status status = arrays_keep(&kept.storage, &a, c, t, e);

	if (status)
		return status;
	/* A single array is recognised by a few of its rows; of several, Q and K may be multiplied. */
	bool alone = a->tensors.n == 1;
	content_sampled(&a->content, alone);
	status = tensor_scenario_extent(s, &a->tensors, name, strcmp(input, "-") ? input : NULL, choice, &kept, e);
	content_sampled(&a->content, false);
	storage_drop(kept.storage);
	return blame_file(e, status, name);
}

static enum status parse_tensors(struct scenario *s, struct content *c, const char *input, const char *name,
				 const struct tensor_choice *choice, struct error *e)
{
	static const struct tensor_extent all = { .one_head = false };
	const struct tensors_options o = { .v2_is_bf16 = choice->bf16 };
	struct tensors t;
	enum status status = tensors_read(&t, c->data, c->size, name, &o, e);

	return status ? status : take_arrays(s, c, &t, input, name, choice, &all, e);
}

/* Of how arrays are read, a scenario's text takes what its masks may need. */
static enum status parse_text(struct scenario *s, const void *text, size_t size, const char *name,
			      const struct tensor_choice *choice, struct error *e)
{
	enum status status = scenario_parse(s, text, size, name, e);

	if (!status && choice->bf16)
		s->part.bf16 = true;
	return status;
}

/* Of a file of arrays the content is taken over. */
static enum status parse(struct scenario *s, struct content *c, const char *input, const struct tensor_choice *choice,
			 struct error *e)
{
	const char *name = strcmp(input, "-") ? input : STDIN_NAME;
	enum tensor_format format;

	if (tensors_recognise(c->data, c->size, name, &format))
		return parse_tensors(s, c, input, name, choice, e);
	if (choice->as || choice->layout)
		return no_part(choice, e);
	if (c->size > LOAD_LIMIT)
		return error_at(e, E_LIMIT, name, 0, 0, "larger than the limit of 64 MiB");
	return parse_text(s, c->data, c->size, name, choice, e);
}

static const struct tensor_choice first_part = { NULL, NULL, -1, -1, false };

static enum status read_scenario(struct scenario *s, const char *input, enum content_origin origin,
				 const struct tensor_choice *choice, struct error *e)
{
	const struct asset *asset = find_asset("scenarios", input);
	struct content c;

	if (asset && (choice->as || choice->layout))
		return no_part(choice, e);
	if (asset)
		return parse_text(s, asset->data, asset->size, strrchr(asset->name, '/') + 1, choice, e);
	if (is_no_file(input))
		return unknown_input(input, "scenario", builtin, builtin_count(), e);
	enum status status = content_open(&c, input, origin, e);
	if (status)
		return status;
	status = parse(s, &c, input, choice, e);
	content_free(&c);
	return status;
}

enum status load_either(struct scenario *s, struct tensors *t, struct content *c, bool *arrays, const char *input,
			const struct tensor_choice *choice, struct error *e)
{
	const char *name = strcmp(input, "-") ? input : STDIN_NAME;
	struct content fresh;
	const struct tensors_options o = { .v2_is_bf16 = choice->bf16 };
	enum tensor_format format;
	enum status status;

	*arrays = false;
	if (find_asset("scenarios", input) || is_no_file(input))
		return read_scenario(s, input, FROM_INPUT, choice, e);
	if ((status = content_open(&fresh, input, FROM_INPUT, e)))
		return status;
	bool found = tensors_recognise(fresh.data, fresh.size, name, &format);
	status = found ? tensors_read(t, fresh.data, fresh.size, name, &o, e) : parse(s, &fresh, input, choice, e);
	if (found && !status) {
		*arrays = true;
		*c = fresh;
		return OK_STATUS;
	}
	content_free(&fresh);
	return status;
}

enum status load_extent(struct scenario *s, const char *input, const struct tensor_choice *choice,
			const struct tensor_extent *extent, struct error *e)
{
	const char *name = strcmp(input, "-") ? input : STDIN_NAME;
	struct tensors t;
	struct content c;
	bool arrays;
	enum status status = load_either(s, &t, &c, &arrays, input, choice, e);

	if (status || !arrays)
		return status;
	struct tensor_extent written = *extent;
	written.to_write = true;
	return take_arrays(s, &c, &t, input, name, choice, &written, e);
}

enum status load_tensors(struct tensors *t, struct content *c, const char *input, const struct tensor_choice *choice,
			 struct error *e)
{
	const struct tensors_options o = { .v2_is_bf16 = choice->bf16 };
	struct content fresh;
	enum status s = content_open(&fresh, input, FROM_INPUT, e);

	if (s)
		return s;
	if ((s = tensors_read(t, fresh.data, fresh.size, strcmp(input, "-") ? input : STDIN_NAME, &o, e)))
		content_free(&fresh);
	else
		*c = fresh;
	return s;
}

/* The options that the file sets must fit its own shapes. */
static enum status check_options(const struct scenario *s, const char *file, const struct random_tables *tables,
				 struct error *e)
{
	static const struct invocation nothing_given;
	struct problem p = { 0 };
	struct attention a;
	enum status status = problem_build(&p, s, &s->set, &s->edits, tables, e);

	if (!status && !(status = attention_init(&a, &p, &s->set, tables, e)))
		attention_free(&a);
	problem_free(&p);
	if (!status)
		return OK_STATUS;
	arguments_blame(&nothing_given, s->option_mark, file, e);
	if (!e->file[0]) {
		char text[sizeof e->text];
		snprintf(text, sizeof text, "%s", e->text);
		error_at(e, status, file, 0, 0, "%s", text);
	}
	return status;
}

/* Without tables the options are not compared with the shapes: for a caller
 * who sets others before that is due. */
static enum status load_from(struct scenario *s, const char *input, enum content_origin origin, const struct tensor_choice *choice,
			     const struct random_tables *tables, struct error *e)
{
	struct scenario fresh;
	enum status status = read_scenario(&fresh, input, origin, choice ? choice : &first_part, e);

	if (status)
		return status;
	if (tables && (status = check_options(&fresh, input, tables, e))) {
		scenario_free(&fresh);
		return status;
	}
	*s = fresh;
	return OK_STATUS;
}

enum status load_scenario(struct scenario *s, const char *input, const struct random_tables *tables,
			  struct error *e)
{
	return load_from(s, input, FROM_INPUT, NULL, tables, e);
}

enum status load_scenario_file(struct scenario *s, const char *input, const struct random_tables *tables,
			       struct error *e)
{
	return load_from(s, input, FROM_FILE, NULL, tables, e);
}

enum status load_part(struct scenario *s, const char *input, const struct tensor_choice *choice,
		      const struct random_tables *tables, struct error *e)
{
	return load_from(s, input, FROM_INPUT, choice, tables, e);
}

enum status load_part_file(struct scenario *s, const char *input, const struct tensor_choice *choice,
			   const struct random_tables *tables, struct error *e)
{
	return load_from(s, input, FROM_FILE, choice, tables, e);
}

/* ---- lessons ---- */

/* A scenario of the folder the lesson is in, named as from here. A bare word that
 * is none there stays what it is: what does not exist is told by its own name. */
static enum status find_beside(char **scenario, const char *lesson_file, struct error *e)
{
	size_t folder = (size_t)(strrchr(lesson_file, '/') + 1 - lesson_file), n = strlen(*scenario);
	struct stat st;
	char *path = malloc(folder + n + 1);

	if (!path)
		return error_set(e, E_MEMORY, "no memory for a name");
	memcpy(path, lesson_file, folder);
	memcpy(path + folder, *scenario, n + 1);
	if (!strpbrk(*scenario, "/.") && stat(path, &st)) {
		free(path);
		return OK_STATUS;
	}
	free(*scenario);
	*scenario = path;
	return OK_STATUS;
}

static enum status find_scenarios(struct lesson *l, const char *file, struct error *e)
{
	enum status s = OK_STATUS;

	for (size_t i = 0; i < l->pages_n && strchr(file, '/') && !s; i++) {
		char **scenario = &l->pages[i].scenario;
		if (*scenario && **scenario != '/' && strcmp(*scenario, "-") && !find_asset("scenarios", *scenario))
			s = find_beside(scenario, file, e);
	}
	return s;
}

/* The bytes of a lesson, and what errors call it. */
static enum status lesson_bytes(struct buffer *bytes, const char *input, enum content_origin origin, const char **name,
				struct error *e)
{
	const struct asset *asset = find_asset("lessons", input);

	*name = asset ? strrchr(asset->name, '/') + 1 : strcmp(input, "-") ? input : STDIN_NAME;
	if (!asset && is_no_file(input))
		return unknown_input(input, "lesson", lesson, builtin_lesson_count(), e);
	if (!asset)
		return content_read(bytes, input, origin, e);
	buffer_put(bytes, asset->data, asset->size);
	return bytes->failed ? error_at(e, E_MEMORY, input, 0, 0, "no memory for its bytes") : OK_STATUS;
}

static enum status load_lesson_from(struct lesson *l, const char *input, enum content_origin origin, struct error *e)
{
	struct lesson fresh;
	struct buffer bytes = { 0 };
	const char *name;
	enum status s = lesson_bytes(&bytes, input, origin, &name, e);

	if (!s && !(s = lesson_read(&fresh, bytes.data ? bytes.data : "", bytes.size, name, e))) {
		if ((s = find_scenarios(&fresh, name, e)))
			lesson_free(&fresh);
		else
			*l = fresh;
	}
	buffer_free(&bytes);
	return s;
}

enum status load_lesson(struct lesson *l, const char *input, struct error *e)
{
	return load_lesson_from(l, input, FROM_INPUT, e);
}

enum status load_lesson_file(struct lesson *l, const char *input, struct error *e)
{
	return load_lesson_from(l, input, FROM_FILE, e);
}

enum status load_lesson_all(struct lesson *l, const char *input, const char **name,
			    void (*report)(void *context, const struct error *e), void *context)
{
	struct buffer bytes = { 0 };
	struct error e = { 0 };
	enum status s = lesson_bytes(&bytes, input, FROM_INPUT, name, &e), found;

	*l = (struct lesson){ 0 };
	if (s) {
		report(context, &e);
	} else {
		s = lesson_read_all(l, bytes.data ? bytes.data : "", bytes.size, *name, report, context);
		if ((found = find_scenarios(l, *name, &e))) {
			report(context, &e);
			s = s ? s : found;
		}
	}
	buffer_free(&bytes);
	return s;
}

/* ---- masks ---- */

/* "keep" of "masks/keep.npy": what a mask is called says what True means. */
static void base_name(const char *path, char *out, size_t size)
{
	const char *slash = strrchr(path, '/');

	snprintf(out, size, "%s", slash ? slash + 1 : path);
	char *dot = strrchr(out, '.');
	if (dot && dot != out)
		*dot = '\0';
}

static bool is_file(const char *name)
{
	struct stat st;
	return !stat(name, &st);
}

/* FILE:NAME names an array inside a file; *member is "" when it is the only one. */
static void split_member(const char *value, char file[PATH_MAX], const char **member)
{
	snprintf(file, PATH_MAX, "%s", value);
	*member = "";
	if (is_file(value))
		return;
	for (const char *colon = strchr(value, ':'); colon; colon = strchr(colon + 1, ':')) {
		char before[PATH_MAX];
		if ((size_t)(colon - value) >= sizeof before)
			return;
		snprintf(before, sizeof before, "%.*s", (int)(colon - value), value);
		if (!is_file(before))
			continue;
		memcpy(file, before, sizeof before);
		*member = colon + 1;
		return;
	}
}

static enum status use_matrix(struct problem *p, enum option which, struct matrix *m, enum npy_kind kind,
			      const char *file, const char *member, const struct options *o, struct error *e)
{
	char name[NAME_MAX + 1];

	if (which == OPT_BIAS)
		return bias_load(p, m, e);
	const char *dot = strrchr(member, '.');
	base_name(*member ? dot ? dot + 1 : member : file, name, sizeof name);
	return mask_load(p, m, kind <= NPY_BF16, kind == NPY_BOOL, name, o, e);
}

/* Of an array with layers or a batch the part that is open is taken, of one that differs
 * by head the head in force. Axes of length one before the last two are taken, as in a mask of shape
 * (1, 1, n_q, n_k): libraries have them for batch and heads, and the mask is the
 * same for all of those. Any other further axis is refused. */
static enum status read_matrix(struct problem *p, enum option which, const char *value, const struct options *o,
			       struct error *e)
{
	char file[PATH_MAX];
	const char *member;
	struct content c;
	struct matrix m = { 0 };
	struct tensors t;
	enum npy_kind kind;
	const struct mask_place at = { p->n_q, p->n_k, p->heads, o->head < 0 ? 0 : (size_t)o->head, &p->part };
	const struct tensors_options reading = { .v2_is_bf16 = p->part.bf16 };
	bool by_head;

	split_member(value, file, &member);
	enum status s = content_open(&c, file, FROM_FILE, e);
	if (s)
		return s;
	if (!(s = tensors_read(&t, c.data, c.size, file, &reading, e))) {
		if (!(s = tensor_mask(&m, &kind, &by_head, &t, member, &at, e)) && !(s = use_matrix(p, which, &m, kind, file, member, o, e)) &&
		    by_head) {
			p->of_one_head = true;
			p->mask_head = at.head;
		}
		tensors_free(&t);
	}
	matrix_free(&m);
	content_free(&c);
	return s;
}

enum status load_masks(struct problem *p, const struct options *o, struct error *e)
{
	static const enum option which[] = { OPT_MASK, OPT_BIAS };
	const char *const value[] = { o->mask, o->bias };
	char text[sizeof e->text];

	for (int k = 0; k < 2; k++) {
		enum status s = *value[k] ? read_matrix(p, which[k], value[k], o, e) : OK_STATUS;
		if (!s)
			continue;
		/* The option says which file, whoever found the fault. */
		snprintf(text, sizeof text, "%s", e->text);
		e->file[0] = '\0';
		e->line = e->column = 0;
		return error_option(e, s, option_info(which[k])->name, value[k], "%s", text);
	}
	return OK_STATUS;
}
