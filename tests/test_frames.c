/* test_frames.c - golden frames: what stands in every cell of the screen, and in which style.
 *
 * A case plays keys and compares the picture with data/frames/NAME.frame. After
 * a change that is meant, `make refresh-frames` writes the files again and shows
 * what changed in them; whoever runs it reads that before it is committed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/utf8.h"
#include "tests/play.h"
#include "tests/run.h"
#include "tui/language.h"

/* ---- inputs that are not built in ---- */

#define X50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

/* Wide, combining, right to left, control characters, twins, subword marks, 200 letters. */
#define ODD_TOKENS \
	"qkv: 1\n" \
	"title: Tokens of all kinds\n" \
	"tokens: [\"나는\", \"\U0001f600\", \"e\\u0301t\\u00e9\", \"\\e[31mred\", \"\\u05e9\\u05dc\\u05d5\\u05dd\", the, the,\n" \
	"  \"\\u0120the\", \"##ing\", \"\\u2581a\", \"" X50 X50 X50 X50 "\", \"\\u202eabc\", \"日本語テキスト\", \"a\\tb\\a\"]\n" \
	"random: {n: 14, d-k: 4, seed: 7}\n" \
	"set: {causal: on}\n"

#define NOT_FINITE \
	"qkv: 1\n" \
	"title: Scores that are no numbers\n" \
	"scores: [[1, .inf, 3, 0], [0, 0, 0, 0], [1, .nan, 2, 0], [1, -.inf, 2, 1e-9]]\n" \
	"set: {pad: [3]}\n"

#define GIVEN_WEIGHTS \
	"qkv: 1\n" \
	"title: Weights from a file\n" \
	"weights: [[1.25, 0, 1.25], [0.416667, 0.416667, 0.416667], [0, 0, 0], [0.5, 0.5, 0.00001], [-0.25, .nan, .inf]]\n" \
	"v: [[1, 2], [3, 4], [5, 6]]\n"

static const struct { const char *name, *text; } inputs[] = {
	{ "odd-tokens", ODD_TOKENS }, { "not-finite", NOT_FINITE }, { "given-weights", GIVEN_WEIGHTS },
};

/* ---- the cases ---- */

#define LIVE ":<Type:live 대화 상자를 열고 파일을 저장합니다. Save the file.><Enter> "

struct frame {
	const char *name;
	const char *input, *settings;
	const char *size;
	const char *keys;
	bool flashing;
};

