/* libzip.h - the library that .npz files are read and written with, loaded when one is.
 *
 * It brings a library of cryptography along, whose start takes longer and more memory
 * than all of this program's own. Who opens no archive does not pay for that. Private
 * to core/io.
 */
#ifndef CORE_IO_LIBZIP_H
#define CORE_IO_LIBZIP_H

#include <zip.h>

#include "core/error.h"

/* Of zip.h, what is used here: each as libzip.NAME(...), without its zip_. */
#define LIBZIP_FUNCTIONS(each) \
	each(close) each(discard) each(error_code_zip) each(error_fini) each(error_init) each(error_set) \
	each(error_strerror) each(error_to_data) each(fclose) each(file_add) each(file_get_error) \
	each(file_set_dostime) each(fopen_index) each(fread) each(get_error) each(get_name) each(get_num_entries) \
	each(open_from_source) each(set_file_compression) each(source_buffer) each(source_buffer_create) \
	each(source_close) each(source_free) each(source_function_create) each(source_keep) \
	each(source_make_command_bitmap) each(source_open) each(source_read) each(source_seek_compute_offset) \
	each(stat_index) each(stat_init) each(strerror)

struct libzip {
#define LIBZIP_MEMBER(name) __typeof__(zip_##name) *name;
	LIBZIP_FUNCTIONS(LIBZIP_MEMBER)
#undef LIBZIP_MEMBER
};

/* To be called once libzip_load has said OK. */
extern struct libzip libzip;

/* Loads the library, unless that was done; by one thread at a time. It stays to the end of
 * the program. E_FILE when it cannot be loaded. */
enum status libzip_load(struct error *e);

/* The same of a library by its name into a table of the caller's. */
enum status libzip_load_from(const char *library, struct libzip *out, struct error *e);

#endif
