/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of Kubernetes: the pods of an indexed Job, or of a StatefulSet, behind a headless
 * service. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/host_resolver.h"
#include "runtime/cluster/resolver.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_BYTES = 63 }; /* of one part of a name in the DNS */

/* What was asked for; NULL, and 0: what the environment says. */
typedef struct kubernetes {
    char *service, *pod_namespace, *domain;
    int32_t tasks;
} kubernetes;

static void destroy(void *user)
{
    kubernetes *k = user;
    cohort_free(k->service);
    cohort_free(k->pod_namespace);
    cohort_free(k->domain);
    cohort_free(k);
}

/* ------------------------------------------------------------------ what is said */

static const char *name_of(cohort_setting_id id)
{
    return cohort_setting_name(cohort_setting_at(id));
}

static cohort_status refuse(const char *what, const char *found, const char *expected)
{
    char shown[128];
    cohort_utf8_escape(found, strlen(found), shown, sizeof shown);
    return cohort_error_set(COHORT_EINVAL, "%s is '%s'; expected %s", what, shown, expected);
}

static bool is_label(const char *text, size_t bytes)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return bytes >= 1 && bytes <= LABEL_BYTES && strspn(text, allowed) >= bytes && text[0] != '-' &&
           text[bytes - 1] != '-';
}

static cohort_status check_label(const char *what, const char *text)
{
    return is_label(text, strlen(text))
               ? COHORT_OK
               : refuse(what, text,
                        "1 to 63 small letters, digits and hyphens, no hyphen first or last");
}

/* A service or a namespace: of the options, where it was checked, else of the environment. */
static cohort_status find_label(const char *asked, cohort_setting_id id, const char **out)
{
    *out = asked != NULL ? asked : cohort_setting_text(id);
    return asked != NULL || *out == NULL ? COHORT_OK : check_label(name_of(id), *out);
}

static cohort_status find_service(const kubernetes *k, const char **out)
{
    cohort_status status = find_label(k->service, COHORT_SETTING_KUBERNETES_SERVICE, out);
    if (status < 0 || *out != NULL)
        return status;
    return cohort_error_set(COHORT_ENOENT,
                            "COHORT_KUBERNETES_SERVICE is not set, and the options name no "
                            "service: it is the headless service of the pods, and their subdomain "
                            "(serviceName of a StatefulSet)");
}

static cohort_status find_tasks(const kubernetes *k, int32_t *out)
{
    const char *text = cohort_setting_text(COHORT_SETTING_KUBERNETES_TASKS);
    *out = k->tasks;
    if (k->tasks > 0)
        return COHORT_OK;
    if (text == NULL)
        return cohort_error_set(COHORT_ENOENT,
                                "COHORT_KUBERNETES_TASKS is not set, and the options name no "
                                "number of tasks, which Kubernetes does not tell: it is the "
                                "completions of the Job, or the replicas of the StatefulSet");
    *out = cohort_cluster_index(text);
    return *out > 0 && *out <= COHORT_LIMIT_CLUSTER_TASKS
               ? COHORT_OK
               : refuse("COHORT_KUBERNETES_TASKS", text, "an integer from 1 to 65536");
}

/* ------------------------------------------------------------------ the pod */

/* "train-3": "train", and 3. */
typedef struct pod {
    char name[LABEL_BYTES + 1];
    int32_t index;
} pod;

/* Kubernetes may be asked for the whole name as a host name: its first part is the pod's. */
static cohort_status read_pod(pod *out)
{
    static const char expected[] = "NAME-INDEX, such as train-3: of a pod of an indexed Job, or of "
                                   "a StatefulSet";
    const char *name = cohort_setting_text(COHORT_SETTING_HOSTNAME);
    if (name == NULL)
        return cohort_error_set(COHORT_ENOENT,
                                "HOSTNAME is not set: this is no pod of Kubernetes, whose "
                                "containers have it");
    size_t bytes = strcspn(name, ".");
    *out = (pod){ "", -1 };
    if (is_label(name, bytes))
        (void)snprintf(out->name, sizeof out->name, "%.*s", (int)bytes, name);
    char *dash = strrchr(out->name, '-');
    if (dash != NULL && (dash[1] != '0' || dash[2] == '\0')) { /* no pod is 03 */
        out->index = cohort_cluster_index(dash + 1);
        *dash = '\0';
    }
    return out->index >= 0 ? COHORT_OK : refuse("HOSTNAME", name, expected);
}

/* Of a Job; pods of a StatefulSet have none. */
static cohort_status check_index(const pod *p)
{
    const char *text = cohort_setting_text(COHORT_SETTING_JOB_COMPLETION_INDEX);
    if (text == NULL)
        return COHORT_OK;
    int32_t index = cohort_cluster_index(text);
    if (index < 0)
        return refuse("JOB_COMPLETION_INDEX", text, "an integer from 0 on");
    return index == p->index
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "JOB_COMPLETION_INDEX is %d, and HOSTNAME is '%s-%d'; "
                                  "the pods of an indexed Job have its name and their index",
                                  (int)index, p->name, (int)p->index);
}

