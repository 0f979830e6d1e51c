/* SPDX-License-Identifier: BSD-3-Clause */
/* The examples of tf.distribute's pages that concern input, with 1, 2 and 3 replicas on every list
 * of devices. */
#include "config.h"

#include "tests/input/shared.h"

#include <cohort/files.h>

#include <unistd.h>

static void everywhere(int replicas, bool (*check)(cohort_strategy *s, int replicas),
                       const char *claim)
{
    const char *devices, *bad = NULL;
    for (int k = 0; bad == NULL && (devices = place_of(replicas, k)) != NULL; k++) {
        cohort_strategy *s = open_on(devices, replicas);
        if (!good(s != NULL) || !check(s, replicas))
            bad = devices;
        cohort_strategy_destroy(s);
    }
    if (!ok(bad == NULL, "%s; %d replicas", claim, replicas))
        diag("on %s; latest error: %s", bad, cohort_error_text());
}

/* ---- E1: one element, a 1 x 1 matrix, repeated, batched by the size for a replica, sharded by
 * pipeline. */

static const int64_t one = 1;

static cohort_dataset *ones(const cohort_input_context *context, void *user)
{
    int64_t rows = cohort_input_context_batch_size(context, *(const int64_t *)user);
    if (rows < 0)
        return NULL;
    cohort_dataset *d =
        cohort_dataset_repeat(cohort_dataset_tensors(1, &COHORT_ARRAY(&one, 1, 1)), 72);
    d = cohort_dataset_batch(d, rows, false);
    return cohort_dataset_shard(d, context->num_input_pipelines, context->input_pipeline_id);
}

static bool runs_input_function(cohort_strategy *s, int replicas)
{
    int64_t global = 12, odd = 13, steps = 0;
    cohort_value *y = cohort_value_create(s), *sum = cohort_value_create(s);
    cohort_input *input = cohort_make_input_fn_iterator(s, ones, COHORT_PER_WORKER, &global);
    cohort_status status = cohort_input_initialize(input);
    bool is_good = good(status == COHORT_OK);
    while (is_good && (status = cohort_run_next(s, affine, input, 1, 1, y)) == COHORT_OK) {
        steps++;
        is_good = good(cohort_reduce(COHORT_SUM, y, COHORT_NO_AXIS, sum) == COHORT_OK) &&
                  good(cohort_value_rows(y, replicas - 1) == 12 / replicas);
    }
    is_good = is_good && good(status == COHORT_END && steps == 6);
    return is_good &&
           (replicas == 1 ||
            (refused_null(s, cohort_make_input_fn_iterator(s, ones, COHORT_PER_WORKER, &odd)) &&
             good(strstr(cohort_error_text(), "13") != NULL)));
}

static bool runs_in_three_pipelines(cohort_strategy *s, int replicas)
{
    int64_t global = 36, steps = 0;
    bool is_good = true;
    for (int w = 0; w < 3 && is_good; w++) {
        cohort_input_options options = { .pipeline = { 3, w, 3 * replicas } };
        cohort_input *input =
            cohort_distribute_datasets_from_function_with(s, ones, &global, &options);
        cohort_value *x = cohort_value_create(s);
        while (is_good && cohort_input_next(input, &x) == COHORT_OK)
            for (int r = 0; r < replicas; r++)
                steps += cohort_value_rows(x, r);
    }
    return is_good && good(steps == 72);
}

/* ---- E2: for every batch a run and a sum, in several epochs. */

static bool adds_up(cohort_strategy *s, int replicas)
{
    cohort_input *input =
        cohort_distribute_dataset(s, dataset_of("range 100, shuffle 30 5, batch 8", 1, 0));
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s),
                 *sum = cohort_value_create(s);
    bool is_good = good(input != NULL);
    (void)replicas;
    for (int epoch = 0; epoch < 3 && is_good; epoch++) {
        double total = 0;
        while (cohort_input_next(input, &x) == COHORT_OK &&
               cohort_run(s, affine, x, 1, 1, y) == COHORT_OK &&
               cohort_reduce(COHORT_SUM, y, 0, sum) == COHORT_OK)
            total += cohort_value_scalar(sum);
        is_good = good(total == 5050) && good(cohort_input_initialize(input) == COHORT_OK);
    }
    return is_good;
}

/* ---- E3: four files of records. */

enum { RECORD_FILES = 4, RECORDS = 5 };
static char record_names[RECORD_FILES][64];

static uint32_t masked_crc(const void *bytes, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= ((const uint8_t *)bytes)[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
    }
    crc = ~crc;
    return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}

static void put_number(FILE *file, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        (void)fputc((int)(number >> 8 * i & 255), file);
}

