/* SPDX-License-Identifier: BSD-3-Clause */
/* What one of several workers reads of a dataset, without a strategy. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

static const cohort_spec text = { .dtype = COHORT_U8, .rank = 1, .shape = { -1 } };

/* ---- Files whose names are elements. */

static cohort_dataset *expand(const cohort_array element[],
                              cohort_dataset *(*open)(const char *const files[], int n))
{
    char name[2 * TABLE_TEXT];
    size_t n = (size_t)element[0].shape[0];
    if (n >= sizeof name)
        return NULL;
    memcpy(name, element[0].data, n);
    name[n] = '\0';
    return open((const char *const[]){ name }, 1);
}

static cohort_dataset *open_records(const char *const files[], int n)
{
    return cohort_dataset_tfrecord(files, n, NULL);
}

static cohort_dataset *expand_records(const cohort_array element[], void *user)
{
    (void)user;
    return expand(element, open_records);
}

static cohort_dataset *expand_lines(const cohort_array element[], void *user)
{
    (void)user;
    return expand(element, cohort_dataset_text);
}

/* ---- One worker's share. */

static json_t *share(table_case *c, cohort_dataset *d, bool is_flat)
{
    double pipelines = 0, index = 0;
    if (!table_number(c, "workers", &pipelines) || !table_number(c, "index", &index)) {
        cohort_dataset_destroy(d);
        return NULL;
    }
    d = cohort_dataset_auto_shard(d == NULL ? NULL : table_with_options(c, d), (int64_t)pipelines,
                                  (int64_t)index);
    json_t *elements = d == NULL ? NULL : table_elements(c, d, is_flat);
    if (elements == NULL)
        return c->failure[0] != '\0' ? NULL : table_failed(c);
    return json_pack("{s:o}", "elements", elements);
}

/* What is called says it. */
static json_t *share_as_named(table_case *c)
{
    return share(c, table_dataset(c, c->op), false);
}

static json_t *share_hint(table_case *c)
{
    return share(c, cohort_dataset_shard(table_dataset(c, "range(6)"), COHORT_NUM_PIPELINES, 0),
                 false);
}

static json_t *hint_without_sharding(table_case *c)
{
    json_t *found = NULL;
    cohort_dataset *d =
        cohort_dataset_shard(table_dataset(c, "range(100)"), COHORT_NUM_PIPELINES, 0);
    if (d == NULL)
        return table_failed(c);
    found = table_elements(c, d, false);
    return found;
}

static json_t *share_slices(table_case *c)
{
    return share(c, table_slices(c, 7, 0, COHORT_I64), false);
}

static cohort_status count(cohort_array out[], void *state, void *user)
{
    int64_t *next = state;
    (void)user;
    out[0].data = next + 1;
    next[1] = next[0]++;
    return next[1] < 6 ? COHORT_OK : COHORT_END;
}

/* One iteration is under way at a time. */
static cohort_status begin(void **state, void *user)
{
    int64_t *next = user;
    next[0] = 0;
    *state = next;
    return COHORT_OK;
}

static json_t *share_generator(table_case *c)
{
    const cohort_spec number = { .dtype = COHORT_I64 };
    const cohort_generator generator = { .begin = begin,
                                         .next = count,
                                         .user = table_memory(c, 2 * sizeof(int64_t)) };
    return share(c, cohort_dataset_generator(&number, 1, &generator), false);
}

/* ---- Records. */

static json_t *share_listed_records(table_case *c)
{
    const char *const *files = table_record_files(c, 10, 10);
    if (files == NULL)
        return NULL;
    cohort_dataset *d = cohort_dataset_list_files(files, 10);
    return share(
        c,
        cohort_dataset_batch(cohort_dataset_flat_map(d, &text, 1, expand_records, NULL), 5, false),
        true);
}

static json_t *share_records(table_case *c)
{
    const char *const *files = table_record_files(c, 10, 10);
    return files == NULL ? NULL : share(c, cohort_dataset_tfrecord(files, 10, NULL), false);
}

static json_t *share_three_listed(table_case *c)
{
    const char *const *files = table_record_files(c, 3, 2);
    c->named = "3 files";
    if (files == NULL)
        return NULL;
    cohort_dataset *d = cohort_dataset_list_files(files, 3);
    return share(c, cohort_dataset_flat_map(d, &text, 1, expand_records, NULL), false);
}

static json_t *share_three(table_case *c)
{
    const char *const *files = table_record_files(c, 3, 2);
    c->named = "3 files";
    return files == NULL ? NULL : share(c, cohort_dataset_tfrecord(files, 3, NULL), false);
}

/* ---- Lines: 4 files of 3. */

static json_t *share_lines(table_case *c)
{
    const char *const *files = table_text_files(c, 4, 3);
    return files == NULL ? NULL : share(c, cohort_dataset_text(files, 4), false);
}

static json_t *share_batched_lines(table_case *c)
{
    const char *const *files = table_text_files(c, 4, 3);
    return files == NULL
               ? NULL
               : share(c, cohort_dataset_batch(cohort_dataset_text(files, 4), 2, false), false);
}

