/* docs_parts.h - what the files of docs.c share. For these files alone. */
#ifndef TUI_DOCS_PARTS_H
#define TUI_DOCS_PARTS_H

#include "core/buffer.h"
#include "core/options.h"
#include "tui/arguments.h"

#define MADE_BY "Made by `qkv docs %s`; changes will be lost (make refresh)."

typedef void option_writer(struct buffer *out, const struct option_info *info);
typedef void flag_writer(struct buffer *out, const struct flag_info *info);

/* Each option of a group, and each flag, in the order of the registry. */
void docs_each_option(struct buffer *out, enum option_group group, option_writer *write);
void docs_each_flag(struct buffer *out, flag_writer *write);
/* "show, frame": the commands that take a flag; "" when all do, or the bare qkv does. */
void docs_owners(struct buffer *out, const struct flag_info *info, const char *between);

void docs_man(struct buffer *out);	/* docs_man.c */
void docs_bash(struct buffer *out);	/* docs_shells.c */
void docs_zsh(struct buffer *out);
void docs_fish(struct buffer *out);

#endif
