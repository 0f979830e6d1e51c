/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/step: what it costs to have two replicas do nothing, beside an empty parallel region:
 *
 *   an empty step      cohort_run of a function without arguments, with a wait each, with one wait
 *                      at the end, and recorded
 *   a step function    cohort_for_each_replica of one that returns at once
 *   eight runs         and one wait, beside eight regions
 *
 * bench/turns.h says how. */
#include "config.h"

#include "bench/must.h"
#include "bench/rows.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <omp.h>

enum { RECORDED = 100, ROW = 8 };

typedef struct bench {
    cohort_strategy *s;
    cohort_program *program;
    int recorded;
} bench;

COHORT_FUNCTION(nothing, (void), COHORT_HOST_ONLY)
{
}

/* ------------------------------------------------------------------ what is timed */

static void run(void *user)
{
    must(cohort_run(((bench *)user)->s, nothing) == COHORT_OK, "an empty step");
}

static void finish(void *user)
{
    must(cohort_wait(((bench *)user)->s) == COHORT_OK, "wait");
}

static void run_and_wait(void *user)
{
    run(user);
    finish(user);
}

static void run_eight(void *user)
{
    for (int i = 0; i < ROW; i++)
        run(user);
    finish(user);
}

static void replay(void *user)
{
    const bench *t = user;
    must(cohort_program_run(t->program, NULL, t->recorded) == COHORT_OK, "recorded steps");
}

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch, (void)user;
    return cohort_run(s, nothing);
}

static cohort_status return_at_once(cohort_replica *me, void *user)
{
    (void)me, (void)user;
    return COHORT_OK;
}

static void step_function(void *user)
{
    must(cohort_for_each_replica(((bench *)user)->s, return_at_once, NULL) == COHORT_OK,
         "a step function");
}

static void region(void *user)
{
    (void)user;
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
}

static void eight_regions(void *user)
{
    for (int i = 0; i < ROW; i++)
        region(user);
}

/* ------------------------------------------------------------------ rows */

int main(void)
{
    static const char how[] = "host/2", spinning[] = "2 threads that spin";
    bench t = { .s = cohort_mirrored("host/2"), .recorded = turns_are_tiny() ? 2 : RECORDED };
    t.program = cohort_program_record(t.s, record, NULL, NULL, 0);
    must(t.program != NULL, "recording");
    turns_side empty[] = {
        { "by hand, an empty region", spinning, region, .bench = &t, .is_limit = true },
        { "cohort, a wait each", how, run_and_wait, .bench = &t },
        { "cohort", how, run, finish, .bench = &t },
        { "cohort, recorded", how, replay, finish, .bench = &t, .steps = t.recorded },
    };
    turns_side functions[] = {
        { "by hand, an empty region", spinning, region, .bench = &t, .is_limit = true },
        { "cohort, for_each_replica", how, step_function, .bench = &t },
    };
    turns_side eight[] = {
        { "by hand, eight empty regions", spinning, eight_regions, .bench = &t, .is_limit = true },
        { "cohort, one wait", how, run_eight, .bench = &t },
    };
    turns_table(ROWS_DISPATCH);
    turns_row(ROWS_EMPTY, empty, sizeof empty / sizeof *empty);
    turns_row("an empty step function", functions, sizeof functions / sizeof *functions);
    turns_row("eight empty runs", eight, sizeof eight / sizeof *eight);
    cohort_strategy_destroy(t.s);
    return 0;
}
