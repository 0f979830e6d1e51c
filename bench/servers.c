/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a table on a parameter server, beside the same by MPI, in turns. Started by mpirun as
 * three processes: a worker, which times and prints; a server; and one that serves by hand, and
 * sleeps while the other one is timed. */
#include "bench/must.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 100000, WIDTH = 32, MOST_IDS = 256, MOST_TURNS = 15, HAND = 2, NAP_NS = 500000 };

/* What the worker asks the one by hand. */
enum { GATHER = 1, ADD, SLEEP, END };

typedef struct asked {
    cohort_strategy *strategy;
    cohort_variable *table;
    cohort_value *found;
    int64_t n, ids[MOST_IDS];
    float rows[MOST_IDS][WIDTH];
} asked;

/* ------------------------------------------------------------------ calls */

static void gather(asked *a)
{
    must(cohort_variable_gather(a->table, COHORT_ARRAY(a->ids, a->n), a->found) == COHORT_OK,
         "a gather");
}

static void add(asked *a)
{
    must(cohort_variable_scatter_add(a->table, COHORT_ARRAY(a->ids, a->n),
                                     COHORT_ARRAY(&a->rows[0][0], a->n, WIDTH)) == COHORT_OK,
         "a scatter");
}

static void gather_by_hand(asked *a)
{
    MPI_Send(a->ids, (int)a->n, MPI_INT64_T, HAND, GATHER, MPI_COMM_WORLD);
    MPI_Recv(a->rows, (int)a->n * WIDTH, MPI_FLOAT, HAND, GATHER, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

/* Answered, as ours is: who asks knows that it is done. */
static void add_by_hand(asked *a)
{
    int done;
    MPI_Send(a->ids, (int)a->n, MPI_INT64_T, HAND, ADD, MPI_COMM_WORLD);
    MPI_Send(a->rows, (int)a->n * WIDTH, MPI_FLOAT, HAND, ADD, MPI_COMM_WORLD);
    MPI_Recv(&done, 1, MPI_INT, HAND, ADD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void tell_hand(int what)
{
    MPI_Send(NULL, 0, MPI_INT64_T, HAND, what, MPI_COMM_WORLD);
}

/* ------------------------------------------------------------------ serving by hand */

static int next_request(bool *is_asleep, int64_t ids[MOST_IDS], int *out_n)
{
    int is_there = !*is_asleep;
    MPI_Status status;
    while (!is_there) {
        MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
        if (!is_there)
            (void)nanosleep(&(struct timespec){ 0, NAP_NS }, NULL);
    }
    MPI_Recv(ids, MOST_IDS, MPI_INT64_T, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT64_T, out_n);
    *is_asleep = status.MPI_TAG == SLEEP;
    return status.MPI_TAG;
}

static void serve_by_hand(void)
{
    static float rows[MOST_IDS][WIDTH];
    float(*table)[WIDTH] = calloc(ROWS, sizeof *table);
    int64_t ids[MOST_IDS];
    bool is_asleep = true;
    int n, what, done = 1;
    if (table == NULL)
        exit(1);
    while ((what = next_request(&is_asleep, ids, &n)) != END) {
        if (what == ADD)
            MPI_Recv(rows, n * WIDTH, MPI_FLOAT, 0, ADD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < WIDTH; k++)
                if (what == ADD)
                    table[ids[i]][k] += rows[i][k];
                else
                    rows[i][k] = table[ids[i]][k];
        if (what == GATHER)
            MPI_Send(rows, n * WIDTH, MPI_FLOAT, 0, GATHER, MPI_COMM_WORLD);
        else if (what == ADD)
            MPI_Send(&done, 1, MPI_INT, 0, ADD, MPI_COMM_WORLD);
    }
    free(table);
}

/* ------------------------------------------------------------------ timing */

static double time_batch(void (*call)(asked *), asked *a, int calls)
{
    for (int i = 0; i < calls / 4 + 1; i++)
        call(a);
    double start = turns_now();
    for (int i = 0; i < calls; i++)
        call(a);
    must(cohort_wait(a->strategy) == COHORT_OK, "a batch");
    return (turns_now() - start) / calls;
}

static void row(asked *a, const char *what, void (*ours)(asked *), void (*theirs)(asked *))
{
    double mine[MOST_TURNS], by_hand[MOST_TURNS];
    int turns = turns_are_tiny()    ? 1
                : turns_are_quick() ? 9
                                    : MOST_TURNS,
        calls = turns_are_tiny() ? 1 : 200;
    char name[64];
    for (int i = 0; i < turns; i++) {
        mine[i] = time_batch(ours, a, calls);
        by_hand[i] = time_batch(theirs, a, calls);
        tell_hand(SLEEP);
    }
    (void)snprintf(name, sizeof name, "%s of %d rows of 128 B", what, (int)a->n);
    double limit = turns_median(by_hand, turns);
    turns_put(name, "by hand", "MPI_Send and MPI_Recv, one server", "s", by_hand, turns, limit);
    turns_put(name, "cohort", "one worker, one server", "s", mine, turns, limit);
}

static void work(cohort_resolver *cluster)
{
    static asked a;
    cohort_array zeros = { .dtype = COHORT_F32, .rank = 2, .shape = { ROWS, WIDTH } };
    a.strategy = cohort_strategy_create(&(cohort_strategy_options){
        .name = "parameter-server", .resolver = cluster, .devices = "host:0" });
    a.table = cohort_variable_create(a.strategy, "table", zeros, NULL);
    a.found = cohort_value_create(a.strategy);
    must(a.table != NULL && a.found != NULL, "a table");
    for (int i = 0; i < MOST_IDS; i++)
        a.ids[i] = (int64_t)i * (ROWS / MOST_IDS);
    turns_table("Rows of a table on a parameter server");
    for (a.n = 1; a.n <= MOST_IDS; a.n *= 16) {
        row(&a, "a gather", gather, gather_by_hand);
        row(&a, "a scatter", add, add_by_hand);
    }
    cohort_strategy_destroy(a.strategy);
    tell_hand(END);
}

int main(int argc, char **argv)
{
    static const cohort_job_tasks jobs[] = { { "worker", 1 }, { "ps", 1 } };
    MPI_Comm pair;
    int level, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    must(size == HAND + 1, "three processes of mpirun");
    MPI_Comm_split(MPI_COMM_WORLD, rank < HAND ? 0 : MPI_UNDEFINED, rank, &pair);
    if (rank == HAND) {
        serve_by_hand();
    } else {
        cohort_resolver *cluster = cohort_resolver_mpi_jobs((int32_t)MPI_Comm_c2f(pair), jobs, 2);
        must(cluster != NULL, "a cluster");
        if (rank == 0)
            work(cluster);
        else
            must(cohort_server_run(cluster, NULL) == COHORT_OK, "a server");
        cohort_resolver_destroy(cluster);
        MPI_Comm_free(&pair);
    }
    MPI_Finalize();
    return 0;
}
