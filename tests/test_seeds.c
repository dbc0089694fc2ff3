/* test_seeds.c - each number, claim, mistake and experiment of the three lessons
 * that qkv grew out of is reached in a few keys.
 *
 * The lessons' contents are numbered 1 to 123. A row opens an input, plays keys
 * that set the stage, looks that its text is not on the screen yet, plays the keys
 * that matter, and finds it there. Runs of blanks count as one, in the text and on
 * the screen. A text of several parts, joined by " & ", is on the screen when all
 * parts are; it was there before when all were. Each row is played in English and in
 * Korean, where its text is another one, if it is not of numbers and names alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "tests/play.h"
#include "tui/language.h"

enum { ITEMS = 123, EXPERIMENT_KEYS = 3 };

struct item {
	int number;
	const char *what;
	const char *input, *before, *keys, *shows;
};

static const struct item items[] = {
	/* ---- scaled dot-product attention by matrix sizes ---- */
	{ 2, "formula, step by step", "causal-3", "3", "4", "weights = softmax" },
	{ 3, "order of the stages", "causal-3", "", "<Tab> <S-Tab> <S-Tab>", "masked = scaled, with the hidden cells filled" },
	{ 5, "five boxes: compare", "two-tokens", "", "1", "[compare] scale hide share mix" },
	{ 5, "five boxes: scale", "two-tokens", "", "2", "compare [scale] hide share mix" },
	{ 5, "five boxes: hide", "two-tokens", "", "3", "compare scale [hide] share mix" },
	{ 5, "five boxes: share", "two-tokens", "3", "4", "compare scale hide [share] mix" },
	{ 5, "five boxes: mix", "two-tokens", "", "5", "compare scale hide share [mix]" },
	{ 6, "step 1", "two-tokens", "", "1", "scores = Q K^T" },
	{ 7, "step 2", "two-tokens", "", "2", "2 scaled (2,2)" },
	{ 8, "step 3", "two-tokens", "", "3", "3 masked (2,2)" },
	{ 9, "step 4", "two-tokens", "3", "4", "weights = softmax" },
	{ 10, "step 5", "two-tokens", "", "5", "output = weights V" },
	{ 11, "X is (10, 512)", "causal-3", "", "o h 0 0 0 0", "input x (10,512)" },
	{ 11, "W_Q is (512, 64)", "causal-3", "", "o h 0 0 0 0 0", "(512,64)" },
	{ 12, "8 heads", "causal-3", "", "o h", "head 0 of 8" },
	{ 13, "Q K^T is (10, 10)", "causal-3", "", "o h 1", "1 scores (10,10)" },
	{ 14, "the head's output is (10, 64)", "causal-3", "", "o h 5", "5 output (10,64)" },
	{ 15, "8 heads joined", "causal-3", "", "o h 6", "6 joined (10,512)" },
	{ 16, "Q = X W_Q", "causal-3", "", "o h 0", "0 input q (10,64)" },
	{ 17, "Q K^T", "causal-3", "", "o h 1", "1 scores (10,10)" },
	{ 18, "softmax keeps the shape", "causal-3", "", "o h", "4 weights (10,10)" },
	{ 19, "weights V", "causal-3", "", "o h 5", "5 output (10,64)" },
	{ 20, "the row maximum is subtracted", "two-tokens", "", "j", "e^(0-1)=0.3679" },
	{ 21, "divided by the row sum", "two-tokens", "", "j", "/ 1.3679 = 0.2689" },
	{ 22, "toy Q", "causal-3", "", "o a 0", "0 input q (2,4)" },
	{ 22, "toy K", "two-tokens", "0", "0", "w2 1.000 1.000 1.000 1.000" },
	{ 22, "toy V", "two-tokens", "0 0", "0", "0 input v (2,2)" },
	{ 23, "toy scores", "two-tokens", "j", "1", "w2 [0] 2.000" },
	{ 24, "sqrt(4) = 2", "two-tokens", "s", "s", "every score divided by sqrt(d_k) = 2" },
	{ 24, "toy weights", "causal-3", "", "o a", "w2 0.269 0.731" },
	{ 25, "toy output", "two-tokens", "", "5", "w2 2.689 7.311" },
	{ 26, "Q@K.T counts votes", "two-tokens", "", "1", "1 scores (2,2)" },
	{ 27, "divide by 2", "two-tokens", "", "j 2", "w2 [0] 1.000" },
	{ 28, "rows sum to 1", "causal-3", "", "o a", "w2 0.269 0.731 & 1.000 ok" },
	{ 29, "mix V by share", "two-tokens", "", "5", "w1 [5.000] 5.000" },
	{ 30, "word 2 by hand", "two-tokens", "", "j", "e^0=1.00 e^1=2.72 \u03a3 3.72 -> 0.27 0.73" },
	{ 31, "the mix by hand", "two-tokens", "", "j 5", "w2 [2.689] 7.311" },
	{ 32, "forgotten transpose: shape error", "two-tokens", "", "b p", "Q (2, 4) K (2, 4): 4 columns against 2 rows, a shape error" },
	{ 33, "forgotten transpose: silently wrong", "square-4", "", "b p", "forgotten-transpose: Q K instead of Q K^T" },
	{ 34, "softmax along columns", "causal-3", "", "b j", "bug lab: column-softmax in force & sums NO" },

	/* ---- masked self-attention ---- */
	{ 36, "all rows at once, each blind to what follows", "causal-3", "c", "c", "no query sees the future: 3 of 9 cells hidden" },
	{ 37, "five tokens", "causal-3", "", "o c", "딥러닝 공부 화이팅 하세요 End" },
	{ 38, "row is the query, column the key", "causal-3", "", "j", "저는 <- <시작>" },
	{ 39, "diagonal and below keep their scores", "causal-3", "", "3", "저는 1.000 2.000" },
	{ 40, "a row sees what came before and itself", "korean-5", "c", "c", "공부 0.500 0.500 \u259a 0 \u259a 0 \u259a 0" },
	{ 41, "-inf becomes weight 0", "causal-3", "3", "4", "저는 0.269 0.731 \u259a 0" },
	{ 43, "whole sentence or earlier tokens only", "causal-3", "", "c", "off, every query sees the future too" },
	{ 44, "all cells alive or the lower triangle", "causal-3", "c", "c", "3 of 9 cells hidden" },
	{ 45, "added gives what replaced gives", "causal-3", "f", ":fill-op add<Enter>", "fill-op add & 저는 0.269 0.731 \u259a 0" },
	{ 46, "hidden cell after softmax", "causal-3", "c", "c", "\u259a 0" },
	{ 48, "three tokens and their scores", "causal-3", "", "1 c", "학생 2.000 1.000 0.100" },
	{ 49, "row 3 by hand", "causal-3", "", "G", "e^2=7.39 e^1=2.72 e^0.1=1.11 \u03a3 11.21 -> 0.66 0.24 0.10" },
	{ 50, "row 2 by hand", "causal-3", "", "j", "\u03a3 10.11 -> 0.27 0.73 0" },
	{ 51, "row 1 by hand", "causal-3", "j", "k", "\u03a3 7.39 -> 1.00 0 0" },
	{ 52, "triu(k=1): strictly above the diagonal", "causal-3", "", "I", "<시작> [O] X X" },
	{ 53, "where keeps or covers", "causal-3", "", "3", "\u259a -inf \u259a -inf" },
	{ 54, "softmax without the maximum", "causal-3", "", ":softmax-kind naive<Enter>", "softmax-kind naive" },
	{ 55, "printed result", "causal-3", "", ", G", "학생 [0.66] 0.24 0.10" },
	{ 56, "a covered score becomes 0 however large", "causal-3", "l l", "+ + +", "scores 0:2 is" },
	{ 57, "mask, masked, weights", "causal-3", "", "3", "3 masked" },
	{ 58, "where lays paper over later pages", "causal-3", "", "3", "masked = scaled, with the hidden cells filled" },
	{ 59, "hand values come back", "causal-3", "G", "k", "0.27 0.73" },
	{ 60, "mask after softmax", "causal-3", "", "b a", "0.659 low" },
	{ 61, "-1e9 instead of -inf", "causal-3", "", "f", "fill -1000000000" },
	{ 61, "the lowest number of the type", "causal-3", "f", "f", "fill min" },
	{ 62, "a row that is all -inf", "causal-3", "", "b 2", "nan empty" },
	{ 63, "padding and causal are two covers", "causal-3", "", "P G", "학생 [0.731] 0.269 \u259a 0" },

	/* ---- why sqrt(d_k), masks, verification, experiment ---- */
	{ 64, "without the scale softmax piles up", "causal-3", "", "w", "0.986 0.266" },
	{ 66, "proof that the mask blocks the future", "causal-3", "", "v", "ok probe-k & ok probe-v" },
	{ 70, "shapes", "random-4", "", "0", "0 input q (4,8)" },
	{ 73, "dividing shrinks", "random-4", "", "2", "2 scaled (4,4)" },
	{ 75, "weighted average", "random-4", "", "5", "5 output (4,8)" },
	{ 76, "dot products grow with the dimension", "causal-3", "", "w", "31.914 & 32.0" },
	{ 78, "std is sqrt(d_k)", "causal-3", "", "w", "8.095 8.0" },
	{ 81, "saturation", "causal-3", "", "o g s", "[~0] ~0 1.000" },
	{ 82, "the learning signal weakens", "saturation-16", "J", "s", "saturated, little is learned" },
	{ 83, "the input of softmax keeps its size", "causal-3", "", "w", "0.254 & 0.238 & 0.213 & 0.266" },
	{ 85, "future is j > i", "random-4", "", "I", "t0[O] X X X" },
	{ 86, "four tokens O and X", "random-4", "", "I", "t0[O] X X X & t1 O O X X & t2 O O O X & t3 O O O O" },
	{ 87, "e^-inf is exactly 0", "causal-3", "", "3", "\u259a -inf \u259a -inf" },
	{ 88, "0 instead of -inf", "causal-3", "", "b c", "<시작> [0.787] \u259a.107 \u259a.107" },
	{ 89, "masks come before softmax", "causal-3", "", "b a", "bug lab: mask-after-softmax in force & sums NO" },
	{ 90, "padding tokens", "causal-3", "", "o e", "<pad> <pad>" },
	{ 91, "padding hides key columns", "causal-3", "", "o e", "t1 0.827 0.173 \u259a 0 \u259a 0" },
	{ 92, "stable softmax", "causal-3", "", "b 3", "overflow" },
	{ 93, "an entirely hidden row", "causal-3", "", "b 1", "nan empty" },
	{ 94, "switches of attention()", "causal-3", "", "c s P", "causal off & pad 2 on" },
	{ 95, "scores, scale, causal, pad, softmax, V", "random-4", "", "3", "[hide]" },
	{ 96, "triu(k=1) gives the X cells", "causal-3", "", "I", "masks: O may see, X hidden" },
	{ 97, "check 1: zeros above the diagonal", "causal-3", "", "o d", "t1 0.827 0.173 \u259a 0 \u259a 0" },
	{ 98, "check 2: rows sum to 1", "random-4", "", "v", "all 4 rows sum to 1" },
	{ 99, "check 3: noise on the last token", "random-4", "", "v", "ok probe-k & ok probe-v & ok lesson" },
	{ 100, "stronger than zeros", "random-4", "b a", "v", "NO probe-k & ok upper-triangle" },
	{ 101, "padding check", "causal-3", "", "o e", "t0 [0.390] 0.610 \u259a 0 \u259a 0" },
	{ 102, "does softmax pile up?", "causal-3", "", "w", "does softmax pile up" },
	{ 103, "n = 16, d_k 4 to 1024, seed 0", "causal-3", "", "w", "seed 0 n 16" },
	{ 104, "mean of the largest weight", "causal-3", "", "w", "mean largest weight" },
	{ 105, "columns of the output", "causal-3", "", "w", "4 0.367 0.208" },
	{ 106, "std of dot products", "causal-3", "", "w", "std of q·k, 10000 pairs & 1.979 2.0" },
	{ 107, "unscaled approaches 1", "causal-3", "", "w", "Does unscaled approach 1?" },
	{ 108, "scaled stays", "causal-3", "", "w", "Does scaled stay put?" },
	{ 109, "std is nearly sqrt(d_k)", "causal-3", "", "w", "Is std / √d_k near 1?" },
	{ 110, "notebook table", "causal-3", "w", "<Space>", "1024 0.986 0.266 31.914 32.0" },
	{ 111, "another seed, other numbers", "causal-3", "w", "R", "seed 1 n 16" },
	{ 112, "the sentence to complete", "causal-3", "", "w", "As d_k grows, softmax without the scale" },
	{ 114, "padding mask missing", "pad-4", "", "P", "off, pad tokens get weight" },
	{ 115, "a leak by a wrong mask", "random-4", "", "b i", "bug lab: future-step in force & K NO V NO" },
	{ 116, "the check carries over", "random-4", "v", "c", "NO probe-k & NO probe-v" },
	{ 117, "mask after softmax: the sum is not 1", "random-4", "", "b a", "low" },
	{ 118, "0 for -inf is caught", "random-4", "b c", "v", "NO probe-v" },
	{ 119, "an all-pad sentence", "causal-3", "", "b 2", "nan empty" },
	{ 120, "sqrt(d_k) or d_k", "random-4", "", "S S", "scale dk: every score divided by d_k = 8" },
	{ 121, "shape error at Q@K.T", "random-4", "", "b p", "Q (4, 8) K (4, 8): 8 columns against 4 rows, a shape error" },
	{ 123, "trained models need not obey", "random-4", "", "b l", "bug lab: no-scale in force & spread 2.83 beside 1" },

	/* ---- what only a page of a lesson can tell ---- */
	{ 1, "the class votes", "causal-3", "", "L a", "The ballot box for class president" },
	{ 4, "heads are stacked", "causal-3", "", "L a n", "of all five, the heads." },
	{ 35, "the exam paper", "causal-3", "", "L d", "paper covers whatever comes after" },
	{ 42, "auto-regressive", "causal-3", "", "L j", "auto-regressive" },
	{ 47, "GPT and BERT", "causal-3", "", "L j n", "BERT" },
	{ 65, "the role of every term", "causal-3", "", "L k n n n n n n n", "has its job" },
	{ 67, "query, key, value", "causal-3", "", "L k", "what am I looking for?" },
	{ 68, "the library", "causal-3", "", "L k", "library desk" },
	{ 69, "Q, K and V are given elsewhere", "causal-3", "", "L b", "hand you Q, K and V" },
	{ 71, "a cell is a dot product", "causal-3", "", "L k n", "the score in row i, column j is the dot product" },
	{ 72, "large means related", "causal-3", "", "L k n", "these two belong together" },
	{ 74, "softmax makes shares", "causal-3", "", "L c n", "Big gets bigger" },
	{ 77, "variance d_k", "causal-3", "", "L c n n", "its variance is d_k" },
	{ 79, "d_k 64: -8 to 8", "causal-3", "", "L c n n n", "around -8 to 8" },
	{ 80, "d_k 512: -22 to 22", "causal-3", "", "L c n n n", "-22 to 22" },
	{ 84, "the answer sheet", "causal-3", "", "L d", "the answer sheet" },
	{ 113, "in every layer", "causal-3", "", "L i n n n n n n n", "The formula runs in every layer" },
	{ 122, "one sentence, no batch", "causal-3", "", "L b n n n n n n n n", "3-D array" },
};

