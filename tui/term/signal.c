/* signal.c - signals as flags, and the terminal restored even by a crash. */
#include "tui/term/signal.h"

#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { CRASH_STACK = 64 * 1024 };

static const int ending[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE };
static const int flagged[] = { SIGWINCH, SIGTSTP, SIGCONT };	/* as enum signal_flag */
static const int crashing[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What handlers need, and what is to be put back. */
static struct {
	volatile sig_atomic_t ending, flags[SIGNAL_FLAGS];
	int fd;
	const char *restore;
	size_t length;
	struct termios mode;
	sigset_t before, open, blocked;		/* masks: at the start, in waits, elsewhere */
	struct sigaction old_ending[COUNT(ending)];
	struct sigaction old_flagged[COUNT(flagged)];
	struct sigaction old_crashing[COUNT(crashing)];
	stack_t old_stack;
	_Alignas(16) char stack[CRASH_STACK];
} state;

static void on_ending(int signal)
{
	if (!state.ending)
		state.ending = signal;
}

static void on_flagged(int signal)
{
	for (size_t i = 0; i < COUNT(flagged); i++)
		if (flagged[i] == signal)
			state.flags[i] = 1;
}

/* In the background the screen is another's. Zero and less: not our controlling
 * terminal, where there is no background. */
static bool owns_terminal(void)
{
	pid_t group = tcgetpgrp(state.fd);

	return group <= 0 || group == getpgrp();
}

static bool (*explain)(const void *address);

/* A signal that somebody sends has no address. */
static void end_if_explained(int signal, const siginfo_t *info)
{
	if (signal == SIGBUS && explain && info->si_code > 0 && explain(info->si_addr))
		_exit(2);
}

static void on_lost(int signal, siginfo_t *info, void *context)
{
	(void)context;
	end_if_explained(signal, info);
	raise(signal);
}

void signals_explain(bool (*lost)(const void *address))
{
	struct sigaction action = { .sa_sigaction = on_lost, .sa_flags = SA_SIGINFO | SA_RESETHAND };

	explain = lost;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

/* On a stack of its own; the default action, reset by SA_RESETHAND, follows. */
static void on_crash(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (owns_terminal()) {
		if (write(state.fd, state.restore, state.length) < 0) {
			/* nothing is left to be tried */
		}
		tcsetattr(state.fd, TCSANOW, &state.mode);
	}
	end_if_explained(signal, info);
	raise(signal);
}

/* With nothing blocked in handlers, one wait lets in all that is pending. */
static void handle(int signal, void (*handler)(int), struct sigaction *old)
{
	struct sigaction action = { .sa_handler = handler };

	sigemptyset(&action.sa_mask);
	sigaction(signal, NULL, old);
	if (old->sa_handler != SIG_IGN)
		sigaction(signal, &action, NULL);
}

static void handle_crash(int signal, struct sigaction *old)
{
	struct sigaction action = { .sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND };

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, old);
}

static void set_masks(void)
{
	sigprocmask(SIG_SETMASK, NULL, &state.before);
	state.open = state.blocked = state.before;
	for (size_t i = 0; i < COUNT(ending); i++) {
		sigdelset(&state.open, ending[i]);
		sigaddset(&state.blocked, ending[i]);
	}
	for (size_t i = 0; i < COUNT(flagged); i++) {
		sigdelset(&state.open, flagged[i]);
		sigaddset(&state.blocked, flagged[i]);
	}
	sigprocmask(SIG_SETMASK, &state.blocked, NULL);
}

void signals_open(int fd, const char *restore, size_t length, const struct termios *mode)
{
	stack_t stack = { .ss_sp = state.stack, .ss_size = sizeof state.stack };

	state.ending = 0;
	for (int i = 0; i < SIGNAL_FLAGS; i++)
		state.flags[i] = 0;
	state.fd = fd;
	state.restore = restore;
	state.length = length;
	state.mode = *mode;
	set_masks();
	sigaltstack(&stack, &state.old_stack);
	for (size_t i = 0; i < COUNT(ending); i++)
		handle(ending[i], on_ending, &state.old_ending[i]);
	for (size_t i = 0; i < COUNT(flagged); i++)
		handle(flagged[i], on_flagged, &state.old_flagged[i]);
	for (size_t i = 0; i < COUNT(crashing); i++)
		handle_crash(crashing[i], &state.old_crashing[i]);
}

void signals_close(void)
{
	for (size_t i = 0; i < COUNT(crashing); i++)
		sigaction(crashing[i], &state.old_crashing[i], NULL);
	for (size_t i = 0; i < COUNT(flagged); i++)
		sigaction(flagged[i], &state.old_flagged[i], NULL);
	for (size_t i = 0; i < COUNT(ending); i++)
		sigaction(ending[i], &state.old_ending[i], NULL);
	sigaltstack(&state.old_stack, NULL);
	sigprocmask(SIG_SETMASK, &state.before, NULL);
}

/* Linux delivers nothing in a wait that finds its descriptor ready at once, so
 * steady input would keep signals out: they get a wait of their own. */
static void let_in(void)
{
	const struct timespec none = { 0, 0 };

	ppoll(NULL, 0, &none, &state.open);
}

int signals_wait(int fd, int milliseconds)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct timespec time = { milliseconds / 1000, milliseconds % 1000 * 1000000L };
	int n = ppoll(&p, 1, milliseconds < 0 ? NULL : &time, &state.open);

	if (n > 0)
		let_in();
	return n < 0 ? -1 : n > 0;
}

bool signals_take(enum signal_flag flag)
{
	bool set = state.flags[flag];

	if (set)
		state.flags[flag] = 0;
	return set;
}

int signals_ending(void)
{
	return state.ending;
}

bool signals_can_stop(void)
{
	return state.old_flagged[SIGNAL_STOPPING].sa_handler != SIG_IGN;
}

/* An orphaned group (no shell to continue it) is not stopped by the kernel:
 * then this returns at once. */
void signals_stop(void)
{
	struct sigaction ours, standard = { .sa_handler = SIG_DFL };

	sigemptyset(&standard.sa_mask);
	sigaction(SIGTSTP, &standard, &ours);
	sigprocmask(SIG_SETMASK, &state.open, NULL);
	kill(0, SIGTSTP);
	sigprocmask(SIG_SETMASK, &state.blocked, NULL);
	sigaction(SIGTSTP, &ours, NULL);
}

void signals_allow_background(void)
{
	sigset_t output;

	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	sigprocmask(SIG_BLOCK, &output, NULL);
}

void signals_die(int signal)
{
	struct sigaction standard = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigemptyset(&standard.sa_mask);
	sigaction(signal, &standard, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signal);
	_exit(128 + signal);
}
