/* stage.c - the one list of stages. */
#include "core/stage.h"

#include "core/message.h"

static const struct stage_info table[STAGE_COUNT] = {
	[STAGE_INPUT] = { "input", N_("Q, K, V as given, or X W_Q, X W_K, X W_V"), "(n, d)", BOX_NONE },
	[STAGE_SCORES] = { "scores", N_("Q K^T"), "(n_q, n_k)", BOX_COMPARE },
	[STAGE_SCALED] = { "scaled", N_("scores / sqrt(d_k), or what the scale option says"), "(n_q, n_k)", BOX_SCALE },
	[STAGE_MASKED] = { "masked", N_("scaled, with the hidden cells filled"), "(n_q, n_k)", BOX_HIDE },
	[STAGE_WEIGHTS] = { "weights", N_("softmax of each row of masked"), "(n_q, n_k)", BOX_SHARE },
	[STAGE_OUTPUT] = { "output", N_("weights V"), "(n_q, d_v)", BOX_MIX },
	[STAGE_JOINED] = { "joined", N_("outputs of all heads side by side, times W_O"), "(n_q, H d_v)", BOX_MIX },
};

const struct stage_info *stage_info(enum stage s)
{
	return &table[s];
}

const char *box_name(enum box b)
{
	static const char *const name[] = { N_("compare"), N_("scale"), N_("hide"), N_("share"), N_("mix") };
	return b == BOX_NONE ? "" : name[b];
}
