/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes of devices and the replicas on them. Names of devices are TensorFlow's, made of ours. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

enum { RANK = 4, MOST = 1024 };

/* ---- From JSON. */

/* The numbers of nested lists, in order; false: something is no number, or they are too many. */
static bool flatten(const json_t *list, int32_t out[MOST], int *n)
{
    size_t i;
    const json_t *part;
    if (json_is_integer(list) && *n < MOST) {
        out[(*n)++] = (int32_t)json_integer_value(list);
        return true;
    }
    json_array_foreach(list, i, part) if (!flatten(part, out, n)) return false;
    return json_is_array(list);
}

/* An extent for each axis; false after table_malformed. */
static bool extents(table_case *c, const char *key, int32_t out[MOST])
{
    int n = 0;
    return (flatten(table_arg(c, key), out, &n) && n == RANK) ||
           table_malformed(c, "args: \"%s\" is no list of %d", key, RANK) != NULL;
}

/* ---- The mesh of args, full: its devices in tasks of as many, cores first, then x, y and z. NULL:
 * failed or malformed. */

static cohort_topology *full_mesh(table_case *c, int tasks)
{
    static const int order[RANK] = { 3, 0, 1, 2 };
    int32_t mesh[MOST], devices[MOST], n = 1;
    if (!extents(c, "mesh", mesh))
        return NULL;
    for (int axis = 0; axis < RANK; axis++)
        n *= mesh[axis];
    if (n < tasks || n * RANK > MOST || n % tasks != 0)
        return table_malformed(c, "a mesh of %d cores for %d tasks", n, tasks), NULL;
    for (int32_t d = 0; d < n; d++)
        for (int32_t i = 0, rest = d; i < RANK; rest /= mesh[order[i++]])
            devices[d * RANK + order[i]] = rest % mesh[order[i]];
    cohort_topology *t =
        cohort_topology_create(RANK, mesh, COHORT_ARRAY(devices, tasks, n / tasks, RANK));
    return t != NULL ? t : (table_failed(c), NULL);
}

/* The same where the words say how many tasks of how many devices: "2 tasks x 4 devices". */
static cohort_topology *mesh_of_words(table_case *c, const char *behind)
{
    int tasks = 0, devices = 0, end = 0;
    if (sscanf(c->rest, "%d tasks x %d devices%n", &tasks, &devices, &end) != 2 || tasks < 1 ||
        strcmp(c->rest + end, behind) != 0)
        return table_malformed(c, "op: '%s'", c->rest), NULL;
    table_rest_is_read(c);
    cohort_topology *t = full_mesh(c, tasks);
    if (t == NULL || cohort_topology_num_devices(t, 0) == devices)
        return t;
    cohort_topology_destroy(t);
    return table_malformed(c, "op: the mesh does not have %d devices", tasks * devices), NULL;
}

/* ---- To JSON. */

static json_t *listed(const int32_t numbers[], int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_integer(numbers[i]));
    return list;
}

static json_t *missing(const cohort_topology *t)
{
    json_t *list = json_array();
    for (int i = 0; i < cohort_topology_num_missing(t); i++)
        json_array_append_new(list, listed(cohort_topology_missing(t, i), cohort_topology_rank(t)));
    return list;
}

static json_t *cores(const cohort_assignment *a)
{
    json_t *replicas = json_array();
    for (int r = 0; r < cohort_assignment_num_replicas(a); r++) {
        json_t *list = json_array();
        for (int core = 0; core < cohort_assignment_num_cores_per_replica(a); core++)
            json_array_append_new(list, listed(cohort_assignment_coordinates(a, r, core), RANK));
        json_array_append_new(replicas, list);
    }
    return replicas;
}

/* "core:" is "TPU:" in TensorFlow, "host:" is "CPU:". */
static json_t *renamed(const char *name)
{
    static const char *const kinds[][2] = { { "core:", "TPU:" }, { "host:", "CPU:" } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *found = strstr(name, kinds[i][0]);
        if (found != NULL)
            return json_sprintf("%.*s%s%s", (int)(found - name), name, kinds[i][1],
                                found + strlen(kinds[i][0]));
    }
    return json_string(name);
}

/* ---- Assignments. */

static json_t *assignment(table_case *c)
{
    int32_t shape[MOST];
    cohort_topology *t = full_mesh(c, 1);
    json_t *found = NULL;
    if (t != NULL && extents(c, "computation_shape", shape) &&
        table_repeats_replicas(c, "replicas")) {
        cohort_assignment *a =
            cohort_assignment_build(t, shape, NULL, c->replicas, COHORT_CORES_AUTO);
        found = a != NULL ? json_pack("{s:o}", "assignment", cores(a)) : table_failed(c);
        cohort_assignment_destroy(a);
    }
    cohort_topology_destroy(t);
    return found;
}

static json_t *lookups(const cohort_assignment *a, int tasks)
{
    json_t *list = json_array();
    for (int task = 0; task < tasks; task++) {
        int32_t replicas[MOST];
        int n = cohort_assignment_lookup_replicas(a, task, 0, replicas, MOST);
        json_array_append_new(list, json_pack("[i, o]", task, listed(replicas, n < 0 ? 0 : n)));
    }
    return list;
}

