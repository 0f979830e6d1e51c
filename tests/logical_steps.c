/* SPDX-License-Identifier: BSD-3-Clause */
/* Logical devices where something is remembered of a call, and in steps: a call like one before
 * takes place where its own values lie, and step functions of replicas and the functions of their
 * merge calls, loops and conditions do what they do on one device. */
#include "config.h"

#include "tests/core.h"

#include <stdlib.h>

enum { REPLICAS = 2, N = 4, ID = 32, TIMES = 12 };

static const char *const devices[] = { "host/4", "loopback/4", "stream/4", "loopback/2,host/2" };
enum { PLACES = sizeof devices / sizeof *devices };

typedef bool (*check_fn)(cohort_strategy *s);

static cohort_strategy *open_on(const char *list, const char *parameters)
{
    return cohort_strategy_create(&(cohort_strategy_options){
        .devices = list, .parameter_devices = parameters, .logical_devices = 2 });
}

static void on_each(check_fn check, const char *claim)
{
    bool is_good = true;
    for (int i = 0; i < PLACES && is_good; i++) {
        cohort_strategy *s = open_on(devices[i], NULL);
        is_good = good(s != NULL) && check(s);
        if (!is_good)
            diag("on %s", devices[i]);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "%s", claim);
}

static const float numbers[N] = { 1, 2, 3, 4 };

static cohort_value *value_on(cohort_strategy *s, int logical)
{
    int before = cohort_strategy_use_logical_device(s, logical);
    cohort_value *value = cohort_value_create(s);
    (void)cohort_strategy_use_logical_device(s, before);
    return value;
}

static cohort_value *split_on(cohort_strategy *s, int logical)
{
    int before = cohort_strategy_use_logical_device(s, logical);
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY((float *)numbers, N));
    (void)cohort_strategy_use_logical_device(s, before);
    return value;
}

static cohort_variable *variable_on(cohort_strategy *s, int logical, const char *name,
                                    const cohort_variable_options *options)
{
    float two[2] = { 5, 6 };
    int before = cohort_strategy_use_logical_device(s, logical);
    cohort_variable *v = cohort_variable_create(s, name, COHORT_ARRAY(two, 2), options);
    (void)cohort_strategy_use_logical_device(s, before);
    return v;
}

/* ------------------------------------------------------------------ what is remembered */

COHORT_FUNCTION(tell, (int64_t n, const float x[n], COHORT_OUT uint8_t id[32]), COHORT_HOST_ONLY)
{
    cohort_running here = { .struct_size = sizeof here };
    (void)n;
    (void)x;
    memset(id, 0, ID);
    if (cohort_running_here(&here) == COHORT_OK)
        (void)snprintf((char *)id, ID, "%s", here.device);
}

COHORT_ITEMS(twice, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = 2 * x[i]; });
COHORT_ITEMS(put, i, n, (int64_t n, const float a[n], float w[n]), { w[i] = a[i]; });
COHORT_ITEMS(add_to, i, n, (int64_t n, const float a[n], float w[n]), { w[i] += a[i]; });

static bool ran_on(cohort_strategy *s, cohort_value *told, int logical)
{
    char found[REPLICAS][ID];
    bool is_good =
        good(cohort_value_read(told, COHORT_ARRAY((uint8_t *)found, REPLICAS * ID)) == COHORT_OK);
    for (int r = 0; r < REPLICAS && is_good; r++) {
        const char *id = cohort_device_id(cohort_strategy_logical_device(s, r, logical));
        is_good = found[r][0] == '\0' || good(strcmp(found[r], id) == 0);
    }
    return is_good;
}

/* Values that come and go lie where others have lain in memory. */
static bool tells_others(cohort_strategy *s, int logical, int calls)
{
    float found[N];
    cohort_value *x = split_on(s, logical), *y = value_on(s, logical), *told = value_on(s, logical);
    bool is_good = true;
    for (int i = 0; i < calls && is_good; i++)
        is_good = good(cohort_run(s, twice, x, y) == COHORT_OK) &&
                  good(cohort_run(s, tell, y, told) == COHORT_OK) && ran_on(s, told, logical) &&
                  good(cohort_value_read(y, COHORT_ARRAY(found, N)) == COHORT_OK) &&
                  good(found[0] == 2 && found[3] == 8);
    cohort_value_destroy(told);
    cohort_value_destroy(y);
    cohort_value_destroy(x);
    return is_good;
}

static bool runs_at_old_addresses(cohort_strategy *s)
{
    bool is_good = true;
    for (int i = 0; i < 5 * TIMES && is_good; i++)
        is_good = tells_others(s, i % 3 == 1, 1 + i % 4);
    return is_good;
}

