/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers one step apart. Unsigned arithmetic: the way from the first to the last may be longer
 * than an int64. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include <string.h>

typedef struct range_parameters {
    int64_t start, stop, step;
} range_parameters;

typedef struct range_cursor {
    cohort_cursor head;
    uint64_t next, count;
    int64_t value; /* what the element shows */
    cohort_array part;
} range_cursor;

static const range_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* Rounded up: the last step may pass `stop`, which itself is never given. */
static uint64_t count_of(const range_parameters *p)
{
    bool is_up = p->step > 0;
    if (is_up ? p->start >= p->stop : p->start <= p->stop)
        return 0;
    uint64_t way =
        is_up ? (uint64_t)p->stop - (uint64_t)p->start : (uint64_t)p->start - (uint64_t)p->stop;
    uint64_t step = is_up ? (uint64_t)p->step : UINT64_C(0) - (uint64_t)p->step;
    return (way - 1) / step + 1;
}

/* The sum wraps as often as it must: the bits are right where the true value fits an int64. */
static int64_t value_at(const cohort_cursor *cursor, uint64_t index)
{
    const range_parameters *p = parameters_of(cursor->dataset);
    uint64_t bits = (uint64_t)p->start + index * (uint64_t)p->step;
    int64_t value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Elements show the cursor's one number, which the next call overwrites: they do not last. */
static cohort_status number_at(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    range_cursor *c = (range_cursor *)cursor;
    c->value = value_at(cursor, (uint64_t)index);
    *out = (cohort_element){ .parts = &c->part, .n = 1 };
    return COHORT_OK;
}

static cohort_status next_number(cohort_cursor *cursor, cohort_element *out)
{
    range_cursor *c = (range_cursor *)cursor;
    if (c->next == c->count)
        return COHORT_END;
    c->value = value_at(cursor, c->next++);
    *out = (cohort_element){ .parts = &c->part, .n = 1 };
    return COHORT_OK;
}

static int64_t at_most(const range_cursor *c, int64_t n)
{
    return (uint64_t)n < c->count - c->next ? n : (int64_t)(c->count - c->next);
}

static cohort_status skip_numbers(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    range_cursor *c = (range_cursor *)cursor;
    *out_passed = at_most(c, n);
    c->next += (uint64_t)*out_passed;
    return COHORT_OK;
}

static cohort_status copy_numbers(cohort_cursor *cursor, int64_t n, void *const into[],
                                  int64_t *out_rows)
{
    range_cursor *c = (range_cursor *)cursor;
    *out_rows = at_most(c, n);
    for (int64_t i = 0; i < *out_rows; i++) {
        int64_t value = value_at(cursor, c->next++);
        memcpy((char *)into[0] + (size_t)i * sizeof value, &value, sizeof value);
    }
    return COHORT_OK;
}

static const cohort_cursor_kind numbers = { .next = next_number,
                                            .close = cohort_cursor_free,
                                            .skip = skip_numbers,
                                            .at = number_at,
                                            .copy = copy_numbers };

static cohort_status open_range(const cohort_dataset *dataset, const cohort_opening *how,
                                cohort_cursor **out)
{
    range_cursor *c = cohort_cursor_allocate(dataset, &numbers, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    c->count = count_of(parameters_of(dataset));
    c->part =
        (cohort_array){ .data = &c->value, .dtype = COHORT_I64, .item_bytes = sizeof c->value };
    *out = &c->head;
    return COHORT_OK;
}

static void derive_range(cohort_dataset *dataset)
{
    uint64_t count = count_of(parameters_of(dataset));
    /* more than an int64 can only be walked */
    dataset->cardinality = count <= INT64_MAX ? (int64_t)count : COHORT_UNKNOWN;
    dataset->is_indexed = count <= INT64_MAX;
}

static void describe_range(const cohort_dataset *dataset, FILE *out)
{
    const range_parameters *p = parameters_of(dataset);
    (void)fprintf(out, "from %lld to %lld, step %lld", (long long)p->start, (long long)p->stop,
                  (long long)p->step);
}

static const cohort_dataset_kind range = {
    .name = "range", .derive = derive_range, .describe = describe_range, .open = open_range
};

cohort_dataset *cohort_dataset_range(int64_t start, int64_t stop, int64_t step)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    range_parameters p = { start, stop, step };
    cohort_dataset_builder node = {
        .kind = &range, .parameters = &p, .bytes = sizeof p, .specs = &number, .n_components = 1
    };
    if (step == 0)
        return cohort_dataset_builder_refuse(
            &node, COHORT_EINVAL,
            "cohort_dataset_range: step 0 from %lld never comes to %lld; expected another step",
            (long long)start, (long long)stop);
    return cohort_dataset_builder_make(&node);
}
