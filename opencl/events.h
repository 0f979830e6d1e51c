/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a device, and the list from which they come, so that a launch costs no malloc. */
#ifndef COHORT_OPENCL_EVENTS_H
#define COHORT_OPENCL_EVENTS_H

#include <cohort/plugin.h>

#include <CL/cl.h>
#include <pthread.h>
#include <stdbool.h>

struct cohort_event {
    cl_event cl;
    struct opencl_events *events;
    uint64_t look_end_ns; /* CLOCK_MONOTONIC; until then waits look. 0: nobody has waited */
    bool is_watched;      /* held: the list's lock, and all below. The driver will call back */
    bool is_complete;     /* the driver has called back */
    bool is_released;     /* given back to the list as soon as the driver has called back */
    cohort_notify_fn notify;
    void *user;
    cohort_event *next_free;
};

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
 * opencl_events_slot. NULL: out of memory. */
cohort_event *opencl_events_take(struct opencl_events *events);
cl_event *opencl_events_slot(cohort_event *event);

/* Put an event back into its list. held: the list's lock */
void opencl_events_give(cohort_event *event);

/* Ask the driver, once for each event, to call back when the event is complete. The callback sets
 * is_complete, wakes who waits, and calls the event's notify, without the lock. */
cl_int opencl_events_watch(cohort_event *event);

uint64_t opencl_events_now_ns(void); /* CLOCK_MONOTONIC */

/* The time on that clock at which timeout_ns from now have passed. */
uint64_t opencl_events_end_ns(uint64_t timeout_ns);

/* Until something has changed, or that time has come: then false. A thread that is cancelled
 * meanwhile ends later, for here it holds the lock. held: lock */
bool opencl_events_sleep(struct opencl_events *events, uint64_t end_ns);

#endif