static const struct frame frames[] = {
	{ "first", "causal-3", "", "80x24", "", false },
	{ "first-cursor", "causal-3", "", "80x24", "<Down> <Right>", false },
	{ "causal-off", "causal-3", "", "80x24", "c", false },
	{ "causal-off-flash", "causal-3", "", "80x24", "c", true },
	{ "causal-off-flash-mono", "causal-3", "color=never", "80x24", "c", true },
	{ "pad-on", "causal-3", "color=256", "80x24", "<Down> P", false },
	{ "mask-after", "causal-3", "", "80x24", "<Down> <Right> :mask-at after<Enter>", false },
	{ "fill-0", "causal-3", "theme=light", "80x24", "<Right> f f f", false },
	{ "fill-billion", "causal-3", "", "80x24", "3 <Right> f", false },
	{ "fill-min", "causal-3", "color=16", "80x24", "3 <Right> f f", false },
	{ "left-pad", "left-pad-4", "", "80x24", "", false },
	{ "left-pad-zero", "left-pad-4", "color=8", "80x24", "E", false },
	{ "two-tokens-output", "two-tokens", "theme=light", "80x24", "5", false },
	{ "korean", "korean-5", "color=256", "120x40", "G <End>", false },
	{ "input-k", "random-4", "", "80x24", "0 0 j", false },
	{ "scores", "random-4", "", "80x24", "1 jl", false },
	{ "scaled-light", "random-4", "theme=light color=256", "80x24", "2", false },
	{ "masked", "pad-4", "", "80x24", "3 <End>", false },
	{ "pad-weights-16", "pad-4", "color=16 theme=light", "80x24", "j", false },
	{ "saturation", "saturation-16", "", "200x60", "s", false },
	{ "saturation-scrolled", "saturation-16", "color=256", "80x24", "G <End>", false },
	{ "saturation-small-ascii", "saturation-16", "color=never ascii=on", "80x24", "c z z jjll", false },
	{ "joined", "shapes-10", "", "120x40", "6", false },
	{ "input-x", "shapes-10", "theme=light", "120x40", "0 0 0 0", false },
	{ "third-head", "shapes-10", "", "120x40", "] ] j", false },
	{ "cross", "cross-3x5", "color=16", "80x24", "<Down> <End>", false },
	{ "ones-8-light", "ones-8", "color=8 theme=light", "80x24", "", false },
	{ "ones-large", "ones-8", "", "120x40", "z", false },
	{ "ones-mono", "ones-8", "color=never", "80x24", "jj", false },
	{ "size-48x18", "saturation-16", "", "48x18", "jl", false },
	{ "size-40x12", "causal-3", "", "40x12", "c", false },
	{ "size-20x6", "causal-3", "", "20x6", "j", false },
	{ "too-small", "causal-3", "", "19x6", "c", false },
	{ "help", "causal-3", "", "80x24", "?", false },
	{ "help-options", "causal-3", "ascii=on color=never", "80x24", "? <PgDn> <PgDn> <PgDn> <PgDn> <PgDn>", false },
	{ "picker", "causal-3", "", "80x24", "o <Down> <Down>", false },
	{ "completion", "causal-3", "", "80x24", ":set mask-<Tab><Tab> af<Tab>", false },
	{ "edit-prompt", "causal-3", "", "80x24", "<Enter> <Type:.5>", false },
	{ "error", "causal-3", "", "80x24", ":pad 9<Enter>", false },
	{ "edited-kept", "causal-3", "", "80x24", "j + + :keep 0:2<Enter> lx", false },
	{ "digits-6", "random-4", "color=256", "120x40", ". . .", false },
	{ "odd-tokens", "odd-tokens", "", "120x40", "jjj", false },
	{ "odd-tokens-ascii", "odd-tokens", "ascii=on color=16", "80x24", "jjjlll", false },
	{ "not-finite", "not-finite", "", "80x24", "", false },
	{ "not-finite-masked", "not-finite", "color=never", "80x24", "3", false },
	{ "given-weights", "given-weights", "", "80x24", "", false },
	{ "n-1024", "random-4", "", "80x24", ":n 1024<Enter> /t512<Enter> k", false },
	/* what explains, asks and checks, in both languages */
	{ "inspector", "two-tokens", "", "80x24", "j l i", false },
	{ "inspector-ko", "two-tokens", "lang=ko", "80x24", "j l i", false },
	{ "inspector-output", "two-tokens", "", "80x24", "j 5 i", false },
	{ "inspector-output-ko", "two-tokens", "lang=ko", "80x24", "j 5 i", false },
	{ "inspector-input", "shapes-10", "", "80x24", "0 j l i", false },
	{ "inspector-input-ko", "shapes-10", "lang=ko", "80x24", "0 j l i", false },
	{ "walk", "two-tokens", "", "80x24", "j <Space> <Space> <Space> <Space>", false },
	{ "walk-ko", "two-tokens", "lang=ko", "80x24", "j <Space> <Space> <Space> <Space>", false },
	{ "walk-rounded", "causal-3", "", "80x24", "G <Space> <Space> <Space> <Space> <Space>", false },
	{ "walk-rounded-ko", "causal-3", "lang=ko", "80x24", "G <Space> <Space> <Space> <Space> <Space>", false },
	{ "walk-mask", "korean-5", "", "80x24", "jj <Space> <Space> <Space>", false },
	{ "walk-mask-ko", "korean-5", "lang=ko", "80x24", "jj <Space> <Space> <Space>", false },
	{ "walk-heads", "shapes-10", "", "80x24", "<Space> <Space> <Space> <Space> <Space> <Space> <Space> <Space>", false },
	{ "walk-heads-ko", "shapes-10", "lang=ko", "80x24", "<Space> <Space> <Space> <Space> <Space> <Space> <Space> <Space>", false },
	{ "predict", "causal-3", "", "80x24", "j T T <Type:0.27><Enter> <Type:0.7><Enter>", false },
	{ "predict-ko", "causal-3", "lang=ko", "80x24", "j T T <Type:0.27><Enter> <Type:0.7><Enter>", false },
	{ "predict-hidden", "causal-3", "", "80x24", "f f f T T T T <Type:0.107><Enter> <Type:0><Enter> <Space>", false },
	{ "predict-hidden-ko", "causal-3", "lang=ko", "80x24", "f f f T T T T <Type:0.107><Enter> <Type:0><Enter> <Space>", false },
	{ "predict-leak", "random-4", "", "80x24", "T T T y <Space>", false },
	{ "predict-leak-ko", "random-4", "lang=ko", "80x24", "T T T y <Space>", false },
	{ "beside", "causal-3", "", "80x24", "j a c d", false },
	{ "beside-ko", "causal-3", "lang=ko", "80x24", "j a c d", false },
	{ "difference", "causal-3", "", "80x24", "j a c d d", false },
	{ "difference-ko", "causal-3", "lang=ko", "80x24", "j a c d d", false },
	{ "difference-heads", "shapes-10", "", "80x24", "j a ] d d", false },
	{ "difference-heads-ko", "shapes-10", "lang=ko", "80x24", "j a ] d d", false },
	{ "verify", "random-4", "", "80x24", "c v v v", false },
	{ "verify-ko", "random-4", "lang=ko", "80x24", "c v v v", false },
	{ "bugs", "causal-3", "", "80x24", "b a", false },
	{ "bugs-ko", "causal-3", "lang=ko", "80x24", "b a", false },
	{ "bugs-clinics", "causal-3", "", "80x24", "b <End>", false },
	{ "bugs-clinics-ko", "causal-3", "lang=ko", "80x24", "b <End>", false },
	{ "clinic", "causal-3", "", "80x24", "b 1", false },
	{ "clinic-ko", "causal-3", "lang=ko", "80x24", "b 1", false },
	{ "clinic-pictures", "causal-3", "", "80x24", ":clinic polarity<Enter>", false },
	{ "clinic-pictures-ko", "causal-3", "lang=ko", "80x24", ":clinic polarity<Enter>", false },
	{ "influence", "random-4", "", "80x24", ":causal-offset 1<Enter> I", false },
	{ "influence-ko", "random-4", "lang=ko", "80x24", ":causal-offset 1<Enter> I", false },
	{ "gradient", "saturation-16", "", "80x24", "J s", false },
	{ "gradient-ko", "saturation-16", "lang=ko", "80x24", "J s", false },
	{ "heads", "shapes-10", "color=never", "80x24", "H", false },
	{ "heads-ko", "shapes-10", "color=never lang=ko", "80x24", "H", false },
	{ "overview", "saturation-16", "color=never", "80x24", "O", false },
	{ "overview-ko", "saturation-16", "color=never lang=ko", "80x24", "O <Tab>", false },
	{ "sweep", "causal-3", "", "80x24", "w <Space>", false },
	{ "sweep-ko", "causal-3", "lang=ko", "80x24", "w <Space>", false },
	{ "lesson", "two-tokens", "", "80x24", "L a", false },
	{ "lesson-ko", "two-tokens", "lang=ko", "80x24", "L a", false },
	{ "lesson-question", "causal-3", "", "80x24", "L d n <Space>", false },
	{ "lesson-question-ko", "causal-3", "lang=ko", "80x24", "L d n <Space>", false },
	{ "lesson-end", "causal-3", "", "80x24", "L d n n n n n n n n n", false },
	{ "lesson-end-ko", "causal-3", "lang=ko", "80x24", "L d n n n n n n n n n", false },
	{ "lessons", "causal-3", "", "80x24", "L <Down>", false },
	{ "lessons-ko", "causal-3", "lang=ko", "80x24", "L <Down>", false },
	{ "help-first", "two-tokens", "", "80x24", "?", false },
	{ "help-first-ko", "two-tokens", "lang=ko", "80x24", "?", false },
	{ "inspector-48x18", "two-tokens", "", "48x18", "j l i", false },
	{ "inspector-48x18-ko", "two-tokens", "lang=ko", "48x18", "j l i", false },
	{ "walk-48x18", "causal-3", "", "48x18", "G <Space> <Space> <Space> <Space> <Space>", false },
	{ "walk-48x18-ko", "causal-3", "lang=ko", "48x18", "G <Space> <Space> <Space> <Space> <Space>", false },
	{ "lesson-40x12", "causal-3", "", "40x12", "L d n <PgDn>", false },
	{ "lesson-40x12-ko", "causal-3", "lang=ko", "40x12", "L d n <PgDn>", false },
	{ "bugs-60x20", "causal-3", "", "60x20", "b a <PgDn>", false },
	{ "bugs-60x20-ko", "causal-3", "lang=ko", "60x20", "b a <PgDn>", false },
	{ "inspector-200x60", "saturation-16", "", "200x60", "jl i", false },
	{ "walk-200x60", "shapes-10", "", "200x60", "<Space>", false },
	{ "bugs-200x60", "causal-3", "", "200x60", "b b", false },
	{ "bugs-200x60-ko", "causal-3", "lang=ko", "200x60", "b b", false },
	{ "sweep-200x60", "causal-3", "", "200x60", "w", false },
	{ "picker-ko", "causal-3", "lang=ko", "80x24", "o <Down> <Down>", false },
	{ "first-ko", "causal-3", "lang=ko", "80x24", "", false },
	{ "predict-mono", "causal-3", "color=never", "80x24", "j T T <Type:0.27><Enter> <Type:0.7><Enter>", false },
	/* before an audience */
	{ "present", "causal-3", "", "80x24", ":present<Enter> j l c", false },
	{ "present-flash", "causal-3", "color=256 theme=light", "80x24", ":present<Enter> c", true },
	{ "present-typed-16", "left-pad-4", "color=16", "80x24", ":present<Enter> jjl :scale dk<Enter>", false },
	{ "present-mono", "korean-5", "color=never", "80x24", ":present<Enter> jjl x", false },
	{ "present-ko", "causal-3", "lang=ko", "80x24", ":present<Enter> j l c", false },
	{ "present-lesson", "causal-3", "", "80x24", ":present<Enter> :lesson five-steps<Enter> n", false },
	{ "present-verify", "causal-3", "", "100x30", ":present<Enter> c v", false },
	{ "present-q-40x12", "causal-3", "", "40x12", ":present<Enter> j q", false },
	{ "present-200x60", "shapes-10", "", "200x60", ":present<Enter> j l s", false },
	{ "spotlight", "random-4", "", "80x24", ":spotlight<Enter> jjl", false },
	{ "spotlight-ascii", "random-4", "color=never ascii=on", "80x24", ":spotlight<Enter> jjl", false },
	/* a language model */
	{ "live", "causal-3", "color=never", "80x24", LIVE, false },
	{ "live-ko", "causal-3", "color=never lang=ko", "80x24", LIVE, false },
	{ "live-50x15", "causal-3", "color=never", "50x15", LIVE, false },
	{ "live-50x15-ko", "causal-3", "color=never lang=ko", "50x15", LIVE, false },
	{ "live-200x60", "causal-3", "color=never", "200x60", LIVE "} H", false },
	{ "live-200x60-ko", "causal-3", "color=never lang=ko", "200x60", LIVE "} H", false },
	{ "live-text", "causal-3", "color=never", "80x24", LIVE "X <Type: 단추 OK><Left><Left>", false },
	{ "live-text-ko", "causal-3", "color=never lang=ko", "80x24", LIVE "X <Type: 단추 OK><Left><Left>", false },
	{ "live-heads", "causal-3", "color=never", "80x24", LIVE "H", false },
	{ "live-heads-ko", "causal-3", "color=never lang=ko", "80x24", LIVE "H", false },
	{ "live-off", "causal-3", "color=never", "80x24", LIVE "] ] ] K", false },
	{ "live-off-ko", "causal-3", "color=never lang=ko", "80x24", LIVE "] ] ] K", false },
	{ "live-carried", "causal-3", "color=never", "80x24", LIVE "} A A c", false },
	{ "live-carried-ko", "causal-3", "color=never lang=ko", "80x24", LIVE "} A A c", false },
	{ "live-carried-50x15", "causal-3", "color=never", "50x15", LIVE "A c ]", false },
	{ "live-carried-50x15-ko", "causal-3", "color=never lang=ko", "50x15", LIVE "A c ]", false },
	{ "live-padding", "causal-3", "color=never", "80x24", LIVE ":padding left:3<Enter>", false },
	{ "live-padding-ko", "causal-3", "color=never lang=ko", "80x24", LIVE ":padding left:3<Enter>", false },
};
enum { FRAMES = sizeof frames / sizeof *frames };

