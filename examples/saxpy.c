/* SPDX-License-Identifier: BSD-3-Clause */
/* y += a x over every device of the machine; a body for the host and one for OpenCL. */
#include <cohort/cohort.h>

#include <stdio.h>
#include <stdlib.h>

COHORT_FUNCTION(saxpy, (int64_t n, float a, const float x[n], float y[n]), .global = "n",
                .opencl = COHORT_SOURCE(kernel void saxpy(long n, float a, global const float *x,
                                                          global float *y) {
                    long i = get_global_id(0);
                    if (i < n)
                        y[i] += a * x[i];
                }))
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

int main(void)
{
    enum { N = 1 << 20 };
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    for (int i = 0; x != NULL && y != NULL && i < N; i++)
        x[i] = 1, y[i] = (float)(i % 7);

    cohort_strategy *s = cohort_mirrored(NULL);
    /* rows over the replicas; x is borrowed */
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_value *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_run(s, saxpy, 2.0f, xs, ys); /* n is read off the arrays */
    int is_good = cohort_value_read(ys, COHORT_ARRAY(y, N)) == COHORT_OK;
    if (is_good)
        printf("y[6] = %g on %d replicas\n", (double)y[6], cohort_strategy_num_replicas(s));
    else
        fprintf(stderr, "saxpy: %s\n", cohort_error_text());
    cohort_strategy_destroy(s); /* and with it xs and ys */
    free(x), free(y);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
