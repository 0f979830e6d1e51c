/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of functions.c and of programs/dtypes.c once more, as items, which run on devices
 * of OpenCL, too, and on the host in ways of their own. Those that are no items stay loops. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

#define MODULUS 1000

COHORT_HELPER(int64_t, modulo, (double x),
              { return x > -0x1p53 && x < 0x1p53 ? (int64_t)x % MODULUS : 0; });
COHORT_HELPER(float, by_f32, (float x, double a, int64_t k), { return x * (float)a + (float)k; });
COHORT_HELPER(double, by_f64, (double x, double a, int64_t k), { return x * a + (double)k; });
COHORT_HELPER(int32_t, by_i32, (int32_t x, int64_t k),
              { return (int32_t)((uint32_t)x * 3U + (uint32_t)k); });

/* ------------------------------------------------------------------ into another array */

COHORT_ITEMS(twice_f32, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = (float)((2 * modulo((double)x[i]) + 1) % MODULUS); });
COHORT_ITEMS(twice_f64, i, n, (int64_t n, const double x[n], COHORT_OUT double y[n]),
             { y[i] = (double)((2 * modulo((double)x[i]) + 1) % MODULUS); });
COHORT_ITEMS(twice_i32, i, n, (int64_t n, const int32_t x[n], COHORT_OUT int32_t y[n]),
             { y[i] = (int32_t)((2 * modulo((double)x[i]) + 1) % MODULUS); });

COHORT_ITEMS(blend_f32, i, n,
             (int64_t n, int64_t k, const float x[n], const float w[k], COHORT_OUT float y[n]), {
                 y[i] = (float)((modulo((double)x[i]) + (k > 0 ? modulo((double)w[i % k]) : 0)) %
                                MODULUS);
             });
COHORT_ITEMS(blend_f64, i, n,
             (int64_t n, int64_t k, const double x[n], const double w[k], COHORT_OUT double y[n]), {
                 y[i] = (double)((modulo((double)x[i]) + (k > 0 ? modulo((double)w[i % k]) : 0)) %
                                 MODULUS);
             });
COHORT_ITEMS(
    blend_i32, i, n,
    (int64_t n, int64_t k, const int32_t x[n], const int32_t w[k], COHORT_OUT int32_t y[n]), {
        y[i] = (int32_t)((modulo((double)x[i]) + (k > 0 ? modulo((double)w[i % k]) : 0)) % MODULUS);
    });

COHORT_ITEMS(scale_f32, i, n,
             (int64_t n, double a, int64_t k, const float x[n], COHORT_OUT float y[n]),
             { y[i] = by_f32(x[i], a, k); });
COHORT_ITEMS(scale_f64, i, n,
             (int64_t n, double a, int64_t k, const double x[n], COHORT_OUT double y[n]),
             { y[i] = by_f64(x[i], a, k); });
COHORT_ITEMS(scale_i32, i, n,
             (int64_t n, double a, int64_t k, const int32_t x[n], COHORT_OUT int32_t y[n]), {
                 (void)a;
                 y[i] = by_i32(x[i], k);
             });

COHORT_ITEMS(pair_f32, i, n,
             (int64_t n, const float a[n], const float b[n], COHORT_OUT float y[n],
              COHORT_OUT double z[n]),
             {
                 y[i] = a[i] * 0.75F - b[i];
                 z[i] = (double)(a[i] + b[i]);
             });
COHORT_ITEMS(pair_f64, i, n,
             (int64_t n, const double a[n], const double b[n], COHORT_OUT double y[n],
              COHORT_OUT float z[n]),
             {
                 y[i] = a[i] * 0.75 - b[i];
                 z[i] = (float)(a[i] + b[i]);
             });
COHORT_ITEMS(pair_i32, i, n,
             (int64_t n, const int32_t a[n], const int32_t b[n], COHORT_OUT int32_t y[n],
              COHORT_OUT float z[n]),
             {
                 y[i] = by_i32(a[i], b[i]);
                 z[i] = (float)a[i] / 7;
             });

/* ------------------------------------------------------------------ in place */

#define IN_PLACE(T, NAME)                                                                          \
    COHORT_ITEMS(shift_##NAME, i, n, (int64_t n, T y[n]),                                          \
                 { y[i] = (T)((modulo((double)y[i]) + 3) % MODULUS); });                           \
    COHORT_ITEMS(grow_##NAME, i, n, (int64_t n, int32_t a, T w[n]),                                \
                 { w[i] = (T)((2 * modulo((double)w[i]) + a) % MODULUS); });                       \
    COHORT_ITEMS(mix_##NAME, i, n, (int64_t n, int64_t k, const T x[k], T w[n]),                   \
                 { w[i] = (T)((modulo((double)w[i]) + modulo((double)x[0])) % MODULUS); })

IN_PLACE(float, f32);
IN_PLACE(double, f64);
IN_PLACE(int32_t, i32);

/* Not associative: the tree shows. */
COHORT_ITEMS(fold_f32, i, n, (int64_t n, const float in[n], float inout[n]),
             { inout[i] = in[i] * 0.5F + inout[i]; });
COHORT_ITEMS(fold_f64, i, n, (int64_t n, const double in[n], double inout[n]),
             { inout[i] = in[i] * 0.5 + inout[i]; });
COHORT_ITEMS(fold_i32, i, n, (int64_t n, const int32_t in[n], int32_t inout[n]),
             { inout[i] = by_i32(in[i], inout[i]); });

COHORT_ITEMS(mark_f32, i, n, (int64_t n, double a, int64_t k, float w[n]),
             { w[i] = by_f32(w[i], a, k + i); });
COHORT_ITEMS(mark_f64, i, n, (int64_t n, double a, int64_t k, double w[n]),
             { w[i] = by_f64(w[i], a, k + i); });
COHORT_ITEMS(mark_i32, i, n, (int64_t n, double a, int64_t k, int32_t w[n]), {
    (void)a;
    w[i] = by_i32(w[i], k + i);
});

COHORT_ITEMS(due_in, i, 1, (int64_t step, int64_t every, COHORT_OUT float due[1]),
             { due[i] = (step - 1) % every == 0; });
const cohort_function *const is_due = due_in;

/* ------------------------------------------------------------------ all of them */

#define ALL(name)                                                                                  \
    {                                                                                              \
        name##_f32, name##_f64, name##_i32                                                         \
    }
static const cohort_function
    *const twices[DTYPES] = ALL(twice),
           *const shifts[DTYPES] = ALL(shift), *const blends[DTYPES] = ALL(blend),
           *const grows[DTYPES] = ALL(grow), *const mixes[DTYPES] = ALL(mix),
           *const scales[DTYPES] = ALL(scale), *const pairs[DTYPES] = ALL(pair),
           *const folds[DTYPES] = ALL(fold), *const marks[DTYPES] = ALL(mark);

const functions of_items = { twices, shifts, blends, grows,  mixes,      scales,
                             pairs,  folds,  marks,  totals, rows_of_two };

static bool are_known(const functions *f)
{
    bool is_good = cohort_function_check(f->rows[0], NULL) >= 0;
    for (int t = 0; t < DTYPES; t++) {
        const cohort_function *const all[] = { f->twice[t], f->shift[t],   f->blend[t], f->grow[t],
                                               f->mix[t],   f->scale[t],   f->pair[t],  f->fold[t],
                                               f->mark[t],  f->total_of[t] };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            is_good = cohort_function_check(all[i], NULL) >= 0 && is_good;
    }
    return is_good;
}

bool functions_warm_up(void)
{
    return are_known(&of_loops) && are_known(&of_items) && cohort_function_check(is_due, NULL) >= 0;
}
