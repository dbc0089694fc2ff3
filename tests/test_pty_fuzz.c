/* test_pty_fuzz.c - random and mutated bytes typed at the running program, in
 * screens of changing size: it neither crashes nor stops to answer.
 *
 * The program cannot do harm: it may not write a byte to any file (RLIMIT_FSIZE),
 * its folders are empty ones, and what would name a file is not typed.
 * QKV_FUZZ_LINES and QKV_FUZZ_SEED change how much is typed, and what.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/terminal.h"

enum {
	LINES = 16000,
	BATCH = 500,		/* lines between two checks that it answers */
	LINE_SIZE = 256,
};

/* ---------------------------------------------------------------- what is typed */

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)((seed >> 33) % n);
}

static const char *const samples[] = {
	"\033[A", "\033[1;5C", "\033OB", "\033[5~", "\033[3;5~", "\033[Z", "\033[15;2~", "\033[97;5:1u",
	"\033[<0;20;5M", "\033[<0;20;5m", "\033[<64;10;6M", "\033[<65;10;6M", "\033[<32;250;50M", "\033[M !!",
	"\033[M\"5%", "\033[200~0.5 c\033[201~", "\033[200~\ntext", "\033[201~", "\033[1$A", "\033[>1$A",
	"\033[?1;0;256S", "\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17m", "\033[~", "\033[27~", "\033[12;34R",
	"\033]0;title\a", "\033]52;c;aGVsbG8=\033\\", "\033P1$r0m\033\\", "\033_x\033\\", "\033[I\033[O", "\033[[A",
	"\033\033", "\033", "\033[", "\033O", "\033j", "\302\233", "\355\225\234\352\270\200", "\341\204\222\341\205\241",
	"\343\204\261", "\360\237\230\200", "\343\201\213\343\202\231", "\377\376", "\300\200", "\355\240\200",
	"0123456", "hjklgG", "cpPsSxfE", "+-=<>,.", "urR", "M1'1", "zzztm", "oa", "ob", "og", "oi", "?", "/t1\rnN",
	"\r2.5\r", "\r1e999\r", "\r-inf\r", "\rnan\r", "\t\t", "\022\014", "[]", "y", "xxx", "\177\010", "\001\005\013\025",
};

/* Lines for `:` that end themselves; what they name are options. */
static const char *const commands[] = {
	"n 3", "n 17", "n 0", "seed 12345678901234567890", "d-k 3", "scale 0.5", "scale dmodel", "causal-offset -1",
	"window 2", "pad 0-1", "pad 9", "hide 0:1,1:0", "keep 0:1", "fill 0", "fill min", "fill-op add", "mask-at after",
	"softmax column", "softmax-kind naive", "empty-row uniform", "bug list", "temperature 1e-3", "precision 17",
	"stage output", "array k", "head 3", "tokens a \355\225\234 \360\237\230\200", "tokens", "step 1e300", "dtype f16",
	"transpose off", "documents 1,1,0", "alibi auto", "softcap 1e-9", "dropout 0.5", "nonsense", "ca\t\t\t", "set the\t",
	"o random-4", "o shapes-10", "o cross-3x5", "o korean-5", "mouse off", "mouse on", "lang ko", "ascii on",
};

#define ANY(list) list[below((unsigned)(sizeof list / sizeof *list))]

static size_t random_line(unsigned char *line)
{
	size_t n = 1 + below(24);

	for (size_t i = 0; i < n; i++)
		line[i] = (unsigned char)(below(3) ? below(256) : 32 + below(95));
	return n;
}

static void mutate(unsigned char *line, size_t *n)
{
	size_t at = below((unsigned)*n);

	switch (below(4)) {
	case 0:
		line[at] ^= (unsigned char)(1 << below(8));
		break;
	case 1:
		line[at] = (unsigned char)below(256);
		break;
	case 2:
		memmove(line + at, line + at + 1, --*n - at);
		break;
	default:
		memmove(line + at + 1, line + at, *n - at);
		line[at] = (unsigned char)below(128);
		++*n;
	}
}

static size_t mutated_line(unsigned char *line)
{
	size_t n = 0;

	for (unsigned k = 1 + below(4); k; k--) {
		const char *sample = ANY(samples);
		memcpy(line + n, sample, strlen(sample));
		n += strlen(sample);
	}
	for (unsigned k = below(4); k && n > 1; k--)
		mutate(line, &n);
	return n;
}

