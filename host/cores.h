/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of CPUs as the scheduler knows them, and the affinity of the calling thread. */
#ifndef COHORT_HOST_CORES_H
#define COHORT_HOST_CORES_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

enum { CPU_LIMIT = 8 * CPU_SETSIZE }; /* the largest that Linux can be built for */

struct cpu_mask {
    cpu_set_t words[CPU_LIMIT / CPU_SETSIZE];
};

/* A stretch of the topology's list of CPUs, which lives as long as the process. */
struct cores {
    const int *cpus;
    int count;
};

static inline bool cores_equal(struct cores a, struct cores b)
{
    return a.cpus == b.cpus && a.count == b.count;
}

/* Bind a thread of this process, 0: the calling one; false where the system refuses. */
bool cores_bind(pid_t thread, struct cores cores);

/* Where a CPU stands in the stretch, -1: nowhere. */
int cores_find(struct cores cores, int cpu);

bool cpu_mask_has(const struct cpu_mask *mask, int cpu);

/* The affinity of the calling thread; false where the system does not say. */
bool cpu_mask_get(struct cpu_mask *out_mask);

/* All CPUs that are online; false where the system does not say. */
bool cpu_mask_online(struct cpu_mask *out_mask);

/* Give the calling thread this affinity, if it has another one. */
void cpu_mask_restore(const struct cpu_mask *mask);

#endif
