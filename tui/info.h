/* info.h - `qkv info`: what is in a file of arrays, and what would be opened as what. */
#ifndef TUI_INFO_H
#define TUI_INFO_H

#include "core/buffer.h"
#include "core/io/tensor_scenario.h"

struct info_request {
	const char *name;			/* of the file */
	struct tensor_choice choice;		/* layer or batch -1: of several, a few are looked at */
	bool ascii;
};

/* Appends the report, text from the file made safe to show. Nothing to open is no
 * error. E_SYNTAX for a damaged member of an archive, E_VALUE where no array is of a
 * type that is read, else errors as recognise() has them; out is then to be thrown away. */
enum status info(struct buffer *out, struct tensors *t, const struct info_request *request, struct error *e);

#endif
