/* model_heads.c - what a head does, measured on the text that it is shown. */
#include "core/model_heads.h"

#include <math.h>

#include "core/message.h"

const char *head_name_text(enum head_name n)
{
	static const char *const text[HEAD_NAME_COUNT] = {
		N_("previous token"), N_("induction"), N_("rests on [BOS]"), N_("broad"), N_("none"),
	};
	return text[n];
}

static bool is_pad(const struct model_run *r, size_t t)
{
	return r->ids[t] == r->model->special[MODEL_PAD];
}

size_t model_followed(const struct model_run *r, size_t i)
{
	for (size_t j = is_pad(r, i) ? 0 : i; j-- > 0;)
		if (r->ids[j] == r->ids[i])
			return j + 1 < i ? j + 1 : 0;
	return 0;
}

/* The first [BOS], or n. */
static size_t find_bos(const struct model_run *r)
{
	size_t t = 0;

	while (t < r->n && r->ids[t] != r->model->special[MODEL_BOS])
		t++;
	return t;
}

/* In units of the largest: that of equal weights on all visible keys. */
static double row_entropy(const float *w, size_t n, size_t visible)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		if (w[j] != 0)
			sum -= (double)w[j] * log((double)w[j]);
	return visible > 1 ? sum / log((double)visible) : 0;
}

static void name_head(struct head_figures *f)
{
	const struct { enum head_name name; double figure, least; size_t queries; } claim[] = {
		{ HEAD_PREVIOUS, f->previous, HEAD_PREVIOUS_LEAST, f->queries },
		{ HEAD_INDUCTION, f->followed, HEAD_INDUCTION_LEAST, f->followed_queries },
		{ HEAD_RESTS, f->bos, HEAD_BOS_LEAST, f->queries },
		{ HEAD_BROAD, f->entropy, HEAD_BROAD_LEAST, f->queries },
	};

	f->name = HEAD_NONE;
	f->figure = NAN;
	for (size_t k = 0; k < sizeof claim / sizeof *claim; k++)
		if (claim[k].queries >= HEAD_QUERIES && claim[k].figure >= claim[k].least) {
			f->name = claim[k].name;
			f->figure = claim[k].figure;
			return;
		}
}

static double mean(double sum, size_t n)
{
	return n ? sum / (double)n : NAN;
}

struct head_figures model_head_figures(const struct model_run *r, size_t layer, size_t head)
{
	const unsigned short *visible = r->visible + (layer * r->model->size.heads + head) * r->model->size.context;
	size_t bos = find_bos(r);
	struct head_figures f = { 0 };

	for (size_t i = (bos < r->n ? bos : 0) + HEAD_FIRST_QUERY; i < r->n; i++) {
		if (is_pad(r, i))
			continue;
		const float *w = model_run_weights(r, layer, head, i);
		size_t followed = model_followed(r, i);
		f.queries++;
		f.previous += w[i - 1];
		f.two_back += w[i - 2];
		f.itself += w[i];
		f.bos += bos < r->n ? w[bos] : 0;
		f.entropy += row_entropy(w, r->n, visible[i]);
		f.followed_queries += followed > 0;
		f.followed += followed ? w[followed] : 0;
	}
	f.previous = mean(f.previous, f.queries);
	f.two_back = mean(f.two_back, f.queries);
	f.itself = mean(f.itself, f.queries);
	f.bos = mean(f.bos, bos < r->n ? f.queries : 0);
	f.entropy = mean(f.entropy, f.queries);
	f.followed = mean(f.followed, f.followed_queries);
	name_head(&f);
	return f;
}

/* Whether query i gives weight to a [PAD] in a head that is on. */
static bool sees_pad(const struct model_run *r, size_t i)
{
	for (size_t l = 0; l < r->plan.layers; l++)
		for (size_t h = 0; h < r->plan.heads; h++) {
			const float *w = model_run_weights(r, l, h, i);
			if (model_plan_head(&r->plan, l, h)->off)
				continue;
			for (size_t j = 0; j < r->n; j++)
				if (is_pad(r, j) && w[j] != 0)
					return true;
		}
	return false;
}

static bool has_pad(const struct model_run *r)
{
	for (size_t t = 0; t < r->n; t++)
		if (is_pad(r, t))
			return true;
	return false;
}

size_t model_pad_seen(const struct model_run *r)
{
	size_t n = 0;

	if (!has_pad(r))
		return 0;
	for (size_t i = 0; i < r->n; i++)
		n += !is_pad(r, i) && sees_pad(r, i);
	return n;
}
