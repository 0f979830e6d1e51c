/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of TF_CONFIG, read. */
#ifndef COHORT_CLUSTER_TF_CONFIG_H
#define COHORT_CLUSTER_TF_CONFIG_H

#include "runtime/cluster/spec.h"

/* Texts that are not there are "". */
typedef struct cohort_tf_config {
    cohort_cluster_spec *spec; /* a share */
    char *task_type, *session_master, *rpc_layer, *environment;
    int32_t task_id; /* negative: not there */
} cohort_tf_config;

/* All zero, unless COHORT_OK. text NULL: nothing is set, all is empty. COHORT_EINVAL: the text says
 * "byte N", counted from 0. COHORT_ENOTSUP: a build without jansson; COHORT_ENOMEM. */
cohort_status cohort_tf_config_read(const char *text, cohort_tf_config *out);

/* Read a TF_CONFIG that is set into *out, which is empty; with jansson, or without.
 * *out is to be freed whatever the answer is. */
cohort_status cohort_tf_config_parse(const char *text, cohort_tf_config *out);

void cohort_tf_config_free(cohort_tf_config *config);

#endif
