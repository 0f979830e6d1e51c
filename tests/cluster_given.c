/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that speaks MPI itself and hands over a communicator; one process of tests/cluster_mpi.t.
 * It says nothing when all is well. */
#include "tests/cluster_process.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>

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

int main(int argc, char **argv)
{
    (void)MPI_Init(&argc, &argv);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
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
