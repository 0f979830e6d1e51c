/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of reductions on a device: built at its first reduction, for all types that it
 * computes as the core does. */
#ifndef COHORT_OPENCL_FOLD_H
#define COHORT_OPENCL_FOLD_H

#include <cohort/plugin.h>

#include <CL/cl.h>
#include <stdbool.h>

struct opencl_program;

/* Most terms of one reduction on a device; longer ones are left to the core. */
/* OPENCL_FOLD_KERNELS: one for each type, and one for each of 16-bit floats that are divided. */
enum {
    OPENCL_FOLD_TERMS = 16,
    OPENCL_FOLD_TYPES = COHORT_F64 + 1,
    OPENCL_FOLD_KERNELS = OPENCL_FOLD_TYPES + 2
};

/* All zero until the first reduction. */
struct opencl_fold {
    struct opencl_program *program;
    bool is_refused; /* the driver does not make them: all is left to the core */
    cl_kernel kernels[OPENCL_FOLD_KERNELS]; /* NULL: not asked for yet */
    size_t groups[OPENCL_FOLD_KERNELS];     /* work-items of a group */
};

void opencl_fold_fini(cohort_dev *dev, struct opencl_fold *fold);

#endif
