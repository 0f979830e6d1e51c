/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_mpi.t starts by mpirun, in which worker 1 does something
 * that the others do not: all are told what and who, none waits for ever, and where that is
 * possible all go on. Says "told: ..." where an error is what is asked for, and ends with 0 when
 * all is as it should be.
 *
 *   cluster_faults call       it makes another call
 *   cluster_faults shape      it reduces another shape
 *   cluster_faults list       its list is longer; one value of it has another shape; it has another
 *                             axis, or is for another result
 *   cluster_faults program    in a recorded step it has another shape, or runs what it cannot
 *   cluster_faults weights    its weights have another rank
 *   cluster_faults function   it combines with another function
 *   cluster_faults body       it stands in a function that combines
 *   cluster_faults halo       it wants more rows; rows of another length
 *   cluster_faults root       it names another root, or has written nothing there
 *   cluster_faults scatter    it scatters into another variable, or into no row of it
 *   cluster_faults numbers    its replica 2 of all has nothing
 *   cluster_faults barrier    it waits for all where the others do not
 *   cluster_faults variable   it creates another variable
 *   cluster_faults strategy   it makes another strategy
 *   cluster_faults device     its device is not there
 *   cluster_faults plugins    its plugin has another version
 *   cluster_faults failed     it fails alone; all recover
 *   cluster_faults destroyed  it destroys its strategy
 *   cluster_faults exited     it ends by exit(0) in mid-run; the others end with 3
 *   cluster_faults exited_in_body|exited_in_step|exited_in_value|exited_in_combine
 *                             the same in a function that the library calls
 *   cluster_faults exited_beside_body|exited_beside_exchange
 *                             the same in another thread than the one that calls meanwhile
 *   cluster_faults ended      all end with 3 after an error, and destroy nothing
 *   cluster_faults late       it makes its strategy a second after the others
 *   cluster_faults absent     it makes none
 *   cluster_faults frozen     it stands
 *   cluster_faults killed     it is killed
 *   cluster_faults refused    what does not work across workers
 *   cluster_faults parts      none does anything else: each reads as if it had all
 *   cluster_faults two        none does: two strategies in turns
 *   cluster_faults misled     its TF_CONFIG is none, or of another cluster
 *   cluster_faults differing  its TF_CONFIG has another address or order, or it has none
 *   cluster_faults contradiction  TF_CONFIG speaks of another cluster
 *   cluster_faults jobs       not all ranks are workers
 *   cluster_faults asked      it asks for jobs that are none
 *   cluster_faults kinds      it makes a strategy of another kind, or of none, or serves one */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 6, LISTED = 40 }; /* more than are surveyed in one meeting */

static cohort_resolver *workers;
static const cohort_array zero = { .dtype = COHORT_F32 };
static float half = 0.5F;

static cohort_strategy *make(const char *devices, cohort_rollback rollback)
{
    return cohort_strategy_create(&(cohort_strategy_options){ .name = "multi-worker-mirrored",
                                                              .devices = devices,
                                                              .resolver = workers,
                                                              .rollback = rollback });
}

static cohort_status ones(int replica, int n, cohort_array *out, void *user)
{
    static float items[2 * ITEMS];
    (void)replica;
    (void)n;
    for (int i = 0; i < 2 * ITEMS; i++)
        items[i] = 1;
    *out = (cohort_array){
        .data = items, .dtype = COHORT_F32, .rank = 1, .shape = { *(const int *)user }
    };
    return COHORT_OK;
}

/* The sum of a number of ones of each replica. */
static cohort_status sum_of(cohort_strategy *s, int n, float out[])
{
    cohort_value *x = cohort_value_from_function(s, ones, &n), *sum = cohort_value_create(s);
    cohort_status status = cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, sum);
    if (status >= 0)
        status = cohort_value_read(sum, COHORT_ARRAY(out, n));
    return status;
}

/* The status is a failure, which is told, and sticks. */
static void told(cohort_strategy *s, cohort_status status)
{
    must(status < 0, "what does not match is an error");
    printf("told: %d: %s\n", rank, cohort_error_text());
    must(cohort_strategy_status(s) == status, "and it sticks");
}

static void all_is_well(cohort_strategy *s)
{
    float sum[ITEMS];
    must(sum_of(s, ITEMS, sum) == COHORT_OK && sum[ITEMS - 1] == (float)size, "a sum is right");
}

static void recovers(cohort_strategy *s)
{
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    all_is_well(s);
}

/* ------------------------------------------------------------------ what does not match */

static void call(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    float sum[ITEMS];
    all_is_well(s);
    if (rank == 1)
        told(s, cohort_variable_create(s, "w", zero, NULL) != NULL ? COHORT_OK
                                                                   : cohort_strategy_status(s));
    else
        told(s, sum_of(s, ITEMS, sum));
    recovers(s);
    cohort_strategy_destroy(s);
}

