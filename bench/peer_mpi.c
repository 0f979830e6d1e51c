/* SPDX-License-Identifier: BSD-3-Clause */
/* A peer (bench/peers.h): MPI_Allreduce of two ranks, in place, beside sums of one process; of
 * four, beside sums over two. `bench/run` compiles it with mpicc and starts it with mpirun. Rank 0
 * answers; the others sleep until rank 0 says what to do. */
#include "bench/rows.h"
#include "bench/serve.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 1, NAP_US = 500 };

/* In place, from zeros: the sum stays what it is. All ranks call it. */
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

static void tell(long bytes, long calls)
{
    long what[2] = { bytes, calls };
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int rank = 1; rank < size; rank++)
        MPI_Send(what, 2, MPI_LONG, rank, TAG, MPI_COMM_WORLD);
}

static double ask_all(long bytes, long calls)
{
    tell(bytes, calls);
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

/* Returns how many there are. */
static int make_sides(int size, const char *version, serve_side sides[ROWS_SIZES])
{
    static char rows[ROWS_SIZES][ROWS_TEXT], how[MPI_MAX_LIBRARY_VERSION_STRING + 20];
    const char *table = size == 2 ? ROWS_SUMS : ROWS_SUMS_ACROSS;
    int n = 0;
    (void)snprintf(how, sizeof how, "%s, %d ranks", version, size);
    for (int i = 0; i < ROWS_SIZES; i++)
        if (size == 2 || rows_sizes[i] >= ROWS_LARGE) {
            sides[n] = (serve_side){ table,
                                     rows_sum(rows[n], "float32", size, rows_sizes[i]),
                                     "MPI_Allreduce, in place",
                                     how,
                                     ask_all,
                                     rows_sizes[i] };
            n++;
        }
    return n;
}

int main(int argc, char **argv)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    serve_side sides[ROWS_SIZES];
    int rank, size, length, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n\t")] = '\0';
    if (rank == 0) {
        status = serve(sides, make_sides(size, version, sides));
        tell(0, 0);
    } else {
        follow();
    }
    MPI_Finalize();
    return status;
}
