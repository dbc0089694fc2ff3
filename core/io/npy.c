/* npy.c - NumPy's .npy arrays: bytes in, numbers out, and back. */
#include "core/io/npy.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/utf8.h"

enum {
	MAGIC_SIZE = 6,
	PREFIX_SIZE = 8,	/* the magic string and two version bytes */
	HEADER_MAX = NPY_HEAD_MAX - 12,	/* what version 1.0 can hold; longer ones name structures */
	WRITTEN_SIZE = 128,	/* of all that stands before the data in what is written */
	SHOWN_MAX = 40,		/* bytes of a file that a message repeats */
};

static const unsigned char magic[MAGIC_SIZE] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

/* ---- what messages repeat ---- */

struct shown { char text[SHOWN_MAX + 4]; };
struct shape_text { char text[NPY_RANK_MAX * 22 + 4]; };

/* Bytes of the file, fit for a message: short, and nothing but printable ASCII. */
static struct shown show(const unsigned char *s, size_t n)
{
	struct shown out;
	size_t kept = n > SHOWN_MAX ? SHOWN_MAX : n;

	for (size_t i = 0; i < kept; i++)
		out.text[i] = s[i] >= 0x20 && s[i] < 0x7f ? (char)s[i] : '?';
	memcpy(out.text + kept, n > kept ? "..." : "", n > kept ? 4 : 1);
	return out;
}

/* "(2, 3)", as Python writes it. */
static struct shape_text show_shape(int rank, const size_t *shape)
{
	struct shape_text out;
	size_t at = 0;

	out.text[at++] = '(';
	for (int d = 0; d < rank; d++)
		at += (size_t)snprintf(out.text + at, sizeof out.text - at, d ? ", %zu" : "%zu", shape[d]);
	memcpy(out.text + at, rank == 1 ? ",)" : ")", rank == 1 ? 3 : 2);
	return out;
}

/* ---- the header, a Python dictionary of three entries ---- */

struct reader {
	const unsigned char *start, *at, *end;
	int version;
	const char *name;
	struct error *e;
};

#define FAIL(r, status, ...) error_at((r)->e, (status), (r)->name, 0, 0, __VA_ARGS__)

struct slice { const unsigned char *s; size_t n; };

struct header {
	struct slice descr;
	bool fortran;
	int rank;
	size_t shape[NPY_RANK_MAX];
};

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

/* A byte that a number or a word goes on with, so that "False" is not found in "Falsetto". */
static bool is_word(unsigned char c)
{
	return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.' || c >= 0x80;
}

static void skip_blanks(struct reader *r)
{
	while (r->at < r->end && is_blank(*r->at))
		r->at++;
}

static bool peek(struct reader *r, char c)
{
	skip_blanks(r);
	return r->at < r->end && *r->at == (unsigned char)c;
}

static bool take(struct reader *r, char c)
{
	bool there = peek(r, c);

	r->at += there;
	return there;
}

static bool take_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(r);
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) ||
	    ((size_t)(r->end - r->at) > n && is_word(r->at[n])))
		return false;
	r->at += n;
	return true;
}

/* What stands where something else was expected: a word, or one other byte. */
static struct shown found(struct reader *r)
{
	size_t n = 0;

	skip_blanks(r);
	if (r->at == r->end)
		return (struct shown){ "the end" };
	while (r->at + n < r->end && is_word(r->at[n]))
		n++;
	return show(r->at, n ? n : 1);
}

static enum status unexpected(struct reader *r, const char *expected)
{
	struct shown what = found(r);

	return FAIL(r, E_SYNTAX, "damaged .npy header: expected %s, found %s at byte %zu of it",
		    expected, what.text, (size_t)(r->at - r->start));
}

