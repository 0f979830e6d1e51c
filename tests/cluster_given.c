/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that speaks MPI itself and hands over a communicator; one process of
 * tests/cluster_mpi.t. It says nothing when all is well. */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By this thread alone, for which MPI was initialised; also in a step function. */
static cohort_status add_ones(cohort_replica *me, void *user)
{
    cohort_value *const one = user;
    float mine = 1;
    (void)cohort_replica_set(me, one, COHORT_ARRAY(&mine, 1));
    return cohort_all_reduce(me, COHORT_SUM, &one, 1);
}

static void train(cohort_resolver *r)
{
    cohort_strategy *s = cohort_multi_worker_mirrored(r, "host:0");
    float sum = 0;
    must(s != NULL, "the cluster has a strategy");
    cohort_value *total = cohort_value_create(s), *one = cohort_value_create(s);
    must(cohort_reduce(COHORT_SUM, COHORT_REPEATED(1.0F), COHORT_NO_AXIS, total) == COHORT_OK &&
             cohort_for_each_replica(s, add_ones, one) == COHORT_OK &&
             cohort_value_read(one, COHORT_ARRAY(&sum, 1)) == COHORT_OK &&
             sum == (float)((size + 1) / 2),
         "it reduces over its workers");
    cohort_strategy_destroy(s);
}

/* Half of the ranks, the others have no part in it; and messages of the program with any tag. */
static void half(void)
{
    MPI_Comm group;
    MPI_Errhandler before, after;
    int in_half = rank < (size + 1) / 2, one = 1, sum = 0, place;
    (void)MPI_Comm_split(MPI_COMM_WORLD, in_half ? 1 : MPI_UNDEFINED, -rank, &group);
    if (in_half) {
        (void)MPI_Comm_rank(group, &place);
        (void)MPI_Comm_get_errhandler(group, &before);
        cohort_resolver *r = cohort_resolver_mpi(MPI_Comm_c2f(group));
        must(r != NULL && cohort_resolver_num_tasks(r, "worker") == (size + 1) / 2 &&
                 cohort_resolver_task_id(r) == place,
             "half of the ranks are a cluster, in the order of their communicator");
        (void)MPI_Comm_get_errhandler(group, &after);
        must(before == after, "the communicator has the handler that it had");
        train(r);
        (void)MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, group);
        must(sum == (size + 1) / 2, "the program's own messages go on");
        (void)MPI_Comm_free(&group);
        must(cohort_resolver_num_tasks(r, "worker") == (size + 1) / 2,
             "the resolver outlives the communicator that it was given");
        cohort_resolver_destroy(r);
    }
    (void)MPI_Barrier(MPI_COMM_WORLD);
}

static void between_groups(void)
{
    MPI_Comm local, inter;
    int side = rank % 2;
    if (size < 2)
        return;
    (void)MPI_Comm_split(MPI_COMM_WORLD, side, rank, &local);
    (void)MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - side, 3, &inter);
    must(cohort_resolver_mpi(MPI_Comm_c2f(inter)) == NULL &&
             strstr(cohort_error_text(), "inter-communicator") != NULL,
         "an inter-communicator is refused");
    must(cohort_resolver_mpi(MPI_Comm_c2f(MPI_COMM_NULL)) == NULL &&
             strstr(cohort_error_text(), "no communicator of this MPI") != NULL,
         "and so is none");
    (void)MPI_Comm_free(&inter);
    (void)MPI_Comm_free(&local);
}

static void *join(void *unused)
{
    (void)unused;
    must(cohort_resolver_mpi(COHORT_MPI_WORLD) == NULL &&
             strstr(cohort_error_text(), "main thread") != NULL,
         "MPI is not called by a thread that it was not initialised for");
    return NULL;
}

static void other_thread(void)
{
    pthread_t thread;
    int provided;
    (void)MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_SERIALIZED)
        must(pthread_create(&thread, NULL, join, NULL) == 0 && pthread_join(thread, NULL) == 0,
             "there is a thread");
}

/* By whichever thread comes last, where a worker has several devices: the main thread may be it on
 * both, which goes well with every level. */
