/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and transformations of datasets by their names. */
#include "config.h"

#include "tests/table/pipeline.h"

#include <string.h>

/* ---- What elements are made of. */

cohort_dataset *table_slices(table_case *c, int64_t rows, int64_t columns, cohort_dtype dtype)
{
    size_t bytes = (size_t)cohort_dtype_bytes(dtype),
           n = (size_t)(rows * (columns > 0 ? columns : 1));
    char *data = table_memory(c, n * bytes);
    cohort_array array = {
        .data = data, .dtype = dtype, .rank = columns > 0 ? 2 : 1, .shape = { rows, columns }
    };
    for (size_t i = 0; i < n; i++) {
        json_t *number = json_integer((json_int_t)i);
        (void)table_encode(number, dtype, data + i * bytes);
        json_decref(number);
    }
    return cohort_dataset_slices(1, &array);
}

/* The room is there when all extents are known, else the element itself is lent. */
static void pass_on(const cohort_array *in, cohort_array *out)
{
    int64_t n = cohort_dtype_bytes(in->dtype);
    void *room = out->data;
    for (int i = 0; i < in->rank; i++)
        n *= in->shape[i];
    *out = *in;
    if (room != NULL && n > 0)
        memcpy(room, in->data, (size_t)n);
    if (room != NULL)
        out->data = room;
}

static cohort_status same_element(const cohort_array in[], cohort_array out[], void *user)
{
    const int *n = user;
    for (int k = 0; k < *n; k++)
        pass_on(&in[k], &out[k]);
    return COHORT_OK;
}

/* The number of components is lent to the map for as long as the program runs. */
static cohort_dataset *do_map(cohort_dataset *d, const pipeline_call *x)
{
    static int counts[TABLE_MAX_COMPONENTS + 1] = { 0, 1, 2, 3, 4 };
    cohort_spec specs[TABLE_MAX_COMPONENTS];
    int n = cohort_dataset_element_spec(d, specs, TABLE_MAX_COMPONENTS);
    (void)x;
    return cohort_dataset_map_with(d, specs, n, same_element,
                                   &counts[n < 0 || n > TABLE_MAX_COMPONENTS ? 0 : n], 1);
}

static int64_t hundred = 100;

static cohort_status add_number(const cohort_array in[], cohort_array out[], void *user)
{
    const int64_t *number = user;
    int64_t sum;
    memcpy(&sum, in[0].data, sizeof sum);
    sum += *number;
    memcpy(out[0].data, &sum, sizeof sum);
    return COHORT_OK;
}

static int any(const cohort_array element[], void *user)
{
    (void)element, (void)user;
    return 1;
}

/* Batches that an element becomes: no batch of the pipeline itself. */
static cohort_dataset *expand(const cohort_array element[], void *user)
{
    (void)element, (void)user;
    return cohort_dataset_batch(cohort_dataset_range(0, 8, 1), 4, false);
}

static const cohort_spec batches = { .dtype = COHORT_I64, .rank = 1, .shape = { -1 } };

/* ---- Calls. */

static cohort_dataset *do_batch(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_batch(d, x->numbers[0], x->numbers[1] != 0);
}

static cohort_dataset *do_padded_batch(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_padded_batch(d, x->numbers[0], NULL, NULL, x->numbers[1] != 0);
}

static cohort_dataset *do_rebatch(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_rebatch(d, x->numbers[0], x->numbers[1] != 0);
}

static cohort_dataset *do_unbatch(cohort_dataset *d, const pipeline_call *x)
{
    (void)x;
    return cohort_dataset_unbatch(d);
}

static cohort_dataset *do_repeat(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_repeat(d, x->n_numbers > 0 ? x->numbers[0] : COHORT_INFINITE);
}

static cohort_dataset *do_take(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_take(d, x->numbers[0]);
}

static cohort_dataset *do_skip(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_skip(d, x->numbers[0]);
}

static cohort_dataset *do_shard(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_shard(d, x->numbers[0], x->numbers[1]);
}

static cohort_dataset *do_shuffle(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_shuffle(d, x->numbers[0], (uint64_t)x->numbers[1]);
}

static cohort_dataset *do_prefetch(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_prefetch(d, x->numbers[0]);
}

