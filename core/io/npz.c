/* npz.c - NumPy's .npz: a zip archive of .npy members. */
#include "core/io/npz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/io/libzip.h"
#include "core/message.h"
#include "core/utf8.h"

enum {
	CHUNK = 1 << 16,	/* bytes that are unpacked at once */
	ENDING = 4,		/* of ".npy" */
	END_SIZE = 22,		/* of the record that every archive ends with */
};

/* The archive's bytes, as libzip reads them. `from` to `to` is the last stretch that
 * was read without a gap; NOWHERE: nothing was read since. */
struct archive {
	const unsigned char *bytes;
	size_t size, at;
	size_t from, to;
	zip_error_t error;
};
#define NOWHERE SIZE_MAX

struct npz {
	struct archive archive;
	zip_t *zip;
	unsigned char head[NPY_HEAD_MAX];	/* of the member that is being read */
	unsigned char chunk[CHUNK];
};

/* A member that is being read. */
struct member {
	zip_file_t *file;
	size_t size;		/* unpacked, as the directory has it */
	size_t head_size;	/* of npz->head: what stands before the elements */
	size_t done;		/* bytes that were read */
};

/* ---- libzip's source ---- */

static zip_int64_t serve_bytes(struct archive *s, void *out, zip_uint64_t n)
{
	size_t count = n < s->size - s->at ? (size_t)n : s->size - s->at;

	if (!count)
		return 0;
	memcpy(out, s->bytes + s->at, count);
	if (s->at != s->to)
		s->from = s->at;
	s->at += count;
	s->to = s->at;
	return (zip_int64_t)count;
}

static zip_int64_t serve_size(const struct archive *s, zip_stat_t *out)
{
	libzip.stat_init(out);
	out->size = s->size;
	out->valid = ZIP_STAT_SIZE;
	return (zip_int64_t)sizeof *out;
}

static zip_int64_t serve_seek(struct archive *s, void *data, zip_uint64_t n)
{
	zip_int64_t at = libzip.source_seek_compute_offset(s->at, s->size, data, n, &s->error);

	if (at < 0)
		return -1;
	s->at = (size_t)at;
	return 0;
}

static zip_int64_t serve(void *user, void *data, zip_uint64_t n, zip_source_cmd_t command)
{
	struct archive *s = user;

	switch (command) {
	case ZIP_SOURCE_OPEN:
		s->at = 0;
		return 0;
	case ZIP_SOURCE_READ:
		return serve_bytes(s, data, n);
	case ZIP_SOURCE_SEEK:
		return serve_seek(s, data, n);
	case ZIP_SOURCE_TELL:
		return (zip_int64_t)s->at;
	case ZIP_SOURCE_STAT:
		return serve_size(s, data);
	case ZIP_SOURCE_ERROR:
		return libzip.error_to_data(&s->error, data, n);
	case ZIP_SOURCE_SUPPORTS:
		return libzip.source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
							 ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, -1);
	case ZIP_SOURCE_CLOSE:
	case ZIP_SOURCE_FREE:
		return 0;
	default:
		libzip.error_set(&s->error, ZIP_ER_OPNOTSUPP, 0);
		return -1;
	}
}

/* ---- the archive ---- */

static enum status zip_failed(zip_error_t *fault, const char *name, const char *what, struct error *e)
{
	if (libzip.error_code_zip(fault) == ZIP_ER_MEMORY)
		return error_at(e, E_MEMORY, name, 0, 0, "no memory for a zip archive");
	return error_at(e, E_SYNTAX, name, 0, 0, "%s: %s", what, libzip.error_strerror(fault));
}

static void npz_free(void *reader)
{
	struct npz *z = reader;

	if (z->zip)
		libzip.discard(z->zip);
	libzip.error_fini(&z->archive.error);
	free(z);
}

static enum status open_archive(struct npz *z, const char *name, struct error *e)
{
	zip_error_t fault;
	enum status s = OK_STATUS;

	libzip.error_init(&fault);
	zip_source_t *source = libzip.source_function_create(serve, &z->archive, &fault);
	if (source)
		z->zip = libzip.open_from_source(source, ZIP_RDONLY, &fault);
	if (!z->zip) {
		libzip.source_free(source);
		s = zip_failed(&fault, name, _("not a .npz file, damaged or cut off"), e);
	}
	libzip.error_fini(&fault);
	return s;
}

