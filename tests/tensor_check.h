/* tensor_check.h - files of text read into tensors, and what must be in them.
 *
 * Everything here stops the test (an assertion of cmocka) when it fails.
 */
#ifndef TESTS_TENSOR_CHECK_H
#define TESTS_TENSOR_CHECK_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/io/tensors.h"

struct text { const char *s; size_t n; };
/* Of a literal, which may hold NULs. */
#define TEXT(literal) ((struct text){ (literal), sizeof (literal) - 1 })

/* The file's name for messages and its format: "a.csv", "a.json". The bytes are copied to memory of exactly their
 * size, so that a sanitizer sees the first byte too far; they are freed with the tensors. */
struct reading { struct tensors t; void *bytes; };
void reading_make(struct reading *r, const char *name, struct text text, const struct tensors_options *o);
void reading_file(struct reading *r, const char *name);		/* below tests/data */
void reading_free(struct reading *r);

/* An array by name: NPY_F64 with these sizes ("2,3"; "" for rank 0) and elements; NaN equals NaN. */
void check_numbers(const struct reading *r, const char *name, const char *shape, const double *v);
void check_bools(const struct reading *r, const char *name, const char *shape, const unsigned char *v);
/* A text array; the tokens are separated by '|'. */
void check_tokens(const struct reading *r, const char *name, enum tensor_axis axis, const char *shape, const char *tokens);
void check_metadata(const struct reading *r, const char *key, const char *value);	/* value NULL: no such key */

/* The text is refused with that status, at that place (0, 0: none), in exactly these words. */
void check_refused(const char *name, struct text text, const struct tensors_options *o, enum status status,
		   unsigned line, unsigned column, const char *words);

/* Reads text, cut and damaged in `rounds` random ways (QKV_FUZZ_MUTATIONS: how many instead): nothing
 * but an answer or an error may come of it, and an error has words. */
void check_mutations(const char *name, struct text text, unsigned rounds);
/* Lets each allocation fail once: E_MEMORY every time. Needs the linker's --wrap (alloc.h). */
void check_allocations(const char *name, struct text text);

#endif
