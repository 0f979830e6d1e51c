/* SPDX-License-Identifier: BSD-3-Clause */
/* Replica context: each replica knows itself, computes on its own component and meets the others,
 * or all get an error. That replicas of different devices run at the same time: async.c. */
#include "config.h"

#include "tests/core.h"
#include "tests/late_leaks.h"
#include "tests/steer.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

enum { ROWS = 19, WIDTH = 5, MANY = 300 };

static const cohort_loopback *loopback; /* NULL: there is none */

COHORT_FUNCTION(tell, (int32_t id, COHORT_OUT int64_t y[1]), COHORT_HOST_ONLY)
{
    y[0] = id + 1;
}

COHORT_FUNCTION(affine,
                (int64_t n, int64_t d, float a, const float x[n][d], const float w[d],
                 COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        y[i] = 0;
        for (int64_t j = 0; j < d; j++)
            y[i] += a * x[i][j] + w[j];
    }
}

COHORT_FUNCTION(next_term, (int32_t id, int64_t v[1]), COHORT_HOST_ONLY)
{
    v[0] = v[0] % 1009 + id;
}

COHORT_FUNCTION_RETURNING(float, norm2, (int64_t n, const float g[n]), COHORT_HOST_ONLY)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += g[i] * g[i];
    return sum;
}

COHORT_FUNCTION(clip, (int64_t n, float most, const float norm2[1], float g[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        if (norm2[0] > most * most)
            g[i] *= most / sqrtf(norm2[0]);
}

/* ---- What happens inside a step is counted, and judged after it. */

static atomic_int bad, met, released;

static bool noted(bool is_good)
{
    if (!is_good)
        (void)atomic_fetch_add(&bad, 1);
    return is_good;
}

#define must(condition) noted(core_good((condition), #condition, __FILE__, __LINE__))

typedef struct job {
    cohort_strategy *s, *others;
    cohort_variable *w;
    cohort_value *x, *y, *v, *foreign;
    cohort_value *values[MANY];
    cohort_replica *replicas[CORE_MAX_REPLICAS];
    atomic_int seen[CORE_MAX_REPLICAS];
    cohort_reduce_op op;
    int n, odd, position; /* which replica behaves differently, and where */
} job;

static bool plays(job *j, cohort_step_fn step)
{
    atomic_store(&bad, 0);
    return good(cohort_for_each_replica(j->s, step, j) == COHORT_OK) &&
           good(atomic_load(&bad) == 0);
}

/* A step of three calls that gives a number that is known. */
static cohort_status plain_step(cohort_replica *me, void *user)
{
    job *j = user;
    int64_t sum = 0, n = cohort_replica_count(me);
    (void)(must(cohort_replica_run(me, tell, COHORT_REPLICA_ID, j->v) == COHORT_OK) &&
           must(cohort_all_reduce(me, COHORT_SUM, &j->v, 1) == COHORT_OK) &&
           must(cohort_replica_read(me, j->v, COHORT_ARRAY(&sum, 1)) == COHORT_OK) &&
           must(sum == n * (n + 1) / 2) && must(cohort_barrier(me) == COHORT_OK));
    return COHORT_OK;
}

static bool works(cohort_strategy *s)
{
    job j = { .s = s, .v = cohort_value_create(s) };
    bool is_good = plays(&j, plain_step) && plays(&j, plain_step);
    cohort_value_destroy(j.v);
    return is_good;
}

static bool recovers(cohort_strategy *s)
{
    return good(cohort_strategy_recover(s) == COHORT_OK) && works(s);
}

/* Whatever the step returns, a call in it has failed: so does the step, with its words, until
 * recover. */
static bool step_fails(job *j, cohort_step_fn step, const char *text)
{
    atomic_store(&bad, 0);
    return refused(j->s, COHORT_EINVAL, cohort_for_each_replica(j->s, step, j)) &&
           good(atomic_load(&bad) == 0) &&
           good(strstr(cohort_error_text(), "step function step at ") != NULL) &&
           good(strstr(cohort_error_text(), ": replica ") != NULL) &&
           good(strstr(cohort_error_text(), text) != NULL);
}

/* ---- Who am I. */

static cohort_status know_thyself(cohort_replica *me, void *user)
{
    job *j = user;
    const cohort_device *devices[CORE_MAX_REPLICAS];
    int id = cohort_replica_id(me), d = 0,
        n_devices = cohort_strategy_devices(j->s, devices, CORE_MAX_REPLICAS);
    for (int first = 0; d < n_devices - 1 && id >= first + cohort_strategy_hosted(j->s, d); d++)
        first += cohort_strategy_hosted(j->s, d);
    if (must(id >= 0 && id < j->n))
        (void)atomic_fetch_add(&j->seen[id], 1);
    (void)must(cohort_replica_count(me) == j->n);
    (void)must(cohort_replica_strategy(me) == j->s);
    (void)must(cohort_replica_device(me) == devices[d]);
    (void)must(cohort_replica_current() == me);
    return COHORT_OK;
}

static bool all_know_themselves(cohort_strategy *s, int replicas)
{
    job j = { .s = s, .n = replicas };
    bool is_good = good(cohort_replica_current() == NULL);
    for (int times = 1; times <= 3 && is_good; times++) {
        is_good = plays(&j, know_thyself) && good(cohort_replica_current() == NULL);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(atomic_load(&j.seen[r]) == times);
    }
    return is_good;
}

/* ---- Run and read. */

static float rows[ROWS][WIDTH], weights[WIDTH], results[ROWS];

static void fill_rows(void)
{
    for (int i = 0; i < ROWS * WIDTH; i++)
        rows[i / WIDTH][i % WIDTH] = (float)(i % 11 - 5);
    for (int k = 0; k < WIDTH; k++)
        weights[k] = (float)(k * k);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < WIDTH; k++)
            results[i] += 2 * rows[i][k] + weights[k];
}

static cohort_status compute(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me), n = cohort_replica_count(me), mine = ROWS / n + (id < ROWS % n);
    int first = id * (ROWS / n) + (id < ROWS % n ? id : ROWS % n);
    float x[ROWS][WIDTH] = { { 0 } }, y[ROWS] = { 0 };
    double two = 0;
    (void)(must(cohort_replica_run(me, affine, j->values[0], j->x, j->w, j->y) == COHORT_OK) &&
           must(cohort_replica_read(me, j->y, COHORT_ARRAY(y, mine)) == COHORT_OK) &&
           must(memcmp(y, results + first, (size_t)mine * sizeof *y) == 0) &&
           must(cohort_replica_read(me, j->x, COHORT_ARRAY(&x[0][0], mine, WIDTH)) == COHORT_OK) &&
           must(memcmp(x, rows[first], (size_t)mine * sizeof *x) == 0) &&
           must(cohort_replica_read(me, j->values[0], COHORT_ARRAY(&two, 1)) == COHORT_OK) &&
           must(two == 2));
    return COHORT_OK;
}

