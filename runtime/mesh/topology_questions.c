/* SPDX-License-Identifier: BSD-3-Clause */
/* The answers of a topology. */
#include "config.h"

#include "runtime/mesh/topology.h"

cohort_status cohort_topology_check_task(const cohort_topology *topology, int task,
                                         const char *call)
{
    cohort_status status = cohort_topology_check(topology, call);
    if (status < 0 || (task >= 0 && task < topology->n_tasks))
        return status;
    return cohort_error_set(COHORT_EINVAL, "%s: no task %d; the topology has %d, from 0", call,
                            task, topology->n_tasks);
}

int32_t cohort_topology_place(const cohort_topology *topology, int task, int device,
                              const char *call)
{
    cohort_status status = cohort_topology_check_task(topology, task, call);
    if (status < 0)
        return status;
    if (device < 0 || device >= topology->n_devices[task])
        return cohort_error_set(COHORT_EINVAL, "%s: no device %d; task %d has %d, from 0", call,
                                device, task, topology->n_devices[task]);
    return task * topology->most_devices + device;
}

int32_t cohort_topology_place_at(const cohort_topology *topology, const int32_t coordinates[],
                                 const char *who)
{
    char text[COHORT_MESH_TEXT_BYTES], mesh[COHORT_MESH_TEXT_BYTES];
    const cohort_mesh *m = &topology->mesh;
    int32_t place = cohort_topology_find(topology, coordinates);
    if (place >= 0)
        return place;
    if (cohort_mesh_cell(m, coordinates) < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: %s is outside of the mesh %s", who,
                                cohort_mesh_text(m->rank, coordinates, text),
                                cohort_mesh_text(m->rank, m->extent, mesh));
    return cohort_error_set(COHORT_ENODEV, "%s: no device is at %s of the mesh %s", who,
                            cohort_mesh_text(m->rank, coordinates, text),
                            cohort_mesh_text(m->rank, m->extent, mesh));
}

/* The place of the device at coordinates that a program has given. */
static int32_t look_at(const cohort_topology *t, const int32_t coordinates[], int n,
                       const char *call)
{
    cohort_status status = cohort_topology_check(t, call);
    if (status >= 0 && coordinates == NULL)
        status = cohort_error_null(call, "the list of coordinates");
    if (status >= 0 && n >= 0 && n < t->mesh.rank)
        status = cohort_error_set(COHORT_EINVAL, "%s: %d coordinates; the mesh has %d axes", call,
                                  n, t->mesh.rank);
    return status < 0 ? status : cohort_topology_place_at(t, coordinates, call);
}

int cohort_topology_rank(const cohort_topology *topology)
{
    cohort_status status = cohort_topology_check(topology, "cohort_topology_rank");
    return status < 0 ? status : topology->mesh.rank;
}

const int32_t *cohort_topology_mesh(const cohort_topology *topology)
{
    return cohort_topology_check(topology, "cohort_topology_mesh") < 0 ? NULL
                                                                       : topology->mesh.extent;
}

int cohort_topology_num_tasks(const cohort_topology *topology)
{
    cohort_status status = cohort_topology_check(topology, "cohort_topology_num_tasks");
    return status < 0 ? status : topology->n_tasks;
}

int cohort_topology_num_devices(const cohort_topology *topology, int task)
{
    cohort_status status =
        cohort_topology_check_task(topology, task, "cohort_topology_num_devices");
    return status < 0 ? status : topology->n_devices[task];
}

const int32_t *cohort_topology_coordinates(const cohort_topology *topology, int task, int device)
{
    int32_t place = cohort_topology_place(topology, task, device, "cohort_topology_coordinates");
    return place < 0 ? NULL : topology->coordinates + (int64_t)place * topology->mesh.rank;
}

int cohort_topology_num_missing(const cohort_topology *topology)
{
    cohort_status status = cohort_topology_check(topology, "cohort_topology_num_missing");
    return status < 0 ? status : topology->n_missing;
}

const int32_t *cohort_topology_missing(const cohort_topology *topology, int i)
{
    static const char call[] = "cohort_topology_missing";
    if (cohort_topology_check(topology, call) < 0)
        return NULL;
    if (i >= 0 && i < topology->n_missing)
        return topology->missing + (int64_t)i * topology->mesh.rank;
    (void)cohort_error_set(COHORT_EINVAL, "%s: no missing core %d; there are %d, from 0", call, i,
                           topology->n_missing);
    return NULL;
}

int cohort_topology_task_at_list(const cohort_topology *topology, const int32_t coordinates[],
                                 int n)
{
    int32_t place = look_at(topology, coordinates, n, "cohort_topology_task_at");
    return place < 0 ? place : place / topology->most_devices;
}

int cohort_topology_ordinal_at_list(const cohort_topology *topology, const int32_t coordinates[],
                                    int n)
{
    int32_t place = look_at(topology, coordinates, n, "cohort_topology_ordinal_at");
    return place < 0 ? place : place % topology->most_devices;
}
