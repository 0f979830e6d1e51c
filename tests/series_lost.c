/* SPDX-License-Identifier: BSD-3-Clause */
/* A device that is lost while steps are repeated (runtime/repeat/series.h). One hangs, and its ring
 * is full: it is given up with a text, and what is posted behind that, some of which finds room,
 * harms nobody. Of another one a body ends the thread, in the middle of a step. */
#include "config.h"

#include "tests/core.h"
#include "tests/late_leaks.h"
#include "tests/steer.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 64 };

COHORT_FUNCTION(small, (int64_t n, const float w[n], COHORT_OUT float a[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        a[i] = w[i] + 1;
}

/* Of a record that is a few times as large. */
COHORT_FUNCTION(large,
                (int64_t n, double a, double b, double c, double d, double e, double f, double g,
                 double h, const float w[n], const float x[n], const float y[n], const float z[n],
                 COHORT_OUT float o[n], COHORT_OUT float p[n], COHORT_OUT float q[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = p[i] = q[i] = (float)(w[i] + x[i] + y[i] + z[i] + a + b + c + d + e + f + g + h);
}

typedef struct model {
    cohort_variable *w;
    cohort_value *out[4];
} model;

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    cohort_run(s, large, 1, 2, 3, 4, 5, 6, 7, 8, m->w, m->w, m->w, m->w, m->out[0], m->out[1],
               m->out[2]);
    return cohort_run(s, small, m->w, m->out[3]);
}

/* ------------------------------------------------------------------ a thread that ends */

/* The thread of replica 1 ends in the launch that `until` counts to. */
COHORT_FUNCTION(leave,
                (int64_t n, void *until, int32_t replica, const float w[n], COHORT_OUT float a[n]),
                COHORT_HOST_ONLY)
{
    int *left = until;
    for (int64_t i = 0; i < n; i++)
        a[i] = w[i] + 1;
    if (replica == 1 && --*left == 0)
        pthread_exit(NULL);
}

typedef struct leaving {
    cohort_variable *w;
    cohort_value *a, *b, *sum;
    int until;
} leaving;

static cohort_status leaving_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    leaving *t = user;
    (void)batch;
    cohort_run(s, small, t->w, t->b);
    cohort_run(s, leave, COHORT_POINTER(&t->until), COHORT_REPLICA_ID, t->w, t->a);
    return cohort_reduce(COHORT_SUM, t->a, COHORT_NO_AXIS, t->sum);
}

static void test_thread_ends(void)
{
    float w[N] = { 1 };
    cohort_strategy *s = core_open(&(core_place){ "host/2", 2, NULL });
    leaving t = { .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, N), NULL),
                  .a = cohort_value_create(s),
                  .b = cohort_value_create(s),
                  .sum = cohort_value_create(s),
                  .until = 60 };
    cohort_program *program = cohort_program_record(s, leaving_step, &t, NULL, 0);
    ok(cohort_program_run(program, NULL, 40) == COHORT_OK && cohort_wait(s) == COHORT_OK &&
           strstr(cohort_program_describe(program), " 0 of them repeated") == NULL,
       "steps are repeated on two devices of the host");
    cohort_status status = cohort_program_run(program, NULL, 10000);
    if (status == COHORT_OK)
        status = cohort_wait(s);
    ok(status == COHORT_EINVAL && says("pthread_exit"),
       "a body that ends the thread of one of them is named");
    ok(t.until == 0 && cohort_strategy_recover(s) == COHORT_OK &&
           cohort_program_run(program, NULL, 10) == COHORT_OK && cohort_wait(s) == COHORT_OK,
       "nothing more was done there, and the strategy goes on without it");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ a device that hangs */

int main(void)
{
    const cohort_loopback *loopback = steer();
    float w[N] = { 1 };
    if (loopback == NULL)
        return skip_all("there is no loopback plugin on COHORT_PLUGIN_PATH");
    (void)alarm(120); /* a hang is a failure */
    (void)setenv("COHORT_TIMEOUT_LAUNCH", "1", 1);
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = "loopback/2", .replicas = 2, .loss = COHORT_LOSS_FAIL });
    model m = { .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, N), NULL) };
    for (int i = 0; i < 4; i++)
        m.out[i] = cohort_value_create(s);
    cohort_program *program = cohort_program_record(s, step, &m, NULL, 0);
    ok(cohort_program_run(program, NULL, 40) == COHORT_OK && cohort_wait(s) == COHORT_OK &&
           strstr(cohort_program_describe(program), " 0 of them repeated") == NULL,
       "steps are repeated");
    no_leak_so_far();
    (void)steer_rule(loopback, COHORT_LOOPBACK_HOLD, 0, COHORT_LOOPBACK_LAUNCH, 1, 0);
    cohort_status status = cohort_program_run(program, NULL, 100000);
    if (status == COHORT_OK)
        status = cohort_wait(s);
    ok(status == COHORT_ETIMEDOUT && says("the device is lost"),
       "a device that hangs behind a full ring is given up, with its name");
    ok(cohort_strategy_recover(s) == COHORT_ELOST, "and the strategy does not go on");
    loopback->reset();
    cohort_strategy_destroy(s);
    (void)unsetenv("COHORT_TIMEOUT_LAUNCH");
    test_thread_ends();
    return tap_done();
}
