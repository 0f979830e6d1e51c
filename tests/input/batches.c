/* SPDX-License-Identifier: BSD-3-Clause */
/* F: how a global batch is divided over replicas, of one worker and of several. */
#include "config.h"

#include "tests/input/cases.h"

#define SCALARS "!cohort_dataset_batch;function"

static const input_case cases[] = {
    { "F1", BY_DATASET, 2, 2, "range 8, batch 8", { "[0,1][2,3]", "[4,5][6,7]" } },
    { "F3",
      BY_DATASET,
      2,
      2,
      "range 14, batch 7",
      { "[0,1][2,3] [7,8][9,10]", "[4,5][6] [11,12][13]" } },
    { "F6 10", BY_DATASET, 2, 2, "range 10, batch 10", { "[0,1,2][3,4,5]", "[6,7][8,9]" } },
    { "F6 13",
      BY_DATASET,
      3,
      2,
      "range 13, batch 13",
      { "[0,1,2][3,4][5,6]", "[7,8][9,10][11,12]" } },
    { "F6 5", BY_DATASET, 1, 2, "range 5, batch 5", { "[0,1,2]", "[3,4]" } },
    { "F7", BY_DATASET, 2, 1, "range 8, batch 4", { "[0,1][2,3] [4,5][6,7]" } },
    { "F8", BY_DATASET, 2, 1, "range 5, batch 4", { "[0,1][2,3] [4][]" } },
    { "F8 drop_remainder", BY_DATASET, 2, 1, "range 5, drop 4", { "[0,1][2,3]" } },
    { "F9", BY_DATASET, 1, 1, "range 12, batch 6", { "[0,1,2,3,4,5] [6,7,8,9,10,11]" } },
    { "F14", BY_DATASET, 3, 1, "range 8, batch 4", { "[0,1][2][3] [4,5][6][7]" } },
    { "F14 ceil", BY_DATASET, 3, 1, "range 8, batch 4, ceil", { "[0,1][2,3][] [4,5][6,7][]" } },
    { "F15", BY_DATASET, 2, 1, "range 10, batch 4", { "[0,1][2,3] [4,5][6,7] [8,9][]" } },
    { "F15 ceil", BY_DATASET, 2, 1, "range 10, batch 4, ceil", { "[0,1][2,3] [4,5][6,7] [8][9]" } },
    { "F15 drop_remainder", BY_DATASET, 2, 1, "range 10, drop 4", { "[0,1][2,3] [4,5][6,7]" } },
    { "F15 ceil, drop_remainder",
      BY_DATASET,
      2,
      1,
      "range 10, drop 4, ceil",
      { "[0,1][2,3] [4,5][6,7]" } },
    { "F17", BY_DATASET, 2, 1, "range 10", { SCALARS } },
    { "F17 one replica", BY_DATASET, 1, 1, "range 10", { SCALARS } },
    { "F17b", BY_ITERATOR, 2, 1, "range 10", { SCALARS } },
    { "F19 batch", BY_DATASET, 2, 1, "range 6, batch 4", { "[0,1][2,3] [4,5][]" } },
    { "F19 batch, take",
      BY_DATASET,
      2,
      1,
      "range 30, batch 4, skip 5, take 5",
      { "[20,21][22,23] [24,25][26,27] [28,29][]" } },
    { "F19 zip of equal", BY_DATASET, 2, 1, "range 6, batch 4, pair", { "[0,1][2,3] [4,5][]" } },
    { "F19 batch, map", BY_DATASET, 2, 1, "range 6, batch 4, map", { "[0,1][2,3] [4,5][]" } },
    { "F19 what follows",
      BY_DATASET,
      2,
      1,
      "range 6, batch 4, repeat 1, prefetch 2, shard 1 0",
      { "[0,1][2,3] [4,5][]" } },
    { "G by option", BY_DATASET, 2, 1, "range 6, batch 3, global 8", { "[0,1,2][] [3,4,5][]" } },
    { "G below the batch",
      BY_DATASET,
      2,
      1,
      "range 6, batch 4, global 2",
      { "[0,1][2,3] [4][5]" } },
    { "balanced",
      BY_DATASET,
      3,
      1,
      "range 9, batch 7, balanced",
      { "[0,1,2][3,4][5,6] [7][8][]" } },
    { "F20", BY_DATASET, 2, 1, "range 14, batch 8", { "[0,1,2,3][4,5,6,7] [8,9,10,11][12,13]" } },
    { "F20 OFF",
      BY_DATASET,
      2,
      1,
      "range 14, batch 8, off",
      { "[0,1,2,3][4,5,6,7] [8,9,10,11][12,13]" } },
    { "F20 DATA",
      BY_DATASET,
      2,
      1,
      "range 14, batch 8, data",
      { "[0,1,2,3][4,5,6,7] [8,9,10,11][12,13]" } },
    { "F20 FILE",
      BY_DATASET,
      2,
      1,
      "files 2 7, numbers, batch 8, file",
      { "[0,1,2,3][4,5,6,7] [8,9,10,11][12,13]" } },
    { "F20 FILE without files",
      BY_DATASET,
      2,
      1,
      "range 14, batch 8, file",
      { "[0,1,2,3][4,5,6,7] [8,9,10,11][12,13]" } },
    { "F20 HINT",
      BY_DATASET,
      2,
      1,
      "range 14, batch 8, hint",
      { "[0,1,2,3][4,5,6,7] [8,9,10,11][12,13]" } },
    { "F21",
      BY_DATASET,
      1,
      2,
      "range 14, batch 8",
      { "[0,1,2,3] [8,9,10,11]", "[4,5,6,7] [12,13]" } },
    { "F21 DATA",
      BY_DATASET,
      1,
      2,
      "range 14, batch 8, data",
      { "[0,1,2,3] [8,9,10,11]", "[4,5,6,7] [12,13]" } },
    { "F22",
      BY_FUNCTION,
      1,
      2,
      "range 14, batch 4, shard W w",
      { "[0,1,2,3] [8,9,10,11]", "[4,5,6,7] [12,13]" } },
    { "F23",
      BY_DATASET,
      2,
      1,
      "range 14, batch 8, repeat 2",
      { "[0,1,2,3][4,5,6,7] [8,9,10,11][12,13] [0,1,2,3][4,5,6,7] [8,9,10,11][12,13]" } },
    { "F23 OFF",
      BY_DATASET,
      2,
      1,
      "range 14, batch 8, repeat 2, off",
      { "[0,1,2,3][4,5,6,7] [8,9,10,11][12,13] [0,1,2,3][4,5,6,7] [8,9,10,11][12,13]" } },
    { "F25", BY_DATASET, 2, 1, "range 8, skip 5, batch 2", { "[5][6] [7][]" } },
    { "F26", BY_DATASET, 2, 1, "range 5, batch 2", { "[0][1] [2][3] [4][]" } },
    { "F28 split",
      BY_DATASET,
      2,
      1,
      "range 30, batch 10",
      { "[0,1,2,3,4][5,6,7,8,9] [10,11,12,13,14][15,16,17,18,19] "
        "[20,21,22,23,24][25,26,27,28,29]" } },
    { "F28 unsplit",
      BY_FUNCTION,
      2,
      1,
      "range 12, batch 4",
      { "[0,1,2,3][4,5,6,7] [8,9,10,11][]" } },
    { NULL, BY_DATASET, 0, 0, NULL, { NULL } },
};

