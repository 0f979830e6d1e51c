/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes in datasets, and in the files that they read: each program trains on them, and looks at
 * its last call. */
#include "config.h"

#include "tests/mistakes/mistakes.h"

#include <stdio.h>

enum { N = 8 };
static float x[N][2], y[N];

COHORT_FUNCTION(add_up, (int64_t n, int64_t d, const float x[n][d], COHORT_OUT float sums[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = sums[i] = 0; j < d; j++)
            sums[i] += x[i][j];
}

COHORT_FUNCTION(twice, (const float x[2], COHORT_OUT float twice[2]), COHORT_HOST_ONLY)
{
    twice[0] = 2 * x[0], twice[1] = 2 * x[1];
}

/* Every step's sums are thrown away, as in a program that is not done yet. */
static cohort_status train(cohort_dataset *dataset)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = cohort_distribute_dataset(s, dataset);
    cohort_value *batch[] = { cohort_value_create(s) }, *sums = cohort_value_create(s);
    while (cohort_input_next(input, batch) == COHORT_OK)
        cohort_run(s, add_up, batch[0], sums);
    return cohort_wait(s);
}

static cohort_dataset *rows(void)
{
    return cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(&x[0][0], N, 2) });
}

static cohort_dataset *batches(cohort_dataset *dataset)
{
    return cohort_dataset_batch(dataset, 4, false);
}

static cohort_status missing_file(bool is_wrong)
{
    const char *file = is_wrong ? "not-there.csv" : mistaken_text("rows.csv", "1,2\n3,4\n");
    return train(batches(cohort_dataset_csv(COHORT_FILES(file), NULL)));
}

static cohort_status pattern_without_a_match(bool is_wrong)
{
    (void)mistaken_text("pattern-1.csv", "1,2\n3,4\n");
    return train(batches(
        cohort_dataset_csv(COHORT_FILES(is_wrong ? "patern-*.csv" : "pattern-*.csv"), NULL)));
}

static cohort_status bad_line(bool is_wrong)
{
    const char *file =
        mistaken_text("line.csv", is_wrong ? "1,2\n3,4\n5,b\n7,8\n" : "1,2\n3,4\n5,6\n7,8\n");
    return train(cohort_dataset_batch(cohort_dataset_csv(COHORT_FILES(file), NULL), 2, false));
}

static cohort_status short_line(bool is_wrong)
{
    const char *file =
        mistaken_text("short.csv", is_wrong ? "1,2\n3\n5,6\n7,8\n" : "1,2\n3,4\n5,6\n7,8\n");
    return train(cohort_dataset_repeat(batches(cohort_dataset_csv(COHORT_FILES(file), NULL)), 2));
}

static cohort_status missing_number(bool is_wrong)
{
    const char *file =
        mistaken_text("missing.csv", is_wrong ? "1,2\n3,\n5,6\n" : "1,2\n3,4\n5,6\n");
    return train(
        cohort_dataset_shuffle(batches(cohort_dataset_csv(COHORT_FILES(file), NULL)), 4, 1));
}

static cohort_status column_that_is_not_there(bool is_wrong)
{
    const char *file = mistaken_text("columns.csv", "age,height,label\n1,2,0\n3,4,1\n");
    cohort_csv_component ages = { is_wrong ? "age,hieght" : "age,height", COHORT_F32 };
    return train(batches(cohort_dataset_csv(
        COHORT_FILES(file), &(cohort_csv_options){ .components = &ages, .n_components = 1 })));
}

static cohort_status no_npy(bool is_wrong)
{
    if (is_wrong)
        (void)mistaken_text("rows.npy", "1 2\n3 4\n");
    else
        cohort_npy_save("rows.npy", COHORT_ARRAY(&x[0][0], N, 2));
    return train(batches(cohort_dataset_npy(COHORT_FILES("rows.npy"))));
}

