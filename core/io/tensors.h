/* tensors.h - the named arrays of one file, whatever its format.
 *
 * .npy, .npz (stored and deflated, ZIP64), .safetensors, CSV/TSV and JSON. A
 * parser takes bytes that stay the caller's (a mapped file) and keeps pointing
 * into them; only what is packed or written as text is turned into memory of
 * its own. Nothing in a file is trusted and nothing of it is executed.
 */
#ifndef CORE_IO_TENSORS_H
#define CORE_IO_TENSORS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/io/npy.h"
#include "core/scenario.h"

enum tensor_format { FORMAT_NPY, FORMAT_NPZ, FORMAT_SAFETENSORS, FORMAT_CSV, FORMAT_JSON, FORMAT_COUNT };

/* What several fields of JSON and CSV mean by themselves (bertviz' left_text, the header row of a table). */
enum tensor_axis { AXIS_UNKNOWN, AXIS_QUERY, AXIS_KEY };

struct tensor {
	char *name;		/* as in the file; "" where the format has none */
	struct npy array;	/* shape and type, always; data NULL until tensors_open */
	struct tokens text;	/* a text array of JSON or CSV: array.kind is NPY_TEXT_BYTES, array.data stays NULL */
	enum tensor_axis axis;	/* of a text array, where the format says it */
	void *owned;		/* what array.data points into, or NULL: the caller's bytes */
	char refused[200];	/* why it cannot be opened (a type nobody reads, a damaged member), or "" */
	size_t place;		/* for the reader of the format */
};

struct metadata { char *key, *value; };	/* UTF-8 */

struct tensors {
	enum tensor_format format;
	struct tensor *v;
	size_t n;
	struct metadata *metadata;	/* of safetensors, in the file's order */
	size_t metadata_n;
	size_t opened;			/* bytes that tensors_open allocated so far */
	const unsigned char *bytes;	/* not owned; outlive this */
	size_t size;
	char note[200];			/* a warning for people, such as surplus bytes; "" without one */
	void *reader;			/* of the format; freed by tensors_free */
	void (*reader_free)(void *reader);
};

struct tensors_options {
	bool v2_is_bf16;	/* '|V2' of .npy and .npz is bfloat16 */
	char separator;		/* of CSV: ',', ';', '\t'; 0: found out */
};

/* Bytes that the opened arrays of one file may take in memory. */
#define TENSORS_LIMIT ((size_t)4 << 30)

/* Lists the arrays of bytes[0..size). The format goes by the bytes first, then by
 * the ending of `name` (also for messages). *t is unchanged on error:
 *   E_SYNTAX  damaged, with line and column in text formats
 *   E_VALUE   a format that is refused: pickles and .pt with the two lines that convert them
 *   E_LIMIT   larger than a reader takes
 * An array of a type that cannot be read does not make the file unreadable: `refused` says why. */
enum status tensors_read(struct tensors *t, const void *bytes, size_t size, const char *name,
			 const struct tensors_options *o, struct error *e);
/* Whether bytes look like one of the formats (and not like YAML): magic numbers first, then the name's ending. */
bool tensors_recognise(const void *bytes, size_t size, const char *name, enum tensor_format *format);

/* The elements of array i are there afterwards: unpacked if need be, checked by the archive's CRC.
 * Memory grows as bytes arrive, never beyond what the array announces, and all arrays of the file
 * together stay within TENSORS_LIMIT. */
enum status tensors_open(struct tensors *t, size_t i, struct error *e);
/* Gives the memory of an opened array back; its shape stays known. */
void tensors_close(struct tensors *t, size_t i);
void tensors_free(struct tensors *t);

/* Text element i of a text array, as npy_text writes it; nothing for other arrays. The array must be open. */
void tensor_text(const struct tensor *t, size_t i, struct buffer *out);
/* The array of that name; t->n when there is none. */
size_t tensors_find(const struct tensors *t, const char *name);
const char *tensor_format_name(enum tensor_format f);	/* ".npy", ".npz", ".safetensors", "CSV", "JSON" */

#endif