/* ---- Sizes of a full batch: fill, and ceil where it differs. */

static const struct {
    int rows, replicas;
    const char *fill, *ceil;
} sizes[] = {
    { 4, 3, "2,1,1", "2,2,0" },
    { 4, 4, "1,1,1,1", NULL },
    { 4, 5, "1,1,1,1,0", NULL },
    { 4, 8, "1,1,1,1,0,0,0,0", NULL },
    { 5, 3, "2,2,1", NULL },
    { 5, 4, "2,1,1,1", "2,2,1,0" },
    { 5, 5, "1,1,1,1,1", NULL },
    { 5, 8, "1,1,1,1,1,0,0,0", NULL },
    { 6, 3, "2,2,2", NULL },
    { 6, 4, "2,2,1,1", "2,2,2,0" },
    { 6, 5, "2,1,1,1,1", "2,2,2,0,0" },
    { 6, 8, "1,1,1,1,1,1,0,0", NULL },
    { 7, 3, "3,2,2", "3,3,1" },
    { 7, 4, "2,2,2,1", NULL },
    { 7, 5, "2,2,1,1,1", "2,2,2,1,0" },
    { 7, 8, "1,1,1,1,1,1,1,0", NULL },
    { 10, 3, "4,3,3", "4,4,2" },
    { 10, 4, "3,3,2,2", "3,3,3,1" },
    { 10, 5, "2,2,2,2,2", NULL },
    { 10, 8, "2,2,1,1,1,1,1,1", "2,2,2,2,2,0,0,0" },
    { 13, 3, "5,4,4", "5,5,3" },
    { 13, 4, "4,3,3,3", "4,4,4,1" },
    { 13, 5, "3,3,3,2,2", "3,3,3,3,1" },
    { 13, 8, "2,2,2,2,2,1,1,1", "2,2,2,2,2,2,1,0" },
    { 16, 3, "6,5,5", "6,6,4" },
    { 16, 4, "4,4,4,4", NULL },
    { 16, 5, "4,3,3,3,3", "4,4,4,4,0" },
    { 16, 8, "2,2,2,2,2,2,2,2", NULL },
};

