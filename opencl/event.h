/* SPDX-License-Identifier: BSD-3-Clause */
/* Events, and the list from which they come, so that a launch costs no malloc. */
#ifndef COHORT_OPENCL_EVENT_H
#define COHORT_OPENCL_EVENT_H

#include <cohort/plugin.h>

#include <CL/cl.h>

#include <pthread.h>
#include <stdbool.h>

struct event_block;

struct opencl_events {
    pthread_mutex_t lock; /* never held while OpenCL is called, which may call back */
    pthread_cond_t changed;
    struct event_block *blocks; /* held: lock, and below */
    cohort_event *free;
    uint32_t n_watched; /* callbacks that the driver still owes */
};

bool opencl_events_init(struct opencl_events *events);

/* Wait a moment for callbacks that the driver owes, and free the list. false: a callback is still
 * to come; then the list stays, and the struct around it must stay too. */
bool opencl_events_fini(struct opencl_events *events);

/* An event for a command that is about to be enqueued; the driver's cl_event is to be written to
 * opencl_event_slot. NULL: out of memory. */
cohort_event *opencl_event_take(struct opencl_events *events);
cl_event *opencl_event_slot(cohort_event *event);

/* The last step of an operation: flush the command and hand its event out, or, where the enqueue
 * has failed, take the event back.
 *
 * code  what the enqueue returned
 * what  the operation, for messages */
cohort_status opencl_event_started(cohort_dev *dev, cohort_event *event, cl_int code,
                                   const char *what, cohort_event **out_event, cohort_error *err);

#endif
