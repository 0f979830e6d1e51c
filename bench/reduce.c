/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/reduce: the sum of what two or four replicas have, 4 B to 256 MiB each.
 *
 *   by hand   one pass over all contributions, in a region of two threads or on the caller alone;
 *             in place, so that every contribution becomes the sum, or into one result
 *   cohort    cohort_reduce, which has one result, with a wait each; the same recorded; and
 *             cohort_all_reduce in a step function, which is in place
 *
 * The limit is the faster of the passes in place. Results are compared as bits before they are
 * timed. In place the sums grow until they are infinite, on all sides alike, which costs a
 * processor nothing. */
#include "config.h"

#include "bench/must.h"
#include "bench/rows.h"
#include "bench/sums.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct type {
    const char *name;
    sums_dtype sums;
    cohort_dtype cohort;
    int bytes;
} type;

static const type f32 = { "float32", SUMS_F32, COHORT_F32, 4 };
static const type f64 = { "float64", SUMS_F64, COHORT_F64, 8 };
static const type i32 = { "int32", SUMS_I32, COHORT_I32, 4 };

/* One row, and everything that its sides work on. */
typedef struct bench {
    const type *type;
    int parts;
    int64_t n, bytes; /* of each part */
    void *x[SUMS_MOST], *into;
    cohort_strategy *s;
    cohort_value *contributions, *sum;
    cohort_program *program;
    int repeats; /* in a program or a step function, for one call of ours */
} bench;

/* ------------------------------------------------------------------ what is timed */

static void hand_in_place(void *user)
{
    const bench *t = user;
    sums_add(t->type->sums, t->parts, t->x, NULL, t->n, false);
}

static void hand_in_place_alone(void *user)
{
    const bench *t = user;
    sums_add(t->type->sums, t->parts, t->x, NULL, t->n, true);
}

static void hand_one_result(void *user)
{
    const bench *t = user;
    sums_add(t->type->sums, t->parts, t->x, t->into, t->n, false);
}

static void hand_one_result_alone(void *user)
{
    const bench *t = user;
    sums_add(t->type->sums, t->parts, t->x, t->into, t->n, true);
}

static void reduce_and_wait(void *user)
{
    const bench *t = user;
    must(!cohort_reduce(COHORT_SUM, t->contributions, COHORT_NO_AXIS, t->sum) && !cohort_wait(t->s),
         "reduce");
}

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const bench *t = user;
    (void)s, (void)batch;
    return cohort_reduce(COHORT_SUM, t->contributions, COHORT_NO_AXIS, t->sum);
}

static void reduce_recorded(void *user)
{
    const bench *t = user;
    must(!cohort_program_run(t->program, NULL, t->repeats) && !cohort_wait(t->s), "recorded");
}

static cohort_status all_reduces(cohort_replica *me, void *user)
{
    const bench *t = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < t->repeats && status >= 0; i++)
        status = cohort_all_reduce(me, COHORT_SUM, (cohort_value *[]){ t->contributions }, 1);
    return status;
}

static void all_reduce(void *user)
{
    const bench *t = user;
    must(!cohort_for_each_replica(t->s, all_reduces, user), "all_reduce");
}

/* ------------------------------------------------------------------ data */

static void *make(int64_t bytes)
{
    void *memory = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
    if (memory == NULL)
        abort();
    memset(memory, 0, (size_t)bytes);
    return memory;
}

static void fill(const bench *t)
{
    uint64_t random = 1;
    for (int p = 0; p < t->parts; p++)
        for (int64_t i = 0; i < t->n; i++) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            int32_t drawn = (int32_t)(random >> 32);
            if (t->type == &f32)
                ((float *)t->x[p])[i] = (float)drawn / 2147483648.0f;
            else if (t->type == &f64)
                ((double *)t->x[p])[i] = drawn / 2147483648.0;
            else
                ((int32_t *)t->x[p])[i] = drawn;
        }
}

static cohort_array array_of(const bench *t, void *data)
{
    return (cohort_array){ .data = data, .dtype = t->type->cohort, .rank = 1, .shape = { t->n } };
}

