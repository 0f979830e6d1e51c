/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges: what was begun, as requests of MPI.
 *
 * MPI counts in int, so what is longer goes in pieces, each of which is a request. They are matched
 * in the order in which both sides begin them, which the standard promises for one pair and tag,
 * and for collectives of one communicator. */
#include "config.h"

#include "plugins/mpi/communicator.h"
#include "plugins/mpi/engine.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 30 };

struct cohort_exchange {
    cohort_comm *comm;
    cohort_exchange *next; /* of those that are spare */
    const char *what;      /* for messages */
    int32_t peer;          /* the other rank; -1: all */
    int64_t bytes;         /* of a receive, which has one request for each piece; -1: no receive */
    uint64_t *out_bytes;   /* of a receive of at most so many; else NULL */
    int *counts;           /* of a gather, two for each rank; MPI reads them until it is over */
    int n, room;
    MPI_Request requests[]; /* [room], of which n were begun */
};

/* The last piece is always shorter than a whole one, so that a message which is longer than it
 * should be never fits. */
static uint64_t pieces_of(uint64_t bytes)
{
    return bytes / PIECE_BYTES + 1;
}

static int length_of(uint64_t bytes, uint64_t piece)
{
    uint64_t left = bytes - piece * PIECE_BYTES;
    return (int)(left < PIECE_BYTES ? left : PIECE_BYTES);
}

static cohort_exchange *allocate(uint64_t n)
{
    return n <= INT_MAX ? malloc(sizeof(cohort_exchange) + (size_t)n * sizeof(MPI_Request)) : NULL;
}

/* Those of one request, which nearly all are, serve again. */
static cohort_exchange *take(cohort_comm *comm, uint64_t n)
{
    cohort_exchange *x = n == 1 ? comm->spare : NULL;
    if (x == NULL) {
        x = allocate(n);
        comm->singles += n == 1 && x != NULL;
        return x;
    }
    comm->spare = x->next;
    return x;
}

static void put(cohort_exchange *x)
{
    x->next = x->comm->spare;
    x->comm->spare = x;
}

cohort_status mpi_reserve(cohort_comm *comm, uint64_t n, cohort_error *err)
{
    for (; comm->singles < n; comm->singles++) {
        cohort_exchange *x = allocate(1);
        if (x == NULL)
            return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for %llu exchanges",
                               (unsigned long long)n);
        *x = (cohort_exchange){ .comm = comm, .room = 1 };
        put(x);
    }
    return COHORT_OK;
}

void mpi_free_spare(cohort_comm *comm)
{
    while (comm->spare != NULL)
        free(take(comm, 1));
}

static cohort_status create(cohort_comm *comm, const char *what, int32_t peer, uint64_t n,
                            cohort_exchange **out, cohort_error *err)
{
    cohort_exchange *x = take(comm, n);
    if (x == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for an exchange of %llu requests",
                           (unsigned long long)n);
    *x = (cohort_exchange){ .comm = comm, .what = what, .peer = peer, .bytes = -1, .room = (int)n };
    for (uint64_t i = 0; i < n; i++)
        x->requests[i] = MPI_REQUEST_NULL;
    *out = x;
    return COHORT_OK;
}

static void destroy(cohort_exchange *x)
{
    free(x->counts);
    x->counts = NULL;
    if (x->room == 1)
        put(x);
    else
        free(x);
}

/* Where one of several requests could not be begun the others are under way, for ever. */
static cohort_status begun(cohort_exchange *x, int code, cohort_exchange **out, cohort_error *err)
{
    if (code == MPI_SUCCESS) {
        *out = x;
        return COHORT_OK;
    }
    if (x->n == 0)
        destroy(x);
    return mpi_engine_check(code, "beginning an exchange", err);
}

/* ------------------------------------------------------------------ two ranks */

