/* SPDX-License-Identifier: BSD-3-Clause */
/* The queue of a stream device: one thread, one list, one lock.
 *
 * The first operation of the list is the one that is being done. It is done without the lock, so
 * that others can be put meanwhile, and taken off the list with it. `changed` is broadcast for
 * everything: the thread waits for work, waiters for their operation, and there are few of each. */
#include "config.h"

#include "plugins/loopback/queue.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t second_ns = 1000000000;

struct queue {
    cohort_dev *dev;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* something was put or done; timed waits go by CLOCK_MONOTONIC */

    /* held: lock */
    cohort_event *first, *last; /* the first is the one that is being done */
    cohort_event *pool;
    bool should_stop;
};

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec;
}

/* ---- The pool. held: lock, for all of these but the first */

static void clean(cohort_event *operation)
{
    *operation = (cohort_event){ .values = operation->values,
                                 .values_bytes = operation->values_bytes,
                                 .error = { .struct_size = sizeof operation->error } };
}

static void keep(struct queue *queue, cohort_event *operation)
{
    operation->next = queue->pool;
    queue->pool = operation;
}

static void let_go(struct queue *queue, cohort_event *operation)
{
    if (--operation->holders == 0)
        keep(queue, operation);
}

static void pool_free(struct queue *queue)
{
    while (queue->pool != NULL) {
        cohort_event *operation = queue->pool;
        queue->pool = operation->next;
        free(operation->values);
        free(operation);
    }
}

/* ---- The thread. */

/* status, error and times are written without the lock, and read only by those who have seen
 * is_done, which is set with it. */
static void execute(struct queue *queue, cohort_event *operation)
{
    operation->start_ns = now_ns();
    operation->status =
        steering_begin(queue->dev->part, COHORT_LOOPBACK_EXECUTE, NULL, &operation->error);
    if (operation->status == COHORT_OK)
        operation->status = operation->run(queue->dev, operation, &operation->error);
    operation->end_ns = now_ns();
    steering_subtract(queue->dev->part, &(cohort_loopback_counts){ .in_flight = 1 });
}

static void *work(void *argument)
{
    struct queue *queue = argument;
    (void)pthread_mutex_lock(&queue->lock);
    while (queue->first != NULL || !queue->should_stop) {
        cohort_event *operation = queue->first;
        if (operation == NULL) {
            (void)pthread_cond_wait(&queue->changed, &queue->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&queue->lock);
        execute(queue, operation);
        (void)pthread_mutex_lock(&queue->lock);
        queue->first = operation->next;
        operation->is_done = true;
        let_go(queue, operation);
        (void)pthread_cond_broadcast(&queue->changed);
    }
    (void)pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* The program's signals are for threads of the program. */
static int start_thread(struct queue *queue)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&queue->thread, NULL, work, queue);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static void queue_free(struct queue *queue)
{
    pool_free(queue);
    (void)pthread_cond_destroy(&queue->changed);
    (void)pthread_mutex_destroy(&queue->lock);
    free(queue);
}

cohort_status queue_start(cohort_dev *dev, struct queue **out_queue, cohort_error *err)
{
    struct queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a queue");
    pthread_condattr_t monotonic;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&queue->changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    (void)pthread_mutex_init(&queue->lock, NULL);
    queue->dev = dev;
    int error = start_thread(queue);
    if (error != 0) {
        queue_free(queue);
        return cohort_fail(err, COHORT_ENOMEM, error, "no thread for a queue: %s", strerror(error));
    }
    *out_queue = queue;
    return COHORT_OK;
}

void queue_stop(struct queue *queue)
{
    if (queue == NULL)
        return;
    (void)pthread_mutex_lock(&queue->lock);
    queue->should_stop = true;
    (void)pthread_cond_broadcast(&queue->changed);
    (void)pthread_mutex_unlock(&queue->lock);
    (void)pthread_join(queue->thread, NULL);
    queue_free(queue);
}

/* ---- Who enqueues. */

/* An operation from the pool keeps the memory for its values (clean). */
cohort_event *queue_take(struct queue *queue)
{
    (void)pthread_mutex_lock(&queue->lock);
    cohort_event *operation = queue->pool;
    if (operation != NULL)
        queue->pool = operation->next;
    (void)pthread_mutex_unlock(&queue->lock);
    if (operation == NULL)
        operation = calloc(1, sizeof *operation);
    if (operation != NULL)
        clean(operation);
    return operation;
}

void queue_drop(struct queue *queue, cohort_event *operation)
{
    (void)pthread_mutex_lock(&queue->lock);
    keep(queue, operation);
    (void)pthread_mutex_unlock(&queue->lock);
}

/* Two holders: the queue's thread and whoever has the event. Counted before the thread can see the
 * operation, so that counts never fall below zero. */
void queue_put(struct queue *queue, cohort_event *operation)
{
    steering_enqueued(queue->dev->part);
    steering_add(queue->dev->part, &(cohort_loopback_counts){ .live_events = 1 });
    (void)pthread_mutex_lock(&queue->lock);
    operation->holders = 2;
    operation->next = NULL;
    if (queue->first == NULL)
        queue->first = operation;
    else
        queue->last->next = operation;
    queue->last = operation;
    (void)pthread_cond_broadcast(&queue->changed);
    (void)pthread_mutex_unlock(&queue->lock);
}

cohort_status queue_wait(struct queue *queue, const cohort_event *operation, uint64_t timeout_ns,
                         cohort_error *err)
{
    /* cut, so that the sum does not overflow: that is a wait without an end */
    uint64_t end = now_ns() + (timeout_ns < INT64_MAX / 2 ? timeout_ns : INT64_MAX / 2);
    struct timespec until = { (time_t)(end / second_ns), (long)(end % second_ns) };
    (void)pthread_mutex_lock(&queue->lock);
    int late = timeout_ns == 0 ? ETIMEDOUT : 0;
    while (!operation->is_done && late == 0)
        late = pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
    cohort_status st = operation->is_done ? operation->status : COHORT_EAGAIN;
    if (operation->is_done && st < 0)
        (void)cohort_fail(err, st, operation->error.native, "%s", operation->error.text);
    (void)pthread_mutex_unlock(&queue->lock);
    return st;
}

void queue_release(struct queue *queue, cohort_event *operation)
{
    (void)pthread_mutex_lock(&queue->lock);
    let_go(queue, operation);
    (void)pthread_mutex_unlock(&queue->lock);
    steering_subtract(queue->dev->part, &(cohort_loopback_counts){ .live_events = 1 });
}

cohort_status queue_time(struct queue *queue, const cohort_event *operation, uint64_t *out_start_ns,
                         uint64_t *out_end_ns)
{
    (void)pthread_mutex_lock(&queue->lock);
    bool is_done = operation->is_done;
    (void)pthread_mutex_unlock(&queue->lock);
    if (!is_done)
        return COHORT_EAGAIN;
    *out_start_ns = operation->start_ns;
    *out_end_ns = operation->end_ns;
    return COHORT_OK;
}
