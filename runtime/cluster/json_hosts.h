/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts in JSON texts: lists of names, and instances of Google Compute Engine. In a build without
 * jansson both calls are COHORT_ENOTSUP. */
#ifndef COHORT_CLUSTER_JSON_HOSTS_H
#define COHORT_CLUSTER_JSON_HOSTS_H

#include "runtime/cluster/hosts.h"

/* Adds the names of ["algo-1", "algo-2"]. COHORT_EINVAL with "NAME: byte N: ...", also for an empty
 * list. */
cohort_status cohort_json_names(const char *name, const char *text, cohort_hosts *out);

typedef struct cohort_instance {
    char name[64], host[254]; /* host: its address */
} cohort_instance;

typedef struct cohort_instances {
    cohort_instance *list; /* [n], freed by cohort_free */
    size_t capacity;
    int32_t n;
} cohort_instances;

/* Adds those that run, in the order of the text: cohort_gce_options.instances. COHORT_EINVAL with
 * "instances: byte N: ...". *out is to be freed whatever the answer is. */
cohort_status cohort_json_instances(const char *text, cohort_instances *out);

#endif
