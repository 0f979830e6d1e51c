/* SPDX-License-Identifier: BSD-3-Clause */
/* What was seen and is not offered: the extension "cohort.unused/0". */
#ifndef COHORT_OPENCL_UNUSED_H
#define COHORT_OPENCL_UNUSED_H

#include <cohort/plugin.h>

extern const cohort_unused_ops opencl_unused_ops;

/* One more entry; lost when there is no memory for it. */
void opencl_unused_add(const char *name, const char *reason, const char *fix);

#endif
