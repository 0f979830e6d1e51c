/* SPDX-License-Identifier: BSD-3-Clause */
/* The common parts of the reader of TF_CONFIG: its document, and errors at places of it. */
#ifndef COHORT_CLUSTER_TF_CONFIG_JSON_H
#define COHORT_CLUSTER_TF_CONFIG_JSON_H

#include "runtime/cluster/json_place.h"
#include "runtime/cluster/json_text.h"
#include "runtime/cluster/tf_config.h"

typedef struct cohort_tf_config_reader {
    const char *text;
    cohort_tf_config *out;
} cohort_tf_config_reader;

/* cohort_json_fail at a value, or at the name of a member. */
#define COHORT_TF_CONFIG_FAIL(reader, at, fix, ...)                                                \
    cohort_json_fail("TF_CONFIG", cohort_json_offset((reader)->text, (at), false), (fix),          \
                     __VA_ARGS__)
#define COHORT_TF_CONFIG_FAIL_NAME(reader, at, fix, ...)                                           \
    cohort_json_fail("TF_CONFIG", cohort_json_offset((reader)->text, (at), true), (fix),           \
                     __VA_ARGS__)

/* The start of a text of the document, printable. */
typedef struct cohort_tf_config_shown {
    char text[128];
} cohort_tf_config_shown;

const char *cohort_tf_config_show(cohort_tf_config_shown *room, const char *text);

/* COHORT_OK when the value is a text that clusters may have. what: for messages. */
cohort_status cohort_tf_config_wants_text(const cohort_tf_config_reader *r,
                                          const struct json_t *value, const cohort_json_place *at,
                                          const char *what);

/* The value of "cluster", into r->out->spec. */
cohort_status cohort_tf_config_read_cluster(const cohort_tf_config_reader *r,
                                            struct json_t *cluster, const cohort_json_place *at);

#endif
