/* SPDX-License-Identifier: BSD-3-Clause */
/* Who does what is too little to be shared (runtime/operation/alone.h): in the steps of a program a
 * lane that is not the caller's, with the bits of the same calls without a program; and else the
 * caller. */
#include "config.h"

#include "runtime/operation/alone.h"
#include "runtime/program/program.h"
#include "runtime/strategy/strategy.h"
#include "tests/core.h"

#include <pthread.h>
#include <stdatomic.h>

/* SUMMED: more than a bucket takes in a step that is looked at. LISTED of LISTED_COUNT: two
 * buckets. */
enum { LITTLE = 5, SUMMED = 4096, STEPS = 12, LISTED = 150, LISTED_COUNT = 64 };

/* Where bodies of updates ran, since the last look at that. */
static pthread_t main_thread;
static atomic_int on_main, on_others;

static void note_thread(void)
{
    (void)atomic_fetch_add(pthread_equal(pthread_self(), main_thread) ? &on_main : &on_others, 1);
}

static bool ran_only_on(atomic_int *where)
{
    int main = atomic_exchange(&on_main, 0), others = atomic_exchange(&on_others, 0);
    return where == &on_main ? main > 0 && others == 0 : main == 0 && others > 0;
}

COHORT_FUNCTION(spread, (int64_t n, int32_t replica, const float w[n], COHORT_OUT float g[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        g[i] = w[i] * (float)(replica + 1) + (float)(i % 7) / 8;
}

COHORT_FUNCTION(widen,
                (int64_t n, int64_t m, int32_t replica, const float w[n], COHORT_OUT float wide[m]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < m; i++)
        wide[i] = w[i % n] + (float)replica;
}

COHORT_ITEMS(descend, i, n, (int64_t n, const float g[n], float w[n]),
             { w[i] = w[i] * 0.75f - 0.125f * g[i]; });

/* Descent whose host body says where it runs. Its text has other elements of w than w[i]: so the
 * variable is copied before it. */
static void descend_noted_host(int64_t begin, int64_t end, int64_t n, const float *g, float *w)
{
    note_thread();
    descend_host(begin, end, n, g, w);
}
static const cohort_function descend_noted[1] = {
    { .struct_size = sizeof(cohort_function),
      .name = "descend_noted",
      .returns = "void",
      .prototype = "(int64_t n, const float g[n], float w[n])",
      .host = (void (*)(void))descend_noted_host,
      .item = "i",
      .count = "n",
      .item_body = "{ w[i % n] = w[i % n] * 0.75f - 0.125f * g[i]; }" }
};

/* Not of items, so nobody but the device of the copy may do it. */
COHORT_FUNCTION(descend_whole, (int64_t n, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    note_thread();
    for (int64_t i = 0; i < n; i++)
        w[i] = w[i] * 0.75f - 0.125f * g[i];
}

typedef struct model {
    cohort_strategy *s;
    const cohort_function *update;
    cohort_variable *w;
    cohort_value *g, *total, *wide, *wide_total;
} model;

/* The sum of `wide` is a fold, that of `g` a bucket. */
static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    cohort_run(s, spread, COHORT_REPLICA_ID, m->w, m->g);
    cohort_reduce(COHORT_SUM, m->g, COHORT_NO_AXIS, m->total);
    cohort_run(s, widen, COHORT_REPLICA_ID, m->w, m->wide);
    cohort_reduce(COHORT_SUM, m->wide, COHORT_NO_AXIS, m->wide_total);
    return cohort_update(m->w, m->update, m->total, m->w);
}

static bool open_model(model *m, const core_place *place, const cohort_function *update,
                       cohort_rollback rollback, cohort_guard guard)
{
    const float w[LITTLE] = { 1, 2, 3, 4, 5 };
    *m = (model){ .update = update };
    m->s = cohort_strategy_create(&(cohort_strategy_options){ .devices = place->devices,
                                                              .replicas = place->replicas,
                                                              .n_hosted = core_n_hosted(place),
                                                              .hosted = place->hosted,
                                                              .rollback = rollback,
                                                              .guard = guard });
    m->w = cohort_variable_create(m->s, "w", COHORT_ARRAY(w, LITTLE), NULL);
    m->g = cohort_value_create(m->s);
    m->total = cohort_value_create(m->s);
    m->wide = cohort_value_shaped(m->s, COHORT_F32, 1, (int64_t[]){ SUMMED });
    m->wide_total = cohort_value_create(m->s);
    return good(m->wide_total != NULL && m->w != NULL && m->wide != NULL);
}

/* ------------------------------------------------------------------ who does it */

static uint64_t count_posted_to(const cohort_strategy *s, bool is_callers)
{
    uint64_t n = 0;
    for (int32_t i = 0; i < s->executor->n_lanes; i++)
        n += (i == s->executor->caller) == is_callers ? s->executor->lanes[i]->next_number : 0;
    return n;
}

typedef struct posted {
    uint64_t to_caller, to_others;
} posted;

/* In one step, once it is known, and where the threads of the steps before are forgotten. Nothing,
 * where that step was not repeated. */
static posted run_known(cohort_strategy *s, cohort_program *program)
{
    bool is_good = good(cohort_program_run(program, NULL, STEPS) == COHORT_OK) &&
                   good(cohort_wait(s) == COHORT_OK);
    (void)ran_only_on(&on_main);
    uint64_t to_caller = count_posted_to(s, true), to_others = count_posted_to(s, false);
    int64_t repeated = is_good ? program->repeat.series.n_repeated : 0;
    is_good = is_good && good(cohort_program_run(program, NULL, 1) == COHORT_OK) &&
              good(cohort_wait(s) == COHORT_OK) &&
              program->repeat.series.n_repeated == repeated + 1;
    return is_good ? (posted){ count_posted_to(s, true) - to_caller,
                               count_posted_to(s, false) - to_others }
                   : (posted){ 0, 0 };
}

static const core_place pair = { "host/2", 2, NULL };

static posted count_in_step(const core_place *place, const cohort_function *update,
                            cohort_rollback rollback, cohort_guard guard)
{
    model m;
    posted n = { 0, 0 };
    if (open_model(&m, place, update, rollback, guard))
        n = run_known(m.s, cohort_program_record(m.s, step, &m, NULL, 0));
    cohort_strategy_destroy(m.s);
    return n;
}

static bool is_posted(posted n, uint64_t to_caller, uint64_t to_others)
{
    return n.to_caller == to_caller && n.to_others == to_others;
}

static void test_program(void)
{
    const cohort_rollback on = COHORT_ROLLBACK_ON, off = COHORT_ROLLBACK_OFF;
    const cohort_guard none = COHORT_GUARD_PROPAGATE;
    ok(is_posted(count_in_step(&pair, descend, on, none), 2, 5) &&
           is_posted(count_in_step(&pair, descend, off, none), 2, 5),
       "the caller's lane gets the bodies of its replica, another one the sums and the update");
    ok(is_posted(count_in_step(&pair, descend_noted, off, none), 2, 5) && ran_only_on(&on_others),
       "which is where the body of the update runs");
    ok(count_in_step(&pair, descend_whole, off, none).to_others == 4 && ran_only_on(&on_main),
       "a body that is not of items runs on the device of the copy");
    ok(count_in_step(&pair, descend_noted, on, none).to_others == 4 && ran_only_on(&on_main),
       "so does one for which the variable is copied before");
    (void)count_in_step(&pair, descend_noted, off, COHORT_GUARD_ERROR);
    ok(ran_only_on(&on_main), "and one behind which a guard looks at it");
}

/* What the replicas of the other lane do is waited for. */
static void test_load(void)
{
    const core_place place = { "host/2", 8, (const int32_t[]){ 1, 7 } };
    (void)count_in_step(&place, descend_noted, COHORT_ROLLBACK_OFF, COHORT_GUARD_PROPAGATE);
    ok(ran_only_on(&on_main), "a lane with more replicas than the caller's is spared");
}

static cohort_status sum_list(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_value **x = user;
    (void)s, (void)batch;
    return cohort_reduce_list(COHORT_SUM, x, LISTED, COHORT_NO_AXIS, x + LISTED);
}

static void test_list(void)
{
    static const float rows[2 * LISTED_COUNT];
    cohort_value *x[2 * LISTED];
    cohort_strategy *s = core_open(&pair);
    for (int i = 0; i < LISTED; i++) {
        x[i] = cohort_value_split(s, COHORT_ARRAY(rows, 2, LISTED_COUNT));
        x[LISTED + i] = cohort_value_create(s);
    }
    posted n = run_known(s, cohort_program_record(s, sum_list, x, NULL, 0));
    ok(is_posted(n, 1, 1), "two buckets go to two lanes");
    cohort_strategy_destroy(s);
}

static void test_calls(void)
{
    model m;
    bool is_good =
        open_model(&m, &pair, descend_noted, COHORT_ROLLBACK_OFF, COHORT_GUARD_PROPAGATE);
    for (int i = 0; i < STEPS; i++)
        is_good = is_good && good(step(m.s, NULL, &m) == COHORT_OK);
    is_good = is_good && good(cohort_wait(m.s) == COHORT_OK);
    ok(is_good && ran_only_on(&on_main), "without a program the caller updates what is little");
    cohort_strategy_destroy(m.s);
}

/* ------------------------------------------------------------------ the choice */

static int n_chosen; /* choices of another lane than the caller's */

static bool may_help(const cohort_executor *executor, const cohort_context *context)
{
    const cohort_lane *callers = executor->lanes[executor->caller >= 0 ? executor->caller : 0];
    return context->lane->index != executor->caller &&
           context->lane->n_replicas <= callers->n_replicas &&
           cohort_context_has(context, COHORT_CAP_PROMPT);
}

/* The first of the list is device `first`. */
static bool chooses_well(cohort_strategy *s, int32_t first)
{
    cohort_executor *executor = s->executor;
    cohort_context *able[8];
    int32_t n = executor->n_contexts, helpers = 0;
    for (int32_t i = 0; i < n; i++) {
        able[i] = executor->contexts[(first + i) % n];
        helpers += may_help(executor, able[i]);
    }
    bool is_good = good(cohort_alone_choose(executor, able, n) == 0);
    executor->plan.spares_caller = true;
    int32_t chosen = cohort_alone_choose(executor, able, n);
    executor->plan.spares_caller = false;
    n_chosen += chosen > 0;
    if (able[0]->lane->index == executor->caller && helpers > 0)
        return is_good && good(may_help(executor, able[chosen]));
    return is_good && good(chosen == 0);
}

static bool choose_well(cohort_strategy *s, int replicas)
{
    bool is_good = good(s->executor->n_contexts <= 8);
    (void)replicas;
    for (int32_t i = 0; i < s->executor->n_contexts && is_good; i++)
        is_good = chooses_well(s, i);
    return is_good;
}

/* ------------------------------------------------------------------ the same bits */

static bool read_all(const model *m, float w[LITTLE], float wide[SUMMED])
{
    return good(cohort_variable_read(m->w, COHORT_ARRAY(w, LITTLE)) == COHORT_OK) &&
           good(cohort_value_read(m->wide_total, COHORT_ARRAY(wide, SUMMED)) == COHORT_OK);
}

static bool has_same_bits(const core_place *place, cohort_rollback rollback)
{
    static float wide[2][SUMMED];
    float w[2][LITTLE];
    bool is_good = true;
    for (int i = 0; i < 2 && is_good; i++) {
        model m;
        is_good = open_model(&m, place, descend, rollback, COHORT_GUARD_PROPAGATE);
        cohort_program *program = cohort_program_record(m.s, step, &m, NULL, 0);
        for (int k = 0; k < STEPS && is_good && i == 1; k++)
            is_good = good(step(m.s, NULL, &m) == COHORT_OK);
        if (i == 0)
            is_good = is_good && good(cohort_program_run(program, NULL, STEPS) == COHORT_OK);
        is_good = is_good && read_all(&m, w[i], wide[i]);
        cohort_strategy_destroy(m.s);
    }
    return is_good && good(memcmp(w[0], w[1], sizeof *w) == 0) &&
           good(memcmp(wide[0], wide[1], sizeof *wide) == 0);
}

static void test_bits(void)
{
    bool is_good = true;
    for (int i = 0; i < CORE_PLACES && is_good; i++) {
        is_good = has_same_bits(&core_places[i], COHORT_ROLLBACK_ON) &&
                  has_same_bits(&core_places[i], COHORT_ROLLBACK_OFF);
        if (!is_good)
            diag("with %d replicas on %s", (int)core_places[i].replicas, core_places[i].devices);
    }
    ok(is_good,
       "a program leaves the bits of the same calls, everywhere, with and without rollback");
}

/* ------------------------------------------------------------------ all of it */

static bool has_two_lanes(void)
{
    cohort_strategy *s = core_open(&pair);
    bool has = s != NULL && s->executor->n_lanes == 2;
    cohort_strategy_destroy(s);
    return has;
}

int main(void)
{
    main_thread = pthread_self();
    core_live warm = { 0 };
    (void)core_warm();
    for (int pass = 0; pass < 2; pass++) {
        warm = core_live_now();
        if (has_two_lanes()) {
            test_program();
            test_load();
            test_list();
            test_calls();
        } else {
            skip("who does what is little", "one core");
        }
        core_everywhere(choose_well,
                        "of a step that is looked at a prompt device of another lane is "
                        "chosen instead of the caller's, and of no other step");
        ok(n_chosen > 0 || !has_two_lanes(), "and some were chosen");
        test_bits();
    }
    core_no_leak(warm);
    return tap_done();
}
