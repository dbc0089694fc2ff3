/* fuzz_state.c - random keys at the screen, with a fixed seed.
 *
 * QKV_FUZZ_KEYS says how many (default 40,000), QKV_FUZZ_SEED another seed, and
 * QKV_FUZZ_TRACE writes each key to stderr before it is pressed. The state is
 * checked after each, the picture after every fiftieth. Afterwards the screen
 * must still answer with known numbers.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/bug.h"
#include "tests/player.h"
#include "tui/text.h"

enum { KEYS = 40000, DRAW_EVERY = 50 };

struct fuzz {
	struct player player;
	uint64_t dice;
	bool trace;
	size_t pressed, wanted;
};

/* xorshift64*: the same choices everywhere. */
static size_t below(struct fuzz *f, size_t n)
{
	f->dice ^= f->dice >> 12;
	f->dice ^= f->dice << 25;
	f->dice ^= f->dice >> 27;
	return (size_t)((f->dice * UINT64_C(2685821657736338717)) >> 33) % n;
}

static const char *one_of(struct fuzz *f, const char *const *words, size_t n)
{
	return words[below(f, n)];
}
#define ONE_OF(f, words) one_of(f, words, sizeof (words) / sizeof *(words))

/* ---- pressing and checking ---- */

static void fail(const struct fuzz *f, const char *what)
{
	fprintf(stderr, "fuzz_state: after %zu keys: %s\n", f->pressed, what);
	exit(1);
}

static void check_picture(struct fuzz *f)
{
	const char *fault;

	player_draw(&f->player);
	if ((fault = cells_fault(&f->player.cells)))
		fail(f, fault);
}

static void pressed(struct fuzz *f)
{
	const char *fault = state_fault(&f->player.state);

	f->pressed++;
	if (fault)
		fail(f, fault);
	if (f->pressed % DRAW_EVERY == 0)
		check_picture(f);
}

static void press(struct fuzz *f, struct key k)
{
	if (f->trace) {
		char text[KEY_TEXT_SIZE];
		key_format(&k, text);
		fprintf(stderr, "%zu %s\n", f->pressed, text);
	}
	state_key(&f->player.state, &k);
	pressed(f);
}

static void press_character(struct fuzz *f, uint32_t code)
{
	press(f, (struct key){ .kind = KEY_CHARACTER, .code = code });
}

static void press_named(struct fuzz *f, uint32_t name)
{
	press(f, (struct key){ .kind = KEY_NAMED, .code = name });
}

static void type(struct fuzz *f, const char *text)
{
	for (size_t n = strlen(text), used; n; text += used, n -= used) {
		int32_t code;
		used = text_decode(text, n, &code);
		press_character(f, code < 0 ? 0xfffd : (uint32_t)code);
	}
}

/* ---- kinds of input ---- */

/* A key that does something: taken from the registry. */
static void bound_key(struct fuzz *f)
{
	const struct keymap *m = &f->player.state.keymap;

	press(f, m->v[below(f, m->n)].key);
}

static void printable_key(struct fuzz *f)
{
	press_character(f, (uint32_t)(0x20 + below(f, 0x5f)));
}

static void named_key(struct fuzz *f)
{
	struct key k = { .kind = KEY_NAMED, .code = (uint32_t)below(f, KEY_F12 + 1) };

	if (!below(f, 4))
		k.modifiers = (unsigned)below(f, 8);
	press(f, k);
}

static void control_key(struct fuzz *f)
{
	press(f, (struct key){ .kind = KEY_CHARACTER, .code = (uint32_t)('a' + below(f, 26)),
			       .modifiers = below(f, 3) ? MOD_CONTROL : MOD_ALT });
}

static void jamo_key(struct fuzz *f)
{
	if (below(f, 2))
		press_character(f, (uint32_t)(0x3131 + below(f, 51)));
	else
		press_character(f, (uint32_t)(0xac00 + below(f, 11172)));
}

/* Marks, wide ones, right-to-left, unassigned, surrogates, beyond Unicode. */
static void odd_key(struct fuzz *f)
{
	static const uint32_t from[] = { 0, 0x80, 0x300, 0x590, 0x1100, 0x2000, 0x3000, 0xd800, 0xfe00, 0x1f300, 0xe0000, 0x10fff0 };
	uint32_t code = from[below(f, sizeof from / sizeof *from)] + (uint32_t)below(f, 0x40);

	press_character(f, code);
}

