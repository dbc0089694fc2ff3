/* json_tensors.h - the arrays of a JSON file.
 *
 * A list of numbers or of such lists, up to NPY_RANK_MAX deep, is an array; so is one
 * of true and false (NPY_BOOL), a list of strings or of lists of strings (text) and a
 * single number (rank 0). Its name is the path of keys to it, joined with ".": "a.b"; in
 * a list of several objects the number of the object is a part of it, or its "name".
 * Other strings, true and false become metadata; null is passed over. So
 *   {"q": [[..]], "k": [[..]], "tokens": ["a", "b"]}  has q, k, tokens
 *   [head][q][k]                                      has ""
 *   ["a", "b"]                                        has "", text
 *   [{"name": null, "attn": [layer][head][q][k], "left_text": [..], "right_text": [..]}]
 *                                                     has attn, left_text, right_text
 * (the last is the payload of bertviz, which also stands under the key "attention").
 * left_text and query_tokens are of AXIS_QUERY, right_text and key_tokens of AXIS_KEY.
 *
 * What `qkv show --format json` writes has its values under the stage's name (of the
 * input stage under the array's), query_tokens, key_tokens and row_sums; scenario, stage
 * and options are metadata. Verdicts and rules are results and not read.
 *
 * NaN, Infinity and -Infinity are numbers, bare as Python writes them and as strings
 * within numbers as qkv does. Integers beyond 2^53 are rounded to the nearest double.
 */
#ifndef CORE_IO_JSON_TENSORS_H
#define CORE_IO_JSON_TENSORS_H

#include <stddef.h>

#include "core/error.h"
#include "core/io/tensors.h"

#define JSON_SIZE_LIMIT ((size_t)256 << 20)
enum {
	JSON_COST_LIMIT = 1 << 25,	/* numbers in a file; a string counts 3, a list 5, an object 11 */
	JSON_TOKENS_LIMIT = 1 << 20,	/* strings in one list */
	JSON_ARRAYS_LIMIT = 1 << 16,	/* arrays, and texts of metadata */
	JSON_NAME_LIMIT = 1000,		/* bytes of the name of an array */
};

/* Fills *t, as tensors.h says for readers, with the arrays in the file's order; numbers are
 * NPY_F64 and there without tensors_open.
 *   E_SYNTAX  no JSON, the same key twice, a number beyond a double (line and column); lists
 *             that make no rectangle or mix types (path and both lengths)
 *   E_VALUE   nothing that would be an array
 *   E_LIMIT   larger than the limits above, or nested too deep */
enum status json_read(struct tensors *t, const void *bytes, size_t size, const char *name, struct error *e);

#endif
