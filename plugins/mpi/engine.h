/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI in this process: who started it, who ends it, and what its errors say. */
#ifndef COHORT_MPI_ENGINE_H
#define COHORT_MPI_ENGINE_H

#include <cohort/communicator.h>

#include <mpi.h>
#include <stdbool.h>

uint64_t mpi_engine_now_ns(void); /* of CLOCK_MONOTONIC */

/* Initialised, by the program or now, for so long at most, which ends at *out_end_ns; and as long
 * are the others waited for when the process ends with a failure. COHORT_ETIMEDOUT: some process
 * has not come; COHORT_EINCOMPATIBLE: MPI is finalised already, or allows one thread alone;
 * COHORT_ELOST: it was given up. */
cohort_status mpi_engine_start(uint64_t limit_ns, uint64_t *out_end_ns, cohort_error *err);

/* May MPI be called? Not where the program has finalised it. */
bool mpi_engine_is_up(void);

/* Something was given up: MPI_Finalize, which waits for the others, is not called any more. */
void mpi_engine_give_up(void);
bool mpi_engine_was_given_up(void);

/* Errors of a communicator return, whatever handler it has, until the handler is put back. Errors
 * that MPI cannot ascribe to a communicator, and in MPICH those that MPI_Test finds, are
 * MPI_COMM_WORLD's. */
void mpi_engine_take_handler(MPI_Comm comm, MPI_Errhandler *before);
void mpi_engine_put_handler(MPI_Comm comm, MPI_Errhandler *before);

/* COHORT_OK for MPI_SUCCESS; else MPI is given up: COHORT_ELOST with what it says of the code. */
cohort_status mpi_engine_check(int code, const char *what, cohort_error *err);

#endif
