/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of a store that devices share, and variables without rollback: the same bits as ever, and
 * what a failure leaves. */
#include "config.h"

#include "tests/core.h"

#include <stdatomic.h>

/* N: enough that devices share an update, and no multiple of anything. */
enum { N = 5003, STEPS = 5 };

COHORT_ITEMS(sgd, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

COHORT_ITEMS(momentum, i, n,
             (int64_t n, float rate, float decay, const float g[n], float m[n], float w[n]), {
                 float step = rate * g[i];
                 if (g[i] == 0)
                     continue;
                 m[i] = decay * m[i] + step;
                 w[i] -= m[i];
             });

/* An item that touches more than its own element, though no other item's. */
COHORT_ITEMS(swap_pairs, i, (n - 1) / 2, (int64_t n, float w[n]), {
    float first = w[2 * i];
    w[2 * i] = w[2 * i + 1] * 2;
    w[2 * i + 1] = first + (float)i;
});

COHORT_ITEMS(shift, i, n, (int64_t n, const float from[n], COHORT_OUT float to[n]),
             { to[i] = from[(i + 1) % n]; });

/* Of 1e30 it is infinite. */
COHORT_ITEMS(fill, i, n, (int64_t n, float x, COHORT_OUT float w[n]), { w[i] = x * x + (float)i; });

COHORT_FUNCTION(halve, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] *= 0.5f;
}

/* An x without elements says that the replica has no rows. */
COHORT_FUNCTION(add_first, (int64_t k, int64_t n, const float x[k], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n && k > 0; i++)
        w[i] += x[0];
}

/* Fails half way when it is told to. */
COHORT_FUNCTION_RETURNING(cohort_status, risk, (int64_t n, int32_t fails, float w[n]),
                          COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n / 2; i++)
        w[i] += 1;
    return fails ? COHORT_ENOTSUP : COHORT_OK;
}

COHORT_FUNCTION_RETURNING(cohort_status, refuse,
                          (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
    return COHORT_ENOTSUP;
}

static cohort_strategy *open_as(const core_place *place, cohort_rollback rollback, const char *name,
                                cohort_guard guard)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .name = name,
                                                           .devices = place->devices,
                                                           .replicas = place->replicas,
                                                           .n_hosted = core_n_hosted(place),
                                                           .hosted = place->hosted,
                                                           .guard = guard,
                                                           .rollback = rollback });
    if (s == NULL)
        ok(false, "a strategy on %s: %s", place->devices, cohort_error_text());
    return s;
}

/* On every place without rollback. */
static void without(core_check_fn check, cohort_guard guard, const char *claim)
{
    const core_place *bad = NULL;
    for (size_t i = 0; i < CORE_PLACES && bad == NULL; i++) {
        cohort_strategy *s = open_as(&core_places[i], COHORT_ROLLBACK_OFF, NULL, guard);
        if (s == NULL || !check(s, core_places[i].replicas))
            bad = &core_places[i];
        cohort_strategy_destroy(s);
    }
    if (!ok(bad == NULL, "%s", claim))
        diag("with %d replicas on %s; latest error: %s", (int)bad->replicas, bad->devices,
             cohort_error_text());
}

/* ------------------------------------------------------------------ bits */

typedef struct found {
    float w[N], m[N], pairs[N], turned[N];
} found;

static void fill_some(float x[], int n, int from)
{
    for (int i = 0; i < n; i++)
        x[i] = (float)((i * 7 + from) % 13) - 5;
}

/* Every way of an update: items that touch their own element, others, functions that are no items,
 * what is only written, and what is read by another argument at the same time. */
