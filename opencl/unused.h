/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices and drivers that were seen and are not offered: the extension "cohort.unused/0". */
#ifndef COHORT_OPENCL_UNUSED_H
#define COHORT_OPENCL_UNUSED_H

#include <cohort/plugin.h>

extern const cohort_unused_ops opencl_unused_ops;

/* Add an entry; without memory for it the entry is lost. */
void opencl_unused_add(const char *name, const char *reason, const char *fix);

#endif
