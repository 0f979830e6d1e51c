/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that read a value or a variable, and write another value. */
#include "config.h"

#include "tests/core.h"

#include <stdatomic.h>

enum { N = 3 };

COHORT_FUNCTION(fill_own, (int32_t id, int64_t n, int32_t w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] = (id + 1) * ((int32_t)i + 1);
}

COHORT_FUNCTION(copy, (int64_t n, const int32_t x[n], COHORT_OUT int32_t y[n]), COHORT_HOST_ONLY)
{
    memcpy(y, x, (size_t)n * sizeof *x);
}

typedef struct job {
    cohort_argument x;
    cohort_reduce_op op;
    cohort_value *into;
    int32_t wanted[N * CORE_MAX_REPLICAS];
    int n;     /* elements that each replica gets; 0: it is only read afterwards */
    int where; /* 0: all_reduce_into, 1: all_gather */
    bool is_odd;
    atomic_int bad;
} job;

static cohort_status collect(cohort_replica *me, void *user)
{
    job *j = user;
    int32_t found[N * CORE_MAX_REPLICAS] = { 0 };
    bool is_other = j->is_odd && cohort_replica_id(me) == cohort_replica_count(me) - 1;
    cohort_status status =
        j->where == 0 ? cohort_all_reduce_into(me, is_other ? COHORT_MAX : j->op, j->x, j->into)
                      : cohort_all_gather(me, j->x, is_other ? 1 : 0, j->into);
    if (status < 0 || j->n == 0)
        return status;
    status = cohort_replica_read(me, j->into, COHORT_ARRAY(found, j->n));
    if (memcmp(found, j->wanted, (size_t)j->n * sizeof *found) != 0)
        (void)atomic_fetch_add(&j->bad, 1);
    return status;
}

static bool plays(cohort_strategy *s, job *j)
{
    atomic_store(&j->bad, 0);
    return good(cohort_for_each_replica(s, collect, j) == COHORT_OK) &&
           good(atomic_load(&j->bad) == 0);
}

static int32_t w0[N] = { 5, -7, 9 };

static cohort_variable *on_read(cohort_strategy *s)
{
    const cohort_variable_options options = { .synchronization = COHORT_ON_READ,
                                              .aggregation = COHORT_AGGREGATE_SUM };
    cohort_variable *v = cohort_variable_create(s, "v", COHORT_ARRAY(w0, N), &options);
    return v != NULL && cohort_update(v, fill_own, COHORT_REPLICA_ID, v) == COHORT_OK ? v : NULL;
}

/* Every replica contributes an equal copy. */
static bool reduces_mirrored(cohort_strategy *s, int replicas)
{
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(w0, N), NULL);
    job j = { .x = COHORT_ARG_(w), .op = COHORT_SUM, .into = cohort_value_create(s), .n = N };
    for (int i = 0; i < N; i++)
        j.wanted[i] = replicas * w0[i];
    bool is_good = plays(s, &j);
    j.op = COHORT_MIN;
    memcpy(j.wanted, w0, sizeof w0);
    return is_good && plays(s, &j) &&
           good(cohort_value_kind_of(j.into) == COHORT_PER_REPLICA_VALUE);
}

static bool reduces_components(cohort_strategy *s, int replicas)
{
    cohort_variable *v = on_read(s);
    job j = { .x = COHORT_ARG_(v), .op = COHORT_SUM, .into = cohort_value_create(s), .n = N };
    for (int i = 0; i < N; i++)
        j.wanted[i] = replicas * (replicas + 1) / 2 * (i + 1);
    bool is_good = good(v != NULL) && plays(s, &j);
    int32_t sum[N];
    is_good = is_good && good(cohort_variable_read(v, COHORT_ARRAY(sum, N)) == COHORT_OK) &&
              good(memcmp(sum, j.wanted, sizeof sum) == 0); /* it was only read */
    j.op = COHORT_MAX;
    for (int i = 0; i < N; i++)
        j.wanted[i] = replicas * (i + 1);
    return is_good && plays(s, &j);
}

static bool reduces_value(cohort_strategy *s, int replicas)
{
    int32_t x[CORE_MAX_REPLICAS], back[CORE_MAX_REPLICAS];
    job j = { .op = COHORT_SUM, .into = cohort_value_create(s), .n = 1 };
    for (int r = 0; r < replicas; r++)
        j.wanted[0] += x[r] = r + 3;
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, replicas));
    j.x = COHORT_ARG_(v);
    return plays(s, &j) && good(cohort_value_read(v, COHORT_ARRAY(back, replicas)) == COHORT_OK) &&
           good(memcmp(back, x, (size_t)replicas * sizeof *x) == 0);
}

