/* SPDX-License-Identifier: BSD-3-Clause */
/* Which CPUs this process may use, and how near they are to each other. */
#ifndef COHORT_HOST_TOPOLOGY_H
#define COHORT_HOST_TOPOLOGY_H

#include "host/cores.h"

/* Where a CPU sits; -1 unknown. */
struct place {
    int cpu, node, package, core;
};

struct topology {
    struct cores cores; /* all that the process may use, neighbours side by side */
    int numa_node;      /* of all of them; -1: several, or unknown */
};

/* Found at the first call and kept; NULL when the system does not say which CPUs there are. One
 * caller at a time. */
const struct topology *topology_get(void);

/* Fill node, package and core of each place, from /sys; what is not there stays unknown. */
void topology_locate_sysfs(struct place *places, int count);

/* The same from hwloc. false: hwloc does not know this machine, or one of these CPUs; then places
 * may be half filled. */
bool topology_locate_hwloc(struct place *places, int count);

#endif
