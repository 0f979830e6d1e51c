/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL devices at once, which no driver brings together, give the bits of the host. */
#include "config.h"

#include "tests/core.h"

#include <fenv.h>

enum { N = 48, REPLICAS = 6, STEPS = 20 };

COHORT_ITEMS(blend, i, n,
             (int64_t n, float by, const float x[n], const float w[n], COHORT_OUT float y[n]),
             { y[i] = (x[i] + by) * w[i] + w[n - 1 - i]; });

COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

typedef struct outcome {
    float w[N], total[N];
} outcome;

static bool train(const char *devices, outcome *out)
{
    float x[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 7) / 8;
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = REPLICAS });
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(x, N), NULL);
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, N)), *g = cohort_value_create(s),
                 *total = cohort_value_create(s);
    bool is_good = good(w != NULL);
    for (int i = 0; i < STEPS && is_good; i++)
        is_good = good(cohort_run(s, blend, (float)i / 4, in, w, g) == COHORT_OK) &&
                  good(cohort_reduce(COHORT_MEAN, g, COHORT_NO_AXIS, total) == COHORT_OK) &&
                  good(cohort_update(w, descend, 0.01f, total, w) == COHORT_OK);
    is_good = is_good && good(cohort_variable_read(w, COHORT_ARRAY(out->w, N)) == COHORT_OK) &&
              good(cohort_value_read(total, COHORT_ARRAY(out->total, N)) == COHORT_OK);
    cohort_strategy_destroy(s);
    return is_good;
}

/* Elements that the caller combines alone when all devices are idle, and so many that devices
 * combine parts. */
enum { SOME = 40000, MANY = 600000 };

/* Under a rounding of the program's own, which no bit depends on. */
static bool sum(const char *devices, int64_t n, float out[])
{
    static float x[REPLICAS * MANY];
    for (int64_t i = 0; i < REPLICAS * n; i++)
        x[i] = (float)(i % 1013) / 7;
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = REPLICAS });
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, REPLICAS * n)),
                 *total = cohort_value_create(s);
    bool is_good = true;
    (void)fesetround(FE_UPWARD);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = good(cohort_reduce(COHORT_SUM, in, COHORT_NO_AXIS, total) == COHORT_OK &&
                       cohort_wait(s) == COHORT_OK);
    (void)fesetround(FE_TONEAREST);
    is_good = is_good && good(cohort_value_read(total, COHORT_ARRAY(out, n)) == COHORT_OK);
    cohort_strategy_destroy(s);
    return is_good;
}

static void sums(int64_t n, const char *const devices[], size_t n_devices)
{
    static float wanted[MANY], found[MANY];
    size_t bytes = (size_t)n * sizeof *wanted;
    ok(sum("host", n, wanted), "sums of %lld elements on host", (long long)n);
    for (size_t i = 0; i < n_devices; i++)
        ok(sum(devices[i], n, found) && memcmp(wanted, found, bytes) == 0,
           "have the same bits on %s", devices[i]);
}

static bool has_two(void)
{
    int n = 0;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        n += strcmp(cohort_device_id(d), "opencl:0") == 0 ||
             strcmp(cohort_device_id(d), "opencl:1") == 0;
    return n == 2;
}

int main(void)
{
    static const char *const devices[] = { "opencl:0,opencl:1", "opencl:1,opencl:0",
                                           "opencl:1,host,opencl:0", "host/2,opencl:1,opencl:0" };
    enum { DEVICES = sizeof devices / sizeof *devices };
    outcome wanted, found;
    (void)setenv("POCL_DEVICES", "pthread basic", 1);
    if (!has_two())
        return skip_all(
            "there are no two OpenCL devices: PoCL makes them of POCL_DEVICES=\"pthread basic\"");
    ok(train("host/2", &wanted), "a training on host/2");
    for (size_t i = 0; i < DEVICES; i++)
        ok(train(devices[i], &found) && memcmp(&wanted, &found, sizeof found) == 0,
           "has the bits of one on %s", devices[i]);
    sums(SOME, devices, DEVICES);
    sums(MANY, devices, DEVICES);
    return tap_done();
}