static bool lists_of(cohort_strategy *s, int logical)
{
    float found[N / REPLICAS];
    cohort_value *x[] = { split_on(s, logical), split_on(s, 0), split_on(s, 1 - logical) },
                 *into[] = { value_on(s, 1), value_on(s, logical), value_on(s, 0) };
    bool is_good = true;
    for (int i = 0; i < 4 && is_good; i++)
        is_good = good(cohort_reduce_list(COHORT_SUM, x, 3, COHORT_NO_AXIS, into) == COHORT_OK);
    for (int i = 0; i < 3 && is_good; i++)
        is_good =
            good(cohort_value_read(into[i], COHORT_ARRAY(found, N / REPLICAS)) == COHORT_OK) &&
            good(found[0] == 4 && found[1] == 6);
    for (int i = 0; i < 3; i++) {
        cohort_value_destroy(into[i]);
        cohort_value_destroy(x[i]);
    }
    return is_good;
}

static bool reduces_lists(cohort_strategy *s)
{
    bool is_good = true;
    for (int i = 0; i < TIMES && is_good; i++)
        is_good = lists_of(s, i % 3 == 1);
    return is_good;
}

/* ------------------------------------------------------------------ what lies on all of them */

COHORT_FUNCTION(look, (void *where, int64_t replica, float a), COHORT_HOST_ONLY)
{
    cohort_running here = { .struct_size = sizeof here };
    (void)a;
    if (cohort_running_here(&here) == COHORT_OK)
        (void)snprintf((char *)where + replica * ID, ID, "%s", here.device);
}

/* A run that names nothing that lies anywhere. */
static bool follows_use(cohort_strategy *s)
{
    char where[REPLICAS][ID] = { { 0 } };
    bool is_good = true;
    for (int i = 0; i < TIMES && is_good; i++) {
        int logical = i / 4 % 2;
        (void)cohort_strategy_use_logical_device(s, logical);
        is_good = good(cohort_run(s, look, COHORT_POINTER(&where[0][0]), COHORT_REPLICA_ID, 1.5) ==
                       COHORT_OK) &&
                  good(cohort_wait(s) == COHORT_OK);
        for (int r = 0; r < REPLICAS && is_good; r++)
            is_good =
                where[r][0] == '\0' ||
                good(strcmp(where[r],
                            cohort_device_id(cohort_strategy_logical_device(s, r, logical))) == 0);
    }
    (void)cohort_strategy_use_logical_device(s, 0);
    return is_good;
}

/* The components of a variable are each on one device, also where its copies are elsewhere. */
static bool keeps_components(const char *list)
{
    float found[N];
    const cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                              .aggregation = COHORT_AGGREGATE_SUM };
    cohort_strategy *s = open_on(list, "loopback/2");
    cohort_variable *v = variable_on(s, 1, "v", &on_read);
    cohort_value *x0 = split_on(s, 0), *x1 = split_on(s, 1);
    bool is_good =
        good(s != NULL) && good(cohort_variable_logical_device(v) == 1) &&
        refused_for(s, "'a' lies on logical device 1, and 'w' on 0", cohort_run(s, add_to, v, x0));
    for (int i = 0; i < 4 && is_good; i++)
        is_good = good(cohort_run(s, add_to, v, x1) == COHORT_OK) &&
                  good(cohort_update(v, put, x0, v) < 0) &&
                  good(cohort_strategy_recover(s) == COHORT_OK) &&
                  good(cohort_update(v, put, x1, v) == COHORT_OK);
    is_good =
        is_good && good(cohort_value_read(x1, COHORT_ARRAY(found, N)) == COHORT_OK) &&
        good(found[0] == 6 * 8 && found[1] == 8 * 8 && found[2] == 8 * 8 && found[3] == 10 * 8);
    cohort_strategy_destroy(s);
    return is_good;
}

/* ------------------------------------------------------------------ steps */

typedef struct model {
    cohort_value *x0, *x1, *y0, *y1, *sum, *all, *parts[2], *whole, *more;
    cohort_variable *w0, *w1;
} model;

static cohort_status merge(cohort_strategy *s, void *const users[], int n)
{
    const model *m = users[0];
    (void)s;
    (void)n;
    cohort_assign_to_logical_device(m->y1, m->y0);
    cohort_reduce(COHORT_SUM, m->y0, COHORT_NO_AXIS, m->sum);
    cohort_split_to_logical_devices(m->y1, 0, m->parts, 2);
    cohort_join_logical_devices(m->parts, 2, 0, m->whole);
    cohort_update(m->w0, add_to, m->sum, m->w0);
    return cohort_update(m->w1, add_to, m->sum, m->w1);
}

static cohort_status play(cohort_replica *me, void *user)
{
    const model *m = user;
    cohort_replica_run(me, twice, m->x1, m->y1);
    cohort_merge_call(me, merge, user);
    cohort_all_reduce_into(me, COHORT_SUM, m->y1, m->more);
    return cohort_all_gather(me, m->x0, 0, m->all);
}

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_for_each_replica(s, play, user);
}