static json_t *share_listed_lines(table_case *c)
{
    const char *const *files = table_text_files(c, 4, 3);
    return files == NULL ? NULL
                         : share(c,
                                 cohort_dataset_flat_map(cohort_dataset_list_files(files, 4), &text,
                                                         1, expand_lines, NULL),
                                 false);
}

static json_t *share_concatenated_lines(table_case *c)
{
    const char *const *files = table_text_files(c, 4, 3);
    if (files == NULL)
        return NULL;
    cohort_dataset *halves[] = { cohort_dataset_text(files, 2), cohort_dataset_text(files + 2, 2) };
    return share(c, cohort_dataset_concatenate(halves, 2), false);
}

static json_t *share_interleaved_lines(table_case *c)
{
    const char *const *files = table_text_files(c, 4, 3);
    return files == NULL ? NULL
                         : share(c,
                                 cohort_dataset_interleave(cohort_dataset_list_files(files, 4),
                                                           &text, 1, expand_lines, NULL, 2, 1),
                                 false);
}

/* ---- Two workers that shuffle read different records, together all of them. */

static json_t *share_shuffled(table_case *c, const char *const *files, int64_t index)
{
    cohort_dataset *d = cohort_dataset_shuffle(cohort_dataset_list_files(files, 10), 10, 7);
    d = cohort_dataset_shuffle(cohort_dataset_flat_map(d, &text, 1, expand_records, NULL), 30, 8);
    d = cohort_dataset_auto_shard(d == NULL ? NULL : table_with_options(c, d), 2, index);
    return d == NULL ? table_failed(c) : table_elements(c, d, false);
}

/* The number of texts that are in both; each is in a list once. */
static json_int_t common(const json_t *a, const json_t *b)
{
    json_t *seen = json_object(), *text_of;
    json_int_t n = 0;
    size_t i;
    json_array_foreach(a, i, text_of)
        json_object_set_new(seen, json_string_value(text_of), json_true());
    json_array_foreach(b, i, text_of) n +=
        json_object_get(seen, json_string_value(text_of)) != NULL;
    json_decref(seen);
    return n;
}

static json_t *shares_differ(table_case *c)
{
    const char *const *files = table_record_files(c, 10, 10);
    json_t *a = files == NULL ? NULL : share_shuffled(c, files, 0),
           *b = a == NULL ? NULL : share_shuffled(c, files, 1);
    json_t *found = NULL;
    if (b != NULL) {
        json_int_t n_a = (json_int_t)json_array_size(a), n_b = (json_int_t)json_array_size(b),
                   both = common(a, b);
        found = json_pack("{s:[I, I], s:I, s:I}", "sizes", n_a, n_b, "common", both, "union",
                          n_a + n_b - both);
    }
    json_decref(a);
    json_decref(b);
    return found;
}

static json_t *numbers_of_policies(table_case *c)
{
    (void)c;
    return json_pack("{s:[i, i, i, i, i]}", "list", COHORT_SHARD_OFF, COHORT_SHARD_AUTO,
                     COHORT_SHARD_FILE, COHORT_SHARD_DATA, COHORT_SHARD_HINT);
}

const table_operation table_shard_operations[] = {
    { "list_files(10 files x 10 records) -> flat_map(TFRecord) -> batch(5)", share_listed_records },
    { "TFRecordDataset(10 files x 10 records)", share_records },
    { "3 files, 5 workers, AUTO", share_three_listed },
    { "3 files, 5 workers, FILE, worker 0", share_three_listed },
    { "3 files, 5 workers, FILE, worker 4", share_three_listed },
    { "TFRecordDataset(3 files), 5 workers, FILE", share_three },
    { "range(4), 2 workers, index -1", share_as_named },
    { "range(4).prefetch(1), DATA", share_as_named },
    { "range(10).batch(4), AUTO", share_as_named },
    { "range(5).repeat(2), AUTO", share_as_named },
    { "range(100).shard(SHARD_HINT, 0), no auto-shard", hint_without_sharding },
    { "range(6).shard(SHARD_HINT,0), DATA", share_hint },
    { "from_tensor_slices(7), AUTO", share_slices },
    { "from_generator of 6, AUTO", share_generator },
    { "from_tensor_slices(files).flat_map(TextLine), AUTO", share_listed_lines },
    { "TextLine(files 0,1).concatenate(TextLine(files 2,3)), AUTO", share_concatenated_lines },
    { "TextLineDataset(4 files x 3 lines), FILE", share_lines },
    { "TextLineDataset(4 files x 3 lines).batch(2), AUTO", share_batched_lines },
    { "TextLineDataset(4 files x 3 lines).batch(2), DATA", share_batched_lines },
    { "files.interleave(TextLine, cycle 2), AUTO", share_interleaved_lines },
    { "files shuffled before the reader, records shuffled after, 2 workers", shares_differ },
    { "values of AutoShardPolicy as in the notes", numbers_of_policies },
    { NULL, NULL },
};
