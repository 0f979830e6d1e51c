/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: what a step is, from cohort/program.h alone: nothing runs when it is recorded, its own
 * words are the error, and what it makes outlives the program. */
#include "config.h"

#include "tests/core.h"

enum { R = 2, ROWS = 3, STEPS = 4, COMPONENTS = 64 };

/* All elements become k; calls counts the replicas that came here, on whatever thread. */
COHORT_FUNCTION(fill, (int64_t n, COHORT_OUT float y[n], float k, void *calls), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = k;
    (void)__atomic_add_fetch((int *)calls, 1, __ATOMIC_RELAXED);
}

COHORT_FUNCTION(fill_with_step, (int64_t n, COHORT_OUT float y[n], int64_t k), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)k;
}

typedef struct model {
    cohort_value *y, *rate, *total, *before, *made;
    cohort_variable *w;
    int calls;
} model;

static model make(cohort_strategy *s)
{
    return (
        model){ .y = cohort_value_create(s),
                .rate = cohort_value_number(s, 1),
                .total = cohort_value_number(s, 100),
                .before = cohort_value_create(s),
                .w = cohort_variable_create(s, "w", (cohort_array){ .dtype = COHORT_F32 }, NULL) };
}

/* ------------------------------------------------------------------ steps that are none */

static cohort_status silent(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)s;
    (void)batch;
    (void)user;
    return COHORT_OK;
}

static cohort_status unwilling(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    (void)s;
    (void)batch;
    (void)cohort_reduce(COHORT_SUM, m->rate, COHORT_NO_AXIS, m->before);
    return cohort_error_set(COHORT_ENODEV, "no weather today");
}

static cohort_status sum_last(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)s;
    return cohort_reduce(COHORT_SUM, batch[COMPONENTS - 1], 0, ((model *)user)->before);
}

static void test_refusals(cohort_strategy *s, model *m)
{
    static cohort_spec spec[COMPONENTS + 1];
    for (int i = 0; i <= COMPONENTS; i++)
        spec[i] = (cohort_spec){ .dtype = COHORT_F32, .rank = 1, .shape = { -1 } };
    ok(cohort_program_record(s, silent, NULL, NULL, 0) == NULL &&
           cohort_strategy_status(s) == COHORT_EINVAL,
       "a step that makes no call is no program");
    has_text(cohort_error_text(), "the step function made no call of the strategy",
             "which is said");
    (void)cohort_strategy_recover(s);
    ok(cohort_program_record(s, unwilling, m, NULL, 0) == NULL &&
           cohort_strategy_status(s) == COHORT_ENODEV,
       "what a step returns is the error of the recording, and sticks");
    has_text(cohort_error_text(), "no weather today", "in its own words");
    (void)cohort_strategy_recover(s);
    ok(cohort_value_kind_of(m->before) == COHORT_EMPTY_VALUE, "what it had recorded is not done");
    ok(cohort_program_record(s, sum_last, m, spec, COMPONENTS + 1) == NULL,
       "a batch of 65 components is refused");
    (void)cohort_strategy_recover(s);
    cohort_program *p = cohort_program_record(s, sum_last, m, spec, COMPONENTS);
    ok(p != NULL, "one of 64 is not");
    cohort_program_destroy(p);
}

/* ------------------------------------------------------------------ what it leaves */

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    (void)batch;
    m->made = cohort_value_create(s);
    cohort_run(s, fill, m->y, m->rate, COHORT_POINTER(&m->calls),
               COHORT_NAMED(n, COHORT_SHARE(ROWS)));
    cohort_reduce(COHORT_SUM, m->y, 0, m->made);
    return cohort_variable_assign_add(m->w, m->made);
}

static float content(cohort_variable *w)
{
    float number = -1;
    const cohort_array into = { .data = &number, .dtype = COHORT_F32 };
    return cohort_variable_read(w, into) == COHORT_OK ? number : -1;
}

static void test_replays(cohort_strategy *s, model *m)
{
    cohort_program *p = cohort_program_record(s, step, m, NULL, 0);
    ok(p != NULL && m->calls == 0 && cohort_value_kind_of(m->y) == COHORT_EMPTY_VALUE &&
           content(m->w) == 0,
       "nothing runs when it is recorded");
    ok(cohort_program_run(p, NULL, STEPS) == COHORT_OK && cohort_wait(s) == COHORT_OK,
       "a program without a batch runs without an input");
    ok(m->calls == R * STEPS, "a pointer is the one that was recorded");
    ok(content(m->w) == ROWS * STEPS, "a variable adds up over its steps");
    cohort_value_set(m->rate, 0.5 * cohort_value_scalar(m->rate));
    ok(cohort_program_run(p, NULL, 1) == COHORT_OK && content(m->w) == ROWS * (STEPS + 0.5F),
       "a number that changes between runs is a value");
    cohort_program_destroy(p);
    ok(cohort_value_scalar(m->made) == ROWS * 0.5, "a value that the step made outlives it");
}

static cohort_status count(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    (void)batch;
    cohort_reduce(COHORT_MEAN, m->total, COHORT_NO_AXIS, m->before);
    cohort_run(s, fill_with_step, m->y, COHORT_STEP, COHORT_NAMED(n, COHORT_SHARE(R)));
    return cohort_reduce(COHORT_SUM, m->y, 0, m->total);
}

static void test_initial_content(cohort_strategy *s, model *m)
{
    cohort_program *p = cohort_program_record(s, count, m, NULL, 0);
    ok(cohort_program_run(p, NULL, 1) == COHORT_OK && cohort_value_scalar(m->before) == 100,
       "what a value holds before the first step is what that reads");
    ok(cohort_program_run(p, NULL, 2) == COHORT_OK && cohort_value_scalar(m->before) == 2 * R &&
           cohort_value_scalar(m->total) == 3 * R,
       "later ones read what the one before left");
    ok(cohort_program_steps(p) == 3, "steps are counted over all runs");
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* what is made once for the process */
        warm = core_live_now();
        cohort_strategy *s = cohort_mirrored("host/2");
        model m = make(s);
        test_refusals(s, &m);
        test_replays(s, &m);
        test_initial_content(s, &m);
        cohort_strategy_destroy(s); /* and with it the program that was not destroyed */
    }
    core_no_leak(warm);
    return tap_done();
}
