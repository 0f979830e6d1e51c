/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/long/programs/programs.h"

bool team_start(void)
{
    static float x[2 << 16];
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .replicas = 2 });
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY(x, 2 << 16)),
                 *sum = cohort_value_create(s), *twofold = cohort_value_create(s);
    /* a body starts the team of the thread that calls it, and a large sum those of others */
    bool is_good = cohort_reduce(COHORT_SUM, value, COHORT_NO_AXIS, sum) >= 0 &&
                   cohort_run(s, twice[0], value, twofold) >= 0 && cohort_wait(s) >= 0;
    cohort_strategy_destroy(s);
    return is_good;
}
