/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages without bytes, in the group that the program has handed over: no other is there before
 * all have come. Who calls the roll asks all; who waits looks for questions, with a tag that no
 * program is likely to use, and answers. */
#include "config.h"

#include "plugins/mpi/roll.h"

#include "plugins/mpi/engine.h"

#include <stdio.h>
#include <time.h>

enum { ASKS = 32719, ANSWERS }; /* below the least MPI_TAG_UB: MPI 3.1, section 8.1.2 */

static const uint64_t patience_ns = 1000000000;

void mpi_roll_begin(mpi_roll *r, MPI_Comm group)
{
    *r = (mpi_roll){ .group = group };
    (void)MPI_Comm_rank(group, &r->rank);
    (void)MPI_Comm_size(group, &r->size);
}

static void send_to(const mpi_roll *r, int to, int tag)
{
    MPI_Request request;
    if (MPI_Isend(NULL, 0, MPI_BYTE, to, tag, r->group, &request) == MPI_SUCCESS)
        (void)MPI_Request_free(&request);
}

/* One message, where there is one; who has sent it has come. */
static bool take(mpi_roll *r, int tag)
{
    int is_there = 0, bytes = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, tag, r->group, &is_there, &status) != MPI_SUCCESS || !is_there ||
        MPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes != 0)
        return false;
    (void)MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, tag, r->group, MPI_STATUS_IGNORE);
    r->has_come[status.MPI_SOURCE] = true;
    if (tag == ASKS)
        send_to(r, status.MPI_SOURCE, ANSWERS);
    return true;
}

void mpi_roll_answer(mpi_roll *r)
{
    if (r->size <= MPI_ROLL_MOST)
        (void)take(r, ASKS);
}

static void list_absent(const mpi_roll *r, char *out, size_t bytes)
{
    size_t length = 0;
    for (int i = 0; i < r->size && length < bytes; i++)
        if (!r->has_come[i])
            length += (size_t)snprintf(out + length, bytes - length, "%srank %d of %d",
                                       length > 0 ? ", " : "", i, r->size);
}

void mpi_roll_call(mpi_roll *r, char *out, size_t bytes)
{
    const struct timespec nap = { 0, 1000000 };
    const uint64_t end_ns = mpi_engine_now_ns() + patience_ns;
    out[0] = '\0';
    if (r->size > MPI_ROLL_MOST)
        return;
    r->has_come[r->rank] = true;
    for (int i = 0; i < r->size; i++)
        if (!r->has_come[i])
            send_to(r, i, ASKS);
    while (mpi_engine_now_ns() < end_ns) {
        while (take(r, ASKS) || take(r, ANSWERS)) {
        }
        (void)nanosleep(&nap, NULL);
    }
    list_absent(r, out, bytes);
}