static void shape(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    float sum[2 * ITEMS];
    told(s, sum_of(s, rank == 1 ? 2 * ITEMS : ITEMS, sum));
    recovers(s);
    cohort_strategy_destroy(s);
}

static cohort_status list_of(cohort_strategy *s, cohort_reduce_op op, int axis, int n, int last)
{
    cohort_value *x[LISTED], *into[LISTED];
    for (int i = 0; i < n; i++) {
        x[i] = cohort_value_from_function(s, ones, i == n - 1 ? &last : &(int){ ITEMS });
        into[i] = cohort_value_create(s);
    }
    return cohort_reduce_list(op, x, n, axis, into);
}

static void list(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    told(s, list_of(s, COHORT_SUM, COHORT_NO_AXIS, rank == 1 ? 3 : 2, ITEMS));
    recovers(s);
    told(s, list_of(s, COHORT_SUM, COHORT_NO_AXIS, LISTED, rank == 1 ? 2 * ITEMS : ITEMS));
    recovers(s);
    told(s, list_of(s, COHORT_SUM, rank == 1 ? 0 : COHORT_NO_AXIS, 2, ITEMS));
    recovers(s);
    told(s, list_of(s, rank == 1 ? COHORT_MEAN : COHORT_SUM, COHORT_NO_AXIS, 2, ITEMS));
    recovers(s);
    must(list_of(s, COHORT_MEAN, 0, LISTED, 2 * ITEMS) == COHORT_OK, "then a list is reduced");
    cohort_strategy_destroy(s);
}

static cohort_status weighed(cohort_value *x, cohort_value *weights, cohort_value *into)
{
    return cohort_reduce_with(
        COHORT_SUM, x,
        &(cohort_reduce_options){ .axes = (int32_t[]){ 0 }, .n_axes = 1, .weights = weights },
        into);
}

/* Three sums of a recorded step, which cross together. */
typedef struct sums {
    cohort_value *x[3], *by[3], *y[3], *sum[3];
    cohort_value *seen; /* by worker 0 alone: something of the first sum; NULL: it does not look */
} sums;

COHORT_FUNCTION(multiply, (int64_t n, const float x[n], const float by[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] * by[i];
}

static cohort_status record_sums(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const sums *all = user;
    cohort_status status = COHORT_OK;
    (void)batch;
    for (int i = 0; i < 3; i++) {
        (void)cohort_run(s, multiply, all->x[i], all->by[i], all->y[i]);
        status = cohort_reduce(COHORT_SUM, all->y[i], COHORT_NO_AXIS, all->sum[i]);
        if (i == 0 && rank == 0 && all->seen != NULL)
            status = cohort_run(s, multiply, all->sum[0], all->sum[0], all->seen);
    }
    return status;
}

/* Values borrow their arrays. */
static const float items[] = { 1, 2, 3, 4, 5, 6 };
_Static_assert(sizeof items / sizeof *items == ITEMS, "each has an item");

static void set(cohort_value *value, int n)
{
    must(cohort_value_set(value, COHORT_ARRAY(items, n)) == COHORT_OK, "a value is set");
}

static void set_all(const sums *all, int n)
{
    for (int i = 0; i < 3; i++) {
        set(all->x[i], n);
        set(all->by[i], n);
    }
}

static void sums_have(const sums *all, int n)
{
    float sum[ITEMS];
    for (int i = 0; i < 3; i++)
        must(cohort_value_read(all->sum[i], COHORT_ARRAY(sum, n)) == COHORT_OK &&
                 sum[n - 1] == (float)(n * n * size),
             "sums that are made together are right");
}

static void program(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    sums all = { .seen = NULL };
    for (int i = 0; i < 3; i++) {
        all.x[i] = cohort_value_plain(s, COHORT_ARRAY(items, 2));
        all.by[i] = cohort_value_plain(s, COHORT_ARRAY(items, 2));
        all.y[i] = cohort_value_create(s);
        all.sum[i] = cohort_value_create(s);
    }
    cohort_program *p = cohort_program_record(s, record_sums, &all, NULL, 0);
    must(p != NULL && cohort_program_run(p, NULL, 2) == COHORT_OK, "three sums are made");
    sums_have(&all, 2);
    set_all(&all, ITEMS);
    set(all.x[1], rank == 1 ? 3 : ITEMS);
    set(all.by[1], rank == 1 ? 3 : ITEMS);
    told(s, cohort_program_run(p, NULL, 1));
    recovers(s);
    sums_have(&all, 2);
    set_all(&all, 4);
    must(cohort_program_run(p, NULL, 1) == COHORT_OK, "they are made again");
    sums_have(&all, 4);
    set(all.x[2], rank == 1 ? 3 : 4);
    told(s, cohort_program_run(p, NULL, 1));
    recovers(s);
    sums_have(&all, 4);
    set_all(&all, ITEMS);
    if (rank == 1)
        must(cohort_run(s, multiply, all.x[0]) == COHORT_EINVAL, "something is wrong here alone");
    recovers(s);
    must(cohort_program_run(p, NULL, 1) == COHORT_OK,
         "which nobody else knows, and all go on alike");
    sums_have(&all, ITEMS);
    must(strstr(cohort_program_describe(p), "waits for others like it") != NULL,
         "sums have waited");
    all.seen = cohort_value_create(s);
    p = cohort_program_record(s, record_sums, &all, NULL, 0);
    set_all(&all, 4);
    must(cohort_program_run(p, NULL, 2) == COHORT_OK, "a worker may look at a sum by itself");
    sums_have(&all, 4);
    must(strstr(cohort_program_describe(p), "waits") == NULL, "then no sum waits");
    cohort_strategy_destroy(s);
}

static void weights(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    int items = ITEMS;
    float sum = 0;
    cohort_value *x = cohort_value_from_function(s, ones, &items), *y = cohort_value_create(s);
    must(weighed(x, x, y) == COHORT_OK &&
             cohort_value_read(y, COHORT_ARRAY(&sum, 1)) == COHORT_OK &&
             sum == (float)(ITEMS * size),
         "weights that are alike");
    cohort_value *one = cohort_value_plain(s, (cohort_array){ .data = &half, .dtype = COHORT_F32 });
    told(s, weighed(x, rank == 1 ? x : one, y));
    recovers(s);
    cohort_strategy_destroy(s);
}

COHORT_FUNCTION(add, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] += in[i];
}

