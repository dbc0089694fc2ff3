/* recognise_parts.h - what the files of recognise.h share; for them, tensor_*.c and stored_weights.c only. */
#ifndef CORE_IO_RECOGNISE_PARTS_H
#define CORE_IO_RECOGNISE_PARTS_H

#include "core/io/recognise.h"

/* recognise_names.c: role, layer, set and hints of a name. `unnamed`: the name is
 * that of the file, which only tells weights, scores and masks. */
void name_meaning(struct meaning *m, const char *name, bool unnamed);
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

/* recognise_agree.c: whether heads or positions come first where sizes do not tell. */
enum status agree_order(struct recognition *r, struct tensors *t, const struct part *p, struct error *e);

/* recognise_sample.c: so many heads and rows that `cost` for each row stays within a limit. */
#define HIDES_AT_MOST (-1e4)	/* of an additive mask; more is a bias */
struct sample { size_t heads, rows; };
struct sample sample_of(const struct part *p, double cost);
/* The k-th of n places spread over `all`, the first and the last among them. */
size_t sample_place(size_t k, size_t n, size_t all);
/* An array of a part, opened; a NULL when there is none of that role. */
struct source_view { const struct npy *a; struct view v; };
enum status part_open(const struct recognition *r, struct tensors *t, const struct part *p, enum role role,
		      struct source_view *out, struct error *e);
/* Its row for a query head, which in grouped queries shares keys with its neighbours. */
void part_row(const struct source_view *s, const struct part *p, size_t batch, size_t head, size_t row, size_t n, double *out);
/* How far right the visible cells of rows reach: causal, when they end along a diagonal. */
enum status find_pattern(const struct recognition *r, struct tensors *t, const struct part *p, size_t batch,
			 enum role role, struct setting *out, struct error *e);
/* Reads masks of floats that are only 0 and 1 as flags. */
enum status agree_masks(struct recognition *r, struct tensors *t, struct error *e);

/* recognise.c: the array of a role and layer, when it is one of those that are used; else r->n. */
size_t recognition_find(const struct recognition *r, enum role role, long layer);
/* Whether array i is part of that attention: its weights, scores, q, k or v. */
bool recognition_uses(const struct recognition *r, size_t i, const char *set);
bool recognition_has_layer(const struct recognition *r, long layer);
void meaning_unused(struct meaning *m, const char *why);
/* recognise_part.c: roles as the numbers have them, axes of masks, order of heads. */
enum status recognise_judge(struct recognition *r, struct tensors *t, struct error *e);

/* A note for people; once. */
void recognition_note(struct recognition *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
