/* SPDX-License-Identifier: BSD-3-Clause */
/* The document of TF_CONFIG, and what stands in it beside the cluster. */
#include "config.h"

#include "runtime/cluster/tf_config_json.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"

#include <jansson.h>
#include <string.h>

typedef cohort_json_place place;

/* null is as if it were not there. */
static cohort_status read_text(const cohort_tf_config_reader *r, const json_t *value,
                               const place *at, const char *what, char **out)
{
    if (json_is_null(value))
        return COHORT_OK;
    cohort_status status = cohort_tf_config_wants_text(r, value, at, what);
    if (status >= 0 && (*out = cohort_string_copy(json_string_value(value))) == NULL)
        status = cohort_error_memory("TF_CONFIG");
    return status;
}

/* As TensorFlow reads it, "" is no text. */
static cohort_status read_optional_text(const cohort_tf_config_reader *r, const json_t *value,
                                        const place *at, const char *what, char **out)
{
    bool is_empty = json_is_string(value) && json_string_length(value) == 0;
    return is_empty ? COHORT_OK : read_text(r, value, at, what, out);
}

/* Programs that know numbers of one kind alone write 1.0 for 1. */
static bool is_whole(const json_t *value)
{
    double number = json_is_real(value) ? json_real_value(value) : -1;
    return number >= 0 && number <= INT32_MAX && number == (double)(int32_t)number;
}

static cohort_status read_index(const cohort_tf_config_reader *r, const json_t *value,
                                const place *at)
{
    static const char fix[] = "say 0 for the first task of its job";
    cohort_tf_config_shown room;
    if (json_is_string(value))
        r->out->task_id = cohort_cluster_index(json_string_value(value));
    else if (json_is_integer(value) && json_integer_value(value) >= 0 &&
             json_integer_value(value) <= INT32_MAX)
        r->out->task_id = (int32_t)json_integer_value(value);
    else if (is_whole(value))
        r->out->task_id = (int32_t)json_real_value(value);
    if (r->out->task_id >= 0)
        return COHORT_OK;
    if (json_is_string(value))
        return COHORT_TF_CONFIG_FAIL(
            r, at, fix, "the index of the task is '%s', not an integer from 0 to %d",
            cohort_tf_config_show(&room, json_string_value(value)), INT32_MAX);
    if (json_is_integer(value))
        return COHORT_TF_CONFIG_FAIL(r, at, fix,
                                     "the index of the task is %lld, not an integer from 0 to %d",
                                     (long long)json_integer_value(value), INT32_MAX);
    if (json_is_real(value))
        return COHORT_TF_CONFIG_FAIL(r, at, fix,
                                     "the index of the task is %g, not an integer from 0 to %d",
                                     json_real_value(value), INT32_MAX);
    return COHORT_TF_CONFIG_FAIL(r, at, fix, "the index of the task is %s, not an integer",
                                 cohort_json_type(value));
}

static cohort_status read_task(const cohort_tf_config_reader *r, json_t *task, const place *outer)
{
    place at = { outer, 0 };
    const char *name;
    json_t *value;
    if (!json_is_object(task))
        return COHORT_TF_CONFIG_FAIL(r, outer, "write it as {\"type\": \"worker\", \"index\": 0}",
                                     "the task is %s, not an object", cohort_json_type(task));
    json_object_foreach(task, name, value)
    {
        cohort_status status = COHORT_OK;
        if (strcmp(name, "type") == 0)
            status = read_text(r, value, &at, "the type of the task", &r->out->task_type);
        else if (strcmp(name, "index") == 0)
            status = read_index(r, value, &at);
        if (status < 0)
            return status;
        at.ordinal++;
    }
    return COHORT_OK;
}