/* Who has no row gets the sum too; where nobody has one, nobody gets anything. */
static bool reduces_little(cohort_strategy *s, int replicas)
{
    int32_t one = 11;
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(&one, 1)),
                 *none = cohort_value_split(s, COHORT_ARRAY(&one, 0)),
                 *made = cohort_value_create(s);
    job j = { .x = COHORT_ARG_(v), .op = COHORT_SUM, .into = cohort_value_create(s), .n = 1 };
    j.wanted[0] = one;
    bool is_good = plays(s, &j) && good(cohort_run(s, copy, none, made) == COHORT_OK);
    cohort_value *const both[] = { none, made };
    for (int k = 0; k < 2 && is_good; k++) {
        j.x = COHORT_ARG_(both[k]), j.op = COHORT_MEAN, j.n = 0;
        is_good =
            plays(s, &j) && good(cohort_value_read(j.into, COHORT_ARRAY(&one, 0)) == COHORT_OK);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(cohort_value_rows(j.into, r) == 0);
    }
    return is_good;
}

static bool gathers(cohort_strategy *s, int replicas)
{
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(w0, N), NULL), *v = on_read(s);
    job j = { .x = COHORT_ARG_(w), .into = cohort_value_create(s), .n = N, .where = 1 };
    memcpy(j.wanted, w0, sizeof w0);
    bool is_good = plays(s, &j);
    j.x = COHORT_ARG_(v), j.n = N * replicas;
    for (int i = 0; i < N * replicas; i++)
        j.wanted[i] = (i / N + 1) * (i % N + 1);
    return is_good && good(v != NULL) && plays(s, &j);
}

static bool refuses(cohort_strategy *s, int replicas)
{
    cohort_strategy *other = cohort_mirrored("host");
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(w0, N), NULL),
                    *foreign = cohort_variable_create(other, "w", COHORT_ARRAY(w0, N), NULL);
    cohort_value *empty = cohort_value_create(s);
    job j = { .x = COHORT_ARG_(7), .op = COHORT_SUM, .into = cohort_value_create(s) };
    bool is_good = refused_for(s, "a value or a variable is needed; cohort_replica_set makes",
                               cohort_for_each_replica(s, collect, &j));
    j.x = COHORT_ARG_(foreign);
    is_good = is_good && refused_for(s, "the variable belongs to another strategy",
                                     cohort_for_each_replica(s, collect, &j));
    j.x = COHORT_ARG_(j.into);
    is_good = is_good && refused_for(s, "a value cannot be brought into itself",
                                     cohort_for_each_replica(s, collect, &j));
    j.x = COHORT_ARG_(empty);
    is_good = is_good && refused_for(s, "nothing has written the value",
                                     cohort_for_each_replica(s, collect, &j));
    j.x = COHORT_ARG_(w), j.is_odd = true;
    if (is_good && replicas > 1)
        is_good = refused_for(s, "cohort_all_reduce_into (max)",
                              cohort_for_each_replica(s, collect, &j)) &&
                  good(strstr(cohort_error_text(), "cohort_all_reduce_into (sum)") != NULL);
    cohort_strategy_destroy(other);
    return is_good && good(cohort_all_reduce_into(NULL, COHORT_SUM, w, j.into) == COHORT_EINVAL) &&
           good(cohort_strategy_recover(s) == COHORT_OK);
}

/* Shards are read whole. */
static void shards(void)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .name = "sharded", .devices = "host/2", .replicas = 5 });
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(w0, N), NULL);
    job j = { .x = COHORT_ARG_(w), .op = COHORT_SUM, .into = cohort_value_create(s), .n = N };
    for (int i = 0; i < N; i++)
        j.wanted[i] = 5 * w0[i];
    ok(good(cohort_variable_copies(w, NULL, 0) == 2) && plays(s, &j), "shards are combined whole");
    cohort_strategy_destroy(s);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(reduces_mirrored, "of a mirrored variable each replica has one to give");
        core_everywhere(reduces_components, "of an ON_READ variable its component");
        core_everywhere(reduces_value, "a value stays as it is");
        core_everywhere(reduces_little, "without rows nothing is contributed");
        core_everywhere(gathers, "variables are gathered too");
        core_everywhere(refuses, "what is wrong is refused in words");
        shards();
    }
    core_no_leak(warm);
    return tap_done();
}
