/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolvers of clusters whose tasks are hosts, all at the same port. */
#ifndef COHORT_CLUSTER_HOST_RESOLVER_H
#define COHORT_CLUSTER_HOST_RESOLVER_H

#include "runtime/cluster/hosts.h"

#include <stdbool.h>

/* What is different in each. Functions get the pointer that the resolver was made with. */
typedef struct cohort_host_kind {
    const char *name, *call;
    const char *rpc_layer; /* unless another is given */
    int32_t port;          /* unless another is asked for */
    bool is_alone_without_master;
    /* The hosts of the moment into *out, which is empty, and freed whatever the answer is.
     * wants_own: with the one that this is. */
    cohort_status (*read)(void *user, bool wants_own, cohort_hosts *out);
    /* As of cohort_resolver_ops; may be NULL. */
    int (*num_accelerators)(void *user, cohort_accelerators out[], int capacity);
    void (*destroy)(void *user);
} cohort_host_kind;

/* What may be asked for of any. */
typedef struct cohort_host_options {
    const cohort_job_tasks *jobs; /* NULL: all are of task_type */
    int32_t num_jobs;
    const char *task_type;                  /* NULL: "worker" */
    int32_t port;                           /* 0: that of the kind */
    const cohort_resolver_options *answers; /* may be NULL */
} cohort_host_options;

/* Reads once, to say what is wrong. Takes user, also where it fails. NULL with the reason. */
cohort_resolver *cohort_host_resolver_make(const cohort_host_kind *kind, void *user,
                                           const cohort_host_options *options);

/* The maker has failed with this status before there was anything to take. NULL, with the call's
 * name. */
cohort_resolver *cohort_host_resolver_fail(const cohort_host_kind *kind, cohort_status status);

/* COHORT_EINVAL unless these members of options are zero. */
cohort_status cohort_host_check_reserved(int32_t word, void *const reserved[8]);

#endif
