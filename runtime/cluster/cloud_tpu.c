/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of a Cloud TPU: the machines that its cores are on. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/host_resolver.h"
#include "runtime/cluster/metadata.h"
#include "runtime/cluster/resolver.h"
#include "runtime/cluster/tpu_env.h"

#include <string.h>

/* A text of the machine, and what it is in tpu-env, which is another one. */
typedef struct attribute {
    const char *path, *key; /* key NULL: it is not there */
} attribute;

enum { ENDPOINTS, WORKER_NUMBER, ACCELERATOR_TYPE, TPU_ENV, ATTRIBUTES };
static const attribute attributes[ATTRIBUTES] = {
    { "instance/attributes/worker-network-endpoints", NULL },
    { "instance/attributes/agent-worker-number", "WORKER_ID" },
    { "instance/attributes/accelerator-type", "ACCELERATOR_TYPE" },
    { "instance/attributes/tpu-env", NULL },
};

typedef struct cloud_tpu {
    char *given[ATTRIBUTES]; /* NULL: it is asked for */
    cohort_metadata metadata;
} cloud_tpu;

static void destroy(void *user)
{
    cloud_tpu *t = user;
    for (int i = 0; i < ATTRIBUTES; i++)
        cohort_free(t->given[i]);
    cohort_free(t);
}

/* ------------------------------------------------------------------ attributes */

static cohort_status find(const cloud_tpu *t, int which, char **out)
{
    return cohort_metadata_find(&t->metadata, t->given[which], attributes[which].path, out);
}

/* An attribute, else what tpu-env has of it. */
static cohort_status find_or_env(const cloud_tpu *t, int which, char **out)
{
    char *env;
    cohort_status status = find(t, which, out);
    if (status < 0 || *out != NULL)
        return status;
    status = find(t, TPU_ENV, &env);
    if (status < 0 || env == NULL)
        return status;
    status = cohort_tpu_env_find(env, attributes[which].key, out);
    cohort_free(env);
    return status;
}

static cohort_status refuse(int which, const char *found, const char *expected)
{
    char shown[128];
    cohort_utf8_escape(found, strlen(found), shown, sizeof shown);
    return cohort_error_set(COHORT_EINVAL, "%s is '%s'; expected %s",
                            cohort_metadata_name(attributes[which].path), shown, expected);
}

/* ------------------------------------------------------------------ machines */

/* "ID:ID:ADDRESS", or the address alone: the address, which may be none. */
static char *find_address(char *endpoint)
{
    char *colon = strchr(endpoint, ':'), *second = colon != NULL ? strchr(colon + 1, ':') : NULL;
    return second != NULL ? second + 1 : endpoint;
}

static cohort_status add_machines(char *endpoints, cohort_hosts *out)
{
    static const char name[] = "worker-network-endpoints";
    cohort_status status = COHORT_OK;
    for (char *at = endpoints; at != NULL && status >= 0;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma = '\0';
        status = cohort_hosts_add(out, find_address(at));
        at = comma != NULL ? comma + 1 : NULL;
    }
    if (status < 0)
        return cohort_error_prefix(status, "%s: machine %d, of ID:ID:ADDRESS,...", name,
                                   (int)out->n);
    return cohort_hosts_check_once(out->names, out->n, name);
}

static cohort_status find_own(const cloud_tpu *t, cohort_hosts *hosts)
{
    char *text;
    cohort_status status = find_or_env(t, WORKER_NUMBER, &text);
    if (status < 0)
        return status;
    if (text == NULL)
        return cohort_error_set(COHORT_ENOENT,
                                "there is no agent-worker-number, and no WORKER_ID in tpu-env: "
                                "which of the %d machines this is; give worker_number, or a "
                                "function 'metadata' that has it",
                                (int)hosts->n);
    hosts->own = cohort_cluster_index(text);
    if (hosts->own < 0)
        status = refuse(WORKER_NUMBER, text, "an integer from 0 on");
    else if (hosts->own >= hosts->n)
        status = cohort_error_set(COHORT_EINVAL,
                                  "agent-worker-number is %d, and worker-network-endpoints has %d "
                                  "machines, from 0 on; one of the two is wrong",
                                  (int)hosts->own, (int)hosts->n);
    cohort_free(text);
    return status;
}