static cohort_status find_pod(int32_t tasks, pod *out)
{
    cohort_status status = read_pod(out);
    if (status >= 0)
        status = check_index(out);
    if (status < 0 || out->index < tasks)
        return status;
    return cohort_error_set(COHORT_EINVAL,
                            "HOSTNAME is '%s-%d', and there are %d tasks, from 0 on; "
                            "COHORT_KUBERNETES_TASKS, or tasks of the options, is the completions "
                            "of the Job or the replicas of the StatefulSet",
                            out->name, (int)out->index, (int)tasks);
}

/* ------------------------------------------------------------------ all pods */

static cohort_status add_pods(const pod *p, int32_t tasks, const char *suffix, cohort_hosts *out)
{
    char host[600];
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < tasks && status >= 0; i++) {
        (void)snprintf(host, sizeof host, "%s-%d.%s", p->name, (int)i, suffix);
        status = cohort_hosts_add(out, host);
    }
    return status;
}

static cohort_status read_pods(void *user, bool wants_own, cohort_hosts *out)
{
    (void)wants_own; /* its name is that of all */
    const kubernetes *k = user;
    const char *service, *space;
    char suffix[512];
    int32_t tasks;
    pod p = { "", 0 };
    cohort_status status = find_tasks(k, &tasks);
    if (status >= 0)
        status = find_service(k, &service);
    if (status >= 0)
        status = find_label(k->pod_namespace, COHORT_SETTING_KUBERNETES_NAMESPACE, &space);
    if (status >= 0)
        status = find_pod(tasks, &p);
    if (status < 0)
        return status;
    if (space != NULL)
        (void)snprintf(suffix, sizeof suffix, "%s.%s.svc.%s", service, space, k->domain);
    else
        (void)snprintf(suffix, sizeof suffix, "%s", service);
    out->own = p.index;
    return add_pods(&p, tasks, suffix, out);
}

/* ------------------------------------------------------------------ making */

static const cohort_host_kind kind = { .name = "kubernetes",
                                       .call = "cohort_resolver_kubernetes",
                                       .rpc_layer = "grpc",
                                       .port = 8470,
                                       .read = read_pods,
                                       .destroy = destroy };

static cohort_status check_options(const cohort_kubernetes_options *options)
{
    cohort_status status = cohort_host_check_reserved(options->reserved_word, options->reserved);
    if (status >= 0 && (options->tasks < 0 || options->tasks > COHORT_LIMIT_CLUSTER_TASKS))
        return cohort_error_set(COHORT_EINVAL, "tasks of the options is %d; 0 to %d",
                                (int)options->tasks, COHORT_LIMIT_CLUSTER_TASKS);
    if (status >= 0 && options->service != NULL)
        status = check_label("service of the options", options->service);
    if (status >= 0 && options->pod_namespace != NULL)
        status = check_label("pod_namespace of the options", options->pod_namespace);
    if (status >= 0 && options->domain != NULL && cohort_host_check(options->domain) < 0)
        status = cohort_error_prefix(COHORT_EINVAL, "domain of the options");
    return status;
}

static cohort_status fill(kubernetes *k, const cohort_kubernetes_options *options)
{
    cohort_status status = check_options(options);
    if (status < 0)
        return status;
    k->tasks = options->tasks;
    k->service = cohort_string_copy(options->service);
    k->pod_namespace = cohort_string_copy(options->pod_namespace);
    k->domain = cohort_string_copy(options->domain != NULL ? options->domain : "cluster.local");
    bool has_all = (k->service != NULL) == (options->service != NULL) &&
                   (k->pod_namespace != NULL) == (options->pod_namespace != NULL) &&
                   k->domain != NULL;
    return has_all ? COHORT_OK : cohort_error_memory("a resolver");
}

cohort_resolver *cohort_resolver_kubernetes_with(const cohort_kubernetes_options *options)
{
    static const cohort_kubernetes_options none;
    options = options != NULL ? options : &none;
    kubernetes *k = cohort_allocate(1, sizeof *k);
    cohort_status status = k != NULL ? fill(k, options) : cohort_error_memory("a resolver");
    if (status >= 0)
        return cohort_host_resolver_make(&kind, k,
                                         &(cohort_host_options){ .jobs = options->jobs,
                                                                 .num_jobs = options->num_jobs,
                                                                 .port = options->port,
                                                                 .answers = options->answers });
    if (k != NULL)
        destroy(k);
    return cohort_host_resolver_fail(&kind, status);
}

cohort_resolver *cohort_resolver_kubernetes(void)
{
    return cohort_resolver_kubernetes_with(NULL);
}
