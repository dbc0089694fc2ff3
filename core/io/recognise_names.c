/* recognise_names.c - what an array's name says: the tables, and the words of a name. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/io/recognise_parts.h"

/* ---- roles ---- */

static const char *const roles[ROLE_COUNT] = {
	[ROLE_UNKNOWN] = "unknown", [ROLE_WEIGHTS] = "weights", [ROLE_SCORES] = "scores",
	[ROLE_Q] = "q", [ROLE_K] = "k", [ROLE_V] = "v", [ROLE_OUTPUT] = "output",
	[ROLE_TOKENS] = "tokens", [ROLE_QUERY_TOKENS] = "query-tokens", [ROLE_KEY_TOKENS] = "key-tokens",
	[ROLE_IDS] = "ids", [ROLE_MASK] = "mask", [ROLE_BIAS] = "bias", [ROLE_SCALE] = "scale",
	[ROLE_LOGITS] = "logits", [ROLE_PARAMETER] = "parameter",
};

const char *role_name(enum role r)
{
	return roles[r];
}

enum role role_find(const char *word, size_t length)
{
	for (int r = ROLE_UNKNOWN + 1; r < ROLE_LOGITS; r++)
		if (strlen(roles[r]) == length && !memcmp(roles[r], word, length))
			return (enum role)r;
	return ROLE_COUNT;
}

/* ---- the table of names ---- */

enum hint {
	HINT_POSITION_FIRST = 1,	/* (batch, position, head, dim), as TransformerLens has it */
	HINT_FUSED = 2,			/* heads are not split yet */
	HINT_ROTATED = 4,		/* after rotary embedding */
	HINT_UNSURE = 8,		/* some mean the other thing by it: the numbers decide */
	HINT_PER_KEY = 16,		/* a mask of keys, (batch, n_k), rather than of cells */
	HINT_HIDES = 32,		/* True of a boolean is hidden */
};

