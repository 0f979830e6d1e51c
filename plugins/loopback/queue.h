/* SPDX-License-Identifier: BSD-3-Clause */
/* The queue of a stream device: a thread that does operations one after the other, in the order
 * they came.
 *
 * An operation is its own event. Two hold it, the queue until it is done and who enqueued it until
 * it is released;
 * then it is kept to be used again, so that a device in the steady state allocates nothing. */
#ifndef COHORT_LOOPBACK_QUEUE_H
#define COHORT_LOOPBACK_QUEUE_H

#include "plugins/loopback/operation.h"

/* The queue of dev, which it belongs to. */
cohort_status queue_start(cohort_dev *dev, struct queue **out_queue, cohort_error *err);

/* Once the operations that were enqueued are done. NULL is allowed. */
void queue_stop(struct queue *queue);

/* An operation to fill in; NULL when there is no memory. */
cohort_event *queue_take(struct queue *queue);

/* Give back one that was not put. */
void queue_drop(struct queue *queue, cohort_event *operation);

void queue_put(struct queue *queue, cohort_event *operation);

/* As event_wait, event_release and event_time of the plugin interface; time answers COHORT_EAGAIN
 * before the end. */
cohort_status queue_wait(struct queue *queue, const cohort_event *operation, uint64_t timeout_ns,
                         cohort_error *err);
void queue_release(struct queue *queue, cohort_event *operation);
cohort_status queue_time(struct queue *queue, const cohort_event *operation, uint64_t *out_start_ns,
                         uint64_t *out_end_ns);

#endif