static bool train(cohort_strategy *s, found *out)
{
    static float g[N], w[N];
    fill_some(g, N, 1);
    fill_some(w, N, 2);
    cohort_variable *vw = cohort_variable_create(s, "w", COHORT_ARRAY(w, N), NULL);
    cohort_variable_options beside = { .colocate_with = vw };
    cohort_variable *vm = cohort_variable_create(s, "m", COHORT_ARRAY((float *)NULL, N), &beside),
                    *vp = cohort_variable_create(s, "p", COHORT_ARRAY(w, N), &beside),
                    *vt = cohort_variable_create(s, "t", COHORT_ARRAY(w, N), &beside);
    cohort_value *gradient = cohort_value_plain(s, COHORT_ARRAY(g, N));
    bool is_good = good(vt != NULL && gradient != NULL);
    for (int i = 0; i < STEPS && is_good; i++)
        is_good = good(cohort_update(vw, sgd, 0.25f, gradient, vw) == COHORT_OK) &&
                  good(cohort_update(vw, momentum, 0.1f, 0.9f, gradient, vm, vw) == COHORT_OK) &&
                  good(cohort_update(vp, swap_pairs, vp) == COHORT_OK) &&
                  good(cohort_update(vp, halve, vp) == COHORT_OK) &&
                  good(cohort_update(vt, shift, vt, vt) == COHORT_OK) &&
                  good(cohort_update(vt, sgd, 0.5f, vt, vt) == COHORT_OK) &&
                  good(cohort_update(vt, sgd, 0.5f, vw, vt) == COHORT_OK) &&
                  good(cohort_variable_assign_add(vw, vw) == COHORT_OK) &&
                  good(cohort_variable_assign_sub(vw, gradient) == COHORT_OK) &&
                  good(cohort_variable_assign(vw, vw) == COHORT_OK) &&
                  good(i != 2 || cohort_update(vm, fill, 0.5f, vm) == COHORT_OK);
    return is_good && good(cohort_variable_updates(vw) == 5 * STEPS) &&
           good(cohort_variable_read(vw, COHORT_ARRAY(out->w, N)) == COHORT_OK) &&
           good(cohort_variable_read(vm, COHORT_ARRAY(out->m, N)) == COHORT_OK) &&
           good(cohort_variable_read(vp, COHORT_ARRAY(out->pairs, N)) == COHORT_OK) &&
           good(cohort_variable_read(vt, COHORT_ARRAY(out->turned, N)) == COHORT_OK);
}

static found wanted;

static bool same_bits(cohort_strategy *s, int replicas)
{
    static found here;
    (void)replicas;
    return train(s, &here) && good(memcmp(&here, &wanted, sizeof here) == 0);
}

/* ---- The same updates in a step function, beside a variable, and recorded. */

typedef struct trainee {
    cohort_variable *w, *m;
    cohort_value *gradient;
} trainee;

static trainee make_trainee(cohort_strategy *s)
{
    static float g[N], w[N];
    fill_some(g, N, 3);
    fill_some(w, N, 4);
    trainee t = { .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, N), NULL) };
    t.m = cohort_variable_create(s, "m", COHORT_ARRAY((float *)NULL, N),
                                 &(cohort_variable_options){ .colocate_with = t.w });
    t.gradient = cohort_value_plain(s, COHORT_ARRAY(g, N));
    return t;
}

static cohort_status learn_in_step(cohort_replica *me, void *user)
{
    trainee *t = user;
    cohort_status status = cohort_replica_update(me, t->w, sgd, 0.25f, t->gradient, t->w);
    return status < 0
               ? status
               : cohort_replica_update(me, t->w, momentum, 0.1f, 0.9f, t->gradient, t->m, t->w);
}

static cohort_status learn_recorded(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    trainee *t = user;
    (void)s;
    (void)batch;
    cohort_status status = cohort_update(t->w, sgd, 0.25f, t->gradient, t->w);
    return status < 0 ? status
                      : cohort_update_non_slot(COHORT_AT(t->w), momentum, 0.1f, 0.9f, t->gradient,
                                               t->m, t->w);
}

