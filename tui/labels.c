/* labels.c - tokens as people read them. */
#include "tui/labels.h"

#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

#define SPACE_MARK "\u2423"
#define GOES_ON "\u2026"

struct label {
	struct buffer text;
	bool bytes;		/* text is what the token stands for, byte by byte */
	bool goes_on;		/* its first bytes belong to a character before it */
};

/* ---- one token ---- */

/* GPT-2's letter for a byte: itself where it is printable in Latin-1, else the next
 * free one from U+0100 on. -1: none. */
static int byte_of_letter(uint32_t c)
{
	if ((c >= 33 && c <= 126) || (c >= 161 && c <= 172) || (c >= 174 && c <= 255))
		return (int)c;
	if (c < 256 || c > 256 + 67)
		return -1;
	c -= 256;			/* the 68 others: 0-32, 127-160, 173 */
	return c <= 32 ? (int)c : c <= 66 ? (int)c + 94 : 173;
}

/* The bytes of a token that is made of such letters alone; false when it is not. */
static bool spell(const char *token, struct buffer *out)
{
	uint32_t code;

	for (size_t n; *token; token += n) {
		n = utf8_decode(token, UTF8_MAX, &code);
		int byte = n ? byte_of_letter(code) : -1;
		if (byte <= 0)
			return false;
		char one = (char)byte;
		buffer_put(out, &one, 1);
	}
	return true;
}

static bool has_shifted_letter(const char *token)
{
	uint32_t code;

	for (size_t n; *token; token += n ? n : 1) {
		n = utf8_decode(token, UTF8_MAX, &code);
		if (n && code >= 256 && code <= 256 + 67)
			return true;
	}
	return false;
}

/* Whether a list comes from a tokenizer of bytes: some letter stands for a byte
 * that is none, and no token needs another alphabet. */
static bool is_byte_level(const struct tokens *t)
{
	bool shifted = false;

	for (size_t i = 0; i < t->n; i++) {
		struct buffer bytes = { 0 };
		bool spelt = spell(t->text[i], &bytes);
		buffer_free(&bytes);
		if (!spelt)
			return false;
		shifted |= has_shifted_letter(t->text[i]);
	}
	return shifted;
}

