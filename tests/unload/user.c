/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/unload/user.h"

#include <cohort/cohort.h>

#include <stdio.h>

enum { N = 1 << 14 };

COHORT_ITEMS(axpy, i, n, (int64_t n, float a, const float x[n], float y[n]), { y[i] += a * x[i]; });

COHORT_FUNCTION(halve, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] / 2;
}

static void pass_over(void *user, int level, const char *line)
{
    (void)user, (void)level, (void)line;
}

/* The sum over y = (1 + 2) / 2. */
static double compute(cohort_strategy *s)
{
    float x[N], y[N]; /* of two threads at a time */
    for (int i = 0; i < N; i++)
        x[i] = y[i] = 1;
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, N)), *out = cohort_value_create(s),
                 *sum = cohort_value_create(s);
    (void)cohort_run(s, axpy, 2.0f, xs, ys);
    (void)cohort_run(s, halve, ys, out);
    (void)cohort_reduce(COHORT_SUM, out, 0, sum);
    return cohort_value_scalar(sum);
}

#pragma GCC visibility push(default) /* tests/unload is to find it */
use_fn use;
#pragma GCC visibility pop

/* A library that is going to be unloaded takes its log back. */
const char *use(const char *devices)
{
    static char why[256];
    cohort_log_set(pass_over, NULL, COHORT_LOG_DEBUG);
    cohort_strategy *s = cohort_mirrored(devices);
    double found = s != NULL ? compute(s) : 0;
    bool is_good = found == 1.5 * N;
    if (!is_good)
        (void)snprintf(why, sizeof why, "%g: %s", found, cohort_error_text());
    cohort_strategy_destroy(s);
    cohort_log_set(NULL, NULL, 0);
    return is_good ? NULL : why;
}
