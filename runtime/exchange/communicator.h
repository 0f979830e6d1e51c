/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicator of a cluster: a plugin's (cohort/communicator.h), which is looked for and loaded
 * when the first one is opened. libcohort itself is linked with no MPI. */
#ifndef COHORT_EXCHANGE_COMMUNICATOR_H
#define COHORT_EXCHANGE_COMMUNICATOR_H

#include "runtime/base/error.h"

#include <cohort/cluster.h>
#include <cohort/communicator.h>

#include <pthread.h>

typedef struct cohort_communicator {
    const cohort_communicator_ops *ops;
    cohort_comm *comm;
    cohort_comm_info info;
    pthread_t opener;
    uint64_t reserved; /* exchanges, of all who have some under way together */
    int32_t tags;      /* that strategies have taken */
    bool has_unread;   /* messages that nobody reads: MPI never has its name for another one */
} cohort_communicator;

/* Join the group of a handle (COHORT_MPI_WORLD: all that were started together), for which all its
 * processes have to come within COHORT_TIMEOUT_WORKER.
 *
 * The plugin is that of the MPI which the program has loaded; else of the one whose mpirun has
 * started it; else the first that there is, as for PMIx. Errors: COHORT_ENOENT there is none;
 * COHORT_EINCOMPATIBLE it cannot be used; and those of open. */
cohort_status cohort_communicator_open(int32_t handle, cohort_communicator *out);

/* An mpirun, or a launcher with PMIx, has started this process, and others perhaps; or another one,
 * with which the program's own MPI has been initialised already. */
bool cohort_communicator_has_others(void);

/* The same, or it has an MPI of its own. */
bool cohort_communicator_is_started(void);

/* May it still be asked, by this thread? Not where the program has finalised its MPI. */
bool cohort_communicator_is_up(const cohort_communicator *communicator);

/* That of a resolver of MPI; NULL of any other, and of what is none. */
cohort_communicator *cohort_communicator_of(const cohort_resolver *resolver);

/* By any thread; where MPI allows only the one that opened it, or messages were left unread, memory
 * of MPI's stays. */
void cohort_communicator_close(cohort_communicator *communicator);

cohort_status cohort_communicator_host(const cohort_communicator *communicator, int32_t rank,
                                       char *out, size_t bytes);

/* The next tag that nobody has; COHORT_EINVAL: all 32,768 are taken. Any thread. All processes take
 * theirs for the same strategies, in the same order. */
cohort_status cohort_communicator_take_tag(cohort_communicator *communicator, int32_t *out_tag);

/* So many exchanges more may be begun, beside those of others, that none of them fails for want of
 * memory; until they are given back. COHORT_ENOMEM. */
cohort_status cohort_communicator_reserve(cohort_communicator *communicator, uint64_t n);
void cohort_communicator_unreserve(cohort_communicator *communicator, uint64_t n);

/* As of cohort_communicator_ops, by any thread that the engine allows (COHORT_EINVAL). test and
 * abandon: of this communicator; abandon of NULL: a rank is gone. */
cohort_status cohort_communicator_send(const cohort_communicator *communicator, int32_t to,
                                       int32_t tag, const void *from, uint64_t bytes,
                                       cohort_exchange **out);
cohort_status cohort_communicator_receive(const cohort_communicator *communicator, int32_t from,
                                          int32_t tag, void *into, uint64_t bytes,
                                          uint64_t *out_bytes, cohort_exchange **out);
cohort_status cohort_communicator_test(const cohort_communicator *communicator,
                                       cohort_exchange *exchange);
void cohort_communicator_abandon(const cohort_communicator *communicator,
                                 cohort_exchange *exchange);

#endif
