/* pty.c - a program in a pseudo-terminal, when its last byte came, and where its files are. */
#include "tests/bench/pty.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/measure.h"

bool pty_start(struct pty *p, char *const argv[])
{
	struct winsize size = { .ws_row = 50, .ws_col = 200 };

	p->started = now();
	p->pid = forkpty(&p->fd, NULL, NULL, &size);
	if (p->pid)
		return p->pid > 0;
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	execvp(argv[0], argv);
	_exit(127);
}

double pty_last_byte(struct pty *p, double since, double quiet)
{
	struct pollfd wait = { .fd = p->fd, .events = POLLIN };
	char bytes[65536];
	double last = since - 1, limit = now() + PTY_PATIENCE, patience = 2;

	while (now() < limit && poll(&wait, 1, (int)(patience * 1000)) > 0) {
		if (read(p->fd, bytes, sizeof bytes) <= 0)
			break;
		last = now();
		patience = quiet;
	}
	return last - since;
}

double pty_frame(struct pty *p, double since, double limit)
{
	static const char whole[] = "\033[?2026l";
	struct pollfd wait = { .fd = p->fd, .events = POLLIN };
	char bytes[65536];
	size_t kept = 0;

	while (now() - since < limit && poll(&wait, 1, (int)(limit * 1000)) > 0) {
		ssize_t n = read(p->fd, bytes + kept, sizeof bytes - kept);
		if (n <= 0)
			return -1;
		if (memmem(bytes, kept + (size_t)n, whole, sizeof whole - 1))
			return now() - since;
		n += (ssize_t)kept;
		kept = (size_t)n < sizeof whole ? (size_t)n : sizeof whole;
		memmove(bytes, bytes + (size_t)n - kept, kept);
	}
	return -1;
}

double pty_press(struct pty *p, const char *keys, double quiet)
{
	double since = now();

	if (write(p->fd, keys, strlen(keys)) < 0)
		return -1;
	return pty_last_byte(p, since, quiet);
}

double pty_memory(const struct pty *p)
{
	char line[200];
	double peak = 0;

	snprintf(line, sizeof line, "/proc/%d/status", (int)p->pid);
	FILE *f = fopen(line, "r");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "VmHWM:", 6))
			peak = (double)strtol(line + 6, NULL, 10) / 1024;
	if (f)
		fclose(f);
	return peak;
}

void pty_stop(struct pty *p)
{
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	close(p->fd);
}

/* ---- a folder ---- */

static char place[200];

const char *place_make(void)
{
	const char *folder = getenv("TMPDIR");

	if (*place)
		return place;
	snprintf(place, sizeof place, "%s/qkv-bench-XXXXXX", folder && *folder ? folder : "/tmp");
	if (!mkdtemp(place)) {
		*place = '\0';
		return NULL;
	}
	setenv("HOME", place, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_STATE_HOME");
	return place;
}

void place_remove(void)
{
	char remove[sizeof place + 10];

	snprintf(remove, sizeof remove, "rm -rf '%s'", place);
	if (*place && system(remove))
		fprintf(stderr, "bench: %s is left\n", place);
}

bool place_has(size_t bytes)
{
	struct statvfs system;

	return *place && !statvfs(place, &system) && (double)system.f_bavail * (double)system.f_frsize > 1.1 * (double)bytes;
}
