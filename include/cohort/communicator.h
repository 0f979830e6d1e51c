/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: what carries bytes between the workers of a cluster.
 *
 * For those who make one, as cohort/plugin.h is for those who make a device. A communicator is a
 * plugin without devices (cohort_plugin.ops is NULL) whose name begins with "communicator-", and
 * whose extension "cohort.communicator/0" is a cohort_communicator_ops. Cohort comes with one for
 * MPI, built for Open MPI and for MPICH. Such a plugin is not opened when devices are looked for,
 * but when a program asks for a cluster (cohort_resolver_mpi, cohort/cluster.h).
 *
 * It knows only bytes: the core knows what they are, and in which order they are added up. Ranks
 * are those of the communicator, 0 to size - 1. Every operation is begun, and then asked whether it
 * is over; only open waits. Memory that an operation gets is lent to it until it is over, or for
 * ever where it is given up.
 *
 * Threads: one at a time; and where cohort_comm_info.is_serialized is 0, only the thread that has
 * opened the communicator. Errors: as of a device (cohort/plugin.h), with the rank that is at fault
 * in the text where the engine knows it. After an error or abandon nothing but close is called; but
 * where cohort_comm_info.outlives_ranks is 1 send, receive, test and abandon go on with all ranks
 * but that one. */
#ifndef COHORT_COMMUNICATOR_H
#define COHORT_COMMUNICATOR_H

#include <cohort/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the extension that a communicator plugin answers. */
#define COHORT_COMMUNICATOR_EXTENSION "cohort.communicator/0"

/* Most bytes of a message whose length the receiver does not know. */
#define COHORT_COMM_SHORT_BYTES 65536

/* Exchanges that are reserved in a communicator once it is open: who leaves says why by as many. */
#define COHORT_COMM_RESERVED 2

/* An open communicator, and an operation of it that is under way. Both are the plugin's, which
 * completes these structs. */
typedef struct cohort_comm cohort_comm;
typedef struct cohort_exchange cohort_exchange;

/* The properties of an open communicator. */
typedef struct cohort_comm_info {
    uint32_t struct_size, is_serialized;
    int32_t rank, size; /* of this process, and of all */
    char engine[128];   /* "Open MPI v4.1.4", printable */
    /* 1: where its launcher lets the other processes live when one has ended, messages between them
     * still go */
    uint32_t outlives_ranks;
} cohort_comm_info;

/* The operations of a communicator: a table, as const as cohort_ops. All of it is set. */
typedef struct cohort_communicator_ops {
    uint32_t struct_size, reserved;

    /* Join. Collective: each process of the group calls it.
     * handle   the group as the engine counts it: of MPI a communicator's Fortran handle; -1
     *          (COHORT_MPI_WORLD): all processes that were started together
     * Blocks   until all have come; timeout_ns at most, then COHORT_ETIMEDOUT and it is as if this
     *          process had died: nothing else of the engine is called.
     * Reserves COHORT_COMM_RESERVED exchanges, as the operation of that name does.
     * Errors   COHORT_EINVAL no such group; COHORT_EINCOMPATIBLE the engine cannot run in this
     *          process; COHORT_ENOMEM, for all: one of them has no memory, which comes all the
     *          same. */
    cohort_status (*open)(void *self, int32_t handle, uint64_t timeout_ns, cohort_comm **out,
                          cohort_error *err);

    /* Leave. No operation is under way, but those that were given up. Not collective; it does not
     * wait for others. NULL is not passed. */
    void (*close)(cohort_comm *comm);

    /* out->struct_size is set. */
    void (*info)(cohort_comm *comm, cohort_comm_info *out);

    /* The name of a rank's machine, terminated, of at most size bytes with its 0. COHORT_EINVAL: it
     * does not fit. */
    cohort_status (*host)(cohort_comm *comm, int32_t rank, char *out, uint64_t size,
                          cohort_error *err);

    /* Send and receive between two ranks, in order for each pair and tag; tag 0 to 32767. Any
     * number of bytes, also none. out_bytes NULL: the message has exactly `bytes` bytes, and one of
     * another length is COHORT_EINVAL. Else it has at most `bytes` bytes, which are
     * COHORT_COMM_SHORT_BYTES at most; a longer message is COHORT_EINVAL, and *out_bytes, which is
     * lent, gets the number that have come. */
    cohort_status (*send)(cohort_comm *comm, int32_t to, int32_t tag, const void *from,
                          uint64_t bytes, cohort_exchange **out, cohort_error *err);
    cohort_status (*receive)(cohort_comm *comm, int32_t from, int32_t tag, void *into,
                             uint64_t bytes, uint64_t *out_bytes, cohort_exchange **out,
                             cohort_error *err);

    /* Collective, begun by all ranks in the same order. broadcast: from one rank to all. gather: to
     * all ranks, bytes[r] of rank r, one behind the other; mine may lie there already. */
    cohort_status (*broadcast)(cohort_comm *comm, int32_t root, void *memory, uint64_t bytes,
                               cohort_exchange **out, cohort_error *err);
    cohort_status (*gather)(cohort_comm *comm, const void *mine, void *all, const uint64_t bytes[],
                            cohort_exchange **out, cohort_error *err);
    cohort_status (*barrier)(cohort_comm *comm, cohort_exchange **out, cohort_error *err);

    /* COHORT_OK: it is over, and the exchange is gone. COHORT_EAGAIN: not yet. Another error: it
     * will never be over; the exchange is gone. Drives the engine on. */
    cohort_status (*test)(cohort_comm *comm, cohort_exchange *exchange, cohort_error *err);

    /* Nobody waits for this one any more: a worker is dead, say. It stays as it is, with what it
     * was lent, and the engine is left as it is too when the process ends. NULL: only the latter,
     * for a rank is gone with which nothing is under way. */
    void (*abandon)(cohort_comm *comm, cohort_exchange *exchange);

    /* Reserve memory for n sends and receives of less than 1 GiB under way together, so that from
     * now on none of them fails for want of memory of the plugin's own: others wait for it by then.
     * Memory that the engine takes for itself is not in this. COHORT_ENOMEM. */
    cohort_status (*reserve)(cohort_comm *comm, uint64_t n, cohort_error *err);
} cohort_communicator_ops;

#ifdef __cplusplus
}
#endif
#endif
