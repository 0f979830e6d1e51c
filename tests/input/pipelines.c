/* SPDX-License-Identifier: BSD-3-Clause */
/* G: what each of several input pipelines reads. H: the end of the data. */
#include "config.h"

#include "tests/input/cases.h"

/* A batch of 5 of the records 30-39, 80-89 and so on, for one replica. */
static const input_case pipeline_cases[] = {
    { "A1",
      BY_DATASET,
      1,
      5,
      "files 10 10, numbers, batch 25, file",
      { "[0,1,2,3,4] [5,6,7,8,9] [50,51,52,53,54] [55,56,57,58,59]", NULL, NULL,
        "[30,31,32,33,34] [35,36,37,38,39] [80,81,82,83,84] [85,86,87,88,89]", NULL } },
    { "A3",
      BY_DATASET,
      1,
      5,
      "files 10 2, numbers, pair, batch 10, file",
      { NULL, NULL, NULL, "[6,7] [16,17]", NULL } },
    { "A5",
      BY_DATASET,
      1,
      5,
      "files 10 1, numbers, batch 10, off",
      { "[0,1] [2,3] [4,5] [6,7] [8,9]", NULL, NULL, NULL, "[0,1] [2,3] [4,5] [6,7] [8,9]" } },
    { "A6 FILE", BY_DATASET, 1, 2, "range 1024, batch 4, file", { "!FILE", "!FILE" } },
    { "A6 AUTO", BY_DATASET, 1, 2, "range 8, batch 4", { "[0,1] [4,5]", "[2,3] [6,7]" } },
    { "A7 FILE",
      BY_DATASET,
      1,
      3,
      "files 2 2, numbers, batch 3, file",
      { "!2 files;3", "!2 files;3", "!2 files;3" } },
    { "A7 AUTO",
      BY_DATASET,
      1,
      3,
      "files 2 3, numbers, batch 3",
      { "[0] [3]", "[1] [4]", "[2] [5]" } },
    { "A10", BY_DATASET, 1, 2, "range 4, batch 2, prefetch 1, data", { "[0] [2]", "[1] [3]" } },
    { "A11 HINT",
      BY_DATASET,
      1,
      5,
      "range 20, shard -1 0, batch 10, hint",
      { "[0,5] [10,15]", "[1,6] [11,16]", NULL, NULL, "[4,9] [14,19]" } },
    { "A11 no hint",
      BY_DATASET,
      1,
      2,
      "range 4, shard 1 0, batch 4, hint",
      { "[0,1] [2,3]", "[0,1] [2,3]" } },
    { "A11 hint, not HINT",
      BY_DATASET,
      1,
      2,
      "range 20, shard -1 0, batch 10",
      { "!HINT", "!HINT" } },
    { "A12", BY_DATASET, 1, 3, "range 8, batch 4, data", { "[0,1] [4,5]", "[2] [6]", "[3] [7]" } },
    { "A15", BY_DATASET, 1, 2, "range 4, batch 2", { "[0] [2]", "[1] [3]" } },
    { "A15 OFF",
      BY_DATASET,
      1,
      2,
      "range 4, batch 2, off",
      { "[0] [1] [2] [3]", "[0] [1] [2] [3]" } },
    { "A15 function", BY_FUNCTION, 1, 2, "range 4", { "[0] [1] [2] [3]", "[0] [1] [2] [3]" } },
    { "A15 no batch",
      BY_DATASET,
      1,
      2,
      "range 4",
      { "!cohort_dataset_batch", "!cohort_dataset_batch" } },
    { "AUTO by file",
      BY_DATASET,
      2,
      2,
      "files 4 3, numbers, batch 4",
      { "[0][1] [2][6] [7][8]", "[3][4] [5][9] [10][11]" } },
    { "pieces end with the batch",
      BY_DATASET,
      2,
      2,
      "range 6, batch 5, off",
      { "[0,1][2] [3,4][] [5][]", "[0][1] [2][3] [4][] [5][]" } },
    { NULL, BY_DATASET, 0, 0, NULL, { NULL } },
};

