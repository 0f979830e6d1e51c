/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_storm.t starts by mpirun: they begin, add up small and
 * large values, read data, pause, and begin anew, until something happens. One of them is killed or
 * stopped after a number of microseconds, wherever it is then; to the others that is an error,
 * which they tell, and end. With COHORT_JOBS some are parameter servers, and workers train over
 * these.
 *
 *   cluster_storm SIGNAL VICTIM MICROSECONDS MARK   MARK: for others to find the process by */
#include "config.h"

#include <cohort/cohort.h>

#include <signal.h>
#include <stdbool.h>
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
        status = cohort_reduce(COHORT_SUM, COHORT_REPEATED(small), COHORT_NO_AXIS, into);
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

/* ------------------------------------------------------------------ over servers */

COHORT_ITEMS(shrink, i, n, (int64_t n, float w[n]), { w[i] -= 0.5f * w[i]; });

typedef struct tables {
    cohort_variable *whole, *cut;
    cohort_value *rows, *found;
} tables;

/* Every kind of request in turn. */
static cohort_status ask(const tables *t, int number)
{
    static const int64_t ids[] = { 3, 0, LARGE / 4 - 1 };
    static float content[LARGE];
    switch (number % 6) {
    case 0:
        return pause_a_little();
    case 1:
        return cohort_variable_assign_add(t->whole, 1);
    case 2:
        return cohort_variable_gather(t->cut, COHORT_ARRAY(ids, 3), t->found);
    case 3:
        return cohort_variable_scatter_add(t->cut, COHORT_ARRAY(ids, 3), t->rows);
    case 4:
        return cohort_update(t->cut, shrink, t->cut);
    default:
        return cohort_variable_read(t->cut, COHORT_ARRAY(content, LARGE / 4, 4));
    }
}

static cohort_status play_over_servers(cohort_strategy *s)
{
    static const float ones[3][4] = { { 1 }, { 1 }, { 1 } };
    const cohort_placement three = cohort_placement_fixed_shards(3);
    const cohort_array zeros = { .dtype = COHORT_F32, .rank = 2, .shape = { LARGE / 4, 4 } };
    tables t = { .whole = cohort_variable_create(s, "w", COHORT_ARRAY(ones[0], 4), NULL),
                 .rows = cohort_value_plain(s, COHORT_ARRAY(&ones[0][0], 3, 4)),
                 .found = cohort_value_create(s) };
    t.cut =
        cohort_variable_create(s, "t", zeros, &(cohort_variable_options){ .placement = &three });
    cohort_status status = t.cut != NULL ? COHORT_OK : cohort_strategy_status(s);
    for (int i = 0; i < STEPS && status == COHORT_OK; i++)
        status = ask(&t, i);
    return status;
}

static cohort_status serve(cohort_resolver *tasks)
{
    static const cohort_function *const functions[] = { shrink, NULL };
    return cohort_server_run(tasks, &(cohort_server_options){ .functions = functions });
}

/* ------------------------------------------------------------------ rounds */

static void tell(void)
{
    fprintf(stderr, "told: %d: %s\n", rank, cohort_error_text());
}

static cohort_status train(cohort_resolver *tasks, bool is_served)
{
    cohort_strategy *s = is_served ? cohort_parameter_server(tasks, NULL)
                                   : cohort_multi_worker_mirrored(tasks, "host:0");
    cohort_status status = s == NULL ? COHORT_EINVAL : is_served ? play_over_servers(s) : play(s);
    if (status < 0)
        tell();
    cohort_strategy_destroy(s);
    return status;
}

static cohort_status round_of(cohort_resolver *tasks)
{
    bool is_served = cohort_resolver_num_tasks(tasks, "ps") > 0;
    if (!is_served || strcmp(cohort_resolver_task_type(tasks), "worker") == 0)
        return train(tasks, is_served);
    cohort_status status = serve(tasks);
    if (status < 0)
        tell();
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
    cohort_resolver *tasks = cohort_resolver_mpi(COHORT_MPI_WORLD);
    cohort_status status = tasks != NULL ? COHORT_OK : COHORT_EINVAL;
    if (status < 0)
        tell();
    for (int i = 0; i < ROUNDS && status == COHORT_OK; i++)
        status = round_of(tasks);
    cohort_resolver_destroy(tasks);
    return status == COHORT_OK ? 0 : 1;
}
