/* language.h - the languages that are built in, and which one is wanted. */
#ifndef TUI_LANGUAGE_H
#define TUI_LANGUAGE_H

/* Makes the catalogues among the assets known to core/message.h; once. */
void language_add_builtin(void);

/* The known language that the first of these names which is set, as POSIX has it
 * ("ko_KR.UTF-8", "ko"): LC_ALL, LC_MESSAGES, LANG, NULL or "" where it is not.
 * "en" where none is known. Whether the system has such a locale does not matter. */
const char *language_wanted(const char *lc_all, const char *lc_messages, const char *lang);

#endif