/* What a row shows in Korean; texts of numbers and names alone are the same. */
static const struct { const char *english, *korean; } translations[] = {
	{ "weights = softmax", "weights = 마스크된 점수의 행마다 softmax" },
	{ "masked = scaled, with the hidden cells filled", "masked = 스케일된 점수의 가려진 칸을 채움" },
	{ "[compare] scale hide share mix", "[비교] 스케일 가림 비율 섞기" },
	{ "compare [scale] hide share mix", "비교 [스케일] 가림 비율 섞기" },
	{ "compare scale [hide] share mix", "비교 스케일 [가림] 비율 섞기" },
	{ "compare scale hide [share] mix", "비교 스케일 가림 [비율] 섞기" },
	{ "compare scale hide share [mix]", "비교 스케일 가림 비율 [섞기]" },
	{ "output = weights V", "output = 가중치 V" },
	{ "head 0 of 8", "head 0 / 8" },
	{ "every score divided by sqrt(d_k) = 2", "모든 점수를 나누는 값: sqrt(d_k) = 2" },
	{ "w2 0.269 0.731 & 1.000 ok", "w2 0.269 0.731 & 1.000 정상" },
	{ "Q (2, 4) K (2, 4): 4 columns against 2 rows, a shape error",
	  "Q (2, 4) K (2, 4): 열 4개와 행 2개, 모양 오류" },
	{ "forgotten-transpose: Q K instead of Q K^T", "forgotten-transpose: Q K^T 대신 Q K" },
	{ "bug lab: column-softmax in force & sums NO", "버그 실험실: 현재 column-softmax & 합 NO" },
	{ "no query sees the future: 3 of 9 cells hidden", "어떤 query도 미래를 못 봅니다: 9칸 중 3칸 가려짐" },
	{ "off, every query sees the future too", "off, 모든 query가 미래도 봅니다" },
	{ "3 of 9 cells hidden", "9칸 중 3칸 가려짐" },
	{ "scores 0:2 is", "scores 0:2 새 값" },
	{ "0.659 low", "0.659 낮음" },
	{ "nan empty", "nan 빈 행" },
	{ "saturated, little is learned", "포화, 배우는 것이 적음" },
	{ "bug lab: mask-after-softmax in force & sums NO", "버그 실험실: 현재 mask-after-softmax & 합 NO" },
	{ "[hide]", "[가림]" },
	{ "masks: O may see, X hidden", "마스크: O 보임, X 가려짐" },
	{ "all 4 rows sum to 1", "4개 행 모두 합 1" },
	{ "does softmax pile up", "스케일이 없으면 softmax가 쏠립니까?" },
	{ "seed 0 n 16", "시드 0 n 16" },
	{ "mean largest weight", "최대 가중치 평균" },
	{ "Does unscaled approach 1?", "안 나누면 1에 다가갑니까?" },
	{ "Does scaled stay put?", "나누면 그대로입니까?" },
	{ "Is std / √d_k near 1?", "std / √d_k: 약 1?" },
	{ "seed 1 n 16", "시드 1 n 16" },
	{ "As d_k grows, softmax without the scale", "d_k가 커지면 스케일 없는 softmax가" },
	{ "std of q·k, 10000 pairs & 1.979 2.0", "q·k의 std, 10000쌍 & 1.979 2.0" },
	{ "off, pad tokens get weight", "off, 패딩 토큰도 가중치를 받음" },
	{ "bug lab: future-step in force & K NO V NO", "버그 실험실: 현재 future-step & K NO V NO" },
	{ "low", "낮음" },
	{ "scale dk: every score divided by d_k = 8", "스케일 dk: 모든 점수를 나누는 값: d_k = 8" },
	{ "Q (4, 8) K (4, 8): 8 columns against 4 rows, a shape error",
	  "Q (4, 8) K (4, 8): 열 8개와 행 4개, 모양 오류" },
	{ "bug lab: no-scale in force & spread 2.83 beside 1", "버그 실험실: 현재 no-scale & 퍼짐 2.83 (1과 비교)" },
	{ "The ballot box for class president", "반장 선거 투표함" },
	{ "of all five, the heads.", "h개 겹친 & 헤드(head)입니다." },
	{ "paper covers whatever comes after", "다음부터는 종이로 덮여 있습니다." },
	{ "has its job", "모든 기호에 맡은 일이 있습니다." },
	{ "what am I looking for?", "query는 찾는 것" },
	{ "library desk", "도서관 창구" },
	{ "hand you Q, K and V", "Q, K, V가 그냥 주어집니다." },
	{ "the score in row i, column j is the dot product",
	  "i행 j열의 점수(score)는 i번 query와 j번 key의 내적(dot product)입니다." },
	{ "these two belong together", "관련이 깊다고 봅니다." },
	{ "Big gets bigger", "큰 것은 & 더 커지고" },
	{ "its variance is d_k", "분산이 d_k입니다." },
	{ "around -8 to 8", "-8~8" },
	{ "-22 to 22", "-22~22" },
	{ "the answer sheet", "답지를 훔쳐보는" },
	{ "The formula runs in every layer", "이 식은 층마다 되풀이됩니다." },
	{ "3-D array", "3차원 배열" },
};

