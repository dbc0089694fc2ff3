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
	/* Why it cannot be opened (a type nobody reads, a damaged member), or "". The
	 * array then has what is known of it: perhaps no shape, and a count of 0. */
	char refused[256];
	bool damaged;		/* that is the reason, and not what it holds */
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
	bool absent;		/* of CSV: what short rows and empty fields lack is NaN, and false in an array "mask" */
};

/* Bytes that the opened arrays of one file may take in memory. */
#define TENSORS_LIMIT ((size_t)4 << 30)

/* Lists the arrays of bytes[0..size). The format goes by the bytes first, then by
 * the ending of `name` (also for messages). o may be NULL. *t is unchanged on error:
 *   E_SYNTAX  damaged, with line and column in text formats
 *   E_VALUE   a format that is refused: pickles and .pt with the lines that convert them
 *   E_LIMIT   larger than a reader takes
 *   E_MEMORY
 * An array of a type that cannot be read does not make the file unreadable: `refused` says why.
 * Of .npy, .npz and .safetensors only headers are touched, whatever the arrays' size. */
enum status tensors_read(struct tensors *t, const void *bytes, size_t size, const char *name,
			 const struct tensors_options *o, struct error *e);
/* Whether bytes look like one of the formats (and not like YAML): magic numbers first, then the
 * name's ending (NULL: no name), and without a known one a JSON text that is no scenario, or a text
 * that begins with a line of numbers. Pickles count as .npy and .pt as .npz, since tensors_read is
 * what tells how to convert them. */
bool tensors_recognise(const void *bytes, size_t size, const char *name, enum tensor_format *format);

/* The elements of array i are there afterwards: unpacked if need be, checked by the archive's CRC.
 * Memory grows as bytes arrive, never beyond what the array announces, and all arrays of the file
 * together stay within TENSORS_LIMIT. On error the array is closed as before: E_VALUE for a
 * refused one, E_SYNTAX for damage, E_LIMIT, E_MEMORY; the text names neither file nor array.
 * Opening an open one does nothing. */
enum status tensors_open(struct tensors *t, size_t i, struct error *e);
/* Gives the memory of an opened array back; its shape stays known. Those of CSV and JSON stay open. */
void tensors_close(struct tensors *t, size_t i);
void tensors_free(struct tensors *t);

/* Text element i of a text array, as npy_text writes it; nothing for other arrays. The array must be open. */
void tensor_text(const struct tensor *t, size_t i, struct buffer *out);
/* The array of that name; t->n when there is none. */
size_t tensors_find(const struct tensors *t, const char *name);
const char *tensor_format_name(enum tensor_format f);	/* ".npy", ".npz", ".safetensors", "CSV", "JSON" */

/* ---- for the readers of the formats ----
 * A reader fills a *t in which only bytes, size and format are set. What it added before an error,
 * tensors_read frees. */

/* A new array, the last one, zeroed but for its name (of n bytes, without NUL); where it stands
 * changes with the next one. NULL: there is no memory, and *e says so. */
struct tensor *tensors_add(struct tensors *t, const char *name, size_t n, struct error *e);
enum status tensors_add_metadata(struct tensors *t, const char *key, const char *value, struct error *e);
/* E_VALUE, and the lines that convert a pickle. */
enum status tensors_refuse_pickle(const char *name, struct error *e);
/* These write `refused` and `note`: one line of UTF-8 without control characters, whatever it
 * repeats of a file, cut to the room there is. */
void tensor_refuse(struct tensor *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tensors_note(struct tensors *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
