/* live.c - a small language model on a text, with its heads interfered with. */
#include "tui/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets/assets.h"
#include "core/io/model_file.h"
#include "core/message.h"
#include "core/model_heads.h"
#include "tui/content.h"
#include "tui/load.h"
#include "tui/text.h"
#include "tui/threads.h"

/* ---- the model ---- */

/* "koen" of "model/koen.safetensors". */
char *live_model_name(const char *file)
{
	const char *path = file ? file : models[0].name;
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path);
	char *dot = name ? strrchr(name, '.') : NULL;

	if (dot && dot != name)
		*dot = '\0';
	return name;
}

static enum status read_file(struct model *m, const char *name, struct error *e)
{
	struct content c;
	enum status s = content_open(&c, name, FROM_FILE, e);

	if (s)
		return s;
	s = c.size > LOAD_LIMIT ? error_at(e, E_LIMIT, name, 0, 0, "larger than the limit of 64 MiB")
				: model_read(m, c.data, c.size, name, e);
	content_free(&c);
	return s;
}

static enum status find_model(struct live *l, const char *file, struct error *e)
{
	const char *name = file ? file : models[0].name;

	if (!*name)
		return error_option(e, E_VALUE, "model", "", "a file is expected");
	enum status s = file ? read_file(&l->model, file, e) : model_read(&l->model, models[0].data, models[0].size, name, e);

	if (s)
		return s;
	l->name = live_model_name(file);
	return l->name ? OK_STATUS : error_set(e, E_MEMORY, "no memory for a name");
}

/* ---- the plan ---- */

/* The next set of a list; *rest moves behind it, to NULL at the end. */
static enum status next_set(struct head_set *set, const struct model *m, const char **rest, struct error *e)
{
	size_t n = strcspn(*rest, ",");
	enum status s = head_set_parse(set, m, *rest, n, e);

	*rest = (*rest)[n] ? *rest + n + 1 : NULL;
	return s;
}

static enum status about(struct error *e, const char *option, const char *value)
{
	char text[sizeof e->text];

	snprintf(text, sizeof text, "%s", e->text);
	return error_option(e, e->status, option, value, "%s", text);
}

static enum status make_plan(struct live *l, const struct live_request *r, struct error *e)
{
	enum status s = model_plan_init(&l->plan, &l->model, e);
	struct head_set set;

	for (const char *rest = r->at; rest && !s;) {
		if ((s = next_set(&set, &l->model, &rest, e)))
			return about(e, "at", r->at);
		s = model_plan_options(&l->plan, &set, r->options, e);
	}
	for (const char *rest = r->ablate; rest && !s;) {
		if ((s = next_set(&set, &l->model, &rest, e)))
			return about(e, "ablate", r->ablate);
		model_plan_off(&l->plan, &set, true);
	}
	return s;
}

bool live_list_has(const struct live *l, const char *list, size_t layer, size_t head)
{
	struct error ignored;
	struct head_set set;
	bool found = false;

	for (const char *rest = list; rest && !found;)
		found = !next_set(&set, &l->model, &rest, &ignored) && head_set_has(&set, layer, head);
	return found;
}

/* ---- the runs ---- */

static enum status begin_run(struct model_run *run, const struct live *l, const struct random_tables *tables, struct error *e)
{
	enum status s = run->model ? OK_STATUS : model_run_init(run, &l->model, tables, e);

	if (s)
		return s;
	run->masks = load_masks;
	run->workers = l->workers;
	return OK_STATUS;
}

static enum status read_text(struct live *l, const struct live_request *r, struct error *e)
{
	enum status s;

	l->nfc = text_nfc(r->text, strlen(r->text));
	if (!l->nfc)
		return error_set(e, E_MEMORY, "no memory for the text");
	if ((s = model_text_init(&l->text, &l->model, l->nfc, strlen(l->nfc), e)))
		return s;
	return model_text_pad(&l->text, &l->model, r->pad_left, r->pad_right, e);
}

static void free_request(struct live *l)
{
	model_plan_free(&l->plan);
	model_text_free(&l->text);
	free(l->nfc);
}

/* Both runs on the text and the plan of `next`, which borrows the rest. */
static enum status set_runs(struct live *l, const struct live *next, const struct live_request *r, struct error *e)
{
	const struct random_tables *tables = r->tables;
	enum status s;

	if (model_plan_touches(&next->plan) && !l->workers)
		l->workers = threads_start();
	if ((s = begin_run(&l->run, l, tables, e)) || (s = model_run_plan(&l->run, &next->plan, e)) ||
	    (s = model_run_set(&l->run, next->text.ids, next->text.n, e)))
		return s;
	if (!next->touched)
		return OK_STATUS;
	if ((s = begin_run(&l->untouched, l, tables, e)))
		return s;
	return model_run_set(&l->untouched, next->text.ids + r->pad_left, next->text.n - r->pad_left - r->pad_right, e);
}

enum status live_update(struct live *l, const struct live_request *r, struct error *e)
{
	struct live next = { .model = l->model };
	enum status s;

