/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: the sum of what the replicas have, beside a loop over the same arrays in the order of
 * cohort/reduce.h, so that both have the same bits. */
#include "config.h"

#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>

/* BLOCK: elements of an array that a thread adds at a time, which stay in its fastest cache.
 * LEVELS: of the tree, for as many replicas as there may be. */
enum { FROM = 32 << 10, TO = 16 << 20, FACTOR = 8, REPLICAS = 2, BLOCK = 1024, LEVELS = 17 };

COHORT_ITEMS(fill, i, n, (int64_t n, int64_t replica, COHORT_OUT float x[n]),
             { x[i] = (float)((i * 7 + replica * 3) % 1000) / 7; });

/* One loop for each kind of vector: a sum by hand is for the processor at hand. */
typedef void (*add_fn)(const float *a, const float *b, int64_t n, float *out);
#define ADD_LOOP(NAME, TARGET)                                                                     \
    TARGET static void NAME(const float *a, const float *b, int64_t n, float *out)                 \
    {                                                                                              \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) out[i] = a[i] + b[i];                  \
    }
ADD_LOOP(add_any, )
#ifdef __x86_64__
ADD_LOOP(add_avx, __attribute__((target("avx"))))
ADD_LOOP(add_avx512, __attribute__((target("avx512f"))))
#endif

static add_fn find_add(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return add_avx512;
    if (__builtin_cpu_supports("avx"))
        return add_avx;
#endif
    return add_any;
}

typedef struct reduce {
    bench *b;
    bench_machine machine;
    int64_t n; /* elements of each replica */
    cohort_value *x, *sum;
    cohort_array *parts; /* the content of x */
    float *by_hand, *found;
    add_fn add;
} reduce;

/* ------------------------------------------------------------------ what is timed */

static cohort_status sum_up(void *user, int calls)
{
    const reduce *r = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < calls && status >= 0; i++)
        status = cohort_reduce(COHORT_SUM, r->x, COHORT_NO_AXIS, r->sum);
    return status < 0 ? status : cohort_wait(r->machine.strategy);
}

static const float *part_of(const reduce *r, int replica, int64_t at)
{
    return &((const float *)r->parts[replica].data)[at];
}

/* sum[a, b) = sum[a, a + m) + sum[a + m, b), m the largest power of two below b - a >= 2. What is
 * to the left is added up in `out`, what is to the right in `room`, a block for each level. */
static void sum_block(const reduce *r, int a, int b, bench_part at, float *out, float *room)
{
    int m = 1;
    while (2 * m < b - a)
        m *= 2;
    const float *left = out, *right = room;
    if (m == 1)
        left = part_of(r, a, at.first);
    else
        sum_block(r, a, a + m, at, out, room);
    if (b - a - m == 1)
        right = part_of(r, a + m, at.first);
    else
        sum_block(r, a + m, b, at, room, room + BLOCK);
    r->add(left, right, at.end - at.first, out);
}

static void sum_range(const reduce *r, bench_part all)
{
    float room[LEVELS * BLOCK];
    for (int64_t at = all.first; at < all.end; at += BLOCK) {
        bench_part block = { at, at + BLOCK < all.end ? at + BLOCK : all.end };
        sum_block(r, 0, r->machine.replicas, block, &r->by_hand[at], room);
    }
}

static void sum_part(void *user, int thread)
{
    const reduce *r = user;
    sum_range(r, bench_part_of(r->n, thread, r->machine.threads));
}

static cohort_status sum_by_hand(void *user, int calls)
{
    const reduce *r = user;
    for (int i = 0; i < calls; i++)
        bench_team_run(r->machine.team, sum_part, user);
    return COHORT_OK;
}

static cohort_status sum_alone(void *user, int calls)
{
    const reduce *r = user;
    for (int i = 0; i < calls; i++)
        sum_range(r, (bench_part){ 0, r->n });
    return COHORT_OK;
}

/* ------------------------------------------------------------------ rows */