static bool has_sizes(const char *devices, int rows, int replicas, const char *split,
                      const char *wanted)
{
    char dataset[100], found[200] = "";
    size_t used = 0;
    cohort_strategy *s = open_on(devices, replicas);
    (void)snprintf(dataset, sizeof dataset, "range %d, batch %d%s", rows, rows, split);
    cohort_input *input = cohort_distribute_dataset(s, dataset_of(dataset, 1, 0));
    cohort_value *x = cohort_value_create(s);
    bool is_good = good(cohort_input_next(input, &x) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        used = add_number(found, used, sizeof found, cohort_value_rows(x, r), r == 0);
    is_good = is_good && is_line(found, wanted) && good(cohort_input_next(input, &x) == COHORT_END);
    cohort_strategy_destroy(s);
    return is_good;
}

static void test_sizes(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int rows = sizes[i].rows, replicas = sizes[i].replicas;
        bool is_good = true;
        const char *devices;
        for (int k = 0; is_good && (devices = place_of(replicas, k)) != NULL; k++)
            is_good = has_sizes(devices, rows, replicas, "", sizes[i].fill) &&
                      has_sizes(devices, rows, replicas, ", ceil",
                                sizes[i].ceil ? sizes[i].ceil : sizes[i].fill);
        ok(is_good, "%d rows over %d replicas: fill %s, ceil %s", rows, replicas, sizes[i].fill,
           sizes[i].ceil != NULL ? sizes[i].ceil : "the same");
    }
}

/* F4: batches of 4 or 5 on several workers and replicas. */
static void test_invariants(void)
{
    static const int shapes[][3] = {
        { 4, 1, 5 }, { 4, 2, 5 }, { 4, 5, 1 }, { 5, 2, 2 }, { 4, 4, 2 }
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        int rows = shapes[i][0], workers = shapes[i][1], replicas = shapes[i][2];
        int64_t sum = 0, least = 100, most = 0;
        char dataset[40];
        (void)snprintf(dataset, sizeof dataset, "range 60, batch %d", rows);
        for (int w = 0; w < workers; w++) {
            cohort_strategy *s = open_on("host", replicas);
            cohort_input_options options = { .pipeline = { workers, w, workers * replicas } };
            cohort_input *input =
                cohort_distribute_dataset_with(s, dataset_of(dataset, 1, 0), &options);
            cohort_value *x = cohort_value_create(s);
            (void)good(cohort_input_next(input, &x) == COHORT_OK);
            for (int r = 0; r < replicas; r++) {
                int64_t n = cohort_value_rows(x, r);
                sum += n;
                least = n < least ? n : least;
                most = n > most ? n : most;
            }
            cohort_strategy_destroy(s);
        }
        ok(sum == rows && most - least <= 1,
           "F4: %d rows over %d x %d replicas: all of them, none has 2 more", rows, workers,
           replicas);
    }
}