static bool computes(cohort_strategy *s, int replicas)
{
    (void)replicas;
    float y[ROWS];
    job j = { .s = s,
              .x = cohort_value_split(s, COHORT_ARRAY(&rows[0][0], ROWS, WIDTH)),
              .y = cohort_value_create(s) };
    j.w = cohort_variable_create(s, "w", COHORT_ARRAY(weights, WIDTH), NULL);
    j.values[0] = cohort_value_number(s, 2);
    return plays(&j, compute) && plays(&j, compute) &&
           good(cohort_value_read(j.y, COHORT_ARRAY(y, ROWS)) == COHORT_OK) &&
           good(memcmp(y, results, sizeof y) == 0);
}

/* ---- Barriers. */

static cohort_status count_together(cohort_replica *me, void *user)
{
    (void)user;
    int n = cohort_replica_count(me);
    for (int i = 1; i <= 20; i++) {
        (void)atomic_fetch_add(&met, 1);
        cohort_status status = cohort_barrier(me);
        if (!must(status == COHORT_OK) || !must(atomic_load(&met) == i * n))
            return status;
        (void)must(cohort_barrier(me) == COHORT_OK);
    }
    return COHORT_OK;
}

static bool waits_for_all(cohort_strategy *s, int replicas)
{
    (void)replicas;
    job j = { .s = s };
    atomic_store(&met, 0);
    return plays(&j, count_together);
}

/* ---- Turns: replicas of one device that take long are called while another one runs. */

static const cohort_device *hosts[CORE_MAX_REPLICAS];
static atomic_int inside[CORE_MAX_REPLICAS]; /* replicas of a device that are not in a collective */

static cohort_status go_alone(cohort_replica *me, void *user)
{
    (void)user;
    int d = 0, id = cohort_replica_id(me);
    while (hosts[d] != cohort_replica_device(me))
        d++;
    for (int i = 0; i < 6; i++) {
        (void)must(atomic_fetch_add(&inside[d], 1) == 0);
        if ((id + i) % 3 == 0)
            (void)usleep(500);
        else if ((id + i) % 3 == 1)
            (void)sched_yield();
        (void)must(atomic_fetch_sub(&inside[d], 1) == 1);
        if (!must(cohort_barrier(me) == COHORT_OK))
            break;
    }
    return COHORT_OK;
}

static bool goes_alone(cohort_strategy *s, int replicas)
{
    (void)replicas;
    job j = { .s = s };
    return good(cohort_strategy_devices(s, hosts, CORE_MAX_REPLICAS) > 0) && plays(&j, go_alone) &&
           plays(&j, go_alone);
}

/* ---- Reductions: the tree again. */

static const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MEAN, COHORT_MIN, COHORT_MAX };
enum { OPS = sizeof ops / sizeof *ops };

static float components[CORE_MAX_REPLICAS][WIDTH];

static float combined(cohort_reduce_op op, int first, int end, int column)
{
    int m = 1;
    if (end - first == 1)
        return components[first][column];
    while (2 * m < end - first)
        m *= 2;
    float a = combined(op, first, first + m, column), b = combined(op, first + m, end, column);
    return op == COHORT_MIN ? fminf(a, b) : op == COHORT_MAX ? fmaxf(a, b) : a + b;
}

static cohort_value *make_components(cohort_strategy *s, int replicas, int seed)
{
    cohort_array arrays[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++) {
        for (int k = 0; k < WIDTH; k++)
            components[r][k] = (float)((r * 7919 + k * 104729 + seed * 31) % 1000 - 500) / 3.0f;
        arrays[r] = COHORT_ARRAY(components[r], WIDTH);
    }
    cohort_value *x = cohort_value_per_replica(s, arrays);
    (void)good(x != NULL && cohort_wait(s) == COHORT_OK);
    return x;
}

static cohort_status reduce_values(cohort_replica *me, void *user)
{
    job *j = user;
    float found[WIDTH];
    if (must(cohort_all_reduce(me, j->op, j->values, j->n) == COHORT_OK))
        for (int i = 0; i < j->n; i += 7)
            (void)must(cohort_replica_read(me, j->values[i], COHORT_ARRAY(found, WIDTH)) ==
                       COHORT_OK);
    return COHORT_OK;
}

