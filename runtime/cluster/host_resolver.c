/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/host_resolver.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/jobs.h"
#include "runtime/cluster/resolver.h"

#include <string.h>

enum { MOST_PORT = 65535 };

typedef struct host_resolver {
    const cohort_host_kind *kind;
    void *user;                      /* the kind's */
    cohort_resolver *resolver;       /* that it stands behind */
    int32_t tasks[COHORT_JOB_TYPES]; /* as cohort_jobs_read has them; all 0: one job */
    char *type;                      /* of that job */
    char *master;                    /* lent last */
    int32_t port;
} host_resolver;

static void destroy(void *user)
{
    host_resolver *h = user;
    h->kind->destroy(h->user);
    cohort_free(h->type);
    cohort_free(h->master);
    cohort_free(h);
}

/* ------------------------------------------------------------------ jobs */

/* The hosts of the moment, and how many of them each job has, one after the other. */
typedef struct dealt {
    const char *types[COHORT_JOB_TYPES];
    int32_t tasks[COHORT_JOB_TYPES];
    cohort_hosts hosts;
} dealt;

static bool has_one_job(const host_resolver *h)
{
    bool has = true;
    for (int i = 0; i < COHORT_JOB_TYPES; i++)
        has = has && h->tasks[i] == 0;
    return has;
}

static cohort_status deal(const host_resolver *h, dealt *d)
{
    if (has_one_job(h)) {
        d->types[0] = h->type;
        d->tasks[0] = d->hosts.n;
        return COHORT_OK;
    }
    memcpy(d->types, cohort_job_types, sizeof d->types);
    memcpy(d->tasks, h->tasks, sizeof d->tasks);
    return cohort_jobs_share_out(d->hosts.n, d->tasks);
}

/* *out is to be freed unless this fails. */
static cohort_status look(const host_resolver *h, bool wants_own, dealt *out)
{
    *out = (dealt){ 0 };
    cohort_status status = h->kind->read(h->user, wants_own, &out->hosts);
    if (status >= 0)
        status = deal(h, out);
    if (status < 0)
        cohort_hosts_free(&out->hosts);
    return status;
}

/* ------------------------------------------------------------------ addresses */

static cohort_status write_addresses(const cohort_hosts *hosts, int32_t port, char *out[])
{
    for (int32_t i = 0; i < hosts->n; i++) {
        size_t bytes = strlen(hosts->names[i]) + sizeof ":65535";
        if ((out[i] = cohort_allocate(bytes, 1)) == NULL)
            return cohort_error_memory("the addresses of a cluster");
        (void)snprintf(out[i], bytes, "%s:%d", hosts->names[i], (int)port);
    }
    return COHORT_OK;
}

static cohort_cluster_spec *make_spec(const dealt *d, char *const addresses[])
{
    cohort_job jobs[COHORT_JOB_TYPES];
    int n = 0;
    for (int i = 0; i < COHORT_JOB_TYPES; i++) {
        if (d->tasks[i] > 0)
            jobs[n++] = (cohort_job){ .type = d->types[i],
                                      .addresses = (const char *const *)addresses,
                                      .count = d->tasks[i] };
        addresses += d->tasks[i];
    }
    return cohort_cluster_spec_create(jobs, n);
}

static cohort_cluster_spec *spec_of(const host_resolver *h, const dealt *d)
{
    char **addresses = cohort_allocate((size_t)d->hosts.n, sizeof *addresses);
    if (addresses == NULL) {
        (void)cohort_error_memory("the addresses of a cluster");
        return NULL;
    }
    cohort_cluster_spec *spec =
        write_addresses(&d->hosts, h->port, addresses) >= 0 ? make_spec(d, addresses) : NULL;
    for (int32_t i = 0; i < d->hosts.n; i++)
        cohort_free(addresses[i]);
    cohort_free(addresses);
    return spec;
}

static cohort_cluster_spec *find_spec(void *user)
{
    dealt d;
    if (look(user, false, &d) < 0)
        return NULL;
    cohort_cluster_spec *spec = spec_of(user, &d);
    cohort_hosts_free(&d.hosts);
    return spec;
}

/* ------------------------------------------------------------------ the own task */

/* The type lives as long as the resolver. */
static cohort_status find_task(const host_resolver *h, const char **out_type, int32_t *out_id)
{
    dealt d;
    cohort_status status = look(h, true, &d);
    if (status < 0)
        return status;
    int job = 0;
    int32_t id = d.hosts.own;
    for (; id >= d.tasks[job]; job++)
        id -= d.tasks[job];
    *out_type = d.types[job];
    *out_id = id;
    cohort_hosts_free(&d.hosts);
    return COHORT_OK;
}

