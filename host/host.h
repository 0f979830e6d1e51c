/* SPDX-License-Identifier: BSD-3-Clause */
/* The host device: threads on core sets of this machine. */
#ifndef COHORT_HOST_HOST_H
#define COHORT_HOST_HOST_H

#include "host/crew.h"
#include "host/memory.h"
#include "host/topology.h"
#include "plugins/kit/operations.h"

/* The machine, or a part of it, that was opened. */
struct cohort_dev {
    struct cores home;  /* the cores of this part */
    struct cores first; /* those of part 0, for a worker on whose home the caller's thread runs */
    struct cores cores; /* where the team runs: home or first */
    int threads;        /* that keep home busy: as many as cores, or what a quota leaves of them */
    int team;           /* threads that work, the caller's among them; never more than cores */
    struct crew *crew;  /* the others of them; NULL until something is split */
    struct handles handles;
};

/* Functions that the core lends; set when the core first asks for the plugin. */
extern const cohort_host *host_table;

/* host_NAME for each slot NAME of cohort_ops. Slots that the plugin's table leaves NULL have no
 * definition. */
#define HOST_OPERATION(name, ...) cohort_status host_##name(__VA_ARGS__, cohort_error *err);
KIT_OPERATIONS(HOST_OPERATION, HOST_OPERATION)

#endif
