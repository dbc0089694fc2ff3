/* vterm.c - a program in a pseudo-terminal, and the screen it draws. */
#include "tests/vterm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_MAX = 64 << 20 };

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static int until(long long deadline)
{
	long long left = deadline - now();

	return left > 0 ? (int)left : 0;
}

/* ---------------------------------------------------------------- the emulator */

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct pty *p = user;

	if (property == VTERM_PROP_ALTSCREEN)
		p->alternate = value->boolean;
	else if (property == VTERM_PROP_CURSORVISIBLE)
		p->cursor_shown = value->boolean;
	else if (property == VTERM_PROP_MOUSE)
		p->mouse = value->number;
	return 1;
}

static int on_cursor(VTermPos to, VTermPos from, int visible, void *user)
{
	struct pty *p = user;

	(void)from;
	(void)visible;
	p->cursor_row = to.row;
	p->cursor_column = to.col;
	return 1;
}

static void on_reply(const char *bytes, size_t n, void *user)
{
	struct pty *p = user;

	/* Answers are short; with no room for one the program does not read. */
	if (p->fd >= 0 && write(p->fd, bytes, n) < 0)
		fprintf(stderr, "a reply of the terminal was lost\n");
}

static bool start_emulator(struct pty *p)
{
	static const VTermScreenCallbacks callbacks = {
		.settermprop = on_property,
		.movecursor = on_cursor,
	};

	p->vterm = vterm_new(p->rows, p->columns);
	if (!p->vterm)
		return false;
	vterm_set_utf8(p->vterm, 1);
	vterm_output_set_callback(p->vterm, on_reply, p);
	p->screen = vterm_obtain_screen(p->vterm);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
	return true;
}

/* ---------------------------------------------------------------- start and stop */

bool pty_start(struct pty *p, int rows, int columns, char *const argv[], char *const env[])
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	*p = (struct pty){ .fd = -1, .rows = rows ? rows : 24, .columns = columns ? columns : 80 };
	if (!start_emulator(p))
		return false;
	p->pid = forkpty(&p->fd, NULL, NULL, &size);
	if (p->pid == 0) {
		execve(argv[0], argv, env);
		_exit(127);
	}
	if (p->pid < 0) {
		p->pid = 0;
		pty_stop(p);
		return false;
	}
	fcntl(p->fd, F_SETFD, FD_CLOEXEC);
	fcntl(p->fd, F_SETFL, fcntl(p->fd, F_GETFL) | O_NONBLOCK);
	return true;
}

void pty_close(struct pty *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	p->ended = true;
}

void pty_stop(struct pty *p)
{
	if (p->pid > 0) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, NULL, 0);
	}
	if (p->vterm) {
		pty_close(p);
		vterm_free(p->vterm);
	}
	free(p->output);
	memset(p, 0, sizeof *p);
	p->fd = -1;
}

/* ---------------------------------------------------------------- bytes */

static void keep(struct pty *p, const char *bytes, size_t n)
{
	char *grown = p->length + n < OUTPUT_MAX ? realloc(p->output, p->length + n + 1) : NULL;

	if (!grown)
		abort();
	p->output = grown;
	memcpy(p->output + p->length, bytes, n);
	p->length += n;
	p->output[p->length] = '\0';
}

static bool readable(const struct pty *p, int ms)
{
	struct pollfd poll_in = { .fd = p->fd, .events = POLLIN };

	return poll(&poll_in, 1, ms) > 0;
}

bool pty_pump(struct pty *p, int ms)
{
	bool any = false;
	char bytes[65536];

	while (!p->ended && readable(p, any ? 0 : ms)) {
		ssize_t n = read(p->fd, bytes, sizeof bytes);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0) {		/* EIO: the other side is closed */
			p->ended = true;
			break;
		}
		keep(p, bytes, (size_t)n);
		vterm_input_write(p->vterm, bytes, (size_t)n);
		any = true;
	}
	return any;
}

/* Reads when there is no room to write: the program may be waiting for that. */
void pty_send(struct pty *p, const void *bytes, size_t n)
{
	const char *from = bytes;

	while (n && !p->ended) {
		struct pollfd either = { .fd = p->fd, .events = POLLIN | POLLOUT };
		poll(&either, 1, -1);
		if (either.revents & (POLLIN | POLLHUP | POLLERR))
			pty_pump(p, 0);
		if (p->ended || !(either.revents & POLLOUT))
			continue;
		ssize_t done = write(p->fd, from, n);
		if (done < 0 && errno != EINTR && errno != EAGAIN)
			return;
		if (done > 0) {
			from += done;
			n -= (size_t)done;
		}
	}
}

void pty_type(struct pty *p, const char *text)
{
	pty_send(p, text, strlen(text));
}

void pty_resize(struct pty *p, int rows, int columns)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	p->rows = rows;
	p->columns = columns;
	vterm_set_size(p->vterm, rows, columns);
	ioctl(p->fd, TIOCSWINSZ, &size);
}

struct termios pty_mode(struct pty *p)
{
	struct termios mode = { 0 };

	/* On Linux the master answers for the other side. */
	tcgetattr(p->fd, &mode);
	return mode;
}

/* ---------------------------------------------------------------- waiting */

