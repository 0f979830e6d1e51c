/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/matmul/blas.h"

#include "runtime/base/error.h"
#include "runtime/base/library.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"

#include <string.h>

/* Numbers of cblas.h, which all libraries have in common. Source: BLAS Technical Forum Standard,
 * appendix B. */
enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111, TRANSPOSED = 112 };

typedef void (*sgemm_fn)(int order, int turn_a, int turn_b, int m, int n, int k, float alpha,
                         const float *a, int lda, const float *b, int ldb, float beta, float *c,
                         int ldc);
typedef void (*dgemm_fn)(int order, int turn_a, int turn_b, int m, int n, int k, double alpha,
                         const double *a, int lda, const double *b, int ldb, double beta, double *c,
                         int ldc);

static struct {
    sgemm_fn sgemm;
    dgemm_fn dgemm;
} blas;

/* ---- Finding it. */

/* A function that not every library has, without a text. */
static bool has(const char *library, const char *symbol, cohort_native_fn *out_fn)
{
    cohort_error_saved saved;
    cohort_error_save(&saved);
    cohort_status status = cohort_library_symbol(library, symbol, out_fn);
    cohort_error_restore(&saved);
    return status >= 0;
}

/* Such a library has the same names, and would take what lies beside an int for its upper half.
 * OpenBLAS and BLIS say how they were built. */
static bool has_integers_of_64_bits(const char *library)
{
    cohort_native_fn config, bits;
    if (has(library, "openblas_get_config", &config))
        return strstr(((const char *(*)(void))config)(), "USE64BITINT") != NULL;
    return has(library, "bli_info_get_blas_int_type_size", &bits) && ((int (*)(void))bits)() == 64;
}

static cohort_status load(const char *library)
{
    cohort_native_fn sgemm, dgemm;
    cohort_status status = cohort_library_symbol(library, "cblas_sgemm", &sgemm);
    if (status >= 0)
        status = cohort_library_symbol(library, "cblas_dgemm", &dgemm);
    if (status >= 0 && has_integers_of_64_bits(library))
        status = cohort_error_set(
            COHORT_EINCOMPATIBLE,
            "library '%s' has integers of 64 bits; take the one that has integers of 32", library);
    if (status < 0)
        return status;
    blas.sgemm = (sgemm_fn)sgemm;
    blas.dgemm = (dgemm_fn)dgemm;
    cohort_log(COHORT_SUBSYSTEM_MATMUL, COHORT_LOG_INFO,
               "matmul: products that need not be reproducible are those of %s", library);
    return COHORT_OK;
}

/* The plain libblas is not among them: where it is the one of Netlib, ours is faster. */
static bool try_all(void)
{
    static const char *const names[] = { "libopenblas.so.0", "libblis.so.4", "libblis.so.3" };
    cohort_error_saved saved;
    bool is_found = false;
    cohort_error_save(&saved);
    for (size_t i = 0; i < sizeof names / sizeof *names && !is_found; i++)
        is_found = load(names[i]) >= 0;
    cohort_error_restore(&saved);
    return is_found;
}

static cohort_status look(bool *out_has)
{
    const char *named = cohort_setting_text(COHORT_SETTING_BLAS);
    *out_has = false;
    if (named == NULL) {
        *out_has = try_all();
    } else if (strcmp(named, "off") != 0) {
        cohort_status status = load(named);
        if (status < 0)
            return cohort_error_prefix(status, "COHORT_BLAS");
        *out_has = true;
    }
    return COHORT_OK;
}

cohort_status cohort_blas_find(bool *out_has)
{
    static cohort_library_search search = COHORT_LIBRARY_SEARCH(look);
    return cohort_library_once(&search, out_has);
}

/* ---- Calling it. */

/* A matrix that has the stride 1 along its rows is as it is; a stride of the others is at least 1,
 * also of a matrix with one row. */
static void multiply(const cohort_product *p, int m)
{
    const int n = (int)p->n, k = (int)p->k;
    const bool is_a_turned = p->a_column != 1 || p->a_row != k,
               is_b_turned = p->b_column != 1 || p->b_row != n;
    const int turn_a = is_a_turned ? TRANSPOSED : NOT_TRANSPOSED, lda = is_a_turned ? m : k,
              turn_b = is_b_turned ? TRANSPOSED : NOT_TRANSPOSED, ldb = is_b_turned ? k : n;
    if (p->dtype == COHORT_F64)
        blas.dgemm(ROW_MAJOR, turn_a, turn_b, m, n, k, p->alpha, p->a, lda, p->b, ldb, p->beta,
                   p->c, n);
    else
        blas.sgemm(ROW_MAJOR, turn_a, turn_b, m, n, k, (float)p->alpha, p->a, lda, p->b, ldb,
                   (float)p->beta, p->c, n);
}

/* Extents of 0 are nothing that all libraries take. */
bool cohort_blas_multiply(const cohort_product *p, int64_t m)
{
    if (m < 1 || p->n < 1 || p->k < 1 || m > INT32_MAX || p->n > INT32_MAX || p->k > INT32_MAX)
        return false;
    multiply(p, (int)m);
    return true;
}
