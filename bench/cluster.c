/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum over two processes beside MPI_Allreduce of the same two, in turns. Started by mpirun; the
 * first process prints. */
#include "bench/must.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { MOST_TURNS = 15 };

typedef struct sums {
    int64_t n;
    cohort_value *x, *total;
    float *from, *to; /* of MPI */
} sums;

static cohort_status fill(int replica, int replicas, cohort_array *out, void *user)
{
    const sums *s = user;
    (void)replicas;
    for (int64_t i = 0; i < s->n; i++)
        s->from[i] = (float)(replica + i % 7);
    *out = (cohort_array){ .data = s->from, .dtype = COHORT_F32, .rank = 1, .shape = { s->n } };
    return COHORT_OK;
}

static void reduce(sums *s)
{
    must(cohort_reduce(COHORT_SUM, s->x, COHORT_NO_AXIS, s->total) == COHORT_OK, "a sum");
}

static void all_reduce(sums *s)
{
    MPI_Allreduce(s->from, s->to, (int)s->n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

/* Of one call. All processes time the same number, so that nobody has to say when it is over. */
static double time_batch(void (*call)(sums *), sums *s, int calls)
{
    call(s);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = turns_now();
    for (int i = 0; i < calls; i++)
        call(s);
    return (turns_now() - start) / calls;
}

static int calls_of(int64_t bytes)
{
    if (turns_are_tiny())
        return 1;
    return bytes <= 16384 ? 500 : bytes <= 1 << 20 ? 50 : 5;
}

static void row(cohort_strategy *strategy, int64_t bytes, bool prints)
{
    double ours[MOST_TURNS], theirs[MOST_TURNS];
    int turns = turns_are_tiny() ? 1 : turns_are_quick() ? 9 : MOST_TURNS;
    sums s = { .n = bytes / (int64_t)sizeof(float),
               .from = malloc((size_t)bytes),
               .to = malloc((size_t)bytes) };
    char name[64];
    if (s.from == NULL || s.to == NULL)
        exit(1);
    s.x = cohort_value_from_function(strategy, fill, &s);
    s.total = cohort_value_create(strategy);
    for (int i = 0; i < turns; i++) {
        ours[i] = time_batch(reduce, &s, calls_of(bytes));
        theirs[i] = time_batch(all_reduce, &s, calls_of(bytes));
    }
    (void)snprintf(name, sizeof name, "sum of 2 x %lld B", (long long)bytes);
    double limit = turns_median(theirs, turns);
    if (prints) {
        turns_put(name, "MPI_Allreduce", "2 ranks", "s", theirs, turns, limit);
        turns_put(name, "cohort", "cohort_reduce, 2 workers of 1 replica", "s", ours, turns, limit);
    }
    cohort_value_destroy(s.x);
    cohort_value_destroy(s.total);
    free(s.from);
    free(s.to);
}

int main(int argc, char **argv)
{
    static const int64_t sizes[] = { 4,      64,      1024,    4096,     16384,   65536,
                                     262144, 1 << 20, 4 << 20, 16 << 20, 64 << 20 };
    int level, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cohort_resolver *workers = cohort_resolver_mpi((int32_t)MPI_Comm_c2f(MPI_COMM_WORLD));
    cohort_strategy *strategy = cohort_multi_worker_mirrored(workers, "host:0");
    if (strategy == NULL || cohort_strategy_num_replicas(strategy) != 2) {
        fprintf(stderr, "bench/cluster: %s\n",
                strategy != NULL ? "it is for two processes of mpirun" : cohort_error_text());
        return 1;
    }
    if (rank == 0)
        turns_table("A sum over two processes");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] <= 1 << 20 || !turns_are_tiny())
            row(strategy, sizes[i], rank == 0);
    cohort_strategy_destroy(strategy);
    cohort_resolver_destroy(workers);
    MPI_Finalize();
    return 0;
}