bool pty_wait(struct pty *p, bool (*ready)(struct pty *, const void *), const void *data, int ms)
{
	long long deadline = now() + ms;

	for (;;) {
		if (ready(p, data))
			return true;
		if (p->ended || !until(deadline))
			return false;
		pty_pump(p, until(deadline));
	}
}

struct wanted { int row; const char *text; };

static bool row_has(struct pty *p, int row, const char *text)
{
	char buffer[8192];

	return strstr(pty_row(p, row, buffer, sizeof buffer), text);
}

static bool has_text(struct pty *p, const void *data)
{
	const struct wanted *w = data;

	if (w->row >= 0)
		return row_has(p, w->row, w->text);
	for (int row = 0; row < p->rows; row++)
		if (row_has(p, row, w->text))
			return true;
	return false;
}

bool pty_wait_text(struct pty *p, int row, const char *text, int ms)
{
	struct wanted w = { row, text };

	return pty_wait(p, has_text, &w, ms);
}

static bool has_output(struct pty *p, const void *sequence)
{
	return p->output && strstr(p->output, sequence);
}

bool pty_wait_output(struct pty *p, const char *sequence, int ms)
{
	return pty_wait(p, has_output, sequence, ms);
}

/* A descriptor that can be read once the process has ended; not all machines have it. */
static int open_process(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

/* Waits for output or the end, or a moment when the end cannot be waited for. */
static void wait_either(struct pty *p, int process, int ms)
{
	struct pollfd fds[2] = {
		{ .fd = p->ended ? -1 : p->fd, .events = POLLIN },
		{ .fd = process, .events = POLLIN },
	};

	poll(fds, 2, process < 0 && ms > 5 ? 5 : ms);
}

int pty_wait_exit(struct pty *p, int ms)
{
	long long deadline = now() + ms;
	int process = open_process(p->pid), status = -1;
	struct rusage used;

	for (;;) {
		if (wait4(p->pid, &status, WNOHANG, &used) == p->pid)
			break;
		if (!until(deadline)) {
			if (process >= 0)
				close(process);
			return -1;
		}
		wait_either(p, process, until(deadline));
		pty_pump(p, 0);
	}
	if (process >= 0)
		close(process);
	p->pid = 0;
	p->cpu_ms = used.ru_utime.tv_sec * 1000 + used.ru_utime.tv_usec / 1000 +
		    used.ru_stime.tv_sec * 1000 + used.ru_stime.tv_usec / 1000;
	pty_pump(p, 0);
	return status;
}

/* ---------------------------------------------------------------- what is on the screen */

const char *pty_row(struct pty *p, int row, char *buffer, size_t size)
{
	VTermRect rect = { row, row + 1, 0, p->columns };
	size_t n = vterm_screen_get_text(p->screen, buffer, size - 1, rect);

	if (n > size - 1)
		n = size - 1;
	while (n && (buffer[n - 1] == ' ' || buffer[n - 1] == '\n' || !buffer[n - 1]))
		n--;
	buffer[n] = '\0';
	return buffer;
}

int pty_count(const struct pty *p, const char *sequence)
{
	int count = 0;

	for (const char *at = p->output; at && (at = strstr(at, sequence)); at++)
		count++;
	return count;
}

/* Where the last one of a sequence starts; 0 for none. */
static size_t last(const struct pty *p, const char *sequence)
{
	size_t at = 0;

	for (const char *s = p->output; s && (s = strstr(s, sequence)); s++)
		at = (size_t)(s - p->output) + 1;
	return at;
}

bool pty_is_set(const struct pty *p, int mode)
{
	char set[32], unset[32];

	snprintf(set, sizeof set, "\033[?%dh", mode);
	snprintf(unset, sizeof unset, "\033[?%dl", mode);
	return last(p, set) > last(p, unset);
}

static unsigned rgb_of(const struct pty *p, VTermColor c)
{
	vterm_screen_convert_color_to_rgb(p->screen, &c);
	return (unsigned)c.rgb.red << 16 | (unsigned)c.rgb.green << 8 | c.rgb.blue;
}

static char *encode(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	*to++ = (char)((0xff00u >> (more + 1) & 0xff) | c >> 6 * more);
	while (more--)
		*to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
	return to;
}

struct pty_cell pty_cell(struct pty *p, int row, int column)
{
	VTermPos at = { row, column };
	VTermScreenCell c;
	struct pty_cell out = { 0 };
	char *end = out.text;

	if (!vterm_screen_get_cell(p->screen, at, &c))
		return out;
	/* The right half of a wide cell holds -1. */
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && c.chars[i] && c.chars[i] <= 0x10ffff; i++)
		end = encode(end, c.chars[i]);
	if (strcmp(out.text, " ") == 0)
		out.text[0] = '\0';
	out.width = c.width;
	out.bold = c.attrs.bold;
	out.underline = c.attrs.underline;
	out.reverse = c.attrs.reverse;
	out.own_foreground = VTERM_COLOR_IS_DEFAULT_FG(&c.fg);
	out.own_background = VTERM_COLOR_IS_DEFAULT_BG(&c.bg);
	out.rgb_foreground = !out.own_foreground && VTERM_COLOR_IS_RGB(&c.fg);
	out.rgb_background = !out.own_background && VTERM_COLOR_IS_RGB(&c.bg);
	out.foreground = rgb_of(p, c.fg);
	out.background = rgb_of(p, c.bg);
	return out;
}
