/* SPDX-License-Identifier: BSD-3-Clause */
/* All-reduces in step functions, which some devices make in place: the bits are those of
 * cohort_reduce wherever the contributions lie and however large they are, and what is under way
 * with them is over before. */
#include "config.h"

#include "tests/core.h"

#include <stdatomic.h>

enum { SMALL = 7, BLOCKS = 9001, LARGE = 70001, ROUNDS = 20 };

/* Sums of these depend on their order in the last bits. */
static float draw(int64_t i, int32_t replica)
{
    uint32_t x = (uint32_t)i * 2654435761u + (uint32_t)replica * 40503u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (float)(int32_t)x * 1e-9f;
}

COHORT_FUNCTION(scatter, (int64_t n, int32_t replica, COHORT_OUT float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = draw(i, replica);
}

COHORT_FUNCTION(scatter_wide, (int64_t n, int32_t replica, COHORT_OUT double x[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (double)draw(i, replica) + (double)draw(i + 1, replica) * 1e-9;
}

COHORT_FUNCTION(scatter_whole, (int64_t n, int32_t replica, COHORT_OUT int32_t x[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (int32_t)(i * 7919) ^ (replica * 104729);
}

COHORT_FUNCTION(turn, (int64_t n, int32_t replica, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = x[i] * 0.5f + draw(i, replica);
}

/* ------------------------------------------------------------------ equal bits */

typedef struct job {
    cohort_value *x, *into; /* into NULL: x gets it */
    cohort_reduce_op op;
    int64_t n;
    cohort_dtype dtype;
    char *wanted;
    atomic_int bad;
} job;

static size_t bytes_of(const job *j)
{
    return (size_t)(j->n * cohort_dtype_bytes(j->dtype));
}

static void compare(cohort_replica *me, job *j)
{
    char *found = malloc(bytes_of(j));
    cohort_array array = { .data = found,
                           .dtype = j->dtype,
                           .rank = 1,
                           .shape = { j->n },
                           .item_bytes = cohort_dtype_bytes(j->dtype) };
    bool is_same = found != NULL &&
                   cohort_replica_read(me, j->into != NULL ? j->into : j->x, array) == COHORT_OK &&
                   memcmp(found, j->wanted, bytes_of(j)) == 0;
    (void)atomic_fetch_add(&j->bad, !is_same);
    free(found);
}

static cohort_status combine(cohort_replica *me, void *user)
{
    job *j = user;
    cohort_status status = j->into != NULL ? cohort_all_reduce_into(me, j->op, j->x, j->into)
                                           : cohort_all_reduce(me, j->op, &j->x, 1);
    if (status >= 0)
        compare(me, j);
    return status;
}

/* What cohort_reduce makes of the same contributions is wanted. */
static bool is_as_reduced(cohort_strategy *s, job *j)
{
    cohort_value *total = cohort_value_create(s);
    j->wanted = malloc(bytes_of(j));
    cohort_array array = { .data = j->wanted,
                           .dtype = j->dtype,
                           .rank = 1,
                           .shape = { j->n },
                           .item_bytes = cohort_dtype_bytes(j->dtype) };
    bool is_good = good(cohort_reduce(j->op, j->x, COHORT_NO_AXIS, total) == COHORT_OK) &&
                   good(cohort_value_read(total, array) == COHORT_OK) &&
                   good(cohort_for_each_replica(s, combine, j) == COHORT_OK) && good(j->bad == 0) &&
                   good(cohort_value_kind_of(j->x) == COHORT_PER_REPLICA_VALUE);
    free(j->wanted);
    return is_good;
}

static bool agrees(cohort_strategy *s, cohort_reduce_op op, cohort_dtype dtype, int64_t n,
                   bool has_into)
{
    job j = { .x = cohort_value_create(s), .op = op, .n = n, .dtype = dtype };
    j.into = has_into ? cohort_value_create(s) : NULL;
    cohort_status status =
        dtype == COHORT_F32 ? cohort_run(s, scatter, COHORT_REPLICA_ID, j.x, COHORT_NAMED(n, n))
        : dtype == COHORT_F64
            ? cohort_run(s, scatter_wide, COHORT_REPLICA_ID, j.x, COHORT_NAMED(n, n))
            : cohort_run(s, scatter_whole, COHORT_REPLICA_ID, j.x, COHORT_NAMED(n, n));
    return good(status == COHORT_OK) && is_as_reduced(s, &j);
}

static bool has_equal_bits(cohort_strategy *s, int replicas)
{
    static const int64_t sizes[] = { 1, SMALL, BLOCKS, LARGE };
    static const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MEAN, COHORT_MIN, COHORT_MAX,
                                            COHORT_PROD };
    bool is_good = true;
    (void)replicas;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && is_good; i++)
        is_good = agrees(s, COHORT_SUM, COHORT_F32, sizes[i], false) &&
                  agrees(s, COHORT_SUM, COHORT_F64, sizes[i], true);
    for (size_t i = 0; i < sizeof ops / sizeof *ops && is_good; i++)
        is_good = agrees(s, ops[i], COHORT_F32, BLOCKS, true) &&
                  agrees(s, ops[i], COHORT_F64, SMALL, false) &&
                  (ops[i] == COHORT_MEAN || agrees(s, ops[i], COHORT_I32, BLOCKS, false));
    return is_good;
}

/* One reduction has as many terms as plugins take, and one more. */
static void has_many_replicas(void)
{
    bool is_good = true;
    for (int32_t replicas = 63; replicas <= 66 && is_good; replicas++) {
        cohort_strategy *s = core_open(&(core_place){ "host/2", replicas, NULL });
        is_good = s != NULL && agrees(s, COHORT_SUM, COHORT_F32, SMALL, false) &&
                  agrees(s, COHORT_MEAN, COHORT_F64, 600, true);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "so are those of many replicas");
}

/* ------------------------------------------------------------------ what is under way */

typedef struct rounds {
    cohort_value *x, *y;
    float wanted[ROUNDS][SMALL];
    atomic_int bad;
} rounds;

/* Each replica writes its contribution by a function, and the outcome by the next one, at once. */
static cohort_status play_rounds(cohort_replica *me, void *user)
{
    rounds *j = user;
    float found[SMALL];
    cohort_status status = COHORT_OK;
    for (int i = 0; i < ROUNDS && status >= 0; i++) {
        status = cohort_replica_run(me, turn, COHORT_REPLICA_ID, j->x);
        if (status >= 0)
            status = cohort_all_reduce(me, COHORT_MEAN, (cohort_value *const[]){ j->x, j->y }, 2);
        if (status >= 0)
            status = cohort_replica_read(me, j->x, COHORT_ARRAY(found, SMALL));
        (void)atomic_fetch_add(&j->bad,
                               status < 0 || memcmp(found, j->wanted[i], sizeof found) != 0);
    }
    return status;
}

static float add_up(const float x[], int a, int b)
{
    int m = 1;
    if (b - a == 1)
        return x[a];
    while (2 * m < b - a)
        m *= 2;
    return add_up(x, a, a + m) + add_up(x, a + m, b);
}

/* The same by hand. */
static void model_rounds(rounds *j, int replicas)
{
    for (int k = 0; k < SMALL; k++) {
        float x[CORE_MAX_REPLICAS];
        for (int r = 0; r < replicas; r++)
            x[r] = draw(k, r);
        for (int i = 0; i < ROUNDS; i++) {
            for (int r = 0; r < replicas; r++)
                x[r] = x[r] * 0.5f + draw(k, r);
            j->wanted[i][k] = add_up(x, 0, replicas) / (float)replicas;
            for (int r = 0; r < replicas; r++)
                x[r] = j->wanted[i][k];
        }
    }
}

static bool waits_for_functions(cohort_strategy *s, int replicas)
{
    rounds j = { .x = cohort_value_create(s), .y = cohort_value_create(s) };
    model_rounds(&j, replicas);
    return good(cohort_run(s, scatter, COHORT_REPLICA_ID, j.x, COHORT_NAMED(n, SMALL)) ==
                COHORT_OK) &&
           good(cohort_run(s, scatter, COHORT_REPLICA_ID, j.y, COHORT_NAMED(n, BLOCKS)) ==
                COHORT_OK) &&
           good(cohort_for_each_replica(s, play_rounds, &j) == COHORT_OK) && good(j.bad == 0);
}

/* Memory that a replica has lent, by cohort_replica_set, is not written. */
static cohort_status set_and_sum(cohort_replica *me, void *user)
{
    rounds *j = user;
    float mine[SMALL], found[SMALL];
    for (int k = 0; k < SMALL; k++)
        mine[k] = draw(k, cohort_replica_id(me));
    cohort_status status = COHORT_OK;
    for (int i = 0; i < ROUNDS && status >= 0; i++) {
        status = cohort_replica_set(me, j->x, COHORT_ARRAY(mine, SMALL));
        for (int sums = 0; sums < 2 && status >= 0; sums++)
            status = cohort_all_reduce(me, COHORT_SUM, &j->x, 1);
        if (status >= 0)
            status = cohort_replica_read(me, j->x, COHORT_ARRAY(found, SMALL));
        (void)atomic_fetch_add(&j->bad,
                               status < 0 || memcmp(found, j->wanted[0], sizeof found) != 0);
    }
    return status;
}

static bool takes_what_is_set(cohort_strategy *s, int replicas)
{
    rounds j = { .x = cohort_value_create(s) };
    for (int k = 0; k < SMALL; k++) {
        float x[CORE_MAX_REPLICAS];
        for (int sums = 0; sums < 2; sums++) {
            float sum = j.wanted[0][k];
            for (int r = 0; r < replicas; r++)
                x[r] = sums == 0 ? draw(k, r) : sum;
            j.wanted[0][k] = add_up(x, 0, replicas);
        }
    }
    return good(cohort_for_each_replica(s, set_and_sum, &j) == COHORT_OK) && good(j.bad == 0);
}

/* ------------------------------------------------------------------ replicas without rows */

static cohort_status sum_rows(cohort_replica *me, void *user)
{
    rounds *j = user;
    float found[SMALL];
    cohort_status status = cohort_all_reduce(me, COHORT_MEAN, &j->x, 1);
    if (status >= 0)
        status = cohort_replica_read(me, j->x, COHORT_ARRAY(found, SMALL));
    (void)atomic_fetch_add(&j->bad, status < 0 || memcmp(found, j->wanted[0], sizeof found) != 0);
    return status;
}

COHORT_FUNCTION(copy_rows, (int64_t n, int64_t k, const float x[n][k], COHORT_OUT float y[n][k]),
                COHORT_HOST_ONLY)
{
    memcpy(y, x, (size_t)(n * k) * sizeof(float));
}

/* One row is the first replica's; the others have none, and get the mean over who has one. */
static bool gives_to_all(cohort_strategy *s, int replicas)
{
    rounds j = { .x = cohort_value_create(s) };
    float row[SMALL];
    (void)replicas;
    for (int k = 0; k < SMALL; k++)
        j.wanted[0][k] = row[k] = draw(k, 0);
    cohort_value *split = cohort_value_split(s, COHORT_ARRAY(row, 1, SMALL));
    return good(cohort_run(s, copy_rows, split, j.x) == COHORT_OK) &&
           good(cohort_for_each_replica(s, sum_rows, &j) == COHORT_OK) && good(j.bad == 0);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(has_equal_bits, "the bits are those of cohort_reduce");
        core_everywhere(waits_for_functions, "functions before and after are in order with it");
        core_everywhere(takes_what_is_set, "what was set is combined, and stays the program's");
        core_everywhere(gives_to_all, "replicas without rows get it too");
        has_many_replicas();
    }
    core_no_leak(warm);
    return tap_done();
}
