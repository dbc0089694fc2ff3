/* stage.h - the one list of stages; everything else walks it. */
#ifndef CORE_STAGE_H
#define CORE_STAGE_H

#include <stddef.h>

enum stage {
	STAGE_INPUT, STAGE_SCORES, STAGE_SCALED, STAGE_MASKED, STAGE_WEIGHTS,
	STAGE_OUTPUT, STAGE_JOINED, STAGE_COUNT
};

/* The five boxes of the picture along the top. */
enum box { BOX_NONE = -1, BOX_COMPARE, BOX_SCALE, BOX_HIDE, BOX_SHARE, BOX_MIX, BOX_COUNT };

struct stage_info {
	const char *name;	/* "weights" */
	const char *formula;	/* one line, ASCII */
	const char *shape;	/* its rule, in the field's letters */
	enum box box;		/* the box that lights up */
};

const struct stage_info *stage_info(enum stage s);
const char *box_name(enum box b);	/* compare, scale, hide, share, mix */

#endif