static cohort_status read_hosts(void *user, bool wants_own, cohort_hosts *out)
{
    const cloud_tpu *t = user;
    char *endpoints;
    cohort_status status = cohort_metadata_read(&t->metadata, t->given[ENDPOINTS],
                                                attributes[ENDPOINTS].path, &endpoints);
    if (status < 0)
        return status;
    status = add_machines(endpoints, out);
    cohort_free(endpoints);
    return status >= 0 && wants_own ? find_own(t, out) : status;
}

/* ------------------------------------------------------------------ cores */

/* The number behind the last dash of "v3-32", of all machines. */
static cohort_status read_cores(const char *type, int32_t machines, int32_t *out)
{
    const char *dash = strrchr(type, '-');
    int32_t cores = dash != NULL && dash > type ? cohort_cluster_index(dash + 1) : -1;
    if (cores < 1)
        return refuse(ACCELERATOR_TYPE, type, "TYPE-NUMBER, such as v3-32");
    if (cores % machines != 0)
        return cohort_error_set(COHORT_EINVAL,
                                "accelerator-type is '%.32s', whose %d do not divide among the %d "
                                "machines of worker-network-endpoints; one of the two is wrong",
                                type, (int)cores, (int)machines);
    *out = cores / machines;
    return COHORT_OK;
}

static int count_cores(void *user, cohort_accelerators out[], int capacity)
{
    const cloud_tpu *t = user;
    cohort_hosts hosts = { 0 };
    char *type = NULL;
    int32_t cores = 0;
    cohort_status status = read_hosts(user, false, &hosts);
    if (status >= 0)
        status = find_or_env(t, ACCELERATOR_TYPE, &type);
    if (status >= 0 && type != NULL)
        status = read_cores(type, hosts.n, &cores);
    cohort_hosts_free(&hosts);
    cohort_free(type);
    if (cores > 0 && capacity > 0)
        out[0] = (cohort_accelerators){ "TPU", cores };
    return status < 0 ? status : cores > 0;
}

/* ------------------------------------------------------------------ making */

static const cohort_host_kind kind = { .name = "cloud_tpu",
                                       .call = "cohort_resolver_cloud_tpu",
                                       .rpc_layer = "grpc",
                                       .port = 8470,
                                       .read = read_hosts,
                                       .num_accelerators = count_cores,
                                       .destroy = destroy };

static cohort_status fill(cloud_tpu *t, const cohort_cloud_tpu_options *options)
{
    static const cohort_metadata nowhere;
    const char *texts[ATTRIBUTES] = { options->endpoints, options->worker_number,
                                      options->accelerator_type, options->tpu_env };
    cohort_status status = cohort_host_check_reserved(options->reserved_word, options->reserved);
    for (int i = 0; i < ATTRIBUTES && status >= 0; i++)
        status = cohort_metadata_find(&nowhere, texts[i], attributes[i].path, &t->given[i]);
    t->metadata = (cohort_metadata){ options->metadata, options->user };
    return status;
}

cohort_resolver *cohort_resolver_cloud_tpu(const cohort_cloud_tpu_options *options)
{
    static const cohort_cloud_tpu_options none;
    options = options != NULL ? options : &none;
    cloud_tpu *t = cohort_allocate(1, sizeof *t);
    cohort_status status = t != NULL ? fill(t, options) : cohort_error_memory("a resolver");
    if (status >= 0)
        return cohort_host_resolver_make(
            &kind, t, &(cohort_host_options){ .port = options->port, .answers = options->answers });
    if (t != NULL)
        destroy(t);
    return cohort_host_resolver_fail(&kind, status);
}
