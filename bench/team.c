/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/team.h"

#include <mpi.h>

#include <unistd.h>

enum { TAG = 1, NAP_US = 500, MOST_SIDES = 16, END = -1 };

/* A side as the first process times it. */
typedef struct member {
    const turns_side *side;
    int number;
} member;

void team_begin(int *argc, char ***argv, int *rank, int *size)
{
    int level;
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
}

/* ------------------------------------------------------------------ the first process */

static void tell(int number, int calls)
{
    int what[2] = { number, calls }, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int rank = 1; rank < size; rank++)
        MPI_Send(what, 2, MPI_INT, rank, TAG, MPI_COMM_WORLD);
}

static void begin(void *user, int calls)
{
    tell(((const member *)user)->number, calls);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void call(void *user)
{
    const turns_side *side = ((const member *)user)->side;
    side->call(side->bench);
}

static void finish(void *user)
{
    const turns_side *side = ((const member *)user)->side;
    if (side->finish != NULL)
        side->finish(side->bench);
}

static void lead(const char *row, const turns_side sides[], int n)
{
    member members[MOST_SIDES];
    turns_side all[MOST_SIDES];
    for (int i = 0; i < n; i++) {
        members[i] = (member){ &sides[i], i };
        all[i] = sides[i];
        all[i].begin = begin;
        all[i].call = call;
        all[i].finish = finish;
        all[i].bench = &members[i];
    }
    turns_row(row, all, n);
    tell(END, 0);
}

/* ------------------------------------------------------------------ the others */

/* Who waits in MPI spins, and takes a core from whoever is being timed. */
static void hear(int what[2])
{
    int is_there = 0;
    while (!is_there) {
        MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
        if (!is_there)
            (void)usleep(NAP_US);
    }
    MPI_Recv(what, 2, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void follow(const turns_side sides[])
{
    int what[2];
    for (hear(what); what[0] != END; hear(what)) {
        const turns_side *side = &sides[what[0]];
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < what[1]; i++)
            side->call(side->bench);
        if (side->finish != NULL)
            side->finish(side->bench);
    }
}

void team_row(const char *row, const turns_side sides[], int n)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        lead(row, sides, n < MOST_SIDES ? n : MOST_SIDES);
    else
        follow(sides);
}
