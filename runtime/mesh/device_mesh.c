/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices of this process as a mesh: counted, or with the extents that are given. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/mesh/topology.h"
#include "runtime/plugin/registry.h"

static const char call[] = "cohort_topology_of_devices";

/* ------------------------------------------------------------------ a mesh that is counted */

enum { WORKER, DEVICE, CORE, AXES };

/* Parts of one device follow each other in a list. */
static bool is_of_same(const cohort_device *a, const cohort_device *b)
{
    return a->loaded == b->loaded && a->index == b->index;
}

/* The (worker, device, core) of each device of the list, and the extents that hold them all. */
static void count_cores(const cohort_device *const devices[], int n, int32_t *coordinates,
                        int32_t extents[AXES])
{
    int32_t device = -1, core = 0;
    extents[WORKER] = extents[DEVICE] = extents[CORE] = 1;
    for (int i = 0; i < n; i++) {
        bool is_next_core = i > 0 && is_of_same(devices[i], devices[i - 1]);
        device += !is_next_core;
        core = is_next_core ? core + 1 : 0;
        coordinates[i * AXES + WORKER] = 0;
        coordinates[i * AXES + DEVICE] = device;
        coordinates[i * AXES + CORE] = core;
        extents[DEVICE] = device + 1;
        extents[CORE] = core >= extents[CORE] ? core + 1 : extents[CORE];
    }
}

static cohort_topology *count(const cohort_device *const devices[], int n)
{
    cohort_mesh mesh;
    int32_t extents[AXES];
    int32_t *coordinates = cohort_allocate((size_t)n * AXES, sizeof *coordinates);
    if (coordinates == NULL) {
        (void)cohort_error_memory("a topology");
        return NULL;
    }
    count_cores(devices, n, coordinates, extents);
    if (cohort_mesh_make(&mesh, AXES, extents, call, "mesh") < 0) {
        cohort_free(coordinates);
        return NULL;
    }
    return cohort_topology_make(&mesh, 1, n, coordinates, call);
}

/* ------------------------------------------------------------------ a mesh that is given */

static cohort_status check_number(const cohort_mesh *mesh, int n)
{
    char text[COHORT_MESH_TEXT_BYTES];
    if (mesh->cores == n)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: mesh %s has %lld cores, and the list has %d device%s; there have "
                            "to be as many",
                            call, cohort_mesh_text(mesh->rank, mesh->extent, text),
                            (long long)mesh->cores, n, n == 1 ? "" : "s");
}

static cohort_topology *arrange(const cohort_mesh *mesh, int n)
{
    int32_t *coordinates = NULL;
    if (check_number(mesh, n) < 0)
        return NULL;
    coordinates = cohort_allocate((size_t)n * (size_t)mesh->rank, sizeof *coordinates);
    if (coordinates == NULL) {
        (void)cohort_error_memory("a topology");
        return NULL;
    }
    for (int i = 0; i < n; i++)
        cohort_mesh_at_place(mesh, i, coordinates + (int64_t)i * mesh->rank);
    return cohort_topology_make(mesh, 1, n, coordinates, call);
}

/* ------------------------------------------------------------------ both */

cohort_topology *cohort_topology_of_devices(const char *devices, int rank, const int32_t mesh[])
{
    cohort_mesh given;
    const cohort_device **list = NULL;
    int n = 0;
    bool is_counted = rank == 0 && mesh == NULL;
    cohort_topology *t = NULL;
    if (is_counted || cohort_mesh_make(&given, rank, mesh, call, "mesh") >= 0)
        if (cohort_registry_select(devices, &list, &n) >= 0)
            t = is_counted ? count(list, n) : arrange(&given, n);
    if (t != NULL)
        t->devices = list;
    else
        cohort_free(list);
    return cohort_handle_made(COHORT_HANDLE_TOPOLOGY, t);
}