COHORT_FUNCTION(add_again, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    add_host(n, in, inout);
}

COHORT_FUNCTION(stand, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    add_host(n, in, inout);
    if (rank == 1)
        (void)kill(getpid(), SIGSTOP);
}

static cohort_status combined(cohort_strategy *s, const cohort_function *f, float out[])
{
    int items = ITEMS;
    cohort_value *x = cohort_value_from_function(s, ones, &items), *y = cohort_value_create(s);
    cohort_status status = cohort_reduce_with(0, x, &(cohort_reduce_options){ .combine = f }, y);
    return status < 0 ? status : cohort_value_read(y, COHORT_ARRAY(out, ITEMS));
}

static void function(void)
{
    cohort_strategy *s = make("host:0/2", COHORT_ROLLBACK_ON);
    float sum[ITEMS];
    must(combined(s, add, sum) == COHORT_OK && sum[0] == (float)(2 * size), "functions combine");
    told(s, combined(s, rank == 1 ? add_again : add, sum));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    must(combined(s, add, sum) == COHORT_OK && sum[0] == (float)(2 * size), "and go on");
    cohort_strategy_destroy(s);
}

static void halo(void)
{
    cohort_strategy *s = make("host:0/2", COHORT_ROLLBACK_ON);
    float rows[24] = { 0 };
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(rows, 12, 2)), *y = cohort_value_create(s);
    must(cohort_halo(x, 2, COHORT_EDGE_PERIODIC, y) == COHORT_OK, "rows of others");
    told(s, cohort_halo(x, rank == 1 ? 2 : 1, COHORT_EDGE_ZERO, y));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    told(s, cohort_halo(x, 1, rank == 1 ? COHORT_EDGE_PERIODIC : COHORT_EDGE_ZERO, y));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    x = cohort_value_split(s, rank == 1 ? COHORT_ARRAY(rows, 8, 3) : COHORT_ARRAY(rows, 12, 2));
    told(s, cohort_halo(x, 1, COHORT_EDGE_ZERO, y));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    cohort_strategy_destroy(s);
}

typedef struct broadcast_job {
    cohort_value *x;
    int root;
} broadcast_job;

static cohort_status broadcast(cohort_replica *me, void *user)
{
    const broadcast_job *j = user;
    return cohort_replica_broadcast(me, j->x, j->root);
}

static void root(void)
{
    cohort_strategy *s = make("host:0/2", COHORT_ROLLBACK_ON);
    int items = ITEMS;
    broadcast_job j = { cohort_value_from_function(s, ones, &items), rank == 1 ? 5 : 2 };
    told(s, cohort_for_each_replica(s, broadcast, &j));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    j = (broadcast_job){ rank == 1 ? cohort_value_number(s, 1) : j.x, 2 };
    told(s, cohort_for_each_replica(s, broadcast, &j));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    j = (broadcast_job){ cohort_value_create(s), 2 };
    told(s, cohort_for_each_replica(s, broadcast, &j));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    cohort_strategy_destroy(s);
}

