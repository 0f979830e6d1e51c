/* SPDX-License-Identifier: BSD-3-Clause */
/* A device that is open: what the operations get as cohort_dev. */
#ifndef COHORT_OPENCL_DEV_H
#define COHORT_OPENCL_DEV_H

#include "opencl/describe.h"
#include "opencl/events.h"
#include "opencl/fold.h"
#include "opencl/mems.h"

#include <cohort/plugin.h>

#include <pthread.h>

struct opencl_program;

/* A device, or a part of one, that was opened. Each has a context of its own: nothing is shared
 * between parts. */
struct cohort_dev {
    struct opencl_found *found; /* of the whole device */
    cl_device_id device;        /* of a part: the sub-device */
    cl_context context;
    cl_command_queue queue; /* in order */
    struct opencl_events events;
    struct opencl_mems mems;
    struct opencl_program *programs;
    struct opencl_fold fold;
    pthread_mutex_t notes_lock; /* drivers write notes on threads of their own */
    char note[256];             /* held: notes_lock. The driver's last message on this context */
};

/* What the driver says, as clCreateContext takes it; user is the device. Any thread. */
void CL_CALLBACK opencl_dev_note(const char *text, const void *more, size_t bytes, void *user);

/* As opencl_fail, with the driver's last message at the end of the text. */
__attribute__((format(printf, 4, 5))) cohort_status opencl_dev_fail(cohort_dev *dev,
                                                                    cohort_error *err, cl_int code,
                                                                    const char *what, ...);

#endif