/* NaN has one form in a reduction; there is none here. */
static int compare(reduce *r)
{
    if (cohort_value_read(r->sum, COHORT_ARRAY(r->found, r->n)) < 0)
        return bench_failed("reduce");
    int n = cohort_local_results(r->x, r->parts, r->machine.replicas);
    if (n != r->machine.replicas)
        return bench_failed("reduce");
    (void)sum_alone(r, 1);
    if (memcmp(r->found, r->by_hand, (size_t)r->n * sizeof *r->found) == 0)
        return EXIT_OK;
    return cli_fail(EXIT_FAILED, "bench reduce: the sum has other bits than that of a loop");
}

/* The parts are lent as long as nobody writes x. */
static int time_sum(reduce *r, double seconds)
{
    bench_row *row = bench_add(r->b, BENCH_REDUCE, "sum", r->n * (int64_t)sizeof(float));
    if (row == NULL)
        return EXIT_FAILED;
    row->work = (double)row->size * r->machine.replicas;
    if (cohort_local_results(r->x, r->parts, r->machine.replicas) != r->machine.replicas)
        return bench_failed("reduce");
    const bench_side sides[BENCH_SIDES] = { { sum_up, r }, { sum_by_hand, r }, { sum_alone, r } };
    int code = bench_time(&r->machine, sides, seconds, row);
    return code == EXIT_OK && row->cohort.n > 0 ? compare(r) : code;
}

/* On the devices, by a function. */
static int time_values(reduce *r, double seconds)
{
    cohort_strategy *s = r->machine.strategy;
    r->x = cohort_value_shaped(s, COHORT_F32, 1, (int64_t[]){ r->n });
    r->sum = cohort_value_create(s);
    cohort_status status = cohort_run(s, fill, COHORT_REPLICA_ID, r->x);
    int code = EXIT_OK;
    if (status >= 0)
        code = time_sum(r, seconds);
    else
        code = bench_not_offered(r->b, &r->machine, BENCH_REDUCE, "sum", status);
    cohort_value_destroy(r->x);
    cohort_value_destroy(r->sum);
    return code;
}

static int time_size(void *user, int64_t size, double seconds)
{
    reduce *r = user;
    r->n = (size + (int64_t)sizeof(float) - 1) / (int64_t)sizeof(float);
    r->by_hand = calloc((size_t)r->n, sizeof *r->by_hand);
    r->found = calloc((size_t)r->n, sizeof *r->found);
    int code = r->by_hand != NULL && r->found != NULL
                   ? time_values(r, seconds)
                   : cli_fail(EXIT_FAILED, "bench reduce: out of memory");
    free(r->by_hand);
    free(r->found);
    return code;
}

/* Each replica's, once more where a device hides its memory, the sum and the command's own. */
static bool has_room(const reduce *r, double bytes)
{
    double replicas = r->machine.replicas;
    return bench_fits(&r->machine, "reduce", bytes * (2 * replicas + 4), bytes * (replicas + 1));
}

static int time_sizes(reduce *r, double seconds)
{
    r->parts = calloc((size_t)r->machine.replicas, sizeof *r->parts);
    if (r->parts == NULL)
        return cli_fail(EXIT_FAILED, "bench reduce: out of memory");
    int code = bench_each_size(r->b, FROM, TO, FACTOR, seconds, time_size, r);
    free(r->parts);
    return code;
}

int bench_reduce(bench *b, double seconds)
{
    reduce r = { .b = b, .add = find_add() };
    int code = bench_open(b, BENCH_REDUCE, REPLICAS, &r.machine);
    if (code != EXIT_OK)
        return code;
    b->limits[BENCH_REDUCE] =
        r.machine.team != NULL ? "a loop over the same arrays, by one thread or by all" : NULL;
    code = has_room(&r, (double)bench_largest(b, TO)) ? time_sizes(&r, seconds) : EXIT_FAILED;
    bench_close(&r.machine);
    return code;
}
