/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of CPUs and the affinity of a thread. The masks are larger than the C library's cpu_set_t,
 * which ends at CPU 1023: sched_getaffinity fails on a kernel whose mask is larger than the room
 * for it. */
#include "config.h"

#include "host/cores.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

static void add_stretch(struct cpu_mask *mask, int first, int last)
{
    for (int cpu = first; cpu >= 0 && cpu <= last && cpu < CPU_LIMIT; cpu++)
        CPU_SET_S((size_t)cpu, sizeof *mask, mask->words);
}

/* 0-3,8 */
static void read_list(struct cpu_mask *mask, FILE *file)
{
    int first, last;
    while (fscanf(file, "%d", &first) == 1) {
        int next = fgetc(file);
        bool is_stretch = next == '-' && fscanf(file, "%d", &last) == 1;
        add_stretch(mask, first, is_stretch ? last : first);
        if ((is_stretch ? fgetc(file) : next) != ',')
            return;
    }
}

/* Where /sys is not there, the number alone is known. */
bool cpu_mask_online(struct cpu_mask *out_mask)
{
    CPU_ZERO_S(sizeof *out_mask, out_mask->words);
    FILE *file = fopen("/sys/devices/system/cpu/online", "re");
    if (file != NULL) {
        read_list(out_mask, file);
        (void)fclose(file);
    }
    if (CPU_COUNT_S(sizeof *out_mask, out_mask->words) == 0)
        add_stretch(out_mask, 0, (int)sysconf(_SC_NPROCESSORS_ONLN) - 1);
    return CPU_COUNT_S(sizeof *out_mask, out_mask->words) > 0;
}

void cpu_mask_restore(const struct cpu_mask *mask)
{
    struct cpu_mask now;
    if (cpu_mask_get(&now) && memcmp(&now, mask, sizeof now) != 0)
        (void)sched_setaffinity(0, sizeof *mask, mask->words);
}
