/* SPDX-License-Identifier: BSD-3-Clause */
/* The queue of a stream device: a thread that does operations one after the other, in the order in
 * which they were put.
 *
 * An operation is its own event. Two hold it: the queue until the operation is done, and the caller
 * until the event is released. Then the queue keeps it to be used again, so that a device in the
 * steady state allocates nothing. */
#ifndef COHORT_LOOPBACK_QUEUE_H
#define COHORT_LOOPBACK_QUEUE_H

#include "plugins/loopback/operation.h"

/* Start a queue, which belongs to dev. */
cohort_status queue_start(cohort_dev *dev, struct queue **out_queue, cohort_error *err);

/* Wait until all operations that were put are done, and free the queue. NULL is allowed. */
void queue_stop(struct queue *queue);

/* An operation for the caller to fill in; NULL: out of memory. */
cohort_event *queue_take(struct queue *queue);

/* Give back an operation that was taken and not put. */
void queue_drop(struct queue *queue, cohort_event *operation);

/* Enqueue an operation that was taken. */
void queue_put(struct queue *queue, cohort_event *operation);

/* As event_wait, event_release and event_time of the plugin interface; time answers COHORT_EAGAIN
 * before the end. */
cohort_status queue_wait(struct queue *queue, const cohort_event *operation, uint64_t timeout_ns,
                         cohort_error *err);
void queue_release(struct queue *queue, cohort_event *operation);
cohort_status queue_time(struct queue *queue, const cohort_event *operation, uint64_t *out_start_ns,
                         uint64_t *out_end_ns);

#endif
