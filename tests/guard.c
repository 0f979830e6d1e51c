/* SPDX-License-Identifier: BSD-3-Clause */
/* The guard against NaN and infinities: the error names function, replica and argument, and nothing
 * is kept. */
#include "config.h"

#include "tests/core.h"

#include <math.h>

COHORT_FUNCTION(quotient, (int64_t n, const float a[n], const float b[n], COHORT_OUT float q[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        q[i] = a[i] / b[i];
}

COHORT_FUNCTION_RETURNING(double, logarithm, (double x), COHORT_HOST_ONLY)
{
    return log(x);
}

COHORT_FUNCTION(divide, (int64_t n, float by, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] /= by;
}

static cohort_strategy *guarded(const core_place *place)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = place->devices,
                                                           .replicas = place->replicas,
                                                           .n_hosted = core_n_hosted(place),
                                                           .hosted = place->hosted,
                                                           .guard = COHORT_GUARD_ERROR });
    if (s == NULL)
        ok(false, "a strategy on %s: %s", place->devices, cohort_error_text());
    return s;
}

typedef struct rows {
    float a[16], b[16], q[16];
} rows;

static const rows good_rows = { .a = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
                                .b = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } };

static cohort_status divide_rows(cohort_strategy *s, rows *r, cohort_value *q)
{
    cohort_value *a = cohort_value_split(s, COHORT_ARRAY(r->a, 16)),
                 *b = cohort_value_split(s, COHORT_ARRAY(r->b, 16));
    cohort_status status = cohort_run(s, quotient, a, b, q);
    cohort_status waited = cohort_wait(s);
    cohort_value_destroy(a);
    cohort_value_destroy(b);
    return status < 0 ? status : waited;
}

static bool names(const char *one, const char *other)
{
    return good(strstr(cohort_error_text(), one) != NULL) &&
           good(strstr(cohort_error_text(), other) != NULL);
}

static bool outputs(cohort_strategy *s, int replicas)
{
    rows r = good_rows;
    cohort_value *q = cohort_value_create(s);
    bool is_good = good(divide_rows(s, &r, q) == COHORT_OK);
    r.b[15] = 0; /* the last row is the last replica's */
    char replica[32];
    (void)snprintf(replica, sizeof replica, "replica %d", replicas - 1);
    is_good = is_good && good(divide_rows(s, &r, q) == COHORT_EINVAL) &&
              names("quotient", replica) && names("'q'", "inf") &&
              good(cohort_strategy_status(s) == COHORT_EINVAL) &&
              good(cohort_strategy_recover(s) == COHORT_OK) &&
              refused_for(s, "write it again", cohort_value_read(q, COHORT_ARRAY(r.q, 16)));
    r.a[15] = r.b[15] = 0;
    is_good = is_good && good(divide_rows(s, &r, q) == COHORT_EINVAL) && names("'q'", "nan") &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    r = good_rows;
    return is_good && good(divide_rows(s, &r, q) == COHORT_OK) &&
           good(cohort_value_read(q, COHORT_ARRAY(r.q, 16)) == COHORT_OK) && good(r.q[15] == 16);
}

static bool results(cohort_strategy *s, int replicas)
{
    cohort_value *y = cohort_value_create(s);
    (void)replicas;
    bool is_good =
        good(cohort_run(s, logarithm, 1.0, y) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    (void)cohort_run(s, logarithm, 0.0, y);
    return is_good && good(cohort_wait(s) == COHORT_EINVAL) && names("logarithm", "-inf") &&
           good(cohort_strategy_recover(s) == COHORT_OK);
}

static bool updates(cohort_strategy *s, int replicas)
{
    float w[3] = { 1, 2, 3 }, found[3];
    (void)replicas;
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(w, 3), NULL);
    bool is_good =
        good(cohort_update(v, divide, 2.0f, v) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    (void)cohort_update(v, divide, 0.0f, v);
    return is_good && good(cohort_wait(s) == COHORT_EINVAL) && names("divide", "'w'") &&
           good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_variable_read(v, COHORT_ARRAY(found, 3)) == COHORT_OK) &&
           good(found[0] == 0.5f && found[2] == 1.5f);
}

/* The last replica contributes what is no number; the others do. */
static cohort_value *make_parts(cohort_strategy *s, float parts[], int replicas)
{
    for (int r = 0; r < replicas; r++)
        parts[r] = r < replicas - 1 ? 1 : NAN;
    return cohort_value_split(s, COHORT_ARRAY(parts, replicas));
}

