/* SPDX-License-Identifier: BSD-3-Clause */
/* The files in which drivers of OpenCL make themselves known, looked at when a platform is
 * missing. */
#ifndef COHORT_OPENCL_ICD_H
#define COHORT_OPENCL_ICD_H

#include <CL/cl.h>

#include <stdbool.h>

/* Under AT_SECURE the environment of the loader and of drivers belongs to somebody else. */
bool opencl_icd_is_trustworthy(void);

/* Add to the unused devices why there are only n platforms. Only drivers that are missing are
 * touched. */
void opencl_icd_explain(cl_uint n_platforms);

#endif