/* ---- a picture as text ---- */

static void put_code(struct buffer *b, uint32_t code)
{
	char bytes[4];

	buffer_put(b, bytes, utf8_encode(code, bytes));
}

/* One letter a style: a-z, A-Z, 0-9, then Latin letters with marks. */
static void put_letter(struct buffer *b, int k)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	enum { PLAIN = sizeof letters - 1 };

	put_code(b, k < 0 ? '.' : k < PLAIN ? (uint32_t)letters[k] : 0x100u + (uint32_t)(k - PLAIN));
}

enum { STYLES_MAX = 300 };
struct legend {
	struct style v[STYLES_MAX];
	int n;
};

static bool same_style(struct style a, struct style b)
{
	return a.foreground == b.foreground && a.background == b.background && a.attributes == b.attributes;
}

/* Its number in the order of appearance; -1 for the terminal's own style. */
static int style_number(struct legend *l, struct style s)
{
	if (same_style(s, (struct style){ 0 }))
		return -1;
	for (int k = 0; k < l->n; k++)
		if (same_style(l->v[k], s))
			return k;
	assert_true(l->n < STYLES_MAX);
	l->v[l->n] = s;
	return l->n++;
}

static void put_color(struct buffer *b, const char *what, color c)
{
	if (c >> 24 == 2)
		buffer_format(b, "  %s #%06x", what, (unsigned)(c & 0xffffff));
	else if (c != COLOR_DEFAULT)
		buffer_format(b, "  %s %u", what, (unsigned)(c & 255));
}

