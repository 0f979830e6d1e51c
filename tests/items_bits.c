/* SPDX-License-Identifier: BSD-3-Clause */
/* One body for both languages: the bits of the host on every OpenCL device, over a sample of all
 * floats. */
#include "config.h"

#include <cohort/cohort.h>
#include <cohort/math.h>
#include <cohort/random.h>

#include <math.h>

#include "tests/tap.h"

enum { N = 65536, STEP = 65521 }; /* a prime: all signs and sizes */

COHORT_ITEMS(exponentials, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_expf(x[i]); });
COHORT_ITEMS(logarithms, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_logf(x[i]); });
COHORT_ITEMS(tangents, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_tanhf(x[i]); });

COHORT_ITEMS(roots, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    y[i] = cohort_cbrtf(x[i]) * 0.5f + cohort_hypotf(x[i], 3.0f) + cohort_exp2f(x[i]);
});
COHORT_ITEMS(two_logarithms, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_log2f(x[i]) - cohort_log10f(x[i]); });
COHORT_ITEMS(sines, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_sinf(x[i]) + 3 * cohort_cosf(x[i]); });
COHORT_ITEMS(slopes, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_tanf(x[i]) * cohort_atanf(x[i]) - cohort_atan2f(x[i], -1e-3f); });
COHORT_ITEMS(errors, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_erff(x[i]) + cohort_erfcf(x[i]); });
COHORT_ITEMS(powers, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    y[i] = cohort_powf(x[i], 0.7f) + cohort_powf(1.01f, x[i]) + cohort_expm1f(x[i]);
    y[i] += cohort_log1pf(x[i] * x[i]);
});
COHORT_ITEMS(hyperbolic, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_sinhf(x[i]) + 2 * cohort_coshf(x[i] * 0.5f); });
COHORT_ITEMS(inverse, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    const float side = cohort_fminf(cohort_fmaxf(x[i], -1.0f), 1.0f);
    y[i] = cohort_asinf(side) * 3 + cohort_acosf(side);
});
COHORT_ITEMS(integers, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    y[i] = cohort_truncf(x[i]) + 2 * cohort_floorf(x[i]) - 3 * cohort_ceilf(x[i]) +
           5 * cohort_roundf(x[i]) - 7 * cohort_rintf(x[i]);
});
COHORT_ITEMS(parts, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    int power;
    float whole;
    float part = cohort_frexpf(x[i], &power);
    float rest = cohort_modff(x[i], &whole);
    y[i] = cohort_ldexpf(part, power / 2 - 3) + rest * cohort_copysignf(0.25f, whole);
});
COHORT_ITEMS(remainders, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_fmodf(x[i], 0.7f) + cohort_remainderf(1e30f, x[i]); });
COHORT_ITEMS(fused, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = cohort_fmaf(x[i], x[(i * 7 + 1) % n], x[(i * 3 + 2) % n]); });
COHORT_ITEMS(drawn, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    cohort_random r = cohort_random_at(x[i] < 0 ? 7 : 8, 1, 0, (uint64_t)i);
    y[i] = cohort_random_uniformf(&r) + cohort_random_normalf(&r);
    y[i] += (float)cohort_random_below(&r, 1000) * cohort_random_normalf(&r);
});

/* What would differ if it were contracted, or divided roughly. */
COHORT_ITEMS(arithmetic, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    float z = cohort_tanhf(x[i]);
    y[i] = (z * 1.1f + 0.3f) / (3.0f - z * z) + z * 1e-3f;
});

/* Without NaN: of signalling ones, a C library's fminf and fmaxf make what they like. */
COHORT_ITEMS(common, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    if (x[i] != x[i]) {
        y[i] = 0;
        continue;
    }
    float z = fmaxf(fminf(x[i], 1e5f), -1e5f);
    y[i] = sqrtf(fabsf(z)) + floorf(z) - 0.5f * ceilf(z * 0.25f);
});

/* `continue` and a `break` of no inner loop end the item. */
COHORT_ITEMS(leaving, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    y[i] = 0;
    if (x[i] < 0)
        break;
    y[i] = 1;
    if (!(x[i] < 1))
        continue;
    for (int j = 0; j < 40; j++) {
        y[i] *= 2;
        if (y[i] * x[i] > 1)
            break;
    }
});

