/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of a device: a source with several kernels is built once. */
#ifndef COHORT_OPENCL_PROGRAM_H
#define COHORT_OPENCL_PROGRAM_H

#include <cohort/plugin.h>

#include <CL/cl.h>

#include <stdbool.h>

struct opencl_program {
    cl_program cl;
    struct opencl_program *next;
    uint32_t n_users; /* kernels of the program, which goes with the last of them */
    char *format, *options;
    void *data;
    uint64_t bytes;
};

/* Find or build the program of a body, for one more kernel.
 *
 * name  the function's, for messages
 *
 * COHORT_EBUILD, with the first error of the log. COHORT_EINCOMPATIBLE: a binary that the driver
 * does not take, or a format that is none of a program. */
cohort_status opencl_program_acquire(cohort_dev *dev, const cohort_code *code, const char *name,
                                     struct opencl_program **out_program, cohort_error *err);
void opencl_program_release(cohort_dev *dev, struct opencl_program *program);

/* The binary of a program. *out_bytes is its size, of which at most cap bytes are written to
 * out. */
cohort_status opencl_program_binary(cohort_dev *dev, const struct opencl_program *program,
                                    void *out, uint64_t cap, uint64_t *out_bytes,
                                    cohort_error *err);

#endif