static void put_legend(struct buffer *b, const struct legend *l)
{
	static const char *const names[] = { "bold", "dim", "underline", "reverse" };

	buffer_text(b, "--- legend\n");
	for (int k = 0; k < l->n; k++) {
		put_letter(b, k);
		put_color(b, "text", l->v[k].foreground);
		put_color(b, "on", l->v[k].background);
		for (int a = 0; a < 4; a++)
			if (l->v[k].attributes & (1u << a))
				buffer_format(b, "  %s", names[a]);
		buffer_text(b, "\n");
	}
}

static void put_glyphs(struct buffer *b, const struct cells *c)
{
	buffer_text(b, "--- glyphs\n");
	for (int y = 0; y < c->rows; y++) {
		buffer_text(b, "|");
		for (int x = 0; x < c->columns; x++)
			for (int k = 0; k < cells_at(c, y, x)->count; k++)
				put_code(b, cells_at(c, y, x)->code[k]);
		buffer_text(b, "|\n");
	}
}

/* One letter a column: both halves of a wide cell have their own. */
static void put_styles(struct buffer *b, const struct cells *c, struct legend *l)
{
	buffer_text(b, "--- styles\n");
	for (int y = 0; y < c->rows; y++) {
		buffer_text(b, "|");
		for (int x = 0; x < c->columns; x++)
			put_letter(b, style_number(l, cells_at(c, y, x)->style));
		buffer_text(b, "|\n");
	}
}

