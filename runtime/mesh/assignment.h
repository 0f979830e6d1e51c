/* SPDX-License-Identifier: BSD-3-Clause */
/* The cores of every replica. It does not change after it was made, so that any thread may read. */
#ifndef COHORT_MESH_ASSIGNMENT_H
#define COHORT_MESH_ASSIGNMENT_H

#include "runtime/mesh/topology.h"

struct cohort_assignment {
    cohort_handle handle;      /* first */
    cohort_topology *topology; /* a share of it */
    int32_t n_replicas, n_cores;
    int32_t *cores;  /* [n_replicas][n_cores][rank of the mesh] */
    int32_t *places; /* [n_replicas][n_cores]: of devices in the topology */
};

/* Make one of a topology that was checked.
 *
 * cores  [n_replicas][n_cores][rank], cohort_allocate; taken over in any case
 * who    of errors
 * NULL: COHORT_EINVAL, COHORT_ENODEV: no device is where a core is; COHORT_ENOMEM */
cohort_assignment *cohort_assignment_make(const cohort_topology *topology, int32_t n_replicas,
                                          int32_t n_cores, int32_t *cores, const char *who);

#endif
