/* SPDX-License-Identifier: BSD-3-Clause */
/* Peculiarities of PoCL: without a folder for compiled kernels it fails in silence, and where it
 * cannot go on it ends the process. */
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

/* Whether PoCL may build or load a kernel now, without ending the process: there is room for it,
 * and none that it keeps is cut; those that are, it removes, says so in the log, and looks once in
 * a process. why: a sentence, with what to do behind "; fix: ". Any thread. */
bool opencl_pocl_may_build(char *why, size_t size);

/* The conditions under which PoCL would end the process that asks for its devices, or never answer:
 * no cores or no affinity that the system shows, or no room for its threads. Returns what helps,
 * with the reason in why; NULL where it may be asked. Any thread. */
const char *opencl_pocl_fault(char *why, size_t size);

/* The folder, for messages. */
void opencl_pocl_folder(char *out, size_t size);

#endif