/* The last words of a name, lower case, joined by '_'; the longest that fits is taken. */
static const struct known_name { const char *words; enum role role; int hints; } names[] = {
	{ "attn", ROLE_WEIGHTS, 0 }, { "attns", ROLE_WEIGHTS, 0 }, { "attention", ROLE_WEIGHTS, 0 },
	{ "attentions", ROLE_WEIGHTS, 0 }, { "attn_weights", ROLE_WEIGHTS, 0 },
	{ "attention_weights", ROLE_WEIGHTS, 0 }, { "attn_weight", ROLE_WEIGHTS, 0 }, { "attention_weight", ROLE_WEIGHTS, 0 },
	{ "attention_probs", ROLE_WEIGHTS, 0 }, { "attn_probs", ROLE_WEIGHTS, 0 },
	{ "pattern", ROLE_WEIGHTS, 0 }, { "hook_pattern", ROLE_WEIGHTS, 0 }, { "probs", ROLE_WEIGHTS, 0 },
	{ "kq_soft_max", ROLE_WEIGHTS, 0 }, { "att_sm", ROLE_WEIGHTS, 0 }, { "weights", ROLE_WEIGHTS, 0 },
	{ "p_attn", ROLE_WEIGHTS, 0 }, { "softmax", ROLE_WEIGHTS, 0 },

	{ "scores", ROLE_SCORES, 0 }, { "attn_scores", ROLE_SCORES, 0 }, { "hook_attn_scores", ROLE_SCORES, 0 },
	{ "attention_scores", ROLE_SCORES, 0 }, { "attn_logits", ROLE_SCORES, 0 }, { "attention_logits", ROLE_SCORES, 0 },
	{ "qk", ROLE_SCORES, HINT_UNSURE }, { "kq", ROLE_SCORES, HINT_UNSURE }, { "att", ROLE_SCORES, HINT_UNSURE },

	{ "q", ROLE_Q, 0 }, { "query", ROLE_Q, 0 }, { "queries", ROLE_Q, 0 }, { "query_states", ROLE_Q, 0 },
	{ "query_layer", ROLE_Q, 0 }, { "qcur", ROLE_Q, 0 }, { "hook_q", ROLE_Q, HINT_POSITION_FIRST },
	{ "rot_q", ROLE_Q, HINT_ROTATED }, { "q_rot", ROLE_Q, HINT_ROTATED }, { "q_rope", ROLE_Q, HINT_ROTATED },
	{ "hook_rot_q", ROLE_Q, HINT_ROTATED | HINT_POSITION_FIRST },
	{ "q_proj", ROLE_Q, HINT_FUSED }, { "query_proj", ROLE_Q, HINT_FUSED }, { "q_lin", ROLE_Q, HINT_FUSED },

	{ "k", ROLE_K, 0 }, { "key", ROLE_K, 0 }, { "keys", ROLE_K, 0 }, { "key_states", ROLE_K, 0 },
	{ "key_layer", ROLE_K, 0 }, { "kcur", ROLE_K, 0 }, { "hook_k", ROLE_K, HINT_POSITION_FIRST },
	{ "key_cache", ROLE_K, 0 }, { "k_cache", ROLE_K, 0 },
	{ "rot_k", ROLE_K, HINT_ROTATED }, { "k_rot", ROLE_K, HINT_ROTATED }, { "k_rope", ROLE_K, HINT_ROTATED },
	{ "hook_rot_k", ROLE_K, HINT_ROTATED | HINT_POSITION_FIRST },
	{ "k_proj", ROLE_K, HINT_FUSED }, { "key_proj", ROLE_K, HINT_FUSED }, { "k_lin", ROLE_K, HINT_FUSED },

	{ "v", ROLE_V, 0 }, { "value", ROLE_V, 0 }, { "values", ROLE_V, 0 }, { "value_states", ROLE_V, 0 },
	{ "value_layer", ROLE_V, 0 }, { "vcur", ROLE_V, 0 }, { "hook_v", ROLE_V, HINT_POSITION_FIRST },
	{ "value_cache", ROLE_V, 0 }, { "v_cache", ROLE_V, 0 },
	{ "v_proj", ROLE_V, HINT_FUSED }, { "value_proj", ROLE_V, HINT_FUSED }, { "v_lin", ROLE_V, HINT_FUSED },

	{ "z", ROLE_OUTPUT, 0 }, { "hook_z", ROLE_OUTPUT, HINT_POSITION_FIRST }, { "attn_output", ROLE_OUTPUT, 0 },
	{ "attn_out", ROLE_OUTPUT, 0 }, { "hook_attn_out", ROLE_OUTPUT, 0 }, { "attention_output", ROLE_OUTPUT, 0 },
	{ "context", ROLE_OUTPUT, 0 }, { "context_layer", ROLE_OUTPUT, 0 }, { "kqv", ROLE_OUTPUT, 0 },
	{ "kqv_out", ROLE_OUTPUT, 0 }, { "y", ROLE_OUTPUT, 0 }, { "output", ROLE_OUTPUT, 0 }, { "out", ROLE_OUTPUT, 0 },

	{ "tokens", ROLE_TOKENS, 0 }, { "str_tokens", ROLE_TOKENS, 0 }, { "token_strings", ROLE_TOKENS, 0 },
	{ "labels", ROLE_TOKENS, 0 }, { "words", ROLE_TOKENS, 0 },
	{ "query_tokens", ROLE_QUERY_TOKENS, 0 }, { "q_tokens", ROLE_QUERY_TOKENS, 0 },
	{ "left_text", ROLE_QUERY_TOKENS, 0 }, { "tgt_tokens", ROLE_QUERY_TOKENS, 0 },
	{ "key_tokens", ROLE_KEY_TOKENS, 0 }, { "k_tokens", ROLE_KEY_TOKENS, 0 },
	{ "right_text", ROLE_KEY_TOKENS, 0 }, { "src_tokens", ROLE_KEY_TOKENS, 0 },
	{ "ids", ROLE_IDS, 0 }, { "input_ids", ROLE_IDS, 0 }, { "token_ids", ROLE_IDS, 0 },

	{ "attention_mask", ROLE_MASK, HINT_PER_KEY }, { "attn_mask", ROLE_MASK, 0 }, { "mask", ROLE_MASK, 0 },
	{ "keep_mask", ROLE_MASK, 0 }, { "valid_mask", ROLE_MASK, 0 },
	{ "key_padding_mask", ROLE_MASK, HINT_PER_KEY | HINT_HIDES }, { "padding_mask", ROLE_MASK, HINT_PER_KEY | HINT_HIDES },
	{ "pad_mask", ROLE_MASK, HINT_PER_KEY | HINT_HIDES },
	{ "causal_mask", ROLE_MASK, HINT_HIDES }, { "src_mask", ROLE_MASK, HINT_HIDES },
	{ "tgt_mask", ROLE_MASK, HINT_HIDES }, { "memory_mask", ROLE_MASK, HINT_HIDES },

	{ "bias", ROLE_BIAS, 0 }, { "attn_bias", ROLE_BIAS, 0 }, { "attention_bias", ROLE_BIAS, 0 },
	{ "position_bias", ROLE_BIAS, 0 }, { "relative_position_bias", ROLE_BIAS, 0 }, { "rel_pos_bias", ROLE_BIAS, 0 },
	{ "alibi", ROLE_BIAS, 0 },
	{ "scale", ROLE_SCALE, 0 }, { "scaling", ROLE_SCALE, 0 }, { "sm_scale", ROLE_SCALE, 0 },
	{ "softmax_scale", ROLE_SCALE, 0 },

	{ "logits", ROLE_LOGITS, 0 }, { "logits_last", ROLE_LOGITS, 0 },
	{ "w_q", ROLE_PARAMETER, 0 }, { "w_k", ROLE_PARAMETER, 0 }, { "w_v", ROLE_PARAMETER, 0 }, { "w_o", ROLE_PARAMETER, 0 },
	{ "b_q", ROLE_PARAMETER, 0 }, { "b_k", ROLE_PARAMETER, 0 }, { "b_v", ROLE_PARAMETER, 0 }, { "b_o", ROLE_PARAMETER, 0 },
	{ "wq", ROLE_PARAMETER, 0 }, { "wk", ROLE_PARAMETER, 0 }, { "wv", ROLE_PARAMETER, 0 }, { "wo", ROLE_PARAMETER, 0 },
	{ "in_proj_weight", ROLE_PARAMETER, 0 }, { "in_proj_bias", ROLE_PARAMETER, 0 },
};

