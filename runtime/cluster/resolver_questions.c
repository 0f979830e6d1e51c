/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to a resolver: what was given in code, else what its function answers, checked, copied
 * and lent. */
#include "config.h"

#include "runtime/base/callback.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/accelerators.h"
#include "runtime/cluster/resolver.h"
#include "runtime/mesh/topology.h"

#include <stdio.h>
#include <string.h>

static cohort_status check(const cohort_resolver *r, const char *call)
{
    return cohort_handle_check(r, COHORT_HANDLE_RESOLVER, call, "the resolver");
}

/* A function of the table has returned: the reason, if any, is its own. */
static cohort_status end_call(const cohort_resolver *r, cohort_callback *callback,
                              cohort_status returned)
{
    cohort_status status = cohort_callback_end(callback, returned);
    return status < 0 ? cohort_error_prefix(status, "resolver '%s'", r->name) : status;
}

/* ------------------------------------------------------------------ texts */

cohort_status cohort_resolver_keep(char **out, const char *text)
{
    if (*out != NULL && strcmp(*out, text) == 0)
        return COHORT_OK; /* whoever was lent it has it still */
    char *copy = cohort_string_copy(text);
    if (copy == NULL)
        return cohort_error_memory("an answer of a resolver");
    cohort_free(*out);
    *out = copy;
    return COHORT_OK;
}

/* The answer of a function, checked and lent; NULL with the reason. */
static const char *lend(cohort_resolver *r, cohort_resolver_text which, const char *text)
{
    static const char *const whats[] = { "the task type",   "the master",          "the rpc layer",
                                         "the environment", "the accelerator ids", "the address" };
    cohort_status status = cohort_cluster_check_text(text, whats[which], true);
    if (status < 0)
        (void)cohort_error_prefix(status, "resolver '%s'", r->name);
    return status < 0 || cohort_resolver_keep(&r->texts[which], text) < 0 ? NULL : r->texts[which];
}

/* Of a function that has answered NULL. */
static cohort_status no_answer(void)
{
    return cohort_error_status() < 0
               ? cohort_error_status()
               : cohort_error_set(COHORT_EINVAL, "it returned NULL, and no error");
}

/* The answer of a function without arguments. */
static const char *ask(cohort_resolver *r, cohort_resolver_text which,
                       const char *(*function)(void *user))
{
    cohort_callback callback;
    if (function == NULL)
        return lend(r, which, "");
    cohort_callback_begin(&callback, NULL, NULL);
    const char *text = function(r->user);
    return end_call(r, &callback, text != NULL ? COHORT_OK : no_answer()) < 0
               ? NULL
               : lend(r, which, text);
}

const char *cohort_resolver_name(const cohort_resolver *r)
{
    return check(r, "cohort_resolver_name") < 0 ? NULL : r->name;
}

const char *cohort_resolver_task_type(cohort_resolver *r)
{
    if (check(r, "cohort_resolver_task_type") < 0)
        return NULL;
    return r->given.task_type != NULL ? r->given.task_type
                                      : ask(r, COHORT_RESOLVER_TASK_TYPE, r->ops.task_type);
}

const char *cohort_resolver_rpc_layer(cohort_resolver *r)
{
    if (check(r, "cohort_resolver_rpc_layer") < 0)
        return NULL;
    return r->given.rpc_layer != NULL ? r->given.rpc_layer
                                      : ask(r, COHORT_RESOLVER_RPC_LAYER, r->ops.rpc_layer);
}

const char *cohort_resolver_environment(cohort_resolver *r)
{
    if (check(r, "cohort_resolver_environment") < 0)
        return NULL;
    return r->given.environment != NULL ? r->given.environment
                                        : ask(r, COHORT_RESOLVER_ENVIRONMENT, r->ops.environment);
}

/* ------------------------------------------------------------------ task and spec */

static int32_t no_task_id(const cohort_resolver *r)
{
    return cohort_error_set(COHORT_ENOENT, "resolver '%s': this process has no task id", r->name);
}

