/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin: what the core lends to it, and the operations of its table. */
#ifndef COHORT_HOST_HOST_H
#define COHORT_HOST_HOST_H

#include "plugins/kit/operations.h"

#include <cohort/plugin.h>

/* Functions that the core lends; set when the core first asks for the plugin. */
extern const cohort_host *host_table;

/* host_NAME for each slot NAME of cohort_ops. Slots that the plugin's table leaves NULL have no
 * definition. */
#define HOST_OPERATION(name, ...) cohort_status host_##name(__VA_ARGS__, cohort_error *err);
KIT_OPERATIONS(HOST_OPERATION, HOST_OPERATION)

#endif