static model made(cohort_strategy *s)
{
    return (model){ .x0 = split_on(s, 0),
                    .x1 = split_on(s, 1),
                    .y0 = value_on(s, 0),
                    .y1 = value_on(s, 1),
                    .sum = cohort_value_create(s),
                    .all = value_on(s, 1),
                    .parts = { value_on(s, 0), value_on(s, 1) },
                    .whole = value_on(s, 0),
                    .more = value_on(s, 1),
                    .w0 = variable_on(s, 0, "w0", NULL),
                    .w1 = variable_on(s, 1, "w1", NULL) };
}

static bool holds(cohort_value *value, const float wanted[], int n)
{
    float found[2 * N];
    return good(cohort_value_read(value, COHORT_ARRAY(found, n)) == COHORT_OK) &&
           good(memcmp(found, wanted, (size_t)n * sizeof *found) == 0);
}

static bool merges(cohort_strategy *s)
{
    float w[2];
    model m = made(s);
    cohort_program *p = cohort_program_record(s, step, &m, NULL, 0);
    return good(p != NULL) && good(cohort_program_run(p, NULL, TIMES) == COHORT_OK) &&
           holds(m.y0, (float[]){ 2, 4, 6, 8 }, N) && holds(m.whole, (float[]){ 2, 4, 6, 8 }, N) &&
           holds(m.sum, (float[]){ 8, 12 }, 2) && holds(m.more, (float[]){ 8, 12, 8, 12 }, N) &&
           good(cohort_variable_read(m.w0, COHORT_ARRAY(w, 2)) == COHORT_OK) &&
           good(w[0] == 5 + 8 * TIMES && w[1] == 6 + 12 * TIMES) &&
           good(cohort_variable_read(m.w1, COHORT_ARRAY(w, 2)) == COHORT_OK) &&
           good(w[0] == 5 + 8 * TIMES && w[1] == 6 + 12 * TIMES) &&
           holds(m.all, (float[]){ 1, 2, 3, 4, 1, 2, 3, 4 }, 2 * N);
}

/* ------------------------------------------------------------------ loops and conditions */

typedef struct loop {
    cohort_value *x, *y, *is_odd;
    bool has_condition;
} loop;

COHORT_ITEMS(multiply, i, n, (int64_t n, float by, float x[n]), { x[i] *= by; });
COHORT_ITEMS(find_odd, i, n, (int64_t n, int64_t step, COHORT_OUT float y[n]),
             { y[i] = (float)(step % 2); });

static cohort_status double_twice(cohort_strategy *s, const loop *l)
{
    cohort_program_repeat(s, 2);
    cohort_assign_to_logical_device(l->x, l->y);
    cohort_run(s, multiply, 2, l->y);
    cohort_assign_to_logical_device(l->y, l->x);
    return cohort_program_end(s);
}

/* Four times as much; where a condition on logical device 1 decides, twice in every even step. */
static cohort_status turn(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const loop *l = user;
    (void)batch;
    if (!l->has_condition)
        return double_twice(s, l);
    cohort_run(s, find_odd, COHORT_STEP, l->is_odd, COHORT_NAMED(n, 1));
    cohort_program_when(l->is_odd);
    (void)double_twice(s, l);
    cohort_program_otherwise(s);
    cohort_run(s, multiply, 2, l->x);
    cohort_assign_to_logical_device(l->x, l->y);
    return cohort_program_end(s);
}

enum { LOOPS = 7 };

static bool loops(cohort_strategy *s, bool has_condition)
{
    float wanted[N], by = (float)(1 << (has_condition ? 4 * 2 + 3 : LOOPS * 2));
    loop l = { split_on(s, 0), value_on(s, 1), value_on(s, 1), has_condition };
    cohort_program *p = cohort_program_record(s, turn, &l, NULL, 0);
    for (int i = 0; i < N; i++)
        wanted[i] = numbers[i] * by;
    return good(p != NULL) && good(cohort_program_run(p, NULL, LOOPS) == COHORT_OK) &&
           holds(l.x, wanted, N) && holds(l.y, wanted, N);
}

static bool repeats(cohort_strategy *s)
{
    return loops(s, false);
}

static bool decides(cohort_strategy *s)
{
    return loops(s, true);
}

static void check_all(const char *repeat)
{
    (void)setenv("COHORT_REPEAT", repeat, 1);
    diag("COHORT_REPEAT=%s", repeat);
    on_each(runs_at_old_addresses, "values at the addresses of others run where they lie");
    on_each(reduces_lists, "and are reduced as they are");
    on_each(follows_use, "a run of what lies nowhere is on the logical device that is in use");
    ok(keeps_components("host/4") && keeps_components("loopback/4"),
       "the components of a variable are on one of them, wherever its copies are");
    on_each(merges, "functions of merge calls do with logical devices what all others do");
    on_each(repeats, "so do loops");
    on_each(decides, "and conditions on what lies on any of them");
}

int main(void)
{
    static const char *const kinds[] = { "off", "memo", "steps" };
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            check_all(kinds[k]);
        if (i == 0)
            warm = core_live_now();
    }
    core_no_leak(warm);
    return tap_done();
}
