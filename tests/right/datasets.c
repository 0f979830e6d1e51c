/* SPDX-License-Identifier: BSD-3-Clause */
/* Transformations of datasets, handed out by an input. */
#include "config.h"

#include "tests/right/right.h"

static cohort_dataset *numbers(int64_t n)
{
    return cohort_dataset_range(0, n, 1);
}

static cohort_dataset *in_batches(cohort_dataset *dataset)
{
    return cohort_dataset_batch(dataset, 5, false);
}

static void order(cohort_strategy *s)
{
    note_dataset(s, "some",
                 in_batches(cohort_dataset_take(cohort_dataset_skip(numbers(20), 3), 11)));
    note_dataset(s, "repeated", in_batches(cohort_dataset_repeat(numbers(4), 3)));
    note_dataset(s, "shard", in_batches(cohort_dataset_shard(numbers(20), 3, 1)));
    note_dataset(s, "steps down", in_batches(cohort_dataset_range(9, -9, -2)));
}

static void shuffled(cohort_strategy *s)
{
    note_dataset(s, "shuffled", in_batches(cohort_dataset_shuffle(numbers(17), 6, 3)));
    note_dataset(s, "each time",
                 in_batches(cohort_dataset_repeat(cohort_dataset_shuffle(numbers(7), 7, 3), 2)));
    note_dataset(
        s, "once",
        in_batches(cohort_dataset_repeat(cohort_dataset_shuffle_once(numbers(7), 7, 3), 2)));
}

static void parts(cohort_strategy *s)
{
    const cohort_split_by by[] = { COHORT_SPLIT_BY_ROWS, COHORT_SPLIT_BY_BLOCKS,
                                   COHORT_SPLIT_BY_KEY };
    for (int i = 0; i < 3; i++) {
        const cohort_array arrays[] = { COHORT_ARRAY(ids, ROWS), COHORT_ARRAY(whole, ROWS) };
        const cohort_split_options options = { .by = by[i], .key = 0, .seed = 9 };
        cohort_dataset *part[2];
        if (cohort_dataset_split(cohort_dataset_slices(2, arrays), 2, (const double[]){ 0.7, 0.3 },
                                 &options, part) != COHORT_OK) {
            note_failure("split");
            return;
        }
        note_dataset(s, "first", in_batches(part[0]));
        note_dataset(s, "second", in_batches(part[1]));
    }
}

static void batched(cohort_strategy *s)
{
    note_dataset(s, "whole batches", cohort_dataset_batch(numbers(13), 4, true));
    note_dataset(s, "apart",
                 in_batches(cohort_dataset_unbatch(cohort_dataset_batch(numbers(9), 4, false))));
    note_dataset(s, "again",
                 cohort_dataset_rebatch(cohort_dataset_batch(numbers(13), 4, false), 6, false));
    note_dataset(s, "windows", cohort_dataset_window(numbers(11), 4, 3, 2, false));
    note_dataset(s, "numbered",
                 in_batches(cohort_dataset_enumerate(cohort_dataset_range(5, 30, 3), 100)));
}

/* Element k has k % 4 numbers. */
static cohort_status grow(const cohort_array in[], cohort_array out[], void *user)
{
    static const int32_t ones[] = { 1, 2, 3 };
    (void)user;
    const int64_t k = *(const int64_t *)in[0].data;
    out[0].data = (void *)(uintptr_t)ones, out[0].shape[0] = k % 4;
    return COHORT_OK;
}

static void padded(cohort_strategy *s)
{
    const cohort_spec spec = { .dtype = COHORT_I32, .rank = 1, .shape = { -1 } },
                      wide = { .dtype = COHORT_I32, .rank = 1, .shape = { 5 } };
    const double fill[] = { -1 };
    cohort_dataset *ragged = cohort_dataset_map_with(numbers(13), &spec, 1, grow, NULL, 2);
    note_dataset(s, "wide", cohort_dataset_padded_batch(ragged, 5, &wide, fill, false));
}

static void together(cohort_strategy *s)
{
    cohort_dataset *two[] = { numbers(12), cohort_dataset_range(100, 109, 1) };
    note_dataset(s, "zipped", in_batches(cohort_dataset_zip(two, 2)));
    cohort_dataset *three[] = { numbers(4), cohort_dataset_range(100, 109, 1), numbers(2) };
    note_dataset(s, "behind one another", in_batches(cohort_dataset_concatenate(three, 3)));
}

