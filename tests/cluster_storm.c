/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_storm.t starts by mpirun: they begin, add up small and
 * large values, read data, pause, and begin anew, until something happens. One of them is killed or
 * stopped after a number of microseconds, wherever it is then; to the others that is an error, which
 * they tell, and end.
 *
 *   cluster_storm SIGNAL VICTIM MICROSECONDS MARK   MARK: for others to find the process by */
#include "config.h"

#include <cohort/cohort.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 40, ROUNDS = 400, BATCH = 64, LARGE = 1 << 18 };

static volatile sig_atomic_t fate;
static int rank;

static void meet_fate(int number)
{
    (void)number;
    (void)kill(getpid(), fate);
}

/* Before MPI begins, so that it may happen in there, too. */
static void arm(long microseconds)
{
    struct itimerval when = { .it_value = { microseconds / 1000000, microseconds % 1000000 } };
    (void)signal(SIGALRM, meet_fate);
    (void)setitimer(ITIMER_REAL, &when, NULL);
}

/* As mpirun says it, which is known before MPI begins. */
static int own_rank(void)
{
    const char *rank_of = getenv("OMPI_COMM_WORLD_RANK");
    rank_of = rank_of != NULL ? rank_of : getenv("PMI_RANK");
    return rank_of != NULL ? atoi(rank_of) : -1;
}

COHORT_FUNCTION(halve, (int64_t n, const int64_t x[n], COHORT_OUT int64_t y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] / 2;
}

static cohort_status pause_a_little(void)
{
    const struct timespec nap = { 0, 2000000 };
    (void)nanosleep(&nap, NULL);
    return COHORT_OK;
}

/* Every kind of step in turn. */
static cohort_status step(cohort_strategy *s, int number, cohort_input *input, cohort_value *small,
                          cohort_value *large)
{
    cohort_value *into = cohort_value_create(s), *y = cohort_value_create(s);
    cohort_status status = COHORT_OK;
    if (number % 4 == 0)
        status = pause_a_little();
    else if (number % 4 == 1)
        status = cohort_reduce(COHORT_SUM, small, COHORT_NO_AXIS, into);
    else if (number % 4 == 2)
        status = cohort_reduce(COHORT_MEAN, large, COHORT_NO_AXIS, into);
    else if ((status = cohort_run_next(s, halve, input, y)) == COHORT_OK)
        status = cohort_reduce(COHORT_SUM, y, 0, into);
    cohort_value_destroy(into);
    cohort_value_destroy(y);
    return status;
}

static cohort_status play(cohort_strategy *s)
{
    static float zeros[LARGE];
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_range(0, (int64_t)BATCH * STEPS, 1), BATCH, false));
    cohort_value *small = cohort_value_number(s, 1),
                 *large = cohort_value_plain(s, COHORT_ARRAY(zeros, LARGE));
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(zeros, 1000), NULL);
    cohort_status status = w != NULL ? COHORT_OK : cohort_strategy_status(s);
    for (int i = 0; i < STEPS && status == COHORT_OK; i++)
        status = step(s, i, input, small, large);
    return status;
}

static void tell(void)
{
    fprintf(stderr, "told: %d: %s\n", rank, cohort_error_text());
}

static cohort_status round_of(cohort_resolver *workers)
{
    cohort_strategy *s = cohort_multi_worker_mirrored(workers, "host:0");
    cohort_status status = s != NULL ? play(s) : COHORT_EINVAL;
    if (status < 0)
        tell();
    cohort_strategy_destroy(s);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    rank = own_rank();
    fate = strcmp(argv[1], "stop") == 0 ? SIGSTOP : SIGKILL;
    if (rank == atoi(argv[2]))
        arm(atol(argv[3]));
    cohort_resolver *workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    cohort_status status = workers != NULL ? COHORT_OK : COHORT_EINVAL;
    if (status < 0)
        tell();
    for (int i = 0; i < ROUNDS && status == COHORT_OK; i++)
        status = round_of(workers);
    cohort_resolver_destroy(workers);
    return status == COHORT_OK ? 0 : 1;
}