cohort_status mpi_send(cohort_comm *comm, int32_t to, int32_t tag, const void *from, uint64_t bytes,
                       cohort_exchange **out, cohort_error *err)
{
    cohort_exchange *x = NULL;
    uint64_t n = pieces_of(bytes);
    cohort_status st = create(comm, "a send", to, n, &x, err);
    int code = MPI_SUCCESS;
    for (uint64_t i = 0; st >= 0 && i < n && code == MPI_SUCCESS; i++) {
        code = MPI_Isend((const char *)from + i * PIECE_BYTES, length_of(bytes, i), MPI_BYTE, to,
                         tag, comm->mpi, &x->requests[i]);
        x->n += code == MPI_SUCCESS;
    }
    return st < 0 ? st : begun(x, code, out, err);
}

cohort_status mpi_receive(cohort_comm *comm, int32_t from, int32_t tag, void *into, uint64_t bytes,
                          uint64_t *out_bytes, cohort_exchange **out, cohort_error *err)
{
    cohort_exchange *x = NULL;
    uint64_t n = pieces_of(bytes);
    cohort_status st = create(comm, "a receive", from, n, &x, err);
    int code = MPI_SUCCESS;
    for (uint64_t i = 0; st >= 0 && i < n && code == MPI_SUCCESS; i++) {
        code = MPI_Irecv((char *)into + i * PIECE_BYTES, length_of(bytes, i), MPI_BYTE, from, tag,
                         comm->mpi, &x->requests[i]);
        x->n += code == MPI_SUCCESS;
    }
    if (st < 0)
        return st;
    x->bytes = (int64_t)bytes;
    x->out_bytes = out_bytes;
    return begun(x, code, out, err);
}

/* ------------------------------------------------------------------ all ranks */

static int broadcast_pieces(const cohort_comm *comm, int32_t root, char *memory, uint64_t bytes,
                            cohort_exchange *x)
{
    int code = MPI_SUCCESS;
    for (uint64_t i = 0; i < pieces_of(bytes) && code == MPI_SUCCESS; i++) {
        code = MPI_Ibcast(memory + i * PIECE_BYTES, length_of(bytes, i), MPI_BYTE, root, comm->mpi,
                          &x->requests[x->n]);
        x->n += code == MPI_SUCCESS;
    }
    return code;
}

cohort_status mpi_broadcast(cohort_comm *comm, int32_t root, void *memory, uint64_t bytes,
                            cohort_exchange **out, cohort_error *err)
{
    cohort_exchange *x = NULL;
    cohort_status st = create(comm, "a broadcast", root, pieces_of(bytes), &x, err);
    return st < 0 ? st : begun(x, broadcast_pieces(comm, root, memory, bytes, x), out, err);
}

static cohort_status gather_at_once(cohort_comm *comm, void *all, const uint64_t bytes[],
                                    cohort_exchange **out, cohort_error *err)
{
    cohort_exchange *x = NULL;
    cohort_status st = create(comm, "a gather", -1, 1, &x, err);
    if (st < 0)
        return st;
    x->counts = malloc(2 * (size_t)comm->size * sizeof *x->counts);
    if (x->counts == NULL) {
        destroy(x);
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a gather of %d ranks", comm->size);
    }
    int *starts = x->counts + comm->size;
    for (int r = 0, at = 0; r < comm->size; at += x->counts[r], r++) {
        x->counts[r] = (int)bytes[r];
        starts[r] = at;
    }
    int code = MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, x->counts, starts, MPI_BYTE,
                               comm->mpi, &x->requests[0]);
    x->n += code == MPI_SUCCESS;
    return begun(x, code, out, err);
}

/* What int cannot count: each rank broadcasts its own. */
static cohort_status gather_in_turn(cohort_comm *comm, char *all, const uint64_t bytes[],
                                    cohort_exchange **out, cohort_error *err)
{
    cohort_exchange *x = NULL;
    uint64_t n = 0, at = 0;
    for (int r = 0; r < comm->size; r++)
        n += pieces_of(bytes[r]);
    cohort_status st = create(comm, "a gather", -1, n, &x, err);
    int code = MPI_SUCCESS;
    for (int r = 0; st >= 0 && r < comm->size && code == MPI_SUCCESS; at += bytes[r], r++)
        code = broadcast_pieces(comm, r, all + at, bytes[r], x);
    return st < 0 ? st : begun(x, code, out, err);
}

