/* SPDX-License-Identifier: BSD-3-Clause */
/* TF_CONFIG: {"cluster": {JOB: [ADDRESS, ...] or {INDEX: ADDRESS, ...}, ...},
 *             "task": {"type": JOB, "index": INDEX}, "session_master": ADDRESS,
 *             "rpc_layer": NAME, "environment": NAME}
 *
 * Each member may be missing; others are of other programs. Strict where TensorFlow is not: names
 * that are there twice, addresses that are, and a task that the cluster has not are errors. */
#include "config.h"

#include "runtime/cluster/tf_config.h"

#include "runtime/base/memory.h"

void cohort_tf_config_free(cohort_tf_config *config)
{
    cohort_cluster_spec_destroy(config->spec);
    cohort_free(config->task_type);
    cohort_free(config->session_master);
    cohort_free(config->rpc_layer);
    cohort_free(config->environment);
    *config = (cohort_tf_config){ 0 };
}

/* What was not there. */
static cohort_status complete(cohort_tf_config *c)
{
    char **texts[] = { &c->task_type, &c->session_master, &c->rpc_layer, &c->environment };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*texts[i] == NULL && (*texts[i] = cohort_string_copy("")) == NULL)
            return cohort_error_memory("TF_CONFIG");
    if (c->spec == NULL)
        c->spec = cohort_cluster_spec_create(NULL, 0);
    return c->spec != NULL ? COHORT_OK : cohort_error_status();
}

cohort_status cohort_tf_config_read(const char *text, cohort_tf_config *out)
{
    *out = (cohort_tf_config){ .task_id = -1 };
    cohort_status status = text != NULL ? cohort_tf_config_parse(text, out) : COHORT_OK;
    if (status >= 0)
        status = complete(out);
    if (status < 0)
        cohort_tf_config_free(out);
    return status;
}