static void mouse(struct fuzz *f)
{
	const struct state *s = &f->player.state;
	int row = (int)below(f, (size_t)s->rows + 2), column = (int)below(f, (size_t)s->columns + 2);

	if (f->trace)
		fprintf(stderr, "%zu mouse at %d,%d\n", f->pressed, row, column);
	if (!below(f, 4))
		player_wheel(&f->player, below(f, 2));
	else
		player_click(&f->player, row, column);
	pressed(f);
}

static void paste(struct fuzz *f)
{
	char text[300];
	size_t n = below(f, sizeof text);

	for (size_t i = 0; i < n; i++)
		text[i] = (char)(below(f, 3) ? 0x20 + below(f, 0x5f) : below(f, 256));
	press(f, (struct key){ .kind = KEY_PASTE, .text = text, .length = n });
}

static void resize(struct fuzz *f)
{
	int rows = (int)(1 + below(f, 70)), columns = (int)(1 + below(f, 220));

	if (!below(f, 3)) {
		rows = (int)(1 + below(f, 12));
		columns = (int)(1 + below(f, 40));
	}
	if (f->trace)
		fprintf(stderr, "%zu resize to %d rows, %d columns\n", f->pressed, rows, columns);
	state_resize(&f->player.state, rows, columns);
	pressed(f);
}

/* ---- typed lines ---- */

static void number_text(struct fuzz *f, char *out, size_t size)
{
	static const char *const odd[] = { "-inf", "inf", "nan", "1e308", "-1e308", "5e-324", "-0", "1e-9", "-1e9",
					   "2.", ".5", "0x10", "1e", "", "99999999999999999999", "min", "auto", "none" };

	if (below(f, 3))
		snprintf(out, size, "%d", (int)below(f, 40) - 10);
	else if (below(f, 3))
		snprintf(out, size, "%.3g", ((double)below(f, 2000) - 1000) / 64);
	else
		snprintf(out, size, "%s", ONE_OF(f, odd));
}

static void list_text(struct fuzz *f, bool cells, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (size_t k = 1 + below(f, 4); k && n < size; k--) {
		n += (size_t)snprintf(out + n, size - n, "%s%zu", n ? "," : "", below(f, 8));
		if (cells && n < size)
			n += (size_t)snprintf(out + n, size - n, ":%zu", below(f, 8));
	}
}

static void option_value(struct fuzz *f, enum option o, char *out, size_t size)
{
	const struct option_info *info = option_info(o);
	size_t words = 0;

	while (info->words && info->words[words])
		words++;
	if (info->type == TYPE_SWITCH)
		snprintf(out, size, "%s", below(f, 2) ? "on" : "off");
	else if (words && !below(f, info->type == TYPE_CHOICE ? 1 : 3))
		snprintf(out, size, "%s", info->words[below(f, words)]);
	else if (info->type == TYPE_INDICES || info->type == TYPE_IDS || info->type == TYPE_CELLS)
		list_text(f, info->type == TYPE_CELLS, out, size);
	else if (o == OPT_MASK || o == OPT_BIAS)
		snprintf(out, size, "%s", below(f, 3) ? MASK_LAST : MASK_MISFIT);
	else if (o == OPT_BUG)
		snprintf(out, size, "%s", bugs[below(f, bugs_count)].name);
	else if (o == OPT_N && !below(f, 8))
		snprintf(out, size, "1024");
	else
		number_text(f, out, size);
}

static void command_line(struct fuzz *f, char *out, size_t size)
{
	static const char *const tokens[] = {
		"나는 학교에 간다", "a", "a a a a a a a a a a a a", "\U0001f469\u200d\U0001f467 x", "e\u0301 e",
		"\u202ertl \u05e9\u05dc\u05d5\u05dd", "", " ", "'; rm -rf", "# @ : [ ]",
	};
	static const char *const files[] = { "a.yaml", "b.svg", "c.html", "d.txt", "e.ansi", "f.pdf", "", TAKEN_NAME, "a b.yaml" };
	char value[200] = "";
	enum option o = (enum option)below(f, OPT_COUNT);
	const struct ports *ports = &f->player.state.ports;

	switch (below(f, 8)) {
	case 0:
		snprintf(out, size, "tokens %s", ONE_OF(f, tokens));
		break;
	case 1:
		snprintf(out, size, "%s %s", below(f, 4) ? "w" : "w!", ONE_OF(f, files));
		break;
	case 2:
		snprintf(out, size, "o %s", below(f, 5) ? ports->builtin_name(below(f, ports->builtin_count())) : "nothing");
		break;
	case 3:
		number_text(f, value, sizeof value);
		snprintf(out, size, "%s %s", command_info((enum command)below(f, CMD_COUNT))->name, value);
		break;
	default:
		option_value(f, o, value, sizeof value);
		snprintf(out, size, "%s%s %s", below(f, 4) ? "" : "set ", option_info(o)->name, value);
		break;
	}
}