/* Whatever follows a backslash, no key and no type that is read here needs one. */
static enum status parse_string(struct reader *r, const char *expected, struct slice *out)
{
	skip_blanks(r);
	if (!peek(r, '\'') && !peek(r, '"'))
		return unexpected(r, expected);
	unsigned char quote = *r->at;
	const unsigned char *s = r->at + 1, *p = s;
	while (p < r->end && *p != quote && *p != '\n' && *p != '\\' && (*p < 0x80 || r->version == 3))
		p++;
	if (p == r->end || *p != quote) {
		r->at = p;
		return unexpected(r, "the end of a string");
	}
	*out = (struct slice){ s, (size_t)(p - s) };
	r->at = p + 1;
	return OK_STATUS;
}

static enum status refuse_structure(struct reader *r)
{
	return FAIL(r, E_VALUE, "a structured type is not read here; save one field of it with Python: "
		    "np.save('new.npy', np.load('old.npy')['FIELD'])");
}

static enum status parse_descr(struct reader *r, struct header *h)
{
	if (peek(r, '[') || peek(r, '(') || peek(r, '{'))
		return refuse_structure(r);
	return parse_string(r, "a type such as '<f8'", &h->descr);
}

static enum status parse_order(struct reader *r, struct header *h)
{
	bool fortran = take_word(r, "True");

	if (!fortran && !take_word(r, "False"))
		return unexpected(r, "True or False for 'fortran_order'");
	h->fortran = fortran;
	return OK_STATUS;
}

/* A whole number as Python writes one; Python 2 put an L behind it. */
static enum status parse_size(struct reader *r, size_t *out)
{
	size_t size = 0;

	if (peek(r, '-'))
		return unexpected(r, "a size in 'shape' that is not negative");
	const unsigned char *p = r->at;
	for (; p < r->end && is_digit(*p); p++) {
		if (size > (SIZE_MAX - (*p - '0')) / 10)
			return FAIL(r, E_LIMIT, "the .npy header announces a size of %s, larger than any array",
				    found(r).text);
		size = size * 10 + (*p - '0');
	}
	bool leading_zero = p > r->at + 1 && *r->at == '0';
	bool digits = p > r->at;
	if (digits && p < r->end && *p == 'L' && r->version < 3)
		p++;
	if (!digits || leading_zero || (p < r->end && is_word(*p)))
		return unexpected(r, "a whole number as size in 'shape'");
	r->at = p;
	*out = size;
	return OK_STATUS;
}

static enum status parse_shape(struct reader *r, struct header *h)
{
	bool comma = true;

	if (!take(r, '('))
		return unexpected(r, "a tuple such as (2, 3) for 'shape'");
	for (h->rank = 0; comma && !peek(r, ')'); h->rank++) {
		size_t size = 0;
		enum status s = parse_size(r, &size);
		if (s)
			return s;
		if (h->rank == NPY_RANK_MAX)
			return FAIL(r, E_LIMIT, "the array has more than %d dimensions", NPY_RANK_MAX);
		h->shape[h->rank] = size;
		comma = take(r, ',');
	}
	if (!take(r, ')'))
		return unexpected(r, "a comma or ) in 'shape'");
	if (h->rank == 1 && !comma)
		return FAIL(r, E_SYNTAX, "damaged .npy header: expected a tuple such as (%zu,) for 'shape', "
			    "found the number (%zu)", h->shape[0], h->shape[0]);
	return OK_STATUS;
}

