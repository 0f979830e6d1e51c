/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with one planted cause each of slow steps, for bench/report.sh, which traces them.
 * Bodies that take long sleep: so the machine may be busy.
 *
 * usage: planted CAUSE */
#include "config.h"

#include "bench/must.h"

#include <string.h>
#include <unistd.h>

enum { STEPS = 60, ROWS = 1 << 21 };

static float many[ROWS];
static int32_t usual[2] = { 4000, 4000 }, uneven[2] = { 6000, 1000 };

COHORT_FUNCTION(take_time, (int64_t n, const int32_t us[n], COHORT_OUT int32_t y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        (void)usleep((useconds_t)us[i]);
        y[i] = us[i];
    }
}

COHORT_FUNCTION(touch, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    if (n > 0)
        y[0] = x[0];
}

typedef struct work {
    cohort_strategy *s;
    cohort_value *x, *y, *sum;
} work;

static work begin(const char *devices)
{
    work w = { .s = cohort_mirrored(devices) };
    must(w.s != NULL, "a strategy");
    w.x = cohort_value_create(w.s);
    w.y = cohort_value_create(w.s);
    w.sum = cohort_value_create(w.s);
    return w;
}

/* ------------------------------------------------------------------ bodies alone */

static cohort_status make_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const work *w = user;
    (void)batch;
    return cohort_run(s, take_time, w->x, w->y);
}

/* Each of two replicas takes as long as its row says. */
static void compute(int32_t us[2])
{
    work w = begin("host/2");
    w.x = cohort_value_split(w.s, COHORT_ARRAY(us, 2));
    cohort_program *p = cohort_program_record(w.s, make_step, &w, NULL, 0);
    must(cohort_program_run(p, NULL, STEPS) == COHORT_OK, "a program");
    cohort_strategy_destroy(w.s);
}

static void plant_none(void)
{
    compute(usual);
}

static void plant_slow_device(void)
{
    compute(uneven);
}

/* ------------------------------------------------------------------ the others */

static void plant_program(void)
{
    work w = begin("host/2");
    w.x = cohort_value_split(w.s, COHORT_ARRAY(many, 1024));
    for (int i = 0; i < STEPS; i++) {
        must(cohort_run(w.s, touch, w.x, w.y) == COHORT_OK, "a run");
        must(cohort_wait(w.s) == COHORT_OK, "a wait");
        (void)usleep(5000);
    }
    cohort_strategy_destroy(w.s);
}

/* A call for each of six thousand things that do next to nothing. */
static void plant_dispatch(void)
{
    work w = begin("host");
    w.x = cohort_value_split(w.s, COHORT_ARRAY(many, 16));
    for (int i = 0; i < STEPS * 100; i++)
        must(cohort_run(w.s, touch, w.x, w.y) == COHORT_OK, "a run");
    must(cohort_wait(w.s) == COHORT_OK, "a wait");
    cohort_strategy_destroy(w.s);
}

/* Sums of much that took no time to make. */
static void plant_reduce(void)
{
    work w = begin("host/2");
    w.x = cohort_value_split(w.s, COHORT_ARRAY(many, ROWS));
    for (int i = 0; i < STEPS; i++)
        must(cohort_reduce(COHORT_SUM, w.x, COHORT_NO_AXIS, w.sum) == COHORT_OK, "a reduction");
    must(cohort_wait(w.s) == COHORT_OK, "a wait");
    cohort_strategy_destroy(w.s);
}

static cohort_status come_late(cohort_array out[], void *state, void *user)
{
    (void)state;
    (void)user;
    (void)usleep(5000);
    memset(out[0].data, 0, 64 * sizeof(float));
    return COHORT_OK;
}

static void plant_input(void)
{
    const cohort_spec spec = { .dtype = COHORT_F32, .rank = 1, .shape = { 64 } };
    const cohort_generator late = { .next = come_late };
    work w = begin("host/2");
    cohort_input *input = cohort_distribute_dataset(
        w.s, cohort_dataset_take(cohort_dataset_generator(&spec, 1, &late), STEPS));
    must(input != NULL, "an input");
    while (cohort_input_next(input, (cohort_value *[]){ w.x }) == COHORT_OK)
        must(cohort_run(w.s, touch, w.x, w.y) == COHORT_OK, "a run");
    must(cohort_wait(w.s) == COHORT_OK, "a wait");
    cohort_strategy_destroy(w.s);
}

static const struct {
    const char *cause;
    void (*plant)(void);
} all[] = { { "none", plant_none },       { "slow-device", plant_slow_device },
            { "program", plant_program }, { "dispatch", plant_dispatch },
            { "reduce", plant_reduce },   { "input", plant_input } };

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof all / sizeof *all; i++)
        if (strcmp(argv[1], all[i].cause) == 0) {
            all[i].plant();
            return 0;
        }
    fprintf(stderr, "usage: planted none|slow-device|program|dispatch|reduce|input\n");
    return 2;
}