/* Length, its checksum, the record (its number in one byte), its checksum. */
static void write_records(void)
{
    const uint8_t length[8] = { 1 };
    for (int i = 0; i < RECORD_FILES; i++) {
        (void)snprintf(record_names[i], sizeof record_names[i], "input-%ld-%d.tfrecord",
                       (long)getpid(), i);
        FILE *file = fopen(record_names[i], "wb");
        if (file == NULL)
            abort();
        for (int k = 0; k < RECORDS; k++) {
            uint8_t record = (uint8_t)(i * RECORDS + k);
            put_number(file, 1, 8);
            put_number(file, masked_crc(length, 8), 4);
            put_number(file, record, 1);
            put_number(file, masked_crc(&record, 1), 4);
        }
        (void)fclose(file);
    }
}

static cohort_status first_byte(const cohort_array in[], cohort_array out[], void *user)
{
    (void)user;
    *(int64_t *)out[0].data = *(const uint8_t *)in[0].data;
    return COHORT_OK;
}

static cohort_dataset *records(void)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    const char *files[RECORD_FILES];
    for (int i = 0; i < RECORD_FILES; i++)
        files[i] = record_names[i];
    cohort_dataset *d = cohort_dataset_tfrecord(files, RECORD_FILES, NULL);
    return cohort_dataset_batch(cohort_dataset_map_with(d, &number, 1, first_byte, NULL, 0), 4,
                                false);
}

static bool reads_records_with(cohort_strategy *s, int replicas, int pipelines)
{
    int seen[RECORD_FILES * RECORDS] = { 0 };
    bool is_good = true;
    for (int w = 0; w < pipelines; w++) {
        cohort_input_options options = { .pipeline = { pipelines, w, pipelines * replicas } };
        cohort_input *input = cohort_distribute_dataset_with(s, records(), &options);
        cohort_value *x = cohort_value_create(s);
        cohort_array parts[MOST_REPLICAS];
        cohort_status status = COHORT_OK;
        while (is_good && (status = cohort_input_next(input, &x)) == COHORT_OK) {
            is_good = good(cohort_local_results(x, parts, MOST_REPLICAS) == replicas);
            for (int r = 0; r < replicas && is_good; r++)
                for (int64_t i = 0; i < parts[r].shape[0]; i++) {
                    int64_t record = ((const int64_t *)parts[r].data)[i];
                    seen[record]++;
                    is_good = is_good && good(pipelines == 1 || record / RECORDS % pipelines == w);
                }
        }
        is_good = is_good && good(status == COHORT_END);
    }
    for (int i = 0; i < RECORD_FILES * RECORDS; i++)
        is_good = is_good && good(seen[i] == 1);
    return is_good;
}

static bool reads_records(cohort_strategy *s, int replicas)
{
    cohort_input_options five = { .pipeline = { 5, 0, 5 * replicas } };
    cohort_dataset_options by_file = { .auto_shard = COHORT_SHARD_FILE };
    return reads_records_with(s, replicas, 1) && reads_records_with(s, replicas, 2) &&
           reads_records_with(s, replicas, 4) &&
           refused_null(s, cohort_distribute_dataset_with(
                               s, cohort_dataset_with_options(records(), &by_file), &five)) &&
           good(strstr(cohort_error_text(), "4 files") != NULL);
}

/* ---- E4: a function with its context; replicas take batches in turn. */

static cohort_dataset *batches_of_two(const cohort_input_context *context, void *user)
{
    *(cohort_input_context *)user = *context;
    return dataset_of("range 12, batch 2", 1, 0);
}

static bool takes_in_turn(cohort_strategy *s, int replicas)
{
    static const char *const wanted[] = { "[0,1] [2,3] [4,5] [6,7] [8,9] [10,11]",
                                          "[0,1][2,3] [4,5][6,7] [8,9][10,11]",
                                          "[0,1][2,3][4,5] [6,7][8,9][10,11]" };
    cohort_input_context seen = { 0, 0, 0 };
    cohort_input *input = cohort_distribute_datasets_from_function(s, batches_of_two, &seen);
    return good(seen.num_input_pipelines == 1 && seen.input_pipeline_id == 0 &&
                seen.num_replicas_in_sync == replicas) &&
           is_line(steps_of(s, input, -1), wanted[replicas - 1]);
}

/* ---- E5: ten ones. */

