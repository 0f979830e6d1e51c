/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that are larger than a device allocates at once, which is less than its memory: who has
 * one is told which it is, before anything was done. The device is loopback with blocks of 4
 * KiB. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <limits.h>

/* N float32 are a block, and one more is too much. */
enum { N = 1024 };

COHORT_FUNCTION(twice, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

COHORT_FUNCTION(count, (int64_t n, COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)i;
}

COHORT_FUNCTION(add, (int64_t n, const float x[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += x[i];
}

static float x[4 * N], y[4 * N];

static bool is_doubled(int n)
{
    bool is_right = true;
    for (int i = 0; i < n; i++)
        is_right = is_right && y[i] == 2 * x[i];
    return is_right;
}

static cohort_strategy *open_replicas(const char *devices, int replicas)
{
    return core_open(&(core_place){ devices, replicas, NULL });
}

static void inputs(void)
{
    cohort_strategy *s = open_replicas("loopback", 1);
    cohort_value *out = cohort_value_create(s);
    ok(cohort_run(s, twice, COHORT_ARRAY(x, N + 1), out) == COHORT_ENOMEM,
       "an array that is read may be too large");
    is_text(
        cohort_error_text(),
        "twice, replica 0 on loopback:0: argument 'x' has 4100 bytes, and loopback:0 allocates "
        "at most 4096 at once; split it over more replicas or devices, take smaller batches, or "
        "leave the call to the host",
        "which says which it is, of how many bytes, and what helps");
    cohort_strategy_destroy(s);

    s = open_replicas("loopback", 1);
    out = cohort_value_create(s);
    ok(cohort_run(s, twice, COHORT_ARRAY(x, N), out) == COHORT_OK &&
           cohort_value_read(out, COHORT_ARRAY(y, N)) == COHORT_OK && is_doubled(N),
       "one of just that size is none");
    cohort_strategy_destroy(s);
}

static void parts(void)
{
    cohort_strategy *s = open_replicas("loopback", 4);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 4 * N)), *out = cohort_value_create(s);
    ok(cohort_run(s, twice, in, out) == COHORT_OK &&
           cohort_value_read(out, COHORT_ARRAY(y, 4 * N)) == COHORT_OK && is_doubled(4 * N),
       "its parts have room, on one device too");
    cohort_strategy_destroy(s);

    s = open_replicas("loopback,host", 2);
    in = cohort_value_split(s, COHORT_ARRAY(x, 2 * N + 2));
    out = cohort_value_create(s);
    ok(cohort_run(s, twice, in, out) == COHORT_ENOMEM, "each part counts by itself");
    has_text(cohort_error_text(), "replica 0 on loopback:0: argument 'x' has 4100 bytes",
             "on the device that it is for");
    cohort_strategy_destroy(s);
}

static void outputs(void)
{
    cohort_strategy *s = open_replicas("loopback", 1);
    cohort_value *out = cohort_value_create(s);
    ok(cohort_run(s, count, out, COHORT_NAMED(n, N + 1)) == COHORT_ENOMEM,
       "so may one be that is written");
    has_text(cohort_error_text(), "count, replica 0 on loopback:0: argument 'y' has 4100 bytes",
             "and it is named");
    cohort_strategy_destroy(s);
}

static void variables(void)
{
    cohort_strategy *s = open_replicas("loopback/2", 2);
    ok(cohort_variable_create(s, "w", COHORT_ARRAY(x, N + 1), NULL) == NULL,
       "a variable may be too large");
    has_text(cohort_error_text(),
             "cohort_variable_create: variable 'w' has 4100 bytes, and loopback:0.0 allocates at "
             "most 4096 at once; shard it (cohort_placement_max_bytes)",
             "which says that it can be cut");
    cohort_strategy_destroy(s);

    s = open_replicas("loopback/2", 2);
    cohort_placement shards = cohort_placement_max_bytes(4096, INT64_MAX);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(x, 2 * N),
                                                &(cohort_variable_options){ .placement = &shards });
    ok(cohort_update(w, add, COHORT_ARRAY(x, 2 * N), w) == COHORT_OK &&
           cohort_variable_read(w, COHORT_ARRAY(y, 2 * N)) == COHORT_OK && is_doubled(2 * N),
       "as it can be");
    ok(cohort_run(s, twice, w, cohort_value_create(s)) == COHORT_ENOMEM,
       "a function that reads all of it needs it as a whole");
    has_text(cohort_error_text(), "argument 'x' has 8192 bytes", "and names it");
    cohort_strategy_destroy(s);
}

int main(void)
{
    char file[PATH_MAX];
    const char *folder = getenv("builddir");
    (void)snprintf(file, sizeof file, "%s/plugins/.libs/cohort-loopback.so",
                   folder != NULL ? folder : ".");
    const cohort_loopback *loopback = steer_open(file, COHORT_LOOPBACK);
    if (loopback == NULL)
        return skip_all("no loopback plugin");
    loopback->lie(COHORT_LOOPBACK_SMALL_BLOCKS);
    for (int i = 0; i < 4 * N; i++)
        x[i] = (float)i;
    inputs();
    parts();
    outputs();
    variables();
    return tap_done();
}