static const char *find_task_type(void *user)
{
    const char *type;
    int32_t id;
    return find_task(user, &type, &id) >= 0 ? type : NULL;
}

static int32_t find_task_id(void *user)
{
    const char *type;
    int32_t id;
    cohort_status status = find_task(user, &type, &id);
    return status < 0 ? status : id;
}

/* ------------------------------------------------------------------ other answers */

/* Of a kind where a host alone has none. */
static const char *find_master(void *user, const char *type, int32_t id, const char *rpc_layer)
{
    host_resolver *h = user;
    dealt d;
    if (look(h, type == NULL && h->resolver->given.task_type == NULL, &d) < 0)
        return NULL;
    bool is_alone = d.hosts.n == 1;
    cohort_hosts_free(&d.hosts);
    if (is_alone)
        return "";
    const char *address = cohort_resolver_find_address(h->resolver, type, id);
    return address != NULL ? cohort_resolver_set_master(&h->master, address, rpc_layer) : NULL;
}

static int find_accelerators(void *user, cohort_accelerators out[], int capacity)
{
    const host_resolver *h = user;
    return h->kind->num_accelerators(h->user, out, capacity);
}

/* ------------------------------------------------------------------ making */

cohort_status cohort_host_check_reserved(int32_t word, void *const reserved[8])
{
    for (int i = 0; i < 8; i++)
        if (reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "reserved[%d] of the options is not zero", i);
    return word == 0
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "reserved_word of the options is %d; it is zero",
                                  (int)word);
}

static cohort_status fill(host_resolver *h, const cohort_host_options *options)
{
    if (options->port < 0 || options->port > MOST_PORT)
        return cohort_error_set(COHORT_EINVAL, "the port is %d; 1 to %d, or 0 for %d",
                                (int)options->port, MOST_PORT, (int)h->kind->port);
    h->port = options->port > 0 ? options->port : h->kind->port;
    cohort_status status = cohort_cluster_check_text(options->task_type, "task_type", true);
    if (status >= 0 && (options->jobs != NULL || options->num_jobs != 0))
        status = cohort_jobs_read(options->jobs, options->num_jobs, h->tasks);
    if (status < 0)
        return status;
    h->type = cohort_string_copy(options->task_type != NULL ? options->task_type : "worker");
    return h->type != NULL ? COHORT_OK : cohort_error_memory("a resolver");
}

/* What is read has to make sense already. */
static cohort_status check(host_resolver *h, const cohort_resolver_options *answers)
{
    const char *type;
    int32_t id;
    cohort_cluster_spec *spec = find_spec(h);
    cohort_status status = spec != NULL ? COHORT_OK : cohort_error_status();
    cohort_cluster_spec_destroy(spec);
    if (status >= 0 && answers->task_type == NULL)
        status = find_task(h, &type, &id);
    if (status < 0 || h->kind->num_accelerators == NULL || answers->accelerators != NULL)
        return status;
    int n = find_accelerators(h, NULL, 0);
    return n < 0 ? n : COHORT_OK;
}

cohort_resolver *cohort_host_resolver_fail(const cohort_host_kind *kind, cohort_status status)
{
    (void)cohort_error_prefix(status, "%s", kind->call);
    return cohort_handle_made(COHORT_HANDLE_RESOLVER, NULL);
}

static cohort_resolver *make(host_resolver *h, const cohort_resolver_options *answers)
{
    const cohort_resolver_ops ops = {
        .struct_size = sizeof ops,
        .name = h->kind->name,
        .cluster_spec = find_spec,
        .task_type = find_task_type,
        .task_id = find_task_id,
        .master = h->kind->is_alone_without_master ? find_master : NULL,
        .num_accelerators = h->kind->num_accelerators != NULL ? find_accelerators : NULL,
        .destroy = destroy
    };
    cohort_resolver *r = cohort_resolver_make(&ops, h, answers, h->kind->call);
    if (r != NULL)
        h->resolver = r;
    return r;
}

cohort_resolver *cohort_host_resolver_make(const cohort_host_kind *kind, void *user,
                                           const cohort_host_options *options)
{
    cohort_resolver_options answers = { 0 };
    host_resolver *h = cohort_allocate(1, sizeof *h);
    if (h == NULL) {
        kind->destroy(user);
        return cohort_host_resolver_fail(kind, cohort_error_memory("a resolver"));
    }
    *h = (host_resolver){ .kind = kind, .user = user };
    if (options->answers != NULL)
        answers = *options->answers;
    if (answers.rpc_layer == NULL)
        answers.rpc_layer = kind->rpc_layer;
    cohort_status status = fill(h, options);
    if (status >= 0)
        status = check(h, &answers);
    if (status >= 0)
        return make(h, &answers);
    destroy(h);
    return cohort_host_resolver_fail(kind, status);
}
