/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs among hostile neighbours: other threads, processes that fork, objects that are gone,
 * values that were something else before, devices and memory that fail. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { D = 3 };

COHORT_FUNCTION(add_rate, (int64_t n, float rate, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + rate;
}

COHORT_FUNCTION(add_first,
                (int64_t n, int8_t by, const double rate[1], const float x[n],
                 COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + (float)rate[0] + by - 1;
}

/* ------------------------------------------------------------------ while a step is recorded */

typedef struct visit {
    cohort_strategy *s;
    cohort_value *x, *y, *sum, *number;
    cohort_program *second;
    cohort_status ran, waited;
    bool is_refused; /* every call of the visitor, in words */
    int child;       /* exit status of a forked process */
} visit;

static cohort_status calls_of_step(visit *v)
{
    cohort_run(v->s, add_rate, 0.5, v->x, v->y);
    return cohort_reduce(COHORT_SUM, v->y, COHORT_NO_AXIS, v->sum);
}

static cohort_status second_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    visit *v = user;
    (void)s, (void)batch;
    return calls_of_step(v);
}

static void *visitor(void *user)
{
    visit *v = user;
    v->ran = calls_of_step(v);
    v->is_refused = says("under way already");
    v->waited = cohort_wait(v->s);
    v->is_refused = v->is_refused && says("under way already");
    v->second = cohort_program_record(v->s, second_step, v, NULL, 0);
    v->is_refused = v->is_refused && says("under way already");
    return NULL;
}

static cohort_status visited_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    visit *v = user;
    pthread_t thread;
    (void)s, (void)batch;
    if (pthread_create(&thread, NULL, visitor, v) != 0)
        return COHORT_ENOMEM;
    (void)pthread_join(thread, NULL);
    return calls_of_step(v);
}

static visit make_visit(cohort_strategy *s)
{
    static const float x[D] = { 1, 2, 3 };
    visit v = { .s = s,
                .x = cohort_value_plain(s, COHORT_ARRAY((float *)x, D)),
                .y = cohort_value_create(s),
                .sum = cohort_value_create(s) };
    return v;
}

/* Each replica adds 0.5 to { 1, 2, 3 }. */
static bool has_run(const visit *v, int replicas)
{
    float found[D] = { 0 };
    bool is_good = good(cohort_value_read(v->sum, COHORT_ARRAY(found, D)) == COHORT_OK);
    for (int i = 0; i < D && is_good; i++)
        is_good = good(found[i] == ((float)i + 1.5F) * (float)replicas);
    return is_good;
}

static bool keeps_out_threads(cohort_strategy *s, int replicas)
{
    visit v = make_visit(s);
    cohort_program *p = cohort_program_record(s, visited_step, &v, NULL, 0);
    return good(p != NULL) && good(v.ran == COHORT_EINVAL) && good(v.waited == COHORT_EINVAL) &&
           good(v.second == NULL) && good(v.is_refused) &&
           good(cohort_value_kind_of(v.sum) == COHORT_EMPTY_VALUE) &&
           good(strstr(cohort_program_describe(p), "program of 2 calls") != NULL) &&
           good(cohort_program_run(p, NULL, 2) == COHORT_OK) && has_run(&v, replicas);
}

static cohort_status step_around(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    visit *v = user;
    (void)s, (void)batch;
    cohort_run(v[0].s, add_rate, 0.5, v[0].x, v[0].y);
    v[0].second = cohort_program_record(v[1].s, second_step, &v[1], NULL, 0);
    return cohort_reduce(COHORT_SUM, v[0].y, COHORT_NO_AXIS, v[0].sum);
}