static bool equals_everywhere(cohort_value *value, int replicas, const float wanted[WIDTH])
{
    static float found[CORE_MAX_REPLICAS][WIDTH];
    bool is_good =
        good(cohort_value_kind_of(value) == COHORT_PER_REPLICA_VALUE) &&
        good(cohort_value_read(value, COHORT_ARRAY(&found[0][0], replicas * WIDTH)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(memcmp(found[r], wanted, sizeof *found) == 0);
    return is_good;
}

static bool reduces_one(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    cohort_value *total = cohort_value_create(s);
    for (int i = 0; i < OPS && is_good; i++) {
        float wanted[WIDTH], before[CORE_MAX_REPLICAS][WIDTH], usual[WIDTH];
        job j = { .s = s, .n = 1, .op = ops[i] };
        j.values[0] = make_components(s, replicas, i);
        memcpy(before, components, sizeof before);
        for (int k = 0; k < WIDTH; k++)
            wanted[k] =
                combined(ops[i], 0, replicas, k) / (ops[i] == COHORT_MEAN ? (float)replicas : 1);
        is_good = good(cohort_reduce(ops[i], j.values[0], COHORT_NO_AXIS, total) == COHORT_OK) &&
                  good(cohort_value_read(total, COHORT_ARRAY(usual, WIDTH)) == COHORT_OK) &&
                  plays(&j, reduce_values) && equals_everywhere(j.values[0], replicas, wanted) &&
                  good(memcmp(usual, wanted, sizeof usual) == 0) &&
                  good(memcmp(before, components, sizeof before) == 0);
        cohort_value_destroy(j.values[0]);
    }
    return is_good;
}

static cohort_status write_many(cohort_replica *me, void *user)
{
    job *j = user;
    for (int i = 0; i < MANY; i++)
        if (!must(cohort_replica_run(me, tell, i, j->values[i]) == COHORT_OK) ||
            !must(cohort_replica_run(me, next_term, COHORT_REPLICA_ID, j->values[i]) == COHORT_OK))
            return COHORT_OK;
    (void)must(cohort_all_reduce(me, COHORT_SUM, j->values, MANY) == COHORT_OK);
    for (int i = 0; i < MANY; i++) {
        int64_t found = 0, n = cohort_replica_count(me);
        if (!must(cohort_replica_read(me, j->values[i], COHORT_ARRAY(&found, 1)) == COHORT_OK) ||
            !must(found == n * (i + 1) + n * (n - 1) / 2))
            return COHORT_OK;
    }
    return COHORT_OK;
}

static bool reduces_many(cohort_strategy *s, int replicas)
{
    (void)replicas;
    job j = { .s = s };
    for (int i = 0; i < MANY; i++)
        j.values[i] = cohort_value_create(s);
    return plays(&j, write_many);
}

static cohort_status reduce_nothing(cohort_replica *me, void *user)
{
    (void)user;
    (void)must(cohort_all_reduce(me, COHORT_SUM, NULL, 0) == COHORT_OK);
    return COHORT_OK;
}

static bool reduces_none(cohort_strategy *s, int replicas)
{
    (void)replicas;
    job j = { .s = s };
    return plays(&j, reduce_nothing) && works(s);
}

static cohort_status reduce_often(cohort_replica *me, void *user)
{
    job *j = user;
    int64_t wanted = 0, found, n = cohort_replica_count(me);
    cohort_status status = cohort_replica_run(me, tell, 0, j->v);
    for (int64_t i = 0, mine = 1; i < 200 && must(status == COHORT_OK); i++) {
        wanted = n * (mine % 1009) + n * (n - 1) / 2;
        mine = wanted;
        status = cohort_replica_run(me, next_term, COHORT_REPLICA_ID, j->v);
        if (must(status == COHORT_OK))
            status = cohort_all_reduce(me, COHORT_SUM, &j->v, 1);
    }
    (void)(must(cohort_replica_read(me, j->v, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           must(found == wanted));
    return COHORT_OK;
}

static bool reduces_often(cohort_strategy *s, int replicas)
{
    (void)replicas;
    job j = { .s = s, .v = cohort_value_create(s) };
    return plays(&j, reduce_often);
}

/* ---- Absent replicas: only the first `present` have a row. */

static cohort_status use_absent(cohort_replica *me, void *user)
{
    job *j = user;
    int is_any = j->n > 0, is_here = is_any && cohort_replica_id(me) < j->n;
    float found = -1;
    (void)(must(cohort_replica_run(me, norm2, j->x, j->y) == COHORT_OK) &&
           must(cohort_all_reduce(me, j->op, &j->y, 1) == COHORT_OK) &&
           must(cohort_replica_read(me, j->y, COHORT_ARRAY(&found, is_any)) == COHORT_OK) &&
           must(is_any ? found == (j->op == COHORT_MEAN ? 4.0f : 4.0f * (float)j->n)
                       : found == -1) &&
           must(!is_here || cohort_replica_run(me, clip, 1, j->y, j->x) == COHORT_OK));
    return COHORT_OK;
}

static cohort_status read_other_rows(cohort_replica *me, void *user)
{
    job *j = user;
    int is_here = cohort_replica_id(me) < j->n;
    float extra[2];
    if (cohort_replica_run(me, norm2, j->x, j->y) == COHORT_OK) /* nobody has failed yet */
        (void)must(
            cohort_replica_read(me, j->y, COHORT_ARRAY(extra, j->position == 0 ? 2 : !is_here)) ==
            COHORT_EINVAL);
    return COHORT_OK;
}

static bool skips_absent(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int present = 0; present < replicas && is_good; present++)
        for (int i = 0; i < 2 && is_good; i++) {
            float twos[CORE_MAX_REPLICAS];
            for (int r = 0; r < CORE_MAX_REPLICAS; r++)
                twos[r] = 2;
            job j = { .s = s, .n = present, .op = ops[i] };
            j.x = cohort_value_split(s, COHORT_ARRAY(twos, present));
            j.y = cohort_value_create(s);
            for (j.position = 0; j.position < 2 && is_good; j.position++)
                is_good =
                    step_fails(&j, read_other_rows, "cohort_replica_read: the component has ");
            is_good = is_good && plays(&j, use_absent) &&
                      good(cohort_value_rows(j.y, replicas - 1) == (present > 0));
            cohort_value_destroy(j.x);
            cohort_value_destroy(j.y);
        }
    return is_good;
}

/* ---- A value that lives again: what its components held before is not there any more. */

static cohort_status write_first_only(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me);
    int64_t found = 0;
    cohort_status status = id == 0 ? cohort_replica_run(me, tell, 7, j->v) : COHORT_OK;
    (void)(must(status == COHORT_OK) && must(cohort_barrier(me) == COHORT_OK) &&
           must(cohort_value_kind_of(j->v) == COHORT_PER_REPLICA_VALUE) &&
           must(cohort_value_rows(j->v, id) == (id == 0 ? 1 : -1)));
    if (id == 0)
        (void)(must(cohort_replica_read(me, j->v, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
               must(found == 8));
    return COHORT_OK;
}

static cohort_status read_old(cohort_replica *me, void *user)
{
    job *j = user;
    int64_t found = 0;
    if (cohort_replica_id(me) > 0)
        (void)(must(cohort_replica_read(me, j->v, COHORT_ARRAY(&found, 1)) == COHORT_EINVAL) &&
               must(found == 0));
    return COHORT_OK;
}

static bool begins_anew(cohort_strategy *s, int replicas)
{
    job j = { .s = s, .v = cohort_value_create(s), .y = cohort_value_create(s) };
    return good(cohort_run(s, tell, COHORT_REPLICA_ID, j.v) == COHORT_OK) &&
           good(cohort_reduce(COHORT_SUM, j.v, COHORT_NO_AXIS, j.y) == COHORT_OK) &&
           good(cohort_reduce(COHORT_MAX, j.y, COHORT_NO_AXIS, j.v) == COHORT_OK) &&
           good(cohort_value_kind_of(j.v) == COHORT_PLAIN_VALUE) && plays(&j, write_first_only) &&
           (replicas == 1 || step_fails(&j, read_old, "cohort_replica_read: nothing has written"));
}

/* ---- Gradients clipped together. */

static cohort_status clip_together(cohort_replica *me, void *user)
{
    job *j = user;
    cohort_status status = cohort_replica_run(me, norm2, j->x, j->y);
    if (status == COHORT_OK)
        status = cohort_all_reduce(me, COHORT_SUM, &j->y, 1);
    return status == COHORT_OK ? cohort_replica_run(me, clip, 1.0f, j->y, j->x) : status;
}

static bool clips(cohort_strategy *s, int replicas)
{
    float g[CORE_MAX_REPLICAS * 2], found[CORE_MAX_REPLICAS * 2], wanted[CORE_MAX_REPLICAS * 2],
        norm = 0;
    int n = 2 * replicas;
    for (int i = 0; i < n; i++)
        g[i] = (float)(i + 1);
    job j = { .s = s, .x = cohort_value_split(s, COHORT_ARRAY(g, n)), .y = cohort_value_create(s) };
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(g, n)), *y = cohort_value_create(s),
                 *total = cohort_value_create(s);
    bool is_good = plays(&j, clip_together) && good(cohort_run(s, norm2, x, y) == COHORT_OK) &&
                   good(cohort_reduce(COHORT_SUM, y, COHORT_NO_AXIS, total) == COHORT_OK) &&
                   good(cohort_run(s, clip, 1.0f, total, x) == COHORT_OK) &&
                   good(cohort_value_read(x, COHORT_ARRAY(wanted, n)) == COHORT_OK) &&
                   good(cohort_value_read(j.x, COHORT_ARRAY(found, n)) == COHORT_OK) &&
                   good(memcmp(found, wanted, (size_t)n * sizeof *found) == 0) &&
                   good(g[n - 1] == (float)n);
    for (int i = 0; i < n && is_good; i++)
        norm += found[i] * found[i];
    return is_good && good(fabsf(norm - 1) < 1e-4f);
}

/* ---- Other strategies in steps, steps after steps. */

/* What a step function asks of another strategy: nothing of it is done, whether it reads or
 * writes. */
enum { OTHER_STEP, OTHER_VALUE, OTHER_READ, OTHER_RUN, OTHER_WAIT, OTHER_ENTER, OTHERS };

static cohort_status never(cohort_replica *me, void *user)
{
    (void)me, (void)user;
    return noted(false) ? COHORT_OK : COHORT_EINTERNAL;
}

static cohort_status use_others(job *j)
{
    switch (j->position) {
    case OTHER_STEP:
        return cohort_for_each_replica(j->others, never, j);
    case OTHER_VALUE:
        return cohort_value_number(j->others, 3) == NULL ? COHORT_EINVAL : COHORT_OK;
    case OTHER_READ:
        return isnan(cohort_value_scalar(j->foreign)) ? COHORT_EINVAL : COHORT_OK;
    case OTHER_RUN:
        return cohort_run(j->others, tell, 1, j->foreign);
    case OTHER_WAIT:
        return cohort_wait(j->others);
    default:
        return cohort_scope_enter(j->others);
    }
}

enum { ALL_MIX = -1, TIMES_ALL_MIX = 20 };

static cohort_status mix(cohort_replica *me, void *user)
{
    job *j = user;
    if (cohort_replica_id(me) == j->odd || j->odd == ALL_MIX) {
        (void)must(use_others(j) == COHORT_EINVAL);
        (void)must(strstr(cohort_error_text(), "mixing strategies") != NULL);
        (void)must(cohort_replica_current() == me && cohort_scope_current() == j->s);
        /* its error is up */
        (void)must(cohort_replica_run(me, tell, COHORT_REPLICA_ID, j->v) == COHORT_EINVAL);
    }
    return COHORT_OK;
}

static bool refuses_others(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    job j = { .s = s, .v = cohort_value_create(s) };
    j.others = cohort_strategy_create(&(cohort_strategy_options){
        .devices = replicas % 2 == 0 ? "host/2" : "host", .replicas = 3 });
    j.foreign = cohort_value_number(j.others, 2);
    for (j.odd = 0; j.odd < replicas && is_good; j.odd++)
        for (j.position = 0; j.position < OTHERS && is_good; j.position++)
            is_good = step_fails(&j, mix, "mixing strategies") &&
                      good(cohort_replica_current() == NULL) &&
                      good(cohort_scope_current() == NULL) &&
                      good(cohort_strategy_status(j.others) == COHORT_OK) &&
                      good(cohort_value_scalar(j.foreign) == 2);
    /* each is told of the mixing, and none that another one is inside already */
    j.odd = ALL_MIX;
    for (int i = 0; i < TIMES_ALL_MIX * OTHERS && is_good; i++) {
        j.position = i % OTHERS;
        is_good = step_fails(&j, mix, "mixing strategies");
    }
    is_good = is_good && works(j.others);
    cohort_strategy_destroy(j.others);
    return is_good && works(s);
}

static bool plays_often(cohort_strategy *s, int replicas)
{
    job j = { .s = s, .v = cohort_value_create(s) };
    bool is_good = true;
    int64_t blocks = 0;
    for (int i = 0; i < 100 && is_good; i++) {
        blocks = i == 10 ? cohort_memory_blocks() : blocks;
        is_good = plays(&j, plain_step);
    }
    int64_t total[CORE_MAX_REPLICAS];
    return is_good && good(cohort_memory_blocks() == blocks) &&
           good(cohort_value_read(j.v, COHORT_ARRAY(total, replicas)) == COHORT_OK) &&
           good(total[replicas - 1] == replicas * (replicas + 1) / 2);
}

static void *release_soon(void *hold)
{
    (void)loopback->reached(*(int32_t *)hold, 1, 60 * SECOND);
    (void)usleep(20000);
    loopback->release(*(int32_t *)hold);
    return NULL;
}

static void after_full_lanes(const char *devices)
{
    enum { VALUES = 6000 };
    static cohort_value *values[VALUES];
    float ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .replicas = 8 });
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, 8)), *y = cohort_value_create(s);
    bool is_good = good(s != NULL);
    for (int i = 0; i < VALUES && is_good; i++)
        is_good = good((values[i] = cohort_value_create(s)) != NULL) &&
                  good(cohort_run(s, tell, COHORT_REPLICA_ID, values[i]) == COHORT_OK);
    is_good = is_good && good(cohort_wait(s) == COHORT_OK);
    loopback->reset();
    int32_t hold = steer_rule(loopback, COHORT_LOOPBACK_HOLD, 0, COHORT_LOOPBACK_ANY, 1, 0);
    pthread_t thread;
    (void)pthread_create(&thread, NULL, release_soon, &hold);
    is_good = is_good && good(cohort_run(s, norm2, x, y) == COHORT_OK);
    for (int i = 0; i < VALUES; i++)
        cohort_value_destroy(values[i]);
    ok(is_good && works(s), "a step on %s begins behind full lanes of a held device", devices);
    (void)pthread_join(thread, NULL);
    cohort_strategy_destroy(s);
    loopback->reset();
}

