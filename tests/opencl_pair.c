/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL devices at once, which no driver brings together, give the bits of the host. */
#include "config.h"

#include "tests/core.h"

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

/* Large enough that more than one device combines a part. */
enum { LARGE = 40000 };

static bool sum(const char *devices, float out[LARGE])
{
    static float x[REPLICAS * LARGE];
    for (int i = 0; i < REPLICAS * LARGE; i++)
        x[i] = (float)(i % 1013) / 7;
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = REPLICAS });
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, REPLICAS * LARGE)),
                 *total = cohort_value_create(s);
    bool is_good = true;
    for (int i = 0; i < 3 && is_good; i++)
        is_good = good(cohort_reduce(COHORT_SUM, in, COHORT_NO_AXIS, total) == COHORT_OK);
    is_good = is_good && good(cohort_value_read(total, COHORT_ARRAY(out, LARGE)) == COHORT_OK);
    cohort_strategy_destroy(s);
    return is_good;
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
    static float wanted_sum[LARGE], found_sum[LARGE];
    outcome wanted, found;
    (void)setenv("POCL_DEVICES", "pthread basic", 1);
    if (!has_two())
        return skip_all(
            "there are no two OpenCL devices: PoCL makes them of POCL_DEVICES=\"pthread basic\"");
    ok(train("host/2", &wanted), "a training on host/2");
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        ok(train(devices[i], &found) && memcmp(&wanted, &found, sizeof found) == 0,
           "has the bits of one on %s", devices[i]);
    ok(sum("host", wanted_sum), "a large sum on host");
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        ok(sum(devices[i], found_sum) && memcmp(wanted_sum, found_sum, sizeof found_sum) == 0,
           "has the bits of one on %s", devices[i]);
    return tap_done();
}
