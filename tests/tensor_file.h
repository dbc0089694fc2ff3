/* tensor_file.h - files of arrays made byte by byte, and what must become of them.
 *
 * A file's bytes are allocated at exactly its size, so that a sanitizer sees the
 * first byte too far; they are the caller's to free. Everything here stops the test
 * (an assertion of cmocka) when it fails.
 */
#ifndef TESTS_TENSOR_FILE_H
#define TESTS_TENSOR_FILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/io/tensors.h"
#include "tests/archive.h"

struct file { unsigned char *bytes; size_t size; };

struct file file_of_bytes(const void *bytes, size_t size);
struct file file_of_buffer(struct buffer *b);			/* frees b */
/* Version 1.0; the data begins at byte 128. */
struct file file_npy(const char *descr, const char *shape, const void *data, size_t n);
struct file file_safetensors(const char *header, const void *data, size_t n);

/* A .npy file of six as (2, 3) float64: 176 bytes. */
extern const double six[6];
struct file file_of_six(void);
void assert_six(const struct npy *a);

void add_member(struct archive *a, const char *name, unsigned method, struct file f);	/* frees f */
struct file end_archive(struct archive *a);

struct tensors read_as(struct file f, const char *name);
void open_array(struct tensors *t, size_t i);

/* Refused with that status and a text that holds `part`; the tensors are as they were. Frees f. */
void assert_refused(struct file f, const char *name, enum status status, const char *part);
/* The same of one array. */
void assert_not_opened(struct tensors *t, size_t i, enum status status, const char *part);
void assert_contains(const char *text, const char *part);

#endif