/* ---- reading a member ---- */

static enum status member_failed(const struct member *m, struct error *e)
{
	return zip_failed(libzip.file_get_error(m->file), NULL, _("damaged member of the archive"), e);
}

/* Reads up to n bytes; less than n only at the member's end. */
static enum status take(struct member *m, void *out, size_t n, size_t *taken, struct error *e)
{
	zip_int64_t got = 1;

	for (*taken = 0; *taken < n && got > 0; *taken += (size_t)got) {
		got = libzip.fread(m->file, (unsigned char *)out + *taken, n - *taken);
		if (got < 0)
			return member_failed(m, e);
	}
	m->done += *taken;
	return OK_STATUS;
}

static enum status cut_short(const struct member *m, struct error *e)
{
	return error_set(e, E_SYNTAX, "damaged member of the archive: expected %zu bytes, found %zu", m->size, m->done);
}

static enum status take_all(struct member *m, void *out, size_t n, struct error *e)
{
	size_t taken;
	enum status s = take(m, out, n, &taken, e);

	return !s && taken < n ? cut_short(m, e) : s;
}

/* Reads on to the member's end, where libzip compares the CRC. */
static enum status take_rest(struct npz *z, struct member *m, struct error *e)
{
	size_t taken = CHUNK;

	while (taken && m->done <= m->size) {
		enum status s = take(m, z->chunk, CHUNK, &taken, e);
		if (s)
			return s;
	}
	if (m->done > m->size)
		return error_set(e, E_SYNTAX, "damaged member of the archive: more than the %zu bytes it announces", m->size);
	return m->done < m->size ? cut_short(m, e) : OK_STATUS;
}

/* How long all before the elements is, by the first 12 bytes of a .npy file. */
static size_t head_length(const unsigned char *b, size_t prefix)
{
	size_t length = b[8] | (size_t)b[9] << 8;

	if (b[6] > 1)
		length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
	if (b[6] == 1)
		prefix -= 2;
	return length < NPY_HEAD_MAX - prefix ? prefix + length : NPY_HEAD_MAX;
}

/* Fills z->head as far as npy_parse looks at it. */
static enum status take_head(struct npz *z, struct member *m, struct error *e)
{
	enum { PREFIX = 12 };
	size_t n = m->size < PREFIX ? m->size : PREFIX;
	enum status s = take_all(m, z->head, n, e);

	if (s || n < PREFIX || memcmp(z->head, "\x93NUMPY", 6))
		return s;
	n = head_length(z->head, PREFIX);
	if (n > m->size)
		n = m->size;
	m->head_size = n;
	return n > PREFIX ? take_all(m, z->head + PREFIX, n - PREFIX, e) : OK_STATUS;
}

static enum status begin_member(struct npz *z, struct member *m, size_t index, struct error *e)
{
	zip_stat_t stat;

	*m = (struct member){ 0 };
	libzip.stat_init(&stat);
	if (libzip.stat_index(z->zip, index, 0, &stat))
		return zip_failed(libzip.get_error(z->zip), NULL, _("damaged member of the archive"), e);
	if (stat.size > PTRDIFF_MAX)
		return error_set(e, E_LIMIT, "the member is too large");
	m->size = (size_t)stat.size;
	m->file = libzip.fopen_index(z->zip, index, 0);
	if (!m->file)
		return zip_failed(libzip.get_error(z->zip), NULL, _("damaged member of the archive"), e);
	z->archive.from = z->archive.to = NOWHERE;
	return take_head(z, m, e);
}

static void end_member(struct member *m)
{
	if (m->file)
		libzip.fclose(m->file);
}

/* ---- the list ---- */

/* Why a member is not even looked at; "" when it is. */
static void check_packing(struct tensor *t, const zip_stat_t *stat)
{
	if (stat->encryption_method != ZIP_EM_NONE)
		tensor_refuse(t, _("the member is encrypted"));
	else if (stat->comp_method != ZIP_CM_STORE && stat->comp_method != ZIP_CM_DEFLATE)
		tensor_refuse(t, _("the member is packed by method %u, expected 0 (stored) or 8 (deflated)"),
			      (unsigned)stat->comp_method);
}

