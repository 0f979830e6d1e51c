/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes of devices and the replicas on them. Names of devices are TensorFlow's, made of ours. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <string.h>

enum { RANK = 4, MOST = 1024 };

static bool extents(frame *f, const thing *list, int32_t out[MOST])
{
    return integers_of(f, list, out, MOST) == RANK ||
           (frame_malformed(f, "args: %d extents are wanted", RANK), false);
}

static thing topology(frame *f, const int32_t mesh[], int32_t devices[], int tasks, int each)
{
    return thing_owned(
        f, THING_TOPOLOGY,
        cohort_topology_create(RANK, mesh, COHORT_ARRAY(devices, tasks, each, RANK)));
}

/* A full one: its devices in tasks of as many, cores first, then x, y and z. */
static thing full_mesh(frame *f, const thing x[])
{
    static const int order[RANK] = { 3, 0, 1, 2 };
    int32_t mesh[MOST], devices[MOST], n = 1, tasks = (int32_t)integer_of(&x[1]);
    if (!extents(f, &x[0], mesh))
        return nothing;
    for (int axis = 0; axis < RANK; axis++)
        n *= mesh[axis];
    if (n < tasks || n * RANK > MOST || n % tasks != 0)
        return frame_malformed(f, "a mesh of %d cores for %d tasks", n, tasks);
    for (int32_t d = 0; d < n; d++)
        for (int32_t i = 0, rest = d; i < RANK; rest /= mesh[order[i++]])
            devices[d * RANK + order[i]] = rest % mesh[order[i]];
    return topology(f, mesh, devices, tasks, n / tasks);
}

/* One whose devices are given by their coordinates. */
static thing mesh_of(frame *f, const thing x[])
{
    int32_t mesh[MOST], devices[MOST];
    int n = integers_of(f, &x[1], devices, MOST), tasks = x[1].n;
    if (!extents(f, &x[0], mesh))
        return nothing;
    return n < 0 || tasks < 1 || n % (RANK * tasks) != 0
               ? frame_malformed(f, "args: \"coordinates\"")
               : topology(f, mesh, devices, tasks, n / RANK / tasks);
}

static thing missing(frame *f, const thing x[])
{
    const cohort_topology *t = x[0].as.topology;
    thing list = thing_list(f, cohort_topology_num_missing(t));
    for (int k = 0; k < list.n; k++)
        list.as.list[k] = thing_integers(f, cohort_topology_missing(t, k), RANK);
    return list;
}

/* assignment(mesh, shape of a replica, or nothing): of all replicas */
static thing assignment(frame *f, const thing x[])
{
    int32_t shape[MOST];
    bool has_shape = x[1].kind != THING_NOTHING;
    if (has_shape && !extents(f, &x[1], shape))
        return nothing;
    return thing_owned(f, THING_ASSIGNMENT,
                       cohort_assignment_build(x[0].as.topology, has_shape ? shape : NULL, NULL,
                                               f->c->replicas, COHORT_CORES_AUTO));
}

static thing lookup_replicas(frame *f, const thing x[])
{
    int32_t replicas[MOST];
    int n = cohort_assignment_lookup_replicas(x[0].as.assignment, (int)integer_of(&x[1]), 0,
                                              replicas, MOST);
    return n < 0 ? frame_stop(f, n) : thing_integers(f, replicas, n);
}

/* "core:" is "TPU:" in TensorFlow, "host:" is "CPU:". */
static thing renamed(frame *f, const char *name)
{
    const char *kind = strstr(name, "device:"), *place = strrchr(name, ':');
    if (kind == NULL)
        return frame_malformed(f, "a device \"%s\"", name);
    kind += strlen("device:");
    return thing_json(f, json_sprintf("%.*s%s%s", (int)(kind - name), name,
                                      strncmp(kind, "core", 4) == 0 ? "TPU" : "CPU", place));
}

static thing core_name(frame *f, const thing x[])
{
    char name[64] = "";
    (void)cohort_assignment_device_name(x[0].as.assignment, (int)integer_of(&x[1]), 0, NULL, name,
                                        sizeof name);
    return renamed(f, name);
}

static thing host_name(frame *f, const thing x[])
{
    char name[64] = "";
    (void)cohort_assignment_host_name(x[0].as.assignment, (int)integer_of(&x[1]), 0, NULL, name,
                                      sizeof name);
    return renamed(f, name);
}

static const int32_t *corner(frame *f, const thing *list)
{
    int32_t *numbers = table_memory(f->c, RANK * sizeof *numbers);
    (void)integers_of(f, list, numbers, RANK);
    return numbers;
}

#define CALLS(CALL)                                                                                \
    CALL(full_mesh, "Ln", full_mesh(f, x))                                                         \
    CALL(mesh_of, "LL", mesh_of(f, x))                                                             \
    CALL(mesh_shape, "T",                                                                          \
         thing_integers(f, cohort_topology_mesh(x[0].as.topology),                                 \
                        cohort_topology_rank(x[0].as.topology)))                                   \
    CALL(num_tasks, "T", thing_count(f, cohort_topology_num_tasks(x[0].as.topology)))              \
    CALL(devices_of_task, "Tn",                                                                    \
         thing_count(f, cohort_topology_num_devices(x[0].as.topology, (int)integer_of(&x[1]))))    \
    CALL(missing, "T", missing(f, x))                                                              \
    CALL(task_at, "TL",                                                                            \
         thing_count(f, cohort_topology_task_at(x[0].as.topology, corner(f, &x[1]))))              \
    CALL(ordinal_at, "TL",                                                                         \
         thing_count(f, cohort_topology_ordinal_at(x[0].as.topology, corner(f, &x[1]))))           \
    CALL(assignment, "T?L", assignment(f, x))                                                      \
    CALL(assignment_of, "Ta",                                                                      \
         thing_owned(f, THING_ASSIGNMENT,                                                          \
                     cohort_assignment_create(x[0].as.topology, *x[1].as.arrays)))                 \
    CALL(cores_of_replica, "M",                                                                    \
         thing_count(f, cohort_assignment_num_cores_per_replica(x[0].as.assignment)))              \
    CALL(replicas_of, "M", thing_count(f, cohort_assignment_num_replicas(x[0].as.assignment)))     \
    CALL(core_at, "Mnn",                                                                           \
         thing_integers(f,                                                                         \
                        cohort_assignment_coordinates(x[0].as.assignment, (int)integer_of(&x[1]),  \
                                                      (int)integer_of(&x[2])),                     \
                        RANK))                                                                     \
    CALL(lookup_replicas, "Mn", lookup_replicas(f, x))                                             \
    CALL(core_name, "Mn", core_name(f, x))                                                         \
    CALL(host_name, "Mn", host_name(f, x))                                                         \
    CALL(ordinal, "Mn",                                                                            \
         thing_count(f, cohort_assignment_ordinal(x[0].as.assignment, (int)integer_of(&x[1]), 0)))
CALLS(CALL_FUNCTION)
const call topology_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
