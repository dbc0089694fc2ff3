/* load.c - finds an input and reads it: the one place that opens files. */
#include "tui/load.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assets/assets.h"
#include "core/io/lesson_yaml.h"
#include "core/io/npy.h"
#include "core/io/scenario_yaml.h"
#include "core/mask.h"
#include "core/nearest.h"
#include "core/row.h"
#include "tui/arguments.h"

#define STDIN_NAME "stdin"		/* "-" in errors, and the name of its scenario */

/* ---- bytes ---- */

static enum status file_error(struct error *e, const char *name, const char *what)
{
	return error_at(e, E_FILE, name, 0, 0, "%s: %s", what, strerror(errno));
}

static enum status read_all(struct buffer *out, int fd, const char *name, struct error *e)
{
	char chunk[65536];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return file_error(e, name, "cannot be read");
		if (n == 0)
			return OK_STATUS;
		if (out->size + (size_t)n > LOAD_LIMIT)
			return error_at(e, E_LIMIT, name, 0, 0, "larger than the limit of 64 MiB");
		buffer_put(out, chunk, (size_t)n);
		if (out->failed)
			return error_at(e, E_MEMORY, name, 0, 0, "no memory for its bytes");
	}
}

/* Where bytes may come from. Reading a pipe or a terminal waits for somebody,
 * which is right for INPUT, before the screen is there, and never later. */
enum origin { FROM_INPUT, FROM_FILE };

static enum status check_kind(int fd, const char *name, enum origin origin, struct error *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return file_error(e, name, "cannot be read");
	if (S_ISDIR(st.st_mode))
		return error_at(e, E_FILE, name, 0, 0, "is a folder; a file is expected");
	if (origin == FROM_FILE && !S_ISREG(st.st_mode))
		return error_at(e, E_FILE, name, 0, 0, "is not a plain file");
	return OK_STATUS;
}

/* A FIFO that is to be refused must not make us wait for its writer. */
static int open_origin(const char *name, enum origin origin)
{
	return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | (origin == FROM_FILE ? O_NONBLOCK : 0));
}

static enum status read_bytes(struct buffer *out, const char *name, enum origin origin, struct error *e)
{
	struct buffer bytes = { 0 };
	bool standard = !strcmp(name, "-");
	const char *shown = standard ? STDIN_NAME : name;

	if (standard && origin == FROM_FILE)
		return error_at(e, E_FILE, name, 0, 0, "is no file here: only INPUT of the command line may be standard input");
	int fd = standard ? STDIN_FILENO : open_origin(name, origin);
	if (fd < 0)
		return file_error(e, shown, "cannot be opened");
	enum status s = check_kind(fd, shown, origin, e);
	if (!s)
		s = read_all(&bytes, fd, shown, e);
	if (!standard)
		close(fd);
	if (!s) {
		buffer_put(out, bytes.data, bytes.size);
		if (out->failed)
			s = error_at(e, E_MEMORY, shown, 0, 0, "no memory for its bytes");
	}
	buffer_free(&bytes);
	return s;
}

enum status load_bytes(struct buffer *out, const char *name, struct error *e)
{
	return read_bytes(out, name, FROM_FILE, e);
}

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
	"libraries", "heads", "beyond",
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

/* Other files that people have of the same numbers. */
static const char *foreign_kind(const struct buffer *b)
{
	if (b->size >= 6 && !memcmp(b->data, "\x93NUMPY", 6))
		return "a NumPy array";
	if (b->size >= 4 && !memcmp(b->data, "PK\3\4", 4))
		return "a zip archive (.npz)";
	return NULL;
}

static enum status parse(struct scenario *s, const struct buffer *b, const char *name, struct error *e)
{
	const char *foreign = foreign_kind(b);

	if (foreign)
		return error_at(e, E_VALUE, name, 0, 0, "is %s; this version opens scenario files (YAML)", foreign);
	return scenario_parse(s, b->data ? b->data : "", b->size, name, e);
}

static enum status read_scenario(struct scenario *s, const char *input, enum origin origin, struct error *e)
{
	const struct asset *asset = find_asset("scenarios", input);
	struct buffer bytes = { 0 };

	if (asset)
		return scenario_parse(s, asset->data, asset->size, strrchr(asset->name, '/') + 1, e);
	if (is_no_file(input))
		return unknown_input(input, "scenario", builtin, builtin_count(), e);
	enum status status = read_bytes(&bytes, input, origin, e);
	if (!status)
		status = parse(s, &bytes, strcmp(input, "-") ? input : STDIN_NAME, e);
	buffer_free(&bytes);
	return status;
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
static enum status load_from(struct scenario *s, const char *input, enum origin origin,
			     const struct random_tables *tables, struct error *e)
{
	struct scenario fresh;
	enum status status = read_scenario(&fresh, input, origin, e);

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
	return load_from(s, input, FROM_INPUT, tables, e);
}

enum status load_scenario_file(struct scenario *s, const char *input, const struct random_tables *tables,
			       struct error *e)
{
	return load_from(s, input, FROM_FILE, tables, e);
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
static enum status lesson_bytes(struct buffer *bytes, const char *input, enum origin origin, const char **name,
				struct error *e)
{
	const struct asset *asset = find_asset("lessons", input);