int32_t cohort_resolver_task_id(cohort_resolver *r)
{
    cohort_callback callback;
    cohort_status status = check(r, "cohort_resolver_task_id");
    if (status < 0)
        return status;
    if (r->given.task_type != NULL)
        return r->given.task_id >= 0 ? r->given.task_id : no_task_id(r);
    if (r->ops.task_id == NULL)
        return no_task_id(r);
    cohort_callback_begin(&callback, NULL, NULL);
    int32_t id = r->ops.task_id(r->user);
    if (id == COHORT_ENOENT && cohort_error_status() >= 0) {
        cohort_callback_drop(&callback);
        return no_task_id(r);
    }
    status = end_call(r, &callback, id < 0 ? id : COHORT_OK);
    return status < 0 ? status : id;
}

static cohort_cluster_spec *ask_spec(cohort_resolver *r)
{
    cohort_callback callback;
    if (r->ops.cluster_spec == NULL)
        return cohort_cluster_spec_create(NULL, 0);
    cohort_callback_begin(&callback, NULL, NULL);
    cohort_cluster_spec *spec = r->ops.cluster_spec(r->user);
    cohort_status status =
        spec != NULL ? cohort_cluster_spec_check(spec, "cluster_spec") : no_answer();
    return end_call(r, &callback, status) < 0 ? NULL : spec;
}

const cohort_cluster_spec *cohort_resolver_cluster_spec(cohort_resolver *r)
{
    if (check(r, "cohort_resolver_cluster_spec") < 0)
        return NULL;
    cohort_cluster_spec *spec = ask_spec(r);
    if (spec == NULL)
        return NULL;
    if (r->spec != NULL && cohort_cluster_spec_is_equal(spec, r->spec)) {
        cohort_cluster_spec_destroy(spec);
        return r->spec;
    }
    cohort_cluster_spec_destroy(r->spec);
    return r->spec = spec;
}

int cohort_resolver_num_tasks(cohort_resolver *r, const char *type)
{
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(r);
    return spec != NULL ? cohort_cluster_spec_num_tasks(spec, type) : cohort_error_status();
}

const char *cohort_resolver_address(cohort_resolver *r, const char *type, int32_t id)
{
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(r);
    const char *address = spec != NULL ? cohort_cluster_spec_task_address(spec, type, id) : NULL;
    return address != NULL ? lend(r, COHORT_RESOLVER_ADDRESS, address) : NULL;
}

/* ------------------------------------------------------------------ master */

const char *cohort_resolver_set_master(char **text, const char *address, const char *rpc_layer)
{
    bool has_layer = address[0] != '\0' && rpc_layer[0] != '\0';
    size_t bytes = strlen(address) + strlen(rpc_layer) + sizeof "://";
    char *master = cohort_allocate(bytes, 1);
    if (master == NULL) {
        (void)cohort_error_memory("an answer of a resolver");
        return NULL;
    }
    (void)snprintf(master, bytes, "%s%s%s", has_layer ? rpc_layer : "", has_layer ? "://" : "",
                   address);
    cohort_free(*text);
    return *text = master;
}

const char *cohort_resolver_find_address(cohort_resolver *r, const char *type, int32_t id)
{
    if (type == NULL) {
        type = cohort_resolver_task_type(r);
        if (type == NULL || type[0] == '\0')
            return type;
        id = cohort_resolver_task_id(r);
        if (id < 0)
            return id == COHORT_ENOENT ? "" : NULL;
    }
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(r);
    return spec != NULL ? cohort_cluster_spec_task_address(spec, type, id) : NULL;
}

static const char *ask_master(cohort_resolver *r, const char *type, int32_t id, const char *layer)
{
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    const char *text = r->ops.master(r->user, type, id, layer);
    return end_call(r, &callback, text != NULL ? COHORT_OK : no_answer()) < 0
               ? NULL
               : lend(r, COHORT_RESOLVER_MASTER, text);
}

