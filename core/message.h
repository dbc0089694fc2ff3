/* message.h - texts for people, in the language that is in force.
 *
 * Texts stand in the code in English, marked by _() where they are used or by
 * N_() where a table holds them; state_say, error_set and their like translate
 * the format they are given. A catalogue, the bytes of a .mo file as GNU gettext's
 * msgfmt makes it, has the translations. It is looked up here and not by the C
 * library, since that translates only where the system has the locale installed.
 *
 * The language belongs to the process, as the locale does: this is the one state
 * that core has. It is set between two commands, never while something is computed.
 */
#ifndef CORE_MESSAGE_H
#define CORE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#define _(text) message(text)
#define N_(text) text

enum { MESSAGE_LANGUAGES = 16 };

/* Makes a language known by its name ("ko"), which like the bytes must stay.
 * False when the bytes are no catalogue, or when there are too many. */
bool message_add(const char *language, const void *mo, size_t size);
/* The same of a part of the program itself, whose texts are taken as they are: to read
 * them all at every start would cost more than the screen does. */
bool message_add_own(const char *language, const void *mo, size_t size);
/* The k-th language: "en", then those that were added; NULL past the last. */
const char *message_language(size_t k);
/* Puts one in force; false, and no change, when it is not known. */
bool message_use(const char *language);
const char *message_in_force(void);

/* The translation of a text, or the text itself: never NULL, never to be freed.
 * "" is "" (and not the catalogue's head). Cost: a binary search. */
const char *message(const char *text) __attribute__((format_arg(1)));

#endif
