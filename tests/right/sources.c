/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources of datasets: memory, callbacks, and each format of files. */
#include "config.h"

#include "tests/right/right.h"

#include <stdio.h>
#include <string.h>

static void note_batches(cohort_strategy *s, const char *label, cohort_dataset *dataset)
{
    note_dataset(s, label, cohort_dataset_batch(dataset, 4, false));
}

static void arrays(cohort_strategy *s)
{
    const cohort_array list[] = { COHORT_ARRAY(whole, ROWS, COLUMNS), COHORT_ARRAY(real, ROWS) };
    note_batches(s, "slices", cohort_dataset_slices(2, list));
    note_dataset(s, "tensors", cohort_dataset_tensors(2, list));
}

/* The numbers below 11. */
static cohort_status begin(void **state, void *user)
{
    static int64_t counts[MAX_REPLICAS + 1];
    (void)user;
    counts[0] = 0;
    *state = counts;
    return COHORT_OK;
}

static cohort_status next_number(cohort_array out[], void *state, void *user)
{
    (void)user;
    int64_t *count = state;
    if (*count == 11)
        return COHORT_END;
    *(int64_t *)out[0].data = 3 * (*count)++;
    return COHORT_OK;
}

static void generator(cohort_strategy *s)
{
    const cohort_spec number = { .dtype = COHORT_I64 };
    const cohort_generator made = { .begin = begin, .next = next_number };
    note_batches(s, "numbers", cohort_dataset_generator(&number, 1, &made));
}

static void npy(cohort_strategy *s)
{
    const char *file = own_file("rows.npy");
    if (cohort_npy_save(file, COHORT_ARRAY(whole, ROWS, COLUMNS)) != COHORT_OK)
        note_failure("npy");
    note_batches(s, "npy", cohort_dataset_npy(&file, 1));
    (void)remove(file);
}

static const char *text_file(const char *name, const char *text)
{
    const char *path = own_file(name);
    FILE *out = fopen(path, "wb");
    if (out != NULL) {
        (void)fwrite(text, 1, strlen(text), out);
        (void)fclose(out);
    }
    return path;
}

static void csv(cohort_strategy *s)
{
    const cohort_csv_component columns[] = { { "a,c", COHORT_I32 }, { "b", COHORT_F32 } };
    const cohort_csv_options options = { .components = columns, .n_components = 2 };
    const char *file = text_file("rows.csv", "a,b,c\n1,0.1,3\n4,0.2,6\n7,0.7,9\n10,1e-3,12\n"
                                             "13,2.5,15\n");
    note_batches(s, "csv", cohort_dataset_csv(&file, 1, &options));
    (void)remove(file);
}

/* Lines of different lengths. */
static void text(cohort_strategy *s)
{
    const char *file = text_file("lines.txt", "one\nand\r\nanother line\n\nlast");
    note_dataset(s, "text",
                 cohort_dataset_padded_batch(cohort_dataset_text(&file, 1), 3,
                                             (&(cohort_spec){ COHORT_U8, 1, { 14 } }), NULL,
                                             false));
    (void)remove(file);
}

static void records(cohort_strategy *s)
{
    const char *file = text_file("records.bin", "headABCDEFGHIJKLMNOPQRSTUVfoot");
    note_batches(s, "records", cohort_dataset_records(&file, 1, 2, 4, 4));
    (void)remove(file);
}

static void idx(cohort_strategy *s)
{
    const char *file = data_file("rows/i4-4x3.idx");
    note_batches(s, "idx", cohort_dataset_idx(&file, 1));
}

static void names_of_files(cohort_strategy *s)
{
    const char *file = data_file("rows/i4-4x3.idx");
    cohort_dataset *names = cohort_dataset_list_files(&file, 1);
    note_integer("files", cohort_dataset_cardinality(names));
    cohort_dataset_destroy(names);
    note_integer("replicas are there", cohort_strategy_num_replicas(s) > 0);
}

static void tfrecord(cohort_strategy *s)
{
    const char *file = data_file("records/plain.tfrecord");
    note_dataset(s, "tfrecord",
                 cohort_dataset_padded_batch(cohort_dataset_tfrecord(&file, 1, NULL), 4,
                                             (&(cohort_spec){ COHORT_U8, 1, { 1 << 11 } }), NULL,
                                             false));
}

static void npz(cohort_strategy *s)
{
    const char *file = data_file("npy/stored.npz"), *member = "b.npy";
    note_batches(s, "npz", cohort_dataset_npz(&file, 1, &member, 1));
}

const right_program right_sources[] = { RIGHT(arrays), RIGHT(generator),      RIGHT(npy),
                                        RIGHT(csv),    RIGHT(text),           RIGHT(records),
                                        RIGHT(idx),    RIGHT(names_of_files), RIGHT(tfrecord),
                                        RIGHT(npz),    { NULL, NULL } };
