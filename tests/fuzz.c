/* fuzz.c - replays a corpus through a fuzz target. */
#include "tests/fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of exactly the right size, so that a sanitizer sees the first byte too far. */
static bool replay_file(const char *path, size_t size)
{
	uint8_t *bytes = malloc(size + !size);
	FILE *stream = fopen(path, "rb");
	bool whole = bytes && stream && fread(bytes, 1, size, stream) == size;

	if (stream)
		fclose(stream);
	if (whole)
		LLVMFuzzerTestOneInput(bytes, size);
	else
		fprintf(stderr, "%s: cannot be read\n", path);
	free(bytes);
	return whole;
}

/* How many inputs; 0 also when one cannot be read. */
static size_t replay_folder(const char *folder)
{
	DIR *files = opendir(folder);
	struct dirent *entry;
	size_t n = 0;
	bool good = files != NULL;

	while (good && (entry = readdir(files))) {
		char path[4096];
		struct stat about;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (stat(path, &about) || !S_ISREG(about.st_mode))
			continue;
		good = replay_file(path, (size_t)about.st_size);
		n++;
	}
	if (files)
		closedir(files);
	if (!good || !n)
		fprintf(stderr, "%s: no corpus\n", folder);
	return good ? n : 0;
}

static bool replay(const char *folder, size_t *all)
{
	size_t n = replay_folder(folder);

	*all += n;
	return n > 0;
}

static bool replay_own(size_t *all)
{
	char folders[] = FUZZ_CORPUS, *rest = folders, *folder;
	const char *root = getenv("QKV_SOURCE");
	bool good = true;

	while ((folder = strtok_r(rest, " ", &rest))) {
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", root ? root : ".", folder);
		good &= replay(path, all);
	}
	return good;
}

int main(int argc, char **argv)
{
	size_t all = 0;
	bool good = argc > 1 || replay_own(&all);

	for (int i = 1; i < argc; i++)
		good &= replay(argv[i], &all);
	printf("%zu inputs\n", all);
	return good && all ? 0 : 1;
}
