/* SPDX-License-Identifier: BSD-3-Clause */
/* The files in which drivers of OpenCL make themselves known, looked at when a platform is
 * missing. */
#ifndef COHORT_OPENCL_ICD_H
#define COHORT_OPENCL_ICD_H

#include <CL/cl.h>

#include <stdbool.h>

/* Whether the environment, which the loader and drivers read, is the user's own. false: under
 * AT_SECURE, and with other effective ids than real ones, it may be somebody else's. */
bool opencl_icd_is_trustworthy(void);

/* Whether the loader would load a driver with this part of a name. None is loaded here. */
bool opencl_icd_names(const char *part);

/* Add to the unused devices why there are only n platforms: drivers that make themselves known, and
 * offer none. */
void opencl_icd_explain(cl_uint n_platforms);

#endif
