/* SPDX-License-Identifier: BSD-3-Clause */
/* The union of resolvers: the tasks of all of them, and everything else from the first. */
#include "config.h"

#include "runtime/base/assert.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/accelerators.h"
#include "runtime/cluster/resolver.h"

#include <string.h>

typedef struct joined {
    cohort_resolver **resolvers; /* [n], a share of each */
    int n;
    cohort_cluster_spec **specs; /* [n], shares, while specs are merged */
    char *master;                /* lent last */
} joined;

static const char call[] = "cohort_resolver_union";

static void destroy(void *user)
{
    joined *u = user;
    for (int i = 0; i < u->n; i++)
        cohort_resolver_destroy(u->resolvers[i]);
    cohort_free(u->resolvers);
    cohort_free(u->specs);
    cohort_free(u->master);
    cohort_free(u);
}

/* ------------------------------------------------------------------ merging */

/* A job of several specs: one list after the other where each of them is one, else by index. */
typedef struct merged {
    const char *type;
    bool is_list;
    int32_t n, used;
    const char **addresses;
    int32_t *indices;
} merged;

/* New ones are added at the end of the list; NULL: there are too many. */
static merged *find(merged list[], int *n, const char *type)
{
    for (int i = 0; i < *n; i++)
        if (strcmp(list[i].type, type) == 0)
            return &list[i];
    if (*n == COHORT_LIMIT_CLUSTER_JOBS)
        return NULL;
    list[*n] = (merged){ .type = type, .is_list = true };
    return &list[(*n)++];
}

static cohort_status count(const joined *u, merged list[], int *n)
{
    for (int i = 0; i < u->n; i++)
        for (int32_t j = 0; j < u->specs[i]->n; j++) {
            const cohort_cluster_job *job = &u->specs[i]->jobs[j];
            merged *m = find(list, n, job->type);
            if (m == NULL || job->n > COHORT_LIMIT_CLUSTER_TASKS - m->n)
                return cohort_error_set(COHORT_EINVAL,
                                        "job '%s' is too much: a cluster has at most %d jobs and "
                                        "%d tasks",
                                        job->type, COHORT_LIMIT_CLUSTER_JOBS,
                                        COHORT_LIMIT_CLUSTER_TASKS);
            m->n += job->n;
            m->is_list &= cohort_cluster_job_is_list(job);
        }
    return COHORT_OK;
}

static cohort_status fill(const joined *u, merged list[], int n)
{
    for (int i = 0; i < n; i++) {
        list[i].addresses = cohort_allocate((size_t)list[i].n, sizeof *list[i].addresses);
        list[i].indices = cohort_allocate((size_t)list[i].n, sizeof *list[i].indices);
        if (list[i].addresses == NULL || list[i].indices == NULL)
            return cohort_error_memory("a union of clusters");
    }
    for (int i = 0; i < u->n; i++)
        for (int32_t j = 0; j < u->specs[i]->n; j++) {
            const cohort_cluster_job *job = &u->specs[i]->jobs[j];
            merged *m = find(list, &n, job->type);
            cohort_assert(m != NULL); /* all jobs were counted */
            for (int32_t t = 0; t < job->n; t++, m->used++) {
                m->addresses[m->used] = job->tasks[t].address;
                m->indices[m->used] = m->is_list ? m->used : job->tasks[t].index;
            }
        }
    return COHORT_OK;
}

static cohort_cluster_spec *make_spec(const merged list[], int n)
{
    cohort_job *jobs = cohort_allocate((size_t)n, sizeof *jobs);
    if (jobs == NULL) {
        (void)cohort_error_memory("a union of clusters");
        return NULL;
    }
    for (int i = 0; i < n; i++)
        jobs[i] = (cohort_job){ list[i].type, list[i].addresses, list[i].n, list[i].indices };
    cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, n);
    cohort_free(jobs);
    return spec;
}

static cohort_cluster_spec *merge(const joined *u)
{
    int n = 0;
    merged *list = cohort_allocate(COHORT_LIMIT_CLUSTER_JOBS, sizeof *list);
    cohort_cluster_spec *spec = NULL;
    if (list == NULL)
        (void)cohort_error_memory("a union of clusters");
    else if (count(u, list, &n) >= 0 && fill(u, list, n) >= 0)
        spec = make_spec(list, n);
    for (int i = 0; i < n; i++) {
        cohort_free(list[i].addresses);
        cohort_free(list[i].indices);
    }
    cohort_free(list);
    return spec;
}

static cohort_status ask_specs(joined *u)
{
    for (int i = 0; i < u->n; i++) {
        const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(u->resolvers[i]);
        if (spec == NULL)
            return cohort_error_status();
        u->specs[i] = cohort_cluster_spec_share(cohort_memory_own(spec));
    }
    return COHORT_OK;
}

