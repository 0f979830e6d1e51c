/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of CPUs and the affinity of a thread. The masks are larger than the C library's cpu_set_t,
 * which ends at CPU 1023: sched_getaffinity fails on a kernel whose mask is larger than the room
 * for it. */
#include "config.h"

#include "host/cores.h"

#include <string.h>

int cores_find(struct cores cores, int cpu)
{
    for (int i = 0; i < cores.count; i++)
        if (cores.cpus[i] == cpu)
            return i;
    return -1;
}

bool cores_bind(pid_t thread, struct cores cores)
{
    struct cpu_mask mask;
    CPU_ZERO_S(sizeof mask, mask.words);
    for (int i = 0; i < cores.count; i++)
        CPU_SET_S((size_t)cores.cpus[i], sizeof mask, mask.words);
    return sched_setaffinity(thread, sizeof mask, mask.words) == 0;
}

bool cpu_mask_has(const struct cpu_mask *mask, int cpu)
{
    return cpu >= 0 && CPU_ISSET_S((size_t)cpu, sizeof *mask, mask->words);
}

bool cpu_mask_get(struct cpu_mask *out_mask)
{
    CPU_ZERO_S(sizeof *out_mask, out_mask->words);
    return sched_getaffinity(0, sizeof *out_mask, out_mask->words) == 0;
}

void cpu_mask_restore(const struct cpu_mask *mask)
{
    struct cpu_mask now;
    if (cpu_mask_get(&now) && memcmp(&now, mask, sizeof now) != 0)
        (void)sched_setaffinity(0, sizeof *mask, mask->words);
}
