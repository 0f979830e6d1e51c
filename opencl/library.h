/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries and symbols, found at run time. */
#ifndef COHORT_OPENCL_LIBRARY_H
#define COHORT_OPENCL_LIBRARY_H

#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

/* Functions of OpenCL 2.x, which a loader of version 1.2 lacks: never linked, NULL when absent.
 * Only platforms of that version may be called with them. */
typedef struct opencl_newer {
    void *(*svm_alloc)(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint align);
    void (*svm_free)(cl_context context, void *pointer);
    cl_program (*program_with_il)(cl_context context, const void *il, size_t bytes,
                                  cl_int *out_code);
} opencl_newer;
opencl_newer opencl_library_newer(void);

/* Whether the loader is ocl-icd, which most distributions of Linux have; else it is Khronos', or
 * one that tells nothing of itself, as older ones of Khronos do. */
bool opencl_library_is_ocl_icd(void);

/* Whether a library loads; text gets the reason when it does not. */
bool opencl_library_loads(const char *name, char *text, size_t size);

#endif
