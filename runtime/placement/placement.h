/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement policies: where a variable lives. One row of the table and one file each. */
#ifndef COHORT_PLACEMENT_PLACEMENT_H
#define COHORT_PLACEMENT_PLACEMENT_H

#include <stdint.h>

/* Fill devices[0 .. n - 1], n at most n_devices, with the devices that hold a copy of the whole variable, ascending.
 * Returns n, at least 1. */
typedef int32_t (*cohort_place_fn)(int32_t n_devices, int32_t devices[]);

typedef struct cohort_placement {
    const char *name;
    cohort_place_fn place;
} cohort_placement;

/* By name; NULL when there is none. */
const cohort_placement *cohort_placement_find(const char *name);

int32_t cohort_placement_mirrored(int32_t n_devices, int32_t devices[]);

#endif
