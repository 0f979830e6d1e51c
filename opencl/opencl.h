/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL devices: every device of every platform that the ICD loader finds. */
#ifndef COHORT_OPENCL_OPENCL_H
#define COHORT_OPENCL_OPENCL_H

#include "opencl/describe.h"
#include "opencl/events.h"
#include "opencl/fold.h"
#include "opencl/mems.h"
#include "plugins/kit/operations.h"

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

/* Functions that the core lends; set when the core first asks for the plugin. */
extern const cohort_host *opencl_host;

/* As opencl_fail, with the driver's last message at the end of the text. */
__attribute__((format(printf, 4, 5))) cohort_status opencl_dev_fail(cohort_dev *dev,
                                                                    cohort_error *err, cl_int code,
                                                                    const char *what, ...);

extern const cohort_handle_ops opencl_handle_ops;

/* The operations by their names in cohort_ops; those that its table leaves out are nowhere
 * defined. */
#define OPENCL_OPERATION(name, ...) cohort_status opencl_##name(__VA_ARGS__, cohort_error *err);
KIT_OPERATIONS(OPENCL_OPERATION, OPENCL_OPERATION)

#endif
