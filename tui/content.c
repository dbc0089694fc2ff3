/* content.c - the bytes of files, in and out: the one place that opens them. */
#include "tui/content.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

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

static enum status check_kind(int fd, const char *name, enum content_origin origin, struct error *e)
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
static int open_origin(const char *name, enum content_origin origin)
{
	return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | (origin == FROM_FILE ? O_NONBLOCK : 0));
}

static enum status open_checked(int *fd, const char *name, enum content_origin origin, struct error *e)
{
	bool standard = !strcmp(name, "-");
	const char *shown = standard ? STDIN_NAME : name;

	if (standard && origin == FROM_FILE)
		return error_at(e, E_FILE, name, 0, 0, "is no file here: only INPUT of the command line may be standard input");
	*fd = standard ? STDIN_FILENO : open_origin(name, origin);
	if (*fd < 0)
		return file_error(e, shown, "cannot be opened");
	enum status s = check_kind(*fd, shown, origin, e);
	if (s && !standard)
		close(*fd);
	return s;
}

enum status content_read(struct buffer *out, const char *name, enum content_origin origin, struct error *e)
{
	struct buffer bytes = { 0 };
	bool standard = !strcmp(name, "-");
	const char *shown = standard ? STDIN_NAME : name;
	int fd;
	enum status s = open_checked(&fd, name, origin, e);

	if (s)
		return s;
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

/* ---- files that are mapped ----
 *
 * Their pages are read when they are looked at. A page that the file has no longer is
 * a SIGBUS, whose handler may only read what is here and write.
 */

enum { MAPPINGS = 64 };		/* more are mapped all the same, and not told by name */

struct mapping {
	unsigned char *begin;
	size_t size;
	size_t length;
	char line[];		/* what is told when it is cut short */
};

static _Atomic(struct mapping *) mappings[MAPPINGS];

static struct mapping *mapping_new(void *begin, size_t size, const char *name)
{
	static const char format[] = "qkv: %s was cut short while it was open\n";
	size_t room = sizeof format + strlen(name);
	struct mapping *m = malloc(sizeof *m + room);

	if (!m)
		return NULL;
	*m = (struct mapping){ .begin = begin, .size = size };
	m->length = (size_t)snprintf(m->line, room, format, name);
	/* Nothing in a name acts on a terminal. */
	for (size_t k = 0; k + 1 < m->length; k++)
		if ((unsigned char)m->line[k] < 0x20 || m->line[k] == 0x7f)
			m->line[k] = '?';
	for (int k = 0; k < MAPPINGS; k++) {
		struct mapping *none = NULL;
		if (atomic_compare_exchange_strong(&mappings[k], &none, m))
			break;
	}
	return m;
}

static void mapping_free(struct mapping *m)
{
	for (int k = 0; k < MAPPINGS; k++) {
		struct mapping *own = m;
		atomic_compare_exchange_strong(&mappings[k], &own, NULL);
	}
	munmap(m->begin, m->size);
	free(m);
}

bool content_lost(const void *address)
{
	const unsigned char *at = address;

	for (int k = 0; k < MAPPINGS; k++) {
		const struct mapping *m = atomic_load(&mappings[k]);
		if (!m || at < m->begin || at >= m->begin + m->size)
			continue;
		if (write(STDERR_FILENO, m->line, m->length) < 0) {
			/* nobody listens; the status says it, too */
		}
		return true;
	}
	return false;
}

/* False for what is no plain file, is empty, or cannot be mapped. */
static bool map_file(struct content *c, int fd, const char *name)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 || (uintmax_t)st.st_size > SIZE_MAX ||
	    lseek(fd, 0, SEEK_CUR) != 0)
		return false;
	void *mapped = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (mapped == MAP_FAILED)
		return false;
	struct mapping *m = mapping_new(mapped, (size_t)st.st_size, name);
	if (!m) {
		munmap(mapped, (size_t)st.st_size);
		return false;
	}
	*c = (struct content){ .data = mapped, .size = m->size, .mapped = m };
	return true;
}

enum status content_open(struct content *c, const char *name, enum content_origin origin, struct error *e)
{
	bool standard = !strcmp(name, "-");
	struct buffer bytes = { 0 };
	int fd;
	enum status s = open_checked(&fd, name, origin, e);

	if (s)
		return s;
	if (!map_file(c, fd, standard ? STDIN_NAME : name)) {
		if ((s = read_all(&bytes, fd, standard ? STDIN_NAME : name, e)))
			buffer_free(&bytes);
		else
			*c = (struct content){ .data = bytes.data ? bytes.data : "", .size = bytes.size, .bytes = bytes };
	}
	if (!standard)
		close(fd);
	return s;
}

void content_sampled(const struct content *c, bool sampled)
{
	if (c->mapped)
		madvise(c->mapped->begin, c->mapped->size, sampled ? MADV_RANDOM : MADV_NORMAL);
}

void content_free(struct content *c)
{
	if (c->mapped)
		mapping_free(c->mapped);
	buffer_free(&c->bytes);
	*c = (struct content){ 0 };
}

enum status load_bytes(struct buffer *out, const char *name, struct error *e)
{
	return content_read(out, name, FROM_FILE, e);
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
		return error_at(e, E_FILE, name, 0, 0, "exists; it is not replaced unasked, :w! does it");
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
		return error_at(e, E_FILE, name, 0, 0, "exists; it is not replaced unasked, :w! does it");
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