	if (!(s = read_text(&next, r, e)) && !(s = make_plan(&next, r, e))) {
		next.touched = model_plan_touches(&next.plan) || r->pad_left + r->pad_right;
		s = set_runs(l, &next, r, e);
	}
	if (s) {
		free_request(&next);
		return s;
	}
	free_request(l);
	l->text = next.text;
	l->nfc = next.nfc;
	l->plan = next.plan;
	l->touched = next.touched;
	l->pad_left = r->pad_left;
	return OK_STATUS;
}

enum status live_init(struct live *l, const struct live_request *r, struct error *e)
{
	enum status s;

	*l = (struct live){ .touched = false };
	if ((s = find_model(l, r->model, e)) || (s = live_update(l, r, e)))
		live_free(l);
	return s;
}

void live_free(struct live *l)
{
	model_run_free(&l->run);
	model_run_free(&l->untouched);
	workers_stop(l->workers);
	free_request(l);
	model_free(&l->model);
	free(l->name);
	*l = (struct live){ .touched = false };
}

/* ---- what is made of them ---- */

/* "koen, layer 1: TEXT", in every language. */
static enum status give_title(const struct live *l, size_t layer, struct title *t, struct error *e)
{
	struct buffer text = { 0 };

	buffer_format(&text, "%s, layer %zu: %s", l->name, layer, l->nfc);
	t->v = calloc(1, sizeof *t->v);
	if (t->v) {
		t->n = 1;
		t->v[0].language = strdup("");
		t->v[0].text = text.data ? strdup(text.data) : NULL;
	}
	bool fine = t->v && t->v[0].language && t->v[0].text && !text.failed;
	buffer_free(&text);
	return fine ? OK_STATUS : error_set(e, E_MEMORY, "no memory for a title");
}

enum status live_check_layer(const struct live *l, const struct options *o, struct error *e)
{
	char value[32];

	if ((size_t)o->layer < l->model.size.layers)
		return OK_STATUS;
	snprintf(value, sizeof value, "%ld", o->layer);
	return error_option(e, E_VALUE, "layer", value, "there are only %zu, counted from 0", l->model.size.layers);
}

enum status live_scenario(const struct live *l, size_t layer, struct scenario *s, struct error *e)
{
	enum status status = model_run_scenario(&l->run, layer, "live", s, e);

	if (!status && (status = give_title(l, layer, &s->title, e)))
		scenario_free(s);
	return status;
}

/* The kinds of notices. */
enum notice { NOTICE_CUT, NOTICE_UNKNOWN, NOTICE_FUTURE, NOTICE_PAD, NOTICE_NAN, NOTICE_COUNT };

static bool holds(const struct live *l, enum notice which)
{
	switch (which) {
	case NOTICE_CUT:	return l->text.cut > 0;
	case NOTICE_UNKNOWN:	return l->text.unknown > 0;
	case NOTICE_FUTURE:	return model_plan_not_causal(&l->plan) > 0;
	case NOTICE_NAN:	return isnan(model_run_logits(&l->run, l->text.last)[0]);
	/* What became NaN has seen everything that was. */
	default:		return !holds(l, NOTICE_NAN) && model_pad_seen(&l->run) > 0;
	}
}

static const char *special(const struct live *l, enum model_special which)
{
	return l->model.vocab.text[l->model.special[which]];
}

static void put_notice(const struct live *l, enum notice which, struct buffer *out)
{
	size_t future = model_plan_not_causal(&l->plan), pads;

	switch (which) {
	case NOTICE_CUT:
		buffer_format(out, l->text.cut == 1 ? _("cut at %zu characters; %zu is left out") : _("cut at %zu characters; %zu are left out"),
			      l->model.size.context - 1, l->text.cut);
		break;
	case NOTICE_UNKNOWN:
		buffer_format(out, l->text.unknown == 1 ? _("%zu character is not in the model's list and became %s")
							: _("%zu characters are not in the model's list and became %s"),
			      l->text.unknown, special(l, MODEL_UNK));
		break;
	case NOTICE_FUTURE:
		buffer_format(out, future == 1 ? _("%zu head sees later characters, which is outside of what the model was trained on")
					       : _("%zu heads see later characters, which is outside of what the model was trained on"),
			      future);
		break;
	case NOTICE_NAN:
		buffer_text(out, _("all became NaN: one row sees no key; empty-row zero or a fill avoids it"));
		break;
	default:
		pads = model_pad_seen(&l->run);
		buffer_format(out, pads == 1 ? _("%zu token sees %s, which the model was never trained on; option pad hides it")
					     : _("%zu tokens see %s, which the model was never trained on; option pad hides it"),
			      pads, special(l, MODEL_PAD));
	}
}

bool live_notice(const struct live *l, size_t k, struct buffer *out)
{
	size_t found = 0;

	for (int which = 0; which < NOTICE_COUNT; which++)
		if (holds(l, (enum notice)which) && found++ == k) {
			put_notice(l, (enum notice)which, out);
			return true;
		}
	return false;
}
