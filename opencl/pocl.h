/* SPDX-License-Identifier: BSD-3-Clause */
/* What is special to PoCL: without a folder for compiled kernels PoCL fails in silence. */
#ifndef COHORT_OPENCL_POCL_H
#define COHORT_OPENCL_POCL_H

#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

#define OPENCL_POCL_FIX "export POCL_CACHE_DIR=<folder of yours>"

bool opencl_pocl_is(cl_platform_id platform);

/* Whether PoCL can keep its kernels, and nobody else can put code among them; why gets the reason
 * when not. */
bool opencl_pocl_has_cache(char *why, size_t size);

/* The folder, for messages. */
void opencl_pocl_folder(char *out, size_t size);

#endif
