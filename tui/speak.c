/* speak.c - the program without a screen: keys in, lines out. */
#include "tui/speak.h"

#include "tui/spoken.h"

struct speaking {
	struct state *s;
	struct speaker *t;
	struct spoken told;
};

static void tell(struct speaking *l)
{
	struct buffer out = { 0 };

	spoken_lines(&l->told, l->s, &out);
	if (out.data && !out.failed)
		speaker_write(l->t, out.data, out.size);
	buffer_free(&out);
}

static void perform(struct speaking *l, unsigned effects)
{
	if (effects & EFFECT_BEEP)
		speaker_beep(l->t);
	if (effects & EFFECT_REDRAW)
		spoken_again(&l->told);
	if (effects & EFFECT_SUSPEND)
		speaker_suspend(l->t);
}

/* A key that is held down moves on before anything is told; what changed something, or
 * was answered, is told in any case. */
static bool can_wait(const struct speaking *l, size_t said)
{
	return l->s->said == said && !l->s->flash.on && l->s->mode != MODE_PROMPT && speaker_pending(l->t);
}

static unsigned take(struct speaking *l, const struct key *k)
{
	size_t said = l->s->said;
	unsigned effects = state_key(l->s, k);

	perform(l, effects);
	if (!(effects & (EFFECT_QUIT | EFFECT_INTERRUPT)) && !can_wait(l, said))
		tell(l);
	return effects;
}

/* Computes until a key comes; what was found is told when it is whole. */
static void work(struct speaking *l)
{
	while (state_work(l->s) && !speaker_pending(l->t))
		;
	if (!state_working(l->s))
		tell(l);
}

static int loop(struct speaking *l)
{
	for (;;) {
		struct key k = { 0 };
		switch (speaker_wait(l->t, state_working(l->s) ? 0 : -1, &k)) {
		case TERM_KEY: {
			unsigned effects = take(l, &k);
			if (effects & EFFECT_INTERRUPT)
				return 130;
			if (effects & EFFECT_QUIT)
				return 0;
			break;
		}
		case TERM_TIMEOUT:
			work(l);
			break;
		case TERM_RESIZE:
			spoken_again(&l->told);
			tell(l);
			break;
		case TERM_HANGUP:
			return term_hangup_status();
		case TERM_SIGNAL:
			return -speaker_signal(l->t);
		}
	}
}

int speak(struct state *s, struct speaker *t)
{
	struct speaking l = { .s = s, .t = t };

	state_resize(s, SPOKEN_ROWS, SPOKEN_COLUMNS);
	tell(&l);
	int result = loop(&l);
	if (l.told.typed)
		speaker_write(t, "\n", 1);
	spoken_free(&l.told);
	return result;
}