static int hexadecimal(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte of <0xEC>; 0 for what is none (and for the byte that ends a text). */
static int byte_token(const char *token)
{
	if (strlen(token) != 6 || strncmp(token, "<0x", 3) || token[5] != '>' || hexadecimal(token[3]) < 0 || hexadecimal(token[4]) < 0)
		return 0;
	return hexadecimal(token[3]) * 16 + hexadecimal(token[4]);
}

static bool is_utf8(const char *text)
{
	uint32_t code;

	for (size_t n; *text; text += n)
		if (!(n = utf8_decode(text, UTF8_MAX, &code)))
			return false;
	return true;
}

/* Marks of the tokenizers that work with letters; and of a word or a line of the
 * tokenizers of bytes, in a list that is not theirs alone. */
static void put_marked(struct label *l, const char *token)
{
	static const char word[] = "\u2581", byte_space[] = "\u0120", byte_line[] = "\u010a";

	if (!strncmp(token, byte_space, strlen(byte_space))) {
		buffer_text(&l->text, SPACE_MARK);
		token += strlen(byte_space);
	}
	if (!strcmp(token, byte_line)) {
		buffer_text(&l->text, "\n");
		return;
	}
	if (!strncmp(token, "##", 2) && token[2]) {
		buffer_text(&l->text, GOES_ON);
		token += 2;
	}
	for (; *token; token++)
		if (!strncmp(token, word, strlen(word))) {
			buffer_text(&l->text, SPACE_MARK);
			token += strlen(word) - 1;
		} else {
			buffer_put(&l->text, token, 1);
		}
}

static void read_token(struct label *l, const char *token, bool byte_level)
{
	int byte = byte_token(token);
	char one = (char)byte;

	l->bytes = true;
	if (byte)
		buffer_put(&l->text, &one, 1);
	else if (byte_level)
		spell(token, &l->text);
	else if (!is_utf8(token))
		buffer_text(&l->text, token);
	else
		l->bytes = false;
	if (!l->bytes)
		put_marked(l, token);
}

/* ---- characters that lie in several tokens ---- */

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Bytes that the last character of the text lacks; 0 when it is whole. */
static size_t lacking(const struct buffer *text)
{
	for (size_t back = 1; back <= 3 && back <= text->size; back++) {
		unsigned char lead = (unsigned char)text->data[text->size - back];
		if (is_continuation((char)lead))
			continue;
		size_t wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
		return wanted > back ? wanted - back : 0;
	}
	return 0;
}

/* Continuation bytes at the beginning of the labels from `at` on, up to `wanted`;
 * returns how many. */
static size_t following(const struct label *l, size_t n, size_t at, size_t wanted, char out[UTF8_MAX])
{
	size_t found = 0;

	for (size_t k = at; k < n && l[k].bytes && found < wanted; k++) {
		size_t used = 0;
		while (used < l[k].text.size && found < wanted && is_continuation(l[k].text.data[used]))
			out[found++] = l[k].text.data[used++];
		if (used < l[k].text.size)
			break;
	}
	return found;
}

static void take(struct label *l, size_t at, size_t wanted)
{
	for (size_t k = at; wanted; k++) {
		struct buffer *text = &l[k].text;
		size_t used = text->size < wanted ? text->size : wanted;
		if (!used)		/* an empty token has no bytes at all */
			continue;
		memmove(text->data, text->data + used, text->size - used + 1);
		text->size -= used;
		wanted -= used;
		l[k].goes_on = true;
	}
}

static void join(struct label *l, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char bytes[UTF8_MAX];
		size_t wanted = l[i].bytes ? lacking(&l[i].text) : 0;
		if (!wanted || following(l, n, i + 1, wanted, bytes) != wanted)
			continue;
		buffer_put(&l[i].text, bytes, wanted);
		take(l, i + 1, wanted);
	}
}

/* ---- a list ---- */

static enum status add_label(struct tokens *out, const struct label *l, struct error *e)
{
	struct buffer text = { 0 };

	buffer_text(&text, l->goes_on ? GOES_ON : "");
	for (size_t k = 0; k < l->text.size; k++)
		if (l->bytes && l->text.data[k] == ' ')
			buffer_text(&text, SPACE_MARK);
		else
			buffer_put(&text, l->text.data + k, 1);
	enum status s = text.failed || l->text.failed ? error_set(e, E_MEMORY, "no memory for the labels")
						      : tokens_add(out, text.data ? text.data : "", text.size, e);
	buffer_free(&text);
	return s;
}

enum status labels_read(struct tokens *t, struct error *e)
{
	if (!t->text)
		return OK_STATUS;
	struct label *l = calloc(t->n + 1, sizeof *l);
	struct tokens fresh = { 0 };
	bool byte_level = is_byte_level(t);
	enum status s = l ? OK_STATUS : error_set(e, E_MEMORY, "no memory for the labels");

	for (size_t i = 0; i < t->n && !s; i++)
		read_token(&l[i], t->text[i], byte_level);
	if (!s)
		join(l, t->n);
	for (size_t i = 0; i < t->n && !s; i++)
		s = add_label(&fresh, &l[i], e);
	for (size_t i = 0; i < t->n && l; i++)
		buffer_free(&l[i].text);
	free(l);
	if (s) {
		tokens_free(&fresh);
		return s;
	}
	tokens_free(t);
	*t = fresh;
	return OK_STATUS;
}

enum status labels_read_problem(struct problem *p, struct error *e)
{
	enum status s = labels_read(&p->query_tokens, e);

	return s ? s : labels_read(&p->key_tokens, e);
}
