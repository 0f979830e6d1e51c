/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances as the Compute API and gcloud write them: instances.list has their network interfaces,
 * instanceGroups.listInstances their URLs alone. */
#include "config.h"

#include "runtime/cluster/json_hosts.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/json_place.h"
#include "runtime/cluster/json_text.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef cohort_json_place place;

typedef struct reader {
    const char *text;
    cohort_instances *out;
} reader;

static cohort_status fail(const reader *r, const place *at, const char *what, const char *found,
                          const char *fix)
{
    return cohort_json_fail("instances", cohort_json_offset(r->text, at, false), fix, "%s is %s",
                            what, found);
}

/* ------------------------------------------------------------------ one */

/* A member that is a text, or "" where there is none. */
static cohort_status find_text(const reader *r, const place *at, const json_t *object,
                               const char *member, const char **out)
{
    const json_t *value = json_object_get(object, member);
    *out = value != NULL ? json_string_value(value) : "";
    return *out != NULL ? COHORT_OK
                        : fail(r, at, member, cohort_json_type(value), "it is a text of instances");
}

/* What stands behind "/KEY/" in a URL, up to the next slash; false: it is not there, or has no
 * room. */
static bool find_part(const char *url, const char *key, char *out, size_t bytes)
{
    char pattern[16];
    (void)snprintf(pattern, sizeof pattern, "/%s/", key);
    const char *at = strstr(url, pattern);
    if (at == NULL)
        return false;
    at += strlen(pattern);
    size_t length = strcspn(at, "/");
    (void)snprintf(out, bytes, "%.*s", (int)(length < bytes ? length : 0), at);
    return out[0] != '\0';
}

/* The name that its project's DNS has for it. */
static cohort_status name_host(const reader *r, const place *at, const char *url,
                               cohort_instance *out)
{
    char project[64], zone[64];
    if (!find_part(url, "projects", project, sizeof project) ||
        !find_part(url, "zones", zone, sizeof zone))
        return fail(r, at, "an instance without networkInterfaces",
                    "one whose \"instance\" is no URL, with /projects/PROJECT/zones/ZONE/instances/"
                    "NAME",
                    "list instances with their network interfaces");
    (void)snprintf(out->host, sizeof out->host, "%s.%s.c.%s.internal", out->name, zone, project);
    return COHORT_OK;
}

static cohort_status find_name(const reader *r, const place *at, const json_t *item,
                               const char *url, cohort_instance *out)
{
    const char *name;
    cohort_status status = find_text(r, at, item, "name", &name);
    if (status < 0)
        return status;
    if (name[0] == '\0')
        (void)find_part(url, "instances", out->name, sizeof out->name);
    else if (strlen(name) < sizeof out->name)
        (void)snprintf(out->name, sizeof out->name, "%s", name);
    return out->name[0] != '\0' ? COHORT_OK
                                : fail(r, at, "an instance", "without a name of 1 to 63 bytes",
                                       "each has a \"name\", or a URL as \"instance\"");
}

static cohort_status find_host(const reader *r, const place *at, const json_t *item,
                               const char *url, cohort_instance *out)
{
    const json_t *interface = json_array_get(json_object_get(item, "networkInterfaces"), 0);
    const char *address;
    cohort_status status = find_text(r, at, interface, "networkIP", &address);
    if (status < 0)
        return status;
    if (address[0] == '\0')
        return name_host(r, at, url, out);
    (void)snprintf(out->host, sizeof out->host, "%s", address);
    return strlen(address) < sizeof out->host
               ? COHORT_OK
               : fail(r, at, "networkIP", "longer than an address", "");
}

static cohort_status check_host(const reader *r, const place *at, const cohort_instance *instance)
{
    cohort_status status = cohort_host_check(instance->host);
    return status < 0 ? cohort_json_fail("instances", cohort_json_offset(r->text, at, false), "",
                                         "%s", cohort_error_slot())
                      : COHORT_OK;
}

static cohort_status keep(cohort_instances *out, const cohort_instance *instance)
{
    if (out->n == COHORT_LIMIT_CLUSTER_TASKS)
        return cohort_error_set(COHORT_EINVAL, "instances has more than %d of them",
                                COHORT_LIMIT_CLUSTER_TASKS);
    void *block = out->list;
    bool has_room = cohort_grow(&block, &out->capacity, (size_t)out->n + 1, sizeof *out->list);
    out->list = block;
    if (!has_room)
        return cohort_error_memory("instances");
    out->list[out->n++] = *instance;
    return COHORT_OK;
}

static cohort_status read_instance(const reader *r, const place *at, const json_t *item)
{
    cohort_instance instance = { 0 };
    const char *state, *url;
    if (!json_is_object(item))
        return fail(r, at, "an instance", cohort_json_type(item), "each is an object");
    cohort_status status = find_text(r, at, item, "status", &state);
    if (status < 0 || (state[0] != '\0' && strcmp(state, "RUNNING") != 0))
        return status;
    status = find_text(r, at, item, "instance", &url);
    if (status >= 0)
        status = find_name(r, at, item, url, &instance);
    if (status >= 0)
        status = find_host(r, at, item, url, &instance);
    if (status >= 0)
        status = check_host(r, at, &instance);
    return status < 0 ? status : keep(r->out, &instance);
}

/* ------------------------------------------------------------------ all */

/* outer: the place of the list. */
static cohort_status read_list(const reader *r, const place *outer, const json_t *list)
{
    size_t i;
    json_t *item;
    if (!json_is_array(list))
        return fail(r, outer, "the list of instances", cohort_json_type(list),
                    "it is a list, or an object with \"items\"");
    json_array_foreach(list, i, item)
    {
        cohort_status status = read_instance(r, &(place){ outer, i }, item);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

/* Whoever read one page of several would train without the others. */
static cohort_status check_page(const reader *r, const json_t *document)
{
    const char *token;
    cohort_status status = find_text(r, NULL, document, "nextPageToken", &token);
    if (status < 0 || token[0] == '\0')
        return status;
    return fail(r, NULL, "the list", "one page of several, for it has a \"nextPageToken\"",
                "join the \"items\" of all of them");
}

static cohort_status read_document(const reader *r, json_t *document)
{
    place at = { NULL, 0 };
    const char *name;
    json_t *value;
    if (!json_is_object(document))
        return read_list(r, NULL, document);
    cohort_status status = check_page(r, document);
    if (status < 0)
        return status;
    json_object_foreach(document, name, value)
    {
        if (strcmp(name, "items") == 0)
            return read_list(r, &at, value);
        at.ordinal++;
    }
    return fail(r, NULL, "the list of instances", "an object without \"items\"", "");
}

cohort_status cohort_json_instances(const char *text, cohort_instances *out)
{
    json_t *document = cohort_json_load("instances", text);
    if (document == NULL)
        return cohort_error_status();
    cohort_status status = read_document(&(reader){ text, out }, document);
    json_decref(document);
    return status;
}