COHORT_FUNCTION(square, (const int64_t x[1], COHORT_OUT int64_t y[1]), COHORT_HOST_ONLY)
{
    y[0] = x[0] * x[0];
}
COHORT_FUNCTION_RETURNING(int, is_odd, (const int64_t x[1]), COHORT_HOST_ONLY)
{
    return x[0] % 2 != 0;
}

static int is_third(const cohort_array element[], void *user)
{
    (void)user;
    return *(const int64_t *)element[0].data % 3 == 0;
}

static void functions(cohort_strategy *s)
{
    note_dataset(s, "squares", in_batches(cohort_dataset_map(numbers(13), square, 2)));
    note_dataset(s, "odd", in_batches(cohort_dataset_filter(numbers(13), is_odd)));
    note_dataset(s, "thirds", in_batches(cohort_dataset_filter_with(numbers(40), is_third, NULL)));
}

static cohort_dataset *up_to(const cohort_array element[], void *user)
{
    (void)user;
    return numbers(*(const int64_t *)element[0].data);
}

static void expanded(cohort_strategy *s)
{
    const cohort_spec number = { .dtype = COHORT_I64 };
    note_dataset(s, "flat",
                 in_batches(cohort_dataset_flat_map(numbers(6), &number, 1, up_to, NULL)));
    note_dataset(s, "in turn",
                 in_batches(cohort_dataset_interleave(numbers(6), &number, 1, up_to, NULL, 3, 2)));
}

static cohort_status refuse_some(const cohort_array in[], cohort_array out[], void *user)
{
    (void)user;
    const int64_t k = *(const int64_t *)in[0].data;
    if (k % 5 == 2)
        return cohort_error_set(COHORT_EINVAL, "%d is none", (int)k);
    *(int64_t *)out[0].data = -k;
    return COHORT_OK;
}

static void kept(cohort_strategy *s)
{
    const cohort_spec number = { .dtype = COHORT_I64 };
    int64_t skipped = 0;
    note_dataset(s, "cached",
                 in_batches(cohort_dataset_repeat(cohort_dataset_cache(numbers(6)), 2)));
    note_dataset(s, "read ahead", in_batches(cohort_dataset_prefetch(numbers(12), 3)));
    cohort_dataset *some = cohort_dataset_map_with(numbers(13), &number, 1, refuse_some, NULL, 1);
    note_dataset(s, "without errors", in_batches(cohort_dataset_ignore_errors(some, &skipped)));
    note_integer("left out", skipped);
    note_dataset(s, "said", in_batches(cohort_dataset_assert_cardinality(numbers(12), 12)));
}

static void for_pipelines(cohort_strategy *s)
{
    note_dataset(s, "second of three",
                 cohort_dataset_auto_shard(cohort_dataset_batch(numbers(13), 2, false), 3, 1));
    const cohort_dataset_options whole_data = { .auto_shard = COHORT_SHARD_DATA,
                                                .global_batch = 6 };
    note_dataset(s, "of a size", cohort_dataset_with_options(in_batches(numbers(12)), &whole_data));
}

static void iterated(cohort_strategy *s)
{
    cohort_dataset *d = cohort_dataset_batch(numbers(7), 3, false);
    cohort_dataset *mine = cohort_dataset_share(d);
    cohort_spec spec[2];
    (void)s;
    note_integer("components", cohort_dataset_element_spec(mine, spec, 2));
    note_integer("batches", cohort_dataset_cardinality(mine));
    note_integer("described", cohort_dataset_describe(mine)[0] != '\0');
    cohort_iterator *it = cohort_dataset_iterate(d);
    cohort_array batch[1];
    for (int pass = 0; pass < 2; pass++) {
        while (cohort_iterator_next(it, batch) == COHORT_OK)
            note_array("batch", &batch[0]);
        cohort_iterator_restart(it);
    }
    cohort_iterator_destroy(it);
    cohort_dataset_destroy(mine);
}

const right_program right_datasets[] = { RIGHT(order),         RIGHT(shuffled), RIGHT(parts),
                                         RIGHT(batched),       RIGHT(padded),   RIGHT(together),
                                         RIGHT(functions),     RIGHT(expanded), RIGHT(kept),
                                         RIGHT(for_pipelines), RIGHT(iterated), { NULL, NULL } };