static cohort_status read_member(const cohort_tf_config_reader *r, const char *name, json_t *value,
                                 const place *at)
{
    cohort_tf_config *out = r->out;
    if (strcmp(name, "cluster") == 0)
        return cohort_tf_config_read_cluster(r, value, at);
    if (strcmp(name, "task") == 0)
        return read_task(r, value, at);
    if (strcmp(name, "session_master") == 0)
        return read_optional_text(r, value, at, "session_master", &out->session_master);
    if (strcmp(name, "rpc_layer") == 0)
        return read_optional_text(r, value, at, "rpc_layer", &out->rpc_layer);
    if (strcmp(name, "environment") == 0)
        return read_optional_text(r, value, at, "environment", &out->environment);
    return COHORT_OK;
}

/* An evaluator need not be in the cluster. */
static cohort_status check_task(const cohort_tf_config_reader *r, const place *at)
{
    const cohort_tf_config *c = r->out;
    if (c->task_type == NULL || c->spec == NULL || c->spec->n == 0)
        return COHORT_OK;
    char jobs[256];
    cohort_cluster_spec_list_jobs(c->spec, jobs, sizeof jobs);
    const cohort_cluster_job *job = cohort_cluster_spec_find(c->spec, c->task_type);
    if (job == NULL)
        return strcmp(c->task_type, "evaluator") == 0
                   ? COHORT_OK
                   : COHORT_TF_CONFIG_FAIL(
                         r, at, "one of the two is wrong",
                         "the task is of type '%.60s', and the cluster has no such job, but %s",
                         c->task_type, jobs);
    for (int32_t i = 0; i < job->n && c->task_id >= 0; i++)
        if (job->tasks[i].index == c->task_id)
            return COHORT_OK;
    return c->task_id < 0 ? COHORT_OK
                          : COHORT_TF_CONFIG_FAIL(
                                r, at, "one of the two is wrong",
                                "the task is %.60s %d, and the cluster has %d task%s of that job, "
                                "none of this index",
                                job->type, (int)c->task_id, (int)job->n, job->n == 1 ? "" : "s");
}

/* What TFJob of Kubeflow writes where workers may come and go (enableDynamicWorker): this task, and
 * the parameter servers. */
static cohort_status refuse_sparse(const cohort_tf_config_reader *r, const place *at)
{
    return COHORT_TF_CONFIG_FAIL_NAME(
        r, at, "say \"cluster\", with all tasks; of a TFJob without enableDynamicWorker",
        "there is a \"sparseCluster\" and no \"cluster\": it does not name the other workers, and "
        "each would train alone");
}

static cohort_status read_document(const cohort_tf_config_reader *r, json_t *document)
{
    place at = { NULL, 0 }, task = { NULL, 0 }, sparse = { NULL, 0 };
    bool has_cluster = false, has_sparse = false;
    const char *name;
    json_t *value;
    if (!json_is_object(document))
        return COHORT_TF_CONFIG_FAIL(r, NULL, "write it as {\"cluster\": {...}, \"task\": {...}}",
                                     "it is %s, not an object", cohort_json_type(document));
    json_object_foreach(document, name, value)
    {
        cohort_status status = read_member(r, name, value, &at);
        if (status < 0)
            return status;
        if (strcmp(name, "task") == 0)
            task = at;
        if (strcmp(name, "sparseCluster") == 0) {
            has_sparse = true;
            sparse = at;
        }
        has_cluster = has_cluster || strcmp(name, "cluster") == 0;
        at.ordinal++;
    }
    return has_sparse && !has_cluster ? refuse_sparse(r, &sparse) : check_task(r, &task);
}

static cohort_status read_json(const cohort_tf_config_reader *r)
{
    json_t *document = cohort_json_load("TF_CONFIG", r->text);
    if (document == NULL)
        return cohort_error_status();
    cohort_status status = read_document(r, document);
    json_decref(document);
    return status;
}

cohort_status cohort_tf_config_parse(const char *text, cohort_tf_config *out)
{
    return read_json(&(cohort_tf_config_reader){ text, out });
}
