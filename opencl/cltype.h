/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of OpenCL C, as drivers spell them in clGetKernelArgInfo. */
#ifndef COHORT_OPENCL_CLTYPE_H
#define COHORT_OPENCL_CLTYPE_H

#include <cohort/plugin.h>

#include <stdbool.h>

struct opencl_cltype {
    /* COHORT_F32 and so on; COHORT_VOID: a struct, or a typedef of which the driver tells no more
     * than the name */
    uint32_t scalar;
    uint32_t width; /* lanes of a vector; 1: no vector */
    bool is_pointer;
};

struct opencl_cltype opencl_cltype_parse(const char *name);

/* "float", for COHORT_F32. */
const char *opencl_cltype_name(uint32_t scalar);

#endif