/* ---- Wrong calls. */

static bool is_refused(cohort_status status, const char *text)
{
    return must(status == COHORT_EINVAL) && must(strstr(cohort_error_text(), text) != NULL);
}

static void *use_elsewhere(void *me)
{
    (void)is_refused(cohort_barrier(me), "thread");
    (void)must(cohort_replica_current() == NULL);
    return NULL;
}

/* What replica `me` calls wrongly, one call per step, and what it is told. */
static const char *const wrong_words[] = { "NULL",
                                           "NULL",
                                           "NULL",
                                           "NULL",
                                           "-1 values",
                                           "NULL",
                                           "NULL",
                                           "another strategy",
                                           "another strategy",
                                           "another strategy",
                                           "NULL",
                                           "",
                                           "tell",
                                           "tell",
                                           "NULL",
                                           "nothing has written",
                                           "float32",
                                           "2",
                                           "",
                                           "" };
enum { WRONG_CALLS = sizeof wrong_words / sizeof *wrong_words };

static cohort_status call_wrongly(cohort_replica *me, job *j)
{
    double number[2];
    float single[2];
    switch (j->position) {
    case 0:
        return cohort_barrier(NULL);
    case 1:
        return cohort_all_reduce(NULL, COHORT_SUM, &j->v, 1);
    case 2:
        return cohort_replica_run(NULL, tell, 1, j->v);
    case 3:
        return cohort_replica_read(NULL, j->v, COHORT_ARRAY(number, 1));
    case 4:
        return cohort_all_reduce(me, COHORT_SUM, &j->v, -1);
    case 5:
        return cohort_all_reduce(me, COHORT_SUM, NULL, 2);
    case 6:
        return cohort_all_reduce(me, COHORT_SUM, (cohort_value *[]){ j->v, NULL }, 2);
    case 7:
        return cohort_all_reduce(me, COHORT_SUM, &j->foreign, 1);
    case 8:
        return cohort_replica_read(me, j->foreign, COHORT_ARRAY(number, 1));
    case 9:
        return cohort_replica_run(me, tell, 1, j->foreign);
    case 10:
        return cohort_replica_run(me, NULL, 1, j->v);
    case 11:
        return cohort_replica_run_arguments("", me, tell, NULL);
    case 12:
        return cohort_replica_run(me, tell, 1);
    case 13:
        return cohort_replica_run(me, tell, 1.5, j->v);
    case 14:
        return cohort_replica_read(me, NULL, COHORT_ARRAY(number, 1));
    case 15:
        return cohort_replica_read(me, j->y, COHORT_ARRAY(number, 1));
    case 16:
        return cohort_replica_read(me, j->x, COHORT_ARRAY(single, 1));
    case 17:
        return cohort_replica_read(me, j->x, COHORT_ARRAY(number, 2));
    case 18:
        return cohort_replica_read(me, j->x, COHORT_ARRAY((double *)NULL, 1));
    default:
        return cohort_replica_read(me, j->x, (cohort_array){ .data = number, .rank = -1 });
    }
}

