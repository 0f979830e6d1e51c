/* SPDX-License-Identifier: BSD-3-Clause */
/* The answers of an assignment. */
#include "config.h"

#include "runtime/mesh/assignment.h"

static cohort_status check(const cohort_assignment *a, const char *call)
{
    return cohort_handle_check(a, COHORT_HANDLE_ASSIGNMENT, call, "the assignment");
}

static cohort_status check_core(const cohort_assignment *a, int core, const char *call)
{
    if (core >= 0 && core < a->n_cores)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: no core %d; a replica has %d, from 0", call, core,
                            a->n_cores);
}

/* Index of a logical core among all. COHORT_EINVAL with "call: ...". */
static int32_t find(const cohort_assignment *a, int replica, int core, const char *call)
{
    cohort_status status = check(a, call);
    if (status >= 0 && (replica < 0 || replica >= a->n_replicas))
        status = cohort_error_set(COHORT_EINVAL, "%s: no replica %d; there are %d, from 0", call,
                                  replica, a->n_replicas);
    if (status >= 0)
        status = check_core(a, core, call);
    return status < 0 ? status : replica * a->n_cores + core;
}

const cohort_topology *cohort_assignment_topology(const cohort_assignment *assignment)
{
    return check(assignment, "cohort_assignment_topology") < 0 ? NULL : assignment->topology;
}

int cohort_assignment_num_replicas(const cohort_assignment *assignment)
{
    cohort_status status = check(assignment, "cohort_assignment_num_replicas");
    return status < 0 ? status : assignment->n_replicas;
}

int cohort_assignment_num_cores_per_replica(const cohort_assignment *assignment)
{
    cohort_status status = check(assignment, "cohort_assignment_num_cores_per_replica");
    return status < 0 ? status : assignment->n_cores;
}

const int32_t *cohort_assignment_coordinates(const cohort_assignment *assignment, int replica,
                                             int core)
{
    int32_t i = find(assignment, replica, core, "cohort_assignment_coordinates");
    return i < 0 ? NULL : assignment->cores + (int64_t)i * assignment->topology->mesh.rank;
}

/* ------------------------------------------------------------------ the device of a core */

static int task_of(const cohort_assignment *a, int32_t i)
{
    return a->places[i] / a->topology->most_devices;
}

int cohort_assignment_task(const cohort_assignment *assignment, int replica, int core)
{
    int32_t i = find(assignment, replica, core, "cohort_assignment_task");
    return i < 0 ? i : task_of(assignment, i);
}

int cohort_assignment_ordinal(const cohort_assignment *assignment, int replica, int core)
{
    int32_t i = find(assignment, replica, core, "cohort_assignment_ordinal");
    return i < 0 ? i : assignment->places[i] % assignment->topology->most_devices;
}

const cohort_device *cohort_assignment_device(const cohort_assignment *assignment, int replica,
                                              int core)
{
    static const char call[] = "cohort_assignment_device";
    int32_t i = find(assignment, replica, core, call);
    return i < 0 ? NULL
                 : cohort_topology_device_at(assignment->topology, assignment->places[i], call);
}

int cohort_assignment_device_name(const cohort_assignment *assignment, int replica, int core,
                                  const char *job, char *out, size_t bytes)
{
    static const char call[] = "cohort_assignment_device_name";
    int32_t i = find(assignment, replica, core, call);
    return i < 0 ? i
                 : cohort_topology_print_device(assignment->topology, assignment->places[i], job,
                                                out, bytes, call);
}

int cohort_assignment_host_name(const cohort_assignment *assignment, int replica, int core,
                                const char *job, char *out, size_t bytes)
{
    static const char call[] = "cohort_assignment_host_name";
    int32_t i = find(assignment, replica, core, call);
    return i < 0 ? i : cohort_topology_print_host(task_of(assignment, i), job, out, bytes, call);
}

/* ------------------------------------------------------------------ replicas of a task, hosts */

static cohort_status check_room(const void *out, int capacity, const char *call)
{
    return out == NULL && capacity > 0 ? cohort_error_null(call, "the room for answers")
                                       : COHORT_OK;
}

int cohort_assignment_lookup_replicas(const cohort_assignment *assignment, int task, int core,
                                      int32_t out[], int capacity)
{
    static const char call[] = "cohort_assignment_lookup_replicas";
    int n = 0;
    cohort_status status = check(assignment, call);
    if (status >= 0)
        status = check_room(out, capacity, call);
    if (status < 0)
        return status;
    for (int32_t r = 0; core >= 0 && core < assignment->n_cores && r < assignment->n_replicas; r++)
        if (task_of(assignment, r * assignment->n_cores + core) == task) {
            if (n < capacity)
                out[n] = r;
            n++;
        }
    return n > 0 ? n
                 : cohort_error_set(COHORT_ENOENT,
                                    "%s: no replica has its logical core %d in task %d; there are "
                                    "%d replicas of %d core%s, and %d task%s",
                                    call, core, task, assignment->n_replicas, assignment->n_cores,
                                    assignment->n_cores == 1 ? "" : "s",
                                    assignment->topology->n_tasks,
                                    assignment->topology->n_tasks == 1 ? "" : "s");
}

int cohort_assignment_hosts(const cohort_assignment *assignment, const cohort_device *out[],
                            int capacity)
{
    static const char call[] = "cohort_assignment_hosts";
    cohort_status status = check(assignment, call);
    if (status >= 0)
        status = check_room(out, capacity, call);
    if (status < 0)
        return status;
    int32_t n = assignment->n_replicas * assignment->n_cores; /* at most 1,048,576 */
    for (int32_t i = 0; i < n; i++) {
        const cohort_device *device =
            cohort_topology_device_at(assignment->topology, assignment->places[i], call);
        if (device == NULL)
            return COHORT_EINVAL;
        if (i < capacity)
            out[i] = device;
    }
    return n;
}