static cohort_status cut_npy(bool is_wrong)
{
    char bytes[256] = "";
    cohort_npy_save("cut.npy", COHORT_ARRAY(&x[0][0], N, 2));
    FILE *file = fopen("cut.npy", "rb");
    size_t n = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    (void)fclose(file);
    (void)mistaken_file("cut.npy", bytes, is_wrong ? n - 1 : n);
    return train(batches(cohort_dataset_npy(COHORT_FILES("cut.npy"))));
}

COHORT_FUNCTION(count_bytes,
                (int64_t n, int64_t d, const uint8_t x[n][d], COHORT_OUT float sums[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        sums[i] = (float)d + x[i][0];
}

/* "hello", twice. */
#define RECORD "\5\0\0\0\0\0\0\0\xea\xb2\x04>hello\xbb\x1f\x1c\x19"
static const char records[] = RECORD RECORD;

/* Each epoch goes through a file of two records. */
static cohort_status train_on_records(const char *file)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_tfrecord(COHORT_FILES(file), NULL), 1, false));
    cohort_value *batch[] = { cohort_value_create(s) }, *sums = cohort_value_create(s);
    for (int epoch = 0; epoch < 2; epoch++) {
        cohort_input_initialize(input);
        while (cohort_input_next(input, batch) == COHORT_OK)
            cohort_run(s, count_bytes, batch[0], sums);
    }
    return cohort_wait(s);
}

static cohort_status cut_record(bool is_wrong)
{
    return train_on_records(
        mistaken_file("cut.tfrecord", records, sizeof records - 1 - (is_wrong ? 3 : 0)));
}

static cohort_status damaged_record(bool is_wrong)
{
    char bytes[sizeof records];
    memcpy(bytes, records, sizeof records);
    bytes[35] ^= is_wrong; /* of the second hello */
    return train_on_records(mistaken_file("damaged.tfrecord", bytes, sizeof records - 1));
}

static cohort_status empty_batches(bool is_wrong)
{
    return train(cohort_dataset_batch(rows(), is_wrong ? 0 : 4, true));
}

static cohort_status not_batched(bool is_wrong)
{
    cohort_array numbers = COHORT_ARRAY(y, N);
    cohort_dataset *dataset = is_wrong ? cohort_dataset_slices(1, &numbers) : batches(rows());
    return train(dataset);
}

static cohort_status negative_buffer(bool is_wrong)
{
    return train(batches(cohort_dataset_shuffle(rows(), is_wrong ? -1 : 8, 7)));
}

static cohort_status arrays_of_unequal_rows(bool is_wrong)
{
    cohort_array arrays[] = { COHORT_ARRAY(&x[0][0], N, 2), COHORT_ARRAY(y, is_wrong ? N - 1 : N) };
    s = cohort_mirrored("host/2");
    cohort_input *input = cohort_distribute_dataset(s, batches(cohort_dataset_slices(2, arrays)));
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) },
                 *sums = cohort_value_create(s);
    while (cohort_input_next(input, batch) == COHORT_OK)
        cohort_run(s, add_up, batch[0], sums);
    return cohort_wait(s);
}

static cohort_status zip_with_null(bool is_wrong)
{
    cohort_dataset *labels = is_wrong ? NULL : rows();
    cohort_dataset *both = cohort_dataset_zip((cohort_dataset *[]){ rows(), labels }, 2);
    s = cohort_mirrored("host/2");
    cohort_input *input = cohort_distribute_dataset(s, batches(both));
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) };
    while (cohort_input_next(input, batch) == COHORT_OK)
        ;
    return cohort_wait(s);
}

static cohort_status concatenated_dtypes(bool is_wrong)
{
    cohort_dataset *more = is_wrong ? cohort_dataset_range(0, 8, 1) : rows();
    return train(batches(cohort_dataset_concatenate((cohort_dataset *[]){ rows(), more }, 2)));
}

static cohort_status elements_of_unequal_shapes(bool is_wrong)
{
    const char *file = mistaken_text("lines.txt", is_wrong ? "abc\nab\n" : "abc\nabd\n");
    s = cohort_mirrored("host/2");
    cohort_input *input =
        cohort_distribute_dataset(s, batches(cohort_dataset_text(COHORT_FILES(file))));
    cohort_value *batch[] = { cohort_value_create(s) }, *sums = cohort_value_create(s);
    while (cohort_input_next(input, batch) == COHORT_OK)
        cohort_run(s, count_bytes, batch[0], sums);
    return cohort_wait(s);
}