/* ---- Weights. */

static void test_weights(void)
{
    static const struct {
        double weights[4];
        int n;
        cohort_split split;
        const char *dataset, *gets;
    } weighted[] = {
        { { 3, 1 },
          2,
          COHORT_SPLIT_FILL,
          "range 14, batch 8",
          "[0,1,2,3,4,5][6,7] [8,9,10,11,12,13][]" },
        { { 3, 1 },
          2,
          COHORT_SPLIT_BALANCED,
          "range 12, batch 8",
          "[0,1,2,3,4,5][6,7] [8,9,10][11]" },
        { { 1, 0, 1 }, 3, COHORT_SPLIT_FILL, "range 5, batch 4", "[0,1][][2,3] [4][][]" },
        { { 0, 0, 2 }, 3, COHORT_SPLIT_BALANCED, "range 5, batch 4", "[][][0,1,2,3] [][][4]" },
        { { 1, 1, 1 },
          3,
          COHORT_SPLIT_FILL,
          "range 4, batch 4",
          "[0,1][2][3]" }, /* of equal ones the lower id */
        { { 0.5, 0.25, 0.25 },
          3,
          COHORT_SPLIT_FILL,
          "range 7, batch 7",
          "[0,1,2][3,4][5,6]" }, /* 3.5, 1.75, 1.75 */
        { { 1e300, 1e300 }, 2, COHORT_SPLIT_FILL, "range 4, batch 4", "[0,1][2,3]" },
        { { 1e-300, 3e-300 }, 2, COHORT_SPLIT_FILL, "range 4, batch 4", "[0][1,2,3]" },
    };
    for (size_t i = 0; i < sizeof weighted / sizeof *weighted; i++) {
        cohort_dataset_options options = { .split = weighted[i].split,
                                           .weights = weighted[i].weights,
                                           .n_weights = weighted[i].n };
        bool is_good = true;
        const char *devices;
        for (int k = 0; is_good && (devices = place_of(weighted[i].n, k)) != NULL; k++) {
            cohort_strategy *s = open_on(devices, weighted[i].n);
            cohort_dataset *d =
                cohort_dataset_with_options(dataset_of(weighted[i].dataset, 1, 0), &options);
            is_good = is_line(steps_of(s, cohort_distribute_dataset(s, d), -1), weighted[i].gets);
            cohort_strategy_destroy(s);
        }
        ok(is_good, "by weight: %s gives %s", weighted[i].dataset, weighted[i].gets);
    }
}

/* ---- Elements of more than numbers. */

/* F13: batches of batches: the first axis is what is divided. */
static void test_deep_batches(void)
{
    bool is_good = true;
    const char *devices;
    for (int k = 0; is_good && (devices = place_of(2, k)) != NULL; k++) {
        cohort_strategy *s = open_on(devices, 2);
        cohort_input *input =
            cohort_distribute_dataset(s, dataset_of("range 16, batch 2, batch 4", 1, 0));
        cohort_value *x = cohort_value_create(s);
        int64_t shape[COHORT_MAX_RANK] = { 0 };
        is_good =
            is_line(steps_into(s, input, &x, 1), "[0,1,2,3][4,5,6,7]") &&
            good(cohort_value_shape(x, 1, NULL, shape) == 2 && shape[0] == 2 && shape[1] == 2) &&
            is_line(steps_into(s, input, &x, -1), "[8,9,10,11][12,13,14,15]");
        cohort_strategy_destroy(s);
    }
    ok(is_good, "F13: range(16).batch(2).batch(4): 2 x 2 numbers to each of 2 replicas");
}

