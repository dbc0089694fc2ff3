/* live_session.c - a language model in the state as text, and as a command line. */
#include "tui/live_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void put_options(const struct options *o, struct buffer *out,
			void (*put)(struct buffer *out, const char *name, const char *value))
{
	for (int k = 0; k < OPT_COUNT; k++) {
		struct buffer value = { 0 };
		char name[80];
		if (option_is_default(o, (enum option)k))
			continue;
		option_text(o, (enum option)k, &value);
		snprintf(name, sizeof name, "o:%s", option_info((enum option)k)->name);
		put(out, name, value.data ? value.data : "");
		out->failed = out->failed || value.failed;
		buffer_free(&value);
	}
}

void live_session_words(const struct live_point *p, struct buffer *out,
			void (*put)(struct buffer *out, const char *name, const char *value))
{
	char pad[64];

	snprintf(pad, sizeof pad, "%zu,%zu", p->pad_left, p->pad_right);
	put(out, "text", p->text);
	put(out, "pad", pad);
	if (p->off)
		put(out, "off", p->off);
	if (!p->at)
		return;
	put(out, "at", p->at);
	put_options(p->carried, out, put);
}

/* ---- reading ---- */

static enum status carried_options(struct live_point *p, struct error *e)
{
	enum status s;

	if (p->carried)
		return OK_STATUS;
	if (!(p->carried = calloc(1, sizeof *p->carried)))
		return error_set(e, E_MEMORY, "no memory for options");
	if ((s = options_init(p->carried, e))) {
		free(p->carried);
		p->carried = NULL;
	}
	return s;
}

static enum status read_pad(struct live_point *p, const char *value, struct error *e)
{
	unsigned left, right;
	char end;

	if (sscanf(value, "%5u,%5u%c", &left, &right, &end) != 2)
		return error_set(e, E_SYNTAX, "padding");
	p->pad_left = left;
	p->pad_right = right;
	return OK_STATUS;
}

enum status live_session_word(struct snapshot *n, const char *name, const char *value, struct error *e)
{
	struct live_point *p = n->live ? n->live : (n->live = calloc(1, sizeof *p));
	enum option o = strncmp(name, "o:", 2) ? OPT_COUNT : option_find(name + 2);
	enum status s;

	if (!p)
		return error_set(e, E_MEMORY, "no memory for a text");
	if (!strcmp(name, "text"))
		return live_point_put(&p->text, value, e);
	if (!strcmp(name, "off"))
		return live_point_put(&p->off, value, e);
	if (!strcmp(name, "pad"))
		return read_pad(p, value, e);
	if (strcmp(name, "at") && o == OPT_COUNT)
		return error_set(e, E_SYNTAX, "an unknown word");
	if ((s = carried_options(p, e)))
		return s;
	return o < OPT_COUNT ? option_set(p->carried, o, value, e) : live_point_put(&p->at, value, e);
}

bool live_session_fits(const struct state *s, const struct snapshot *n)
{
	const struct live_point *p = n->live;

	return !p || (p->text && !p->at == !p->carried && s->live && n->scenario == s->live->slot);
}

enum status live_session_model(struct state *s, size_t slot, const char *file, const struct random_tables *tables,
			       live_maker *make, struct error *e)
{
	const struct live_request r = { .text = "", .model = *file ? file : NULL, .tables = tables };
	struct live_dock *d;
	enum status status;

	if (s->live || slot >= s->opened_n || !make)
		return error_set(e, E_SYNTAX, "a language model");
	if ((status = live_dock_new(&d, make, &r, e)))
		return status;
	d->slot = slot;
	s->live = d;
	return OK_STATUS;
}

/* ---- the command line ---- */

static void put_flag(struct buffer *out, const char *name, const char *value, void (*quote)(struct buffer *out, const char *word))
{
	struct buffer word = { 0 };

	buffer_format(&word, "--%s=%s", name, value);
	buffer_text(out, " ");
	quote(out, word.data ? word.data : "");
	out->failed = out->failed || word.failed;
	buffer_free(&word);
}

/* Of two sets of options those that count from `counting`, how it is shown from now. */
static void put_flags(const struct state *s, const struct options *counting, struct buffer *out,
		      void (*quote)(struct buffer *out, const char *word))
{
	const struct options *plain = &s->live->plain, *now = &s->now.options;

	for (int o = 0; o < OPT_COUNT; o++) {
		const struct options *from = model_option_counts((enum option)o) ? counting : now;
		struct buffer value = { 0 };
		if (option_same(from, plain, (enum option)o))
			continue;
		option_text(from, (enum option)o, &value);
		put_flag(out, option_info((enum option)o)->name, value.data ? value.data : "", quote);
		out->failed = out->failed || value.failed;
		buffer_free(&value);
	}
}

static bool counts_as(const struct options *a, const struct options *b)
{
	for (int o = 0; o < OPT_COUNT; o++)
		if (model_option_counts((enum option)o) && !option_same(a, b, (enum option)o))
			return false;
	return true;
}

bool live_command_line(const struct state *s, struct buffer *out, void (*quote)(struct buffer *out, const char *word))
{
	const struct live_point *p = s->now.live;
	const struct options *now = &s->now.options;
	bool here = live_is_carried_at(&s->live->live, p, now);
	char pad[32];

	if (*p->text != '-') {
		buffer_text(out, " ");
		quote(out, p->text);
	}
	if (s->live->file)
		put_flag(out, "model", s->live->file, quote);
	put_flags(s, p->at ? p->carried : now, out, quote);
	if (p->at || !counts_as(now, &s->live->plain))
		put_flag(out, "at", p->at ? p->at : "none", quote);
	if (p->off)
		put_flag(out, "ablate", p->off, quote);
	if (p->pad_left + p->pad_right) {
		snprintf(pad, sizeof pad, p->pad_left ? "left:%zu" : "right:%zu", p->pad_left + p->pad_right);
		put_flag(out, "padding", pad, quote);
	}
	return !p->at || here || counts_as(now, &s->live->plain);
}

void live_command_end(const struct state *s, struct buffer *out, void (*quote)(struct buffer *out, const char *word))
{
	if (*s->now.live->text != '-')
		return;
	buffer_text(out, " -- ");
	quote(out, s->now.live->text);
}
