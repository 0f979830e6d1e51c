/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/plugin/user_namespace.h"

#include <stdio.h>

static bool read_overflow_user(unsigned long *out)
{
    FILE *file = fopen("/proc/sys/kernel/overflowuid", "re");
    bool is_read = file != NULL && fscanf(file, "%lu", out) == 1;
    if (file != NULL)
        (void)fclose(file);
    return is_read;
}

/* Neither root outside nor the overflow user inside: else an entry that seems to be that user's may
 * be, and none is root's. */
static bool is_map_without(FILE *map, unsigned long overflow)
{
    unsigned long inside, outside, count;
    int n_read;
    while ((n_read = fscanf(map, "%lu %lu %lu", &inside, &outside, &count)) == 3)
        if (outside == 0 || overflow - inside < count)
            return false;
    return n_read == EOF && !ferror(map);
}

bool cohort_user_namespace_hides(uid_t owner)
{
    unsigned long overflow;
    if (!read_overflow_user(&overflow) || owner != overflow)
        return false;
    FILE *map = fopen("/proc/self/uid_map", "re");
    bool is_hidden = map != NULL && is_map_without(map, overflow);
    if (map != NULL)
        (void)fclose(map);
    return is_hidden;
}