/* A step that records one of another strategy. */
static void record_in_recording(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2", 2, NULL }),
                    *other = core_open(&(core_place){ "host", 3, NULL });
    visit v[] = { make_visit(s), make_visit(other) };
    cohort_program *p = cohort_program_record(s, step_around, v, NULL, 0);
    ok(p != NULL && v[0].second != NULL && cohort_value_kind_of(v[1].sum) == COHORT_EMPTY_VALUE &&
           cohort_program_run(p, NULL, 1) == COHORT_OK && has_run(&v[0], 2) &&
           cohort_value_kind_of(v[1].sum) == COHORT_EMPTY_VALUE &&
           cohort_program_run(v[0].second, NULL, 1) == COHORT_OK && has_run(&v[1], 3),
       "a step may record one of another strategy");
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
}

static cohort_status forking_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    visit *v = user;
    (void)s, (void)batch;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(60);
        _exit(calls_of_step(v) == COHORT_ENODEV ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &v->child, 0) != child)
        return COHORT_ENOMEM;
    return calls_of_step(v);
}

static bool keeps_out_children(cohort_strategy *s, int replicas)
{
    visit v = make_visit(s);
    v.child = -1;
    cohort_program *p = cohort_program_record(s, forking_step, &v, NULL, 0);
    return good(p != NULL) && good(v.child == 0) &&
           good(cohort_program_run(p, NULL, 1) == COHORT_OK) && has_run(&v, replicas);
}

/* ------------------------------------------------------------------ objects that are gone */

enum { QUARANTINE = 1024 };

/* A new value in the memory of one that was destroyed; NULL: it does not come back. */
static cohort_value *take_place(cohort_strategy *s, const cohort_value *destroyed)
{
    for (int i = 0; i < 3 * QUARANTINE; i++) {
        cohort_value *value = cohort_value_create(s);
        if (value == destroyed)
            return value;
        cohort_value_destroy(value);
    }
    return NULL;
}

static cohort_status keep_batch(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    visit *v = user;
    v->x = batch[0];
    (void)s;
    return calls_of_step(v);
}

static cohort_input *make_input(cohort_strategy *s)
{
    static const float rows[] = { 0, 1, 2, 3, 4, 5, 6 };
    cohort_array array = COHORT_ARRAY((float *)rows, 7);
    return cohort_distribute_dataset(
        s,
        cohort_dataset_batch(cohort_make_numpy_dataset(s, 1, &array, COHORT_NUMPY_COPY), 2, false));
}