/* Also for those that only hear of the others' error. */
static cohort_status be_wrong(cohort_replica *me, void *user)
{
    job *j = user;
    (void)is_refused(call_wrongly(me, j), wrong_words[j->position]);
    (void)is_refused(cohort_barrier(me), wrong_words[j->position]);
    return COHORT_OK;
}

static cohort_status be_another(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me), n = cohort_replica_count(me);
    j->replicas[id] = me;
    if (cohort_barrier(me) == COHORT_OK && n > 1) /* nobody has failed yet */
        (void)is_refused(cohort_barrier(j->replicas[(id + 1) % n]), "on its thread");
    return COHORT_OK;
}

static cohort_status be_elsewhere(cohort_replica *me, void *user)
{
    pthread_t thread;
    (void)user;
    if (must(pthread_create(&thread, NULL, use_elsewhere, me) == 0))
        (void)pthread_join(thread, NULL);
    return COHORT_OK;
}

static bool refuses(cohort_strategy *s, int replicas)
{
    double numbers[CORE_MAX_REPLICAS] = { 0 };
    job j = { .s = s,
              .v = cohort_value_create(s),
              .y = cohort_value_create(s),
              .others = cohort_mirrored("host") };
    j.x = cohort_value_split(s, COHORT_ARRAY(numbers, replicas));
    j.foreign = cohort_value_number(j.others, 1);
    bool is_good = refused(s, COHORT_EINVAL, cohort_for_each_replica(s, NULL, NULL)) &&
                   good(cohort_for_each_replica(NULL, be_wrong, NULL) == COHORT_EINVAL);
    for (; is_good && j.position < WRONG_CALLS; j.position++)
        is_good = step_fails(&j, be_wrong, wrong_words[j.position]) &&
                  good(cohort_strategy_status(j.others) == COHORT_OK);
    is_good = is_good &&
              (replicas == 1 ? plays(&j, be_another) : step_fails(&j, be_another, "on its thread"));
    atomic_store(&bad, 0);
    is_good = is_good && refused(s, COHORT_EINVAL, cohort_for_each_replica(s, be_elsewhere, &j)) &&
              good(strstr(cohort_error_text(), "on its thread") != NULL) &&
              good(atomic_load(&bad) == 0);
    cohort_strategy_destroy(j.others);
    is_good =
        is_good && works(s) && refused(s, COHORT_EINVAL, cohort_barrier(j.replicas[0])) &&
        refused(s, COHORT_EINVAL, cohort_all_reduce(j.replicas[0], COHORT_SUM, &j.v, 1)) &&
        refused(s, COHORT_EINVAL,
                cohort_replica_read(j.replicas[replicas - 1], j.x, COHORT_ARRAY(numbers, 1))) &&
        refused(s, COHORT_EINVAL, cohort_replica_run(j.replicas[0], tell, 1, j.v));
    return is_good && good(cohort_replica_id(NULL) == -1) &&
           good(cohort_replica_count(NULL) == 0) && good(cohort_replica_strategy(NULL) == NULL) &&
           good(cohort_replica_device(NULL) == NULL);
}

/* Calls of cross-replica context, one per step. */
static cohort_status call_outside(job *j, int which)
{
    float content[WIDTH] = { 0 };
    cohort_array arrays[CORE_MAX_REPLICAS];
    switch (which) {
    case 0:
        return cohort_run(j->s, tell, 1, j->v);
    case 1:
        return cohort_update(j->w, tell, 1, j->w);
    case 2:
        return cohort_reduce(COHORT_SUM, j->x, COHORT_NO_AXIS, j->y);
    case 3:
        return cohort_gather(j->x, 0, j->y);
    case 4:
        return cohort_wait(j->s);
    case 5:
        return cohort_local_results(j->x, arrays, 1);
    case 6:
        return cohort_for_each_replica(j->s, plain_step, j);
    case 7:
        return cohort_strategy_recover(j->s);
    case 8:
        return cohort_value_read(j->x, COHORT_ARRAY(content, WIDTH));
    case 9:
        return cohort_value_set(j->x, COHORT_ARRAY(content, WIDTH));
    case 10:
        return cohort_value_create(j->s) == NULL ? COHORT_EINVAL : COHORT_OK;
    case 11:
        return isnan(cohort_value_scalar(j->x)) ? COHORT_EINVAL : COHORT_OK;
    case 12:
        cohort_value_destroy(j->x);
        return COHORT_EINVAL;
    case 13:
        cohort_variable_destroy(j->w);
        return COHORT_EINVAL;
    default:
        cohort_strategy_destroy(j->s);
        return COHORT_EINVAL;
    }
}
enum { OUTSIDE_CALLS = 15, RECOVERS = 7, DESTROYS = 14 };

static cohort_status be_outside(cohort_replica *me, void *user)
{
    job *j = user;
    (void)is_refused(call_outside(j, j->position), "inside a step function");
    (void)is_refused(cohort_barrier(me), "inside a step function");
    return COHORT_OK;
}