/* Breaks a line here and there, so that nearly right ones are typed too. */
static void mutate(struct fuzz *f, char *line)
{
	size_t n = strlen(line);

	if (!n || below(f, 4))
		return;
	if (below(f, 2))
		line[below(f, n)] = (char)(0x20 + below(f, 0x5f));
	else
		line[below(f, n)] = '\0';
}

static void typed_command(struct fuzz *f)
{
	char line[300];

	press_character(f, ':');
	command_line(f, line, sizeof line);
	mutate(f, line);
	type(f, line);
	for (size_t k = below(f, 3); k; k--)
		press_named(f, below(f, 3) ? KEY_TABULATOR : (uint32_t)below(f, KEY_F1));
	press_named(f, below(f, 8) ? KEY_RETURN : KEY_ESCAPE);
}

static void typed_search(struct fuzz *f)
{
	static const char *const text[] = { "t", "학생", "\u1112\u1161\u11a8", "pad", "0", "nothing", "", "\u00e9" };

	press_character(f, '/');
	type(f, ONE_OF(f, text));
	press_named(f, KEY_RETURN);
	press_character(f, below(f, 2) ? 'n' : 'N');
}

static void typed_value(struct fuzz *f)
{
	char number[64];

	press_named(f, KEY_RETURN);
	if (f->player.state.mode != MODE_PROMPT)
		return;
	press(f, (struct key){ .kind = KEY_CHARACTER, .code = 'u', .modifiers = MOD_CONTROL });
	number_text(f, number, sizeof number);
	type(f, number);
	press_named(f, below(f, 8) ? KEY_RETURN : KEY_ESCAPE);
}

static void anything(struct fuzz *f)
{
	static const struct { unsigned weight; void (*press)(struct fuzz *f); } kind[] = {
		{ 400, bound_key }, { 100, printable_key }, { 100, named_key }, { 30, control_key }, { 60, jamo_key },
		{ 30, odd_key }, { 60, mouse }, { 15, paste }, { 15, resize }, { 30, typed_command }, { 8, typed_search },
		{ 10, typed_value },
	};
	unsigned all = 0;
	size_t k = 0;

	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
		all += kind[i].weight;
	for (size_t at = below(f, all); at >= kind[k].weight; k++)
		at -= kind[k].weight;
	kind[k].press(f);
}

/* ---- afterwards ---- */

static void expect(struct fuzz *f, size_t i, size_t j, double wanted)
{
	double got = player_value(&f->player, i, j);

	if (memcmp(&got, &wanted, sizeof got)) {
		fprintf(stderr, "weight %zu:%zu is %.17g, not %.17g\n", i, j, got, wanted);
		fail(f, "the screen answers wrongly");
	}
}

/* The corpus' case seed002_causal: opened, disturbed, and reset by r. */
static void still_answers(struct fuzz *f)
{
	static const double weights[3][3] = {
		{ 1, 0, 0 },
		{ 0.2689414213699951, 0.7310585786300049, 0 },
		{ 0.6590011388859679, 0.24243297070471392, 0.09856589040931818 },
	};

	state_resize(&f->player.state, 24, 80);
	player_keys(&f->player, "<Esc> <Esc> <Esc>");
	player_command(&f->player, "o causal-3");
	player_keys(&f->player, "c s + f r 4");
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			expect(f, i, j, weights[i][j]);
	check_picture(f);
}

static size_t number_from(const char *variable, size_t otherwise)
{
	const char *text = getenv(variable);

	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

int main(void)
{
	struct fuzz f = { .dice = number_from("QKV_FUZZ_SEED", 20240229) | 1, .wanted = number_from("QKV_FUZZ_KEYS", KEYS) };
	clock_t start = clock();

	setlocale(LC_CTYPE, "C.UTF-8");
	f.trace = getenv("QKV_FUZZ_TRACE") != NULL;
	player_open(&f.player, "causal-3");
	while (f.pressed < f.wanted)
		anything(&f);
	still_answers(&f);
	player_close(&f.player);
	printf("%zu keys in %.1f s\n", f.pressed, (double)(clock() - start) / CLOCKS_PER_SEC);
	return 0;
}