static enum status parse_member(struct npz *z, struct tensor *t, bool v2_is_bf16, struct error *e)
{
	struct member m;
	struct npy a;
	enum status s = begin_member(z, &m, t->place, e);

	if (!s)
		s = npy_parse(&a, z->head, m.size, NULL, v2_is_bf16, e);
	end_member(&m);
	if (s)
		return s;
	if (a.surplus > NPZ_SURPLUS_MAX)
		return error_set(e, E_LIMIT, "the member has %zu bytes behind its array, expected at most %d",
				 a.surplus, NPZ_SURPLUS_MAX);
	t->array = a;
	t->array.data = NULL;
	return OK_STATUS;
}

static enum status add_member(struct tensors *t, size_t index, const char *name, const struct tensors_options *o,
			      struct error *e)
{
	struct npz *z = t->reader;
	struct error fault = { 0 };
	zip_stat_t stat;
	struct tensor *v = tensors_add(t, name, strlen(name) - ENDING, e);

	if (!v)
		return E_MEMORY;
	v->place = index;
	libzip.stat_init(&stat);
	v->damaged = libzip.stat_index(z->zip, index, 0, &stat) != 0;
	if (v->damaged)
		tensor_refuse(v, _("damaged member of the archive: %s"), libzip.strerror(z->zip));
	else
		check_packing(v, &stat);
	if (v->refused[0])
		return OK_STATUS;
	enum status s = parse_member(z, v, o->v2_is_bf16, &fault);
	if (s == E_MEMORY)
		return error_set(e, E_MEMORY, "%s", fault.text);
	v->damaged = s == E_SYNTAX;
	if (s)
		tensor_refuse(v, "%s", fault.text);
	else if (v->array.surplus)
		tensors_note(t, _("%zu bytes behind the array in '%.60s' are ignored"), v->array.surplus, name);
	return OK_STATUS;
}

static bool ends(const char *name, const char *ending)
{
	size_t n = strlen(name), m = strlen(ending);

	return n >= m && !strcmp(name + n - m, ending);
}

/* UTF-8 as it stands, flagged so or not; other names by the code page of old archives. NULL: damaged. */
static const char *member_name(struct npz *z, size_t index)
{
	const char *name = libzip.get_name(z->zip, index, ZIP_FL_ENC_RAW);
	uint32_t c;

	for (const char *p = name; p && *p;) {
		size_t n = utf8_decode(p, UTF8_MAX, &c);
		if (!n)
			return libzip.get_name(z->zip, index, ZIP_FL_ENC_GUESS);
		p += n;
	}
	return name;
}

static enum status add_members(struct tensors *t, size_t count, const char *name, const struct tensors_options *o,
			       struct error *e)
{
	struct npz *z = t->reader;
	bool pickle = false;

	for (size_t i = 0; i < count; i++) {
		const char *member = member_name(z, i);
		enum status s = OK_STATUS;
		if (member && ends(member, ".npy"))
			s = add_member(t, i, member, o, e);
		pickle |= member && ends(member, "data.pkl");
		if (s)
			return s;
	}
	if (!t->n && pickle)
		return tensors_refuse_pickle(name, e);
	if (!t->n && count)
		return error_at(e, E_VALUE, name, 0, 0, "a zip archive without arrays: expected members that end in .npy");
	return OK_STATUS;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Which of two the program would show would be chance. */
static enum status check_names(const struct tensors *t, const char *name, struct error *e)
{
	const char **names = malloc((t->n + 1) * sizeof *names), *twice = NULL;