/* F18: whoever of the replicas gets what. */
static void test_uneven_components(void)
{
    static const int64_t x[8];
    const char *devices;
    bool is_good = true;
    for (int k = 0; is_good && (devices = place_of(2, k)) != NULL; k++) {
        cohort_strategy *s = open_on(devices, 2);
        cohort_dataset *sides[] = { dataset_of("range 8, batch 3", 1, 0),
                                    cohort_dataset_batch(
                                        cohort_dataset_slices(1, &COHORT_ARRAY(x, 8)), 2, false) };
        cohort_input *input = cohort_distribute_dataset(s, cohort_dataset_zip(sides, 2));
        cohort_value *values[] = { cohort_value_create(s), cohort_value_create(s) };
        for (int i = 0; i < 2 && is_good;
             i++) { /* after recovering, the input's error is the same */
            is_good = refused(s, COHORT_EINVAL, cohort_input_next(input, values));
            const char *found = cohort_error_text();
            is_good = is_good &&
                      good(strstr(found, "component 0 of an element has 3 rows") != NULL) &&
                      good(strstr(found, "component 1 has 2") != NULL);
        }
        cohort_strategy_destroy(s);
    }
    ok(is_good, "F18: components of 3 and of 2 rows are an error that names both and stays");
}

/* F19: of batches of 4 beside batches of 8 no batch size is declared: 2 rows are one for each of 2
 * replicas. */
static void test_unequal_zip(void)
{
    cohort_strategy *s = open_on("host/2", 2);
    cohort_dataset *sides[] = { dataset_of("range 2, batch 4", 1, 0),
                                dataset_of("range 2, batch 8", 1, 0) };
    ok(is_line(steps_of(s, cohort_distribute_dataset(s, cohort_dataset_zip(sides, 2)), -1),
               "[0][1]"),
       "F19: zip of batches of 4 and of 8 declares no batch size");
    cohort_strategy_destroy(s);
}

/* F27: two arrays, twice. */
static void test_arrays(void)
{
    static const int64_t x[6][2] = { { 1, 2 }, { 6, 12 }, { 2, 4 }, { 5, 10 }, { 3, 6 }, { 4, 8 } };
    static const int64_t y[6] = { 5, 4, 3, 2, 1, 0 };
    const cohort_array arrays[] = { COHORT_ARRAY(&x[0][0], 6, 2), COHORT_ARRAY(y, 6) };
    bool is_good = true;
    const char *devices;
    for (int k = 0; is_good && (devices = place_of(4, k)) != NULL; k++) {
        cohort_strategy *s = open_on(devices, 4);
        cohort_dataset *d = cohort_make_numpy_dataset(s, 2, arrays, 0);
        cohort_input *input = cohort_distribute_dataset(
            s, cohort_dataset_batch(cohort_dataset_repeat(d, 2), 6, false));
        cohort_value *values[] = { cohort_value_create(s), cohort_value_create(s) };
        int64_t all_x[6][2], all_y[6];
        is_good = good(input != NULL);
        for (int step = 0; step < 2 && is_good; step++)
            is_good =
                good(cohort_input_next(input, values) == COHORT_OK) &&
                good(cohort_value_read(values[0], COHORT_ARRAY(&all_x[0][0], 6, 2)) == COHORT_OK) &&
                good(cohort_value_read(values[1], COHORT_ARRAY(all_y, 6)) == COHORT_OK) &&
                good(memcmp(all_x, x, sizeof x) == 0) && good(memcmp(all_y, y, sizeof y) == 0) &&
                is_line(step_in(s, values[1]), "[5,4][3,2][1][0]");
        is_good = is_good && good(cohort_input_next(input, values) == COHORT_END) &&
                  good(cohort_input_next(input, values) == COHORT_END) &&
                  is_line(step_in(s, values[1]), "[5,4][3,2][1][0]");
        cohort_strategy_destroy(s);
    }
    ok(is_good,
       "F27: two arrays, twice: each step has all rows, then the end comes and writes nothing");
}

void test_batches(void)
{
    check_cases(cases);
    test_sizes();
    test_invariants();
    test_weights();
    test_deep_batches();
    test_uneven_components();
    test_unequal_zip();
    test_arrays();
}
