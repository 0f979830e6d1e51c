/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/long/programs/programs.h"

bool team_start(void)
{
    static float x[2][1 << 16];
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .replicas = 2 });
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY(&x[0][0], 2, 1 << 16)),
                 *sum = cohort_value_create(s);
    bool is_good =
        cohort_reduce(COHORT_SUM, value, COHORT_NO_AXIS, sum) >= 0 && cohort_wait(s) >= 0;
    cohort_strategy_destroy(s);
    return is_good;
}
