/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_tpu: a strategy over the cores of a mesh. What distinguishes it is data: its devices in
 * the order of the assignment, and that functions run in programs alone. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/strategy/call.h"

#include <cohort/cluster.h>

/* The devices of an assignment, each once, in the order of replicas, and how many each hosts. */
typedef struct core_list {
    const cohort_device **devices; /* [n] */
    int32_t *hosted;               /* [n] */
    int32_t n, n_replicas;
} core_list;

static void free_cores(core_list *c)
{
    cohort_free(c->devices);
    cohort_free(c->hosted);
}

static cohort_status refuse_apart(const cohort_device *device, int32_t replica)
{
    return cohort_error_set(COHORT_EINVAL,
                            "cohort_tpu: replica %d runs on %s, and so does an earlier one, with "
                            "another device between: replicas on one device are consecutive",
                            replica, cohort_device_id(device));
}

/* Replica by replica: on the device of the one before, or on a new one. */
static cohort_status count_hosted(core_list *c)
{
    int32_t n = 0;
    for (int32_t r = 0; r < c->n_replicas; r++) {
        const cohort_device *device = c->devices[r];
        if (n > 0 && c->devices[n - 1] == device) {
            c->hosted[n - 1]++;
            continue;
        }
        for (int32_t i = 0; i < n; i++)
            if (c->devices[i] == device)
                return refuse_apart(device, r);
        c->devices[n] = device;
        c->hosted[n++] = 1;
    }
    c->n = n;
    return COHORT_OK;
}

static cohort_status list_cores(const cohort_assignment *assignment, core_list *out)
{
    int n = cohort_assignment_hosts(assignment, NULL, 0);
    if (n < 0)
        return cohort_error_prefix(n, "cohort_tpu");
    out->n_replicas = n;
    out->devices = cohort_allocate((size_t)n, sizeof *out->devices);
    out->hosted = cohort_allocate((size_t)n, sizeof *out->hosted);
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
        s = cohort_strategy_create_on(&(cohort_strategy_options){ .replicas = cores.n_replicas,
                                                                  .hosted = cores.hosted,
                                                                  .resolver = resolver,
                                                                  .steps_per_run = steps_per_run },
                                      cores.devices, cores.n);
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
