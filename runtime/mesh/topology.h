/* SPDX-License-Identifier: BSD-3-Clause */
/* A mesh and the devices in it. It does not change after it was made, so that any thread may
 * read. */
#ifndef COHORT_MESH_TOPOLOGY_H
#define COHORT_MESH_TOPOLOGY_H

#include <cohort/topology.h>

#include "runtime/base/handle.h"
#include "runtime/mesh/mesh.h"

#include <stdatomic.h>

/* A device is known by its place, task * most_devices + ordinal. */
struct cohort_topology {
    cohort_handle handle; /* first */
    atomic_int owners;
    atomic_bool is_in_hand; /* one of the owners is the program */
    cohort_mesh mesh;
    int32_t n_tasks, most_devices; /* of one task */
    int32_t *n_devices;            /* [n_tasks] */
    int32_t *coordinates;          /* [n_tasks][most_devices][mesh.rank] */
    int32_t *places;               /* [mesh.cores]: the device at a cell; -1: none */
    int32_t n_missing;
    int32_t *missing; /* [n_missing][mesh.rank] */
    /* [n_tasks][most_devices]; NULL: a topology on paper */
    const cohort_device **devices;
};

/* Make one; what is given is checked but for the mesh and the extents.
 *
 * coordinates  [n_tasks][n_devices][mesh->rank], cohort_allocate; taken over in any case
 * who          of errors
 * NULL: COHORT_EINVAL, COHORT_ENOMEM. The program has it in hand. */
cohort_topology *cohort_topology_make(const cohort_mesh *mesh, int32_t n_tasks, int32_t n_devices,
                                      int32_t *coordinates, const char *who);

/* The device at a place that there is, of a topology that was checked; NULL, with "call: ..." and
 * COHORT_EINVAL, of one on paper. */
const cohort_device *cohort_topology_device_at(const cohort_topology *topology, int32_t place,
                                               const char *call);

/* Print the name of the device at a place, and the name of the host of a task: into out, at most
 * bytes; the length of the whole name. COHORT_EINVAL with "call: ..." for a job that is none
 * and for room that is NULL. */
int cohort_topology_print_device(const cohort_topology *topology, int32_t place, const char *job,
                                 char *out, size_t bytes, const char *call);
int cohort_topology_print_host(int task, const char *job, char *out, size_t bytes,
                               const char *call);

/* One owner more, and one less. */
cohort_topology *cohort_topology_retain(const cohort_topology *topology);
void cohort_topology_release(cohort_topology *topology);

/* Coordinates from a program: an array int32[n][m][rank] without an extent of 0, of at most
 * COHORT_LIMIT_MESH_CORES cores. Returns a packed copy (cohort_free), or NULL with COHORT_EINVAL or
 * COHORT_ENOMEM.
 *
 * what  the array, for people: "coordinates int32[tasks][devices][rank]" */
int32_t *cohort_topology_copy_cores(const cohort_array *cores, int32_t rank, const char *who,
                                    const char *what);

/* The place of the device at coordinates; -1: there is none, or they are outside of the mesh. */
static inline int32_t cohort_topology_find(const cohort_topology *topology,
                                           const int32_t coordinates[])
{
    int64_t cell = cohort_mesh_cell(&topology->mesh, coordinates);
    return cell < 0 ? -1 : topology->places[cell];
}

/* The place of the device at coordinates, or the reason why there is none, with "who: ...":
 * COHORT_EINVAL outside of the mesh, COHORT_ENODEV inside. */
int32_t cohort_topology_place_at(const cohort_topology *topology, const int32_t coordinates[],
                                 const char *who);

/* The place of a device. COHORT_EINVAL with "call: ...", also for what is no topology. */
int32_t cohort_topology_place(const cohort_topology *topology, int task, int device,
                              const char *call);

/* COHORT_EINVAL with "call: ..." for a task that there is not, and for what is no topology. */
cohort_status cohort_topology_check_task(const cohort_topology *topology, int task,
                                         const char *call);

/* COHORT_EINVAL with "call: ..." for what is no topology. */
static inline cohort_status cohort_topology_check(const cohort_topology *topology, const char *call)
{
    return cohort_handle_check(topology, COHORT_HANDLE_TOPOLOGY, call, "the topology");
}

#endif
