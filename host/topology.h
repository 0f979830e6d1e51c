/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs that this process may use, how near they are to each other, and how many threads they
 * keep busy. */
#ifndef COHORT_HOST_TOPOLOGY_H
#define COHORT_HOST_TOPOLOGY_H

#include "host/cores.h"
#include "host/quota.h"

/* Where a CPU sits; -1 unknown. */
struct place {
    int cpu, node, package;
    int cache, core; /* the first CPU of those that share it */
};

struct topology {
    struct cores cores; /* all that the process may use, neighbours side by side */
    int numa_node;      /* of all of them; -1: several, or unknown */
    int threads;        /* that they keep busy: one each, or what the quota leaves of them */
    struct quota quota; /* that was found, followed or not */
};

/* Found at the first call, said in the log, and kept; NULL when the system does not say which CPUs
 * there are. One caller at a time. */
const struct topology *topology_get(void);

/* Fill in where each of the CPUs is; what the system does not say stays unknown. */
void topology_locate(struct place *places, int count);

#endif
