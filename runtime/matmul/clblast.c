/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of OpenCL devices by CLBlast, enqueued on the queue of the device. What it is asked for
 * lies in row-major order without gaps. */
#include "config.h"

#include "runtime/matmul/clblast.h"

#include "runtime/base/error.h"
#include "runtime/base/library.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include "runtime/matmul/body.h"

#include <string.h>

/* Numbers of clblast_c.h (1.4 and later), some of them those of OpenCL. */
enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111, TRANSPOSED = 112 };
enum {
    NO_TEMPORARY_MEMORY = -4,
    OUT_OF_RESOURCES = -5,
    OUT_OF_HOST_MEMORY = -6,
    BUILD_FAILURE = -11,
    NO_DOUBLES = -2044
};

typedef void *cl_object; /* cl_mem, cl_command_queue, cl_event */

#define GEMM(name, real)                                                                           \
    typedef int (*name)(int layout, int turn_a, int turn_b, size_t m, size_t n, size_t k,          \
                        real alpha, cl_object a, size_t a_offset, size_t lda, size_t a_stride,     \
                        cl_object b, size_t b_offset, size_t ldb, size_t b_stride, real beta,      \
                        cl_object c, size_t c_offset, size_t ldc, size_t c_stride,                 \
                        size_t matrices, cl_object *queue, cl_object *event)
GEMM(sgemm_fn, float);
GEMM(dgemm_fn, double);
typedef int (*sscal_fn)(size_t n, float by, cl_object x, size_t offset, size_t step,
                        cl_object *queue, cl_object *event);
typedef int (*dscal_fn)(size_t n, double by, cl_object x, size_t offset, size_t step,
                        cl_object *queue, cl_object *event);
typedef int32_t (*fill_fn)(cl_object queue, cl_object x, const void *pattern, size_t pattern_bytes,
                           size_t offset, size_t bytes, uint32_t n_events, const cl_object *events,
                           cl_object *event);

static struct {
    sgemm_fn sgemm;
    dgemm_fn dgemm;
    sscal_fn sscal;
    dscal_fn dscal;
    fill_fn fill; /* of the OpenCL that CLBlast is linked with */
} clblast;

/* ---- Finding it. */

static cohort_status load(const char *library)
{
    cohort_native_fn sgemm, dgemm, sscal, dscal, fill;
    const struct {
        const char *symbol;
        cohort_native_fn *fn;
    } needed[] = { { "CLBlastSgemmStridedBatched", &sgemm },
                   { "CLBlastDgemmStridedBatched", &dgemm },
                   { "CLBlastSscal", &sscal },
                   { "CLBlastDscal", &dscal },
                   { "clEnqueueFillBuffer", &fill } };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        cohort_status status = cohort_library_symbol(library, needed[i].symbol, needed[i].fn);
        if (status < 0)
            return status;
    }
    clblast.sgemm = (sgemm_fn)sgemm;
    clblast.dgemm = (dgemm_fn)dgemm;
    clblast.sscal = (sscal_fn)sscal;
    clblast.dscal = (dscal_fn)dscal;
    clblast.fill = (fill_fn)fill;
    cohort_log(COHORT_SUBSYSTEM_MATMUL, COHORT_LOG_INFO,
               "matmul: products on OpenCL that need not be reproducible are those of %s", library);
    return COHORT_OK;
}

static cohort_status look(bool *out_has)
{
    const char *named = cohort_setting_text(COHORT_SETTING_CLBLAST);
    const bool is_wanted = named != NULL && strcmp(named, "off") != 0;
    cohort_status status = is_wanted ? load(named) : COHORT_OK;
    *out_has = is_wanted && status >= 0;
    return status < 0 ? cohort_error_prefix(status, "COHORT_CLBLAST") : COHORT_OK;
}

cohort_status cohort_clblast_find(bool *out_has)
{
    static cohort_library_search search = COHORT_LIBRARY_SEARCH(look);
    return cohort_library_once(&search, out_has);
}

/* ---- Calling it. */

/* A call of a body; beta 0: c is not read. */
typedef struct call {
    cohort_dtype dtype;
    cl_object queue, a, b, c;
    int64_t m, n, k, g;
    int32_t kind;
    double alpha, beta;
} call;

static cohort_status answer(const char *what, int code)
{
    if (code == 0)
        return COHORT_OK;
    cohort_log(COHORT_SUBSYSTEM_MATMUL, COHORT_LOG_ERROR,
               "matmul: %s answered %d; COHORT_CLBLAST=off does without CLBlast", what, code);
    return code == NO_TEMPORARY_MEMORY || code == OUT_OF_RESOURCES || code == OUT_OF_HOST_MEMORY
               ? COHORT_ENOMEM
           : code == BUILD_FAILURE ? COHORT_EBUILD
           : code == NO_DOUBLES    ? COHORT_ENOTSUP
                                   : COHORT_EINTERNAL;
}

