/* language.c - the languages that are built in, and which one is wanted. */
#include "tui/language.h"

#include <string.h>

#include "assets/assets.h"
#include "core/message.h"

enum { NAME_SIZE = 16 };

/* "po/ko.mo" holds the texts of "ko". */
void language_add_builtin(void)
{
	static char names[MESSAGE_LANGUAGES][NAME_SIZE];	/* the catalogues keep pointers to them */
	size_t count = 0;

	for (size_t i = 0; i < assets_count && count < MESSAGE_LANGUAGES; i++) {
		const char *name = assets[i].name, *dot = strrchr(name, '.');
		if (strncmp(name, "po/", 3) || !dot || strcmp(dot, ".mo") || (size_t)(dot - name - 3) >= NAME_SIZE)
			continue;
		memcpy(names[count], name + 3, (size_t)(dot - name - 3));
		message_add_own(names[count++], assets[i].data, assets[i].size);
	}
}

const char *language_wanted(const char *lc_all, const char *lc_messages, const char *lang)
{
	const char *set = lc_all && *lc_all ? lc_all : lc_messages && *lc_messages ? lc_messages : lang ? lang : "";
	size_t length = strcspn(set, "_.@");
	const char *known;

	for (size_t k = 0; (known = message_language(k)); k++)
		if (strlen(known) == length && !memcmp(known, set, length))
			return known;
	return "en";
}
