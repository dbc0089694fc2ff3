/* lesson_yaml.h - lessons as YAML text, format version 1. lesson_yaml.c has the file and
 * its pages, lesson_yaml_goal.c `do:`, lesson_yaml_ask.c `ask:`.
 *
 *	qkv: 1
 *	title: {en: ..., ko: ...}		# a text is a string or a map of languages
 *	pages:					# 1 to 1000
 *	  - text: {en: ..., ko: ...}
 *	    scenario: causal-3			# a built-in name or a file; else what is shown stays
 *	    live: To save the			# in place of scenario: a language model on this text,
 *	    apply-at: 0.3,1			# with heads that have the options of set, each as layer.head,
 *	    head-off: 1.0,1.1			# a layer or all; heads that are off;
 *	    padding: left:3			# [PAD] before the text, or right:3
 *	    set: {causal: off, stage: masked}	# any options; of live also {layer: 1, head: 0}
 *	    at: 1:0				# where the cursor stands, query:key
 *	    open: verify			# influence, gradient, bugs, sweep, inspector, heads, clinic NAME
 *	    do: {causal: on}			# all must hold: options, and
 *						# at: "*:0", panel: NAME, edited: scores 1:0,
 *						# cell: weights 0:2 with above: X, below: X; of live
 *						# live, apply-at (or picture), head-off (or none), padding,
 *						# next: the likeliest character after the cursor's row
 *	    hint: {en: ..., ko: ...}
 *	    ask:				# each with text, and perhaps why
 *	      - {cell: weights 1:0, text: ...}	# or row-sums 1; tolerance: 0.005
 *	      - {number: 6, text: ...}		# likewise
 *	      - {choose: [...2 to 9 texts], right: 0, text: ...}
 *
 * All but qkv, title, pages and text may be left out.
 */
#ifndef CORE_IO_LESSON_YAML_H
#define CORE_IO_LESSON_YAML_H

#include <stddef.h>

#include "core/error.h"
#include "core/lesson.h"

/* Reads a lesson from bytes; file is for errors, and its last part without
 * ".yaml" becomes the lesson's name. *out need not be initialised; it is complete
 * after success (free it with lesson_free) and as it was on error. Every error
 * has file, line and column, 1-based, in characters, of the key or value at fault:
 *   E_SYNTAX  not UTF-8, not YAML, or a list where a text belongs
 *   E_VALUE   unknown or missing keys, values that are not among those expected
 *   E_LIMIT   a file over 64 MiB, too many pages or questions
 *   E_MEMORY
 * Whether scenarios exist, and options and cells fit them, is not known here. */
enum status lesson_read(struct lesson *out, const void *bytes, size_t size, const char *file, struct error *e);

/* The same behind each error, as long as the YAML itself is sound: report is told
 * of every one, about in the order of the file. Returns the status of the first.
 * *out is always filled, with what could be read, and to be freed; a text or a
 * mark is not there where its value was wrong, and pages say whether they are
 * `flawed`. */
enum status lesson_read_all(struct lesson *out, const void *bytes, size_t size, const char *file,
			    void (*report)(void *context, const struct error *e), void *context);

#endif