static cohort_status one_id(int replica, int n, cohort_array *out, void *user)
{
    static int32_t id;
    (void)replica;
    (void)n;
    id = *(int *)user;
    *out = COHORT_ARRAY(&id, 1);
    return COHORT_OK;
}

static void scatter(void)
{
    cohort_strategy *s = make("host:0/2", COHORT_ROLLBACK_ON);
    float rows[2] = { 1, 2 }, found[6];
    cohort_variable *a = cohort_variable_create(s, "a", COHORT_ARRAY((float *)NULL, 3, 2), NULL),
                    *b = cohort_variable_create(s, "b", COHORT_ARRAY((float *)NULL, 3, 2), NULL);
    int id = 1;
    cohort_value *ids = cohort_value_from_function(s, one_id, &id);
    told(s, cohort_variable_scatter_add(rank == 1 ? b : a, ids, COHORT_ARRAY(rows, 1, 2)));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    id = rank == 1 ? 3 : 2;
    ids = cohort_value_from_function(s, one_id, &id);
    told(s, cohort_variable_scatter_add(a, ids, COHORT_ARRAY(rows, 1, 2)));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    id = 1;
    ids = cohort_value_from_function(s, one_id, &id);
    must(cohort_variable_scatter_add(a, ids, COHORT_ARRAY(rows, 1, 2)) == COHORT_OK &&
             cohort_variable_read(a, COHORT_ARRAY(found, 3, 2)) == COHORT_OK && found[1] == 0 &&
             found[3] == (float)(2 * 2 * size) && found[5] == 0,
         "nothing came of what was refused");
    cohort_strategy_destroy(s);
}

/* Replicas are called as the program knows them. */
static cohort_status read_nothing(cohort_replica *me, void *value)
{
    float x;
    return rank == 1 && cohort_replica_id(me) == 2
               ? cohort_replica_read(me, value, COHORT_ARRAY(&x, 1))
               : COHORT_OK;
}

static void numbers(void)
{
    cohort_strategy *s = make(rank == 1 ? "host:0/2" : "host:0", COHORT_ROLLBACK_ON);
    (void)cohort_for_each_replica(s, read_nothing, cohort_value_create(s));
    (void)cohort_wait(s);
    float sum[ITEMS];
    told(s, rank == 1 ? cohort_strategy_status(s) : sum_of(s, ITEMS, sum));
    must(rank != 1 || strstr(cohort_strategy_describe(s), "host:0.1 hosts replica 2\n") != NULL,
         "and described so");
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    cohort_strategy_destroy(s);
}

static cohort_status meet(cohort_replica *me, void *value)
{
    cohort_value *x = value;
    cohort_barrier(me);
    return rank == 1 ? cohort_barrier(me) : cohort_all_reduce(me, COHORT_SUM, &x, 1);
}

static void barrier(void)
{
    cohort_strategy *s = make("host:0/2", COHORT_ROLLBACK_ON);
    told(s, cohort_for_each_replica(s, meet, cohort_value_number(s, 1)));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    cohort_strategy_destroy(s);
}

static void variable(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    cohort_variable *v = cohort_variable_create(s, rank == 1 ? "v" : "w", zero, NULL);
    must(v == NULL, "there is no variable");
    told(s, cohort_strategy_status(s));
    recovers(s);
    must(cohort_variable_create(s, "w", zero, NULL) != NULL, "then there is");
    cohort_strategy_destroy(s);
}

static void no_strategy(cohort_strategy *s)
{
    must(s == NULL, "there is no strategy");
    printf("told: %d: %s\n", rank, cohort_error_text());
}

static void strategy(void)
{
    no_strategy(make("host:0", rank == 1 ? COHORT_ROLLBACK_OFF : COHORT_ROLLBACK_ON));
    const cohort_placement sharded = cohort_placement_fixed_shards(rank == 1 ? 3 : 2);
    no_strategy(cohort_strategy_create(&(cohort_strategy_options){ .name = "multi-worker-mirrored",
                                                                   .devices = "host:0",
                                                                   .resolver = workers,
                                                                   .placement = &sharded }));
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    all_is_well(s);
    cohort_strategy_destroy(s);
}

static void device(void)
{
    no_strategy(make(rank == 1 ? "nowhere:0" : "host:0", COHORT_ROLLBACK_ON));
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    all_is_well(s);
    cohort_strategy_destroy(s);
}