	*name = asset ? strrchr(asset->name, '/') + 1 : strcmp(input, "-") ? input : STDIN_NAME;
	if (!asset && is_no_file(input))
		return unknown_input(input, "lesson", lesson, builtin_lesson_count(), e);
	if (!asset)
		return read_bytes(bytes, input, origin, e);
	buffer_put(bytes, asset->data, asset->size);
	return bytes->failed ? error_at(e, E_MEMORY, input, 0, 0, "no memory for its bytes") : OK_STATUS;
}

static enum status load_lesson_from(struct lesson *l, const char *input, enum origin origin, struct error *e)
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

/* ---- writing ---- */

static enum status write_all(int fd, const char *name, const char *data, size_t size, struct error *e)
{
	while (size) {
		ssize_t n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return file_error(e, name, "cannot be written");
		data += n;
		size -= (size_t)n;
	}
	return fsync(fd) && errno != EINVAL && errno != EROFS ? file_error(e, name, "cannot be written") : OK_STATUS;
}

/* A new file beside the target, so that renaming stays within one file system. */
static int open_beside(const char *name, char *path, size_t size)
{
	int fd = -1;

	errno = EEXIST;
	for (unsigned k = 0; k < 100 && fd < 0 && errno == EEXIST; k++) {
		int n = snprintf(path, size, "%s.new-%ld-%u", name, (long)getpid(), k);
		if (n < 0 || (size_t)n >= size) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	return fd;
}

/* Gives the complete file its name: by a link, which fails when the name is
 * taken meanwhile, where nothing may be replaced. */
static enum status take_name(const char *path, const char *name, bool replace, struct error *e)
{
	if (replace) {
		if (rename(path, name))
			return file_error(e, name, "cannot be written");
		return OK_STATUS;
	}
	if (!link(path, name)) {
		unlink(path);
		return OK_STATUS;
	}
	struct stat st;
	if (errno == EEXIST || !lstat(name, &st))
		return error_at(e, E_FILE, name, 0, 0, "exists; it is not replaced unasked");
	if (rename(path, name))		/* a file system without links */
		return file_error(e, name, "cannot be written");
	return OK_STATUS;
}

static enum status check_target(const char *name, bool replace, mode_t *mode, struct error *e)
{
	struct stat st;

	*mode = 0;
	if (stat(name, &st))
		return OK_STATUS;
	if (S_ISDIR(st.st_mode))
		return error_at(e, E_FILE, name, 0, 0, "is a folder; a file name is expected");
	if (!S_ISREG(st.st_mode))
		return error_at(e, E_FILE, name, 0, 0, "is not a plain file");
	if (!replace)
		return error_at(e, E_FILE, name, 0, 0, "exists; it is not replaced unasked");
	*mode = st.st_mode & 07777;
	return OK_STATUS;
}

static enum status save_at(const char *target, const char *name, const char *data, size_t size, bool replace,
			   mode_t mode, struct error *e)
{
	char path[PATH_MAX];
	int fd = open_beside(target, path, sizeof path);

	if (fd < 0)
		return file_error(e, name, "cannot be written");
	enum status s = write_all(fd, name, data, size, e);
	if (!s && mode && fchmod(fd, mode))
		s = file_error(e, name, "cannot be written");
	if (close(fd) && !s)
		s = file_error(e, name, "cannot be written");
	if (!s)
		s = take_name(path, target, replace, e);
	if (s)
		unlink(path);
	return s;
}

enum status save_bytes(const char *name, const char *data, size_t size, bool replace, struct error *e)
{
	mode_t mode;
	enum status s = check_target(name, replace, &mode, e);

	if (s)
		return s;
	/* Through a symbolic link the file is replaced, not the link. */
	char *real = replace ? realpath(name, NULL) : NULL;
	s = save_at(real ? real : name, name, data, size, replace, mode, e);
	free(real);
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

/* FILE:NAME names an array inside a file. */
static bool names_member(const char *value)
{
	char file[PATH_MAX];
	const char *colon = strrchr(value, ':');

	if (!colon || (size_t)(colon - value) >= sizeof file || is_file(value))
		return false;
	snprintf(file, sizeof file, "%.*s", (int)(colon - value), value);
	return is_file(file);
}

static enum status use_matrix(struct problem *p, enum option which, struct matrix *m, enum npy_kind kind,
			      const char *value, const struct options *o, struct error *e)
{
	char name[NAME_MAX + 1];

	if (which == OPT_BIAS)
		return bias_load(p, m, e);
	base_name(value, name, sizeof name);
	return mask_load(p, m, kind <= NPY_BF16, kind == NPY_BOOL, name, o, e);
}

/* Axes of length one before the last two are taken, as in a mask of shape
 * (1, 1, n_q, n_k): libraries have them for batch and heads, and the mask is the
 * same for all of those. Any other further axis is refused. */
static enum status read_matrix(struct problem *p, enum option which, const char *value, const struct options *o,
			       struct error *e)
{
	struct buffer bytes = { 0 };
	struct matrix m = { 0 };
	struct npy a;
	enum status s;

	if (names_member(value))
		return error_set(e, E_VALUE, "arrays inside a file are not read in this version; a .npy file is expected");
	s = load_bytes(&bytes, value, e);
	if (!s && bytes.size >= 4 && !memcmp(bytes.data, "PK\3\4", 4))
		s = error_set(e, E_VALUE, "is a zip archive (.npz); a .npy file is expected in this version");
	if (!s && !(s = npy_parse(&a, bytes.data ? bytes.data : "", bytes.size, NULL, false, e)) &&
	    !(s = npy_matrix(&a, &m, e)))
		s = use_matrix(p, which, &m, a.kind, value, o, e);
	matrix_free(&m);
	buffer_free(&bytes);
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