static void put_frame(struct buffer *b, const struct frame *f, const struct cells *c)
{
	struct legend legend = { .n = 0 };

	buffer_format(b, "input %s\nset %s\nsize %s\nkeys %s%s\n", f->input, f->settings, f->size, f->keys,
		      f->flashing ? " (flashing)" : "");
	if (c->cursor_row >= 0)
		buffer_format(b, "cursor row %d, column %d\n", c->cursor_row, c->cursor_column);
	put_glyphs(b, c);
	put_styles(b, c, &legend);
	put_legend(b, &legend);
	assert_false(b->failed);
}

static const char *input_text(const char *name)
{
	for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
		if (!strcmp(inputs[k].name, name))
			return inputs[k].text;
	return name;
}

static void play_frame(const struct frame *f, struct buffer *out)
{
	struct play p;
	int rows, columns;

	assert_int_equal(sscanf(f->size, "%dx%d", &columns, &rows), 2);
	play_open(&p, input_text(f->input), f->settings);
	play_resize(&p, rows, columns);
	(f->flashing ? play_keys_flashing : play_keys)(&p, f->keys);
	put_frame(out, f, &p.cells);
	play_free(&p);
}

/* ---- comparing, refreshing ---- */

static void frames_path(char *out, size_t size, const char *file)
{
	const char *data = getenv("QKV_TEST_DATA");

	snprintf(out, size, "%s/frames/%s", data ? data : "tests/data", file);
}