/* The version of plugins/wrong is what COHORT_WRONG says when it is loaded. */
static void plugins(void)
{
    must(setenv("COHORT_WRONG", rank == 1 ? "loopback version 1.5" : "loopback version 1.4", 1) ==
             0,
         "there is an environment");
    no_strategy(make("host:0,wrong:0", COHORT_ROLLBACK_ON));
    no_strategy(make(rank == 2 ? "host:0" : "wrong:0", COHORT_ROLLBACK_ON));
    cohort_strategy *s = make(rank == 1 ? "wrong:0" : "host:0", COHORT_ROLLBACK_ON);
    all_is_well(s);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ who fails */

static void failed(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    float sum[ITEMS];
    for (int round = 0; round < 3; round++) {
        all_is_well(s);
        if (rank == 1)
            told(s, cohort_value_read(cohort_value_number(s, 1), COHORT_ARRAY(sum, ITEMS)));
        else
            told(s, sum_of(s, ITEMS, sum));
        recovers(s);
    }
    cohort_strategy_destroy(s);
}

static void destroyed(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    float sum[ITEMS];
    all_is_well(s);
    if (rank != 1) {
        told(s, sum_of(s, ITEMS, sum));
        must(cohort_strategy_recover(s) == COHORT_ELOST, "nobody recovers without it");
    }
    cohort_strategy_destroy(s);
}

/* number: 0: in the middle of a call */
static void silent(int number)
{
    cohort_strategy *s = make("host:0/2", COHORT_ROLLBACK_ON);
    float sum[ITEMS];
    must(combined(s, add, sum) == COHORT_OK, "first all is well");
    fflush(stdout);
    if (rank == 1 && number != 0)
        (void)kill(getpid(), number);
    if (rank == 1 && number != 0) { /* who was stopped goes on too late */
        _exit(0);
    }
    cohort_status status = number != 0 ? sum_of(s, ITEMS, sum) : combined(s, stand, sum);
    if (rank == 1)
        _exit(0);
    told(s, status);
    must(status == COHORT_ELOST, "it is lost");
    must(cohort_strategy_recover(s) == COHORT_ELOST, "nobody recovers without it");
    cohort_strategy_destroy(s);
    fflush(stdout);
    _exit(3);
}

static void late(void)
{
    if (rank == 1)
        (void)sleep(1);
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    must(s != NULL, "it comes in time");
    all_is_well(s);
    cohort_strategy_destroy(s);
}

static atomic_bool is_in_body; /* for a thread that ends the process beside it */
static bool is_ended_beside;

/* Bodies of two replicas may be here at once, and only one thread may call exit. */
static void end_here(void)
{
    if (rank != 1)
        return;
    bool is_first = !atomic_exchange(&is_in_body, true);
    while (!is_first || is_ended_beside)
        (void)pause();
    exit(0);
}

COHORT_FUNCTION(end_in_body, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    x[0] = (float)n;
    end_here();
}

COHORT_FUNCTION(end_in_combine, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    add_host(n, in, inout);
    end_here();
}

static cohort_status end_in_value(int replica, int n, cohort_array *out, void *user)
{
    end_here();
    return ones(replica, n, out, user);
}

static cohort_status end_in_step(cohort_replica *me, void *user)
{
    (void)user;
    if (cohort_replica_id(me) == 3)
        end_here();
    return cohort_barrier(me);
}

static void in_nothing(cohort_strategy *s)
{
    (void)s;
    end_here();
}

static void in_body(cohort_strategy *s)
{
    int items = ITEMS;
    must(cohort_run(s, end_in_body, cohort_value_from_function(s, ones, &items)) == COHORT_OK,
         "a body runs");
}

static void in_combine(cohort_strategy *s)
{
    float sum[ITEMS];
    cohort_status status = combined(s, end_in_combine, sum);
    must(status == COHORT_OK || status == COHORT_ELOST, "functions combine");
}

static void in_value(cohort_strategy *s)
{
    int items = ITEMS;
    must(cohort_value_from_function(s, end_in_value, &items) != NULL, "a value is made");
}

/* The others stand in its barrier, and hear of it there. */
static void in_step(cohort_strategy *s)
{
    must(cohort_for_each_replica(s, end_in_step, NULL) == COHORT_ELOST, "a step ends");
}

static void *end_beside_body(void *unused)
{
    (void)unused;
    while (!atomic_load(&is_in_body))
        (void)usleep(1000);
    exit(0);
}

static void *end_beside_exchange(void *unused)
{
    (void)unused;
    (void)sleep(1);
    exit(0);
}

static void start(void *(*end)(void *))
{
    pthread_t thread;
    must(rank != 1 || pthread_create(&thread, NULL, end, NULL) == 0, "there is a thread");
}

static void beside_body(cohort_strategy *s)
{
    is_ended_beside = true;
    start(end_beside_body);
    in_body(s);
}

/* What its other thread has begun goes on to its end. */
static void beside_exchange(cohort_strategy *s)
{
    start(end_beside_exchange);
    if (rank != 1)
        (void)sleep(3);
    float sum[ITEMS];
    must(sum_of(s, ITEMS, sum) == COHORT_OK && sum[0] == (float)(2 * size), "a sum is right");
    if (rank == 1)
        (void)sum_of(s, ITEMS, sum); /* stands there until the process is gone */
}

/* mpirun ends it when the others have ended. */
static void end_in(void (*of_one)(cohort_strategy *s))
{
    cohort_strategy *s = make("host:0/2", COHORT_ROLLBACK_ON);
    float sum[ITEMS];
    must(combined(s, add, sum) == COHORT_OK, "first all is well");
    of_one(s);
    if (cohort_strategy_status(s) >= 0)
        (void)sum_of(s, ITEMS, sum);
    told(s, cohort_strategy_status(s));
    must(cohort_strategy_recover(s) == COHORT_ELOST, "nobody recovers without it");
    printf("told: %d: %s\n", rank, cohort_error_text());
    cohort_strategy_destroy(s);
    exit(3);
}

static void exited(void)
{
    end_in(in_nothing);
}

static void exited_in_body(void)
{
    end_in(in_body);
}

static void exited_in_combine(void)
{
    end_in(in_combine);
}

static void exited_in_value(void)
{
    end_in(in_value);
}

static void exited_in_step(void)
{
    end_in(in_step);
}

static void exited_beside_body(void)
{
    end_in(beside_body);
}

static void exited_beside_exchange(void)
{
    end_in(beside_exchange);
}

static void ended(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    float sum[2 * ITEMS];
    all_is_well(s);
    told(s, sum_of(s, rank == 1 ? 2 * ITEMS : ITEMS, sum));
    exit(3);
}

static void absent(void)
{
    if (rank == 1)
        (void)sleep(30);
    else
        no_strategy(make("host:0", COHORT_ROLLBACK_ON));
    fflush(stdout);
    _exit(3);
}

/* ------------------------------------------------------------------ none does */

static void two(void)
{
    cohort_strategy *a = make("host:0", COHORT_ROLLBACK_ON),
                    *b = make("host:0", COHORT_ROLLBACK_ON);
    for (int i = 0; i < 20; i++) {
        all_is_well(i % 3 == 0 ? a : b);
        all_is_well(i % 2 == 0 ? a : b);
    }
    float sum[2 * ITEMS];
    told(a, sum_of(a, rank == 1 ? ITEMS : 2 * ITEMS, sum));
    all_is_well(b);
    cohort_strategy_destroy(a);
    all_is_well(b);
    cohort_strategy_destroy(b);
}

/* TF_CONFIG speaks of another cluster than the one that was started. */
static void contradiction(void)
{
    no_strategy(cohort_multi_worker_mirrored(NULL, "host:0"));
    cohort_resolver *paper = cohort_resolver_tf_config();
    no_strategy(cohort_multi_worker_mirrored(paper, "host:0"));
    cohort_resolver_destroy(paper);
}

/* Among the ranks are others than workers (COHORT_JOBS), which all know. */
static void jobs(void)
{
    cohort_strategy *s = cohort_multi_worker_mirrored(NULL, "host:0");
    printf("told: %d: %s\n", rank, s != NULL ? "this one is alone" : cohort_error_text());
    cohort_strategy_destroy(s);
}

/* One asks MPI's resolver for jobs that are none, and has no strategy to make then. */
static void asked(void)
{
    const cohort_job_tasks jobs = { rank == 1 ? "wurker" : "worker", 0 };
    cohort_resolver *r = cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, &jobs, 1);
    must((r == NULL) == (rank == 1), "it has no resolver");
    no_strategy(r != NULL ? cohort_multi_worker_mirrored(r, "host:0") : NULL);
    cohort_resolver_destroy(r);
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    all_is_well(s);
    cohort_strategy_destroy(s);
}

