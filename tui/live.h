/* live.h - `qkv live`: a small language model on a text, with its heads interfered with.
 *
 * Beside the run that is interfered with stands that of the untouched model on the text
 * alone: padding is an interference, too.
 */
#ifndef TUI_LIVE_H
#define TUI_LIVE_H

#include "core/buffer.h"
#include "core/model_next.h"

struct live_request {
	const char *text;		/* UTF-8, in any normal form */
	const char *model;		/* a file; NULL: the built-in one */
	const char *at;			/* heads that get the options: "1.0", "1", "all", parted by commas; NULL: none */
	const char *ablate;		/* heads that are off, likewise; NULL: none */
	size_t pad_left, pad_right;	/* [PAD] before and behind the text */
	const struct options *options;
	const struct random_tables *tables;
};

struct live {
	struct model model;
	char *name;			/* of the model: "koen" */
	struct model_text text;		/* as ids */
	char *nfc;			/* the text itself, brought to NFC */
	struct model_plan plan;
	struct model_run run, untouched;
	struct workers *workers;	/* of both, from the first plan that does something on; or NULL */
	bool touched;			/* the plan or padding does something; else there is no second run */
	size_t pad_left;		/* position t of run is t - pad_left of untouched */
};

/* Finds the model, reads the text, computes both runs. l is not moved afterwards.
 * Errors: of the file (model_read), of the options at and ablate by their names, of
 * the options that are carried through. */
enum status live_init(struct live *l, const struct live_request *r, struct error *e);
void live_free(struct live *l);
/* Another text or other interventions on the same model: what of the runs is still true
 * is kept (model_run.h). After an error l is as it was but for its runs, which the next
 * successful call makes good. */
enum status live_update(struct live *l, const struct live_request *r, struct error *e);

/* How the model of a file is called, or the built-in one; to be freed, NULL when memory is short. */
char *live_model_name(const char *file);
/* E_VALUE about the option layer when the model has no such layer. */
enum status live_check_layer(const struct live *l, const struct options *o, struct error *e);
/* The run that a picture of the text is of. */
enum status live_scenario(const struct live *l, size_t layer, struct scenario *s, struct error *e);
/* Whether a comma-separated list of heads (that live_init took) has that one. */
bool live_list_has(const struct live *l, const char *list, size_t layer, size_t head);

/* What has to be said of a text and a plan, one a call: characters cut off or
 * unknown, heads without a causal mask, [PAD] that is seen, NaN. False when there is no k-th. */
bool live_notice(const struct live *l, size_t k, struct buffer *out);

/* How far the text is continued, and how. */
struct live_more {
	size_t count;			/* 0: not at all */
	const char *temperature;	/* or NULL */
	const char *seed;		/* decimal digits or NULL; one of the two given: drawn, not the likeliest */
};

enum live_format { LIVE_TABLE, LIVE_JSON, LIVE_FORMAT_COUNT };
extern const char *const live_format_words[];	/* NULL-terminated */

struct live_write {
	const struct live_request *request;
	struct live_more more;
	enum live_format format;
	long layer, head;		/* of the table of heads; MODEL_ALL: each */
	bool ascii;			/* of a table */
};

/* Appends the report. Of JSON one object; keys in live_json.c. Errors of the
 * continuation's seed and temperature, E_MEMORY. */
enum status live_report(struct buffer *out, struct live *l, const struct live_write *w, struct error *e);

#endif
