/* SPDX-License-Identifier: BSD-3-Clause */
/* A device in host memory, and its operations, each of which is complete when it returns. */
#ifndef COHORT_LOOPBACK_DEVICE_H
#define COHORT_LOOPBACK_DEVICE_H

#include "plugins/kit/native.h"
#include "plugins/kit/operations.h"
#include "plugins/loopback/steering.h"

struct cohort_dev {
    uint32_t part;
    struct queue *queue; /* of a stream device; else NULL */
};

struct cohort_kernel {
    struct native_body body;
    const cohort_sig *sig;
};

/* Functions that the core lends; set when the core first asks for the plugin. */
extern const cohort_host *host_table;

/* loopback_NAME for each slot NAME of cohort_ops. Slots that the plugin's table leaves NULL have no
 * definition. */
#define LOOPBACK_OPERATION(name, ...) cohort_status loopback_##name(__VA_ARGS__, cohort_error *err);
KIT_OPERATIONS(LOOPBACK_OPERATION, LOOPBACK_OPERATION)

#endif