static const cohort_spec pair = { COHORT_F32, 1, { 2 } };

static cohort_status sense(cohort_array out[], void *state, void *is_wrong)
{
    static int count;
    (void)state;
    out[0] = COHORT_ARRAY(x[0], 2);
    if (++count == 3 && *(bool *)is_wrong)
        return cohort_error_set(COHORT_ENODEV, "the sensor fell silent after %d samples", count);
    return count > 6 ? COHORT_END : COHORT_OK;
}

static cohort_status generator_that_fails(bool is_wrong)
{
    cohort_generator sensor = { .next = sense, .user = &is_wrong };
    cohort_status status =
        train(cohort_dataset_batch(cohort_dataset_generator(&pair, 1, &sensor), 2, false));
    return status;
}

static cohort_status make_doubles(cohort_array out[], void *state, void *is_wrong)
{
    static double doubles[2];
    static int count;
    (void)state;
    out[0] = *(bool *)is_wrong ? COHORT_ARRAY(doubles, 2) : COHORT_ARRAY(x[0], 2);
    return ++count > 6 ? COHORT_END : COHORT_OK;
}

static cohort_status generator_of_another_dtype(bool is_wrong)
{
    cohort_generator generator = { .next = make_doubles, .user = &is_wrong };
    return train(batches(cohort_dataset_generator(&pair, 1, &generator)));
}

static cohort_status normalise(const cohort_array in[], cohort_array out[], void *is_wrong)
{
    const float *from = in[0].data;
    float *to = out[0].data;
    to[0] = from[0], to[1] = from[1];
    return *(bool *)is_wrong && from[1] > 4
               ? cohort_error_set(COHORT_EINVAL, "the picture is %g bright", from[1])
               : 0;
}

static cohort_status map_in_own_words(bool is_wrong)
{
    for (int i = 0; i < N; i++)
        x[i][1] = (float)i;
    return train(cohort_dataset_batch(
        cohort_dataset_map_with(rows(), &pair, 1, normalise, &is_wrong, 2), 2, false));
}

static cohort_status map_of_other_arguments(bool is_wrong)
{
    cohort_array numbers = COHORT_ARRAY(y, N);
    cohort_dataset *from = is_wrong ? cohort_dataset_slices(1, &numbers) : rows();
    return train(batches(cohort_dataset_map(from, twice, 1)));
}

static int keep(const cohort_array element[], void *is_wrong)
{
    const float *row = element[0].data;
    return *(bool *)is_wrong && row[1] > 4
               ? (int)cohort_error_set(COHORT_EINVAL, "row %g is no row", row[1])
               : 1;
}

static cohort_status filter_in_own_words(bool is_wrong)
{
    for (int i = 0; i < N; i++)
        x[i][1] = (float)i;
    return train(
        cohort_dataset_batch(cohort_dataset_filter_with(rows(), keep, &is_wrong), 2, false));
}

static cohort_dataset *open_shard(const cohort_array element[], void *is_wrong)
{
    const int64_t *number = element[0].data;
    return cohort_dataset_csv(
        COHORT_FILES(*number == 1 && *(bool *)is_wrong ? "shard-1.csv" : "shard-0.csv"), NULL);
}

static cohort_status shard_that_is_not_there(bool is_wrong)
{
    (void)mistaken_text("shard-0.csv", "1,2\n3,4\n");
    return train(cohort_dataset_batch(
        cohort_dataset_flat_map(cohort_dataset_range(0, 2, 1), &pair, 1, open_shard, &is_wrong), 1,
        false));
}

static cohort_status too_many_weights(bool is_wrong)
{
    cohort_dataset_options options = { .weights = (double[]){ 1, 2, 3 },
                                       .n_weights = is_wrong ? 3 : 2 };
    return train(cohort_dataset_with_options(batches(rows()), &options));
}