static cohort_status assign_unasked(cohort_replica *me, void *user)
{
    job *j = user;
    (void)me;
    (void)is_refused(cohort_variable_assign(j->w, 3), "variable 'w'"); /* it has no aggregation */
    return COHORT_OK;
}

static bool refuses_inside(cohort_strategy *s, int replicas)
{
    float content[WIDTH] = { 0 };
    job j = { .s = s, .v = cohort_value_create(s), .y = cohort_value_create(s) };
    j.x = make_components(s, replicas, 1);
    j.w = cohort_variable_create(s, "w", COHORT_ARRAY(weights, WIDTH), NULL);
    bool is_good = step_fails(&j, assign_unasked, "variable 'w'");
    for (j.position = 0; j.position < OUTSIDE_CALLS && is_good; j.position++)
        is_good = step_fails(&j, be_outside,
                             j.position == RECOVERS || j.position == DESTROYS
                                 ? ": called inside a step function of its strategy; call it when "
                                   "the step has returned"
                                 : ": called inside a step function of its strategy; use ");
    return is_good && works(s) &&
           good(cohort_variable_read(j.w, COHORT_ARRAY(content, WIDTH)) == COHORT_OK) &&
           good(memcmp(content, weights, sizeof content) == 0) &&
           good(cohort_value_kind_of(j.x) == COHORT_PER_REPLICA_VALUE);
}

/* What only the collective itself can find wrong fails the step, until recover. */
static cohort_status reduce_wrongly(cohort_replica *me, void *user)
{
    job *j = user;
    cohort_status status = cohort_all_reduce(me, j->op, j->values, 1);
    (void)must(status == COHORT_EINVAL);
    return COHORT_OK; /* it is no help to keep quiet about it */
}

static bool fails_in_reduce(cohort_strategy *s, cohort_value *value, int op, const char *text)
{
    job j = { .s = s, .op = (cohort_reduce_op)op, .values = { value } };
    atomic_store(&bad, 0);
    return good(cohort_for_each_replica(s, reduce_wrongly, &j) == COHORT_EINVAL) &&
           good(atomic_load(&bad) == 0) && good(strstr(cohort_error_text(), text) != NULL) &&
           good(cohort_wait(s) == COHORT_EINVAL) && recovers(s);
}

static bool refuses_reductions(cohort_strategy *s, int replicas)
{
    bool truths[CORE_MAX_REPLICAS] = { false };
    int32_t whole[CORE_MAX_REPLICAS + 1] = { 0 };
    return fails_in_reduce(s, cohort_value_split(s, COHORT_ARRAY(whole, replicas)), 0,
                           "cohort_all_reduce") &&
           fails_in_reduce(s, cohort_value_split(s, COHORT_ARRAY(whole, replicas)), 99,
                           "cohort_all_reduce") &&
           fails_in_reduce(s, cohort_value_split(s, COHORT_ARRAY(truths, replicas)), COHORT_SUM,
                           "bool") &&
           fails_in_reduce(s, cohort_value_create(s), COHORT_SUM, "nothing has written") &&
           (replicas == 1 ||
            fails_in_reduce(s, cohort_value_split(s, COHORT_ARRAY(whole, replicas + 1)), COHORT_SUM,
                            "shapes must be equal"));
}

/* ---- One replica fails: before any call, between its collectives, or after all. */

static cohort_status fail_one(cohort_replica *me, void *user)
{
    job *j = user;
    int is_odd = cohort_replica_id(me) == j->odd;
    cohort_status status = cohort_replica_run(me, tell, COHORT_REPLICA_ID, j->v);
    if (is_odd && j->position == 0)
        return COHORT_EBUILD;
    status = cohort_all_reduce(me, COHORT_SUM, &j->v, 1);
    if (is_odd && j->position == 1)
        return COHORT_EBUILD;
    status = status < 0 ? status : cohort_barrier(me);
    if (is_odd && j->position == 2)
        return COHORT_EBUILD;
    (void)atomic_fetch_add(&released, 1);
    return status;
}

static bool fails_alone(cohort_strategy *s, int replicas)
{
    const cohort_device *devices[CORE_MAX_REPLICAS];
    float content[WIDTH];
    job j = { .s = s, .v = cohort_value_create(s) };
    j.w = cohort_variable_create(s, "w", COHORT_ARRAY(weights, WIDTH), NULL);
    bool is_good = good(j.w != NULL);
    for (int k = 0; k < 3 * replicas && is_good; k++) {
        char who[60];
        int d = 0, n_devices = cohort_strategy_devices(s, devices, CORE_MAX_REPLICAS);
        j.odd = k / 3;
        j.position = k % 3;
        for (int first = 0; d < n_devices - 1 && j.odd >= first + cohort_strategy_hosted(s, d); d++)
            first += cohort_strategy_hosted(s, d);
        (void)snprintf(who, sizeof who, "replica %d on %s:", j.odd, cohort_device_id(devices[d]));
        (void)cohort_wait(NULL); /* a text that is stale soon */
        atomic_store(&released, 0);
        is_good = good(cohort_for_each_replica(s, fail_one, &j) == COHORT_EBUILD) &&
                  good(strstr(cohort_error_text(), who) != NULL) &&
                  good(strstr(cohort_error_text(), cohort_status_text(COHORT_EBUILD)) != NULL) &&
                  good(strstr(cohort_error_text(), "NULL") == NULL) &&
                  good(cohort_strategy_status(s) == COHORT_EBUILD) &&
                  good(cohort_for_each_replica(s, plain_step, &j) == COHORT_EBUILD) &&
                  recovers(s) &&
                  good(cohort_variable_read(j.w, COHORT_ARRAY(content, WIDTH)) == COHORT_OK) &&
                  good(memcmp(content, weights, sizeof content) == 0);
    }
    return is_good;
}

static bool releases_others(cohort_strategy *s, int replicas)
{
    job j = { .s = s, .v = cohort_value_create(s), .position = 0 };
    bool is_good = true;
    for (j.odd = 0; j.odd < replicas && is_good; j.odd++) {
        int before = atomic_load(&released);
        is_good = good(cohort_for_each_replica(s, fail_one, &j) == COHORT_EBUILD) &&
                  good(atomic_load(&released) - before < replicas) && recovers(s);
    }
    return is_good;
}

/* Of an error that the call before has told, the text is kept. */
static cohort_status fail_with_text(cohort_replica *me, void *user)
{
    job *j = user;
    return cohort_replica_id(me) == j->odd ? cohort_replica_run(me, tell, 1.5, j->v) : COHORT_OK;
}