static const char *in_korean(const char *english)
{
	for (size_t k = 0; k < sizeof translations / sizeof *translations; k++)
		if (!strcmp(translations[k].english, english))
			return translations[k].korean;
	return english;
}

/* Experiments, checks and common mistakes of the third lesson: at most three keys
 * from the screen, whatever it shows. */
static const int experiments[] = {
	66, 88, 93, 97, 98, 99, 101, 102, 106, 107, 108, 109, 114, 115, 117, 118, 119, 120, 121,
};

/* ---- reading the picture ---- */

static void squeeze(char *text)
{
	char *to = text;
	bool blank = true;

	for (char *from = text; *from; from++) {
		if (*from == ' ' && blank)
			continue;
		blank = *from == ' ';
		*to++ = *from;
	}
	*to = '\0';
}

static bool shows_part(const struct play *p, const char *part)
{
	char row[ROW_TEXT];

	for (int y = 0; y < p->cells.rows; y++) {
		play_row(p, y, row);
		squeeze(row);
		if (strstr(row, part))
			return true;
	}
	return false;
}

static bool shows(const struct play *p, const char *text)
{
	char part[400];

	for (const char *from = text;;) {
		const char *end = strstr(from, " & ");
		snprintf(part, sizeof part, "%.*s", end ? (int)(end - from) : (int)strlen(from), from);
		if (!shows_part(p, part))
			return false;
		if (!end)
			return true;
		from = end + 3;
	}
}

