/* speaker.c - a terminal that is written to in lines. */
#include "tui/term/speaker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "tui/term/keys.h"
#include "tui/term/signal.h"
#include "tui/term/terminfo.h"

/* The only sequences: they move nothing, and keep pasted text from acting as keys. */
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

struct speaker {
	struct keys keys;
	struct termios before, raw;
	bool pastes;			/* the terminal marks pasted text */
	bool away;			/* the shell has the terminal */
	bool continued;			/* the caller has not been told */
};

/* False when nobody takes it any more. */
static bool write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		bytes += done;
		n -= (size_t)done;
	}
	return true;
}

/* Lines are still ended as the terminal wants it. */
static void make_raw(struct speaker *s)
{
	s->raw = s->before;
	s->raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP | IXON | BRKINT);
	s->raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	s->raw.c_oflag |= OPOST | ONLCR;
	s->raw.c_cc[VMIN] = 1;
	s->raw.c_cc[VTIME] = 0;
}

static void enter(struct speaker *s)
{
	tcsetattr(s->keys.fd, TCSADRAIN, &s->raw);
	if (s->pastes)
		write_all(s->keys.fd, PASTE_ON, strlen(PASTE_ON));
	s->away = false;
}

static void leave(struct speaker *s)
{
	if (s->away)
		return;
	if (s->pastes)
		write_all(s->keys.fd, PASTE_OFF, strlen(PASTE_OFF));
	tcsetattr(s->keys.fd, TCSADRAIN, &s->before);
	s->away = true;
}

/* Whether TERM names a terminal that takes ECMA-48; a dumb one is sent nothing. */
static bool marks_pastes(int fd)
{
	struct terminfo info;
	struct error ignored;
	const char *term = getenv("TERM");

	if (!term || !*term || strlen(term) > 64 || terminfo_load(&info, term, fd, &ignored))
		return false;
	bool ansi = info.ansi;
	terminfo_free(&info);
	return ansi;
}

enum status speaker_open(struct speaker **out, int input, struct error *e)
{
	struct speaker *s = calloc(1, sizeof *s);
	enum status status;

	if (!s)
		return error_set(e, E_MEMORY, "no memory for the terminal");
	s->keys.fd = -1;
	status = keys_open(&s->keys, input, e);
	if (!status && tcgetattr(s->keys.fd, &s->before) < 0)
		status = error_set(e, E_FILE, "keys cannot be read: the input is not a terminal");
	if (status) {
		keys_close(&s->keys);
		free(s);
		return status;
	}
	s->pastes = marks_pastes(s->keys.fd);
	signals_open(s->keys.fd, PASTE_OFF, s->pastes ? strlen(PASTE_OFF) : 0, &s->before);
	make_raw(s);
	enter(s);
	*out = s;
	return OK_STATUS;
}

void speaker_leave(struct speaker *s)
{
	if (!s)
		return;
	signals_allow_background();
	leave(s);
}

void speaker_close(struct speaker *s)
{
	if (!s)
		return;
	speaker_leave(s);
	signals_close();
	keys_close(&s->keys);
	free(s);
}

void speaker_suspend(struct speaker *s)
{
	if (!signals_can_stop() || s->keys.gone)
		return;
	leave(s);
	signals_stop();
	signals_take(SIGNAL_CONTINUED);
	s->continued = true;
	if (!signals_ending())
		enter(s);
}

static bool take_signals(struct speaker *s, enum term_event *event)
{
	if (signals_take(SIGNAL_STOPPING) && !signals_ending())
		speaker_suspend(s);
	/* Whoever stopped us: the shell may have set its own mode since. */
	if (signals_take(SIGNAL_CONTINUED) && !signals_ending()) {
		enter(s);
		s->continued = true;
	}
	signals_take(SIGNAL_RESIZED);		/* lines have no size */
	if (!signals_ending() && !s->continued)
		return false;
	*event = signals_ending() ? TERM_SIGNAL : TERM_RESIZE;
	s->continued = false;
	return true;
}

enum term_event speaker_wait(struct speaker *s, int timeout, struct key *key)
{
	long long deadline = timeout < 0 ? -1 : keys_now() + timeout;
	enum term_event event;

	for (;;) {
		if (take_signals(s, &event))
			return event;
		if (input_next(s->keys.input, key))
			return TERM_KEY;
		if (s->keys.gone)
			return TERM_HANGUP;
		if (keys_wait(&s->keys, deadline))
			return TERM_TIMEOUT;
	}
}

bool speaker_pending(const struct speaker *s)
{
	return keys_pending(&s->keys);
}

int speaker_signal(const struct speaker *s)
{
	(void)s;
	return signals_ending();
}

void speaker_write(struct speaker *s, const char *text, size_t size)
{
	if (!s->keys.gone && !s->away && !write_all(STDOUT_FILENO, text, size))
		s->keys.gone = true;	/* told by the next wait: SIGPIPE where it is not ignored */
}

void speaker_beep(struct speaker *s)
{
	speaker_write(s, "\a", 1);
}
