/* threads.c - the threads that compute beside the one that reads keys. */
#include "tui/threads.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

struct workers *threads_start(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct workers *w = NULL;
	struct error e = { 0 };
	sigset_t all, before;

	if (processors < 2)
		return NULL;
	sigfillset(&all);
	sigdelset(&all, SIGBUS);	/* of a mapped file that is cut short (content.h): blocked it would be told to nobody */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (workers_start(&w, (size_t)processors, &e))
		w = NULL;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return w;
}
