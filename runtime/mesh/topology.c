/* SPDX-License-Identifier: BSD-3-Clause */
/* Making topologies, and who owns them. */
#include "config.h"

#include "runtime/mesh/topology.h"

#include "runtime/base/array.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"

#include <string.h>

/* ------------------------------------------------------------------ owners */

cohort_topology *cohort_topology_retain(const cohort_topology *topology)
{
    cohort_topology *t = cohort_memory_own(topology);
    atomic_fetch_add_explicit(&t->owners, 1, memory_order_relaxed);
    return t;
}

static void free_topology(cohort_topology *t)
{
    cohort_free(t->n_devices);
    cohort_free(t->coordinates);
    cohort_free(t->places);
    cohort_free(t->missing);
    cohort_free(t->devices);
    cohort_handle_free(&t->handle, sizeof *t, NULL);
}

void cohort_topology_release(cohort_topology *topology)
{
    if (atomic_fetch_sub_explicit(&topology->owners, 1, memory_order_acq_rel) == 1)
        free_topology(topology);
}

void cohort_topology_destroy(cohort_topology *topology)
{
    static const char call[] = "cohort_topology_destroy";
    if (topology == NULL ||
        !cohort_handle_may_destroy(topology, COHORT_HANDLE_TOPOLOGY, call, "the topology"))
        return;
    if (atomic_exchange(&topology->is_in_hand, false))
        cohort_topology_release(topology);
    else
        cohort_log(COHORT_SUBSYSTEM_MESH, COHORT_LOG_WARNING,
                   "%s: this topology was destroyed already, and goes with its assignments; "
                   "nothing is done",
                   call);
}

/* ------------------------------------------------------------------ where devices are */

static bool is_absent(const int32_t coordinates[], int32_t rank)
{
    for (int32_t i = 0; i < rank; i++)
        if (coordinates[i] != -1)
            return false;
    return true;
}

static cohort_status refuse_device(const cohort_topology *t, const char *who, int32_t place,
                                   const char *why)
{
    char text[COHORT_MESH_TEXT_BYTES], mesh[COHORT_MESH_TEXT_BYTES];
    return cohort_error_set(
        COHORT_EINVAL, "%s: device %d of task %d is at %s, %s %s", who, place % t->most_devices,
        place / t->most_devices,
        cohort_mesh_text(t->mesh.rank, t->coordinates + (int64_t)place * t->mesh.rank, text), why,
        cohort_mesh_text(t->mesh.rank, t->mesh.extent, mesh));
}

/* The devices of a task into their cells; those that it lacks are the last ones. */
static cohort_status place_task(cohort_topology *t, int32_t task, const char *who)
{
    for (int32_t d = 0; d < t->most_devices; d++) {
        int32_t place = task * t->most_devices + d;
        const int32_t *coordinates = t->coordinates + (int64_t)place * t->mesh.rank;
        int64_t cell = cohort_mesh_cell(&t->mesh, coordinates);
        if (is_absent(coordinates, t->mesh.rank))
            continue;
        if (cell < 0)
            return refuse_device(t, who, place, "outside of the mesh");
        if (d > t->n_devices[task])
            return refuse_device(t, who, place,
                                 "behind one that the task lacks (-1 in all coordinates): those "
                                 "are the last; mesh");
        t->places[cell] = place;
        t->n_devices[task] = d + 1;
    }
    return COHORT_OK;
}

static cohort_status list_missing(cohort_topology *t)
{
    int32_t found = 0;
    for (int64_t cell = 0; cell < t->mesh.cores; cell++)
        t->n_missing += t->places[cell] < 0;
    t->missing = cohort_allocate((size_t)t->n_missing * (size_t)t->mesh.rank, sizeof *t->missing);
    if (t->missing == NULL)
        return cohort_error_memory("a topology");
    for (int64_t cell = 0; cell < t->mesh.cores; cell++)
        if (t->places[cell] < 0)
            cohort_mesh_at_cell(&t->mesh, cell, t->missing + (int64_t)found++ * t->mesh.rank);
    return COHORT_OK;
}

