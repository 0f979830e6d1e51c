/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of each kind, in each place, written by cross-replica calls; steps.c has the others. */
#include "config.h"

#include "tests/right/right.h"

#include <stdio.h>
#include <string.h>

static cohort_variable *make(cohort_strategy *s, const char *name, cohort_array initial,
                             cohort_synchronization synchronization, cohort_aggregation aggregation)
{
    return cohort_variable_create(s, name, initial,
                                  &(cohort_variable_options){ .synchronization = synchronization,
                                                              .aggregation = aggregation });
}

static void write_all(cohort_variable *v, const char *label, cohort_array content)
{
    cohort_variable_assign(v, content);
    cohort_variable_assign_add(v, content);
    note_variable(label, v);
    cohort_variable_assign_sub(v, 7);
    note_variable(label, v);
}

static void on_write(cohort_strategy *s)
{
    static const char *const names[] = { "none", "sum", "mean", "first" };
    const cohort_array integers = COHORT_ARRAY(whole, ROWS, COLUMNS),
                       reals = COHORT_ARRAY(real, ROWS, COLUMNS);
    for (int aggregation = 0; aggregation < 4; aggregation++) {
        const bool is_mean = aggregation == COHORT_AGGREGATE_MEAN;
        cohort_variable *v = make(s, names[aggregation], is_mean ? reals : integers,
                                  COHORT_ON_WRITE, (cohort_aggregation)aggregation);
        note_variable(names[aggregation], v);
        write_all(v, names[aggregation], is_mean ? reals : integers);
        cohort_strategy_broadcast_variables(s);
        note_variable("alike", v);
        note_integer("updates", cohort_variable_updates(v));
    }
    write_all(make(s, "auto", reals, COHORT_AUTO, COHORT_AGGREGATE_NONE), "auto", reals);
}

/* A sum is shared out over the components when it is assigned, and comes back. */
static void on_read(cohort_strategy *s)
{
    const cohort_array integers = COHORT_ARRAY(whole, ROWS), reals = COHORT_ARRAY(real, ROWS);
    cohort_variable *sum = make(s, "sum", integers, COHORT_ON_READ, COHORT_AGGREGATE_SUM);
    note_variable("initial", sum);
    write_all(sum, "sum", integers);
    cohort_variable *first =
        make(s, "first", integers, COHORT_ON_READ, COHORT_AGGREGATE_ONLY_FIRST_REPLICA);
    write_all(first, "first", integers);
    write_all(make(s, "mean", reals, COHORT_ON_READ, COHORT_AGGREGATE_MEAN), "mean", reals);
    write_all(make(s, "fsum", reals, COHORT_ON_READ, COHORT_AGGREGATE_SUM), "sum of reals", reals);
}

COHORT_ITEMS(gain, i, n, (int64_t n, int64_t first, int64_t by, int64_t w[n]),
             { w[i] += by + 0 * first; });

static void components(cohort_strategy *s)
{
    const int64_t zeros[COLUMNS] = { 0 };
    cohort_variable *none =
        make(s, "none", COHORT_ARRAY(zeros, COLUMNS), COHORT_ON_READ, COHORT_AGGREGATE_NONE);
    cohort_value *into = cohort_value_create(s);
    cohort_variable_assign(none, COHORT_ARRAY(whole, COLUMNS));
    cohort_update(none, gain, COHORT_REPLICA_ID, 4, none);
    cohort_reduce(COHORT_MIN, none, COHORT_NO_AXIS, into);
    note_value("least", into);
    cohort_reduce(COHORT_MAX, none, COHORT_NO_AXIS, into);
    note_value("largest", into);
}

static void placements(cohort_strategy *s)
{
    static const char *const names[] = { "mirrored", "central", "round-robin", "sharded" };
    cohort_placement places[7];
    for (int i = 0; i < 4; i++)
        places[i] = *cohort_placement_find(names[i]);
    places[4] = cohort_placement_fixed_shards(3);
    places[5] = cohort_placement_min_bytes(100, 4);
    places[6] = cohort_placement_max_bytes(100, 40);
    for (int i = 0; i < 7; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "v%d", i);
        cohort_variable *v =
            cohort_variable_create(s, name, COHORT_ARRAY(whole, ROWS, COLUMNS),
                                   &(cohort_variable_options){ .placement = &places[i] });
        cohort_update(v, gain, 0, i, v);
        write_all(v, name, COHORT_ARRAY(whole, ROWS, COLUMNS));
        cohort_update(v, gain, 0, i, v);
        note_variable(name, v);
    }
}

static void names(cohort_strategy *s)
{
    cohort_variable *v = cohort_variable_create(s, "v", COHORT_ARRAY(whole, ROWS, COLUMNS), NULL);
    int64_t shape[COHORT_MAX_RANK] = { 0 };
    cohort_dtype dtype;
    cohort_copy copies[MAX_REPLICAS];
    cohort_array lent[MAX_REPLICAS];
    note_integer("found",
                 cohort_variable_find(s, "v") == v && cohort_variable_find(s, "w") == NULL);
    note_integer("named", strcmp(cohort_variable_name(v), "v") == 0);
    note_integer("owned", cohort_variable_strategy(v) == s);
    note_integer("rank", cohort_variable_shape(v, &dtype, shape));
    note_integer("columns", shape[1]);
    const int n = cohort_variable_copies(v, copies, MAX_REPLICAS);
    note_integer("copies are lent", cohort_local_results(v, lent, MAX_REPLICAS) == n);
    note_array("copy", &lent[n - 1]);
    note_integer("container", cohort_value_container(s, lent[0]) == v);
    cohort_variable_destroy(v);
    note_integer("gone", cohort_variable_find(s, "v") == NULL);
}

const right_program right_variables[] = { RIGHT(on_write),   RIGHT(on_read), RIGHT(components),
                                          RIGHT(placements), RIGHT(names),   { NULL, NULL } };
