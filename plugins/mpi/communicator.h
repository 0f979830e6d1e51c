/* SPDX-License-Identifier: BSD-3-Clause */
/* An open communicator: a duplicate of the program's. */
#ifndef COHORT_MPI_COMMUNICATOR_H
#define COHORT_MPI_COMMUNICATOR_H

#include <cohort/communicator.h>

#include <mpi.h>
#include <sys/types.h>

struct cohort_comm {
    MPI_Comm mpi;
    pid_t opened_by;
    int rank, size, provided;              /* provided: the level of threads */
    char (*hosts)[MPI_MAX_PROCESSOR_NAME]; /* [size] */
    cohort_exchange *spare;                /* of one request each, which nobody uses now */
    uint64_t singles;                      /* those, and the ones of one request that are used */
};

/* What is begun with a communicator: cohort_communicator_ops says what each does. */
cohort_status mpi_send(cohort_comm *comm, int32_t to, int32_t tag, const void *from, uint64_t bytes,
                       cohort_exchange **out, cohort_error *err);
cohort_status mpi_receive(cohort_comm *comm, int32_t from, int32_t tag, void *into, uint64_t bytes,
                          uint64_t *out_bytes, cohort_exchange **out, cohort_error *err);
cohort_status mpi_broadcast(cohort_comm *comm, int32_t root, void *memory, uint64_t bytes,
                            cohort_exchange **out, cohort_error *err);
cohort_status mpi_gather(cohort_comm *comm, const void *mine, void *all, const uint64_t bytes[],
                         cohort_exchange **out, cohort_error *err);
cohort_status mpi_barrier(cohort_comm *comm, cohort_exchange **out, cohort_error *err);
cohort_status mpi_test(cohort_comm *comm, cohort_exchange *exchange, cohort_error *err);
void mpi_abandon(cohort_comm *comm, cohort_exchange *exchange);
cohort_status mpi_reserve(cohort_comm *comm, uint64_t n, cohort_error *err);

/* Those that were reserved. */
void mpi_free_spare(cohort_comm *comm);

#endif