static cohort_status fill(cohort_topology *t, const char *who)
{
    cohort_status status = COHORT_OK;
    t->n_devices = cohort_allocate((size_t)t->n_tasks, sizeof *t->n_devices);
    t->places = cohort_allocate((size_t)t->mesh.cores, sizeof *t->places);
    if (t->n_devices == NULL || t->places == NULL)
        return cohort_error_memory("a topology");
    for (int64_t cell = 0; cell < t->mesh.cores; cell++)
        t->places[cell] = -1;
    for (int32_t task = 0; task < t->n_tasks && status >= 0; task++)
        status = place_task(t, task, who);
    return status < 0 ? status : list_missing(t);
}

cohort_topology *cohort_topology_make(const cohort_mesh *mesh, int32_t n_tasks, int32_t n_devices,
                                      int32_t *coordinates, const char *who)
{
    cohort_topology *t = cohort_allocate(1, sizeof *t);
    if (t == NULL) {
        cohort_free(coordinates);
        (void)cohort_error_memory("a topology");
        return NULL;
    }
    cohort_handle_begin(&t->handle, COHORT_HANDLE_TOPOLOGY);
    atomic_init(&t->owners, 1);
    atomic_init(&t->is_in_hand, true);
    t->mesh = *mesh;
    t->n_tasks = n_tasks;
    t->most_devices = n_devices;
    t->coordinates = coordinates;
    if (fill(t, who) >= 0)
        return t;
    cohort_topology_release(t);
    return NULL;
}

/* ------------------------------------------------------------------ a mesh on paper */

static cohort_status check_cores(const cohort_array *cores, int32_t rank, const char *who,
                                 const char *what)
{
    char shape[COHORT_SHAPE_BYTES];
    cohort_status status = cohort_array_check(cores, false, who);
    if (status < 0)
        return status;
    bool is_shaped = cores->dtype == COHORT_I32 && cores->rank == 3 && cores->shape[2] == rank &&
                     cores->shape[0] > 0 && cores->shape[1] > 0;
    if (!is_shaped)
        return cohort_error_set(
            COHORT_EINVAL, "%s: %s is wanted, with rank %d and no extent of 0, not %s", who, what,
            rank, cohort_shape_to_string(cores->dtype, cores->rank, cores->shape, shape));
    if (cores->shape[0] > COHORT_LIMIT_MESH_CORES / cores->shape[1])
        return cohort_error_set(COHORT_EINVAL, "%s: %lld times %lld cores; at most %d in all", who,
                                (long long)cores->shape[0], (long long)cores->shape[1],
                                COHORT_LIMIT_MESH_CORES);
    return COHORT_OK;
}

int32_t *cohort_topology_copy_cores(const cohort_array *cores, int32_t rank, const char *who,
                                    const char *what)
{
    if (check_cores(cores, rank, who, what) < 0)
        return NULL;
    int32_t *copy =
        cohort_allocate((size_t)cohort_shape_items(cores->rank, cores->shape), sizeof *copy);
    if (copy != NULL)
        cohort_array_pack(copy, cores);
    else
        (void)cohort_error_memory("coordinates");
    return copy;
}

cohort_topology *cohort_topology_create(int rank, const int32_t mesh[], cohort_array coordinates)
{
    static const char call[] = "cohort_topology_create";
    cohort_mesh made;
    cohort_topology *t = NULL;
    if (cohort_mesh_make(&made, rank, mesh, call, "mesh") >= 0) {
        int32_t *copy = cohort_topology_copy_cores(&coordinates, rank, call,
                                                   "coordinates int32[tasks][devices][rank]");
        if (copy != NULL)
            t = cohort_topology_make(&made, (int32_t)coordinates.shape[0],
                                     (int32_t)coordinates.shape[1], copy, call);
    }
    return cohort_handle_made(COHORT_HANDLE_TOPOLOGY, t);
}
