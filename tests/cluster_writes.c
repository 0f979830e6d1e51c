/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_mpi.t starts by mpirun, in which worker 1 writes
 * something else into content that all have than the others do: at the next exchange all are told
 * what, where and who, and then are made alike. Says "told: ..." for each, and ends with 0 when all
 * is as it should be.
 *
 *     cluster_writes */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <stdbool.h>
#include <string.h>

enum { ITEMS = 4, LONG = 40 }; /* more writes than are kept */

typedef struct world {
    cohort_strategy *s;
    cohort_variable *w, *v, *u, *components;
    cohort_value *plain, *number, *inner, *made, *mean, *copied;
} world;

/* What the writes of this process are given: worker 1 has another one at times. */
static float rate;

COHORT_FUNCTION(set_to, (int64_t n, COHORT_OUT float w[n], float a), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] = a;
}

COHORT_FUNCTION(add_array, (int64_t n, float w[n], const float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += x[i];
}

COHORT_FUNCTION(add_first, (int64_t n, float w[n], double a), COHORT_HOST_ONLY)
{
    w[0] += n > 0 ? (float)a : 0;
}

COHORT_FUNCTION(copy_of, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    memcpy(y, x, (size_t)n * sizeof *y);
}

/* ------------------------------------------------------------------ writes of every kind */

static cohort_array four(void)
{
    static float items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = rate + (float)i;
    return COHORT_ARRAY(items, ITEMS);
}

/* Every second element of twice as many. */
static cohort_array with_gaps(void)
{
    static float items[2 * ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[2 * i] = rate;
    cohort_array array = COHORT_ARRAY(items, ITEMS);
    array.strides[0] = 2;
    return array;
}

static cohort_status assign(world *a)
{
    return cohort_variable_assign(a->w, rate);
}

static cohort_status assign_add(world *a)
{
    return cohort_variable_assign_add(a->w, four());
}

static cohort_status assign_sub(world *a)
{
    return cohort_variable_assign_sub(a->w, with_gaps());
}

static cohort_status assign_value(world *a)
{
    cohort_status status = cohort_value_set(a->plain, four());
    return status < 0 ? status : cohort_variable_assign(a->w, a->plain);
}

static cohort_status assign_components(world *a)
{
    return cohort_variable_assign(a->components, rate);
}

static cohort_status scatter(world *a)
{
    static const int64_t ids[] = { 1, 3 };
    static float rows[2];
    rows[0] = rows[1] = rate;
    return cohort_variable_scatter_update(a->w, COHORT_ARRAY(ids, 2), COHORT_ARRAY(rows, 2));
}

static cohort_status scatter_ids(world *a)
{
    static int32_t ids[2];
    static const float rows[] = { 1, 2 };
    ids[0] = (int32_t)rate;
    ids[1] = 3;
    return cohort_variable_scatter_add(a->w, COHORT_ARRAY(ids, 2), COHORT_ARRAY(rows, 2));
}

static cohort_status scatter_value(world *a)
{
    static const int64_t ids[] = { 3, 1, 0, 3 };
    cohort_status status = cohort_value_set(a->plain, four());
    return status < 0 ? status
                      : cohort_variable_scatter_sub(a->w, COHORT_ARRAY(ids, ITEMS), a->plain);
}

static cohort_status update(world *a)
{
    return cohort_update(a->w, set_to, a->w, rate);
}

static cohort_status update_array(world *a)
{
    return cohort_update(a->w, add_array, a->w, four());
}

static cohort_status update_value(world *a)
{
    cohort_status status = cohort_value_set(a->number, (double)rate);
    return status < 0 ? status : cohort_update(a->w, add_first, a->w, a->number);
}

static cohort_status update_non_slot(world *a)
{
    return cohort_update_non_slot(COHORT_AT(a->w), set_to, a->v, rate);
}

static cohort_status broadcast(world *a)
{
    cohort_status status = cohort_broadcast(a->s, four(), COHORT_AT("host:0"), a->copied);
    return status < 0 ? status : cohort_variable_assign(a->w, a->copied);
}

static cohort_status update_in_step(cohort_replica *me, void *user)
{
    world *a = user;
    return cohort_replica_update(me, a->w, set_to, a->w, rate);
}

static cohort_status step(world *a)
{
    return cohort_for_each_replica(a->s, update_in_step, a);
}

static const struct kind {
    const char *name;
    cohort_status (*write)(world *a);
} kinds[] = {
    { "assign", assign },
    { "assign_add", assign_add },
    { "assign_sub", assign_sub },
    { "assign_value", assign_value },
    { "assign_components", assign_components },
    { "scatter", scatter },
    { "scatter_ids", scatter_ids },
    { "scatter_value", scatter_value },
    { "update", update },
    { "update_array", update_array },
    { "update_value", update_value },
    { "update_non_slot", update_non_slot },
    { "broadcast", broadcast },
    { "step", step },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ------------------------------------------------------------------ how worker 1 differs */

static cohort_status meet(world *a)
{
    return cohort_reduce(COHORT_SUM, a->made, COHORT_NO_AXIS, cohort_value_create(a->s));
}

static void holds(world *a, const char *name)
{
    float found[ITEMS], sum[ITEMS];
    cohort_value *each = cohort_value_create(a->s), *all = cohort_value_create(a->s);
    must(cohort_variable_read(a->w, COHORT_ARRAY(found, ITEMS)) == COHORT_OK, name);
    must(cohort_run(a->s, copy_of, a->w, each) == COHORT_OK &&
             cohort_reduce(COHORT_SUM, each, COHORT_NO_AXIS, all) == COHORT_OK &&
             cohort_value_read(all, COHORT_ARRAY(sum, ITEMS)) == COHORT_OK,
         name);
    for (int i = 0; i < ITEMS; i++)
        must(sum[i] == found[i] * (float)size, "all workers have the same");
    cohort_value_destroy(each);
    cohort_value_destroy(all);
}

/* The next exchange tells, and what worker 0 has becomes that of all. */
static void told(world *a, const char *how, const char *name)
{
    must(meet(a) < 0, "what differs is an error");
    printf("told: %d: %s: %s: %s\n", rank, how, name, cohort_error_text());
    must(cohort_strategy_recover(a->s) == COHORT_OK, "all recover");
    must(cohort_strategy_broadcast_variables(a->s) == COHORT_OK, "and are made alike");
    holds(a, name);
}

static void differ(world *a, const struct kind *k, const struct kind *next)
{
    rate = 1;
    must(k->write(a) == COHORT_OK && meet(a) == COHORT_OK, "the same is written");
    if (rank == 1)
        must(k->write(a) == COHORT_OK, "one more is written");
    told(a, "alone", k->name);
    if (rank != 1)
        must(k->write(a) == COHORT_OK, "one more is written");
    told(a, "missing", k->name);
    rate = rank == 1 ? 2 : 1;
    must(k->write(a) == COHORT_OK, "another number is written");
    told(a, "other", k->name);
    rate = 1;
    must((rank == 1 ? next : k)->write(a) == COHORT_OK &&
             (rank == 1 ? k : next)->write(a) == COHORT_OK,
         "they are written in another order");
    told(a, "order", k->name);
}

/* ------------------------------------------------------------------ others */

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    world *a = user;
    (void)s;
    (void)batch;
    cohort_status status = cohort_update(a->w, add_first, a->w, a->number);
    if (status >= 0)
        status = cohort_value_set(a->inner, (double)rate);
    return status < 0 ? status : cohort_update(a->w, add_first, a->w, a->inner);
}

/* What a recorded step is given is set between its runs; and it is run more often. */
static void programs(world *a)
{
    rate = 1;
    must(cohort_value_set(a->number, 1.0) == COHORT_OK, "a number is set");
    cohort_program *p = cohort_program_record(a->s, record, a, NULL, 0);
    must(p != NULL && cohort_program_run(p, NULL, 3) == COHORT_OK && meet(a) == COHORT_OK,
         "a step is recorded, and run");
    must(cohort_value_set(a->number, rank == 1 ? 2.0 : 1.0) == COHORT_OK &&
             cohort_program_run(p, NULL, 3) == COHORT_OK,
         "another number is set");
    told(a, "other", "program");
    must(cohort_value_set(a->number, 1.0) == COHORT_OK &&
             cohort_program_run(p, NULL, rank == 1 ? 4 : 3) == COHORT_OK,
         "more steps are run");
    told(a, "alone", "program");
    cohort_program_destroy(p);
    rate = rank == 1 ? 2 : 1;
    p = cohort_program_record(a->s, record, a, NULL, 0);
    must(p != NULL, "another step is recorded");
    told(a, "order", "program");
    cohort_program_destroy(p);
}

/* A reduction meets by itself; what it makes of an array is as alike as this is. */
static void reduced(world *a)
{
    rate = rank == 1 ? 2 : 1;
    must(cohort_value_set(a->plain, four()) == COHORT_OK &&
             cohort_reduce(COHORT_MEAN, a->plain, COHORT_NO_AXIS, a->mean) == COHORT_OK &&
             cohort_variable_assign(a->w, a->mean) == COHORT_OK,
         "what was made of another array is written");
    told(a, "other", "reduced");
}

/* Of another variable it is the name that counts: all have the same in it. */
static void copied(world *a)
{
    must(cohort_variable_assign(a->w, rank == 1 ? a->u : a->v) == COHORT_OK,
         "another variable is copied");
    told(a, "other", "copied");
}

static void resets(world *a)
{
    cohort_metric *m = cohort_metric_create(a->s, "sum", "m");
    must(m != NULL && cohort_metric_reset(m) == COHORT_OK && meet(a) == COHORT_OK,
         "all reset a metric");
    must(cohort_metric_update(m, a->made, NULL) == COHORT_OK && meet(a) == COHORT_OK,
         "what is added is each worker's own");
    if (rank == 1)
        must(cohort_metric_reset(m) == COHORT_OK, "one resets it alone");
    told(a, "alone", "reset");
}

static void long_ago(world *a)
{
    for (int i = 0; i < LONG; i++) {
        rate = rank == 1 && i == 0 ? 2 : 1;
        must(assign(a) == COHORT_OK, "a number is written");
    }
    told(a, "other", "long ago");
}

/* Until they are made alike, the error comes again; other failures repair what was only missed. */
static void again(world *a)
{
    rate = rank == 1 ? 2 : 1;
    must(assign(a) == COHORT_OK && meet(a) < 0, "what differs is an error");
    must(cohort_strategy_recover(a->s) == COHORT_OK && meet(a) < 0, "and one again after it");
    must(strstr(cohort_error_text(), "with other numbers") != NULL, "with the same words");
    must(cohort_strategy_recover(a->s) == COHORT_OK &&
             cohort_strategy_broadcast_variables(a->s) == COHORT_OK,
         "all are made alike");
    rate = 3;
    if (rank == 1)
        must(cohort_value_read(a->plain, COHORT_ARRAY(&rate, 1)) < 0, "a call fails alone");
    else
        must(assign(a) == COHORT_OK, "the others go on");
    (void)meet(a);
    must(cohort_strategy_recover(a->s) == COHORT_OK, "all recover");
    holds(a, "what the others have written");
}

/* Worker 0 restores what it has saved; the others have what it was made with. */
static void restores(world *a)
{
    rate = 5;
    if (rank == 0)
        must(cohort_variable_assign(a->w, four()) == COHORT_OK &&
                 cohort_variable_assign(a->v, rate) == COHORT_OK,
             "a chief restores");
    must(cohort_strategy_broadcast_variables(a->s) == COHORT_OK, "and all have it");
    float found[ITEMS];
    must(cohort_variable_read(a->w, COHORT_ARRAY(found, ITEMS)) == COHORT_OK && found[0] == 5 &&
             found[ITEMS - 1] == 5 + ITEMS - 1,
         "which is what was restored");
    must(cohort_variable_read(a->v, COHORT_ARRAY(found, ITEMS)) == COHORT_OK && found[0] == 5,
         "in all variables");
    holds(a, "restored");
}

/* What is each worker's own. */
static void is_own(world *a)
{
    cohort_variable *each =
        cohort_variable_create(a->s, "each", (cohort_array){ .dtype = COHORT_F32 },
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    cohort_value *own = cohort_value_number(a->s, rank);
    must(each != NULL, "there is a variable of components");
    must(cohort_value_set(own, (double)rank + 1) == COHORT_OK &&
             cohort_run(a->s, copy_of, four(), cohort_value_create(a->s)) == COHORT_OK &&
             meet(a) == COHORT_OK,
         "numbers and arrays of runs are each worker's own");
    cohort_variable_destroy(each);
}

int main(void)
{
    static const float ones[ITEMS] = { 1, 1, 1, 1 };
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    cohort_resolver *workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL, "there is a cluster");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    world a = { .s = cohort_multi_worker_mirrored(workers, "host:0") };
    must(a.s != NULL, "there is a strategy");
    cohort_array initial = { .dtype = COHORT_F32, .rank = 1, .shape = { ITEMS } };
    a.w = cohort_variable_create(a.s, "w", initial, NULL);
    a.v = cohort_variable_create(a.s, "v", initial, NULL);
    a.u = cohort_variable_create(a.s, "u", initial, NULL);
    a.components =
        cohort_variable_create(a.s, "components", initial,
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    a.plain = cohort_value_plain(a.s, COHORT_ARRAY(ones, ITEMS));
    a.number = cohort_value_number(a.s, 0);
    a.inner = cohort_value_number(a.s, 0);
    a.made = cohort_value_create(a.s);
    a.mean = cohort_value_create(a.s);
    a.copied = cohort_value_create(a.s);
    must(cohort_run(a.s, copy_of, a.w, a.made) == COHORT_OK, "there is something to reduce");
    for (int i = 0; i < KINDS; i++)
        differ(&a, &kinds[i], &kinds[(i + 1) % KINDS]);
    reduced(&a);
    copied(&a);
    resets(&a);
    programs(&a);
    long_ago(&a);
    again(&a);
    restores(&a);
    is_own(&a);
    cohort_strategy_destroy(a.s);
    cohort_resolver_destroy(workers);
    return 0;
}