/* ---- tests ---- */

static void print_screen(const struct play *p)
{
	char row[ROW_TEXT];

	for (int y = 0; y < p->cells.rows; y++) {
		play_row(p, y, row);
		print_error("    %s\n", row);
	}
}

static bool same_keys(const struct item *a, const struct item *b)
{
	return !strcmp(a->input, b->input) && !strcmp(a->before, b->before) && !strcmp(a->keys, b->keys);
}

/* The rows that are played by the same keys as the k-th, if that is the first of them:
 * not there before the keys that matter, and there after them. Returns how many fail. */
static size_t play_rows(size_t k, const char *settings, bool korean)
{
	enum { ITEMS_MAX = sizeof items / sizeof *items };
	bool early[ITEMS_MAX] = { false };
	size_t wrong = 0;
	struct play p;

	for (size_t n = 0; n < k; n++)
		if (same_keys(&items[n], &items[k]))
			return 0;
	play_open(&p, items[k].input, settings);
	play_keys(&p, items[k].before);
	for (size_t n = k; n < ITEMS_MAX; n++)
		early[n] = same_keys(&items[n], &items[k]) && shows(&p, korean ? in_korean(items[n].shows) : items[n].shows);
	play_keys(&p, items[k].keys);
	for (size_t n = k; n < ITEMS_MAX; n++) {
		const struct item *it = &items[n];
		const char *text = korean ? in_korean(it->shows) : it->shows;
		if (!same_keys(it, &items[k]) || (!early[n] && shows(&p, text)))
			continue;
		print_error("item %d (%s): '%s' is %s '%s %s'\n", it->number, it->what, text,
			    early[n] ? "there before the keys of" : "not there after", it->before, it->keys);
		print_screen(&p);
		wrong++;
	}
	play_free(&p);
	return wrong;
}

