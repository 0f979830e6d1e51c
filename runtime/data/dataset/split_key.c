/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements whose key was drawn for this part. The draw follows from key and seed alone: so parts
 * are the same however the elements are ordered, repeated, or shared out among pipelines. */
#include "config.h"

#include "runtime/data/dataset/split.h"

#include <string.h>

/* The number that stands there, its bits above filled up with 0: the same on every machine. */
static uint64_t number_at(const void *item, int64_t bytes)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 1:
        memcpy(&one, item, sizeof one);
        return one;
    case 2:
        memcpy(&two, item, sizeof two);
        return two;
    case 4:
        memcpy(&four, item, sizeof four);
        return four;
    default:
        memcpy(&eight, item, sizeof eight);
        return eight;
    }
}

static uint64_t hash(const cohort_array *key)
{
    int64_t n = cohort_part_items(key), bytes = cohort_dtype_bytes(key->dtype);
    uint64_t sum = cohort_random_mix((uint64_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        sum = cohort_random_mix(sum ^ number_at((const char *)key->data + i * bytes, bytes));
    return sum;
}

static bool is_ours(const cohort_split_part *part, const cohort_element *element)
{
    const cohort_split_options *options = &part->plan->options;
    cohort_random random;
    cohort_random_seed(&random, options->seed, hash(&element->parts[options->key]));
    return cohort_split_part_has_draw(part, &random);
}

static cohort_status next_of_key(cohort_cursor *cursor, cohort_element *out)
{
    const cohort_split_part *part = cursor->dataset->parameters;
    cohort_cursor *input = ((cohort_unary_cursor *)cursor)->input;
    cohort_status status = cohort_split_part_length(part) > 0 ? COHORT_OK : COHORT_END;
    do
        status = status == COHORT_OK ? cohort_cursor_next(input, out) : status;
    while (status == COHORT_OK && !is_ours(part, out));
    return cohort_cursor_pass(cursor, input, status);
}

static const cohort_cursor_kind of_key = { .next = next_of_key,
                                           .close = cohort_cursor_close_unary };

static cohort_status open_key(const cohort_dataset *dataset, const cohort_opening *how,
                              cohort_cursor **out)
{
    return cohort_cursor_open_unary(dataset, &of_key, how, sizeof(cohort_unary_cursor), out);
}

const cohort_dataset_kind cohort_split_key = { .name = "split",
                                               .derive = cohort_split_part_derive,
                                               .describe = cohort_split_part_describe,
                                               .open = open_key,
                                               .free_parameters = cohort_split_part_free };
