/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_tpu: a strategy over the cores of a mesh. Data alone distinguishes it: its devices in the
 * order of the assignment, and that functions run in programs alone. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/strategy/call.h"

#include <cohort/cluster.h>

#include <string.h>

/* The devices of an assignment, in the order of replicas and, of each, of cores; those of replicas
 * that have the same ones stand once. How many replicas these host. */
typedef struct core_list {
    const cohort_device **devices; /* [n][n_cores] */
    int32_t *hosted;               /* [n] */
    int32_t n, n_replicas, n_cores;
} core_list;

static void free_cores(core_list *c)
{
    cohort_free(c->devices);
    cohort_free(c->hosted);
}

static cohort_status refuse_apart(const core_list *c, const cohort_device *device, int32_t replica)
{
    if (c->n_cores > 1)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_tpu: replica %d has %s, which is another logical device already: replicas that "
            "share a device are consecutive and share all of theirs",
            replica, cohort_device_id(device));
    return cohort_error_set(COHORT_EINVAL,
                            "cohort_tpu: replica %d runs on %s, and so does an earlier one, with "
                            "another device between: replicas on one device are consecutive",
                            replica, cohort_device_id(device));
}

/* The last row of the list. */
static bool is_last_row(const core_list *c, const cohort_device *const row[])
{
    size_t n = (size_t)c->n_cores;
    return c->n > 0 && memcmp(c->devices + (size_t)(c->n - 1) * n, row, n * sizeof *row) == 0;
}

/* A row behind those that are there, none of whose devices any of these has. */
static cohort_status add_row(core_list *c, const cohort_device *const row[], int32_t replica)
{
    const cohort_device **end = c->devices + (size_t)c->n * (size_t)c->n_cores;
    for (int32_t i = 0; i < c->n_cores; i++) {
        for (const cohort_device **d = c->devices; d < end + i; d++)
            if (*d == row[i])
                return refuse_apart(c, row[i], replica);
        end[i] = row[i];
    }
    c->hosted[c->n++] = 1;
    return COHORT_OK;
}

/* Replica by replica: on the devices of the one before, or on new ones. */
static cohort_status count_hosted(core_list *c)
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < c->n_replicas && status >= 0; r++) {
        const cohort_device **row = c->devices + (size_t)r * (size_t)c->n_cores;
        if (is_last_row(c, row))
            c->hosted[c->n - 1]++;
        else
            status = add_row(c, row, r);
    }
    return status;
}

static cohort_status list_cores(const cohort_assignment *assignment, core_list *out)
{
    int n = cohort_assignment_hosts(assignment, NULL, 0);
    if (n < 0)
        return cohort_error_prefix(n, "cohort_tpu");
    out->n_replicas = cohort_assignment_num_replicas(assignment);
    out->n_cores = cohort_assignment_num_cores_per_replica(assignment);
    out->devices = cohort_allocate((size_t)n, sizeof *out->devices);
    out->hosted = cohort_allocate((size_t)out->n_replicas, sizeof *out->hosted);
    if (out->devices == NULL || out->hosted == NULL)
        return cohort_error_memory("a strategy");
    (void)cohort_assignment_hosts(assignment, out->devices, n);
    return count_hosted(out);
}

static cohort_strategy *create(cohort_resolver *resolver, const cohort_assignment *assignment,
                               int64_t steps_per_run)
{
    core_list cores = { 0 };
    cohort_strategy *s = NULL;
    if (list_cores(assignment, &cores) >= 0)
        s = cohort_strategy_create_on(
            &(cohort_strategy_options){ .replicas = cores.n_replicas,
                                        .n_hosted = cores.n,
                                        .hosted = cores.hosted,
                                        .resolver = resolver,
                                        .steps_per_run = steps_per_run,
                                        .logical_devices = cores.n_cores },
            cores.devices, cores.n * cores.n_cores);
    free_cores(&cores);
    if (s != NULL)
        s->wants_program = true;
    return s;
}

/* The assignment of one replica per core, where the caller gave none. */
static cohort_strategy *create_on(cohort_resolver *resolver, const cohort_topology *topology,
                                  int64_t steps_per_run)
{
    cohort_assignment *all = cohort_assignment_build(topology, NULL, NULL, 0, COHORT_CORES_PLAIN);
    cohort_strategy *s = all != NULL ? create(resolver, all, steps_per_run) : NULL;
    cohort_assignment_destroy(all);
    return s;
}

static cohort_strategy *make(cohort_resolver *resolver, const cohort_assignment *assignment,
                             int64_t steps_per_run)
{
    const cohort_topology *topology = cohort_resolver_topology(resolver);
    if (topology == NULL) {
        (void)cohort_error_prefix(cohort_error_status(), "cohort_tpu");
        return NULL;
    }
    if (assignment == NULL)
        return create_on(resolver, topology, steps_per_run);
    const cohort_topology *its = cohort_assignment_topology(assignment);
    if (its == topology)
        return create(resolver, assignment, steps_per_run);
    if (its != NULL)
        (void)cohort_error_set(COHORT_EINVAL,
                               "cohort_tpu: the assignment is of another topology than the "
                               "resolver's (cohort_resolver_topology)");
    return NULL;
}

cohort_strategy *cohort_tpu(cohort_resolver *resolver, const cohort_assignment *assignment,
                            int64_t steps_per_run)
{
    return cohort_handle_made(COHORT_HANDLE_STRATEGY, make(resolver, assignment, steps_per_run));
}
