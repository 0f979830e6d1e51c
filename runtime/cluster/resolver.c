/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/resolver.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/accelerators.h"

#include <string.h>

/* ------------------------------------------------------------------ what was given */

static cohort_status check_reserved(const cohort_resolver_options *options)
{
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL,
                                    "reserved[%zu] of the options is not zero; start from "
                                    "(cohort_resolver_options){ 0 }",
                                    i);
    return COHORT_OK;
}

static cohort_status check_options(const cohort_resolver_options *options)
{
    const struct {
        const char *text, *what;
    } texts[] = { { options->task_type, "task_type of the options" },
                  { options->master, "master of the options" },
                  { options->rpc_layer, "rpc_layer of the options" },
                  { options->environment, "environment of the options" } };
    cohort_status status = check_reserved(options);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status >= 0; i++)
        status = cohort_cluster_check_text(texts[i].text, texts[i].what, true);
    return status;
}

/* A member that was not given stays NULL. */
static cohort_status copy_given(const char **to, const char *text)
{
    if (text != NULL && (*to = cohort_string_copy(text)) == NULL)
        return cohort_error_memory("a resolver");
    return COHORT_OK;
}

static cohort_status copy_options(cohort_resolver *r, const cohort_resolver_options *options)
{
    cohort_resolver_options *given = &r->given;
    cohort_status status = check_options(options);
    if (status >= 0)
        status = copy_given(&given->task_type, options->task_type);
    if (status >= 0)
        status = copy_given(&given->master, options->master);
    if (status >= 0)
        status = copy_given(&given->rpc_layer, options->rpc_layer);
    if (status >= 0)
        status = copy_given(&given->environment, options->environment);
    given->task_id = options->task_id;
    if (status < 0 || options->accelerators == NULL)
        return status;
    given->num_accelerators = options->num_accelerators;
    cohort_accelerators *copy;
    status = cohort_accelerators_copy(options->accelerators, options->num_accelerators, &copy);
    given->accelerators = copy;
    return status;
}

/* ------------------------------------------------------------------ making */

static cohort_status check_ops(const cohort_resolver_ops *ops)
{
    if (ops == NULL)
        return cohort_error_set(COHORT_EINVAL, "the table of functions is NULL");
    if (ops->struct_size < offsetof(cohort_resolver_ops, cluster_spec))
        return cohort_error_set(COHORT_EINVAL,
                                "struct_size of the functions is %u; it is "
                                "sizeof(cohort_resolver_ops)",
                                (unsigned)ops->struct_size);
    if (ops->struct_size > sizeof *ops)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "the functions were made for a newer Cohort: their struct_size is "
                                "%u, that of Cohort %s is %zu",
                                (unsigned)ops->struct_size, cohort_version(), sizeof *ops);
    if (ops->reserved != 0)
        return cohort_error_set(COHORT_EINVAL, "reserved of the functions is not zero");
    return cohort_cluster_check_text(ops->name, "the name", false);
}

static cohort_status fill(cohort_resolver *r, const cohort_resolver_ops *ops,
                          const cohort_resolver_options *options)
{
    cohort_status status = check_ops(ops);
    if (status < 0)
        return status;
    memcpy(&r->ops, ops, ops->struct_size);
    if ((r->name = cohort_string_copy(ops->name)) == NULL)
        return cohort_error_memory("a resolver");
    return options != NULL ? copy_options(r, options) : COHORT_OK;
}

static void free_parts(cohort_resolver *r)
{
    cohort_free(r->name);
    cohort_free(cohort_memory_own(r->given.task_type));
    cohort_free(cohort_memory_own(r->given.master));
    cohort_free(cohort_memory_own(r->given.rpc_layer));
    cohort_free(cohort_memory_own(r->given.environment));
    cohort_accelerators_free(cohort_memory_own(r->given.accelerators), r->given.num_accelerators);
    for (int i = 0; i < COHORT_RESOLVER_TEXTS; i++)
        cohort_free(r->texts[i]);
    cohort_cluster_spec_destroy(r->spec);
    cohort_accelerators_free(r->accelerators, r->n_accelerators);
}

static cohort_resolver *make(const cohort_resolver_ops *ops, void *user,
                             const cohort_resolver_options *options, const char *call)
{
    cohort_resolver *r = cohort_allocate(1, sizeof *r);
    if (r == NULL) {
        (void)cohort_error_memory("a resolver");
        return NULL;
    }
    cohort_status status = fill(r, ops, options);
    if (status >= 0) {
        r->user = user;
        cohort_handle_begin(&r->handle, COHORT_HANDLE_RESOLVER);
        atomic_init(&r->shares, 1);
        return r;
    }
    (void)cohort_error_prefix(status, "%s", call);
    free_parts(r);
    cohort_free(r);
    return NULL;
}

cohort_resolver *cohort_resolver_create(const cohort_resolver_ops *ops, void *user)
{
    return cohort_handle_made(COHORT_HANDLE_RESOLVER,
                              make(ops, user, NULL, "cohort_resolver_create"));
}

cohort_resolver *cohort_resolver_make(const cohort_resolver_ops *ops, void *user,
                                      const cohort_resolver_options *options, const char *call)
{
    cohort_resolver *r = make(ops, user, options, call);
    if (r == NULL && ops->destroy != NULL)
        ops->destroy(user);
    return cohort_handle_made(COHORT_HANDLE_RESOLVER, r);
}

cohort_resolver *cohort_resolver_share(cohort_resolver *r)
{
    atomic_fetch_add_explicit(&r->shares, 1, memory_order_relaxed);
    return r;
}

void cohort_resolver_destroy(cohort_resolver *r)
{
    if (r == NULL || !cohort_handle_may_destroy(r, COHORT_HANDLE_RESOLVER,
                                                "cohort_resolver_destroy", "the resolver"))
        return;
    if (atomic_fetch_sub(&r->shares, 1) > 1)
        return;
    if (r->ops.destroy != NULL)
        r->ops.destroy(r->user);
    free_parts(r);
    cohort_handle_free(&r->handle, sizeof *r, NULL);
}
