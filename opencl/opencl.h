/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin: what the core lends to it, and the operations of its table. */
#ifndef COHORT_OPENCL_OPENCL_H
#define COHORT_OPENCL_OPENCL_H

#include "plugins/kit/operations.h"

#include <cohort/plugin.h>

/* Functions that the core lends; set when the core first asks for the plugin. */
extern const cohort_host *opencl_host;

extern const cohort_handle_ops opencl_handle_ops;

/* The operations by their names in cohort_ops; those that its table leaves out are nowhere
 * defined. */
#define OPENCL_OPERATION(name, ...) cohort_status opencl_##name(__VA_ARGS__, cohort_error *err);
KIT_OPERATIONS(OPENCL_OPERATION, OPENCL_OPERATION)

#endif
