/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of reductions: their source, and what it has as the core does it. */
#ifndef COHORT_OPENCL_FOLD_H
#define COHORT_OPENCL_FOLD_H

#include <cohort/plugin.h>

#include <CL/cl.h>
#include <stdbool.h>

struct opencl_program;

/* Most terms of one reduction on a device; longer ones are left to the core. */
/* OPENCL_FOLD_KERNELS: numbers of kernels, from 1 on. */
enum { OPENCL_FOLD_TERMS = 16, OPENCL_FOLD_KERNELS = 16 };

/* Those of a device, all zero until its first reduction: made as they are asked for. */
struct opencl_fold {
    struct opencl_program *program;
    bool is_refused; /* the driver does not make them: all is left to the core */
    cl_kernel kernels[OPENCL_FOLD_KERNELS]; /* NULL: not asked for yet */
    size_t groups[OPENCL_FOLD_KERNELS];     /* work-items of a group */
};

/* The reductions that the kernels have. */
#define OPENCL_FOLD_REDUCTIONS                                                                     \
    (UINT64_C(1) << COHORT_SUM | UINT64_C(1) << COHORT_MIN | UINT64_C(1) << COHORT_MAX |           \
     UINT64_C(1) << COHORT_PROD | UINT64_C(1) << COHORT_BAND | UINT64_C(1) << COHORT_BOR |         \
     UINT64_C(1) << COHORT_BXOR)

/* In OpenCL C; -DHAS_FP64 where the device has it. The kernel of a number is fold_NUMBER. */
extern const char opencl_fold_source[];

/* As a kernel sees them: a complex number is two. */
typedef struct opencl_fold_elements {
    uint32_t type, kernel; /* the kernel's number; 0: there is none */
    char kind;             /* of the type, as in COHORT_NUMBER_DTYPES */
    uint64_t bytes, count;
} opencl_fold_elements;

opencl_fold_elements opencl_fold_elements_of(const cohort_reduction *r);

/* Whether the source has the operation for these numbers, with the core's bits. */
bool opencl_fold_has(const cohort_reduction *r);

#endif
