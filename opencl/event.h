/* SPDX-License-Identifier: BSD-3-Clause */
/* Events, and the list from which they come: a launch costs no malloc. */
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

/* Waits a moment for callbacks that the driver owes. False when one is outstanding still: the list
 * stays, and so must whatever it lies in. */
bool opencl_events_fini(struct opencl_events *events);

/* An event for a command that is about to be enqueued; its cl_event goes to opencl_event_slot. NULL
 * without memory. */
cohort_event *opencl_event_take(struct opencl_events *events);
cl_event *opencl_event_slot(cohort_event *event);

/* What an operation does last: start the command and hand out its event, or, on failure, take the
 * event back.
 * code is that of the enqueue; what names the operation. */
cohort_status opencl_event_started(cohort_dev *dev, cohort_event *event, cl_int code,
                                   const char *what, cohort_event **out_event, cohort_error *err);

#endif
