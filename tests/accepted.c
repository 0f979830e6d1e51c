/* SPDX-License-Identifier: BSD-3-Clause */
/* What was accepted: a call's status is its own, a refused call leaves alone what was accepted
 * before it, and after a failure each variable is at a prefix of its accepted updates. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <sched.h>

static const cohort_loopback *loopback;

COHORT_FUNCTION(copy, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

COHORT_FUNCTION(add_one, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += 1;
}

/* A body that runs on the caller's device in the middle of its call: it lets go what is held, and
 * waits until that has failed. */
static struct {
    cohort_strategy *strategy;
    int32_t hold; /* -1: nothing */
    bool has_failed;
} between = { .hold = -1 };

COHORT_FUNCTION(add_and_let_go, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    if (between.hold >= 0) {
        loopback->release(between.hold);
        for (int i = 0; i < 200000 && cohort_strategy_status(between.strategy) >= 0; i++)
            (void)nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
        between.has_failed = cohort_strategy_status(between.strategy) < 0;
        between.hold = -1;
    }
    for (int64_t i = 0; i < n; i++)
        w[i] += 1;
}

static int32_t rule(cohort_loopback_action action, uint32_t op)
{
    return steer_rule(loopback, action, 0, op, 1, 0);
}

/* ---- A call's status is its own. */

static void failure_of_another_call(void)
{
    float one[2] = { 1, 1 }, found = -1;
    cohort_strategy *s = cohort_mirrored("host,loopback");
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(one, 2)), *y = cohort_value_create(s);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(one, 1), NULL);
    ok(good(cohort_run(s, copy, x, y) == COHORT_OK) &&
           good(cohort_update(w, add_and_let_go, w) == COHORT_OK) &&
           good(cohort_wait(s) == COHORT_OK) && good(cohort_variable_updates(w) == 1),
       "a run and an update, counted");
    between.strategy = s;
    between.hold = rule(COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_WRITE);
    (void)rule(COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_LAUNCH);
    (void)cohort_value_set(x, COHORT_ARRAY(one, 2));
    cohort_status run = cohort_run(s, copy, x, y);
    cohort_status update = cohort_update(w, add_and_let_go, w);
    ok(between.has_failed, "a launch fails while a later call is under way");
    ok(good(run == COHORT_OK) && good(update == COHORT_OK),
       "which was accepted, and answers for itself");
    ok(good(cohort_update(w, add_and_let_go, w) == COHORT_EINTERNAL) &&
           good(strstr(cohort_error_text(), "copy") != NULL) &&
           good(cohort_wait(s) == COHORT_EINTERNAL),
       "the next one tells the failure");
    loopback->reset();
    ok(good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_variable_read(w, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           good(found == 1 + (float)cohort_variable_updates(w)) &&
           good(cohort_variable_updates(w) <= 2),
       "nothing was added twice, and the count says what was");
    cohort_strategy_destroy(s);
}

/* ---- A refused call changes nothing, also not what is still to be done. */

static void refused_meanwhile(void)
{
    float one[2] = { 1, 1 }, found[2] = { 0, 0 };
    cohort_strategy *s = cohort_mirrored("host,loopback");
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(one, 2)), *y = cohort_value_create(s);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(one, 1), NULL);
    (void)cohort_wait(s);
    int32_t hold = rule(COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_LAUNCH);
    bool is_good = good(cohort_run(s, copy, x, y) == COHORT_OK);
    for (int i = 0; i < 3; i++)
        is_good = is_good && good(cohort_update(w, add_one, w) == COHORT_OK);
    ok(is_good, "calls are accepted while a device is held");
    ok(good(cohort_run(s, copy, x) == COHORT_EINVAL) &&
           good(cohort_update(w, add_one, w) == COHORT_EINVAL) &&
           good(cohort_variable_updates(w) == 3),
       "a wrong call is refused, and so are those after it");
    loopback->release(hold);
    ok(good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_value_read(y, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == 1 && found[1] == 1) &&
           good(cohort_variable_read(w, COHORT_ARRAY(found, 1)) == COHORT_OK) &&
           good(found[0] == 4) && good(cohort_variable_updates(w) == 3),
       "what was accepted before it has been done");
    loopback->reset();
    cohort_strategy_destroy(s);
}