static cohort_dataset *do_cache(cohort_dataset *d, const pipeline_call *x)
{
    (void)x;
    return cohort_dataset_cache(d);
}

static cohort_dataset *do_add_hundred(cohort_dataset *d, const pipeline_call *x)
{
    const cohort_spec number = { .dtype = COHORT_I64 };
    (void)x;
    return cohort_dataset_map_with(d, &number, 1, add_number, &hundred, 1);
}

static cohort_dataset *do_filter(cohort_dataset *d, const pipeline_call *x)
{
    (void)x;
    return cohort_dataset_filter_with(d, any, NULL);
}

static cohort_dataset *do_options(cohort_dataset *d, const pipeline_call *x)
{
    const cohort_dataset_options options = { .auto_shard = COHORT_SHARD_AUTO };
    (void)x;
    return cohort_dataset_with_options(d, &options);
}

static cohort_dataset *do_flat_map(cohort_dataset *d, const pipeline_call *x)
{
    (void)x;
    return cohort_dataset_flat_map(d, &batches, 1, expand, NULL);
}

static cohort_dataset *do_interleave(cohort_dataset *d, const pipeline_call *x)
{
    (void)x;
    return cohort_dataset_interleave(d, &batches, 1, expand, NULL, 2, 1);
}

static cohort_dataset *do_concatenate(cohort_dataset *d, const pipeline_call *x)
{
    return cohort_dataset_concatenate((cohort_dataset *[]){ d, x->datasets[0] }, 2);
}

/* chains: how many datasets it wants. */
static const struct transformation {
    const char *word;
    cohort_dataset *(*perform)(cohort_dataset *d, const pipeline_call *x);
    int chains;
} transformations[] = {
    { "batch", do_batch, 0 },
    { "padded_batch", do_padded_batch, 0 },
    { "rebatch", do_rebatch, 0 },
    { "unbatch", do_unbatch, 0 },
    { "repeat", do_repeat, 0 },
    { "take", do_take, 0 },
    { "skip", do_skip, 0 },
    { "shard", do_shard, 0 },
    { "shuffle", do_shuffle, 0 },
    { "prefetch", do_prefetch, 0 },
    { "cache", do_cache, 0 },
    { "map", do_map, 0 },
    { "add_hundred", do_add_hundred, 0 },
    { "filter", do_filter, 0 },
    { "options", do_options, 0 },
    { "flat_map", do_flat_map, 0 },
    { "interleave", do_interleave, 0 },
    { "concatenate", do_concatenate, 1 },
};
enum { TRANSFORMATIONS = sizeof transformations / sizeof *transformations };

static cohort_dataset *from_range(const pipeline_call *x)
{
    const int64_t *at = x->numbers;
    return x->n_numbers < 2 ? cohort_dataset_range(0, at[0], 1)
                            : cohort_dataset_range(at[0], at[1], x->n_numbers > 2 ? at[2] : 1);
}

cohort_dataset *pipeline_give_up(cohort_dataset *d, const pipeline_call *x)
{
    cohort_dataset_destroy(d);
    for (int i = 0; i < x->n_datasets; i++)
        cohort_dataset_destroy(x->datasets[i]);
    return NULL;
}

cohort_dataset *pipeline_source(table_case *c, const pipeline_call *x)
{
    if (strcmp(x->word, "range") == 0)
        return from_range(x);
    if (strcmp(x->word, "zip") == 0 && x->n_datasets == 2)
        return cohort_dataset_zip(x->datasets, 2);
    if (strcmp(x->word, "rows") == 0) /* rows(r, c): elements of c numbers */
        return table_slices(c, x->numbers[0], x->numbers[1], COHORT_I64);
    (void)pipeline_give_up(NULL, x);
    return (void *)table_malformed(c, "\"%s\" is no source of a dataset", x->word);
}

cohort_dataset *pipeline_transform(table_case *c, cohort_dataset *d, const pipeline_call *x)
{
    for (int i = 0; i < TRANSFORMATIONS; i++)
        if (strcmp(transformations[i].word, x->word) == 0 &&
            transformations[i].chains == x->n_datasets)
            return transformations[i].perform(d, x);
    (void)pipeline_give_up(d, x);
    return (void *)table_malformed(c, "\"%s\" is no transformation", x->word);
}
