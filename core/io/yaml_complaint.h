/* yaml_complaint.h - slips of YAML in words that say what to do. Private to core/io.
 *
 * A text with # , : & * ! in it and without quotes is YAML, but not what was
 * meant; each complaint stands where the slip is, not where it was noticed.
 */
#ifndef CORE_IO_YAML_COMPLAINT_H
#define CORE_IO_YAML_COMPLAINT_H

#include "core/io/yaml_node.h"

/* What to put in quotes at a place: "put the token in quotes", or the text. */
const char *complaint_quotes(const struct document *d, struct mark at);

/* Whether a # makes a comment of what looks like the rest of a list in braces or
 * brackets between the two places; d->error is about it then. */
bool complaint_cut(struct document *d, struct mark from, struct mark to);

/* libyaml's complaint, from the texts that it gives: `at` is the place of the
 * problem, `start` that of its context (NULL: none). Returns E_SYNTAX. */
enum status complain(struct document *d, const char *problem, const char *context, struct mark at, struct mark start);

#endif
