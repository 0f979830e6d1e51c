/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over two processes beside MPI_Allreduce: of one replica each, of the same two processes; of
 * two replicas each, beside four processes of MPI, which are a peer. Started by mpirun. */
#include "config.h"

#include "bench/must.h"
#include "bench/rows.h"
#include "bench/team.h"

#include <mpi.h>

typedef struct sums {
    int64_t n;
    cohort_strategy *s;
    cohort_value *x, *total;
    float *from, *to; /* of MPI */
} sums;

/* Sums of these are exact in any order. */
static float element(int64_t i, int replica)
{
    return (float)(replica + i % 7);
}

static cohort_status fill(int replica, int replicas, cohort_array *out, void *user)
{
    const sums *s = user;
    (void)replicas;
    for (int64_t i = 0; i < s->n; i++)
        s->from[i] = element(i, replica);
    *out = (cohort_array){ .data = s->from, .dtype = COHORT_F32, .rank = 1, .shape = { s->n } };
    return COHORT_OK;
}

static void reduce(void *user)
{
    const sums *s = user;
    must(cohort_reduce(COHORT_SUM, s->x, COHORT_NO_AXIS, s->total) == COHORT_OK, "a sum");
}

static void wait_for_sum(void *user)
{
    must(cohort_wait(((const sums *)user)->s) == COHORT_OK, "wait");
}

static void all_reduce(void *user)
{
    const sums *s = user;
    MPI_Allreduce(s->from, s->to, (int)s->n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

/* ------------------------------------------------------------------ results */

static void check(const float *found, int64_t n, int replicas, const char *who)
{
    for (int64_t i = 0; i < n; i++) {
        float wanted = 0;
        for (int r = 0; r < replicas; r++)
            wanted += element(i, r);
        if (found[i] != wanted) {
            fprintf(stderr, "cluster: %s: element %lld is %g, not %g\n", who, (long long)i,
                    (double)found[i], (double)wanted);
            exit(1);
        }
    }
}

static void check_cohort(sums *s, int replicas)
{
    reduce(s);
    must(cohort_value_read(s->total, COHORT_ARRAY(s->to, s->n)) == COHORT_OK, "a sum is read");
    check(s->to, s->n, replicas, "cohort");
}

static void check_mpi(sums *s, int rank, int size)
{
    for (int64_t i = 0; i < s->n; i++)
        s->from[i] = element(i, rank);
    all_reduce(s);
    check(s->to, s->n, size, "MPI_Allreduce");
}

/* ------------------------------------------------------------------ rows */

static sums open_sums(cohort_strategy *strategy, int64_t bytes)
{
    sums s = { .n = bytes / (int64_t)sizeof(float),
               .s = strategy,
               .from = malloc((size_t)bytes),
               .to = malloc((size_t)bytes) };
    if (s.from == NULL || s.to == NULL)
        exit(1);
    s.x = cohort_value_from_function(strategy, fill, &s);
    s.total = cohort_value_create(strategy);
    must(s.x != NULL && s.total != NULL, "values");
    return s;
}

static void close_sums(sums *s)
{
    cohort_value_destroy(s->x);
    cohort_value_destroy(s->total);
    free(s->from);
    free(s->to);
}

/* Two contributions: the same two processes by MPI alone. */
static void row_of_two(cohort_strategy *strategy, int64_t bytes, int rank)
{
    char row[ROWS_TEXT];
    sums s = open_sums(strategy, bytes);
    check_cohort(&s, 2);
    check_mpi(&s, rank, 2);
    const turns_side sides[] = {
        { "MPI_Allreduce", "2 ranks", all_reduce, .bench = &s, .is_limit = true },
        { "cohort_reduce", "2 workers of 1 replica", reduce, wait_for_sum, .bench = &s },
    };
    team_row(rows_sum(row, "float32", 2, bytes), sides, 2);
    close_sums(&s);
}

/* Four contributions, a core for two of them. */
static void row_of_four(cohort_strategy *strategy, int64_t bytes)
{
    char row[ROWS_TEXT];
    sums s = open_sums(strategy, bytes);
    check_cohort(&s, 4);
    const turns_side sides[] = {
        { "cohort_reduce", "2 workers of 2 replicas", reduce, wait_for_sum, .bench = &s },
    };
    team_row(rows_sum(row, "float32", 4, bytes), sides, 1);
    close_sums(&s);
}

static cohort_strategy *open_strategy(cohort_resolver *workers, int replicas)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .name = "multi-worker-mirrored",
                                                           .devices = "host:0",
                                                           .replicas = replicas,
                                                           .resolver = workers });
    must(s != NULL, "a strategy");
    return s;
}

static bool is_measured(int64_t bytes)
{
    return bytes <= (turns_are_tiny() ? 1 << 20 : 64 << 20);
}

int main(int argc, char **argv)
{
    int rank, size;
    team_begin(&argc, &argv, &rank, &size);
    if (size != 2) {
        fprintf(stderr, "bench/cluster: it is for two processes of mpirun\n");
        return 1;
    }
    cohort_resolver *workers = cohort_resolver_mpi((int32_t)MPI_Comm_c2f(MPI_COMM_WORLD));
    must(workers != NULL, "a resolver");
    cohort_strategy *two = open_strategy(workers, 2), *four = open_strategy(workers, 4);
    if (rank == 0)
        turns_table(ROWS_SUMS_ACROSS);
    for (int i = 0; i < ROWS_SIZES; i++)
        if (is_measured(rows_sizes[i]))
            row_of_two(two, rows_sizes[i], rank);
    for (int i = 0; i < ROWS_SIZES; i++)
        if (is_measured(rows_sizes[i]) && rows_sizes[i] >= ROWS_LARGE)
            row_of_four(four, rows_sizes[i]);
    cohort_strategy_destroy(four);
    cohort_strategy_destroy(two);
    cohort_resolver_destroy(workers);
    MPI_Finalize();
    return 0;
}
