/* SPDX-License-Identifier: BSD-3-Clause */
/* Error numbers of OpenCL: their names, and which status of Cohort each is. */
#ifndef COHORT_OPENCL_ERROR_H
#define COHORT_OPENCL_ERROR_H

#include <cohort/plugin.h>

#include <CL/cl.h>

/* "CL_OUT_OF_RESOURCES"; "OpenCL error -77" for one that no table has. */
typedef struct opencl_name {
    char text[64];
} opencl_name;
opencl_name opencl_error_name(cl_int code);

/* The status that Cohort has for an error number; COHORT_OK for CL_SUCCESS. */
cohort_status opencl_error_status(cl_int code);

/* Fill *err with "WHAT: CL_NAME" and the number. Returns opencl_error_status(code).
 *
 * what  a format of printf */
__attribute__((format(printf, 3, 4))) cohort_status opencl_fail(cohort_error *err, cl_int code,
                                                                const char *what, ...);

#endif
