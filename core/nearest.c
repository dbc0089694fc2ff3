/* nearest.c - the name that was probably meant by one that does not exist. */
#include "core/nearest.h"

#include <string.h>

enum { WORD_LIMIT = 64 };	/* no name is longer; what is, is near to none */

static size_t least(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;
	return least < c ? least : c;
}

/* Levenshtein's distance, one row of his table at a time. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[WORD_LIMIT + 1], n = strlen(a), m = strlen(b);

	if (n > WORD_LIMIT || m > WORD_LIMIT)
		return n > m ? n : m;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t above = row[j];
			row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[m];
}

size_t nearest_distance(const char *text, const char *name, bool begun)
{
	return begun && *text && !strncmp(text, name, strlen(text)) ? 0 : edit_distance(text, name);
}

const char *nearest(const char *text, const char *(*name)(int), int n, size_t limit, bool begun)
{
	const char *best = NULL;
	size_t closest = limit;

	for (int i = 0; i < n; i++) {
		size_t d = nearest_distance(text, name(i), begun);
		if ((best ? d < closest : d <= closest) && d < strlen(name(i))) {
			best = name(i);
			closest = d;
		}
	}
	return best;
}