static const struct entry {
	const char *key;
	enum status (*parse)(struct reader *r, struct header *h);
} entries[] = {
	{ "descr", parse_descr },
	{ "fortran_order", parse_order },
	{ "shape", parse_shape },
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

/* One "key: value"; `seen` has a bit for each key that came before. */
static enum status parse_entry(struct reader *r, struct header *h, unsigned *seen)
{
	struct slice key;
	size_t i = 0;
	enum status s = parse_string(r, "a key or }", &key);

	if (s)
		return s;
	while (i < ENTRIES && (strlen(entries[i].key) != key.n || memcmp(entries[i].key, key.s, key.n)))
		i++;
	if (i == ENTRIES)
		return FAIL(r, E_SYNTAX, "damaged .npy header: expected the keys descr, fortran_order and shape, "
			    "found '%s'", show(key.s, key.n).text);
	if (*seen & 1u << i)
		return FAIL(r, E_SYNTAX, "damaged .npy header: the key '%s' comes twice", entries[i].key);
	*seen |= 1u << i;
	if (!take(r, ':'))
		return unexpected(r, "a colon");
	return entries[i].parse(r, h);
}

/* No recursion anywhere: what may nest in a header is refused at its first bracket. */
static enum status parse_header(struct reader *r, struct header *h)
{
	unsigned seen = 0;
	bool comma = true;

	if (!take(r, '{'))
		return unexpected(r, "a dictionary");
	while (comma && !peek(r, '}')) {
		enum status s = parse_entry(r, h, &seen);
		if (s)
			return s;
		comma = take(r, ',');
	}
	if (!take(r, '}'))
		return unexpected(r, "a comma or }");
	for (size_t i = 0; i < ENTRIES; i++)
		if (!(seen & 1u << i))
			return FAIL(r, E_SYNTAX, "damaged .npy header: the key '%s' is missing", entries[i].key);
	skip_blanks(r);
	if (r->at < r->end)
		return unexpected(r, "nothing behind the dictionary");
	return OK_STATUS;
}

static enum status check_utf8(struct reader *r)
{
	uint32_t c;

	for (const unsigned char *p = r->at; p < r->end;) {
		size_t n = utf8_decode((const char *)p, (size_t)(r->end - p), &c);
		if (!n)
			return FAIL(r, E_SYNTAX, "damaged .npy header: expected UTF-8 in a version 3.0 header, "
				    "found the byte 0x%02x at byte %zu of it", *p, (size_t)(p - r->start));
		p += n;
	}
	return OK_STATUS;
}

/* ---- what stands before the header ---- */

/* People rename files, so the content says what to tell them. */
static enum status refuse_magic(struct reader *r, const unsigned char *b, size_t size)
{
	if (size == 0)
		return FAIL(r, E_SYNTAX, "the file is empty, expected a .npy array");
	if (size >= 4 && !memcmp(b, "PK\3\4", 4))
		return FAIL(r, E_SYNTAX, "not a .npy file but a zip archive: name it .npz, or, when PyTorch wrote it, "
			    "convert it with Python: np.savez('new.npz', **{k: v.float().numpy() "
			    "for k, v in torch.load('old.pt').items()})");
	if (size >= 2 && b[0] == 0x80 && b[1] >= 2 && b[1] <= 5)
		return FAIL(r, E_SYNTAX, "not a .npy file but a Python pickle, which is never loaded here; if you trust it, "
			    "convert it with Python: np.save('new.npy', np.load('old.npy', allow_pickle=True))");
	if (size < MAGIC_SIZE && !memcmp(b, magic, size))
		return FAIL(r, E_SYNTAX, "the file is cut off: expected at least %d bytes of a .npy file, found %zu",
			    PREFIX_SIZE, size);
	return FAIL(r, E_SYNTAX, "not a .npy file: expected it to begin with \\x93NUMPY, found \"%s\"",
		    show(b, size < MAGIC_SIZE ? size : MAGIC_SIZE).text);
}

/* Checks magic, version and length; r->start to r->end is the header then. */
static enum status find_header(struct reader *r, const unsigned char *b, size_t size)
{
	if (size < MAGIC_SIZE || memcmp(b, magic, MAGIC_SIZE))
		return refuse_magic(r, b, size);
	if (size >= PREFIX_SIZE && (b[6] < 1 || b[6] > 3 || b[7] != 0))
		return FAIL(r, E_SYNTAX, ".npy version %d.%d is not known, expected 1.0, 2.0 or 3.0", b[6], b[7]);
	size_t prefix = PREFIX_SIZE + (size >= PREFIX_SIZE && b[6] > 1 ? 4 : 2);
	if (size < prefix)
		return FAIL(r, E_SYNTAX, "the file is cut off: expected at least %zu bytes of a .npy file, found %zu",
			    prefix, size);
	size_t length = b[8] | (size_t)b[9] << 8;
	if (b[6] > 1)
		length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
	if (length > size - prefix)
		return FAIL(r, E_SYNTAX, "the .npy header is cut off: expected %zu bytes, found %zu",
			    length, size - prefix);
	if (length > HEADER_MAX)
		return FAIL(r, E_LIMIT, "the .npy header is %zu bytes long, expected at most %d", length, HEADER_MAX);
	r->version = b[6];
	r->start = r->at = b + prefix;
	r->end = r->start + length;
	return b[6] == 3 ? check_utf8(r) : OK_STATUS;
}

/* ---- the type ---- */

static const struct { char letter; size_t size; enum npy_kind kind; } types[] = {
	{ 'f', 8, NPY_F64 }, { 'f', 4, NPY_F32 }, { 'f', 2, NPY_F16 },
	{ 'i', 1, NPY_I8 }, { 'i', 2, NPY_I16 }, { 'i', 4, NPY_I32 }, { 'i', 8, NPY_I64 },
	{ 'u', 1, NPY_U8 }, { 'u', 2, NPY_U16 }, { 'u', 4, NPY_U32 }, { 'u', 8, NPY_U64 },
	{ 'b', 1, NPY_BOOL },
};

/* Why a type that exists is not read, and the way out. */
static const struct { char letter; const char *why; } refused[] = {
	{ 'O', "holds Python objects (a pickle), which are never loaded here; if you trust the file, convert it with Python: "
	       "np.save('new.npy', np.load('old.npy', allow_pickle=True).astype('f8'))" },
	{ 'c', "is complex; save its parts with Python: np.save('new.npy', np.load('old.npy').real)" },
	{ 'f', "is not read here; convert it with Python: np.save('new.npy', np.load('old.npy').astype('f8'))" },
	{ 'M', "holds dates; convert them with Python: np.save('new.npy', np.load('old.npy').astype('i8'))" },
	{ 'm', "holds time spans; convert them with Python: np.save('new.npy', np.load('old.npy').astype('i8'))" },
	{ 'V', "holds raw bytes or a structure; convert it with Python: "
	       "np.save('new.npy', np.load('old.npy').view('f4')), with the type the bytes have" },
};

static enum status refuse_type(struct reader *r, struct slice descr, char letter, size_t size)
{
	struct shown type = show(descr.s, descr.n);

	if (letter == 'V' && size == 2)
		return FAIL(r, E_VALUE, "the type '%s' does not say what its 2 bytes are; if they are bfloat16, --bf16 reads "
			    "them so; or save them as float32 with Python: np.save('new.npy', array.astype('f4'))", type.text);
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
		/* '<f3' exists nowhere: only long doubles are worth a conversion. */
		if (refused[i].letter == letter && (letter != 'f' || size == 16 || size == 12))
			return FAIL(r, E_VALUE, "the type '%s' %s", type.text, refused[i].why);
	return FAIL(r, E_VALUE, "the type '%s' is not known, expected f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8, b1, U or S "
		    "behind < or >", type.text);
}

/* Digits of a type's size; false when there are none, too many, or something else. */
static bool parse_type_size(const unsigned char *s, size_t n, size_t *size)
{
	size_t value = 0;

	if (n < 1 || n > 9 || s[0] == '0')
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!is_digit(s[i]))
			return false;
		value = value * 10 + (s[i] - '0');
	}
	*size = value;
	return true;
}

