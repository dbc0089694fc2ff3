/* model_next.h - what a model says comes next, and how well it said what came. */
#ifndef CORE_MODEL_NEXT_H
#define CORE_MODEL_NEXT_H

#include "core/model_run.h"

/* p[0..vocab): softmax of the logits at t, divided by the temperature (above 0), in double. */
void model_next(const struct model_run *r, size_t t, double temperature, double *p);

struct guess { size_t id; double p; };

/* The `most` likeliest of p[0..n), at most n, likeliest first; of equals the lower
 * id comes first, and NaN last. Returns how many. Cost: n * most. */
size_t model_top(const double *p, size_t n, size_t most, struct guess *out);

/* -ln of the probability, in nats, that t gave to the token after it. NaN at the
 * last position, and where either of the two is [PAD]. */
double model_surprise(const struct model_run *r, size_t t);
/* Its mean over the text, nats per character; NaN when there is nothing to predict. */
double model_nats(const struct model_run *r);

/* How a text is continued. Without a stream the likeliest is taken, of equals
 * the lower id. With one, each token costs one random_double u: the first id is
 * taken, in ascending order, at which the sum of the probabilities (at that
 * temperature) is above u. */
struct model_draw {
	struct random *stream;		/* or NULL */
	double temperature;		/* above 0 */
};

enum model_stop { STOP_COUNT, STOP_EOS, STOP_CONTEXT };

/* Appends up to `count` tokens to the text of the run, the last of them perhaps
 * [EOS]. The new ones are r->ids[n before..r->n). Errors of model_run_set. */
enum status model_continue(struct model_run *r, size_t count, const struct model_draw *draw, enum model_stop *why,
			   struct error *e);

#endif
