/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps per epoch: each number beside the steps that come, and what is no number. */
#include "config.h"

#include "tests/input/cases.h"

typedef struct count_case {
    case_by by;
    int replicas, workers;
    const char *dataset;
    int64_t steps[MOST_WORKERS]; /* of each pipeline */
} count_case;

static const count_case counts[] = {
    { BY_DATASET, 2, 1, "range 10, batch 4", { 3 } },
    { BY_DATASET, 2, 1, "range 10, drop 4", { 2 } },
    { BY_DATASET, 2, 1, "range 3, drop 4", { 0 } },
    { BY_DATASET, 4, 1, "range 1, batch 8", { 1 } },
    { BY_DATASET, 2, 1, "range 0, batch 4", { 0 } },
    { BY_DATASET, 2, 1, "range 8, batch 4, repeat 0", { 0 } },
    { BY_DATASET, 2, 1, "range 8, batch 4, repeat -1", { COHORT_INFINITE } },
    { BY_DATASET, 2, 1, "range 8, repeat -1, batch 3, take 7", { 7 } },
    { BY_DATASET, 2, 1, "range 10, batch 4, skip 1", { 2 } },
    { BY_DATASET, 2, 1, "range 10, batch 4, shard 2 1", { 1 } },
    { BY_DATASET, 2, 1, "slices, batch 10, shuffle 7 3, prefetch 2, repeat 3", { 21 } },
    { BY_DATASET, 2, 1, "range 10, pair, batch 4", { 3 } },
    { BY_DATASET, 2, 1, "range 10, batch 4, map", { 3 } },
    { BY_DATASET, 2, 1, "count, batch 4", { COHORT_UNKNOWN } },
    { BY_DATASET, 2, 1, "count, batch 4, take 0", { 0 } },
    { BY_DATASET, 2, 1, "files 2 3, numbers, batch 4", { COHORT_UNKNOWN } },
    { BY_ITERATOR, 2, 1, "range 9, batch 4, balanced", { 3 } },
    /* divided over the replicas of all */
    { BY_DATASET, 2, 3, "range 25, batch 12", { 3, 3, 3 } },
    /* in pieces of the pipelines' own: room for 3 of 5 rows, and for 2 */
    { BY_DATASET, 2, 2, "range 6, batch 5, off", { 3, 4 } },
    { BY_DATASET, 2, 2, "range 6, batch 5, shuffle 9 1, prefetch 2, repeat 3, off", { 9, 12 } },
    { BY_DATASET, 2, 2, "range 12, drop 5, off", { 4, 6 } },
    { BY_DATASET, 2, 2, "range 12, drop 5, take 1, off", { 2, 3 } },
    { BY_DATASET, 2, 2, "range 0, batch 5, off", { 0, 0 } },
    { BY_DATASET, 2, 2, "range 6, batch 5, repeat -1, off", { COHORT_INFINITE, COHORT_INFINITE } },
    { BY_DATASET, 1, 2, "range 9, shard -1 0, batch 2, hint", { 5, 4 } },
    { BY_DATASET, 2, 2, "range 6, batch 5, take 1, off", { COHORT_UNKNOWN, COHORT_UNKNOWN } },
    { BY_DATASET, 2, 2, "range 6, batch 5, map, off", { COHORT_UNKNOWN, COHORT_UNKNOWN } },
    { BY_DATASET, 1, 2, "files 2 3, numbers, batch 4, file", { COHORT_UNKNOWN, COHORT_UNKNOWN } },
    /* dealt out */
    { BY_FUNCTION, 2, 1, "range 5", { 3 } },
    { BY_FUNCTION, 2, 2, "range 5, shard W w", { 2, 1 } },
    { BY_FUNCTION, 4, 1, "range 0", { 0 } },
    { BY_FUNCTION, 2, 1, "range 9223372036854775807", { 4611686018427387904 } },
    { BY_FUNCTION, 2, 1, "range 5, repeat -1", { COHORT_INFINITE } },
    { BY_FUNCTION, 2, 1, "count", { COHORT_UNKNOWN } },
    { BY_REPLICA, 3, 1, "range 5, shard W w", { 2 } },
};

enum { FEW = 100 };

/* Also those that end: the input has as many steps as it says, and says so all the time. */
static bool has_steps(const count_case *c, int worker, cohort_strategy *s, cohort_input *input)
{
    cohort_value *values[2] = { cohort_value_create(s), cohort_value_create(s) };
    int64_t said = c->steps[worker], steps = 0;
    bool is_good = good(cohort_input_cardinality(input) == said);
    while (said >= 0 && said < FEW && steps < FEW && cohort_input_next(input, values) == COHORT_OK)
        steps++;
    return is_good && good(said < 0 || said >= FEW || steps == said) &&
           good(cohort_input_cardinality(input) == said);
}

static void test_counts(void)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const count_case *c = &counts[i];
        const input_case it = { "", c->by, c->replicas, c->workers, c->dataset, { NULL } };
        bool is_good = true;
        for (int w = 0; w < c->workers && is_good; w++) {
            cohort_strategy *s = open_on("host", c->replicas);
            cohort_input *input = input_of(&it, s, w);
            is_good = good(input != NULL) && has_steps(c, w, s, input);
            cohort_strategy_destroy(s);
        }
        ok(is_good, "as many steps as said: %s, to %d x %d", c->dataset, c->workers, c->replicas);
    }
}

/* Rows that there are none of are no step, however many batches there would be. */
static void test_no_rows(void)
{
    static float none[1];
    cohort_strategy *s = open_on("host", 2);
    cohort_dataset *d = cohort_dataset_tensors(1, &COHORT_ARRAY(none, 0));
    cohort_input *input = cohort_distribute_dataset(s, cohort_dataset_repeat(d, 3));
    cohort_value *x = cohort_value_create(s);
    ok(good(cohort_input_cardinality(input) == 0) &&
           good(cohort_input_next(input, &x) == COHORT_END),
       "batches without rows are no steps");
    ok(cohort_input_cardinality(NULL) == COHORT_UNKNOWN && cohort_strategy_status(s) == COHORT_OK,
       "of no input the number is not known, which is no error of a strategy");
    cohort_strategy_destroy(s);
}

/* What was taken does not count. */
static void test_positions(void)
{
    static const char file[] = "cardinality-position";
    cohort_strategy *s = open_on("host", 2);
    cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 10, batch 4", 1, 0));
    cohort_value *x = cohort_value_create(s);
    bool is_good = good(cohort_input_next(input, &x) == COHORT_OK) &&
                   good(cohort_input_save(input, file) == COHORT_OK) &&
                   good(cohort_input_restore(input, file) == COHORT_OK) &&
                   good(cohort_input_cardinality(input) == 3) &&
                   good(cohort_input_initialize(input) == COHORT_OK);
    ok(is_good && good(cohort_input_cardinality(input) == 3),
       "a position changes nothing of the number of all steps");
    (void)remove(file);
    cohort_strategy_destroy(s);
}

void test_cardinality(void)
{
    test_counts();
    test_no_rows();
    test_positions();
}