/* MPI's resolver says the same to all, and what each makes of it differs. */
static void kinds(void)
{
    no_strategy(cohort_strategy_create(&(cohort_strategy_options){
        .name = rank == 1 ? "multi-worker-mirored" : "multi-worker-mirrored",
        .devices = "host:0",
        .resolver = workers }));
    no_strategy(rank == 1 ? cohort_parameter_server(workers, NULL)
                          : make("host:0", COHORT_ROLLBACK_ON));
    if (rank == 1)
        printf("told: %d: %s\n", cohort_server_run(workers, NULL) < 0, cohort_error_text());
    else
        no_strategy(make("host:0", COHORT_ROLLBACK_ON));
    cohort_strategy *own = cohort_strategy_create(&(cohort_strategy_options){
        .name = rank == 1 ? "mirorred" : "mirrored", .devices = "host:0", .resolver = workers });
    must((own == NULL) == (rank == 1), "what joins nobody is each one's own, its errors too");
    cohort_strategy_destroy(own);
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    must(s != NULL, "then all make the same");
    all_is_well(s);
    cohort_strategy_destroy(s);
}

static void misled(void)
{
    static const char *const texts[] = {
        "{\"cluster\": {\"worker\": [\"a:1\", \"b:1\"]}, "
        "\"task\": {\"type\": \"worker\", \"index\": 1}}",
        "{\"cluster\": {\"worker\": [\"a:1\", \"b:1\", \"c:1\"]}, "
        "\"task\": {\"type\": \"worker\", \"index\": 3}}",
        "{\"cluster\": {\"worker\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (rank == 1)
            (void)setenv("TF_CONFIG", texts[i], 1);
        no_strategy(cohort_multi_worker_mirrored(NULL, "host:0"));
        (void)unsetenv("TF_CONFIG");
    }
    cohort_strategy *s = cohort_multi_worker_mirrored(NULL, "host:0");
    must(s != NULL, "without it there is a cluster");
    all_is_well(s);
    cohort_strategy_destroy(s);
}

