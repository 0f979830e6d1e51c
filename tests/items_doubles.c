/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that compute with doubles: the bits of the host on every OpenCL device that has them, over
 * all signs and sizes. */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/tap.h"

#include "tests/math_doubles.h"

enum { N = 16384, SEED = 20261202 };

/* x has all bit patterns, t is between -30 and 30. */
COHORT_ITEMS(exponentials, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             { y[i] = cohort_exp(t[i]) + cohort_exp2(x[i]) * cohort_expm1(t[i] * 0.1); });
COHORT_ITEMS(logarithms, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]), {
                 y[i] = cohort_log(x[i]) + 0.1 * cohort_log2(x[i]) - cohort_log10(x[i]) +
                        cohort_log1p(t[i]);
             });
COHORT_ITEMS(powers, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             { y[i] = cohort_pow(x[i], t[i]) + cohort_pow(t[i] * t[i], 3.3); });
COHORT_ITEMS(hyperbolic, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             { y[i] = cohort_sinh(t[i]) - 0.9 * cohort_cosh(t[i] * 0.8) + cohort_tanh(x[i]); });
COHORT_ITEMS(roots, i, n, (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             { y[i] = cohort_cbrt(x[i]) + cohort_hypot(x[i], t[i]) + sqrt(x[i]); });
COHORT_ITEMS(sines, i, n, (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             { y[i] = cohort_sin(x[i]) + 3 * cohort_cos(x[i] * t[i]); });
COHORT_ITEMS(slopes, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             { y[i] = cohort_tan(x[i]) * cohort_atan(t[i] * 0.1) - cohort_atan2(x[i], t[i]); });
COHORT_ITEMS(inverse, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]), {
                 const double side = cohort_fmin(cohort_fmax(t[i] * 0.05, -1.0), 1.0);
                 y[i] = cohort_asin(side) * 3 + cohort_acos(side) + cohort_atan(x[i]);
             });
COHORT_ITEMS(errors, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             { y[i] = cohort_erf(x[i]) + 1e3 * cohort_erfc(t[i] * t[i] * 0.03); });
COHORT_ITEMS(integers, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]), {
                 y[i] = cohort_trunc(t[i]) + 2 * cohort_floor(t[i]) - 3 * cohort_ceil(t[i]) +
                        5 * cohort_round(x[i]) - 7 * cohort_rint(t[i] * 0.5);
             });
COHORT_ITEMS(parts, i, n, (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             {
                 int power;
                 double whole;
                 const double part = cohort_frexp(x[i], &power), rest = cohort_modf(t[i], &whole);
                 y[i] = cohort_ldexp(part, power / 2 - 3) + rest * cohort_copysign(0.25, whole);
             });
COHORT_ITEMS(remainders, i, n,
             (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]), {
                 y[i] = cohort_fmod(x[i], 0.7) + cohort_fmod(1e300, t[i]) +
                        cohort_remainder(x[i], t[i]);
             });
COHORT_ITEMS(fused, i, n, (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             { y[i] = cohort_fma(x[i], t[i], x[(i * 7 + 1) % n]); });
COHORT_ITEMS(drawn, i, n, (int64_t n, const double x[n], const double t[n], COHORT_OUT double y[n]),
             {
                 cohort_random r = cohort_random_at(x[i] < t[i] ? 7 : 8, 1, 0, (uint64_t)i);
                 y[i] = cohort_random_uniform(&r) + 10 * cohort_random_normal(&r);
             });

static const struct {
    const char *name;
    const cohort_function *function;
} bodies[] = {
    { "exp, exp2 and expm1", exponentials },
    { "log, log2, log10 and log1p", logarithms },
    { "pow", powers },
    { "sinh, cosh and tanh", hyperbolic },
    { "cbrt, hypot and sqrt", roots },
    { "sin and cos", sines },
    { "tan, atan and atan2", slopes },
    { "asin, acos, fmin and fmax", inverse },
    { "erf and erfc", errors },
    { "what rounds to integers", integers },
    { "parts of doubles", parts },
    { "fmod and remainder", remainders },
    { "fma", fused },
    { "random doubles", drawn },
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static double x[N], t[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        cohort_random r = cohort_random_at(SEED, 0, 0, (uint64_t)i);
        x[i] = math_pattern(&r);
        t[i] = math_uniform(&r, -30, 30);
    }
    static const double edges[] = { 0, -0.0, 1, -1, 0x1p-1074, INFINITY, -INFINITY, DBL_MAX };
    for (int i = 0; i < 64; i++)
        x[i] = edges[i % 8], t[i] = edges[i / 8];
}

static cohort_status compute(cohort_strategy *s, const cohort_function *function, double *out)
{
    cohort_value *y = cohort_value_create(s);
    cohort_status status = cohort_run(s, function, COHORT_ARRAY(x, N), COHORT_ARRAY(t, N), y);
    if (status >= 0)
        status = cohort_value_read(y, COHORT_ARRAY(out, N));
    cohort_value_destroy(y);
    return status;
}

/* Which NaN arithmetic makes is the processor's. */
static bool is_same(double found, double wanted)
{
    return memcmp(&found, &wanted, sizeof found) == 0 || (isnan(found) && isnan(wanted));
}

static bool are_same(const double *found, const double *wanted)
{
    for (int i = 0; i < N; i++)
        if (!is_same(found[i], wanted[i])) {
            diag("of %a and %a: %a, on the host %a", x[i], t[i], found[i], wanted[i]);
            return false;
        }
    return true;
}

/* A device without doubles takes no argument that has them, and says so. */
static void test_device(const char *id, cohort_strategy *host)
{
    static double wanted[N], found[N];
    cohort_strategy *s = cohort_one_device(id);
    for (int i = 0; i < BODIES; i++) {
        const bool is_wanted = compute(host, bodies[i].function, wanted) >= 0;
        const bool is_found = is_wanted && compute(s, bodies[i].function, found) >= 0;
        if (is_wanted && !is_found && strstr(cohort_error_text(), "no float64") != NULL) {
            skip(bodies[i].name, "the device has no doubles");
            continue;
        }
        if (!ok(is_found, "%s runs %s", id, bodies[i].name))
            diag("%s", cohort_error_text());
        ok(is_found && are_same(found, wanted), "and has the bits of the host");
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
    fill();
    int n_devices = 0;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0) {
            test_device(cohort_device_id(d), host);
            n_devices++;
        }
    cohort_strategy_destroy(host);
    return n_devices > 0 ? tap_done() : skip_all("no OpenCL device");
}
