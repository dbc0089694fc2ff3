/* threads.h - the threads that compute beside the one that reads keys. */
#ifndef TUI_THREADS_H
#define TUI_THREADS_H

#include "core/workers.h"

/* As many as there are processors, signals left to this thread; NULL where there is one, or
 * the system refuses more. workers_stop ends them. */
struct workers *threads_start(void);

#endif