const char *cohort_resolver_master(cohort_resolver *r, const char *type, int32_t id,
                                   const char *rpc_layer)
{
    if (check(r, "cohort_resolver_master") < 0 ||
        cohort_cluster_check_text(rpc_layer, "cohort_resolver_master: the rpc layer", true) < 0)
        return NULL;
    const char *layer = rpc_layer != NULL ? rpc_layer : cohort_resolver_rpc_layer(r);
    if (layer == NULL)
        return NULL;
    if (type != NULL && type[0] == '\0')
        type = NULL; /* what a resolver of no task answers, given to another question */
    bool is_given = type == NULL && r->given.master != NULL;
    if (!is_given && r->ops.master != NULL)
        return ask_master(r, type, id, layer);
    const char *address = is_given ? r->given.master : cohort_resolver_find_address(r, type, id);
    return address != NULL
               ? cohort_resolver_set_master(&r->texts[COHORT_RESOLVER_MASTER], address, layer)
               : NULL;
}

/* ------------------------------------------------------------------ accelerators */

static int ask_accelerators(cohort_resolver *r, cohort_accelerators list[])
{
    cohort_callback callback;
    if (r->ops.num_accelerators == NULL)
        return cohort_accelerators_count(list, COHORT_ACCELERATOR_KINDS);
    cohort_callback_begin(&callback, NULL, NULL);
    int n = r->ops.num_accelerators(r->user, list, COHORT_ACCELERATOR_KINDS);
    cohort_status status = end_call(r, &callback, n < 0 ? n : COHORT_OK);
    return status < 0 ? status : n;
}

/* The answer is kept: kinds of functions are theirs until the next one is called. */
static cohort_status keep_accelerators(cohort_resolver *r, const cohort_accelerators list[], int n)
{
    cohort_accelerators *copy;
    cohort_status status = cohort_accelerators_copy(list, n, &copy);
    if (status < 0)
        return cohort_error_prefix(status, "resolver '%s'", r->name);
    cohort_accelerators_free(r->accelerators, r->n_accelerators);
    r->accelerators = copy;
    r->n_accelerators = n;
    return COHORT_OK;
}

int cohort_resolver_num_accelerators(cohort_resolver *r, cohort_accelerators out[], int capacity)
{
    cohort_accelerators list[COHORT_ACCELERATOR_KINDS] = { { NULL, 0 } };
    cohort_status status = check(r, "cohort_resolver_num_accelerators");
    if (status < 0)
        return status;
    const cohort_accelerators *found = r->given.accelerators;
    int n = r->given.num_accelerators;
    if (found == NULL) {
        n = ask_accelerators(r, list);
        status = n < 0 ? n : keep_accelerators(r, list, n);
        found = r->accelerators;
    }
    if (status < 0)
        return status;
    for (int i = 0; i < n && i < capacity; i++)
        out[i] = found[i];
    return n;
}

const char *cohort_resolver_accelerator_ids(cohort_resolver *r)
{
    if (check(r, "cohort_resolver_accelerator_ids") < 0)
        return NULL;
    return ask(r, COHORT_RESOLVER_ACCELERATOR_IDS, r->ops.accelerator_ids);
}

/* ------------------------------------------------------------------ topology */

static const cohort_topology *ask_topology(cohort_resolver *r)
{
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    const cohort_topology *topology = r->ops.topology(r->user);
    cohort_status status =
        topology == NULL ? no_answer() : cohort_topology_check(topology, "its function");
    return end_call(r, &callback, status) < 0 ? NULL : topology;
}

const cohort_topology *cohort_resolver_topology(cohort_resolver *r)
{
    if (check(r, "cohort_resolver_topology") < 0)
        return NULL;
    if (r->ops.topology != NULL)
        return ask_topology(r);
    (void)cohort_error_set(COHORT_ENOENT,
                           "resolver '%s' has no topology; cohort_resolver_tpu makes one of "
                           "devices",
                           r->name);
    return NULL;
}