static cohort_status negative_weight(bool is_wrong)
{
    cohort_dataset_options options = { .weights = (double[]){ 2, is_wrong ? -1 : 1 },
                                       .n_weights = 2 };
    return train(cohort_dataset_with_options(batches(rows()), &options));
}

static cohort_status shards_of_nobody(bool is_wrong)
{
    cohort_dataset *dataset = batches(cohort_dataset_shard(rows(), COHORT_NUM_PIPELINES, 0));
    cohort_dataset_options options = { .auto_shard =
                                           is_wrong ? COHORT_SHARD_DATA : COHORT_SHARD_HINT };
    return train(cohort_dataset_with_options(dataset, &options));
}

/* Half of the rows to train with, the others to test; where they are shuffled anew these are not
 * the same in the next epoch. */
static cohort_status test_rows_of_a_shuffle(bool is_wrong)
{
    cohort_dataset *all =
        is_wrong ? cohort_dataset_shuffle(rows(), N, 3) : cohort_dataset_shuffle_once(rows(), N, 3);
    cohort_dataset *training = cohort_dataset_take(all, N / 2);
    cohort_status status = train(batches(cohort_dataset_skip(all, N / 2)));
    cohort_dataset_destroy(training);
    return status;
}

static cohort_status split_behind_a_repeat(bool is_wrong)
{
    cohort_dataset *part[2];
    (void)cohort_dataset_split(cohort_dataset_repeat(rows(), 2), 2, (const double[]){ 0.5, 0.5 },
                               &(cohort_split_options){ .by = COHORT_SPLIT_BY_ROWS }, part);
    if (!is_wrong)
        (void)cohort_dataset_split(rows(), 2, (const double[]){ 0.5, 0.5 }, NULL, part);
    cohort_dataset_destroy(part[1]);
    return train(batches(part[0]));
}

/* A run that goes on later, beside a table that somebody has written to. */
static cohort_status position_of_a_table_that_grew(bool is_wrong)
{
    const char *table = mistaken_text("grew.csv", "1,2\n3,4\n");
    s = cohort_mirrored("host/2");
    cohort_input *input =
        cohort_distribute_dataset(s, batches(cohort_dataset_csv(COHORT_FILES(table), NULL)));
    cohort_input_save(input, "grew.position");
    if (is_wrong)
        (void)mistaken_text("grew.csv", "1,2\n3,4\n5,6\n");
    cohort_input_restore(input, "grew.position");
    return cohort_wait(s);
}

static cohort_dataset *two_files(void)
{
    return cohort_dataset_csv(
        COHORT_FILES(mistaken_text("files-0.csv", "1,2\n"), mistaken_text("files-1.csv", "3,4\n")),
        NULL);
}

/* Rows of files beside numbers of rows, which no division of the files divides. */
static cohort_status files_beside_memory(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_dataset *labels = is_wrong ? rows() : two_files();
    cohort_dataset *both = cohort_dataset_zip((cohort_dataset *[]){ two_files(), labels }, 2);
    cohort_input_options options = { .pipeline = { 2, 0, 4 } };
    both =
        cohort_dataset_with_options(cohort_dataset_batch(both, 4, false),
                                    &(cohort_dataset_options){ .auto_shard = COHORT_SHARD_FILE });
    cohort_input *input = cohort_distribute_dataset_with(s, both, &options);
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) },
                 *sums = cohort_value_create(s);
    while (cohort_input_next(input, batch) == COHORT_OK)
        cohort_run(s, add_up, batch[0], sums);
    return cohort_wait(s);
}

