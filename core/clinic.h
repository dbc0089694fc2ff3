/* clinic.h - the same scores under several treatments, side by side.
 *
 * A clinic opens a built-in scenario; each of its variants is a bundle of options
 * on top of the scenario's own.
 */
#ifndef CORE_CLINIC_H
#define CORE_CLINIC_H

#include "core/bug.h"
#include "core/row.h"

enum { CLINIC_SETTINGS = 4 };

struct clinic_variant {
	const char *name;	/* a few words, unique in its clinic; at most 24 bytes */
	struct bug_setting set[CLINIC_SETTINGS];	/* value NULL ends */
};

enum clinic_form {
	CLINIC_ROWS,		/* a table: a line for each variant, with the weights of one query row */
	CLINIC_PICTURES,	/* the whole grids side by side */
};

/* The texts are ASCII. */
struct clinic {
	const char *name, *title;
	const char *scenario;	/* built-in */
	const char *look;	/* a sentence or two: what to look at; at most 240 bytes */
	enum clinic_form form;
	size_t row;		/* the query row to begin with */
	const struct clinic_variant *variants;
	size_t variants_count;
};

extern const struct clinic clinics[];
extern const size_t clinics_count;

/* NULL when there is none of that name. */
const struct clinic *clinic_find(const char *name);

/* Makes *out from nothing: base, which is the scenario's options, with those of the
 * variant on top. The caller's, by options_free. E_MEMORY; nothing to free then. */
enum status clinic_options(struct options *out, const struct options *base, const struct clinic_variant *v,
			   struct error *e);

/* The attention of a variant, as attention_init makes it from clinic_options. */
enum status clinic_attention(struct attention *out, const struct problem *p, const struct options *base,
			     const struct clinic_variant *v, const struct random_tables *tables, struct error *e);

#endif