static void every_row_is_reached_in_english(void **state)
{
	size_t wrong = 0;

	(void)state;
	for (size_t k = 0; k < sizeof items / sizeof *items; k++)
		wrong += play_rows(k, "lang=en", false);
	assert_int_equal(wrong, 0);
}

static void every_row_is_reached_in_korean(void **state)
{
	size_t wrong = 0;

	(void)state;
	for (size_t k = 0; k < sizeof items / sizeof *items; k++)
		wrong += play_rows(k, "lang=ko", true);
	assert_int_equal(wrong, 0);
}

/* A translation that no row has would look like something that is tested. */
static void every_translation_is_of_a_row(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof translations / sizeof *translations; k++) {
		bool row = false;
		for (size_t i = 0; i < sizeof items / sizeof *items; i++)
			row |= !strcmp(items[i].shows, translations[k].english);
		if (!row)
			fail_msg("no row shows '%s'", translations[k].english);
	}
}

static void every_item_has_a_row(void **state)
{
	(void)state;
	for (int number = 1; number <= ITEMS; number++) {
		bool row = false;
		for (size_t k = 0; k < sizeof items / sizeof *items; k++)
			row |= items[k].number == number;
		if (!row)
			fail_msg("item %d has no row", number);
	}
}

/* A lower-case letter, a digit and so on are one key, <Space> too. */
static int count_keys(const char *keys)
{
	int n = 0;

	for (const char *p = keys; *p; p += strspn(p, " ")) {
		n++;
		p += strcspn(p, " ");
	}
	return n;
}

static void experiments_are_three_keys_away(void **state)
{
	(void)state;
	for (size_t e = 0; e < sizeof experiments / sizeof *experiments; e++) {
		bool near = false;
		for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
			const struct item *it = &items[k];
			near |= it->number == experiments[e] && !strchr(it->keys, ':') &&
				count_keys(it->before) + count_keys(it->keys) <= EXPERIMENT_KEYS;
		}
		if (!near)
			fail_msg("item %d: more than %d keys away", experiments[e], EXPERIMENT_KEYS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_reached_in_english),
		cmocka_unit_test(every_row_is_reached_in_korean),
		cmocka_unit_test(every_translation_is_of_a_row),
		cmocka_unit_test(every_item_has_a_row),
		cmocka_unit_test(experiments_are_three_keys_away),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	language_add_builtin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
