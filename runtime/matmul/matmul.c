/* SPDX-License-Identifier: BSD-3-Clause */
/* A function for each set of options, made at its first use in a table of the process: its
 * prototype is a text of what the options say, and that of its kernel is told by macros. */
#include "config.h"

#include <cohort/matmul.h>

#include "runtime/base/error.h"
#include "runtime/base/handle.h"
#include "runtime/matmul/blas.h"
#include "runtime/matmul/body.h"
#include "runtime/matmul/clblast.h"
#include "runtime/matmul/kernel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* is_made: the last to be written. */
typedef struct made_function {
    _Atomic(bool) is_made;
    cohort_function function;
    char prototype[320], options[120];
} made_function;

enum { DTYPES = 4, KINDS = 16 };
static made_function table[DTYPES][KINDS][2][2][2]; /* [accumulate][BLAS][CLBlast] */

static int place_of(cohort_dtype dtype)
{
    return dtype == COHORT_F32 ? 0 : dtype == COHORT_F64 ? 1 : dtype == COHORT_F16 ? 2 : 3;
}

static int32_t kind_of(const cohort_matmul_options *o)
{
    return (o->transpose_a ? COHORT_MATMUL_TRANSPOSE_A : 0) |
           (o->transpose_b ? COHORT_MATMUL_TRANSPOSE_B : 0) |
           (o->batch_a ? COHORT_MATMUL_BATCH_A : 0) | (o->batch_b ? COHORT_MATMUL_BATCH_B : 0);
}

/* ---- Texts. */

static const char *brackets(int32_t kind, int32_t transposed, const char *plain, const char *turned)
{
    return (kind & transposed) != 0 ? turned : plain;
}

static const char *axis(int32_t kind, int32_t batch)
{
    return (kind & batch) != 0 ? "[g]" : "";
}

/* Bounds of which no array tells are 1. */
static void write_prototype(made_function *made, const cohort_matmul_bodies *bodies, int32_t kind,
                            bool accumulates)
{
    const int32_t batch = COHORT_MATMUL_BATCH_A | COHORT_MATMUL_BATCH_B;
    const char *e = bodies->element;
    char beta[32] = "";
    if (accumulates)
        (void)snprintf(beta, sizeof beta, "%s beta, ", bodies->real);
    (void)snprintf(made->prototype, sizeof made->prototype,
                   "(int64_t m, int64_t n, int64_t k, int64_t g%s, int32_t kind COHORT_IS(%d), "
                   "%s alpha, const %s a%s%s, const %s b%s%s, %s%s%s c%s[m][n])",
                   (kind & batch) != 0 ? "" : " COHORT_IS(1)", (int)kind, bodies->real, e,
                   axis(kind, COHORT_MATMUL_BATCH_A),
                   brackets(kind, COHORT_MATMUL_TRANSPOSE_A, "[m][k]", "[k][m]"), e,
                   axis(kind, COHORT_MATMUL_BATCH_B),
                   brackets(kind, COHORT_MATMUL_TRANSPOSE_B, "[k][n]", "[n][k]"), beta,
                   accumulates ? "" : "COHORT_OUT ", e, axis(kind, batch));
}

static void write_options(made_function *made, int32_t kind, bool accumulates)
{
    (void)snprintf(made->options, sizeof made->options,
                   "-D TRANSPOSE_A=%d -D TRANSPOSE_B=%d -D BATCH_A=%d -D BATCH_B=%d%s",
                   (kind & COHORT_MATMUL_TRANSPOSE_A) != 0, (kind & COHORT_MATMUL_TRANSPOSE_B) != 0,
                   (kind & COHORT_MATMUL_BATCH_A) != 0, (kind & COHORT_MATMUL_BATCH_B) != 0,
                   accumulates ? " -D ACCUMULATE" : "");
}

/* ---- Making. */

/* Which of them products are left to. */
typedef struct libraries {
    bool blas, clblast;
} libraries;

/* Items of the host are elements of c, which any range may have; their kernel is no text of items,
 * but one of its own. What BLAS does is not cut. */
static void describe(made_function *made, const cohort_matmul_bodies *bodies, cohort_dtype dtype,
                     bool accumulates, libraries use)
{
    const bool is_whole = use.blas;
    made->function = (cohort_function){
        .struct_size = (uint32_t)sizeof(cohort_function),
        .name = "matmul",
        .returns = "void",
        .prototype = made->prototype,
        .host = is_whole ? bodies->whole[accumulates] : bodies->items[accumulates],
        .global = "n / " COHORT_MATMUL_KERNEL_COLUMNS ", m / " COHORT_MATMUL_KERNEL_ROWS ", g",
        .opencl = bodies->opencl,
        .opencl_options = made->options,
        .item = is_whole ? NULL : "i, j",
        .count = is_whole ? NULL : "g * m, n",
        .item_body = is_whole ? NULL : "{ }",
        .more = use.clblast ? cohort_clblast_bodies(dtype, accumulates) : NULL,
    };
}

static const cohort_function *find(const cohort_matmul_options *o, cohort_dtype dtype,
                                   const cohort_matmul_bodies *bodies, libraries use)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const int32_t kind = kind_of(o);
    made_function *made = &table[place_of(dtype)][kind][o->accumulate][use.blas][use.clblast];
    if (!atomic_load_explicit(&made->is_made, memory_order_acquire)) {
        (void)pthread_mutex_lock(&lock);
        if (!atomic_load_explicit(&made->is_made, memory_order_relaxed)) {
            write_prototype(made, bodies, kind, o->accumulate);
            write_options(made, kind, o->accumulate);
            describe(made, bodies, dtype, o->accumulate, use);
            atomic_store_explicit(&made->is_made, true, memory_order_release);
        }
        (void)pthread_mutex_unlock(&lock);
    }
    return &made->function;
}

static const char call[] = "cohort_matmul_function";

/* Reserved members are refused unless they are zero, so that a later version can give them a
 * meaning. */
static cohort_status check(const cohort_matmul_options *o, cohort_dtype dtype)
{
    for (size_t i = 0; i < sizeof o->reserved; i++)
        if (o->reserved[i] != 0)
            return cohort_error_set(COHORT_EINVAL, "%s: reserved[%zu] of the options is not zero",
                                    call, i);
    if (cohort_matmul_bodies_of(dtype) == NULL)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: there is no product of %s; take float32, float64, float16, bfloat16", call,
            cohort_dtype_name(dtype));
    return COHORT_OK;
}

const cohort_function *cohort_matmul_function(const cohort_matmul_options *options)
{
    static const cohort_matmul_options defaults;
    const cohort_matmul_options *o = options != NULL ? options : &defaults;
    const cohort_dtype dtype = o->dtype != COHORT_VOID ? o->dtype : COHORT_F32;
    if (check(o, dtype) < 0)
        return cohort_handle_made(COHORT_HANDLE_FUNCTION, NULL);
    const cohort_matmul_bodies *bodies = cohort_matmul_bodies_of(dtype);
    libraries use = { false, false };
    if (!o->reproducible && bodies->whole[0] != NULL &&
        (cohort_blas_find(&use.blas) < 0 || cohort_clblast_find(&use.clblast) < 0))
        return cohort_handle_made(COHORT_HANDLE_FUNCTION, NULL);
    return find(o, dtype, bodies, use);
}