static bool learns_everywhere(cohort_strategy *s, int replicas)
{
    static float g[N], w[N], m[N], found_w[N], found_m[N];
    trainee t = make_trainee(s);
    (void)replicas;
    fill_some(g, N, 3);
    fill_some(w, N, 4);
    memset(m, 0, sizeof m);
    for (int i = 0; i < 2 * STEPS; i++) {
        sgd_host(0, N, N, 0.25f, g, w);
        momentum_host(0, N, N, 0.1f, 0.9f, g, m, w);
    }
    bool is_good = true;
    for (int i = 0; i < STEPS && is_good; i++)
        is_good = good(cohort_for_each_replica(s, learn_in_step, &t) == COHORT_OK);
    cohort_program *p = cohort_program_record(s, learn_recorded, &t, NULL, 0);
    return is_good && good(cohort_program_run(p, NULL, STEPS) == COHORT_OK) &&
           good(cohort_variable_read(t.w, COHORT_ARRAY(found_w, N)) == COHORT_OK) &&
           good(cohort_variable_read(t.m, COHORT_ARRAY(found_m, N)) == COHORT_OK) &&
           good(memcmp(found_w, w, sizeof w) == 0 && memcmp(found_m, m, sizeof m) == 0);
}

/* Rows that are scattered, and read in between by other devices. */
static bool scattered(cohort_strategy *s, int replicas)
{
    float w[5][3], found[5][3];
    const int64_t ids[3] = { 4, 0, 4 };
    const float rows[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
    (void)replicas;
    fill_some(&w[0][0], 15, 0);
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(&w[0][0], 5, 3), NULL);
    bool is_good = true;
    for (int i = 0; i < 3 && is_good; i++) {
        is_good = good(cohort_variable_scatter_add(v, COHORT_ARRAY(ids, 3),
                                                   COHORT_ARRAY(&rows[0][0], 3, 3)) == COHORT_OK) &&
                  good(cohort_update(v, halve, v) == COHORT_OK);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                w[ids[r]][c] += rows[r][c];
        for (int c = 0; c < 15; c++)
            w[c / 3][c % 3] *= 0.5f;
    }
    return is_good &&
           good(cohort_variable_read(v, COHORT_ARRAY(&found[0][0], 5, 3)) == COHORT_OK) &&
           good(memcmp(found, w, sizeof w) == 0);
}

/* Rows that are the variable itself, and ids that are wrong, which lose nothing. */
static bool scattered_from_itself(cohort_strategy *s, int replicas)
{
    const float w[2][2] = { { 1, 2 }, { 3, 4 } };
    float found[2][2];
    const int64_t swapped[2] = { 1, 0 }, wrong[2] = { 0, 2 };
    (void)replicas;
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(&w[0][0], 2, 2), NULL);
    bool is_good =
        good(cohort_variable_scatter_update(v, COHORT_ARRAY(swapped, 2), v) == COHORT_OK) &&
        good(cohort_variable_read(v, COHORT_ARRAY(&found[0][0], 2, 2)) == COHORT_OK) &&
        good(memcmp(found[0], w[1], sizeof w[1]) == 0) &&
        good(memcmp(found[1], w[0], sizeof w[0]) == 0);
    (void)cohort_variable_scatter_add(v, COHORT_ARRAY(wrong, 2), COHORT_ARRAY(&w[0][0], 2, 2));
    return is_good && good(cohort_wait(s) == COHORT_EINVAL) &&
           good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_variable_read(v, COHORT_ARRAY(&found[0][0], 2, 2)) == COHORT_OK) &&
           good(found[1][1] == 2) &&
           good(cohort_variable_scatter_add(v, COHORT_ARRAY(swapped, 2),
                                            COHORT_ARRAY(&w[0][0], 2, 2)) == COHORT_OK) &&
           good(cohort_variable_read(v, COHORT_ARRAY(&found[0][0], 2, 2)) == COHORT_OK) &&
           good(found[0][0] == 6) && good(found[1][1] == 4);
}

