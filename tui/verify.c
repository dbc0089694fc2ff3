/* verify.c - `qkv verify`: the leak probes as a report, of a scenario. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/dtype.h"
#include "core/message.h"
#include "tui/show.h"
#include "tui/verify_parts.h"

/* ---- the checks of each head ---- */

static enum status add_checks(struct report *r, const struct verify_request *request, const struct attention *a, struct error *e)
{
	const struct unit at = { .head = a->head };
	struct probe_report probed;
	struct finding found;
	enum status s = probe_run(&probed, a, &request->expect, request->tables, e);

	if (s)
		return s;
	for (int n = 0; n < PROBE_COUNT; n++) {
		finding_of_check(&found, &probed.check[n], (enum probe_name)n);
		report_add(&r->line[n], &found, &at);
	}
	probe_free(&probed);
	return OK_STATUS;
}

static enum status add_lesson(struct report *r, const struct verify_request *request, const struct attention *a, struct error *e)
{
	const struct unit at = { .head = a->head };
	const struct random_input *random = &request->scenario->random;
	bool drawn = request->problem->random;
	const char *seed = !drawn ? NULL : *request->options->seed ? request->options->seed : random->seed;
	struct probe_lesson lesson;
	struct finding found = { 0 };
	enum status s = probe_lesson_run(&lesson, a, seed, drawn ? random->skip : 0, request->tables, e);

	if (s)
		return s;
	found.ok = lesson.ok;
	snprintf(found.detail, sizeof found.detail, "%s", lesson.detail);
	report_add(&r->line[0], &found, &at);
	probe_lesson_free(&lesson);
	return OK_STATUS;
}

static enum status open_head(const struct verify_request *request, size_t head, struct attention *a, struct error *e)
{
	struct options o = *request->options;	/* borrowed: attention_init copies */

	o.head = (long)head;
	return attention_init(a, request->problem, &o, request->tables, e);
}

static enum status probe_heads(struct report *r, const struct verify_request *request, size_t first, struct error *e)
{
	enum status s = OK_STATUS;

	for (size_t h = first; h < first + r->units && !s; h++) {
		struct attention a;
		if ((s = open_head(request, h, &a, e)))
			return s;
		s = request->lesson ? add_lesson(r, request, &a, e) : add_checks(r, request, &a, e);
		attention_free(&a);
	}
	return s;
}

/* ---- the whole ---- */

static void put_title(struct buffer *out, const struct verify_request *request, const struct attention *a, size_t heads)
{
	const struct problem *p = request->problem;

	show_safe_text(out, request->scenario->name, request->ascii);
	buffer_format(out, "  verify (%zu, %zu)  %s", p->n_q, p->n_k, dtype_name(a->dtype));
	if (p->heads > 1 && heads == 1)
		buffer_format(out, _("  head %zu of %zu"), a->head, p->heads);
	else if (p->heads > 1)
		buffer_format(out, _("  all %zu heads"), p->heads);
	if (p->part.layers > 1)
		buffer_format(out, _("  layer %ld of %zu"), p->part.layer, p->part.layers);
	if (p->part.batches > 1)
		buffer_format(out, _("  batch %ld of %zu"), p->part.batch, p->part.batches);
	buffer_text(out, "\n");
	if (p->mask_note[0]) {
		show_safe_text(out, p->mask_note, request->ascii);
		buffer_text(out, "\n");
	}
	if (request->lesson)
		return;
	buffer_text(out, _("expected: "));
	report_expected(out, &request->expect, &a->options, p->mask.v != NULL);
	buffer_text(out, "\n");
}

static void begin(struct report *r, const struct verify_request *request)
{
	report_begin(r);
	if (!request->lesson)
		return;
	r->lines = 1;
	r->line[0] = (struct line){ .name = "lesson", .blind = _("softmax over columns, which moves with Q alone; keys before the last") };
}

enum status verify(struct buffer *out, bool *ok, const struct verify_request *request, struct error *e)
{
	size_t first = request->all_heads ? 0 : (size_t)request->options->head;
	struct report r = {
		.format = request->format, .width = request->width, .ascii = request->ascii,
		.units = request->all_heads ? request->problem->heads : 1,
	};
	struct attention a;
	enum status s = open_head(request, first, &a, e);

	if (s)
		return s;
	begin(&r, request);
	put_title(&r.title, request, &a, r.units);
	attention_free(&a);
	if (!(s = probe_heads(&r, request, first, e))) {
		report_write(out, &r);
		if (out->failed)
			s = error_set(e, E_MEMORY, "no memory for the report");
		else
			*ok = !report_count_false(&r);
	}
	report_free(&r);
	return s;
}