/* Names of OpenCL C: functions, macros, types and keywords. */
COHORT_ITEMS(mix, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = x[i] * 0.5f; });
COHORT_ITEMS(half, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = x[i] * 2.0f; });
COHORT_ITEMS(barrier, local, n, (int64_t n, const float global[n], COHORT_OUT float kernel[n]), {
    float constant = global[local];
    kernel[local] = constant < 0 ? -constant : constant;
});

/* `/` rounds up in the number of items; what looks like a comment is none; quotes in it. */
COHORT_ITEMS(max, i, (n + 2) / 3 * 2 / 2 * 3 / 3,
             (int64_t n, const float x[n], COHORT_OUT float y[n]), {
                 const int quote = '"';
                 for (int64_t j = 3 * i; j < 3 * i + 3 && j < n; j++)
                     y[j] = quote == '\x22' ? x[j] : 0; /* "not // a string" */
             });

static const struct {
    const char *name;
    const cohort_function *function;
} bodies[] = {
    { "cohort_expf", exponentials },
    { "cohort_logf", logarithms },
    { "cohort_tanhf", tangents },
    { "cohort_cbrtf, cohort_hypotf and cohort_exp2f", roots },
    { "cohort_log2f and cohort_log10f", two_logarithms },
    { "cohort_sinf and cohort_cosf", sines },
    { "cohort_tanf, cohort_atanf and cohort_atan2f", slopes },
    { "cohort_erff and cohort_erfcf", errors },
    { "cohort_powf, cohort_expm1f and cohort_log1pf", powers },
    { "cohort_sinhf and cohort_coshf", hyperbolic },
    { "cohort_asinf and cohort_acosf", inverse },
    { "what rounds to integers", integers },
    { "parts of floats", parts },
    { "cohort_fmodf and cohort_remainderf", remainders },
    { "cohort_fmaf", fused },
    { "random numbers", drawn },
    { "sums, products and quotients", arithmetic },
    { "the exact functions of math.h", common },
    { "what ends an item", leaving },
    { "items named mix", mix },
    { "items named half", half },
    { "items named barrier, with keywords", barrier },
    { "items named max, three at a time", max },
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static float x[N];

static cohort_status compute(cohort_strategy *s, const cohort_function *function, float *out)
{
    cohort_value *y = cohort_value_create(s);
    cohort_status status = cohort_run(s, function, COHORT_ARRAY(x, N), y);
    if (status >= 0)
        status = cohort_value_read(y, COHORT_ARRAY(out, N));
    cohort_value_destroy(y);
    return status;
}

/* Which NaN arithmetic makes is the processor's: on x86-64 a negative one, on NVIDIA's devices one
 * of all ones. */
static bool is_same(float found, float wanted)
{
    return memcmp(&found, &wanted, sizeof found) == 0 || (isnan(found) && isnan(wanted));
}

static bool are_same(const float *found, const float *wanted)
{
    bool are = true;
    for (int i = 0; i < N && are; i++)
        are = is_same(found[i], wanted[i]);
    return are;
}

static void show_first(const float *found, const float *wanted)
{
    for (int i = 0; i < N; i++)
        if (!is_same(found[i], wanted[i])) {
            diag("of %.9g: %.9g, on the host %.9g", (double)x[i], (double)found[i],
                 (double)wanted[i]);
            return;
        }
}

static void test_device(const char *id, cohort_strategy *host)
{
    static float wanted[N], found[N];
    cohort_strategy *s = cohort_one_device(id);
    for (int i = 0; i < BODIES; i++) {
        bool is_done = compute(host, bodies[i].function, wanted) >= 0 &&
                       compute(s, bodies[i].function, found) >= 0;
        if (!ok(is_done, "%s runs %s", id, bodies[i].name))
            diag("%s", cohort_error_text());
        if (is_done && !ok(are_same(found, wanted), "and has the bits of the host"))
            show_first(found, wanted);
    }
    cohort_strategy_destroy(s);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    cohort_strategy *host = cohort_one_device("host");
    if (host == NULL)
        return skip_all("no host device");
    for (uint32_t i = 0; i < N; i++)
        x[i] = cohort_math_float_((int)(i * STEP));
    int n_devices = 0;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0) {
            test_device(cohort_device_id(d), host);
            n_devices++;
        }
    cohort_strategy_destroy(host);
    return n_devices > 0 ? tap_done() : skip_all("no OpenCL device");
}