cohort_status mpi_gather(cohort_comm *comm, const void *mine, void *all, const uint64_t bytes[],
                         cohort_exchange **out, cohort_error *err)
{
    uint64_t sum = 0, before = 0;
    for (int r = 0; r < comm->size; r++) {
        before += r < comm->rank ? bytes[r] : 0;
        sum += bytes[r];
    }
    if (bytes[comm->rank] > 0 && mine != (char *)all + before)
        memmove((char *)all + before, mine, (size_t)bytes[comm->rank]);
    return sum <= INT_MAX ? gather_at_once(comm, all, bytes, out, err)
                          : gather_in_turn(comm, all, bytes, out, err);
}

cohort_status mpi_barrier(cohort_comm *comm, cohort_exchange **out, cohort_error *err)
{
    cohort_exchange *x = NULL;
    cohort_status st = create(comm, "a barrier", -1, 1, &x, err);
    if (st < 0)
        return st;
    int code = MPI_Ibarrier(comm->mpi, &x->requests[0]);
    x->n = code == MPI_SUCCESS;
    return begun(x, code, out, err);
}

/* ------------------------------------------------------------------ the end */

static cohort_status check_test(const cohort_exchange *x, int piece, int code, cohort_error *err)
{
    int kind = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        (void)MPI_Error_class(code, &kind);
    if (kind == MPI_ERR_TRUNCATE && x->bytes >= 0)
        return cohort_fail(err, COHORT_EINVAL, code,
                           "rank %d has sent more than the %d bytes that "
                           "are expected",
                           (int)x->peer, length_of((uint64_t)x->bytes, (uint64_t)piece));
    return mpi_engine_check(code, x->what, err);
}

/* A request that is over was set to MPI_REQUEST_NULL. Pieces are received in their order; the one
 * whose length is wrong is where the message ends. */
static cohort_status test_piece(cohort_exchange *x, int i, int *is_over, cohort_error *err)
{
    MPI_Status status;
    int length = 0;
    if (x->requests[i] == MPI_REQUEST_NULL)
        return COHORT_OK;
    cohort_status st = check_test(x, i, MPI_Test(&x->requests[i], is_over, &status), err);
    if (st < 0 || !*is_over || x->bytes < 0)
        return st;
    int wanted = length_of((uint64_t)x->bytes, (uint64_t)i);
    st = mpi_engine_check(MPI_Get_count(&status, MPI_BYTE, &length), x->what, err);
    if (st >= 0 && x->out_bytes != NULL)
        *x->out_bytes = (uint64_t)length;
    return st < 0 || length == wanted || x->out_bytes != NULL
               ? st
               : cohort_fail(err, COHORT_EINVAL, 0,
                             "rank %d has sent %d bytes, and %d are expected", (int)x->peer, length,
                             wanted);
}

cohort_status mpi_test(cohort_comm *comm, cohort_exchange *x, cohort_error *err)
{
    (void)comm;
    cohort_status st = COHORT_OK;
    MPI_Errhandler of_world;
    int is_over = 1;
    mpi_engine_take_handler(MPI_COMM_WORLD, &of_world);
    for (int i = 0; i < x->n && st >= 0 && is_over; i++)
        st = test_piece(x, i, &is_over, err);
    mpi_engine_put_handler(MPI_COMM_WORLD, &of_world);
    if (st < 0)
        mpi_engine_give_up(); /* other pieces may be under way */
    else if (!is_over)
        return COHORT_EAGAIN;
    if (st >= 0)
        destroy(x);
    return st;
}

void mpi_abandon(cohort_comm *comm, cohort_exchange *exchange)
{
    (void)comm;
    (void)exchange;
    mpi_engine_give_up();
}