const mistaken_program mistaken_datasets[] = {
    MISTAKE(missing_file, "because of an earlier error: not-there.csv: No such file or directory"),
    MISTAKE(pattern_without_a_match,
            "because of an earlier error: patern-*.csv: no file matches this pattern"),
    MISTAKE(bad_line, "cohort_input_next: line.csv: line 3, column 1 (from 0): 'b' is no number; "
                      "expected a decimal number"),
    MISTAKE(short_line,
            "cohort_input_next: short.csv: line 2: a row of 1 field; expected 2, as many "
            "as the first row has:"),
    MISTAKE(missing_number, "cohort_input_next: missing.csv: line 2, column 1 (from 0): '' is a "
                            "missing value; expected a"),
    MISTAKE(column_that_is_not_there,
            "because of an earlier error: columns.csv: columns: 'hieght': "
            "no such column; did you mean 'height'?"),
    MISTAKE(no_npy,
            "because of an earlier error: rows.npy: byte 0: no .npy file, which begins with "
            "\\x93NUMPY"),
    MISTAKE(cut_npy,
            "because of an earlier error: cut.npy: byte 128: float32[8][2] needs 64 bytes, "
            "and 63 follow"),
    MISTAKE(cut_record,
            "cohort_input_next: cut.tfrecord: byte 21: a record of 5 bytes takes 16 more "
            "for its length and"),
    MISTAKE(damaged_record, "cohort_input_next: damaged.tfrecord: byte 21: the checksum of the "
                            "record's 5 bytes is another; the"),
    MISTAKE(empty_batches,
            "because of an earlier error: cohort_dataset_batch: 0 rows; expected 1 or more"),
    MISTAKE(not_batched, "cohort_distribute_dataset: component 0 of the dataset's elements is a "
                         "single number, which cannot"),
    MISTAKE(negative_buffer, "because of an earlier error: cohort_dataset_shuffle: a buffer of -1 "
                             "elements; expected 1 or more"),
    MISTAKE(
        arrays_of_unequal_rows,
        "because of an earlier error: cohort_dataset_slices: array 1 has 7 rows, array 0 has 8"),
    MISTAKE(zip_with_null, "because of an earlier error: cohort_dataset_zip: the dataset is NULL"),
    MISTAKE(concatenated_dtypes,
            "because of an earlier error: cohort_dataset_concatenate: component "
            "0 of dataset 1 is int64"),
    MISTAKE(elements_of_unequal_shapes,
            "cohort_input_next: cohort_dataset_batch: component 0 of an "
            "element is uint8[2], of the first of its"),
    MISTAKE(generator_that_fails,
            "cohort_input_next: cohort_dataset_generator: element 2: the sensor "
            "fell silent after 3 samples"),
    MISTAKE(generator_of_another_dtype, "cohort_input_next: cohort_dataset_generator: element 0, "
                                        "component 0: the callback gives float64[2];"),
    MISTAKE(map_in_own_words,
            "cohort_input_next: cohort_dataset_map_with: element 5: the picture is 5 bright"),
    MISTAKE(map_of_other_arguments,
            "because of an earlier error: cohort_dataset_map: twice: x has 1 "
            "elements, but x[2] says 2"),
    MISTAKE(filter_in_own_words,
            "cohort_input_next: cohort_dataset_filter_with: element 5: row 5 is no row"),
    MISTAKE(shard_that_is_not_there, "cohort_input_next: cohort_dataset_flat_map: element 1: "
                                     "shard-1.csv: No such file or directory"),
    MISTAKE(too_many_weights,
            "cohort_distribute_dataset: the dataset's options have 3 weights, for 2 replicas"),
    MISTAKE(negative_weight,
            "because of an earlier error: cohort_dataset_with_options: weight 1 is "
            "-1; expected a number from 0"),
    MISTAKE(
        files_beside_memory,
        "cohort_auto_shard: COHORT_SHARD_FILE, but cohort_dataset_slices is no source of files"),
    MISTAKE(shards_of_nobody,
            "cohort_dataset_shard: COHORT_NUM_PIPELINES was not filled in; it wants "
            "the option auto_shard ="),
    MISTAKE(test_rows_of_a_shuffle, "because of an earlier error: cohort_dataset_skip: the dataset "
                                    "shuffles anew each time"),
    MISTAKE(split_behind_a_repeat, "because of an earlier error: cohort_dataset_split: the dataset "
                                   "repeats its elements"),
    MISTAKE(position_of_a_table_that_grew, "grew.csv has 12 bytes, and had 8 when the position was "
                                           "saved"),
    { NULL, NULL, NULL },
};
