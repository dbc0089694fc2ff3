/* pty.c - a program in a pseudo-terminal, and when its last byte came. */
#include "tests/bench/pty.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	double last = since - 1, limit = now() + 5;

	while (now() < limit && poll(&wait, 1, (int)(quiet * 1000)) > 0) {
		if (read(p->fd, bytes, sizeof bytes) <= 0)
			break;
		last = now();
	}
	return last - since;
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
