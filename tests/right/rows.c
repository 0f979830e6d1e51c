/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing down what inputs hand out, and what several processes have. */
#include "config.h"

#include "tests/right/right.h"

#include <inttypes.h>

int64_t note_steps(cohort_strategy *s, const char *label, cohort_input *input, int64_t steps)
{
    cohort_spec spec[8];
    cohort_value *batch[8];
    const int n = cohort_input_element_spec(input, spec, 8);
    int64_t done = 0;
    if (n < 0)
        note_failure(label);
    for (int i = 0; i < n; i++)
        batch[i] = cohort_value_create(s);
    while (n > 0 && done < steps && cohort_input_next_list(input, batch, n) == COHORT_OK) {
        done++;
        for (int i = 0; i < n; i++)
            note_value(label, batch[i]);
    }
    for (int i = 0; i < n; i++)
        cohort_value_destroy(batch[i]);
    return done;
}

void note_dataset(cohort_strategy *s, const char *label, cohort_dataset *dataset)
{
    cohort_input *input = cohort_distribute_dataset(s, dataset);
    (void)note_steps(s, label, input, INT64_MAX);
    cohort_input_destroy(input);
}

void note_added(cohort_strategy *s, const char *label, int64_t number)
{
    int64_t parts[MAX_REPLICAS] = { 0 };
    cohort_array each[MAX_REPLICAS];
    int first = 0;
    (void)cohort_strategy_local_replicas(s, &first);
    parts[first] = number;
    for (int r = 0; r < MAX_REPLICAS; r++)
        each[r] = COHORT_ARRAY(&parts[r], 1);
    cohort_value *total = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, cohort_value_per_replica(s, each), 0, total);
    note_value(label, total);
}
