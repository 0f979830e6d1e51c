/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL by hand: what every program that calls it has, once. A failure ends the program. */
#ifndef COHORT_BENCH_HAND_H
#define COHORT_BENCH_HAND_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stddef.h>

enum { HAND_KERNELS = 8, HAND_BUFFERS = 16 };

/* A queue on the first device, which is opencl:0, a program for it, and all that was made there. */
typedef struct hand {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernels[HAND_KERNELS];
    cl_mem buffers[HAND_BUFFERS];
    int n_kernels, n_buffers;
} hand;

hand hand_open(const char *source); /* without contraction, as Cohort's kernels */
void hand_close(hand *h);
cl_kernel hand_kernel(hand *h, const char *name);

/* content: NULL for none */
cl_mem hand_buffer(hand *h, size_t bytes, const void *content);
void hand_arg(cl_kernel kernel, int index, size_t bytes, const void *value);
#define HAND_ARG(kernel, index, value) hand_arg((kernel), (index), sizeof(value), &(value))

/* Over one index, or two, the first the innermost. */
void hand_launch(const hand *h, cl_kernel kernel, size_t columns, size_t rows);
void hand_finish(const hand *h);
void hand_read(const hand *h, cl_mem buffer, size_t bytes, void *out);

#endif
