/* SPDX-License-Identifier: BSD-3-Clause */
/* Mirrored: a copy on every device, all equal. */
#include "config.h"

#include "runtime/placement/placement.h"

int cohort_place_mirrored(const cohort_place_request *request, cohort_copy out[], int capacity,
                          void *user)
{
    (void)user;
    for (int32_t i = 0; i < request->num_parameter_devices && i < capacity; i++)
        out[i].device = i;
    return request->num_parameter_devices;
}