static bool keeps_text(cohort_strategy *s, int replicas)
{
    char who[30];
    job j = { .s = s, .v = cohort_value_create(s), .odd = replicas - 1 };
    (void)snprintf(who, sizeof who, "replica %d on ", j.odd);
    return good(cohort_for_each_replica(s, fail_with_text, &j) == COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), who) != NULL) &&
           good(strstr(cohort_error_text(), "tell") != NULL) && recovers(s);
}

/* ---- Collectives that differ. */

enum { OTHER_CALL, OTHER_OP, OTHER_VALUES, OTHER_N, NO_CALL, LATE_CALL, DIFFERENCES };

static cohort_status differ(cohort_replica *me, void *user)
{
    job *j = user;
    bool is_odd = cohort_replica_id(me) == j->odd;
    cohort_status status = cohort_barrier(me);
    if (status < 0)
        return status;
    if (!is_odd)
        return cohort_all_reduce(me, COHORT_SUM, j->values, 1);
    switch (j->position) {
    case OTHER_CALL:
        return cohort_barrier(me);
    case OTHER_OP:
        return cohort_all_reduce(me, COHORT_MAX, j->values, 1);
    case OTHER_VALUES:
        return cohort_all_reduce(me, COHORT_SUM, j->values + 1, 1);
    case OTHER_N:
        return cohort_all_reduce(me, COHORT_SUM, j->values, 2);
    case NO_CALL:
        return COHORT_OK;
    default:
        status = cohort_all_reduce(me, COHORT_SUM, j->values, 1);
        return status < 0 ? status : cohort_barrier(me); /* one more than the others */
    }
}

static bool tells_differences(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    job j = { .s = s };
    if (replicas == 1)
        return true;
    for (j.odd = 0; j.odd < replicas && is_good; j.odd++)
        for (j.position = 0; j.position < DIFFERENCES && is_good; j.position++) {
            char who[30];
            (void)snprintf(who, sizeof who, "replica %d ", j.odd);
            j.values[0] = make_components(s, replicas, 1);
            j.values[1] = make_components(s, replicas, 2);
            is_good =
                good(cohort_for_each_replica(s, differ, &j) == COHORT_EINVAL) &&
                good(strstr(cohort_error_text(),
                            j.position == LATE_CALL ? "cohort_barrier" : "cohort_all_reduce") !=
                     NULL) &&
                good(strstr(cohort_error_text(), "all replicas call the same collectives") !=
                     NULL) &&
                good(j.position == NO_CALL || strstr(cohort_error_text(), who) != NULL) &&
                good(j.position != OTHER_CALL ||
                     strstr(cohort_error_text(), "cohort_barrier at ") != NULL) &&
                good(j.position == LATE_CALL ||
                     strstr(cohort_error_text(), "cohort_all_reduce (sum, 1 value) at ") != NULL) &&
                good(j.position != OTHER_OP ||
                     strstr(cohort_error_text(), "cohort_all_reduce (max, 1 value) at ") != NULL) &&
                good(j.position != OTHER_VALUES ||
                     strstr(cohort_error_text(), "other values") != NULL) &&
                good(j.position != NO_CALL ||
                     strstr(cohort_error_text(), "after cohort_barrier at ") != NULL) &&
                good(strstr(cohort_error_text(), "step function differ at ") != NULL) &&
                recovers(s);
            cohort_value_destroy(j.values[0]);
            cohort_value_destroy(j.values[1]);
        }
    return is_good;
}

/* ---- A device fails inside a step. */

static cohort_status quiet_step(cohort_replica *me, void *user)
{
    job *j = user;
    float found;
    cohort_status status = clip_together(me, j);
    if (status >= 0)
        status = cohort_replica_read(me, j->y, COHORT_ARRAY(&found, 1));
    return status < 0 ? status : cohort_barrier(me);
}

static void every_device_failure(const char *devices, uint32_t op, const char *name)
{
    bool is_good = true, is_over = false;
    uint32_t nth = 0;
    float g[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, found[8], wanted[8] = { 0 };
    for (is_over = false; !is_over && is_good && nth < 300; nth++) {
        cohort_strategy *s =
            cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .replicas = 8 });
        job j = { .s = s,
                  .x = cohort_value_split(s, COHORT_ARRAY(g, 8)),
                  .y = cohort_value_create(s) };
        loopback->reset();
        int32_t fail =
            steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, op, nth + 1, 0);
        cohort_status status = cohort_for_each_replica(s, quiet_step, &j);
        is_over = loopback->reached(fail, 1, 0) == 0;
        is_good = good(s != NULL) &&
                  good(is_over ? status == COHORT_OK : status == COHORT_EINTERNAL) &&
                  good(is_over || strstr(cohort_error_text(), "loopback:0") != NULL);
        loopback->reset();
        if (is_good && !is_over)
            is_good = good(cohort_wait(s) == COHORT_EINTERNAL) && recovers(s) &&
                      good(cohort_value_set(j.x, COHORT_ARRAY(g, 8)) == COHORT_OK) &&
                      good(cohort_for_each_replica(s, quiet_step, &j) == COHORT_OK);
        is_good = is_good && good(cohort_value_read(j.x, COHORT_ARRAY(found, 8)) == COHORT_OK) &&
                  good(nth == 0 || is_over || memcmp(found, wanted, sizeof found) == 0);
        memcpy(wanted, found, sizeof wanted);
        cohort_strategy_destroy(s);
    }
    if (!ok(is_good && is_over && nth > 1,
            "a step on %s fails at each %s, recovers and gets the same numbers", devices, name))
        diag("at operation %u", nth);
}

/* ---- A thread of the library is ended by the step function. */

static cohort_status end_thread(cohort_replica *me, void *user)
{
    job *j = user;
    if (j->position == 1 && cohort_barrier(me) < 0)
        return COHORT_EINVAL;
    if (cohort_replica_id(me) == j->odd)
        pthread_exit(NULL);
    return j->position == 2 ? COHORT_OK : cohort_barrier(me);
}

static bool survives_exit(cohort_strategy *s, int replicas)
{
    job j = { .s = s };
    bool is_good = true;
    int hosted = 0;
    for (int d = 0; hosted < replicas; d++) {
        for (j.odd = hosted + 1; j.odd < hosted + cohort_strategy_hosted(s, d) && is_good; j.odd++)
            for (j.position = 0; j.position < 3 && is_good; j.position++) {
                char who[30];
                (void)snprintf(who, sizeof who, "replica %d on ", j.odd);
                is_good = good(cohort_for_each_replica(s, end_thread, &j) == COHORT_EINVAL) &&
                          good(strstr(cohort_error_text(), who) != NULL) &&
                          good(strstr(cohort_error_text(), "pthread_exit") != NULL) && recovers(s);
            }
        hosted += cohort_strategy_hosted(s, d);
    }
    return is_good;
}

