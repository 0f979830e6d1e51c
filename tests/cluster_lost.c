/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of tests/cluster_mpi.t, in which worker 1 stands in the middle of an exchange, and
 * goes on when the others have given it up: what it sends then arrives, in memory that is still
 * there. Says "kept: ..." when all is as it should be.
 *
 *   cluster_lost sum|function|gather|halo|broadcast|scatter|variable */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#pragma GCC visibility push(default)
/* MPI itself forgets memory, so that nothing is looked for but when the test asks. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "leak_check_at_exit=0";
}
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* ------------------------------------------------------------------ who stands */

/* A message so large that no engine takes it without the other side. */
enum { ROWS = 4, LARGE = 1 << 20, MOST = 8 };

static int is_armed;

static void stand(int bytes)
{
    if (is_armed && rank == 1 && bytes >= LARGE) {
        is_armed = 0;
        (void)kill(getpid(), SIGSTOP);
    }
}

/* What MPI_Isend and MPI_Irecv are for the communicator's plugin (MPI 3.1, 14.2). */
int MPI_Isend(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    stand(n);
    return PMPI_Isend(from, n, type, to, tag, comm, request);
}

int MPI_Irecv(void *into, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    stand(n);
    return PMPI_Irecv(into, n, type, from, tag, comm, request);
}
#pragma GCC visibility pop

/* ------------------------------------------------------------------ what is exchanged */

static float *ones; /* [ROWS * LARGE] */

static cohort_value *rows_of_all(cohort_strategy *s)
{
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, ROWS * size, LARGE / size));
    must(x != NULL, "there are rows");
    return x;
}

static cohort_status sum(cohort_strategy *s)
{
    return cohort_reduce(COHORT_SUM, rows_of_all(s), COHORT_NO_AXIS, cohort_value_create(s));
}

COHORT_FUNCTION(add, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] += in[i];
}

static cohort_status function(cohort_strategy *s)
{
    return cohort_reduce_with(0, rows_of_all(s), &(cohort_reduce_options){ .combine = add },
                              cohort_value_create(s));
}

static cohort_status gather(cohort_strategy *s)
{
    return cohort_gather(rows_of_all(s), 0, cohort_value_create(s));
}

static cohort_status halo(cohort_strategy *s)
{
    return cohort_halo(rows_of_all(s), 2, COHORT_EDGE_PERIODIC, cohort_value_create(s));
}

static cohort_status send_of_one(cohort_replica *me, void *x)
{
    return cohort_replica_broadcast(me, x, 1);
}

static cohort_status broadcast(cohort_strategy *s)
{
    return cohort_for_each_replica(s, send_of_one, rows_of_all(s));
}

static cohort_status variable(cohort_strategy *s)
{
    return cohort_variable_create(s, "v", COHORT_ARRAY(ones, ROWS, LARGE), NULL) != NULL
               ? COHORT_OK
               : cohort_strategy_status(s);
}

static cohort_status scatter(cohort_strategy *s)
{
    static int32_t ids[ROWS * MOST];
    is_armed = 0;
    cohort_variable *v =
        cohort_variable_create(s, "v", COHORT_ARRAY((float *)NULL, ROWS, LARGE / size), NULL);
    is_armed = 1;
    return cohort_variable_scatter_add(v, cohort_value_split(s, COHORT_ARRAY(ids, ROWS * size)),
                                       rows_of_all(s));
}

/* ------------------------------------------------------------------ being given up */

/* All that was begun arrives before the first barrier is over. Worker 1 may be late in standing, so
 * it is woken again and again; after the second barrier no more, for a leak checker stops the
 * threads of its process by SIGSTOP, which a SIGCONT takes back, and then waits for ever. */
static void drive_to_end(pid_t standing)
{
    MPI_Request barrier;
    int is_over = 0;
    (void)MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!is_over) {
        if (rank == 0)
            (void)kill(standing, SIGCONT);
        (void)usleep(1000);
        (void)MPI_Test(&barrier, &is_over, MPI_STATUS_IGNORE);
    }
    (void)MPI_Barrier(MPI_COMM_WORLD);
}

static void check(const char *name, cohort_status (*exchange)(cohort_strategy *s),
                  cohort_resolver *workers)
{
    long pids[MOST] = { 0 }, pid = (long)getpid();
    must(MPI_Allgather(&pid, 1, MPI_LONG, pids, 1, MPI_LONG, MPI_COMM_WORLD) == MPI_SUCCESS,
         "all know the process of each");
    cohort_strategy *s = cohort_multi_worker_mirrored(workers, "host:0");
    must(s != NULL, "there is a strategy");
    is_armed = 1;
    cohort_status status = exchange(s);
    if (status >= 0) /* who had all that it needs is told by the next call */
        status = cohort_reduce(COHORT_MEAN, 1.0F, COHORT_NO_AXIS, cohort_value_create(s));
    must(rank == 1 || status == COHORT_ELOST, "worker 1 is lost");
    must(rank != 0 || strstr(cohort_error_text(), "worker 1 of") != NULL, "and named");
    cohort_strategy_destroy(s);
    drive_to_end((pid_t)pids[1]);
    if (__lsan_do_recoverable_leak_check != NULL) /* tests/cluster_mpi.t reads what it finds */
        (void)__lsan_do_recoverable_leak_check();
    printf("kept: %d: %s\n", rank, name);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        cohort_status (*exchange)(cohort_strategy *s);
    } all[] = { { "sum", sum },          { "function", function },   { "gather", gather },
                { "halo", halo },        { "broadcast", broadcast }, { "scatter", scatter },
                { "variable", variable } };
    const char *name = argc == 2 ? argv[1] : "";
    int level;
    (void)MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    must(size > 1 && size <= MOST, "there are 2 to 8 processes");
    ones = calloc((size_t)ROWS * LARGE, sizeof *ones);
    cohort_resolver *workers = cohort_resolver_mpi(MPI_Comm_c2f(MPI_COMM_WORLD));
    must(ones != NULL && workers != NULL, "there is a cluster");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            check(name, all[i].exchange, workers);
    fflush(stdout);
    (void)MPI_Barrier(MPI_COMM_WORLD);
    _exit(3); /* after a loss MPI is not finalised */
}
