/* SPDX-License-Identifier: BSD-3-Clause */
/* What a loop over an input costs in memory. */
#include "config.h"

#include "tests/input/shared.h"

/* Blocks of memory after each of n steps. */
static bool count_blocks(const char *dataset, int ahead, int64_t blocks[], int n)
{
    cohort_strategy *s = open_on("host/2", 3);
    cohort_input_options options = { .ahead = ahead };
    cohort_input *input = cohort_distribute_dataset_with(s, dataset_of(dataset, 1, 0), &options);
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
    bool is_good = good(input != NULL);
    for (int step = 0; step < n && is_good; step++) {
        is_good = good(cohort_input_next(input, &x) == COHORT_OK) &&
                  good(cohort_run(s, affine, x, 2, 0, y) == COHORT_OK) &&
                  good(cohort_wait(s) == COHORT_OK);
        blocks[step] = cohort_memory_blocks();
    }
    cohort_strategy_destroy(s);
    return is_good;
}

static int64_t most_of(const int64_t blocks[], int from, int to)
{
    int64_t most = 0;
    for (int i = from; i < to; i++)
        most = blocks[i] > most ? blocks[i] : most;
    return most;
}

/* In the caller's thread the number is the same after every step. */
static void test_constant(const char *dataset, int from)
{
    int64_t blocks[200];
    bool is_good = count_blocks(dataset, -1, blocks, 200);
    for (int i = from; i < 200 && is_good; i++)
        is_good = good(blocks[i] == blocks[from]);
    ok(is_good, "steps %d to 200 allocate nothing: %s", from, dataset);
}

/* A thread that reads ahead takes what it needs when it is first as far ahead as it may, which
 * nobody knows when; a new repetition opens what it repeats again. So the number has a bound, which
 * long runs do not pass. */
static void test_bounded(const char *dataset, int ahead)
{
    int64_t blocks[1200];
    bool is_good = count_blocks(dataset, ahead, blocks, 1200);
    ok(is_good && most_of(blocks, 600, 1200) <= most_of(blocks, 0, 600) + (ahead < 0 ? 0 : 3),
       "1200 steps hold no more memory than 600: %s, ahead %d", dataset, ahead);
}

void test_steady(void)
{
    static const char *const datasets[] = {
        "slices, repeat -1, batch 5",
        "slices, shuffle 30 1, repeat -1, batch 5",
        "slices, batch 5, repeat -1",
        "range 50, batch 5, repeat -1",
        "slices, shuffle 64 1, batch 5, repeat -1",
        "count, batch 5",
        "count, shuffle 9 2, batch 5",
        "count, batch 5, prefetch 3",
    };
    test_constant("slices, repeat -1, batch 5", 20);
    test_constant("slices, shuffle 30 1, repeat -1, batch 5", 20);
    test_constant("count, batch 5", 10);
    test_constant("count, shuffle 9 2, batch 5", 10);
    for (size_t i = 0; i < sizeof datasets / sizeof *datasets; i++) {
        test_bounded(datasets[i], -1 + (strstr(datasets[i], "prefetch") != NULL));
        test_bounded(datasets[i], 2);
    }
}
