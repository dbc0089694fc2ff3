/* bug.h - the bug lab's named mistakes: each a bundle of options. */
#ifndef CORE_BUG_H
#define CORE_BUG_H

#include "core/options.h"

struct bug_setting { enum option option; const char *value; };

struct bug {
	const char *name;	/* as --bug takes it */
	const char *title;	/* a few words */
	struct bug_setting set[3];	/* value NULL ends */
};

extern const struct bug bugs[];
extern const size_t bugs_count;

/* Sets the options of the bugs named in o->bug on top of o. E_VALUE naming
 * the first that does not exist. */
enum status bug_apply(struct options *o, struct error *e);

#endif
