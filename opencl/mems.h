/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device, and the list from which the handles of memory come. */
#ifndef COHORT_OPENCL_MEMS_H
#define COHORT_OPENCL_MEMS_H

#include <cohort/plugin.h>

#include <CL/cl.h>

struct cohort_mem {
    cl_mem cl;     /* first: a handle is the address of what clSetKernelArg and native calls want */
    void *address; /* for the host: shared virtual memory, or what was imported; else NULL */
    uint64_t bytes;
    uint64_t charged; /* bytes that count as used on the device (opencl_found.used) */
    uint32_t dir;     /* of imported memory, else 0 */
    cohort_mem *next_free;
};

struct mem_block;

struct opencl_mems {
    struct mem_block *blocks;
    cohort_mem *free;
    uint64_t n_released; /* cl_mems of the device, ever */
};

/* A handle for a block of so many bytes, all else zero; NULL: out of memory. One caller at a
 * time. */
cohort_mem *opencl_mems_take(struct opencl_mems *mems, uint64_t bytes);
void opencl_mems_give(struct opencl_mems *mems, cohort_mem *mem);
void opencl_mems_fini(struct opencl_mems *mems);

#endif
