/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/placement/placement.h"

#include <stddef.h>
#include <string.h>

static const cohort_placement table[] = {
    { "mirrored", cohort_placement_mirrored },
};

const cohort_placement *cohort_placement_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