static const input_case end_cases[] = {
    { "H4", BY_DATASET, 2, 2, "range 5, batch 4", { "[0][1] [4][]", "[2][3] [][]" } },
    { "H4 function", BY_FUNCTION, 2, 1, "range 3", { "[0][1] [2][]" } },
    { "H5", BY_DATASET, 3, 1, "range 4, batch 3", { "[0][1][2] [3][][]" } },
    { "H6", BY_FUNCTION, 2, 1, "range 10", { "[0][1] [2][3] [4][5] [6][7] [8][9]" } },
    { "H6 incomplete", BY_FUNCTION, 4, 1, "range 10", { "[0][1][2][3] [4][5][6][7] [8][9][][]" } },
    { "per replica", BY_REPLICA, 3, 1, "range 5, shard W w", { "[0][1][2] [3][4][]" } },
    { "per replica, two workers",
      BY_REPLICA,
      2,
      2,
      "range 6, shard W w",
      { "[0][1] [4][5]", "[2][3]" } },
    { "per replica, the whole", BY_REPLICA, 2, 1, "range 2", { "[0][0] [1][1]" } },
    { "no element", BY_DATASET, 2, 1, "range 0, batch 4", { "" } },
    { "no element, function", BY_FUNCTION, 2, 1, "range 0", { "" } },
    { "repeat 0", BY_DATASET, 2, 1, "range 8, batch 4, repeat 0", { "" } },
    { "a batch smaller than the replicas",
      BY_DATASET,
      4,
      1,
      "range 3, batch 2",
      { "[0][1][][] [2][][][]" } },
    { NULL, BY_DATASET, 0, 0, NULL, { NULL } },
};

/* ---- What text does not say. */

static void test_many_pipelines(void)
{
    cohort_strategy *s = open_on("host", 1);
    for (int index = 0; index < 500; index += 499) {
        cohort_input_options options = { .pipeline = { 500, index, 500 } };
        ok(cohort_distribute_dataset_with(
               s, dataset_of("files 10 10, numbers, batch 5, file", 1, 0), &options) == NULL &&
               strstr(cohort_error_text(), "10 files") != NULL &&
               strstr(cohort_error_text(), "500") != NULL,
           "A7: 10 files for 500 pipelines are an error in pipeline %d", index);
    }
    ok(cohort_dataset_auto_shard(dataset_of("range 4", 1, 0), 2, 2) == NULL &&
           strstr(cohort_error_text(), "2") != NULL,
       "A9: pipeline 2 of 2 is none");
    cohort_strategy_destroy(s);
}

static int warnings;

static void count_warnings(void *user, int level, const char *line)
{
    (void)user;
    warnings += level == COHORT_LOG_WARNING && strstr(line, "files") != NULL;
}

static void test_warning(void)
{
    cohort_log_set(count_warnings, NULL, COHORT_LOG_WARNING);
    cohort_strategy *s = open_on("host", 1);
    cohort_input_options options = { .pipeline = { 3, 0, 3 } };
    for (int i = 0; i < 3; i++)
        (void)cohort_distribute_dataset_with(s, dataset_of("files 2 2, numbers, batch 3", 1, 0),
                                             &options);
    (void)cohort_distribute_dataset(s, dataset_of("files 2 2, numbers, batch 3", 1, 0));
    ok(warnings == 3,
       "A7: that AUTO reads everything everywhere is said of each input of several pipelines");
    cohort_log_set(NULL, NULL, COHORT_LOG_WARNING);
    cohort_strategy_destroy(s);
}

static void count_uneven(void *user, int level, const char *line)
{
    (void)user;
    warnings += level == COHORT_LOG_WARNING && strstr(line, "COHORT_SHARD_FILE: of ") != NULL;
}

static void test_uneven(void)
{
    static const struct {
        const char *text;
        int pipelines, warnings;
    } rows[] = { { "files 3 2, numbers, batch 3", 2, 1 }, { "files 4 2, numbers, batch 3", 2, 0 },
                 { "files 5 2, numbers, batch 4", 4, 1 }, { "files 9 2, numbers, batch 4", 4, 1 },
                 { "files 7 2, numbers, batch 3", 2, 0 }, { "files 3 2, numbers, batch 3", 3, 0 },
                 { "files 3 2, numbers, batch 3", 1, 0 }, { "range 9, batch 3", 2, 0 } };
    cohort_log_set(count_uneven, NULL, COHORT_LOG_WARNING);
    cohort_strategy *s = open_on("host", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        warnings = 0;
        for (int w = 0; w < rows[i].pipelines; w++) {
            cohort_input_options options = { .pipeline = { rows[i].pipelines, w,
                                                           rows[i].pipelines } };
            cohort_input_destroy(
                cohort_distribute_dataset_with(s, dataset_of(rows[i].text, 1, 0), &options));
        }
        ok(warnings == rows[i].warnings, "%s over %d: files that are far from even are said, once",
           rows[i].text, rows[i].pipelines);
    }
    cohort_log_set(NULL, NULL, COHORT_LOG_WARNING);
    cohort_strategy_destroy(s);
}

