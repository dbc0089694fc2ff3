/* workers.c - threads that stay, for work that falls into independent items. */
#include "core/workers.h"

#include <pthread.h>
#include <stdlib.h>

struct job {
	work_item *f;
	void *context;
	size_t count;
	const atomic_bool *cancel;
	atomic_size_t next;		/* item that nobody has begun */
	atomic_size_t done;
};

struct workers {
	pthread_t thread[WORKERS_MOST];
	size_t count;			/* the caller's among them */
	pthread_mutex_t lock;
	pthread_cond_t wake, idle;
	struct job *job;		/* the one at hand, or NULL */
	size_t jobs;			/* how many there have been */
	size_t busy;			/* threads that hold the job, the caller's not counted */
	bool stop;
};

struct seat {
	struct workers *w;
	size_t number;
};

static bool cancelled(const struct job *j)
{
	return j->cancel && atomic_load_explicit(j->cancel, memory_order_relaxed);
}

static void take_part(struct job *j, size_t worker)
{
	while (!cancelled(j)) {
		size_t item = atomic_fetch_add(&j->next, 1);
		if (item >= j->count)
			return;
		j->f(j->context, item, worker);
		atomic_fetch_add(&j->done, 1);
	}
}

/* The next job that this thread has not seen, or NULL at the end. */
static struct job *wait_for_job(struct workers *w, size_t *seen)
{
	while (!w->stop && !(w->job && w->jobs != *seen))
		pthread_cond_wait(&w->wake, &w->lock);
	*seen = w->jobs;
	return w->stop ? NULL : w->job;
}

static void *work(void *context)
{
	struct seat seat = *(struct seat *)context;
	struct workers *w = seat.w;
	struct job *job;
	size_t seen = 0;

	free(context);
	pthread_mutex_lock(&w->lock);
	while ((job = wait_for_job(w, &seen))) {
		w->busy++;
		pthread_mutex_unlock(&w->lock);
		take_part(job, seat.number);
		pthread_mutex_lock(&w->lock);
		if (!--w->busy)
			pthread_cond_signal(&w->idle);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static bool start_one(struct workers *w)
{
	struct seat *seat = malloc(sizeof *seat);

	if (!seat)
		return false;
	*seat = (struct seat){ w, w->count };
	if (pthread_create(&w->thread[w->count], NULL, work, seat)) {
		free(seat);
		return false;
	}
	w->count++;
	return true;
}

enum status workers_start(struct workers **out, size_t threads, struct error *e)
{
	struct workers *w = calloc(1, sizeof *w);

	if (!w)
		return error_set(e, E_MEMORY, "no memory for threads");
	w->count = 1;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	pthread_cond_init(&w->idle, NULL);
	while (w->count < threads && w->count < WORKERS_MOST && start_one(w))
		;
	*out = w;
	return OK_STATUS;
}

void workers_stop(struct workers *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->lock);
	for (size_t i = 1; i < w->count; i++)
		pthread_join(w->thread[i], NULL);
	pthread_cond_destroy(&w->idle);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

size_t workers_count(const struct workers *w)
{
	return w ? w->count : 1;
}

bool workers_run(struct workers *w, size_t count, work_item *f, void *context, const atomic_bool *cancel)
{
	struct job job = { .f = f, .context = context, .count = count, .cancel = cancel };
	bool shared = workers_count(w) > 1 && count > 1;

	if (shared) {
		pthread_mutex_lock(&w->lock);
		w->job = &job;
		w->jobs++;
		pthread_cond_broadcast(&w->wake);
		pthread_mutex_unlock(&w->lock);
	}
	take_part(&job, 0);
	if (shared) {
		pthread_mutex_lock(&w->lock);
		w->job = NULL;		/* who wakes only now finds nothing */
		while (w->busy)
			pthread_cond_wait(&w->idle, &w->lock);
		pthread_mutex_unlock(&w->lock);
	}
	return atomic_load(&job.done) == count;
}
