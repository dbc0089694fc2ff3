/* load_layers.c - which layers a file of arrays has. */
#include <stdlib.h>
#include <string.h>

#include "tui/load.h"

static enum status list_layers(const struct tensors *t, const struct recognition *r, const struct tensor_choice *choice,
			       long **layer, size_t *n, struct error *e)
{
	struct part p;
	enum status s = recognise_part(r, t, choice->layer, &p, e);
	size_t count = r->layers ? r->layers : 1;

	if (s)
		return s;
	long *copy = malloc(count * sizeof *copy);
	if (!copy)
		return error_set(e, E_MEMORY, "no memory for %zu layers", count);
	copy[0] = p.layer;
	if (r->layers)
		memcpy(copy, r->layer, count * sizeof *copy);
	*layer = copy;
	*n = count;
	return OK_STATUS;
}

enum status load_layers(long **layer, size_t *n, const char *input, const struct tensor_choice *choice, struct error *e)
{
	const struct recognise_options o = { choice->as, choice->layout };
	const struct tensors_options reading = { .v2_is_bf16 = choice->bf16 };
	const char *slash = strrchr(input, '/');
	struct content c;
	struct tensors t;
	struct recognition r;
	enum status s = content_open(&c, input, FROM_FILE, e);

	if (s)
		return s;
	if (!(s = tensors_read(&t, c.data, c.size, input, &reading, e))) {
		if (!(s = recognise(&r, &t, slash ? slash + 1 : input, &o, e))) {
			s = list_layers(&t, &r, choice, layer, n, e);
			recognition_free(&r);
		}
		tensors_free(&t);
	}
	content_free(&c);
	return s;
}
