/* docs.h - texts made from the registries of options, commands and flags.
 *
 * Those that are kept in the source tree (man page, completions, the tables
 * of README.md) are compared with this by tests/test_cli.c.
 */
#ifndef TUI_DOCS_H
#define TUI_DOCS_H

#include "core/buffer.h"
#include "core/error.h"

/* What --help prints. */
void docs_help(struct buffer *out);

/* One of man, options, keys, bash, zsh, fish; E_VALUE for any other topic. */
enum status docs(struct buffer *out, const char *topic, struct error *e);

#endif