/* The executor of a device is a thread of the library too, and without it the device is lost. */
static void loses_executor(void)
{
    static const char *const devices[] = { "loopback", "loopback/2,host" };
    for (int i = 0; i < 6; i++) {
        cohort_strategy *s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = devices[i / 3], .replicas = 4 });
        job j = { .s = s, .odd = 0, .position = i % 3 };
        cohort_status status = cohort_for_each_replica(s, end_thread, &j);
        ok(good(status < 0) && good(strstr(cohort_error_text(), "pthread_exit") != NULL) &&
               good(cohort_strategy_recover(s) == (i < 3 ? COHORT_ELOST : COHORT_OK)) &&
               (i < 3 || works(s)),
           "a step function that ends the executor of %s is an error that stays where there is no "
           "other",
           devices[i / 3]);
        cohort_strategy_destroy(s);
        loopback->reset();
        s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = devices[i / 3], .replicas = 4 });
        ok(works(s), "and a new strategy works");
        cohort_strategy_destroy(s);
    }
}

/* ---- Deadlines. */

static cohort_status read_one(cohort_replica *me, void *user)
{
    job *j = user;
    float found;
    cohort_status status = cohort_replica_read(me, j->x, COHORT_ARRAY(&found, 1));
    return status < 0 ? status : cohort_barrier(me);
}

static void deadlines(void)
{
    float ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    (void)setenv("COHORT_TIMEOUT_COPY", "3", 1);
    cohort_strategy *s = cohort_mirrored("loopback/8");
    job j = { .s = s, .x = cohort_value_split(s, COHORT_ARRAY(ones, 8)) };
    (void)good(cohort_wait(s) == COHORT_OK);
    loopback->reset();
    int32_t delay = loopback->rule(&(cohort_loopback_rule){ .part = 3,
                                                            .op = COHORT_LOOPBACK_READ,
                                                            .nth = 1,
                                                            .action = COHORT_LOOPBACK_DELAY,
                                                            .delay_ns = SECOND * 7 / 10 });
    ok(good(cohort_for_each_replica(s, read_one, &j) == COHORT_OK) &&
           good(loopback->reached(delay, 1, 0) == 1) && works(s),
       "a device that is slow but alive is not lost, however many replicas wait for it");
    cohort_strategy_destroy(s);

    static const char *const devices[] = { "loopback", "loopback/3,host" };
    for (int i = 0; i < 2; i++) {
        (void)setenv("COHORT_TIMEOUT_COPY", "0.2", 1);
        s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = devices[i], .replicas = 8 });
        (void)unsetenv("COHORT_TIMEOUT_COPY");
        j = (job){ .s = s, .x = cohort_value_split(s, COHORT_ARRAY(ones, 8)) };
        (void)good(cohort_wait(s) == COHORT_OK);
        loopback->reset();
        int32_t hold = steer_rule(loopback, COHORT_LOOPBACK_HOLD, 0, COHORT_LOOPBACK_READ, 1, 0);
        ok(cohort_for_each_replica(s, read_one, &j) == COHORT_ETIMEDOUT,
           "a step on %s ends when a device misses its deadline", devices[i]);
        has_text(cohort_error_text(), "loopback:0", "the message names the device");
        has_text(cohort_error_text(), "COHORT_TIMEOUT_COPY", "and the setting");
        ok(cohort_strategy_recover(s) == (i == 0 ? COHORT_ELOST : COHORT_OK) &&
               (i == 0 || works(s)),
           "the strategy goes on where it has another device");
        cohort_strategy_destroy(s);
        loopback->release(hold);
        (void)usleep(50000);
        loopback->reset();
        s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = devices[i], .replicas = 8 });
        ok(works(s), "a new strategy works");
        cohort_strategy_destroy(s);
    }
}

static void on_devices(void)
{
    static const struct {
        uint32_t op;
        const char *name;
    } failing[] = { { COHORT_LOOPBACK_LAUNCH, "launch" },
                    { COHORT_LOOPBACK_READ, "read" },
                    { COHORT_LOOPBACK_WRITE, "write" },
                    { COHORT_LOOPBACK_ANY, "operation" } };
    after_full_lanes("loopback");
    after_full_lanes("loopback/3,host");
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++)
        every_device_failure("loopback/3,host", failing[i].op, failing[i].name);
    every_device_failure("loopback", COHORT_LOOPBACK_ANY, "operation");
}

/* Prototypes that are parsed once stay. */
static core_live warm_up(void)
{
    const cohort_function *const functions[] = { tell, affine, next_term, norm2, clip };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        (void)good(cohort_function_check(functions[i], NULL) == COHORT_OK);
    (void)core_warm();
    core_everywhere(computes, "replicas compute for the first time");
    return core_live_now();
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)alarm(120); /* a hang is a failure */
    loopback = steer();
    fill_rows();
    const core_live warm = warm_up();
    core_everywhere(all_know_themselves,
                    "every replica knows its number, strategy and device, and runs once per step");
    core_everywhere(
        computes,
        "replicas compute with their own component, plain values and variables, and read them");
    core_everywhere(waits_for_all, "nobody leaves a barrier before all are there");
    core_everywhere(goes_alone,
                    "of the replicas of one device one runs at a time, however long it takes");
    core_everywhere(reduces_one,
                    "values are combined along the tree, with the bits of cohort_reduce");
    core_everywhere(reduces_many, "300 values are combined in one call");
    core_everywhere(reduces_none, "no value is combined in one call");
    core_everywhere(reduces_often, "200 collectives in a loop");
    core_everywhere(skips_absent,
                    "absent replicas contribute nothing and get the total, where there is one");
    core_everywhere(begins_anew,
                    "a value that becomes per replica again has no component of an earlier life");
    core_everywhere(clips,
                    "gradients are clipped together, with the bits of the same calls from outside");
    core_everywhere(
        refuses_others,
        "calls of another strategy in a step are its error, and leave the other one alone");
    core_everywhere(plays_often, "100 steps in a row, with the memory of ten");
    core_everywhere(refuses, "wrong calls of a replica are refused, and nothing has changed");
    core_everywhere(refuses_inside, "calls on the strategy are refused inside its step function");
    core_everywhere(refuses_reductions, "what cannot be combined fails the step, until recover");
    core_everywhere(
        fails_alone,
        "a replica that fails ends the step: the text names it, and variables are unchanged");
    core_everywhere(releases_others, "the others are released from their collectives");
    core_everywhere(keeps_text, "what its latest call said is in the text");
    core_everywhere(tells_differences,
                    "collectives that differ are an error that names both, and no hang");
    core_everywhere(
        survives_exit,
        "a step function that ends a thread of the library fails the step, and no more");
    if (loopback != NULL)
        on_devices();
    core_no_leak(warm);
    no_leak_so_far();
    if (loopback != NULL) {
        loses_executor();
        deadlines();
    } else {
        skip("devices that fail inside a step",
             "there is no loopback plugin on COHORT_PLUGIN_PATH");
    }
    return tap_done();
}
