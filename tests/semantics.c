/* SPDX-License-Identifier: BSD-3-Clause */
/* What tf.distribute does, in numbers, and what Cohort does where that has holes: reductions, run and merge calls,
 * variables, gather and placement. Each case stands as it was written down, and is checked on several devices, hostings
 * and, where a variable is part of it, under every placement policy. */
#include "config.h"

#include "tests/core.h"

#include <math.h>

enum { MOST = 8, WIDTH = 16 };

/* ---- Functions: one body for hosts and OpenCL devices. */

COHORT_ITEMS(fill_one, i, 1, (COHORT_OUT float y[1]), { y[i] = 1; });
COHORT_ITEMS(start, i, 1, (int32_t first, int32_t id, COHORT_OUT int32_t y[1]), { y[i] = first + id; });
COHORT_ITEMS(both, i, 1, (const int32_t x[1], COHORT_OUT int32_t a[1], COHORT_OUT int32_t b[1]), {
    a[i] = 2 * x[i];
    b[i] = x[i] * x[i];
});
COHORT_ITEMS(combined, i, 1, (const int32_t b[1], const int32_t a[1], COHORT_OUT int32_t y[1]),
             { y[i] = a[i] + 2 * b[i] + 2; });
COHORT_ITEMS(square, i, 1, (float x, COHORT_OUT float y[1]), { y[i] = x * x; });
COHORT_ITEMS(mean_of, i, 1, (int64_t n, const float x[n], COHORT_OUT float y[1]), {
    y[i] = 0;
    for (int64_t k = 0; k < n; k++)
        y[i] += x[k];
    y[i] /= (float)n;
});
COHORT_ITEMS(slope, i, 1, (const float w[1], COHORT_OUT float g[1]), { g[i] = 2 * (w[i] - 1); });
COHORT_ITEMS(descend, i, 1, (float rate, const float g[1], float w[1]), { w[i] -= rate * g[i]; });
COHORT_ITEMS(set_to, i, n, (int64_t n, float x, COHORT_OUT float w[n]), { w[i] = x; });
COHORT_ITEMS(copied, i, n, (int64_t n, const float x[n], COHORT_OUT float w[n]), { w[i] = x[i]; });
COHORT_ITEMS(next_int, i, 1, (const int32_t v[1], COHORT_OUT int32_t y[1]), { y[i] = v[i] + 1; });
COHORT_ITEMS(next_float, i, 1, (const float v[1], COHORT_OUT float y[1]), { y[i] = v[i] + 1; });

/* ---- Inputs and results. */

/* n floats on one replica, and in `rows` what they are. */
typedef struct part {
    int n;
    float x[WIDTH];
} part;

static cohort_array scalar(const float *x)
{
    return (cohort_array){ .data = (void *)(uintptr_t)x, .dtype = COHORT_F32 };
}

static cohort_value *parts(cohort_strategy *s, int replicas, const part from[])
{
    cohort_array arrays[MOST];
    for (int r = 0; r < replicas; r++)
        arrays[r] = COHORT_ARRAY(from[r].x, from[r].n);
    return cohort_value_per_replica(s, arrays);
}

static cohort_value *numbers(cohort_strategy *s, int replicas, const float x[])
{
    cohort_array arrays[MOST];
    for (int r = 0; r < replicas; r++)
        arrays[r] = scalar(&x[r]);
    return cohort_value_per_replica(s, arrays);
}

static cohort_variable *variable(cohort_strategy *s, float initial, cohort_synchronization synchronization,
                                 cohort_aggregation aggregation)
{
    static int count;
    char name[32];
    (void)snprintf(name, sizeof name, "kept weights %d.", count++);
    return cohort_variable_create(
        s, name, scalar(&initial),
        &(cohort_variable_options){ .synchronization = synchronization, .aggregation = aggregation });
}

/* The value is plain and has these floats, bit for bit. */
static bool has_floats(cohort_value *value, int rank, int n, const float wanted[])
{
    cohort_array found;
    return good(cohort_local_results(value, &found, 1) == 1) && good(found.dtype == COHORT_F32) &&
           good(found.rank == rank) && good(rank == 0 || found.shape[0] == n) &&
           good(memcmp(found.data, wanted, (size_t)n * sizeof *wanted) == 0);
}

static bool reduces_to(cohort_reduce_op op, cohort_value *x, int axis, int rank, int n, const float wanted[])
{
    cohort_value *into = cohort_value_create(cohort_strategy_here);
    bool is_good = good(cohort_reduce(op, x, axis, into) == COHORT_OK) && has_floats(into, rank, n, wanted);
    cohort_value_destroy(into);
    return is_good;
}