/* q, Ctrl-C and Ctrl-Z end or stop it, and after the end of raw mode Ctrl-\ ends
 * it and Ctrl-S stops what it writes; ':' begins what might name a file, and e
 * types "w" for the user. */
static void make_harmless(unsigned char *line, size_t n)
{
	static const char harmful[] = { 'q', ':', 'e', 0x03, 0x13, 0x1a, 0x1c };

	for (size_t i = 0; i < n; i++)
		if (memchr(harmful, line[i], sizeof harmful))
			line[i] = ' ';
}

static size_t make_line(unsigned char line[LINE_SIZE])
{
	unsigned kind = below(20);
	size_t n;

	if (!kind)
		return (size_t)snprintf((char *)line, LINE_SIZE, ":%s\r", ANY(commands));
	n = kind < 9 ? random_line(line) : mutated_line(line);
	make_harmless(line, n);
	return n;
}

/* ---------------------------------------------------------------- at whom */

static void begin(struct pty *p)
{
	struct rlimit before;

	/* For the child alone: it inherits what holds when it is started. */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	struct rlimit limit = { 0, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	start(p, "random-4");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	wait_frame(p, -1, "t3");
}

static void show_end(const struct pty *p)
{
	size_t n = p->length < 4000 ? p->length : 4000;

	fprintf(stderr, "the last %zu bytes that were written:\n%s\n", n, p->output ? p->output + p->length - n : "");
}

/* Keys of a Hangul syllable, or of a terminal that tells Ctrl-C as a number, may
 * still have quit it. */
static void assert_quit(struct pty *p, const char *after)
{
	int status = pty_wait_exit(p, WAIT);

	if (status != -1 && WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 130)) {
		assert_restored(p);
		pty_stop(p);
		return;
	}
	show_end(p);
	fail_msg("%s: wait status %#x", after, status);
}

static bool has_ended(struct pty *p)
{
	pty_pump(p, 0);
	return p->ended;
}

static void type_lines(struct pty *p, int lines)
{
	static const int sizes[][2] = { { 24, 80 }, { 7, 25 }, { 50, 200 }, { 3, 9 }, { 12, 48 } };
	unsigned char line[LINE_SIZE];

	while (lines--) {
		if (!below(100)) {
			const int *size = ANY(sizes);
			pty_resize(p, size[0], size[1]);
		}
		pty_send(p, line, make_line(line));
		if (!has_ended(p))
			continue;
		assert_quit(p, "while typing");
		begin(p);
	}
}

static const char *const answers[][2] = {
	{ ":lang en\r:causal off\r:causal on\r", "causal on" },
	{ "r", "r: " },			/* which may bring another language back */
	{ ":lang en\r?", "help: line" },
	{ "\033[27u\014:n 5\r", "n 5" },
};

/* Out of whatever was begun: a string, a paste, a window, a line (Esc as some
 * terminals send it, so that nothing depends on time). Then keys work, unless
 * what was typed has quit it. */
static void assert_answers(struct pty *p)
{
	pty_resize(p, 24, 80);
	pty_type(p, "\030\033[201~\033[27u\033[27u\033[27u\033[27u\033[27u\033[27u");
	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		pty_type(p, answers[i][0]);
		if (!pty_wait_text(p, -1, answers[i][1], WAIT) && !p->ended)
			fail_msg("no \"%s\" in %s", answers[i][1], dump(p));
	}
	pty_type(p, "q");
	assert_quit(p, "after its answers");
}

static int number_of(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

static void test_fuzz(void **state)
{
	(void)state;
	struct pty p;
	int lines = number_of("QKV_FUZZ_LINES", LINES);

	seed = 0x9e3779b97f4a7c15u + (unsigned)number_of("QKV_FUZZ_SEED", 0);
	for (int done = 0; done < lines; done += BATCH) {
		begin(&p);
		type_lines(&p, BATCH);
		assert_answers(&p);
	}
	/* Nothing has been kept, because nothing could be written. */
	char *session = place_read("state/qkv/session");
	assert_true(!session || !*session);
	free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fuzz, place_open, place_close),
	};

	return cmocka_run_group_tests_name("pty fuzz", tests, NULL, NULL);
}
