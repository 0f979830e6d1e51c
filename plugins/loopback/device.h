/* SPDX-License-Identifier: BSD-3-Clause */
/* A device in host memory: what is opened, and the operations on it, each complete when it
 * returns. */
#ifndef COHORT_LOOPBACK_DEVICE_H
#define COHORT_LOOPBACK_DEVICE_H

#include "plugins/kit/native.h"
#include "plugins/kit/operations.h"
#include "plugins/loopback/steering.h"

struct cohort_dev {
    uint32_t part;
    struct queue *queue; /* of a stream device */
};

struct cohort_kernel {
    struct native_body body;
    const cohort_sig *sig;
};

/* What the core lends, set when it first asks for the plugin. */
extern const cohort_host *host_table;

/* The operations by their names in cohort_ops; those that its table leaves out are nowhere
 * defined. */
#define LOOPBACK_OPERATION(name, ...) cohort_status loopback_##name(__VA_ARGS__, cohort_error *err);
KIT_OPERATIONS(LOOPBACK_OPERATION, LOOPBACK_OPERATION)

#endif