/* The names of two replicas, one of each task. */
static json_t *names(const cohort_assignment *a, bool is_host)
{
    static const int replicas[] = { 0, 5 };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof replicas / sizeof *replicas; i++) {
        char name[64] = "";
        if (is_host)
            (void)cohort_assignment_host_name(a, replicas[i], 0, NULL, name, sizeof name);
        else
            (void)cohort_assignment_device_name(a, replicas[i], 0, NULL, name, sizeof name);
        json_array_append_new(list, renamed(name));
    }
    return list;
}

static json_t *ordinals(const cohort_assignment *a)
{
    json_t *list = json_array();
    for (int r = 0; r < cohort_assignment_num_replicas(a); r++)
        json_array_append_new(list, json_integer(cohort_assignment_ordinal(a, r, 0)));
    return list;
}

/* One replica on each core of a mesh. */
static cohort_assignment *one_each(table_case *c, cohort_topology *t)
{
    cohort_assignment *a =
        t == NULL ? NULL : cohort_assignment_build(t, NULL, NULL, c->replicas, COHORT_CORES_AUTO);
    cohort_topology_destroy(t);
    if (t != NULL && a == NULL)
        (void)table_failed(c);
    return a;
}

static json_t *properties(table_case *c)
{
    cohort_assignment *a = one_each(c, mesh_of_words(c, ": properties"));
    if (a == NULL)
        return NULL;
    int tasks = cohort_topology_num_tasks(cohort_assignment_topology(a));
    json_t *found = json_pack(
        "{s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "replicas", cohort_assignment_num_replicas(a),
        "cores", cohort_assignment_num_cores_per_replica(a), "coordinates_3",
        listed(cohort_assignment_coordinates(a, 3, 0), RANK), "lookup", lookups(a, tasks), "host",
        names(a, true), "tpu", names(a, false), "ordinal", ordinals(a));
    cohort_assignment_destroy(a);
    return found;
}

static json_t *lookup_unknown(table_case *c)
{
    enum { UNKNOWN = 5 };
    cohort_assignment *a = one_each(c, full_mesh(c, 2));
    if (a == NULL)
        return NULL;
    int n = cohort_assignment_lookup_replicas(a, UNKNOWN, 0, NULL, 0);
    json_t *found = n < 0 ? table_failed(c) : json_integer(n);
    cohort_assignment_destroy(a);
    return found;
}

/* Of an array that is none; the mesh is that of the other rows. */
static json_t *of_array(table_case *c, cohort_array array)
{
    cohort_topology *t = cohort_topology_of_devices("host/8", RANK, (int32_t[]){ 2, 2, 1, 2 });
    cohort_assignment *a = cohort_assignment_create(t, array);
    json_t *found = a != NULL ? json_pack("{s:o}", "assignment", cores(a)) : table_failed(c);
    cohort_assignment_destroy(a);
    cohort_topology_destroy(t);
    return found;
}

static json_t *of_rank_2(table_case *c)
{
    static const int32_t array[2][4] = { 0 };
    return of_array(c, COHORT_ARRAY(&array[0][0], 2, 4));
}

static json_t *of_other_mesh(table_case *c)
{
    static const int32_t array[2][1][3] = { 0 };
    return of_array(c, COHORT_ARRAY(&array[0][0][0], 2, 1, 3));
}

/* ---- Topologies. */

static json_t *questions(table_case *c)
{
    static const int32_t corner[RANK] = { 0, 1, 0, 1 };
    cohort_topology *t = mesh_of_words(c, "");
    if (t == NULL)
        return NULL;
    json_t *found = json_pack("{s:o, s:i, s:i, s:i, s:o, s:i, s:i}", "mesh_shape",
                              listed(cohort_topology_mesh(t), cohort_topology_rank(t)), "rank",
                              cohort_topology_rank(t), "tasks", cohort_topology_num_tasks(t),
                              "per_task", cohort_topology_num_devices(t, 0), "missing", missing(t),
                              "task_at_0101", cohort_topology_task_at(t, corner), "ordinal_at_0101",
                              cohort_topology_ordinal_at(t, corner));
    cohort_topology_destroy(t);
    return found;
}

/* Given by its coordinates, of one task. */
static json_t *given(table_case *c)
{
    int n = 0;
    int32_t mesh[MOST], devices[MOST];
    const json_t *coordinates = table_arg(c, "coordinates");
    if (!extents(c, "mesh", mesh))
        return NULL;
    if (json_array_size(coordinates) != 1 || !flatten(coordinates, devices, &n) || n % RANK != 0)
        return table_malformed(c, "args: \"coordinates\" of one task are wanted");
    cohort_topology *t =
        cohort_topology_create(RANK, mesh, COHORT_ARRAY(devices, 1, n / RANK, RANK));
    json_t *found = t != NULL ? json_pack("{s:o}", "missing", missing(t)) : table_failed(c);
    cohort_topology_destroy(t);
    return found;
}

const table_operation table_topology_operations[] = {
    { "device assignment", assignment },
    { "device assignment over *", properties },
    { "lookup_replicas of an unknown task", lookup_unknown },
    { "DeviceAssignment with a rank-2 array", of_rank_2 },
    { "DeviceAssignment with a last dimension of 3", of_other_mesh },
    { "topology of *", questions },
    { "topology: mesh-zero", given },
    { "topology: duplicate", given },
    { "topology: missing", given },
    { NULL, NULL },
};
