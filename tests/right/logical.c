/* SPDX-License-Identifier: BSD-3-Clause */
/* What is dealt to logical devices, and joined: of replicas of one device, as all others are. */
#include "config.h"

#include "tests/right/right.h"

COHORT_ITEMS(triple, i, n,
             (int64_t n, int64_t d, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t *y COHORT_SHAPE(n, d)),
             {
                 for (int64_t j = 0; j < d; j++)
                     y[i * d + j] = 3 * x[i * d + j];
             });

static void dealt(cohort_strategy *s)
{
    cohort_value *x = whole_rows(s), *part = cohort_value_create(s), *y = cohort_value_create(s),
                 *back = cohort_value_create(s);
    for (int i = 0; i < 3; i++) {
        cohort_split_to_logical_devices(x, i % 2, &part, 1);
        cohort_run(s, triple, part, y);
        cohort_join_logical_devices((cohort_value *[]){ y, part }, 2, 1, back);
    }
    note_value("tripled", back);
    cohort_replicate_to_logical_devices(uneven_rows(s), &part, 1);
    note_value("uneven", part);
    cohort_join_logical_devices((cohort_value *[]){ part, part }, 2, 1, back);
    note_value("twice", back);
}

static void assigned(cohort_strategy *s)
{
    cohort_value *copy = cohort_value_create(s), *sum = cohort_value_create(s);
    cohort_variable *v = cohort_variable_create(s, "v", COHORT_ARRAY(real, CELLS), NULL);
    cohort_assign_to_logical_device(v, copy);
    cohort_reduce(COHORT_MAX, copy, COHORT_NO_AXIS, sum);
    note_value("variable", sum);
    cohort_assign_to_logical_device(2.5, copy);
    cohort_reduce(COHORT_MEAN, copy, COHORT_NO_AXIS, sum);
    note_value("number", sum);
    note_integer("lies", cohort_value_logical_device(copy) + cohort_variable_logical_device(v) +
                             cohort_strategy_use_logical_device(s, 0));
    note_integer("devices", cohort_strategy_num_logical_devices(s));
}

static void whose_devices(cohort_strategy *s)
{
    int first;
    const int own = cohort_strategy_local_replicas(s, &first);
    int64_t n = 0;
    for (int r = 0; r < own; r++)
        n += cohort_strategy_logical_device(s, first + r, 0) != NULL;
    note_added(s, "without one", n - own);
}

const right_program right_logical[] = {
    RIGHT(dealt), RIGHT(assigned), RIGHT(whose_devices), { NULL, NULL }
};