/* Each TF_CONFIG is of as many workers, and differs from that of the others. */
static void differing(void)
{
    static const struct {
        const char *others, *own; /* own: of rank 1; NULL: it has none */
    } rows[] = {
        { "\"worker\": [\"a:1\", \"b:1\", \"c:1\"]", "\"worker\": [\"a:1\", \"b:2\", \"c:1\"]" },
        { "\"worker\": [\"a:1\", \"b:1\", \"c:1\"]", "\"worker\": [\"a:1\", \"c:1\", \"b:1\"]" },
        { "\"worker\": [\"a:1\", \"b:1\", \"c:1\"]", NULL },
        { "\"worker\": [\"a:1\", \"b:1\", \"c:1\"], \"ps\": [\"d:1\"]",
          "\"ps\": [\"d:2\"], \"worker\": [\"a:1\", \"b:1\", \"c:1\"]" },
    };
    char text[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *cluster = rank == 1 ? rows[i].own : rows[i].others;
        (void)snprintf(text, sizeof text,
                       "{\"cluster\": {%s}, \"task\": {\"type\": \"worker\", \"index\": %d}}",
                       cluster != NULL ? cluster : "", rank);
        must((cluster != NULL ? setenv("TF_CONFIG", text, 1) : unsetenv("TF_CONFIG")) == 0,
             "there is an environment");
        no_strategy(cohort_multi_worker_mirrored(NULL, "host:0"));
    }
    (void)snprintf(text, sizeof text,
                   "{\"cluster\": {%s}, \"task\": {\"type\": \"worker\", \"index\": %d}}",
                   rank == 1 ? "\"evaluator\": [\"e:1\"], \"worker\": [\"a:1\", \"b:1\", \"c:1\"]"
                             : "\"worker\": [\"a:1\", \"b:1\", \"c:1\"], \"evaluator\": [\"e:1\"]",
                   rank);
    must(setenv("TF_CONFIG", text, 1) == 0, "there is an environment");
    cohort_strategy *s = cohort_multi_worker_mirrored(NULL, "host:0");
    must(s != NULL, "the order of jobs does not count");
    all_is_well(s);
    cohort_strategy_destroy(s);
}

COHORT_FUNCTION(number_rows, (int64_t n, int64_t first, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)(first + i) + 0 * x[i];
}

static cohort_status number_own(cohort_replica *me, void *user)
{
    cohort_value *const *values = user;
    return cohort_replica_run(me, number_rows, COHORT_FIRST_ROW, values[0], values[1]);
}

static cohort_status meet_only(cohort_replica *me, void *user)
{
    (void)user;
    return cohort_barrier(me);
}

/* In a step function replicas meet for it, which has to be the call that the others make. */
static void first_row(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    int items = ITEMS;
    cohort_value *x = cohort_value_from_function(s, ones, &items), *y = cohort_value_create(s);
    cohort_value *both[] = { x, y };
    told(s, rank == 1 ? cohort_run(s, number_rows, COHORT_FIRST_ROW, x, y)
                      : cohort_for_each_replica(s, number_own, both));
    recovers(s);
    told(s, cohort_for_each_replica(s, rank == 1 ? meet_only : number_own, both));
    recovers(s);
    both[0] = rank == 1 ? y : x;
    told(s, cohort_for_each_replica(s, number_own, both));
    recovers(s);
    both[0] = x;
    must(cohort_for_each_replica(s, number_own, both) == COHORT_OK, "and then all count together");
    cohort_strategy_destroy(s);
}

