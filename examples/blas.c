/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that exist already: one of a BLAS, redeclared (a wrong list is the compiler's
 * "conflicting types"), and one of a shared library, by text at run time. */
#include <cohort/cohort.h>

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

COHORT_TYPE_ALIAS(CBLAS_ORDER);
COHORT_TYPE_ALIAS(CBLAS_TRANSPOSE);
COHORT_TYPE_ALIAS(blasint);

COHORT_FUNCTION_OF(sgemm, void, cblas_sgemm,
                   (CBLAS_ORDER order COHORT_IS(101), CBLAS_TRANSPOSE ta COHORT_IS(111),
                    CBLAS_TRANSPOSE tb COHORT_IS(111), blasint n, blasint k, blasint d, float alpha,
                    const float *x COHORT_SHAPE(n, d), blasint lx COHORT_IS(d),
                    const float *w COHORT_SHAPE(d, k), blasint lw COHORT_IS(k), float beta,
                    COHORT_OUT float *z COHORT_SHAPE(n, k), blasint lz COHORT_IS(k)),
                   .types = COHORT_TYPES(CBLAS_ORDER, CBLAS_TRANSPOSE, blasint));

static cohort_status run_both(cohort_strategy *s, cohort_function *cosine, float *x, float *w,
                              float *z, double *c)
{
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, 4, 3));
    cohort_value *zs = cohort_value_create(s), *cs = cohort_value_create(s);
    /* beta 0: z is only written */
    cohort_status st = cohort_run(s, sgemm, 1.0f, xs, COHORT_ARRAY(w, 3, 2), 0.0f, zs);
    if (st == COHORT_OK)
        st = cohort_run(s, cosine, 1.0, cs); /* one double per replica */
    if (st == COHORT_OK)
        st = cohort_value_read(zs, COHORT_ARRAY(z, 4, 2));
    return st == COHORT_OK ? cohort_value_read(cs, COHORT_ARRAY(c, cohort_strategy_num_replicas(s)))
                           : st;
}

int main(void)
{
    float x[12] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1 }, w[6] = { 1, 2, 3, 4, 5, 6 }, z[8] = { 0 };
    double c[2] = { 0 };

    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_function *cosine = cohort_function_parse("double cos(double x)", "libm.so.6", NULL);
    int is_good = s != NULL && cosine != NULL && run_both(s, cosine, x, w, z, c) == COHORT_OK;
    if (is_good)
        printf("last row %g %g, cos(1) = %.6f\n", (double)z[6], (double)z[7], c[1]);
    else
        fprintf(stderr, "blas: %s\n", cohort_error_text());
    cohort_strategy_destroy(s); /* waits, so that nothing uses the function any more */
    cohort_function_destroy(cosine);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
