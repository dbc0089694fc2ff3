/* live_input.c - the command line's language model. */
#include "tui/live_input.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/io/model_save.h"
#include "tui/content.h"

const char live_first_text[] = "대화 상자를 열고 파일을 저장합니다. 대화 상자를 ";

static const char *given_text(const struct invocation *inv)
{
	const char *text = inv->flag[FLAG_LIVE] ? inv->flag[FLAG_LIVE] : inv->flag[FLAG_TEXT] ? inv->flag[FLAG_TEXT] : inv->input;
	return text ? text : live_first_text;
}

/* Heads that have the options; `otherwise` where the command line does not say. */
static const char *given_at(const struct invocation *inv, const char *otherwise)
{
	const char *at = inv->flag[FLAG_AT];
	return !at ? otherwise : strcmp(at, "none") ? at : NULL;
}

/* A head's options: what was given on top of those that it was trained with. */
static enum status given_options(const struct invocation *inv, struct options *o, struct error *e)
{
	enum status s = model_options(o, e);

	if (!s && (s = arguments_apply(inv, o, e)))
		options_free(o);
	return s;
}

static struct live_request request_of(const struct invocation *inv, const struct options *o, const struct random_tables *tables)
{
	return (struct live_request){
		.text = given_text(inv), .model = inv->flag[FLAG_MODEL], .ablate = inv->flag[FLAG_ABLATE],
		.pad_left = inv->pad_left, .pad_right = inv->pad_right,
		.at = given_at(inv, NULL), .options = o, .tables = tables,
	};
}

/* ---- a head as a scenario ---- */

/* With --at the options are where that says; without it, or with none, in the picture. */
static enum status picture_options(const struct invocation *inv, const struct live *l, const struct scenario *s,
				   const struct options *given, struct options *o, struct error *e)
{
	const char *at = given_at(inv, NULL);
	enum status status;

	if (!at || live_list_has(l, at, (size_t)given->layer, (size_t)given->head))
		return options_copy(o, given, e);
	status = options_copy(o, &s->set, e);
	if (!status && (status = arguments_apply_view(inv, o, e)))
		options_free(o);
	return status;
}

static enum status open_head(const struct invocation *inv, const struct live *l, const struct options *given,
			     struct scenario *s, struct options *o, struct error *e)
{
	enum status status;

	if ((status = live_check_layer(l, given, e)) || (status = live_scenario(l, (size_t)given->layer, s, e)))
		return status;
	if ((status = picture_options(inv, l, s, given, o, e)))
		scenario_free(s);
	return status;
}

enum status live_open(const struct invocation *inv, const struct random_tables *tables, struct scenario *s,
		      struct options *o, struct live_point **point, struct buffer *notices, struct error *e)
{
	struct options given;
	struct live l;
	enum status status = given_options(inv, &given, e);

	if (status)
		return status;
	const struct live_request request = request_of(inv, &given, tables);
	if (!(status = live_init(&l, &request, e))) {
		if (!(*point = live_point_new(&request)))
			status = error_set(e, E_MEMORY, "no memory for a text");
		status = status ? status : open_head(inv, &l, &given, s, o, e);
		for (size_t k = 0; !status && live_notice(&l, k, notices); k++)
			buffer_text(notices, "\n");
		live_free(&l);
	}
	options_free(&given);
	return status;
}

/* The model and the point of a request that live_init takes. */
static enum status make_dock(const struct live_request *r, struct live_dock **dock, struct live_point **point, struct error *e)
{
	enum status status = live_dock_new(dock, live_init, r, e);

	if (status)
		return status;
	if ((*point = live_point_new(r)))
		return OK_STATUS;
	live_dock_free(*dock);
	*dock = NULL;
	return error_set(e, E_MEMORY, "no memory for a text");
}

enum status live_open_dock(const struct invocation *inv, const struct random_tables *tables, struct scenario *s,
			   struct options *o, struct live_dock **dock, struct live_point **point, struct error *e)
{
	struct options given;
	enum status status = given_options(inv, &given, e);

	if (status)
		return status;
	const struct live_request request = request_of(inv, &given, tables);
	if (!(status = make_dock(&request, dock, point, e)) && (status = open_head(inv, &(*dock)->live, &given, s, o, e))) {
		live_dock_free(*dock);
		live_point_free(*point);
		*dock = NULL;
		*point = NULL;
	}
	options_free(&given);
	return status;
}

/* ---- the report ---- */

static enum status save_run(const struct live *l, const char *name, struct error *e)
{
	struct buffer bytes = { 0 };
	enum status s;

	if (!access(name, F_OK))	/* save_bytes, which tells of :w!, would refuse it, too */
		return error_at(e, E_FILE, name, 0, 0, "exists; another name is expected");
	s = model_save(&bytes, &l->run, e);
	if (!s)
		s = save_bytes(name, bytes.data ? bytes.data : "", bytes.size, false, e);
	buffer_free(&bytes);
	return s;
}

static enum status check_head(const struct live *l, const struct options *o, struct error *e)
{
	char value[32];

	if ((size_t)o->head < l->model.size.heads)
		return OK_STATUS;
	snprintf(value, sizeof value, "%ld", o->head);
	return error_option(e, E_VALUE, "head", value, "there are only %zu, counted from 0", l->model.size.heads);
}

static enum status report(struct buffer *out, const struct invocation *inv, struct live *l, const struct live_request *request,
			  bool ascii, struct error *e)
{
	const struct options *o = request->options;
	const char *seed = inv->value[OPT_SEED];
	const struct live_write w = {
		.request = request, .format = inv->live_format, .ascii = ascii || o->ascii,
		.layer = inv->value[OPT_LAYER] ? o->layer : MODEL_ALL, .head = inv->value[OPT_HEAD] ? o->head : MODEL_ALL,
		.more = { inv->next, inv->value[OPT_TEMPERATURE], seed && !strcmp(seed, "auto") ? "0" : seed },
	};
	enum status s;

	if ((s = live_check_layer(l, o, e)) || (s = check_head(l, o, e)) || (s = live_report(out, l, &w, e)))
		return s;
	return inv->flag[FLAG_SAVE] ? save_run(l, inv->flag[FLAG_SAVE], e) : OK_STATUS;
}

enum status live_command(struct buffer *out, const struct invocation *inv, const struct random_tables *tables,
			 bool ascii, struct error *e)
{
	struct options given;
	struct live l;
	enum status s = given_options(inv, &given, e);

	if (s)
		return s;
	struct live_request request = request_of(inv, &given, tables);
	request.at = given_at(inv, "all");	/* there is no picture that could have them alone */
	if (!(s = live_init(&l, &request, e))) {
		s = report(out, inv, &l, &request, ascii, e);
		live_free(&l);
	}
	options_free(&given);
	return s;
}