/* Words before a number that make it a layer, and that say nothing else. */
static const char *const layer_words[] = { "blocks", "block", "layers", "layer", "h", "blk", "l" };
/* Words before a number that is something else. */
static const char *const other_words[] = { "head", "heads", "batch", "step", "sample", "fp", "bf", "f", "int", "arr" };
/* Words around an array's own name that do not tell one attention from another. */
static const char *const frame_words[] = {
	"attn", "attention", "attentions", "self", "mha", "hook", "past", "key", "keys", "values", "value", "cache", "model",
	"module", "transformer", "layer", "layers", "block", "blocks", "h", "blk", "multi", "head", "multihead", "core", "inner",
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_one_of(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(word, list[i]))
			return true;
	return false;
}

/* ---- words ---- */

enum { WORDS_MAX = 24, WORD_SIZE = 24 };

struct words {
	char v[WORDS_MAX][WORD_SIZE];	/* lower case */
	size_t n;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* Of a long name only the last words count. */
static char *next_word(struct words *w)
{
	if (w->n == WORDS_MAX)
		memmove(w->v[0], w->v[1], (size_t)(--w->n) * WORD_SIZE);
	w->v[w->n][0] = '\0';
	return w->v[w->n++];
}

/* A new word begins at a capital after a small letter, and at the digits that end one. */
static bool begins_word(const char *piece, size_t i, size_t n)
{
	if (!i)
		return true;
	if (is_upper(piece[i]) && is_lower(piece[i - 1]))
		return true;
	if (!is_digit(piece[i]) || is_digit(piece[i - 1]))
		return false;
	for (; i < n; i++)
		if (!is_digit(piece[i]))
			return false;
	return true;
}

static void split(struct words *w, const char *name)
{
	static const char separators[] = "._-/: ";

	w->n = 0;
	for (name += strspn(name, separators); *name; name += strspn(name, separators)) {
		size_t n = strcspn(name, separators), used = 0;
		char *word = NULL;
		for (size_t i = 0; i < n; i++) {
			if (begins_word(name, i, n)) {
				word = next_word(w);
				used = 0;
			}
			if (used + 1 < WORD_SIZE) {
				word[used++] = is_upper(name[i]) ? (char)(name[i] - 'A' + 'a') : name[i];
				word[used] = '\0';
			}
		}
		name += n;
	}
}

static void drop(struct words *w, size_t at, size_t n)
{
	memmove(w->v[at], w->v[at + n], (w->n - at - n) * WORD_SIZE);
	w->n -= n;
}

/* At most seven digits: no model has more layers. */
static bool is_number(const char *word)
{
	size_t n = strspn(word, "0123456789");
	return n && !word[n] && n <= 7;
}

static long number_of(const char *word)
{
	long v = 0;

	for (; *word; word++)
		v = v * 10 + (*word - '0');
	return v;
}

/* The layer is the first number behind one of its words, else the last number; numbers
 * go, and so do the words that stand for nothing else. */
static long take_layer(struct words *w)
{
	long layer = -1;
	bool certain = false;

	for (size_t i = 0; i < w->n; i++) {
		if (!is_number(w->v[i]))
			continue;
		bool after_layer = i && is_one_of(w->v[i - 1], layer_words, COUNT(layer_words));
		bool other = i && is_one_of(w->v[i - 1], other_words, COUNT(other_words));
		if (!other && !certain)
			layer = number_of(w->v[i]);
		certain = certain || after_layer;
		drop(w, after_layer ? i - 1 : i, after_layer ? 2 : 1);
		i -= after_layer ? 2 : 1;	/* from 0 to the largest, and back by ++ */
	}
	return layer;
}

/* ---- roles from words ---- */

/* Whether the last words are those of the name, joined; *n becomes how many. */
static bool ends_with(const struct words *w, const char *name, size_t *n)
{
	size_t at = w->n, left = strlen(name);

	while (left) {
		if (!at)
			return false;
		size_t length = strlen(w->v[--at]);
		if (length > left || memcmp(name + left - length, w->v[at], length))
			return false;
		left -= length;
		if (left && name[--left] != '_')
			return false;
	}
	*n = w->n - at;
	return true;
}

static const struct known_name *find_name(const struct words *w, size_t *used)
{
	const struct known_name *best = NULL;

	for (size_t i = 0; i < COUNT(names); i++) {
		size_t n;
		if (ends_with(w, names[i].words, &n) && (!best || n > *used)) {
			best = &names[i];
			*used = n;
		}
	}
	return best;
}

/* Words in front, without those that every model has. */
static void put_set(struct meaning *m, const struct words *w, size_t n)
{
	size_t used = 0;

	m->set[0] = '\0';
	for (size_t i = 0; i < n && used < sizeof m->set; i++)
		if (!is_one_of(w->v[i], frame_words, COUNT(frame_words)))
			used += (size_t)snprintf(m->set + used, sizeof m->set - used, "%s%s", used ? "." : "", w->v[i]);
}

/* A model's parameter, as frameworks name them. */
static bool name_is_parameter(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot != name && (!strcmp(dot, ".weight") || !strcmp(dot, ".bias"));
}

void name_meaning(struct meaning *m, const char *name, bool unnamed)
{
	struct words w;
	size_t used = 0;

	*m = (struct meaning){ .layer = -1 };
	memset(m->axis, -1, sizeof m->axis);
	split(&w, name);
	long layer = take_layer(&w);
	m->layer = unnamed ? -1 : layer;
	const struct known_name *found = find_name(&w, &used);
	if (name_is_parameter(name)) {
		m->role = ROLE_PARAMETER;
		return;
	}
	if (!found || (unnamed && found->role != ROLE_WEIGHTS && found->role != ROLE_SCORES && found->role != ROLE_MASK))
		return;
	m->role = found->role;
	m->position_first = found->hints & HINT_POSITION_FIRST;
	m->split_unknown = found->hints & HINT_FUSED;
	m->rotated = found->hints & HINT_ROTATED;
	m->unsure = found->hints & HINT_UNSURE;
	m->per_key = found->hints & HINT_PER_KEY;
	m->mask = found->hints & HINT_HIDES ? MASK_HIDES : MASK_KEEPS;
	if (m->role <= ROLE_OUTPUT && !unnamed)
		put_set(m, &w, w.n - used);
}