/* Lines that differ, the wanted one first; a frame's lines keep their places. */
static void show_difference(const char *name, const char *want, const char *got)
{
	printf("%s:\n", name);
	while (*want || *got) {
		int a = (int)strcspn(want, "\n"), b = (int)strcspn(got, "\n");
		if (a != b || strncmp(want, got, (size_t)a)) {
			if (*want)
				printf("-%.*s\n", a, want);
			if (*got)
				printf("+%.*s\n", b, got);
		}
		want += a + (want[a] == '\n');
		got += b + (got[b] == '\n');
	}
}

static void frame_path(char *out, size_t size, const struct frame *f)
{
	char file[80];

	snprintf(file, sizeof file, "%s.frame", f->name);
	frames_path(out, size, file);
}

static void is_as_stored(void **state)
{
	const struct frame *f = *state;
	struct buffer got = { 0 };
	char path[1024];

	play_frame(f, &got);
	frame_path(path, sizeof path, f);
	char *want = read_file(path, NULL);
	bool same = want && !strcmp(want, got.data);
	if (!same)
		show_difference(f->name, want ? want : "", got.data);
	free(want);
	buffer_free(&got);
	if (!same)
		fail_msg("%s differs; `make refresh-frames` writes it anew", path);
}

/* The same state drawn twice is the same picture, and playing twice as well. */
static void is_the_same_again(void **state)
{
	(void)state;
	for (size_t k = 0; k < FRAMES; k += 5) {
		struct buffer a = { 0 }, b = { 0 };
		play_frame(&frames[k], &a);
		play_frame(&frames[k], &b);
		assert_string_equal(a.data, b.data);
		buffer_free(&a);
		buffer_free(&b);
	}
}

static bool is_case(const char *file)
{
	for (size_t k = 0; k < FRAMES; k++) {
		size_t n = strlen(frames[k].name);
		if (!strncmp(file, frames[k].name, n) && !strcmp(file + n, ".frame"))
			return true;
	}
	return false;
}

/* Files without a case: each would look like something that is tested. */
static int other_files(bool remove)
{
	char path[1024];
	int n = 0;

	frames_path(path, sizeof path, "");
	DIR *d = opendir(path);
	assert_non_null(d);
	for (struct dirent *entry; (entry = readdir(d));) {
		if (*entry->d_name == '.' || is_case(entry->d_name))
			continue;
		printf("%s: no case of that name%s\n", entry->d_name, remove ? ", removed" : "");
		frames_path(path, sizeof path, entry->d_name);
		if (remove)
			assert_int_equal(unlink(path), 0);
		n++;
	}
	closedir(d);
	return n;
}

static void has_no_other_files(void **state)
{
	(void)state;
	assert_int_equal(other_files(false), 0);
}

/* Writes the files anew and shows what changed; no test. */
static int refresh(void)
{
	int changed = 0;

	for (size_t k = 0; k < FRAMES; k++) {
		struct buffer now = { 0 };
		char path[1024];
		play_frame(&frames[k], &now);
		frame_path(path, sizeof path, &frames[k]);
		char *before = read_file(path, NULL);
		if (!before)
			printf("%s: new\n", frames[k].name);
		else if (strcmp(before, now.data))
			show_difference(frames[k].name, before, now.data);
		if (!before || strcmp(before, now.data)) {
			write_file(path, now.data, now.size);
			changed++;
		}
		free(before);
		buffer_free(&now);
	}
	other_files(true);
	printf("%d of %d frames changed\n", changed, FRAMES);
	return 0;
}

int main(void)
{
	struct CMUnitTest tests[FRAMES + 2];
	const char *refreshing = getenv("QKV_REFRESH");

	setlocale(LC_CTYPE, "C.UTF-8");
	language_add_builtin();
	if (refreshing && *refreshing)
		return refresh();
	for (size_t k = 0; k < FRAMES; k++)
		tests[k] = (struct CMUnitTest){ frames[k].name, is_as_stored, NULL, NULL, (void *)&frames[k] };
	tests[FRAMES] = (struct CMUnitTest)cmocka_unit_test(is_the_same_again);
	tests[FRAMES + 1] = (struct CMUnitTest)cmocka_unit_test(has_no_other_files);
	return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