static bool set_type(struct npy *a, enum npy_kind kind, size_t item_size, unsigned char order)
{
	a->kind = kind;
	a->item_size = item_size;
	a->big_endian = order == '>' && item_size > 1 && kind != NPY_TEXT_BYTES;
	return true;
}

static bool find_type(struct npy *a, char letter, size_t size, unsigned char order, bool v2_is_bf16)
{
	if (letter == 'U')
		return set_type(a, NPY_TEXT_UCS4, size * 4, order);
	if (letter == 'S')
		return set_type(a, NPY_TEXT_BYTES, size, order);
	if (letter == 'V' && size == 2 && v2_is_bf16)
		return set_type(a, NPY_BF16, 2, order);
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (types[i].letter == letter && types[i].size == size)
			return set_type(a, types[i].kind, size, order);
	return false;
}

/* "<f8": order, letter, size. Without an order (or with '=', the writer's own,
 * or '|') the bytes are taken to be little-endian, as nearly every writer's are. */
static enum status parse_type(struct reader *r, struct slice descr, bool v2_is_bf16, struct npy *a)
{
	bool ordered = descr.n && memchr("<>=|", descr.s[0], 4);
	size_t at = ordered, size = 0;
	char letter = descr.n > at ? (char)descr.s[at] : '\0';

