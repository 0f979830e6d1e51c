/* SPDX-License-Identifier: BSD-3-Clause */
/* Making assignments of given cores, and freeing them. */
#include "config.h"

#include "runtime/mesh/assignment.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <stdio.h>

static void free_assignment(cohort_assignment *a)
{
    cohort_topology_release(a->topology);
    cohort_free(a->cores);
    cohort_free(a->places);
    cohort_handle_free(&a->handle, sizeof *a, NULL);
}

void cohort_assignment_destroy(cohort_assignment *assignment)
{
    if (assignment != NULL &&
        cohort_handle_may_destroy(assignment, COHORT_HANDLE_ASSIGNMENT, "cohort_assignment_destroy",
                                  "the assignment"))
        free_assignment(assignment);
}

static cohort_status refuse_core(const cohort_assignment *a, int32_t i, const int32_t core[],
                                 const char *who)
{
    char what[128];
    (void)snprintf(what, sizeof what, "%s: core %d of replica %d", who, i % a->n_cores,
                   i / a->n_cores);
    return cohort_topology_place_at(a->topology, core, what);
}

/* Find the device of every core. */
static cohort_status find_devices(cohort_assignment *a, const char *who)
{
    int32_t rank = a->topology->mesh.rank, n = a->n_replicas * a->n_cores;
    a->places = cohort_allocate((size_t)n, sizeof *a->places);
    if (a->places == NULL)
        return cohort_error_memory("an assignment");
    for (int32_t i = 0; i < n; i++) {
        const int32_t *core = a->cores + (int64_t)i * rank;
        a->places[i] = cohort_topology_find(a->topology, core);
        if (a->places[i] < 0)
            return refuse_core(a, i, core, who);
    }
    return COHORT_OK;
}

cohort_assignment *cohort_assignment_make(const cohort_topology *topology, int32_t n_replicas,
                                          int32_t n_cores, int32_t *cores, const char *who)
{
    cohort_assignment *a = cohort_allocate(1, sizeof *a);
    if (a == NULL) {
        cohort_free(cores);
        (void)cohort_error_memory("an assignment");
        return NULL;
    }
    cohort_handle_begin(&a->handle, COHORT_HANDLE_ASSIGNMENT);
    a->topology = cohort_topology_retain(topology);
    a->n_replicas = n_replicas;
    a->n_cores = n_cores;
    a->cores = cores;
    if (find_devices(a, who) >= 0)
        return a;
    free_assignment(a);
    return NULL;
}

static cohort_assignment *create(const cohort_topology *topology, const cohort_array *cores,
                                 const char *call)
{
    if (cohort_topology_check(topology, call) < 0)
        return NULL;
    int32_t *copy = cohort_topology_copy_cores(cores, topology->mesh.rank, call,
                                               "cores int32[replicas][cores of each][rank]");
    if (copy != NULL && cores->shape[0] > COHORT_LIMIT_REPLICAS) {
        (void)cohort_error_set(COHORT_EINVAL, "%s: %lld replicas; from 1 to %d", call,
                               (long long)cores->shape[0], COHORT_LIMIT_REPLICAS);
        cohort_free(copy);
        return NULL;
    }
    return copy == NULL ? NULL
                        : cohort_assignment_make(topology, (int32_t)cores->shape[0],
                                                 (int32_t)cores->shape[1], copy, call);
}

cohort_assignment *cohort_assignment_create(const cohort_topology *topology, cohort_array cores)
{
    return cohort_handle_made(COHORT_HANDLE_ASSIGNMENT,
                              create(topology, &cores, "cohort_assignment_create"));
}
