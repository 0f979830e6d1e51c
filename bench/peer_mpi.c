/* SPDX-License-Identifier: BSD-3-Clause */
/* A peer (bench/peers.h): MPI_Allreduce of two ranks, in place. `bench/run` compiles it with mpicc and starts it with mpirun.
 * Rank 0 answers; rank 1 sleeps until rank 0 says what to do. */
#include "bench/rows.h"
#include "bench/serve.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 1, NAP_US = 500 };

/* In place, from zeros: the sum stays what it is. Both ranks call it. */
static double time_sums(long bytes, long calls)
{
    int n = (int)(bytes / (long)sizeof(float));
    float *x = calloc((size_t)n, sizeof *x);
    if (x == NULL)
        return -1;
    memset(x, 0, (size_t)bytes); /* every page is there */
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (long i = 0; i < calls; i++)
        MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    free(x);
    return seconds;
}

static double ask_both(long bytes, long calls)
{
    long what[2] = { bytes, calls };
    MPI_Send(what, 2, MPI_LONG, 1, TAG, MPI_COMM_WORLD);
    return time_sums(bytes, calls);
}

/* A rank that waits in MPI spins, and takes a core from whoever is being timed. */
static void follow(void)
{
    long what[2] = { 0, 1 };
    while (what[1] > 0) {
        int is_there = 0;
        while (!is_there) {
            MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
            if (!is_there)
                usleep(NAP_US);
        }
        MPI_Recv(what, 2, MPI_LONG, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (what[1] > 0)
            (void)time_sums(what[0], what[1]);
    }
}

int main(int argc, char **argv)
{
    static char rows[ROWS_SIZES][ROWS_TEXT], version[MPI_MAX_LIBRARY_VERSION_STRING];
    serve_side sides[ROWS_SIZES];
    int rank, length, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n\t")] = '\0';
    for (int i = 0; i < ROWS_SIZES; i++)
        sides[i] = (serve_side){ ROWS_SUMS,
                                 rows_sum(rows[i], "float32", 2, rows_sizes[i]),
                                 "MPI_Allreduce, in place",
                                 version,
                                 ask_both,
                                 rows_sizes[i] };
    if (rank == 0) {
        long end[2] = { 0, 0 };
        status = serve(sides, ROWS_SIZES);
        MPI_Send(end, 2, MPI_LONG, 1, TAG, MPI_COMM_WORLD);
    } else {
        follow();
    }
    MPI_Finalize();
    return status;
}