	if (letter && parse_type_size(descr.s + at + 1, descr.n - at - 1, &size) &&
	    find_type(a, letter, size, descr.s[0], v2_is_bf16))
		return OK_STATUS;
	return refuse_type(r, descr, letter, size);
}

/* ---- the whole ---- */

/* False when the sizes beside a 0, or all of them, multiply to more bytes than
 * an object can have; *count is their product otherwise. */
static bool count_elements(int rank, const size_t *shape, size_t item_size, size_t *count)
{
	size_t product = 1;
	bool empty = false;

	for (int d = 0; d < rank; d++) {
		empty |= !shape[d];
		if (shape[d] > PTRDIFF_MAX / item_size / product)
			return false;
		product *= shape[d] ? shape[d] : 1;
	}
	*count = empty ? 0 : product;
	return product <= PTRDIFF_MAX / item_size;
}

static enum status place_data(struct reader *r, struct npy *a, size_t available)
{
	struct shape_text shape = show_shape(a->rank, a->shape);

	if (!count_elements(a->rank, a->shape, a->item_size, &a->count))
		return FAIL(r, E_LIMIT, "the shape %s announces more bytes than an array can have, found %zu",
			    shape.text, available);
	if (a->count * a->item_size > available)
		return FAIL(r, E_SYNTAX, "the file is cut off: shape %s of %zu-byte elements: "
			    "expected %zu data bytes, found %zu",
			    shape.text, a->item_size, a->count * a->item_size, available);
	a->data = r->end;
	a->surplus = available - a->count * a->item_size;
	return OK_STATUS;
}

enum status npy_parse(struct npy *a, const void *bytes, size_t size, const char *name,
		      bool v2_is_bf16, struct error *e)
{
	struct reader r = { .name = name, .e = e };
	struct header h = { 0 };
	struct npy made = { 0 };
	enum status s = find_header(&r, bytes, size);

	if (!s)
		s = parse_header(&r, &h);
	if (!s)
		s = parse_type(&r, h.descr, v2_is_bf16, &made);
	if (s)
		return s;
	made.rank = h.rank;
	made.fortran = h.fortran;
	memcpy(made.shape, h.shape, sizeof made.shape);
	s = place_data(&r, &made, size - (size_t)(r.end - (const unsigned char *)bytes));
	if (!s)
		*a = made;
	return s;
}

bool npy_is_text(const struct npy *a)
{
	return a->kind == NPY_TEXT_UCS4 || a->kind == NPY_TEXT_BYTES;
}

const char *npy_kind_name(enum npy_kind kind)
{
	static const char *const names[NPY_KIND_COUNT] = {
		"f64", "f32", "f16", "bf16", "i8", "i16", "i32", "i64",
		"u8", "u16", "u32", "u64", "bool", "text", "bytes",
	};
	return names[kind];
}

