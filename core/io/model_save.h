/* model_save.h - what a model computed on a text, as NumPy's .npz.
 *
 * Stored members, as numpy.savez writes them: ids int32 (n,), tokens text (n,);
 * q, k, v (layers, heads, n, d), scores and weights (layers, heads, n, n), float32,
 * little-endian; scores are scaled and before masking. The same run gives the same bytes.
 */
#ifndef CORE_IO_MODEL_SAVE_H
#define CORE_IO_MODEL_SAVE_H

#include "core/buffer.h"
#include "core/model_run.h"

/* Appends the archive. E_MEMORY, or E_FILE when it cannot be packed; out is then
 * to be thrown away. */
enum status model_save(struct buffer *out, const struct model_run *r, struct error *e);

#endif