static void first_error_stays(void)
{
    float one[2] = { 1, 1 };
    cohort_strategy *s = cohort_mirrored("loopback/2");
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(one, 2)), *y = cohort_value_create(s);
    (void)cohort_run(s, copy, x, y);
    (void)cohort_wait(s);
    int32_t hold = rule(COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_WRITE);
    (void)rule(COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_LAUNCH);
    (void)cohort_value_set(x, COHORT_ARRAY(one, 2));
    bool is_good = good(cohort_run(s, copy, x, y) == COHORT_OK) &&
                   good(cohort_run(s, copy, x) == COHORT_EINVAL);
    loopback->release(hold);
    cohort_status status = cohort_wait(s);
    ok(is_good && good(status == COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), "got 1 argument") != NULL),
       "a failure that is found after a refusal does not take its place");
    bool has_recovered = good(cohort_strategy_recover(s) == COHORT_OK);
    loopback->reset();
    ok(has_recovered && good(cohort_value_read(y, COHORT_ARRAY(one, 2)) == COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), "failed") != NULL) &&
           good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_run(s, copy, x, y) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK),
       "but what it was to write cannot be read after recover, until it is written again");
    cohort_strategy_destroy(s);
}

/* ---- Bodies. */

static cohort_strategy *of_body;

/* On another thread, when the program is in no call: it would wait for itself. */
COHORT_FUNCTION(wait_inside, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
    (void)cohort_wait(of_body);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

static void bodies(const char *devices)
{
    float one[2] = { 1, 1 };
    cohort_strategy *s = of_body = cohort_mirrored(devices);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(one, 2)), *y = cohort_value_create(s);
    (void)cohort_run(s, wait_inside, x, y);
    (void)nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
    ok(good(cohort_wait(s) == COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), "called in the body") != NULL) &&
           good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_run(s, copy, x, y) == COHORT_OK) &&
           good(cohort_value_read(y, COHORT_ARRAY(one, 2)) == COHORT_OK),
       "a body that calls its own strategy fails its launch, on %s", devices);
    cohort_strategy_destroy(s);
}

/* ---- Prefixes. */

enum { STEPS = 6 };

/* Any operation fails, and so does what comes after it: how far w and v came is counted. */
static bool prefix_after(const char *devices, uint32_t nth, bool *out_is_over)
{
    float zero = 0, w_now = -1, v_now = -1;
    cohort_strategy *s = cohort_mirrored(devices);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(&zero, 1), NULL);
    cohort_variable *v = cohort_variable_create(s, "v", COHORT_ARRAY(&zero, 1), NULL);
    int64_t accepted[2] = { 0, 0 };
    bool is_good = good(cohort_wait(s) == COHORT_OK);
    int32_t fail = steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY,
                              COHORT_LOOPBACK_ANY, nth, 0);
    for (int i = 0; i < STEPS; i++) {
        accepted[0] += cohort_update(w, add_one, w) == COHORT_OK;
        accepted[1] += cohort_variable_assign_add(v, 1) == COHORT_OK;
    }
    cohort_status status = cohort_wait(s);
    *out_is_over = loopback->reached(fail, 1, 0) == 0;
    loopback->reset();
    is_good = is_good && good(status == (*out_is_over ? COHORT_OK : COHORT_EINTERNAL)) &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    int64_t n[2] = { cohort_variable_updates(w), cohort_variable_updates(v) };
    is_good = is_good && good(n[0] <= accepted[0] && n[1] <= accepted[1]) &&
              good(!*out_is_over || (n[0] == STEPS && n[1] == STEPS)) &&
              good(cohort_variable_read(w, COHORT_ARRAY(&w_now, 1)) == COHORT_OK) &&
              good(cohort_variable_read(v, COHORT_ARRAY(&v_now, 1)) == COHORT_OK) &&
              good(w_now == (float)n[0]) && good(v_now == (float)n[1]);
    for (; n[0] < STEPS && is_good; n[0]++)
        is_good = good(cohort_update(w, add_one, w) == COHORT_OK);
    is_good = is_good && good(cohort_variable_read(w, COHORT_ARRAY(&w_now, 1)) == COHORT_OK) &&
              good(w_now == STEPS) && good(cohort_variable_updates(w) == STEPS);
    cohort_strategy_destroy(s);
    return is_good;
}

static void prefixes(const char *devices)
{
    bool is_over = false, is_good = true;
    uint32_t nth = 1;
    for (; !is_over && is_good && nth < 1000; nth++)
        is_good = prefix_after(devices, nth, &is_over);
    ok(is_good && is_over && nth > 3,
       "each of %u operations on %s fails: a program goes on from the counts", nth - 2, devices);
}

int main(void)
{
    loopback = steer();
    if (loopback == NULL)
        return skip_all("there is no loopback plugin on COHORT_PLUGIN_PATH");
    core_live warm = core_warm();
    cohort_strategy_destroy(cohort_mirrored("loopback/2")); /* the names of parts are kept */
    failure_of_another_call();
    refused_meanwhile();
    bodies("host");
    bodies("host,loopback");
    bodies("loopback/2");
    warm = core_live_now();
    first_error_stays();
    prefixes("loopback");
    prefixes("loopback/2");
    prefixes("host,loopback");
    ok(cohort_variable_updates(NULL) == 0, "no variable has had no update");
    core_no_leak(warm);
    return tap_done();
}