/* For cohort_value_from_function, which copies: the contributions are the strategy's own. */
static cohort_status part_of(int replica, int num_replicas, cohort_array *out, void *user)
{
    const bench *t = user;
    (void)num_replicas;
    *out = array_of(t, t->x[replica]);
    return COHORT_OK;
}

static void open_bench(bench *t)
{
    t->bytes = t->n * t->type->bytes;
    for (int p = 0; p < t->parts; p++)
        t->x[p] = make(t->bytes);
    t->into = make(t->bytes);
    fill(t);
    t->s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .replicas = t->parts });
    t->contributions = cohort_value_from_function(t->s, part_of, t);
    t->sum = cohort_value_create(t->s);
    t->program = cohort_program_record(t->s, record, t, NULL, 0);
    must(t->program != NULL, "data");
    t->repeats = turns_are_tiny() || t->bytes > 4 << 20 ? 2 : t->bytes > 64 << 10 ? 10 : 100;
}

static void close_bench(bench *t)
{
    cohort_strategy_destroy(t->s);
    for (int p = 0; p < t->parts; p++)
        free(t->x[p]);
    free(t->into);
}

/* The sum by hand, once with a result and once in place, is that of Cohort in all its forms. */
static void check(bench *t, const char *row)
{
    void *found = make(t->bytes * t->parts);
    cohort_array all = array_of(t, found);
    hand_one_result(t);
    reduce_and_wait(t);
    must(!cohort_value_read(t->sum, all), "result");
    bool is_equal = memcmp(found, t->into, (size_t)t->bytes) == 0;
    reduce_recorded(t);
    must(!cohort_value_read(t->sum, all), "recorded result");
    is_equal = is_equal && memcmp(found, t->into, (size_t)t->bytes) == 0;
    bench once = *t;
    once.repeats = 1;
    all_reduce(&once);
    hand_in_place(t);
    all.shape[0] *= t->parts;
    must(!cohort_value_read(t->contributions, all), "all_reduce");
    for (int p = 0; p < t->parts; p++)
        is_equal = is_equal && memcmp((char *)found + p * t->bytes, t->x[p], (size_t)t->bytes) == 0;
    free(found);
    if (is_equal)
        return;
    fprintf(stderr, "reduce: %s: the sums differ\n", row);
    exit(1);
}

/* ------------------------------------------------------------------ rows */

static void measure(const type *of, int parts, int64_t bytes)
{
    static const char regions[] = "2 threads", alone[] = "the caller alone";
    char row[ROWS_TEXT];
    bench t = { .type = of, .parts = parts, .n = bytes / of->bytes };
    (void)rows_sum(row, of->name, parts, bytes);
    open_bench(&t);
    check(&t, row);
    turns_side sides[] = {
        { "by hand, in place", regions, hand_in_place, .bench = &t, .is_limit = true },
        { "by hand, in place, alone", alone, hand_in_place_alone, .bench = &t, .is_limit = true },
        { "by hand, one result", regions, hand_one_result, .bench = &t },
        { "by hand, one result, alone", alone, hand_one_result_alone, .bench = &t },
        { "cohort, reduce", "host/2, one result, a wait each", reduce_and_wait, .bench = &t },
        { "cohort, reduce, recorded", "host/2, one result", reduce_recorded, .bench = &t,
          .steps = t.repeats },
        { "cohort, all_reduce", "host/2, in place, in a step function", all_reduce, .bench = &t,
          .steps = t.repeats },
    };
    turns_row(row, sides, sizeof sides / sizeof *sides);
    close_bench(&t);
}

int main(void)
{
    static const int64_t others[] = { 4, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20 };
    int64_t most = turns_are_tiny() ? 64 << 10 : turns_are_quick() ? 64 << 20 : 256 << 20;
    turns_table(ROWS_SUMS);
    for (size_t i = 0; i < ROWS_SIZES && rows_sizes[i] <= most; i++)
        measure(&f32, 2, rows_sizes[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others && others[i] <= most; i++)
        measure(&f32, 4, others[i]);
    for (size_t i = 1; i < sizeof others / sizeof *others && others[i] <= most; i++) {
        measure(&f64, 2, others[i]);
        measure(&i32, 2, others[i]);
    }
    return 0;
}
