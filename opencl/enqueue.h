/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of format "opencl.enqueue": functions of the host, cohort_status f(cl_command_queue, ...),
 * that get every array as cl_mem, enqueue on that queue, and return. */
#ifndef COHORT_OPENCL_ENQUEUE_H
#define COHORT_OPENCL_ENQUEUE_H

#include "opencl/kernel.h"

/* COHORT_ENOENT: the body has no function. COHORT_EINVAL: the prototype has an argument that such a
 * function does not take. */
cohort_status opencl_enqueue_prepare(const cohort_code *code, const cohort_sig *sig,
                                     cohort_kernel *kernel, cohort_error *err);

/* Call the function. The event is complete when all commands that the function enqueued are. An
 * error that the function returns is the result. */
cohort_status opencl_enqueue_call(cohort_dev *dev, const cohort_kernel *kernel,
                                  const cohort_launch *launch, cohort_event **out_event,
                                  cohort_error *err);

#endif
