/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions on the device; the operation itself is in the plugin's table. */
#ifndef COHORT_OPENCL_REDUCE_H
#define COHORT_OPENCL_REDUCE_H

#include <cohort/plugin.h>

/* Give back the kernels that the device's reductions have made. */
void opencl_reduce_fini(cohort_dev *dev);

#endif
