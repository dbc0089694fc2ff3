/* verify_parts.h - between verify*.c: what was found over all heads, and how it is written. */
#ifndef TUI_VERIFY_PARTS_H
#define TUI_VERIFY_PARTS_H

#include "tui/verify.h"

/* Where in a file. */
struct unit { long layer; size_t batch, head; };

/* The answer of one check in one head. */
struct finding {
	enum probe_answer ok;
	bool has_row, has_column, has_value;
	size_t row, column;	/* query, and key; of probe-q the other query */
	double value;
	char detail[PROBE_TEXT];
};

/* One check over all heads: of the first head with the worst answer. */
struct line {
	const char *name, *blind;	/* blind NULL: nothing to say */
	struct finding found;
	struct unit at;
	size_t alike;			/* heads with that answer; 0: none yet */
};

enum { LINE_AGREEMENT = PROBE_COUNT, LINES_MAX };

struct report {
	enum verify_format format;
	int width;
	bool ascii;
	bool of_file;			/* of arrays: a quiet line when all is well, and places */
	bool layers, batches;		/* it has several, which a line names */
	size_t units;			/* heads that are gone through */
	struct buffer title;		/* lines above a text */
	struct buffer quiet;		/* of a file: what the line begins with when no check is false */
	struct line line[LINES_MAX];
	int lines;
};

void report_free(struct report *r);	/* a zeroed one is accepted */
/* Lines of all checks of probe.h, without answers. */
void report_begin(struct report *r);
void report_add(struct line *l, const struct finding *f, const struct unit *at);
/* What a probe found, as a finding. */
void finding_of_check(struct finding *f, const struct probe_check *c, enum probe_name name);
/* False outweighs true, and true outweighs what does not apply. */
bool finding_outweighs(const struct finding *a, const struct finding *b);

int report_count_false(const struct report *r);
void report_write(struct buffer *out, const struct report *r);
/* "causal, pad, as set": which masks ought to be there, and who says so. */
void report_expected(struct buffer *out, const struct probe_expect *x, const struct options *o, bool mask);

#endif
