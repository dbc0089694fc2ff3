/* recognise_parts.h - what the files of recognise.h share; for them only. */
#ifndef CORE_IO_RECOGNISE_PARTS_H
#define CORE_IO_RECOGNISE_PARTS_H

#include "core/io/recognise.h"

/* recognise_names.c: role, layer, set and hints of a name. `unnamed`: the name is
 * that of the file, which only tells weights, scores and masks. */
void name_meaning(struct meaning *m, const char *name, bool unnamed);
/* Whether the name is one of a model's parameters as frameworks name them. */
bool name_is_parameter(const char *name);
/* The role of a word of --as; ROLE_COUNT when it is none. */
enum role role_find(const char *word, size_t length);

/* recognise_shape.c: what is known of sizes before an array's axes are; 0: unknown. */
enum { BATCH_HINTS = 8 };
struct known {
	size_t n_q, n_k, heads;
	size_t batch[BATCH_HINTS];
	size_t batches;
};
void known_batch(struct known *k, size_t size);
/* Axes of weights and scores. False when the rank has none. */
bool shape_grid(struct meaning *m, const struct npy *a, const struct known *k);
/* Axes of q, k, v and output. `other` is k beside q, q beside k and v, or NULL. */
bool shape_rows(struct meaning *m, const struct npy *a, const struct known *k, const struct npy *other);
bool shape_tokens(struct meaning *m, const struct npy *a);
/* Axes of masks and biases, when the sizes of what they belong to are known. */
bool shape_mask(struct meaning *m, const struct npy *a, const struct part *p);
/* Whether q, k and v may as well have heads and positions the other way round. */
bool shape_is_ambiguous(const struct meaning *m, const struct npy *a);
void shape_swap(struct meaning *m);
/* Gives every array that it is about the axes of --layout. */
enum status shape_layout(struct recognition *r, const struct tensors *t, const char *layout, struct error *e);
/* "(3, 4, 29)" */
void shape_text(const struct npy *a, char *out, size_t size);

/* recognise_text.c: tokens, scale, masks and heads that safetensors metadata states. */
enum status read_metadata(struct recognition *r, const struct tensors *t, struct error *e);
/* recognise_as.c: the roles of --as. */
enum status apply_as(struct recognition *r, const struct tensors *t, const char *as, struct error *e);

/* recognise_agree.c: reads masks of floats that are only 0 and 1 as flags, and finds
 * out whether heads or positions come first where sizes do not tell. */
enum status agree_masks(struct recognition *r, struct tensors *t, struct error *e);
enum status agree_order(struct recognition *r, struct tensors *t, const struct part *p, struct error *e);

/* A note for people; once. */
void recognition_note(struct recognition *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
