/* bench_files.c - files of arrays on the screen: when the first frame comes, and the most memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/bench/measure.h"
#include "tests/bench/pty.h"

enum { D = 64, OPENED = 7, PATIENCE = 30 };

/* ---- opening ---- */

/* An .npy file of rows x columns float32 zeros, of which the disk holds nothing but the header. */
static bool make_npy(const char *name, size_t rows, size_t columns)
{
	char header[128];
	FILE *f = fopen(name, "wb");

	memset(header, ' ', sizeof header);
	memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
	int used = snprintf(header + 10, sizeof header - 10,
			    "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %zu), }", rows, columns);
	header[10 + used] = ' ';
	header[sizeof header - 1] = '\n';
	bool good = f && fwrite(header, sizeof header, 1, f) == 1 && !fflush(f) &&
		    !ftruncate(fileno(f), (off_t)(sizeof header + rows * columns * sizeof(float)));
	if (f)
		fclose(f);
	return good;
}

/* The first frame of a file; negative when none comes. */
static double first_frame(char *qkv, char *name)
{
	struct pty p;

	if (!pty_start(&p, (char *[]){ qkv, name, NULL }))
		return -1;
	double seconds = pty_frame(&p, p.started, PATIENCE);
	pty_stop(&p);
	return seconds;
}

/* A large file against a small one of the same kind. */
static void against_small(char *qkv, char *large, char *small, const char *key, const char *label)
{
	struct samples ours = { .n = 0 }, theirs = { .n = 0 };
	char text[100], time_key[60];
	bool good = true;

	for (int turn = -1; turn < OPENED && good; turn++) {
		double a = first_frame(qkv, small), b = first_frame(qkv, large);
		good = a > 0 && b > 0;
		if (turn >= 0 && good) {
			samples_add(&theirs, a);
			samples_add(&ours, b);
		}
		good = good && b < 2;		/* long enough to know */
	}
	snprintf(text, sizeof text, "%s, to the first frame", label);
	snprintf(time_key, sizeof time_key, "%s_time", key);
	if (!good) {
		report_absent(key, text, "no frame within 2 seconds");
		return;
	}
	report_time(time_key, text, &ours);
	report_ratio(key, "  / one of the same kind of 16 KiB", &ours, &theirs, 1.2);
}

static void open_files(char *qkv, const char *place)
{
	static const struct { const char *key, *label; size_t small[2], large[2]; } kind[] = {
		{ "open_large", "a 1 GiB .npy (sparse) of weights, 16384 x 16384", { 64, 64 }, { 16384, 16384 } },
		{ "open_long", "a 1 GiB .npy (sparse) of 4194304 x 64", { 65, 64 }, { (size_t)1 << 22, 64 } },
	};
	char small[300], large[300];

	snprintf(small, sizeof small, "%s/small.npy", place);
	snprintf(large, sizeof large, "%s/large.npy", place);
	for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
		if (make_npy(small, kind[k].small[0], kind[k].small[1]) && make_npy(large, kind[k].large[0], kind[k].large[1]))
			against_small(qkv, large, small, kind[k].key, kind[k].label);
		else
			report_absent(kind[k].key, kind[k].label, "a file of that length cannot be made in TMPDIR");
	}
	remove(small);
	remove(large);
}

/* ---- memory ---- */

/* Random q, k, v of one head. */
static bool make_safetensors(const char *name, size_t n)
{
	size_t each = n * D * sizeof(float);
	float *v = take(each);
	char head[400];
	int size = snprintf(head, sizeof head,
			    "{\"q\":{\"dtype\":\"F32\",\"shape\":[%zu,%d],\"data_offsets\":[0,%zu]},"
			    "\"k\":{\"dtype\":\"F32\",\"shape\":[%zu,%d],\"data_offsets\":[%zu,%zu]},"
			    "\"v\":{\"dtype\":\"F32\",\"shape\":[%zu,%d],\"data_offsets\":[%zu,%zu]}}",
			    n, D, each, n, D, each, 2 * each, n, D, 2 * each, 3 * each);
	int padded = (size + 7) / 8 * 8;
	unsigned char length[8] = { (unsigned char)(padded & 255), (unsigned char)(padded >> 8) };
	FILE *f = fopen(name, "wb");
	bool good = f && fwrite(length, sizeof length, 1, f) == 1 && fprintf(f, "%-*s", padded, head) == padded;

	for (uint64_t part = 1; part <= 3 && good; part++) {
		fill_random(v, n * D, part * 7919);
		good = fwrite(v, each, 1, f) == 1;
	}
	free(v);
	return f && !fclose(f) && good;
}

/* Keys that move, jump and toggle, and then the overview until it is finished. */
static double most_memory(char *qkv, char *name, double *overview)
{
	static const char *const keys[] = { "c", "G", "g", "s", "s", "\033[6~", "c" };
	struct pty p;
	double peak;

	if (!pty_start(&p, (char *[]){ qkv, name, NULL }))
		return 0;
	if (pty_frame(&p, p.started, PATIENCE) < 0) {
		pty_stop(&p);
		return 0;
	}
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
		pty_press(&p, keys[k], 0.3);
	*overview = pty_press(&p, "O", 1.5);
	peak = pty_memory(&p);
	pty_stop(&p);
	return peak;
}

static void memory_of(char *qkv, const char *place, size_t n)
{
	double inputs = 3.0 * (double)n * D * sizeof(float) / 1048576, peak = 0;
	struct samples overview = { .n = 1 };
	char name[300], text[100], key[60];

	snprintf(name, sizeof name, "%s/long.safetensors", place);
	snprintf(text, sizeof text, "qkv on a file, n = %zu: (peak - 16 MiB) / inputs", n);
	snprintf(key, sizeof key, "memory_screen_%zu", n);
	if (!place_has((size_t)(inputs * 1048576)) || !make_safetensors(name, n)) {
		report_absent(key, text, "no room for the file in TMPDIR");
		remove(name);
		return;
	}
	peak = most_memory(qkv, name, &overview.v[0]);
	remove(name);
	if (peak <= 0) {
		report_absent(key, text, "qkv does not show it");
		return;
	}
	report_value(key, text, peak > 16 ? (peak - 16) / inputs : 0, "", 1.2, 0);
	snprintf(text, sizeof text, "  peak, with %.0f MiB of inputs", inputs);
	snprintf(key, sizeof key, "memory_screen_%zu_peak", n);
	report_value(key, text, peak, "MiB", 0, 0);
	snprintf(key, sizeof key, "memory_screen_%zu_overview", n);
	if (overview.v[0] < PTY_PATIENCE - 2)
		report_time(key, "  O, until the map is finished on the screen", &overview);
	else
		report_absent(key, "  O, until the map is finished on the screen", "not within 38 seconds");
}

void bench_files(void)
{
	char *qkv = getenv("QKV");
	const char *place = qkv ? place_make() : NULL;

	report_section("Files of arrays on the screen",
		       "memory is the process' own and the pages of the file it has mapped; after moves, jumps, masks and O");
	if (!place) {
		report_absent("files", "files", "make bench says where the program is");
		return;
	}
	open_files(qkv, place);
	memory_of(qkv, place, 8192);
	memory_of(qkv, place, 32768);
	memory_of(qkv, place, 131072);
}