	if (!names)
		return error_set(e, E_MEMORY, "no memory for %zu names", t->n);
	for (size_t i = 0; i < t->n; i++)
		names[i] = t->v[i].name;
	qsort(names, t->n, sizeof *names, compare_names);
	for (size_t i = 1; i < t->n && !twice; i++)
		if (!strcmp(names[i - 1], names[i]))
			twice = names[i];
	free(names);
	return twice ? error_at(e, E_SYNTAX, name, 0, 0, "two members of the archive are called '%.60s.npy'", twice) : OK_STATUS;
}

enum status npz_read(struct tensors *t, const void *bytes, size_t size, const char *name,
		     const struct tensors_options *o, struct error *e)
{
	/* libzip takes no bytes at all for an archive without members. */
	if (size < END_SIZE)
		return error_at(e, E_SYNTAX, name, 0, 0, "the file is cut off: expected at least %d bytes of a .npz file, found %zu",
				END_SIZE, size);
	enum status s = libzip_load(e);
	if (s)
		return s;
	struct npz *z = calloc(1, sizeof *z);
	if (!z)
		return error_set(e, E_MEMORY, "no memory for a zip archive");
	z->archive = (struct archive){ .bytes = bytes, .size = size, .from = NOWHERE, .to = NOWHERE };
	libzip.error_init(&z->archive.error);
	t->reader = z;
	t->reader_free = npz_free;
	if ((s = open_archive(z, name, e)))
		return s;
	zip_int64_t count = libzip.get_num_entries(z->zip, 0);
	if (count > NPZ_MEMBERS_MAX)
		return error_at(e, E_LIMIT, name, 0, 0, "the archive has %lld members, expected at most %d",
				(long long)count, NPZ_MEMBERS_MAX);
	s = add_members(t, (size_t)count, name, o, e);
	return s ? s : check_names(t, name, e);
}

/* ---- elements ---- */

/* A stored member is read to its end for the CRC only; its bytes are in the archive,
 * unless libzip did not read them in one stretch. */
static enum status use_in_place(struct npz *z, struct tensor *v, struct error *e)
{
	const struct archive *from = &z->archive;
	struct member m;
	enum status s = begin_member(z, &m, v->place, e);

	if (!s)
		s = take_rest(z, &m, e);
	if (!s && from->to - from->from == m.size)
		v->array.data = from->bytes + from->from + m.head_size;
	end_member(&m);
	return s;
}

static bool grow(unsigned char **v, size_t *room, size_t wanted)
{
	size_t more = *room ? *room : CHUNK;

	*room = more < wanted - *room ? *room + more : wanted;
	unsigned char *moved = realloc(*v, *room);
	if (moved)
		*v = moved;
	return moved != NULL;
}

/* *v is to be freed, after an error too. */
static enum status take_elements(struct member *m, size_t wanted, unsigned char **v, struct error *e)
{
	enum status s = OK_STATUS;

	for (size_t room = 0, done = 0; !s && done < wanted; done = room) {
		if (!grow(v, &room, wanted))
			return error_set(e, E_MEMORY, "no memory for an array of %zu bytes", wanted);
		s = take_all(m, *v + done, room - done, e);
	}
	return s;
}

static enum status unpack(struct npz *z, struct tensor *v, unsigned char **elements, struct error *e)
{
	struct member m;
	enum status s = begin_member(z, &m, v->place, e);

	if (!s)
		s = take_elements(&m, v->array.count * v->array.item_size, elements, e);
	if (!s)
		s = take_rest(z, &m, e);
	end_member(&m);
	return s;
}

static enum status own_elements(struct tensors *t, struct tensor *v, struct error *e)
{
	size_t wanted = v->array.count * v->array.item_size;
	unsigned char *elements = NULL;

	if (wanted > TENSORS_LIMIT - t->opened)
		return error_set(e, E_LIMIT, "the array takes %zu bytes unpacked; those of one file may take %zu together",
				 wanted, TENSORS_LIMIT);
	enum status s = unpack(t->reader, v, &elements, e);
	if (s) {
		free(elements);
		return s;
	}
	v->owned = elements;
	v->array.data = elements ? elements : t->bytes;
	t->opened += wanted;
	return OK_STATUS;
}

enum status npz_open(struct tensors *t, size_t i, struct error *e)
{
	struct npz *z = t->reader;
	struct tensor *v = &t->v[i];
	zip_stat_t stat;
	enum status s = OK_STATUS;

	libzip.stat_init(&stat);
	if (!libzip.stat_index(z->zip, v->place, 0, &stat) && stat.comp_method == ZIP_CM_STORE)
		s = use_in_place(z, v, e);
	return s || v->array.data ? s : own_elements(t, v, e);
}