static bool sums_ones(cohort_strategy *s, int replicas)
{
    int64_t ten[10];
    int kept = 0;
    cohort_value *x = cohort_value_create(s), *sum = cohort_value_create(s);
    bool is_good = true;
    for (uint32_t flags = 0; flags <= COHORT_NUMPY_COPY && is_good; flags++) {
        for (int i = 0; i < 10; i++)
            ten[i] = 1;
        cohort_dataset *d = cohort_make_numpy_dataset(s, 1, &COHORT_ARRAY(ten, 10), flags);
        cohort_input *input = cohort_distribute_dataset(s, cohort_dataset_batch(d, 10, false));
        if (flags == COHORT_NUMPY_COPY)
            memset(ten, 0, sizeof ten);
        cohort_array parts[MOST_REPLICAS];
        is_good = good(cohort_input_next(input, &x) == COHORT_OK) &&
                  good(cohort_local_results(x, parts, MOST_REPLICAS) == replicas);
        kept += is_good && (const int64_t *)parts[0].data == ten;
        is_good = is_good && good(cohort_reduce(COHORT_SUM, x, 0, sum) == COHORT_OK) &&
                  good(cohort_value_scalar(sum) == 10);
        cohort_input_destroy(input);
    }
    return is_good && good(kept == 1);
}

static bool stacks_rows(cohort_strategy *s, int replicas)
{
    const int64_t rows[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    static const char *const wanted[] = { "[1,2,3,4,5,6]", "[1,2,3,4][5,6]", "[1,2][3,4][5,6]" };
    cohort_array arrays[3];
    for (int i = 0; i < 3; i++)
        arrays[i] = COHORT_ARRAY(rows[i], 2);
    cohort_dataset *d = cohort_make_numpy_dataset(s, 3, arrays, COHORT_NUMPY_STACK);
    return good(cohort_dataset_element_spec(d, NULL, 0) == 1) &&
           is_line(steps_of(s, cohort_distribute_dataset(s, cohort_dataset_batch(d, 3, false)), -1),
                   wanted[replicas - 1]);
}

/* ---- E8: central storage: range(5) by 2, each and one. */

static void test_central_storage(void)
{
    static const struct {
        const char *devices;
        int replicas;
        const char *gets;
    } on[] = { { "host", 1, "[1,2] [3,4] [5]" },
               { "host/2", 2, "[1][2] [3][4] [5][]" },
               { "loopback/2", 2, "[1][2] [3][4] [5][]" },
               { "host/3", 3, "[1][2][] [3][4][] [5][][]" } };
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        cohort_strategy *s = cohort_central_storage(on[i].devices, NULL);
        cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 5, batch 2", 1, 0));
        cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
        char found[200] = "";
        while (cohort_input_next(input, &x) == COHORT_OK &&
               cohort_run(s, affine, x, 1, 1, y) == COHORT_OK)
            (void)snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
                           found[0] ? " " : "", step_in(s, y));
        ok(is_line(found, on[i].gets), "E8: %s on %s", on[i].gets, on[i].devices);
        cohort_strategy_destroy(s);
    }
}

/* ---- E9: an infinite dataset, one copy for each worker, another seed. */

static cohort_dataset *seeded(const cohort_input_context *context, void *user)
{
    uint64_t seed = *(const uint64_t *)user + (uint64_t)context->input_pipeline_id;
    cohort_dataset *d = cohort_dataset_shuffle(cohort_dataset_range(0, 30, 1), 30, seed);
    return cohort_dataset_batch(cohort_dataset_repeat(d, COHORT_INFINITE), 4, false);
}

static bool copies_differ(cohort_strategy *s, int replicas)
{
    char found[3][2000];
    uint64_t seed = 11;
    for (int i = 0; i < 3; i++) { /* the third as the first */
        cohort_input_options options = { .pipeline = { 2, i % 2, 2 * replicas } };
        cohort_input *input =
            cohort_distribute_datasets_from_function_with(s, seeded, &seed, &options);
        (void)snprintf(found[i], sizeof found[i], "%s", steps_of(s, input, 20));
        cohort_input_destroy(input);
    }
    return good(found[0][0] == '[' && strchr(found[0], '!') == NULL) &&
           good(strcmp(found[0], found[1]) != 0) && good(strcmp(found[0], found[2]) == 0);
}

void test_examples(void)
{
    write_records();
    for (int replicas = 1; replicas <= 3; replicas++) {
        everywhere(replicas, runs_input_function, "E1: six steps of twelve ones; 13 do not divide");
        everywhere(replicas, runs_in_three_pipelines, "E1: three pipelines share the batches");
        everywhere(replicas, adds_up, "E2: the total of each epoch is the same");
        everywhere(replicas, reads_records,
                   "E3: every record once, by file in 2 and 4 pipelines, and an error in 5");
        everywhere(replicas, takes_in_turn,
                   "E4: the function gets its context, and replicas their batches in turn");
        everywhere(replicas, sums_ones,
                   "E5: ten ones are ten, in place, or copied when that is asked for");
        everywhere(replicas, stacks_rows, "E5: arrays stacked as rows");
        everywhere(replicas, copies_differ,
                   "E9: copies with another seed differ, with the same they do not");
    }
    test_central_storage();
    for (int i = 0; i < RECORD_FILES; i++)
        (void)unlink(record_names[i]);
}