static cohort_cluster_spec *find_spec(void *user)
{
    joined *u = user;
    cohort_cluster_spec *spec = ask_specs(u) >= 0 ? merge(u) : NULL;
    for (int i = 0; i < u->n; i++) {
        cohort_cluster_spec_destroy(u->specs[i]);
        u->specs[i] = NULL;
    }
    return spec;
}

/* ------------------------------------------------------------------ the first */

static const char *find_task_type(void *user)
{
    return cohort_resolver_task_type(((joined *)user)->resolvers[0]);
}

static int32_t find_task_id(void *user)
{
    return cohort_resolver_task_id(((joined *)user)->resolvers[0]);
}

static const char *find_rpc_layer(void *user)
{
    return cohort_resolver_rpc_layer(((joined *)user)->resolvers[0]);
}

static const char *find_environment(void *user)
{
    return cohort_resolver_environment(((joined *)user)->resolvers[0]);
}

static int find_accelerators(void *user, cohort_accelerators out[], int capacity)
{
    return cohort_resolver_num_accelerators(((joined *)user)->resolvers[0], out, capacity);
}

static const char *find_ids(void *user)
{
    return cohort_resolver_accelerator_ids(((joined *)user)->resolvers[0]);
}

static const cohort_topology *find_topology(void *user)
{
    return cohort_resolver_topology(((joined *)user)->resolvers[0]);
}

/* Of a task: any of the union's. */
static const char *find_master(void *user, const char *type, int32_t id, const char *rpc_layer)
{
    joined *u = user;
    if (type == NULL)
        return cohort_resolver_master(u->resolvers[0], NULL, 0, rpc_layer);
    cohort_cluster_spec *spec = find_spec(u);
    const char *address = spec != NULL ? cohort_cluster_spec_task_address(spec, type, id) : NULL,
               *master = address != NULL
                             ? cohort_resolver_set_master(&u->master, address, rpc_layer)
                             : NULL;
    cohort_cluster_spec_destroy(spec);
    return master;
}

/* ------------------------------------------------------------------ making */

static const cohort_resolver_ops ops = { .struct_size = sizeof ops,
                                         .name = "union",
                                         .cluster_spec = find_spec,
                                         .task_type = find_task_type,
                                         .task_id = find_task_id,
                                         .rpc_layer = find_rpc_layer,
                                         .environment = find_environment,
                                         .master = find_master,
                                         .num_accelerators = find_accelerators,
                                         .accelerator_ids = find_ids,
                                         .destroy = destroy,
                                         .topology = find_topology };

static cohort_status check(cohort_resolver *const resolvers[], int n)
{
    char what[32];
    if (n < 1 || n > COHORT_LIMIT_CLUSTER_JOBS)
        return cohort_error_set(COHORT_EINVAL, "%s: %d resolvers; 1 to %d", call, n,
                                COHORT_LIMIT_CLUSTER_JOBS);
    if (resolvers == NULL)
        return cohort_error_null(call, "the list of resolvers");
    for (int i = 0; i < n; i++) {
        (void)snprintf(what, sizeof what, "resolver %d", i);
        cohort_status status =
            cohort_handle_check(resolvers[i], COHORT_HANDLE_RESOLVER, call, what);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

/* NULL: out of memory. */
static joined *join(cohort_resolver *const resolvers[], int n)
{
    joined *u = cohort_allocate(1, sizeof *u);
    if (u == NULL)
        return NULL;
    u->resolvers = cohort_allocate((size_t)n, sizeof(cohort_resolver *));
    u->specs = cohort_allocate((size_t)n, sizeof(cohort_cluster_spec *));
    if (u->resolvers == NULL || u->specs == NULL) {
        destroy(u);
        return NULL;
    }
    for (; u->n < n; u->n++)
        u->resolvers[u->n] = cohort_resolver_share(resolvers[u->n]);
    return u;
}

cohort_resolver *cohort_resolver_union_with(cohort_resolver *const resolvers[], int n,
                                            const cohort_resolver_options *options)
{
    joined *u = NULL;
    cohort_status status = check(resolvers, n);
    if (status >= 0 && (u = join(resolvers, n)) == NULL)
        status = cohort_error_memory("a resolver");
    return status >= 0 ? cohort_resolver_make(&ops, u, options, call)
                       : cohort_handle_made(COHORT_HANDLE_RESOLVER, NULL);
}

cohort_resolver *cohort_resolver_union(cohort_resolver *const resolvers[], int n)
{
    return cohort_resolver_union_with(resolvers, n, NULL);
}