/* Components, of which each replica updates its own; those without rows stay. */
static bool components(cohort_strategy *s, int replicas)
{
    static float x[CORE_MAX_REPLICAS];
    float total = 0;
    for (int r = 0; r < replicas; r++)
        x[r] = (float)r + 1;
    cohort_variable *v =
        cohort_variable_create(s, "v", COHORT_ARRAY((float *)NULL, 1),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    cohort_value *all = cohort_value_split(s, COHORT_ARRAY(x, replicas)),
                 *some = cohort_value_split(s, COHORT_ARRAY(x, 1));
    bool is_good = good(cohort_update(v, add_first, all, v) == COHORT_OK) &&
                   good(cohort_update(v, add_first, some, v) == COHORT_OK) &&
                   good(cohort_update(v, halve, v) == COHORT_OK) &&
                   good(cohort_variable_read(v, COHORT_ARRAY(&total, 1)) == COHORT_OK);
    return is_good && good(total == ((float)(replicas * (replicas + 1)) / 2 + 1) / 2);
}

/* ------------------------------------------------------------------ failures */

static bool is_filled(cohort_variable *v, float wanted_value)
{
    static float w[N];
    bool is_good = good(cohort_variable_read(v, COHORT_ARRAY(w, N)) == COHORT_OK);
    for (int i = 0; i < N && is_good; i++)
        is_good = good(w[i] == wanted_value);
    return is_good;
}

static bool lost(cohort_strategy *s, int replicas)
{
    static float w[N];
    (void)replicas;
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, N), NULL),
                    *other = cohort_variable_create(s, "o", COHORT_ARRAY((float *)NULL, N), NULL);
    bool is_good = good(cohort_variable_assign(v, 3) == COHORT_OK) &&
                   good(cohort_variable_assign(other, 4) == COHORT_OK) &&
                   good(cohort_update(v, risk, 0, v) == COHORT_OK) &&
                   good(cohort_wait(s) == COHORT_OK);
    (void)cohort_update(v, risk, 1, v);
    (void)cohort_update(other, halve, other); /* behind the failure */
    is_good = is_good && good(cohort_wait(s) == COHORT_ENOTSUP) && says("in place") &&
              good(cohort_strategy_recover(s) == COHORT_OK) &&
              good(cohort_variable_updates(v) == 0) &&
              refused_for(s, "is lost", cohort_variable_read(v, COHORT_ARRAY(w, N))) &&
              refused_for(s, "is lost", cohort_update(v, halve, v)) &&
              refused_for(s, "is lost", cohort_variable_assign_add(v, 1)) &&
              refused_for(s, "is lost", cohort_variable_assign(other, v));
    /* what comes after the failing call may have been done already on other lanes */
    is_good = is_good && good(cohort_variable_read(other, COHORT_ARRAY(w, N)) == COHORT_OK) &&
              good(w[0] == (cohort_variable_updates(other) == 2 ? 2 : 4));
    return is_good && good(cohort_variable_assign(v, 5) == COHORT_OK) && is_filled(v, 5) &&
           good(cohort_update(v, halve, v) == COHORT_OK) && is_filled(v, 2.5f);
}

static cohort_status begin_anew(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    trainee *t = user;
    cohort_status status = cohort_variable_assign(t->w, 5);
    return status < 0 ? status : learn_recorded(s, batch, t);
}

/* A recorded step that begins with an assignment finds its variable again. */
static bool lost_in_program(cohort_strategy *s, int replicas)
{
    trainee t = make_trainee(s);
    (void)replicas;
    cohort_program *going_on = cohort_program_record(s, learn_recorded, &t, NULL, 0),
                   *anew = cohort_program_record(s, begin_anew, &t, NULL, 0);
    (void)cohort_update(t.w, risk, 1, t.w);
    return good(cohort_wait(s) == COHORT_ENOTSUP) &&
           good(cohort_strategy_recover(s) == COHORT_OK) &&
           refused_for(s, "is lost", cohort_program_run(going_on, NULL, 1)) &&
           good(cohort_program_run(anew, NULL, 2) == COHORT_OK) &&
           good(cohort_program_run(going_on, NULL, 1) == COHORT_OK) &&
           good(cohort_wait(s) == COHORT_OK);
}

/* An update whose argument is never there has not begun, and nothing is lost. */
static bool not_begun(cohort_strategy *s, int replicas)
{
    static float ones[N];
    (void)replicas;
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(ones, N), NULL);
    cohort_value *x = cohort_value_plain(s, COHORT_ARRAY(ones, N)), *y = cohort_value_create(s),
                 *total = cohort_value_create(s);
    bool is_good = good(cohort_run(s, refuse, x, y) <= COHORT_OK);
    (void)cohort_reduce(COHORT_SUM, y, COHORT_NO_AXIS, total);
    (void)cohort_update(v, sgd, 1.0f, total, v);
    return is_good && good(cohort_wait(s) == COHORT_ENOTSUP) &&
           good(cohort_strategy_recover(s) == COHORT_OK) && is_filled(v, 1);
}

