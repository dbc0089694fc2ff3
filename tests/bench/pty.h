/* pty.h - a program in a pseudo-terminal, when its last byte came, and where its files are. */
#ifndef TESTS_BENCH_PTY_H
#define TESTS_BENCH_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PTY_PATIENCE = 40 };

struct pty {
	pid_t pid;
	int fd;
	double started;
};

/* Starts argv in a terminal of 50 x 200 that calls itself xterm-256color. */
bool pty_start(struct pty *p, char *const argv[]);
/* Reads until nothing has come for `quiet` seconds, and at most PTY_PATIENCE seconds; seconds from
 * `since` to the last byte, negative when none came within 2 seconds. */
double pty_last_byte(struct pty *p, double since, double quiet);
/* Reads until a frame of qkv is whole, which it marks as synchronized output; seconds from
 * `since`, negative when none came within `limit` or the program ended. */
double pty_frame(struct pty *p, double since, double limit);
/* Sends keys, and the same from there. */
double pty_press(struct pty *p, const char *keys, double quiet);
/* The most memory it has had, in MiB; 0 where the system does not say. */
double pty_memory(const struct pty *p);
void pty_stop(struct pty *p);

/* A folder in TMPDIR that becomes the home, so that nobody's settings are read or written, and
 * holds files of the benchmark. NULL: it cannot be made. The same at every call. */
const char *place_make(void);
void place_remove(void);
/* Whether so many bytes of files fit into it. */
bool place_has(size_t bytes);

#endif