/* ---- elements ---- */

static uint16_t load16(const unsigned char *p, bool big)
{
	return (uint16_t)(p[!big] << 8 | p[big]);
}

static uint32_t load32(const unsigned char *p, bool big)
{
	return big ? (uint32_t)load16(p, big) << 16 | load16(p + 2, big)
		   : (uint32_t)load16(p + 2, big) << 16 | load16(p, big);
}

static uint64_t load64(const unsigned char *p, bool big)
{
	return big ? (uint64_t)load32(p, big) << 32 | load32(p + 4, big)
		   : (uint64_t)load32(p + 4, big) << 32 | load32(p, big);
}

static double double_of(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static double float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof x);
	return (double)x;
}

/* IEEE 754 binary16: sign, 5 bits of exponent (bias 15), 10 of fraction. */
static double half_of(uint16_t bits)
{
	uint64_t sign = (uint64_t)(bits >> 15) << 63;
	uint64_t exponent = bits >> 10 & 31, fraction = bits & 1023;

	if (exponent == 0)
		return copysign((double)fraction * 0x1p-24, sign ? -1.0 : 1.0);
	exponent = exponent == 31 ? 2047 : exponent - 15 + 1023;
	return double_of(sign | exponent << 52 | fraction << 42);
}

static double decode(enum npy_kind kind, const unsigned char *p, bool big)
{
	switch (kind) {
	case NPY_F64:	return double_of(load64(p, big));
	case NPY_F32:	return float_of(load32(p, big));
	case NPY_F16:	return half_of(load16(p, big));
	case NPY_BF16:	return float_of((uint32_t)load16(p, big) << 16);
	case NPY_I8:	return (int8_t)*p;
	case NPY_I16:	return (int16_t)load16(p, big);
	case NPY_I32:	return (int32_t)load32(p, big);
	case NPY_I64:	return (double)(int64_t)load64(p, big);
	case NPY_U8:	return *p;
	case NPY_U16:	return load16(p, big);
	case NPY_U32:	return load32(p, big);
	case NPY_U64:	return (double)load64(p, big);
	case NPY_BOOL:	return *p != 0;
	default:	return NAN;
	}
}

/* Where in data the element is that comes i-th in C order. */
static size_t place(const struct npy *a, size_t i)
{
	size_t at = 0;

	if (!a->fortran)
		return i;
	for (int d = a->rank - 1; d >= 0; d--) {
		at = at * a->shape[d] + i % a->shape[d];
		i /= a->shape[d];
	}
	return at;
}

static const unsigned char *element(const struct npy *a, size_t i)
{
	return a->data + place(a, i) * a->item_size;
}

double npy_number(const struct npy *a, size_t i)
{
	return i < a->count ? decode(a->kind, element(a, i), a->big_endian) : NAN;
}

/* Along the last index elements are equally far apart in either order. */
void npy_numbers(const struct npy *a, size_t first, size_t n, double *out)
{
	bool strided = a->fortran && a->rank > 1 && a->count;
	size_t width = strided ? a->shape[a->rank - 1] : 0;
	size_t step = strided ? a->count / width * a->item_size : a->item_size;

	while (n) {
		size_t run = strided && width - first % width < n ? width - first % width : n;
		const unsigned char *p = element(a, first);
		for (size_t k = 0; k < run; k++)
			out[k] = decode(a->kind, p + k * step, a->big_endian);
		first += run;
		out += run;
		n -= run;
	}
}

bool npy_is_exact(const struct npy *a, size_t i)
{
	if ((a->kind != NPY_I64 && a->kind != NPY_U64) || i >= a->count)
		return true;
	uint64_t m = load64(element(a, i), a->big_endian);
	if (a->kind == NPY_I64 && m >> 63)
		m = 0 - m;
	while (m && !(m & 1))
		m >>= 1;
	return m >> 53 == 0;
}