static bool guarded(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, N), NULL);
    bool is_good =
        good(cohort_update(v, fill, 1.0f, v) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    (void)cohort_update(v, fill, 1e30f, v);
    return is_good && good(cohort_wait(s) == COHORT_EINVAL) && says("'w' (written in place") &&
           good(cohort_strategy_recover(s) == COHORT_OK) &&
           refused_for(s, "is lost", cohort_update(v, halve, v)) &&
           good(cohort_variable_assign(v, 5) == COHORT_OK) && is_filled(v, 5);
}

/* With rollback, as ever: also of an update that devices share. */
static bool undone(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, N), NULL);
    bool is_good = good(cohort_update(v, fill, 1.0f, v) == COHORT_OK) &&
                   good(cohort_variable_assign(v, 5) == COHORT_OK);
    (void)cohort_update(v, fill, 1e30f, v);
    return is_good && good(cohort_wait(s) == COHORT_EINVAL) &&
           good(cohort_strategy_recover(s) == COHORT_OK) && is_filled(v, 5) &&
           good(cohort_variable_updates(v) == 2);
}

/* Arrays, which change as soon as the call has returned, are assigned while something is under way
 * and while nothing is; what fails next leaves the last one. */
static bool assigned(cohort_strategy *s, int replicas)
{
    static float w[N];
    bool is_good = true;
    (void)replicas;
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, N), NULL);
    for (int i = 1; i <= 6 && is_good; i++) {
        for (int k = 0; k < N; k++)
            w[k] = (float)i;
        is_good = (i % 2 == 0 || good(cohort_wait(s) == COHORT_OK)) &&
                  good(cohort_variable_assign(v, COHORT_ARRAY(w, N)) == COHORT_OK);
        memset(w, 0, sizeof w);
        is_good = is_good && (i % 3 != 0 || is_filled(v, (float)i));
    }
    (void)cohort_update(v, risk, 1, v);
    return is_good && good(cohort_wait(s) == COHORT_ENOTSUP) &&
           good(cohort_strategy_recover(s) == COHORT_OK) && is_filled(v, 6) &&
           good(cohort_variable_updates(v) == 6);
}

static void undone_under_guard(void)
{
    const core_place *bad = NULL;
    for (size_t i = 0; i < CORE_PLACES && bad == NULL; i++) {
        cohort_strategy *s = open_as(&core_places[i], COHORT_ROLLBACK_ON, NULL, COHORT_GUARD_ERROR);
        bad = s != NULL && undone(s, core_places[i].replicas) ? NULL : &core_places[i];
        cohort_strategy_destroy(s);
    }
    ok(bad == NULL, "with rollback a shared update that fails is undone%s%s",
       bad != NULL ? ": not on " : "", bad != NULL ? bad->devices : "");
}

/* ---- What comes behind: while a store may still fail, no other one loses what it goes back to. */

static _Atomic int n_late, n_behind;

/* Fails on each device but the first, and not before the write behind it had time to begin. */
COHORT_FUNCTION_RETURNING(cohort_status, late, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += 1;
    if (atomic_fetch_add(&n_late, 1) == 0)
        return COHORT_OK;
    for (int k = 0; k < 10 && atomic_load(&n_behind) == 0; k++)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    return COHORT_ENOTSUP;
}

COHORT_FUNCTION(behind, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    (void)atomic_fetch_add(&n_behind, 1);
    for (int64_t i = 0; i < n; i++)
        w[i] = 9;
}

static bool begins_behind(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, N), NULL);
    bool is_good =
        good(cohort_variable_assign(v, 3) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    atomic_store(&n_late, 0);
    atomic_store(&n_behind, 0);
    (void)cohort_update(v, late, v);
    (void)cohort_update(v, behind, v);
    cohort_status status = cohort_wait(s);
    if (atomic_load(&n_late) == 1) /* all devices share one store */
        return is_good && good(status == COHORT_OK) && is_filled(v, 9);
    return is_good && good(status == COHORT_ENOTSUP) && good(atomic_load(&n_behind) == 0) &&
           good(cohort_strategy_recover(s) == COHORT_OK) && is_filled(v, 3);
}

