/* model_file.h - the weights of a model from the bytes of a .safetensors file.
 *
 * The layout is that of assets/model/README.md: exactly the arrays of
 * core/model.h by their names and shapes, each F16, BF16 or F32 and finite, and
 * in the metadata, all as text: layers, heads, head_dim, width, hidden, context,
 * norm_eps; pad_id, bos_id, eos_id, unk_id; vocab, a JSON list of as many strings
 * as emb.weight has rows; and what the layout takes for granted: format
 * "koen-decoder", activation "gelu_erf", norm "pre_layernorm", positions
 * "learned", output "tied". Other sizes are taken, other layouts are not.
 */
#ifndef CORE_IO_MODEL_FILE_H
#define CORE_IO_MODEL_FILE_H

#include "core/model.h"

/* `name` is for messages. *m is unchanged on error, which says what was expected:
 *   E_SYNTAX  damaged
 *   E_VALUE, E_SHAPE  another format or another layout
 *   E_LIMIT   larger than core/model.h takes
 *   E_MEMORY
 * The bytes are not needed afterwards. */
enum status model_read(struct model *m, const void *bytes, size_t size, const char *name, struct error *e);

#endif
