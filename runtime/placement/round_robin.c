/* SPDX-License-Identifier: BSD-3-Clause */
/* Round-robin: variable k has one copy, on parameter device k mod their number. */
#include "config.h"

#include "runtime/placement/placement.h"

int cohort_place_round_robin(const cohort_place_request *request, cohort_copy out[], int capacity,
                             void *user)
{
    (void)capacity;
    (void)user;
    out[0].device = request->ordinal % request->num_parameter_devices;
    return 1;
}
