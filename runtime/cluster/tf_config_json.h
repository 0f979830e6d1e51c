/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the reader of TF_CONFIG share: its document, and errors at places of it. */
#ifndef COHORT_CLUSTER_TF_CONFIG_JSON_H
#define COHORT_CLUSTER_TF_CONFIG_JSON_H

#include "runtime/cluster/json_place.h"
#include "runtime/cluster/tf_config.h"

struct json_t; /* of jansson */

typedef struct cohort_tf_config_reader {
    const char *text;
    cohort_tf_config *out;
} cohort_tf_config_reader;

/* COHORT_EINVAL with "TF_CONFIG: byte N: what; fix". fix: may be "". */
cohort_status cohort_tf_config_fail(size_t offset, const char *fix, const char *format, ...)
    COHORT_PRINTF_(3, 4);

/* The same at a value, or at the name of a member. */
#define COHORT_TF_CONFIG_FAIL(reader, at, fix, ...)                                                \
    cohort_tf_config_fail(cohort_json_offset((reader)->text, (at), false), (fix), __VA_ARGS__)
#define COHORT_TF_CONFIG_FAIL_NAME(reader, at, fix, ...)                                           \
    cohort_tf_config_fail(cohort_json_offset((reader)->text, (at), true), (fix), __VA_ARGS__)

/* "a text", "an object": what a value is. */
const char *cohort_tf_config_type(const struct json_t *value);

/* The start of a text of the document, printable. */
typedef struct cohort_tf_config_shown {
    char text[128];
} cohort_tf_config_shown;

const char *cohort_tf_config_show(cohort_tf_config_shown *room, const char *text);

/* COHORT_OK when the value is a text that clusters may have. what: for messages. */
cohort_status cohort_tf_config_wants_text(const cohort_tf_config_reader *r,
                                          const struct json_t *value, const cohort_json_place *at,
                                          const char *what);

/* Digits alone, at most INT32_MAX; negative: it is none. */
int32_t cohort_tf_config_index(const char *digits);

/* The value of "cluster", into r->out->spec. */
cohort_status cohort_tf_config_read_cluster(const cohort_tf_config_reader *r,
                                            struct json_t *cluster, const cohort_json_place *at);

#endif
