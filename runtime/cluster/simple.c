/* SPDX-License-Identifier: BSD-3-Clause */
/* The simple resolver: a spec, and what else was given in code. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/cluster/resolver.h"

static cohort_cluster_spec *find_spec(void *user)
{
    return cohort_cluster_spec_share(user);
}

static void drop_spec(void *user)
{
    cohort_cluster_spec_destroy(user);
}

static int no_accelerators(void *user, cohort_accelerators out[], int capacity)
{
    (void)user;
    (void)out;
    (void)capacity;
    return 0;
}

static const cohort_resolver_ops ops = { .struct_size = sizeof ops,
                                         .name = "simple",
                                         .cluster_spec = find_spec,
                                         .num_accelerators = no_accelerators,
                                         .destroy = drop_spec };

static const char call[] = "cohort_resolver_simple";

/* Takes the spec. */
static cohort_resolver *make(cohort_cluster_spec *spec, const cohort_resolver_options *options)
{
    cohort_resolver_options given = options != NULL ? *options : (cohort_resolver_options){ 0 };
    /* its master is what it was given, not the address of its task */
    if (given.master == NULL)
        given.master = "";
    return cohort_resolver_make(&ops, spec, &given, call);
}

cohort_resolver *cohort_resolver_of_spec(const cohort_cluster_spec *spec,
                                         const cohort_resolver_options *options)
{
    return make(cohort_cluster_spec_share(cohort_memory_own(spec)), options);
}

cohort_resolver *cohort_resolver_simple_with(const cohort_job jobs[], int n,
                                             const cohort_resolver_options *options)
{
    cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, n);
    if (spec != NULL)
        return make(spec, options);
    (void)cohort_error_prefix(cohort_error_status(), "%s", call);
    return cohort_handle_made(COHORT_HANDLE_RESOLVER, NULL);
}

cohort_resolver *cohort_resolver_simple(const cohort_job jobs[], int n, const char *task_type,
                                        int32_t task_id)
{
    return cohort_resolver_simple_with(
        jobs, n, &(cohort_resolver_options){ .task_type = task_type, .task_id = task_id });
}