static bool contributions(cohort_strategy *s, int replicas)
{
    float parts[CORE_MAX_REPLICAS], found = 0;
    char replica[64];
    cohort_value *x = make_parts(s, parts, replicas), *sum = cohort_value_create(s);
    (void)snprintf(replica, sizeof replica, "cohort_reduce: the contribution of replica %d on ",
                   replicas - 1);
    (void)cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, sum);
    bool is_good =
        good(cohort_wait(s) == COHORT_EINVAL) && names(replica, "has nan at element 0 of 1") &&
        good(cohort_strategy_recover(s) == COHORT_OK) &&
        refused_for(s, "write it again", cohort_value_read(sum, COHORT_ARRAY(&found, 1)));
    (void)cohort_reduce(COHORT_MAX, x, 0, sum);
    is_good = is_good && good(cohort_wait(s) == COHORT_EINVAL) && names(replica, "nan") &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    (void)cohort_reduce(COHORT_SUM, COHORT_REPEATED((double)INFINITY), COHORT_NO_AXIS, sum);
    is_good = is_good && good(cohort_wait(s) == COHORT_EINVAL) &&
              names("the contribution of every replica", "inf") &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    parts[replicas - 1] = 1;
    return is_good && good(cohort_value_set(x, COHORT_ARRAY(parts, replicas)) == COHORT_OK) &&
           good(cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, sum) == COHORT_OK) &&
           good(cohort_value_read(sum, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           good(found == (float)replicas);
}

/* An ON_READ variable keeps what it has. */
static bool components(cohort_strategy *s, int replicas)
{
    float w = INFINITY, found = 0;
    cohort_variable *v =
        cohort_variable_create(s, "w", COHORT_ARRAY(&w, 1),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_MEAN });
    cohort_value *sum = cohort_value_create(s);
    (void)replicas;
    bool is_good = good(v != NULL) && good(cohort_wait(s) == COHORT_OK);
    (void)cohort_reduce(COHORT_SUM, v, COHORT_NO_AXIS, sum);
    return is_good && good(cohort_wait(s) == COHORT_EINVAL) &&
           names("the contribution of replica ", "has inf at element 0 of 1") &&
           good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_variable_read(v, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           good(isinf(found));
}

static cohort_status sum_up(cohort_replica *me, void *user)
{
    cohort_value *x = user;
    return cohort_all_reduce(me, COHORT_SUM, &x, 1);
}

static bool collectives(cohort_strategy *s, int replicas)
{
    float parts[CORE_MAX_REPLICAS];
    char replica[64];
    cohort_value *x = make_parts(s, parts, replicas);
    (void)snprintf(replica, sizeof replica, "cohort_all_reduce: the contribution of replica %d on ",
                   replicas - 1);
    return good(cohort_for_each_replica(s, sum_up, x) == COHORT_EINVAL) &&
           names(replica, "has nan") && good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_wait(s) == COHORT_OK);
}

static void everywhere(core_check_fn check, const char *claim)
{
    const core_place *bad = NULL;
    for (size_t i = 0; i < CORE_PLACES && bad == NULL; i++) {
        cohort_strategy *s = guarded(&core_places[i]);
        if (s == NULL || !check(s, core_places[i].replicas))
            bad = &core_places[i];
        cohort_strategy_destroy(s);
    }
    if (!ok(bad == NULL, "%s", claim))
        diag("with %d replicas on %s; latest error: %s", (int)bad->replicas, bad->devices,
             cohort_error_text());
}

static bool without_a_guard(cohort_strategy *s, int replicas)
{
    rows r = good_rows;
    cohort_value *q = cohort_value_create(s);
    (void)replicas;
    r.b[0] = 0;
    return good(divide_rows(s, &r, q) == COHORT_OK) &&
           good(cohort_value_read(q, COHORT_ARRAY(r.q, 16)) == COHORT_OK) && good(isinf(r.q[0]));
}

static void bad_guard(int guard)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host", .guard = (cohort_guard)guard });
    ok(s == NULL && strstr(cohort_error_text(), "guard") != NULL, "%d is no guard", guard);
    cohort_strategy_destroy(s);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        bad_guard(3);
        bad_guard(-1);
        core_everywhere(without_a_guard, "without a guard infinities are numbers");
        everywhere(
            outputs,
            "an output with inf or nan is an error that names function, replica and argument");
        everywhere(results, "so is a result");
        everywhere(contributions,
                   "so is a contribution to a reduction, and the result is not there");
        everywhere(components, "so is the component of a variable, which is as before");
        everywhere(collectives, "so is a contribution to a collective");
        everywhere(updates, "so is an update, and the variable is as before");
    }
    core_no_leak(warm);
    return tap_done();
}
