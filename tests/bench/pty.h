/* pty.h - a program in a pseudo-terminal, and when its last byte came. */
#ifndef TESTS_BENCH_PTY_H
#define TESTS_BENCH_PTY_H

#include <stdbool.h>
#include <sys/types.h>

struct pty {
	pid_t pid;
	int fd;
	double started;
};

/* Starts argv in a terminal of 50 x 200 that calls itself xterm-256color. */
bool pty_start(struct pty *p, char *const argv[]);
/* Reads until nothing has come for `quiet` seconds; seconds from `since` to the last
 * byte, negative when none came. */
double pty_last_byte(struct pty *p, double since, double quiet);
/* Sends keys, and the same from there. */
double pty_press(struct pty *p, const char *keys, double quiet);
/* The most memory it has had, in MiB; 0 where the system does not say. */
double pty_memory(const struct pty *p);
void pty_stop(struct pty *p);

#endif