/* ------------------------------------------------------------------ strategies */

/* What a function does to a shard it does to the rows of that shard, so that the bits are those of
 * the same strategy. */
static void same_under(const char *name)
{
    static const core_place place = { "host/2", 2, NULL };
    static found runs[2];
    bool is_good = true;
    for (int i = 0; i < 2 && is_good; i++) {
        cohort_strategy *s = open_as(&place, i == 0 ? COHORT_ROLLBACK_ON : COHORT_ROLLBACK_OFF,
                                     name, COHORT_GUARD_PROPAGATE);
        is_good = s != NULL && train(s, &runs[i]);
        cohort_strategy_destroy(s);
    }
    ok(is_good && memcmp(&runs[0], &runs[1], sizeof runs[0]) == 0,
       "the same bits under \"%s\", with rollback and without", name);
}

/* What is lent is the variable's own memory where it is shown: it has no copy, and is written in
 * place without rollback. */
static bool is_lent(const char *devices, cohort_rollback rollback)
{
    static float ones[N];
    cohort_array before[2], after[2];
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .rollback = rollback });
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(ones, N), NULL);
    bool is_good = good(cohort_variable_assign(v, 1) == COHORT_OK) &&
                   good(cohort_local_results(v, before, 2) > 0) &&
                   good(((float *)before[0].data)[N - 1] == 1) &&
                   good(cohort_update(v, halve, v) == COHORT_OK) &&
                   good(cohort_local_results(v, after, 2) > 0) &&
                   good(((float *)after[0].data)[N - 1] == 0.5f) &&
                   good(cohort_value_container(s, after[0]) == v) &&
                   good((before[0].data == after[0].data) == (rollback == COHORT_ROLLBACK_OFF));
    cohort_strategy_destroy(s);
    return is_good;
}

static void refuses(void)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .rollback = (cohort_rollback)2 });
    ok(s == NULL && strstr(cohort_error_text(), "2 is no rollback") != NULL,
       "what is no rollback is refused");
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        refuses();
        cohort_strategy *alone = cohort_one_device("host");
        ok(alone != NULL && train(alone, &wanted), "a device alone trains");
        cohort_strategy_destroy(alone);
        core_everywhere(same_bits, "devices that share a store, or have copies, get the same bits");
        without(same_bits, COHORT_GUARD_PROPAGATE, "so do they without rollback");
        without(same_bits, COHORT_GUARD_ERROR, "and with a guard");
        core_everywhere(learns_everywhere, "and in step functions, beside a variable, recorded");
        without(learns_everywhere, COHORT_GUARD_PROPAGATE, "there too without rollback");
        same_under("central");
        same_under("sharded");
        core_everywhere(scattered, "rows are scattered between updates");
        without(scattered, COHORT_GUARD_PROPAGATE, "also in place");
        core_everywhere(scattered_from_itself, "rows of the variable itself are scattered");
        without(scattered_from_itself, COHORT_GUARD_PROPAGATE, "also in place");
        core_everywhere(components, "components without rows stay as they are");
        without(components, COHORT_GUARD_PROPAGATE, "also without rollback");
        ok(is_lent("host/2", COHORT_ROLLBACK_OFF) && is_lent("host", COHORT_ROLLBACK_OFF) &&
               is_lent("host/2", COHORT_ROLLBACK_ON),
           "results are lent in place, and stay there without rollback");
        undone_under_guard();
        core_everywhere(begins_behind,
                        "an update begins when the one before has ended on all devices");
        core_everywhere(assigned, "so is one of arrays that were assigned");
        without(lost, COHORT_GUARD_PROPAGATE,
                "without it the variable is lost until it is assigned, and says so");
        without(lost_in_program, COHORT_GUARD_PROPAGATE, "also to a recorded step");
        without(guarded, COHORT_GUARD_ERROR, "and so it is when the guard finds something");
        without(not_begun, COHORT_GUARD_PROPAGATE, "an update that did not begin loses nothing");
    }
    core_no_leak(warm);
    return tap_done();
}
