/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of Google Compute Engine: the instances of a group. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/host_resolver.h"
#include "runtime/cluster/json_hosts.h"
#include "runtime/cluster/metadata.h"
#include "runtime/cluster/resolver.h"

#include <stdlib.h>
#include <string.h>

static const char instances_path[] = "instances", name_path[] = "instance/name";

/* Texts that were given; NULL: they are asked for. */
typedef struct gce {
    char *instances, *instance;
    cohort_metadata metadata;
} gce;

static void destroy(void *user)
{
    gce *g = user;
    cohort_free(g->instances);
    cohort_free(g->instance);
    cohort_free(g);
}

/* ------------------------------------------------------------------ reading */

/* As addresses with a port behind a colon compare. */
static int compare_hosts(const void *a, const void *b)
{
    const char *x = ((const cohort_instance *)a)->host, *y = ((const cohort_instance *)b)->host;
    while (*x == *y && *x != '\0')
        x++, y++;
    return (*x != '\0' ? *x : ':') - (*y != '\0' ? *y : ':');
}

static cohort_status read_instances(const gce *g, cohort_instances *out)
{
    char *text;
    cohort_status status = cohort_metadata_read(&g->metadata, g->instances, instances_path, &text);
    if (status < 0)
        return status;
    status = cohort_json_instances(text, out);
    cohort_free(text);
    if (status >= 0 && out->n == 0)
        return cohort_error_set(COHORT_EINVAL,
                                "instances has none that runs; the list is of a group without "
                                "instances, or from before they started");
    if (status >= 0)
        qsort(out->list, (size_t)out->n, sizeof *out->list, compare_hosts);
    return status;
}

static cohort_status find_own(const gce *g, const cohort_instances *all, int32_t *out)
{
    char *name, shown[128];
    cohort_status status = cohort_metadata_read(&g->metadata, g->instance, name_path, &name);
    if (status < 0)
        return status;
    int32_t i = 0;
    while (i < all->n && strcmp(all->list[i].name, name) != 0)
        i++;
    *out = i;
    if (i == all->n) {
        cohort_utf8_escape(name, strlen(name), shown, sizeof shown);
        status = cohort_error_set(COHORT_EINVAL,
                                  "this instance is '%s', and none of the %d of instances that "
                                  "run; a program beside the group gives task_type \"\" as its "
                                  "answer",
                                  shown, (int)all->n);
    }
    cohort_free(name);
    return status;
}

static cohort_status add_hosts(const cohort_instances *all, cohort_hosts *out)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < all->n && status >= 0; i++)
        status = cohort_hosts_add(out, all->list[i].host);
    return status < 0 ? status : cohort_hosts_check_once(out->names, out->n, "instances");
}

static cohort_status read_hosts(void *user, bool wants_own, cohort_hosts *out)
{
    const gce *g = user;
    cohort_instances all = { 0 };
    cohort_status status = read_instances(g, &all);
    if (status >= 0)
        status = add_hosts(&all, out);
    if (status >= 0 && wants_own)
        status = find_own(g, &all, &out->own);
    cohort_free(all.list);
    return status;
}

/* ------------------------------------------------------------------ making */

static const cohort_host_kind kind = { .name = "gce",
                                       .call = "cohort_resolver_gce",
                                       .rpc_layer = "grpc",
                                       .port = 8470,
                                       .read = read_hosts,
                                       .destroy = destroy };

static cohort_status fill(gce *g, const cohort_gce_options *options)
{
    static const cohort_metadata nowhere;
    cohort_status status = cohort_host_check_reserved(options->reserved_word, options->reserved);
    if (status >= 0)
        status = cohort_metadata_find(&nowhere, options->instances, instances_path, &g->instances);
    if (status >= 0)
        status = cohort_metadata_find(&nowhere, options->instance, name_path, &g->instance);
    g->metadata = (cohort_metadata){ options->metadata, options->user };
    return status;
}

cohort_resolver *cohort_resolver_gce(const cohort_gce_options *options)
{
    static const cohort_gce_options none;
    options = options != NULL ? options : &none;
    gce *g = cohort_allocate(1, sizeof *g);
    cohort_status status = g != NULL ? fill(g, options) : cohort_error_memory("a resolver");
    if (status >= 0)
        return cohort_host_resolver_make(&kind, g,
                                         &(cohort_host_options){ .task_type = options->task_type,
                                                                 .port = options->port,
                                                                 .answers = options->answers });
    if (g != NULL)
        destroy(g);
    return cohort_host_resolver_fail(&kind, status);
}