enum status npy_matrix(const struct npy *a, struct matrix *m, struct error *e)
{
	struct matrix made = { 0 };
	const size_t *shape = a->shape;
	int rank = a->rank;

	if (npy_is_text(a))
		return error_set(e, E_VALUE, "expected numbers, found an array of text");
	for (; rank > 2 && shape[0] == 1; rank--)
		shape++;
	if (rank > 2)
		return error_set(e, E_SHAPE, "expected a matrix, found the shape %s",
				 show_shape(a->rank, a->shape).text);
	size_t rows = rank == 2 ? shape[0] : 1;
	size_t columns = rank ? shape[rank - 1] : 1;
	enum status s = matrix_init(&made, rows, columns, e);
	if (s)
		return s;
	npy_numbers(a, 0, a->count, made.v);
	*m = made;
	return OK_STATUS;
}

/* ---- text ---- */

static void put_ucs4(struct buffer *out, const unsigned char *p, size_t n, bool big)
{
	while (n && !load32(p + (n - 4), big))
		n -= 4;
	for (size_t k = 0; k < n; k += 4) {
		char character[UTF8_MAX];
		buffer_put(out, character, utf8_encode(load32(p + k, big), character));
	}
}

static void put_bytes(struct buffer *out, const unsigned char *p, size_t n)
{
	uint32_t c;

	while (n && !p[n - 1])
		n--;
	while (n) {
		size_t length = utf8_decode((const char *)p, n, &c);
		if (length)
			buffer_put(out, p, length);
		else
			buffer_format(out, "<0x%02X>", *p);
		length += !length;
		p += length;
		n -= length;
	}
}

void npy_text(const struct npy *a, size_t i, struct buffer *out)
{
	if (i >= a->count)
		return;
	if (a->kind == NPY_TEXT_UCS4)
		put_ucs4(out, element(a, i), a->item_size, a->big_endian);
	else if (a->kind == NPY_TEXT_BYTES)
		put_bytes(out, element(a, i), a->item_size);
}

/* ---- the writer ---- */

/* As numpy.lib.format writes it: room for the first size to grow, then blanks
 * and a newline up to a multiple of 64 bytes. With at most NPY_RANK_MAX sizes,
 * whose product an object can have, that is always the same 128. */
static void put_header(struct buffer *out, int rank, const size_t *shape)
{
	static const unsigned char prefix[] = { 1, 0, WRITTEN_SIZE - PREFIX_SIZE - 2, 0 };
	size_t start = out->size;

	buffer_put(out, magic, MAGIC_SIZE);
	buffer_put(out, prefix, sizeof prefix);
	buffer_text(out, "{'descr': '<f8', 'fortran_order': False, 'shape': ");
	buffer_text(out, show_shape(rank, shape).text);
	buffer_text(out, ", }");
	buffer_repeat(out, ' ', start + WRITTEN_SIZE - 1 - out->size);
	buffer_text(out, "\n");
}

static void put_doubles(struct buffer *out, const double *v, size_t n)
{
	unsigned char chunk[512 * 8];

	while (n) {
		size_t run = n < 512 ? n : 512;
		for (size_t i = 0; i < run; i++) {
			uint64_t bits;
			memcpy(&bits, v + i, sizeof bits);
			for (int k = 0; k < 8; k++)
				chunk[i * 8 + (size_t)k] = (unsigned char)(bits >> 8 * k);
		}
		buffer_put(out, chunk, run * 8);
		v += run;
		n -= run;
	}
}

void npy_write(struct buffer *out, const double *v, int rank, const size_t *shape)
{
	size_t count = 0;

	if (rank < 0 || rank > NPY_RANK_MAX || !count_elements(rank, shape, sizeof *v, &count)) {
		out->failed = true;
		return;
	}
	put_header(out, rank, shape);
	put_doubles(out, v, count);
}
