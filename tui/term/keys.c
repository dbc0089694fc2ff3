/* keys.c - keys from a terminal: its descriptor, and the waits. */
#include "tui/term/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tui/term/signal.h"

enum { ESCAPE_WAIT_MAX = 10000 };	/* ms */

long long keys_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static int escape_wait(void)
{
	const char *value = getenv("ESCDELAY");
	char *end;

	if (!value || !*value)
		return INPUT_ESCAPE_WAIT;
	long wait = strtol(value, &end, 10);
	if (*end || wait < 0)
		return INPUT_ESCAPE_WAIT;
	return wait > ESCAPE_WAIT_MAX ? ESCAPE_WAIT_MAX : (int)wait;
}

enum status keys_open(struct keys *k, int input, struct error *e)
{
	int fd = input < 0 ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) :
			     fcntl(input, F_DUPFD_CLOEXEC, 0);

	if (fd < 0 && input < 0)
		return error_set(e, E_FILE, "there is no terminal to read keys from: "
				 "/dev/tty cannot be opened");
	if (fd < 0 || !isatty(fd)) {
		if (fd >= 0)
			close(fd);
		return error_set(e, E_FILE, "keys cannot be read: the input is not a terminal");
	}
	const char *term = getenv("TERM");
	k->input = input_new(term ? term : "", escape_wait());
	if (!k->input) {
		close(fd);
		return error_set(e, E_MEMORY, "no memory for the terminal");
	}
	k->fd = fd;
	k->gone = false;
	return OK_STATUS;
}

void keys_close(struct keys *k)
{
	input_free(k->input);
	k->input = NULL;
	if (k->fd >= 0)
		close(k->fd);
	k->fd = -1;
}

/* Milliseconds until a deadline; negative means never and is kept. */
static int until(long long deadline)
{
	if (deadline < 0)
		return -1;
	long long left = deadline - keys_now();
	return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static long long input_deadline(const struct keys *k)
{
	int wait = input_timeout(k->input);

	return wait < 0 ? -1 : k->read_at + wait;
}

static void read_input(struct keys *k)
{
	ssize_t n = read(k->fd, k->bytes, sizeof k->bytes);

	if (n > 0) {
		input_feed(k->input, k->bytes, (size_t)n);
		k->read_at = keys_now();
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		k->gone = true;
	}
}

bool keys_wait(struct keys *k, long long deadline)
{
	long long first = input_deadline(k);
	bool expires = first >= 0 && (deadline < 0 || first <= deadline);
	int n = signals_wait(k->fd, until(expires ? first : deadline));

	if (n > 0)
		read_input(k);
	else if (n == 0 && expires)
		input_expire(k->input);
	return n == 0 && !expires && until(deadline) == 0;
}

bool keys_pending(const struct keys *k)
{
	struct pollfd p = { .fd = k->fd, .events = POLLIN };

	return input_pending(k->input) || poll(&p, 1, 0) > 0;
}