static void refused(void)
{
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    int items = ITEMS;
    cohort_value *x = cohort_value_from_function(s, ones, &items), *y = cohort_value_create(s);
    int first, n = cohort_strategy_local_replicas(s, &first);
    must(n == 1 && first == rank, "a replica of each worker");
    must(cohort_value_rows(x, rank) == ITEMS && cohort_value_rows(x, (rank + 1) % size) == -1,
         "only its own is seen");
    must(strstr(cohort_error_text(), "another worker hosts replica") != NULL, "and that is said");
    told(s, cohort_run(s, number_rows, COHORT_FIRST_ROW, rank == 1 ? y : x, y));
    recovers(s);
    cohort_strategy_destroy(s);
}

COHORT_ITEMS(saxpy, i, n, (int64_t n, float a, const float x[n], float y[n]),
             { y[i] += a * x[i]; });

/* A read of more than this worker has is an error; then all recover. */
static void refuses(cohort_strategy *s, cohort_value *v, cohort_array into)
{
    told(s, cohort_value_read(v, into));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
}

/* The README's program as it stands, and its siblings: rows of several elements, rows that are not
 * shared out evenly, a worker without rows, a number of each replica. */
static void parts_of_workers(void)
{
    enum { ROWS = 10 };
    static const int64_t counts[] = { 1, 0, 9 };
    float x[ROWS], y[ROWS], table[2 * ROWS] = { 0 };
    cohort_strategy *s = make("host:0", COHORT_ROLLBACK_ON);
    for (int i = 0; i < ROWS; i++)
        x[i] = 1, y[i] = (float)(i % 7);
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, ROWS)),
                 *wide = cohort_value_split(s, COHORT_ARRAY(table, ROWS, 2)),
                 *uneven = cohort_value_split_by(s, COHORT_ARRAY(x, ROWS), counts),
                 *whole = cohort_value_create(s);
    must(cohort_run(s, saxpy, 2.0F, xs, ys) == COHORT_OK, "all run");
    refuses(s, ys, COHORT_ARRAY(y, ROWS));
    refuses(s, wide, COHORT_ARRAY(table, ROWS, 2));
    refuses(s, wide, COHORT_ARRAY(table, 2 * ROWS));
    refuses(s, uneven, COHORT_ARRAY(x, ROWS));
    must(isnan(cohort_value_scalar(ys)), "the rows of a worker are no number");
    told(s, cohort_strategy_status(s));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    must(cohort_value_shape(ys, (rank + 1) % size, NULL, NULL) == -1, "nor are others seen");
    printf("told: %d: %s\n", rank, cohort_error_text());
    must(cohort_gather(ys, 0, whole) == COHORT_OK &&
             cohort_value_read(whole, COHORT_ARRAY(y, ROWS)) == COHORT_OK && y[6] == 8 && y[9] == 4,
         "cohort_gather brings all");
    cohort_strategy_destroy(s);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = { { "call", call },
                  { "shape", shape },
                  { "weights", weights },
                  { "list", list },
                  { "program", program },
                  { "function", function },
                  { "halo", halo },
                  { "scatter", scatter },
                  { "root", root },
                  { "numbers", numbers },
                  { "barrier", barrier },
                  { "variable", variable },
                  { "strategy", strategy },
                  { "device", device },
                  { "plugins", plugins },
                  { "failed", failed },
                  { "destroyed", destroyed },
                  { "late", late },
                  { "absent", absent },
                  { "two", two },
                  { "refused", refused },
                  { "first_row", first_row },
                  { "misled", misled },
                  { "contradiction", contradiction },
                  { "jobs", jobs },
                  { "asked", asked },
                  { "kinds", kinds },
                  { "exited", exited },
                  { "exited_in_body", exited_in_body },
                  { "exited_in_combine", exited_in_combine },
                  { "exited_in_value", exited_in_value },
                  { "exited_in_step", exited_in_step },
                  { "exited_beside_body", exited_beside_body },
                  { "exited_beside_exchange", exited_beside_exchange },
                  { "ended", ended },
                  { "differing", differing },
                  { "parts", parts_of_workers } };
    const char *part = argc == 2 ? argv[1] : "";
    workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL, "there is a cluster");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    if (strcmp(part, "frozen") == 0 || strcmp(part, "killed") == 0 || strcmp(part, "body") == 0)
        silent(part[0] == 'f' ? SIGSTOP : part[0] == 'k' ? SIGKILL : 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, part) == 0) {
            parts[i].run();
            cohort_resolver_destroy(workers);
            return 0;
        }
    return 2;
}
