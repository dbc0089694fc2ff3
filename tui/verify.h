/* verify.h - `qkv verify`: the leak probes as a report, for people or as JSON.
 *
 * JSON is one object: `ok`, and `checks`, a list of {`name`, `ok`, `detail`} with
 * the names of core/probe.h, or the one name "lesson"; a check's `ok` is true,
 * false, or null where it does not apply. Over several heads a check is false
 * when it is false for one of them, and the detail is of the first such head. Beside
 * them stand `layer`, `batch`, `head`, `row`, `column` and `value`: where the first
 * fault is (a query and a key; a weight, or a row's sum), null where there is none. Of
 * stored weights that Q and K do not explain, "agreement" is null with the difference as `value`.
 */
#ifndef TUI_VERIFY_H
#define TUI_VERIFY_H

#include "core/buffer.h"
#include "core/io/tensor_scenario.h"
#include "core/probe.h"

enum verify_format { VERIFY_TEXT, VERIFY_JSON, VERIFY_FORMAT_COUNT };

struct verify_request {
	const struct problem *problem;
	const struct options *options;		/* in force */
	const struct scenario *scenario;	/* its name, and where the stream of random input begins */
	const struct random_tables *tables;
	enum verify_format format;
	struct probe_expect expect;
	bool all_heads;				/* else the one that the options say */
	bool lesson;				/* the lesson's own test instead of the checks */
	int width;				/* columns of a text */
	bool ascii;				/* of a text: nothing but ASCII */
};

/* Appends the report, and tells in *ok whether no check is false. E_VALUE or
 * E_SHAPE about an option that does not fit the problem, E_MEMORY; out is then to
 * be thrown away, and *ok as it was. Cost: that of probe_run for each head. */
enum status verify(struct buffer *out, bool *ok, const struct verify_request *request, struct error *e);

/* A file of arrays: all layers, batches and heads, but for those that are chosen. */
struct verify_file {
	struct tensors *tensors;
	const char *name, *path;		/* as tensor_scenario has them */
	struct tensor_choice choice;		/* layer, batch -1: all */
	long head;				/* -1: all */
	const struct random_tables *tables;
	enum verify_format format;
	struct probe_expect expect;
	int width;
	bool ascii;
	/* What the command line sets on top of what the file says, and the files that it names. */
	enum status (*set)(void *context, struct options *o, struct error *e);
	enum status (*load_masks)(struct problem *p, const struct options *o, struct error *e);
	void *context;
};

/* Appends the report, as verify. Q, K and scores are computed with the masks that the file
 * has, and probed; stored weights are judged as they are, and compared with those that Q and
 * K give (the check "agreement"), also under ALiBi, softcap, window or bias that are set on
 * top. Where causal is expected, so is the padding that the file's own mask tells. A text is one line when no check is false. E_VALUE, E_SHAPE
 * about the file or an option, also where causal is expected of Q and K without weights and is
 * not set: nothing tells of it. E_LIMIT, E_MEMORY. Cost: bounded over all heads, by fewer rows
 * and outputs of each, which the report says; of stored weights all rows are read up to some
 * thousand million numbers. Memory: Q, K and V of one layer and batch in double, or the scores
 * of one head; of stored weights a row. */
enum status verify_file(struct buffer *out, bool *ok, const struct verify_file *f, struct error *e);

#endif
