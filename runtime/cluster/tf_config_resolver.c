/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of TF_CONFIG, which is read again at each question. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/cluster/resolver.h"
#include "runtime/cluster/tf_config.h"

typedef struct tf_config {
    cohort_resolver *resolver; /* that it stands behind */
    cohort_tf_config latest;
    char *master; /* lent last */
} tf_config;

/* NULL: the error text says what is wrong. */
static cohort_tf_config *read_again(tf_config *t)
{
    cohort_tf_config_free(&t->latest);
    return cohort_tf_config_read(cohort_setting_text(COHORT_SETTING_TF_CONFIG), &t->latest) < 0
               ? NULL
               : &t->latest;
}

static cohort_cluster_spec *find_spec(void *user)
{
    cohort_tf_config *c = read_again(user);
    return c != NULL ? cohort_cluster_spec_share(c->spec) : NULL;
}

static const char *find_task_type(void *user)
{
    cohort_tf_config *c = read_again(user);
    return c != NULL ? c->task_type : NULL;
}

static int32_t find_task_id(void *user)
{
    cohort_tf_config *c = read_again(user);
    if (c == NULL)
        return cohort_error_status();
    return c->task_id >= 0 ? c->task_id : COHORT_ENOENT;
}

static const char *find_rpc_layer(void *user)
{
    cohort_tf_config *c = read_again(user);
    return c != NULL ? c->rpc_layer : NULL;
}

static const char *find_environment(void *user)
{
    cohort_tf_config *c = read_again(user);
    return c != NULL ? c->environment : NULL;
}

/* A process that is alone has nobody to connect to. */
static bool is_alone(const cohort_cluster_spec *spec)
{
    return spec->n == 0 || (spec->n == 1 && spec->jobs[0].n == 1);
}

static const char *find_master(void *user, const char *type, int32_t id, const char *rpc_layer)
{
    tf_config *t = user;
    cohort_tf_config *c = read_again(t);
    if (c == NULL)
        return NULL;
    if (c->session_master[0] != '\0')
        return c->session_master;
    if (is_alone(c->spec))
        return "";
    if (type == NULL) {
        const cohort_resolver_options *given = &t->resolver->given;
        type = given->task_type != NULL ? given->task_type : c->task_type;
        id = given->task_type != NULL ? given->task_id : c->task_id;
        if (type[0] == '\0' || id < 0)
            return "";
    }
    const char *address = cohort_cluster_spec_task_address(c->spec, type, id);
    return address != NULL ? cohort_resolver_set_master(&t->master, address, rpc_layer) : NULL;
}

static void destroy(void *user)
{
    tf_config *t = user;
    cohort_tf_config_free(&t->latest);
    cohort_free(t->master);
    cohort_free(t);
}

static const cohort_resolver_ops ops = { .struct_size = sizeof ops,
                                         .name = "tf_config",
                                         .cluster_spec = find_spec,
                                         .task_type = find_task_type,
                                         .task_id = find_task_id,
                                         .rpc_layer = find_rpc_layer,
                                         .environment = find_environment,
                                         .master = find_master,
                                         .destroy = destroy };

cohort_resolver *cohort_resolver_tf_config_with(const cohort_resolver_options *options)
{
    tf_config *t = cohort_allocate(1, sizeof *t);
    if (t == NULL) {
        (void)cohort_error_memory("a resolver");
        return cohort_handle_made(COHORT_HANDLE_RESOLVER, NULL);
    }
    cohort_resolver *r = cohort_resolver_make(&ops, t, options, "cohort_resolver_tf_config");
    if (r != NULL)
        t->resolver = r;
    return r;
}

cohort_resolver *cohort_resolver_tf_config(void)
{
    return cohort_resolver_tf_config_with(NULL);
}
