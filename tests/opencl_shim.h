/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands between the OpenCL plugin and its driver: counts calls, and lets them fail. Compiled into
 * a test program that is linked with -export-dynamic: then its functions come before the
 * loader's. */
#ifndef COHORT_TESTS_OPENCL_SHIM_H
#define COHORT_TESTS_OPENCL_SHIM_H

#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>

/* clGetEventInfo: the call succeeds, and the command of the nth event that is complete has failed
 * while it ran. */
#define OPENCL_SHIM_CALLS(X)                                                                       \
    X(clCreateBuffer)                                                                              \
    X(clCreateSubBuffer)                                                                           \
    X(clBuildProgram)                                                                              \
    X(clCreateKernel)                                                                              \
    X(clSetKernelArg)                                                                              \
    X(clEnqueueNDRangeKernel)                                                                      \
    X(clEnqueueReadBuffer)                                                                         \
    X(clEnqueueWriteBuffer)                                                                        \
    X(clEnqueueCopyBuffer)                                                                         \
    X(clEnqueueFillBuffer)                                                                         \
    X(clEnqueueMapBuffer)                                                                          \
    X(clFlush)                                                                                     \
    X(clGetEventInfo)
#define OPENCL_SHIM_INDEX(name) SHIM_##name,
enum { OPENCL_SHIM_CALLS(OPENCL_SHIM_INDEX) SHIM_CALLS, SHIM_ANY = SHIM_CALLS };

/* The nth call from now on gives this code, and all after it when that is sticky. nth 0: none.
 * call: SHIM_... */
void opencl_shim_fail(int call, uint32_t nth, cl_int code, bool is_sticky);

/* How many calls came since the rule was made, and whether it struck. */
uint32_t opencl_shim_count(int call);
bool opencl_shim_struck(void);

#endif