/* One dataset, two inputs. */
static void test_split(void)
{
    cohort_strategy *s = open_on("host", 1);
    cohort_dataset *d = dataset_of("range 5, batch 1", 1, 0);
    cohort_input *train = cohort_distribute_dataset(s, cohort_dataset_take(d, 3));
    cohort_input *test = cohort_distribute_dataset(s, cohort_dataset_skip(d, 3));
    cohort_input *all = cohort_distribute_dataset(s, d);
    is_text(steps_of(s, train, -1), "[0] [1] [2]", "the first elements of a dataset for one input");
    is_text(steps_of(s, test, -1), "[3] [4]", "the others for another");
    is_text(steps_of(s, all, -1), "[0] [1] [2] [3] [4]", "and all of them for a third");
    cohort_strategy_destroy(s);
}

/* A14: every row in one of the two pipelines. */
static void test_disjoint(const char *dataset, const char *claim)
{
    cohort_strategy *s = open_on("host", 1);
    int seen[20] = { 0 };
    bool is_good = true;
    for (int w = 0; w < 2; w++) {
        cohort_input_options options = { .pipeline = { 2, w, 2 } };
        cohort_input *input =
            cohort_distribute_dataset_with(s, dataset_of(dataset, 1, 0), &options);
        const char *found = steps_of(s, input, -1);
        is_good = is_good && good(strchr(found, '!') == NULL);
        for (const char *at = found; *at != '\0' && is_good; at += strcspn(at, "0123456789"))
            if (*at >= '0' && *at <= '9')
                seen[strtol(at, (char **)(uintptr_t)&at, 10) % 20]++;
    }
    for (int i = 0; i < 20; i++)
        is_good = is_good && good(seen[i] == 1);
    ok(is_good, "%s", claim);
    cohort_strategy_destroy(s);
}

/* ---- H3: replicas without rows. */

typedef struct visit {
    cohort_value *x;
    int64_t rows[MOST_REPLICAS];
} visit;

static cohort_status visit_rows(cohort_replica *me, void *user)
{
    visit *it = user;
    it->rows[cohort_replica_id(me)] = cohort_value_rows(it->x, cohort_replica_id(me));
    return COHORT_OK;
}

static void test_absent(void)
{
    const char *devices;
    bool is_good = true;
    for (int k = 0; is_good && (devices = place_of(4, k)) != NULL; k++) {
        cohort_strategy *s = open_on(devices, 4);
        cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 6, batch 4", 1, 0));
        cohort_value *sum = cohort_value_create(s), *y = cohort_value_create(s);
        visit it = { .x = cohort_value_create(s) };
        is_good = is_line(steps_into(s, input, &it.x, 2), "[0][1][2][3] [4][5][][]") &&
                  good(cohort_run(s, affine, it.x, 1, 1, y) == COHORT_OK) &&
                  good(cohort_value_rows(y, 1) == 1 && cohort_value_rows(y, 2) == 0 &&
                       cohort_value_rows(y, 3) == 0) &&
                  good(cohort_reduce(COHORT_SUM, y, 0, sum) == COHORT_OK &&
                       cohort_value_scalar(sum) == 11) &&
                  good(cohort_reduce(COHORT_MEAN, y, 0, sum) == COHORT_OK &&
                       cohort_value_scalar(sum) == 5.5) &&
                  good(cohort_for_each_replica(s, visit_rows, &it) == COHORT_OK) &&
                  good(it.rows[0] == 1 && it.rows[1] == 1 && it.rows[2] == 0 && it.rows[3] == 0);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "H3, H7: a function is not launched for a replica without rows, which no reduction "
                "counts; a step "
                "function runs with 0 rows");
}

void test_pipelines(void)
{
    test_warning();
    test_uneven();
    test_split(); /* before any other input reads too few files */
    check_cases(pipeline_cases);
    test_many_pipelines();

    test_disjoint("range 20, shuffle 20 7, batch 6, data",
                  "A14: shuffled rows under DATA are in one pipeline each");
    test_disjoint("files 10 2, numbers, shuffle 20 7, batch 6, file", "A14: and under FILE");
}

void test_ends(void)
{
    check_cases(end_cases);
    test_absent();
}
