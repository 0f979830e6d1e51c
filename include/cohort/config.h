/* SPDX-License-Identifier: BSD-3-Clause */
/* Session-style configuration: the options of a strategy for the part of a program that connects
 * the tasks of a cluster.
 *
 * There is no session here: a configuration is a record that a strategy changes as it needs it, for
 * the part of a program that starts servers or opens connections. A configuration is counted: its
 * maker has a share and drops it with its destroy, and a strategy that was configured with it has
 * one. Threads: one at a time, which may be any; destroy, any at once.
 *
 * Source: Strategy.configure and Strategy.update_config_proto of TensorFlow 2.21. */
#ifndef COHORT_CONFIG_H
#define COHORT_CONFIG_H

#include <cohort/cluster.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_config cohort_config;

/* The members of a configuration. All zero is the default of everything; all is copied.
 *
 * device_filters         num_device_filters of them: the tasks that may be talked to, such as
 *                        "/job:ps" or "/job:worker/task:1"; none: all
 * collective_leader      of the collectives of its task, as cohort_cluster_spec_collective_leader
 *                        has it; NULL: none
 * isolate_session_state  this task shares no state that it keeps on other tasks
 * allow_soft_placement   an operation that has no place on a device may go to another
 * reserved               must be zero */
typedef struct cohort_config_options {
    const char *const *device_filters;
    int32_t num_device_filters;
    bool isolate_session_state, allow_soft_placement;
    const char *collective_leader;
    void *reserved[8];
} cohort_config_options;

/* Make a configuration. options NULL: all defaults. NULL with the reason: COHORT_EINVAL for a
 * filter other than "/job:JOB" or "/job:JOB/task:INDEX", with "/replica:0" between them or not. */
COHORT_API cohort_config *cohort_config_create(const cohort_config_options *options);

/* Drops a share; with the last one the configuration is gone. NULL is allowed. */
COHORT_API void cohort_config_destroy(cohort_config *config);

/* The members of a configuration; false, 0, NULL and "" for NULL and for a filter that is not
 * there, without an error. Texts are lent until the configuration is changed or gone. */
COHORT_API bool cohort_config_isolates_session_state(const cohort_config *config);
COHORT_API bool cohort_config_allows_soft_placement(const cohort_config *config);
COHORT_API int cohort_config_num_device_filters(const cohort_config *config);
COHORT_API const char *cohort_config_device_filter(const cohort_config *config, int filter);
COHORT_API const char *cohort_config_collective_leader(const cohort_config *config);

/* Whether a task passes the filters; every task does where there are none. */
COHORT_API bool cohort_config_lets_through(const cohort_config *config, const char *task_type,
                                           int32_t task_id);

#ifdef __cplusplus
}
#endif
#endif