static void on_two_devices(cohort_resolver *r, bool is_serialized)
{
    cohort_strategy *s = cohort_multi_worker_mirrored(r, "host:0/2");
    must(s != NULL, "a strategy of two devices for each worker");
    cohort_value *one = cohort_value_create(s), *sum = cohort_value_create(s);
    cohort_status status = cohort_for_each_replica(s, add_ones, one);
    must(status == COHORT_OK || (!is_serialized && status == COHORT_EINVAL),
         "and its step function");
    must(status == COHORT_OK || strstr(cohort_error_text(), "below MPI_THREAD_SERIALIZED") != NULL,
         "which is refused for a reason");
    must(cohort_strategy_recover(s) == COHORT_OK, "all go on");
    must(cohort_reduce(COHORT_SUM, COHORT_REPEATED(1.0F), COHORT_NO_AXIS, sum) == COHORT_OK &&
             cohort_value_scalar(sum) == 2 * size,
         "outside of step functions it reduces");
    cohort_strategy_destroy(s);
}

/* MPI was initialised for so many threads. */
static void threads(int provided)
{
    cohort_resolver *r = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(r != NULL, "all are a cluster");
    on_two_devices(r, provided >= MPI_THREAD_SERIALIZED);
    other_thread();
    cohort_resolver_destroy(r);
    (void)MPI_Finalize();
}

static int level_of(const char *name)
{
    return strcmp(name, "single") == 0     ? MPI_THREAD_SINGLE
           : strcmp(name, "funneled") == 0 ? MPI_THREAD_FUNNELED
                                           : MPI_THREAD_SERIALIZED;
}

/* Another launcher has started all, and sets no variable of an mpirun. */
static void launched(void)
{
    const cohort_job_tasks jobs[] = { { rank == 1 ? "wroker" : "worker", size } };
    (void)unsetenv("OMPI_COMM_WORLD_SIZE");
    (void)unsetenv("PMI_SIZE");
    cohort_resolver *r = cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, jobs, 1);
    must(r != NULL || strstr(cohort_error_text(), "'wroker'") != NULL, "it is told what is wrong");
    must(r == NULL || (cohort_multi_worker_mirrored(r, "host") == NULL &&
                       strstr(cohort_error_text(), "'wroker'") != NULL),
         "and so are the others");
    cohort_resolver_destroy(r);
}

/* cluster_given [world | launched | alone | threads LEVEL] */
/* Without an mpirun: whether, and how, MPI is initialised is this program's. */
static void alone(void)
{
    const cohort_job_tasks jobs[] = { { "wurker", 2 } };
    int is_initialised = 0;
    must(cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, jobs, 1) == NULL, "there is no such job");
    (void)MPI_Initialized(&is_initialised);
    must(!is_initialised, "what is refused has no effect");
}

/* Rank 1 has MPI, and does not come; the others come one after the other. */
static void late(void)
{
    if (rank == 1)
        (void)sleep(30);
    (void)usleep((useconds_t)rank * 300000);
    must(cohort_resolver_mpi(COHORT_MPI_WORLD) == NULL, "somebody who is late is noticed");
    printf("told: %s\n", cohort_error_text());
    (void)fflush(stdout);
    (void)sleep(2); /* mpirun ends all when one has ended so */
    _exit(3);
}

int main(int argc, char **argv)
{
    int provided;
    if (argc > 1 && strcmp(argv[1], "alone") == 0) {
        alone();
        return 0;
    }
    (void)MPI_Init_thread(&argc, &argv, argc > 2 ? level_of(argv[2]) : MPI_THREAD_SINGLE,
                          &provided);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2) {
        threads(provided);
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "late") == 0)
        late();
    if (argc > 1 && strcmp(argv[1], "world") == 0) {
        must(cohort_resolver_mpi(COHORT_MPI_WORLD) == NULL, "the world is another MPI's");
        printf("told: %s\n", cohort_error_text());
        (void)MPI_Finalize();
        return 0;
    }
    if (argc > 1) {
        launched();
        (void)MPI_Finalize();
        return 0;
    }
    half();
    between_groups();
    other_thread();
    cohort_resolver *r = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(r != NULL && cohort_resolver_num_tasks(r, "worker") == size, "all are one, too");
    (void)MPI_Finalize();
    must(cohort_resolver_task_id(r) == rank, "what is known is known after MPI's end");
    cohort_resolver_destroy(r);
    must(cohort_resolver_mpi(COHORT_MPI_WORLD) == NULL &&
             strstr(cohort_error_text(), "MPI was finalised") != NULL,
         "after its end MPI does not begin again");
    return 0;
}
