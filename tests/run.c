/* run.c - runs the program as a user would, and keeps what it writes. */
#include "tests/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *surroundings(const char *name)
{
	const char *value = getenv(name);

	if (!value)
		fail_msg("the environment variable %s is not set", name);
	return value;
}

static char *read_all(FILE *f, size_t *size)
{
	char *data = NULL;
	size_t n = 0, room = 0;

	do {
		room = room ? 2 * room : 4096;
		data = realloc(data, room + 1);
		assert_non_null(data);
		n += fread(data + n, 1, room - n, f);
	} while (n == room);
	data[n] = '\0';
	*size = n;
	return data;
}

char *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	size_t ignored;

	if (!f)
		return NULL;
	char *data = read_all(f, size ? size : &ignored);
	fclose(f);
	return data;
}

void write_file(const char *path, const void *data, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

void make_folder(char path[256])
{
	const char *where = getenv("TMPDIR");

	snprintf(path, 256, "%s/qkv-test-XXXXXX", where ? where : "/tmp");
	assert_non_null(mkdtemp(path));
}

void remove_folder(const char *path)
{
	DIR *d = opendir(path);
	char name[1024];

	assert_non_null(d);
	for (struct dirent *entry; (entry = readdir(d));) {
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			assert_int_equal(unlink(name), 0);
	}
	closedir(d);
	assert_int_equal(rmdir(path), 0);
}

/* In the child: never comes back. */
static void become(const char *program, const char *const *argv, int in, int out, int err)
{
	char *words[64] = { (char *)"qkv" };

	for (size_t i = 0; i < 62 && argv[i]; i++)
		words[i + 1] = (char *)argv[i];
	if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0)
		execv(program, words);
	_exit(99);
}

static FILE *input_file(const char *text)
{
	FILE *f = tmpfile();

	assert_non_null(f);
	if (text)
		assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	rewind(f);
	return f;
}

static struct run run_with(const char *const *argv, const char *input, int output)
{
	const char *program = surroundings("QKV");
	FILE *in = input_file(input), *out = tmpfile(), *err = tmpfile();
	struct run r = { 0 };
	int status;

	assert_non_null(out);
	assert_non_null(err);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		become(program, argv, fileno(in), output >= 0 ? output : fileno(out), fileno(err));
	assert_int_equal(waitpid(child, &status, 0), child);
	r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	rewind(out);
	rewind(err);
	r.out = read_all(out, &r.out_size);
	r.err = read_all(err, &r.err_size);
	fclose(in);
	fclose(out);
	fclose(err);
	return r;
}

struct run run_words(const char *const *argv, const char *input)
{
	return run_with(argv, input, -1);
}

/* Cuts line into words in place. */
static void split(char *line, const char **words, size_t limit)
{
	size_t n = 0;

	for (char *p = line; *p; ) {
		char end = *p == '\'' ? '\'' : ' ';
		p += *p == '\'';
		assert_true(n + 1 < limit);
		words[n++] = p;
		p += strcspn(p, (char[]){ end, '\0' });
		if (*p)
			*p++ = '\0';
		p += strspn(p, " ");
	}
	words[n] = NULL;
}

static struct run run_line(const char *line, const char *input, int output)
{
	const char *words[62];
	char *copy = strdup(line);

	assert_non_null(copy);
	split(copy, words, 62);
	struct run r = run_with(words, input, output);
	free(copy);
	return r;
}

struct run run(const char *line)
{
	return run_line(line, NULL, -1);
}

struct run run_input(const char *line, const char *input)
{
	return run_line(line, input, -1);
}

struct run run_onto(const char *line, int output)
{
	struct run r = run_line(line, NULL, output);

	close(output);
	return r;
}

void run_free(struct run *r)
{
	free(r->out);
	free(r->err);
	memset(r, 0, sizeof *r);
}

void place_bytes(struct place *p, const char *name, const void *bytes, size_t size)
{
	if (!p->folder[0])
		make_folder(p->folder);
	snprintf(p->path, sizeof p->path, "%s/%s", p->folder, name);
	write_file(p->path, bytes, size);
}