/* By address alone the program would take them for what it has recorded. */
static void replace_objects(void)
{
    static const char all[] = "a value in the memory of a destroyed one is not taken for it",
                      batch[] = "nor is that of a batch, or destroyed with the program";
    cohort_strategy *s = core_open(&(core_place){ "host", 2, NULL });
    visit v = make_visit(s), w = make_visit(s);
    cohort_spec spec = { COHORT_F32, 1, { -1 } };
    cohort_program *p = cohort_program_record(s, second_step, &v, NULL, 0),
                   *of_rows = cohort_program_record(s, keep_batch, &w, &spec, 1);
    cohort_value_destroy(v.y);
    cohort_value *other = take_place(s, v.y);
    if (other == NULL)
        skip(all, "memory does not come back");
    else
        ok(p != NULL && refused_for(s, "destroyed", cohort_program_run(p, NULL, 1)) &&
               cohort_value_kind_of(other) == COHORT_EMPTY_VALUE &&
               strstr(cohort_program_describe(p), "destroyed") != NULL,
           "%s", all);
    cohort_value_destroy(w.x);
    other = take_place(s, w.x);
    if (other == NULL) {
        skip(batch, "memory does not come back");
    } else {
        bool is_good = refused_for(s, "destroyed", cohort_program_run(of_rows, make_input(s), 1));
        cohort_program_destroy(of_rows);
        cohort_value_destroy(other);
        ok(is_good && cohort_wait(s) == COHORT_OK, "%s", batch);
    }
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ what was something else */

static cohort_status number_again(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    visit *v = user;
    (void)batch;
    cohort_reduce(COHORT_SUM, COHORT_REPEATED(v->x), COHORT_NO_AXIS, v->sum);
    cohort_value_set(v->sum, 0.5);
    cohort_value_set(v->number, 1);
    cohort_run(s, add_first, v->number, v->sum, v->x, v->y);
    cohort_value_set(v->number, 1000);
    return cohort_reduce(COHORT_SUM, v->y, COHORT_NO_AXIS, v->sum);
}

/* The number has another shape and dtype when the step begins, and again when it ends. */
static bool sets_numbers(cohort_strategy *s, int replicas)
{
    visit v = make_visit(s);
    v.sum = cohort_value_number(s, 7);
    v.number = cohort_value_number(s, 1e300);
    cohort_program *p = cohort_program_record(s, number_again, &v, NULL, 0);
    return good(p != NULL) && good(cohort_program_run(p, NULL, 2) == COHORT_OK) &&
           has_run(&v, replicas);
}

/* ------------------------------------------------------------------ a variable without content */

COHORT_FUNCTION(grow, (int64_t n, const float x[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += x[i];
}

typedef struct first_content {
    visit v;
    cohort_variable *w;
    cohort_value *ids;
} first_content;

static cohort_status give_content(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    first_content *f = user;
    (void)batch;
    cohort_variable_assign(f->w, f->v.x);
    cohort_update(f->w, grow, f->v.x, f->w);
    cohort_variable_gather(f->w, f->ids, f->v.y);
    cohort_run(s, add_rate, -0.5, f->w, f->v.y);
    cohort_variable_assign_sub(f->w, 0.5);
    return cohort_reduce(COHORT_SUM, COHORT_REPEATED(f->w), COHORT_NO_AXIS, f->v.sum);
}

static cohort_status take_content(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    first_content *f = user;
    (void)s, (void)batch;
    return cohort_variable_assign_add(f->w, f->v.x);
}

/* Of something that was not made. */
static void refuse_null(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host", 2, NULL });
    first_content f = { .v = make_visit(s) };
    ok(refused_null_for(s, "cohort_variable_assign_add: the variable is NULL",
                        cohort_program_record(s, take_content, &f, NULL, 0)),
       "a call of NULL says so in a recording as elsewhere");
    cohort_strategy_destroy(s);
}

/* A step that assigns it first may do with it what any other step may. */
static void begin_variable(void)
{
    static const char claim[] = "a step gives a variable its first content, and reads that";
    const cohort_loopback *loopback = steer();
    int32_t ids[] = { 2, 0, 1 };
    float found[D] = { 0 };
    if (loopback == NULL) {
        skip(claim, "no loopback plugin");
        return;
    }
    cohort_strategy *s = core_open(&(core_place){ "loopback/2", 2, NULL });
    loopback->reset();
    int32_t hold = steer_rule(loopback, COHORT_LOOPBACK_HOLD, 0, COHORT_LOOPBACK_ALLOC, 1, 0);
    (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, 0, COHORT_LOOPBACK_WRITE, 1, 0);
    first_content f = { .w = cohort_variable_create(s, "w", COHORT_ARRAY(found, D), NULL) };
    loopback->release(hold);
    bool is_good = good(f.w != NULL) && good(cohort_wait(s) < 0);
    loopback->reset();
    is_good = is_good && good(cohort_strategy_recover(s) == COHORT_OK);
    f.v = make_visit(s);
    f.ids = cohort_value_plain(s, COHORT_ARRAY(ids, D));
    cohort_program *unread = cohort_program_record(s, take_content, &f, NULL, 0),
                   *p = cohort_program_record(s, give_content, &f, NULL, 0);
    is_good = is_good &&
              refused_for(s, "never got its content", cohort_program_run(unread, NULL, 1)) &&
              good(cohort_program_run(p, NULL, 2) == COHORT_OK) &&
              good(cohort_variable_read(f.w, COHORT_ARRAY(found, D)) == COHORT_OK);
    for (int i = 0; i < D && is_good; i++)
        is_good = good(found[i] == 2 * ((float)i + 1) - 0.5F);
    ok(is_good, "%s", claim);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ a trial is without effect */

/* A value of each kind, which the step writes, or gives another kind, before it goes wrong. */
typedef struct kinds {
    visit v;
    cohort_value *split, *mirrored, *shaped, *empty, *batch, *of_batch;
    cohort_variable *w;
    cohort_metric *metric;
} kinds;

static cohort_status change_all(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    kinds *k = user;
    k->batch = batch[0];
    cohort_value_set(k->v.number, 3);
    cohort_run(s, add_rate, 0.5, k->split, k->mirrored);
    cohort_reduce(COHORT_SUM, k->mirrored, 0, k->split);
    cohort_gather(k->batch, 0, k->v.x);
    cohort_run(s, add_rate, 0.5, k->batch, k->of_batch);
    cohort_reduce(COHORT_SUM, k->of_batch, 0, k->batch);
    cohort_run(s, add_rate, 0.5, k->v.x, k->shaped);
    cohort_reduce_to(COHORT_SUM, COHORT_REPEATED(k->v.x), COHORT_AT("host:0.0"), k->empty);
    cohort_variable_assign(k->w, 9);
    cohort_metric_update(k->metric, k->v.x, NULL);
    return cohort_run(s, add_first, 1, k->v.x, k->empty, k->v.y);
}

static kinds make_kinds(cohort_strategy *s)
{
    static float rows[] = { 1, 2, 3, 4, 5, 6, 7 }, w[D] = { 1, 2, 3 };
    kinds k = { .v = make_visit(s),
                .split = cohort_value_split(s, COHORT_ARRAY(rows, 7)),
                .mirrored = cohort_value_create(s),
                .shaped = cohort_value_shaped(s, COHORT_F32, 1, (int64_t[]){ 2 }),
                .empty = cohort_value_create(s),
                .of_batch = cohort_value_create(s),
                .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, D), NULL),
                .metric = cohort_metric_create(s, "sum", "rows") };
    k.v.number = cohort_value_number(s, 7);
    cohort_reduce_to(COHORT_MEAN, k.v.x, COHORT_AT("host:0.0,host:0.1"), k.mirrored);
    return k;
}

static bool is_as_made(const kinds *k)
{
    float rows[7] = { 0 }, found[D] = { 0 }, mirrored[D] = { 0 };
    bool is_good = good(cohort_value_scalar(k->v.number) == 7) &&
                   good(cohort_value_kind_of(k->split) == COHORT_PER_REPLICA_VALUE) &&
                   good(cohort_value_kind_of(k->mirrored) == COHORT_MIRRORED_VALUE) &&
                   good(cohort_value_kind_of(k->shaped) == COHORT_EMPTY_VALUE) &&
                   good(cohort_value_kind_of(k->empty) == COHORT_EMPTY_VALUE) &&
                   good(cohort_value_kind_of(k->v.y) == COHORT_EMPTY_VALUE) &&
                   good(cohort_value_kind_of(k->batch) == COHORT_PER_REPLICA_VALUE) &&
                   good(cohort_value_read(k->split, COHORT_ARRAY(rows, 7)) == COHORT_OK) &&
                   good(cohort_value_read(k->v.x, COHORT_ARRAY(found, D)) == COHORT_OK) &&
                   good(cohort_value_read(k->mirrored, COHORT_ARRAY(mirrored, D)) == COHORT_OK) &&
                   good(cohort_variable_updates(k->w) == 0) &&
                   good(cohort_metric_result(k->metric) == 0);
    for (int i = 0; i < 7 && is_good; i++)
        is_good = good(rows[i] == (float)i + 1);
    for (int i = 0; i < D && is_good; i++)
        is_good = good(found[i] == (float)i + 1) && good(mirrored[i] == (float)i + 1);
    return is_good;
}

static void try_and_fail(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2,loopback", 3, NULL });
    cohort_spec spec = { COHORT_F32, 1, { -1 } };
    kinds k = make_kinds(s);
    cohort_input *input = make_input(s);
    cohort_program *p = cohort_program_record(s, change_all, &k, &spec, 1);
    bool is_good = good(p != NULL);
    for (int i = 0; i < 2 && is_good; i++)
        is_good =
            refused_for(s, "call 11, cohort_run: add_first", cohort_program_run(p, input, 1)) &&
            is_as_made(&k);
    ok(is_good, "a trial that fails leaves every kind of value as it was");
    cohort_strategy_destroy(s);
}

enum { RESULTS = 16 };

typedef struct all_calls {
    kinds k;
    cohort_value *ids, *made[RESULTS];
} all_calls;

/* Every call that can be recorded, and then one whose dtype is wrong. */
static cohort_status call_all(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const all_calls *a = user;
    const kinds *k = &a->k;
    cohort_value *const *made = a->made, *x = k->v.x;
    cohort_run(s, add_rate, 0.5, batch[0], made[0]);
    cohort_reduce(COHORT_SUM, made[0], 0, made[1]);
    cohort_reduce_list(COHORT_MAX, (cohort_value *[]){ made[0], k->split }, 2, 0,
                       (cohort_value *[]){ made[2], made[3] });
    cohort_reduce_with(COHORT_SUM, made[0], &(cohort_reduce_options){ 0 }, made[4]);
    cohort_reduce_to(COHORT_SUM, COHORT_ONCE(x), COHORT_AT(k->w), made[5]);
    cohort_batch_reduce_to(COHORT_MEAN, 2, (cohort_value *[]){ x, k->mirrored },
                           (cohort_argument[]){ COHORT_AT(k->w), COHORT_AT(k->w) },
                           (cohort_value *[]){ made[6], made[7] });
    cohort_reduce_slices(COHORT_MEAN, a->ids, x, made[8], made[9]);
    cohort_broadcast(s, x, COHORT_AT(k->w), made[10]);
    cohort_halo(k->split, 1, COHORT_EDGE_PERIODIC, made[11]);
    cohort_gather(k->split, 0, made[12]);
    cohort_variable_assign(k->w, x);
    cohort_variable_assign_add(k->w, 1);
    cohort_variable_assign_sub(k->w, made[5]);
    cohort_variable_scatter_add(k->w, a->ids, x);
    cohort_variable_gather(k->w, a->ids, made[13]);
    cohort_update(k->w, grow, made[10], k->w);
    cohort_update_non_slot(COHORT_AT(k->w), grow, made[10], k->w);
    cohort_metric_update(k->metric, made[0], NULL);
    cohort_metric_reset(k->metric);
    cohort_value_set(k->v.number, 3);
    return cohort_run(s, add_first, 1, x, x, k->v.y);
}

static void try_all(void)
{
    static const char claim[] = "a trial of every call posts nothing";
    const cohort_loopback *loopback = steer();
    cohort_loopback_counts before, after;
    int32_t ids[] = { 2, 0, 1 };
    if (loopback == NULL) {
        skip(claim, "no loopback plugin");
        return;
    }
    cohort_strategy *s = core_open(&(core_place){ "loopback/2", 2, NULL });
    cohort_spec spec = { COHORT_F32, 1, { -1 } };
    all_calls a = { .ids = cohort_value_plain(s, COHORT_ARRAY(ids, D)) };
    float w[D] = { 1, 2, 3 }, found[D] = { 0 };
    a.k.split = cohort_value_split(s, COHORT_ARRAY(((float[]){ 1, 2, 3, 4 }), 4));
    a.k.v = make_visit(s);
    a.k.v.number = cohort_value_number(s, 7);
    a.k.w = cohort_variable_create(s, "w", COHORT_ARRAY(w, D), NULL);
    a.k.metric = cohort_metric_create(s, "sum", "rows");
    a.k.mirrored = cohort_value_create(s);
    (void)cohort_broadcast(s, a.k.v.x, COHORT_AT(a.k.w), a.k.mirrored);
    for (int i = 0; i < RESULTS; i++)
        a.made[i] = cohort_value_create(s);
    cohort_input *input = make_input(s);
    cohort_program *p = cohort_program_record(s, call_all, &a, &spec, 1);
    static const char why[] = "call 21, cohort_run: add_first: argument 'rate' expects float64";
    /* what devices alone have that may be lost is kept before the first step (doc/design.md) */
    bool is_good = good(p != NULL) && refused_for(s, why, cohort_program_run(p, input, 1)) &&
                   good(cohort_wait(s) == COHORT_OK);
    loopback->counts(COHORT_LOOPBACK_ANY, &before);
    is_good = is_good && refused_for(s, why, cohort_program_run(p, input, 1));
    loopback->counts(COHORT_LOOPBACK_ANY, &after);
    for (int i = 0; i < RESULTS && is_good; i++)
        is_good = good(cohort_value_kind_of(a.made[i]) == COHORT_EMPTY_VALUE);
    is_good = is_good && good(memcmp(before.ops, after.ops, sizeof after.ops) == 0) &&
              good(cohort_variable_read(a.k.w, COHORT_ARRAY(found, D)) == COHORT_OK) &&
              good(memcmp(w, found, sizeof w) == 0);
    ok(is_good, "%s", claim);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ numbers of steps */

static cohort_status count_steps(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    kinds *k = user;
    (void)batch;
    cohort_variable_assign_add(k->w, 1);
    return cohort_run(s, add_first, COHORT_STEP, k->v.number, k->v.x, k->v.y);
}

/* The constant fits for 127 steps. */
static void run_out_of_steps(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2", 3, NULL });
    kinds k = make_kinds(s);
    cohort_program *p = cohort_program_record(s, count_steps, &k, NULL, 0);
    ok(refused_for(s, "step 128 of a program: call 2, cohort_run: add_first: argument 'by'",
                   cohort_program_run(p, NULL, INT64_MAX)) &&
           cohort_program_steps(p) == 127 && cohort_variable_updates(k.w) == 128,
       "a step whose number does not fit says which it is, and what came before is done");
    ok(refused_for(s, "step 128 of a program", cohort_program_run(p, NULL, INT64_MAX)) &&
           cohort_program_steps(p) == 127 && cohort_variable_updates(k.w) == 128,
       "and once more without a change, since all is tried after a recover");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ not a number */

static cohort_status grow_to_infinity(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    kinds *k = user;
    (void)s, (void)batch;
    return cohort_update(k->w, grow, k->w, k->w);
}

/* 3 * 2^126 is finite, 3 * 2^127 is not. */
static void reach_infinity(void)
{
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = "host/2", .replicas = 2, .guard = COHORT_GUARD_ERROR });
    kinds k = make_kinds(s);
    float found[D] = { 0 };
    cohort_program *p = cohort_program_record(s, grow_to_infinity, &k, NULL, 0);
    cohort_status status = cohort_program_run(p, NULL, 1000);
    status = status < 0 ? status : cohort_wait(s);
    ok(status < 0 && says("step 127 of a program: ") && says("grow") &&
           cohort_strategy_recover(s) == COHORT_OK && cohort_variable_updates(k.w) == 126 &&
           cohort_variable_read(k.w, COHORT_ARRAY(found, D)) == COHORT_OK && found[2] == 0x3p126F,
       "what is no number any more is found in its step");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ a device that is lost */

static void lose_device(void)
{
    static const char claim[] = "a device that is lost in a program says in which step";
    const cohort_loopback *loopback = steer();
    unsigned long long said = 0;
    if (loopback == NULL) {
        skip(claim, "no loopback plugin");
        return;
    }
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = "loopback/2", .replicas = 2, .loss = COHORT_LOSS_FAIL });
    visit v = make_visit(s);
    cohort_program *p = cohort_program_record(s, second_step, &v, NULL, 0);
    bool is_good =
        good(cohort_program_run(p, NULL, 3) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    loopback->lose(1);
    cohort_status status = cohort_program_run(p, NULL, 5);
    status = status < 0 ? status : cohort_wait(s);
    ok(is_good && good(status == COHORT_ELOST) &&
           good(sscanf(cohort_error_text(), "step %llu of a program", &said) == 1) &&
           good(said >= 4 && said <= 8) && good(cohort_strategy_recover(s) == COHORT_ELOST) &&
           good(cohort_program_run(p, NULL, 1) < 0),
       "%s", claim);
    cohort_program_destroy(p);
    cohort_strategy_destroy(s);
    loopback->reset();
}

/* ------------------------------------------------------------------ in functions of the program */

typedef struct inner {
    visit v;
    cohort_program *p;
} inner;

static cohort_status run_in_merge(cohort_strategy *s, void *const user[], int n)
{
    inner *in = user[0];
    (void)n;
    in->p = cohort_program_record(s, second_step, &in->v, NULL, 0);
    return cohort_program_run(in->p, NULL, 2);
}

static cohort_status merging_step(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, run_in_merge, user);
}

/* A merge function is in cross-replica context, where programs are recorded and run. */
static bool merges(cohort_strategy *s, int replicas)
{
    inner in = { .v = make_visit(s) };
    return good(cohort_for_each_replica(s, merging_step, &in) == COHORT_OK) &&
           good(cohort_program_steps(in.p) == 2) && has_run(&in.v, replicas) &&
           good(cohort_program_run(in.p, NULL, 1) == COHORT_OK) && has_run(&in.v, replicas);
}

/* ------------------------------------------------------------------ batches */

static cohort_status write_batch(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    visit *v = user;
    cohort_run(s, add_rate, 0.5, batch[0], v->y);
    cohort_reduce(COHORT_SUM, v->y, 0, batch[0]);
    return cohort_reduce(COHORT_MEAN, batch[0], COHORT_NO_AXIS, v->sum);
}

/* 0 to 6, two at a time, and 0.5 more for each. */
static bool writes_batch(cohort_strategy *s, int replicas)
{
    cohort_spec spec = { COHORT_F32, 1, { -1 } };
    cohort_input *input = make_input(s);
    visit v = make_visit(s);
    cohort_program *p = cohort_program_record(s, write_batch, &v, &spec, 1),
                   *other = cohort_program_record(s, write_batch, &v, &spec, 1);
    bool is_good = good(replicas > 0);
    for (int i = 0; i < 4 && is_good; i++) {
        float wanted = i < 3 ? (float)(4 * i + 2) : 6.5F;
        is_good = good(cohort_program_run(i % 2 == 0 ? p : other, input, 1) == COHORT_OK) &&
                  good(cohort_value_scalar(v.sum) == wanted);
    }
    return is_good && good(cohort_program_run(p, input, 1) == COHORT_END) &&
           good(cohort_program_steps(p) == 2) &&
           good(cohort_input_initialize(input) == COHORT_OK) &&
           good(cohort_program_run(other, input, 1) == COHORT_OK) &&
           good(cohort_value_scalar(v.sum) == 2);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* what is made once for the process */
        warm = core_live_now();
        core_everywhere(keeps_out_threads,
                        "while a step is recorded other threads are kept out, and disturb nothing");
        record_in_recording();
        core_everywhere(keeps_out_children, "and so is a process that was forked in the step");
        replace_objects();
        core_everywhere(sets_numbers, "a number that was an array is a number where it is set");
        refuse_null();
        begin_variable();
        try_and_fail();
        try_all();
        run_out_of_steps();
        reach_infinity();
        core_everywhere(merges, "a merge function records and runs programs");
        core_everywhere(writes_batch,
                        "a step may write its batch, and two programs take turns with one input");
    }
    core_no_leak(warm);
    lose_device(); /* whose strategy leaks */
    return tap_done();
}
