/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of commands that were enqueued; waiting for them is in the plugin's table. */
#ifndef COHORT_OPENCL_EVENT_H
#define COHORT_OPENCL_EVENT_H

#include <cohort/plugin.h>

#include <CL/cl.h>

/* The last step of an operation: flush the command and hand its event out, or, where the enqueue
 * has failed, take the event back.
 *
 * code  what the enqueue returned
 * what  the operation, for messages */
cohort_status opencl_event_started(cohort_dev *dev, cohort_event *event, cl_int code,
                                   const char *what, cohort_event **out_event, cohort_error *err);

/* The event of all that was put into the queue before: a marker. COHORT_ENOMEM. */
cohort_status opencl_event_mark(cohort_dev *dev, const char *what, cohort_event **out_event,
                                cohort_error *err);

#endif