/* c = beta c, which is a sum without terms. */
static cohort_status scale(call *x)
{
    const size_t elements = (size_t)(x->g * x->m * x->n);
    const double zero = 0;
    const size_t bytes = x->dtype == COHORT_F64 ? sizeof(double) : sizeof(float);
    if (x->beta == 0)
        return answer("clEnqueueFillBuffer", clblast.fill(x->queue, x->c, &zero, bytes, 0,
                                                          elements * bytes, 0, NULL, NULL));
    if (x->dtype == COHORT_F64)
        return answer("CLBlastDscal",
                      clblast.dscal(elements, x->beta, x->c, 0, 1, &x->queue, NULL));
    return answer("CLBlastSscal",
                  clblast.sscal(elements, (float)x->beta, x->c, 0, 1, &x->queue, NULL));
}

static cohort_status multiply(call *x)
{
    const size_t m = (size_t)x->m, n = (size_t)x->n, k = (size_t)x->k, g = (size_t)x->g;
    const bool is_a_turned = (x->kind & COHORT_MATMUL_TRANSPOSE_A) != 0,
               is_b_turned = (x->kind & COHORT_MATMUL_TRANSPOSE_B) != 0;
    const int turn_a = is_a_turned ? TRANSPOSED : NOT_TRANSPOSED,
              turn_b = is_b_turned ? TRANSPOSED : NOT_TRANSPOSED;
    const size_t lda = is_a_turned ? m : k, ldb = is_b_turned ? k : n,
                 a_stride = (x->kind & COHORT_MATMUL_BATCH_A) != 0 ? m * k : 0,
                 b_stride = (x->kind & COHORT_MATMUL_BATCH_B) != 0 ? k * n : 0;
    if (x->dtype == COHORT_F64)
        return answer("CLBlastDgemmStridedBatched",
                      clblast.dgemm(ROW_MAJOR, turn_a, turn_b, m, n, k, x->alpha, x->a, 0, lda,
                                    a_stride, x->b, 0, ldb, b_stride, x->beta, x->c, 0, n, m * n, g,
                                    &x->queue, NULL));
    return answer("CLBlastSgemmStridedBatched",
                  clblast.sgemm(ROW_MAJOR, turn_a, turn_b, m, n, k, (float)x->alpha, x->a, 0, lda,
                                a_stride, x->b, 0, ldb, b_stride, (float)x->beta, x->c, 0, n, m * n,
                                g, &x->queue, NULL));
}

/* Its kernels count elements with integers of 32 bits. */
static bool is_too_large(const call *x)
{
    const int64_t most = INT32_MAX;
    return x->m > most || x->n > most || x->k > most || x->g * x->m > most / x->n ||
           (x->k > 0 && (x->g * x->m > most / x->k || x->g * x->n > most / x->k));
}

static cohort_status compute(call x)
{
    if (x.g < 1 || x.m < 1 || x.n < 1)
        return COHORT_OK;
    if (is_too_large(&x)) {
        cohort_log(COHORT_SUBSYSTEM_MATMUL, COHORT_LOG_ERROR,
                   "matmul: CLBlast takes no matrices of 2^31 elements and more; "
                   "COHORT_CLBLAST=off, or a reproducible product, does");
        return COHORT_ENOTSUP;
    }
    return x.k < 1 ? scale(&x) : multiply(&x);
}

#define BOUNDS int64_t m, int64_t n, int64_t k, int64_t g, int32_t kind

#define BODIES(name, dtype, real)                                                                  \
    static cohort_status name(cl_object queue, BOUNDS, real alpha, cl_object a, cl_object b,       \
                              cl_object c)                                                         \
    {                                                                                              \
        return compute((call){ dtype, queue, a, b, c, m, n, k, g, kind, (double)alpha, 0 });       \
    }                                                                                              \
    static cohort_status name##_added(cl_object queue, BOUNDS, real alpha, cl_object a,            \
                                      cl_object b, real beta, cl_object c)                         \
    {                                                                                              \
        return compute(                                                                            \
            (call){ dtype, queue, a, b, c, m, n, k, g, kind, (double)alpha, (double)beta });       \
    }

BODIES(f32, COHORT_F32, float)
BODIES(f64, COHORT_F64, double)

#define LIST(body)                                                                                 \
    {                                                                                              \
        { .format = "opencl.enqueue", .fn = (void (*)(void))(body) },                              \
        {                                                                                          \
            .format = NULL                                                                         \
        }                                                                                          \
    }

const cohort_body *cohort_clblast_bodies(cohort_dtype dtype, bool accumulates)
{
    static const cohort_body of_f32[2][2] = { LIST(f32), LIST(f32_added) },
                             of_f64[2][2] = { LIST(f64), LIST(f64_added) };
    return dtype == COHORT_F32   ? of_f32[accumulates]
           : dtype == COHORT_F64 ? of_f64[accumulates]
                                 : NULL;
}
