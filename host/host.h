/* SPDX-License-Identifier: BSD-3-Clause */
/* The host device: OpenMP teams on core sets of this machine. */
#ifndef COHORT_HOST_HOST_H
#define COHORT_HOST_HOST_H

#include "host/memory.h"
#include "host/topology.h"
#include "plugins/kit/operations.h"

/* One part of the machine that was opened. */
struct cohort_dev {
    struct cores home;  /* its own cut */
    struct cores first; /* that of part 0, for a worker whose home the caller sits on */
    struct cores cores; /* where its team runs: home or first */
    int team;           /* threads; never more than cores */
    struct handles handles;
};

/* What the core lends, set when it first asks for the plugin. */
extern const cohort_host *host_table;

/* The operations by their names in cohort_ops; those that its table leaves out are nowhere
 * defined. */
#define HOST_OPERATION(name, ...) cohort_status host_##name(__VA_ARGS__, cohort_error *err);
KIT_OPERATIONS(HOST_OPERATION, HOST_OPERATION)

#endif
