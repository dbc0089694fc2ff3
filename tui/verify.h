/* verify.h - `qkv verify`: the leak probes as a report, for people or as JSON.
 *
 * JSON is one object: `ok`, and `checks`, a list of {`name`, `ok`, `detail`} with
 * the names of core/probe.h, or the one name "lesson"; a check's `ok` is true,
 * false, or null where it does not apply. Over several heads a check is false
 * when it is false for one of them, and the detail is of the first such head.
 */
#ifndef TUI_VERIFY_H
#define TUI_VERIFY_H

#include "core/buffer.h"
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

#endif
