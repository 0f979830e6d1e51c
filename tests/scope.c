/* SPDX-License-Identifier: BSD-3-Clause */
/* The strategy of a thread: entered, which is left again, or set, which stays. */
#include "config.h"

#include "tests/core.h"

#include <pthread.h>

static float ones[3] = { 1, 1, 1 };

static cohort_strategy *a, *b;

static bool mixes(cohort_strategy *s)
{
    return refused_null_for(s, "mixing strategies", cohort_value_plain(s, COHORT_ARRAY(ones, 3)));
}

static bool works(cohort_strategy *s)
{
    cohort_value *x = cohort_value_plain(s, COHORT_ARRAY(ones, 3));
    cohort_value_destroy(x);
    return good(x != NULL);
}

static bool is_current(const cohort_strategy *wanted)
{
    return good(cohort_scope_current() == wanted);
}

static bool sets(cohort_strategy *s)
{
    return good(cohort_scope_set(s) == COHORT_OK) && is_current(s);
}

/* ---- Set. */

static void *look_from_elsewhere(void *is_good)
{
    *(bool *)is_good = is_current(NULL) && works(a) && works(b) && sets(b) && mixes(a);
    return NULL;
}

static bool is_of_this_thread(void)
{
    pthread_t other;
    bool is_good = false;
    return good(pthread_create(&other, NULL, look_from_elsewhere, &is_good) == 0) &&
           good(pthread_join(other, NULL) == 0) && good(is_good) && is_current(a);
}

static void test_set(void)
{
    ok(is_current(NULL) && works(a) && works(b), "without a scope any strategy is called");
    ok(sets(a) && works(a) && mixes(b), "what is set is current, and guards against mixing");
    ok(is_of_this_thread(), "on this thread alone");
    ok(sets(a) && sets(b) && works(b) && mixes(a), "another one takes its place");
    ok(sets(NULL) && works(a) && works(b) && sets(NULL), "and none does");
}

/* ---- Beside what is entered. */

static bool is_refused_by(cohort_strategy *s, cohort_strategy *given)
{
    return refused_for(s, "in a scope that was entered", cohort_scope_set(given));
}

static void test_entered(void)
{
    ok(good(cohort_scope_enter(a) == COHORT_OK) && is_refused_by(b, b) && is_refused_by(a, a) &&
           is_refused_by(a, NULL) && is_current(a) && good(cohort_scope_exit(a) == COHORT_OK) &&
           is_current(NULL),
       "in a scope nothing is set, and the scope stays");
    ok(sets(a) && refused_for(b, "mixing", cohort_scope_enter(b)) &&
           refused_for(a, "not in scope", cohort_scope_exit(a)) && is_current(a),
       "what was set is no scope that could be left, and no other one is entered");
    ok(good(cohort_scope_enter(a) == COHORT_OK) && good(cohort_scope_enter(a) == COHORT_OK) &&
           good(cohort_scope_exit(a) == COHORT_OK) && is_refused_by(a, NULL) &&
           good(cohort_scope_exit(a) == COHORT_OK) && is_current(a) && mixes(b),
       "a scope of the same strategy leaves it set");
    ok(sets(NULL) && good(cohort_scope_enter(b) == COHORT_OK) &&
           good(cohort_scope_exit(b) == COHORT_OK) && is_current(NULL),
       "and once nothing is set, a scope leaves nothing");
}

/* ---- In functions that the library calls. */

static cohort_status set_in_step(cohort_replica *me, void *given)
{
    (void)me;
    return cohort_scope_set(given);
}

static cohort_status set_in_merge(cohort_strategy *s, void *const user[], int n)
{
    (void)s, (void)n;
    return cohort_scope_set(user[0]);
}

static cohort_status merge_to_set(cohort_replica *me, void *given)
{
    return cohort_merge_call(me, set_in_merge, given);
}

static bool step_is_refused(cohort_step_fn step, void *given)
{
    return refused_for(a, "inside a step function", cohort_for_each_replica(a, step, given));
}

static void test_inside(void)
{
    ok(step_is_refused(set_in_step, a) && step_is_refused(set_in_step, NULL) &&
           step_is_refused(merge_to_set, a) && is_current(NULL),
       "replicas and merge functions set nothing");
}

/* ---- What is not there. */

static void test_gone(void)
{
    cohort_strategy *gone = cohort_mirrored("host");
    bool is_good = sets(gone);
    cohort_strategy_destroy(gone);
    ok(is_good && is_current(NULL) && works(a), "a strategy that is destroyed is set no longer");
    ok(good(cohort_scope_set(gone) == COHORT_EINVAL) && says("destroyed already") &&
           is_current(NULL),
       "and cannot be set");
}

static void *destroy_from_elsewhere(void *strategy)
{
    cohort_strategy_destroy(strategy);
    return NULL;
}

static void test_gone_elsewhere(void)
{
    pthread_t other;
    cohort_strategy *gone = cohort_mirrored("host");
    bool is_good = good(cohort_scope_enter(gone) == COHORT_OK) &&
                   good(pthread_create(&other, NULL, destroy_from_elsewhere, gone) == 0) &&
                   good(pthread_join(other, NULL) == 0);
    ok(is_good && good(cohort_scope_set(NULL) == COHORT_EINVAL) &&
           says("in a scope that was entered"),
       "the scope of a strategy that another thread has destroyed is to be left");
    ok(good(cohort_scope_exit(gone) == COHORT_OK) && sets(NULL) && works(a),
       "and once it is, all is as before");
}

int main(void)
{
    (void)core_warm();
    core_live warm = core_live_now();
    a = cohort_mirrored("host");
    b = cohort_mirrored("host/2");
    test_set();
    test_entered();
    test_inside();
    test_gone();
    test_gone_elsewhere();
    cohort_strategy_destroy(b);
    cohort_strategy_destroy(a);
    core_no_leak(warm);
    return tap_done();
}
