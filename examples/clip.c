/* SPDX-License-Identifier: BSD-3-Clause */
/* Replica style: a step function in which the replicas talk to each other. Each has its own
 * gradient; all are scaled by the same factor, so that their common norm is at most 1. */
#include <cohort/cohort.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

COHORT_FUNCTION_RETURNING(float, norm2, (int64_t n, const float g[n]), COHORT_HOST_ONLY)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += g[i] * g[i];
    return sum;
}

COHORT_FUNCTION(clip, (int64_t n, float most, const float norm2[1], float g[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        if (norm2[0] > most * most)
            g[i] *= most / sqrtf(norm2[0]);
}

struct job {
    cohort_value *g, *norm2;
};

/* Once per replica, on its device. */
static cohort_status clip_together(cohort_replica *me, void *user)
{
    struct job *job = user;
    /* the result comes last */
    cohort_status st = cohort_replica_run(me, norm2, job->g, job->norm2);
    if (st == COHORT_OK)
        st = cohort_all_reduce(me, COHORT_SUM, &job->norm2, 1);
    return st == COHORT_OK ? cohort_replica_run(me, clip, 1.0f, job->norm2, job->g) : st;
}

int main(int argc, char **argv)
{
    enum { N = 8 };
    float g[N];
    for (int i = 0; i < N; i++)
        g[i] = (float)(i + 1);

    cohort_strategy *s = cohort_mirrored(argc > 1 ? argv[1] : "host/2");
    struct job job = { cohort_value_split(s, COHORT_ARRAY(g, N)), cohort_value_create(s) };
    cohort_for_each_replica(s, clip_together, &job);
    int is_good = cohort_value_read(job.g, COHORT_ARRAY(g, N)) == COHORT_OK;
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum += g[i] * g[i];
    if (is_good)
        printf("norm %.3f on %d replicas\n", (double)sqrtf(sum), cohort_strategy_num_replicas(s));
    else
        fprintf(stderr, "clip: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
