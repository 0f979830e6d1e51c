/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL objects behind a strategy: context, queue and cl_mem of a replica, for libraries such
 * as CLBlast.
 *
 * Needs the OpenCL headers; a program that calls OpenCL itself links the ICD loader, libcohort does
 * not. A function that only has to enqueue is better a body of format "opencl.enqueue", which
 * Cohort calls with queue and cl_mem. */
#ifndef COHORT_OPENCL_H
#define COHORT_OPENCL_H

#include <cohort/handle.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

/* The OpenCL objects of one replica. */
typedef struct cohort_opencl {
    cl_platform_id platform;
    cl_device_id device; /* for a part such as opencl:0.1: the sub-device */
    cl_context context;
    /* in order; everything that Cohort has issued for this replica is before what you add */
    cl_command_queue queue;
} cohort_opencl;

/* Get the OpenCL objects of one replica; borrowed, they live as long as the strategy. Statuses: as
 * cohort_replica_handle. */
static inline cohort_status cohort_opencl_of(cohort_strategy *strategy, int32_t replica,
                                             cohort_opencl *out)
{
    void *platform = COHORT_NULL_, *device = COHORT_NULL_, *context = COHORT_NULL_,
         *queue = COHORT_NULL_;
    cohort_status status = cohort_replica_handle(strategy, replica, "cl_platform_id", &platform);
    if (status >= 0)
        status = cohort_replica_handle(strategy, replica, "cl_device_id", &device);
    if (status >= 0)
        status = cohort_replica_handle(strategy, replica, "cl_context", &context);
    if (status >= 0)
        status = cohort_replica_handle(strategy, replica, "cl_command_queue", &queue);
    out->platform = COHORT_CAST_(cl_platform_id, platform);
    out->device = COHORT_CAST_(cl_device_id, device);
    out->context = COHORT_CAST_(cl_context, context);
    out->queue = COHORT_CAST_(cl_command_queue, queue);
    return status;
}

/* The cl_mem of a replica's component; as cohort_value_handle. */
static inline cohort_status cohort_opencl_mem(cohort_value *value, int32_t replica, cl_mem *out_mem)
{
    void *mem = COHORT_NULL_;
    cohort_status status = cohort_value_handle(value, replica, "cl_mem", &mem);
    *out_mem = COHORT_CAST_(cl_mem, mem);
    return status;
}

#endif
