/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher that has started this process, and how many processes with it, as far as the
 * environment says so. */
#ifndef COHORT_CLUSTER_LAUNCHER_H
#define COHORT_CLUSTER_LAUNCHER_H

#include "runtime/base/error.h"

typedef enum cohort_launcher {
    COHORT_LAUNCHER_NONE, /* none that an MPI knows */
    COHORT_LAUNCHER_OPEN_MPI,
    COHORT_LAUNCHER_MPICH,
    COHORT_LAUNCHER_PMIX /* srun --mpi=pmix and its like: of any MPI that was built with PMIx */
} cohort_launcher;

/* One that connects the processes which it starts. *out_why: what says so, for messages. */
cohort_launcher cohort_launcher_find(const char **out_why);

/* This process is to work alone, as nobody has told it of others: COHORT_OK where nobody has
 * started others with it. COHORT_EINVAL, with an engine COHORT_EINCOMPATIBLE: somebody has, and
 * each of them would do the same work; the text says who, and how to start it instead.
 *
 * engine  the MPI that knows of this process alone; NULL: none was asked */
cohort_status cohort_launcher_check_alone(const char *engine);

/* Whether a launcher that connects its processes has started several. */
bool cohort_launcher_has_several(void);

#endif
