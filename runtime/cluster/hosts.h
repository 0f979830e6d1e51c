/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts of a cluster by their names, in the order of its tasks, and which of them this is. */
#ifndef COHORT_CLUSTER_HOSTS_H
#define COHORT_CLUSTER_HOSTS_H

#include <cohort/cluster.h>

#include <stddef.h>

/* All zero: none. */
typedef struct cohort_hosts {
    char **names; /* [n] */
    size_t capacity;
    int32_t n, own; /* own: this host, where it was asked for */
} cohort_hosts;

/* The name of a host, or its address, that may stand before a port; else COHORT_EINVAL, with the
 * text, which may be any. */
cohort_status cohort_host_check(const char *name);

/* A copy of the name, checked, behind the others. COHORT_EINVAL also where there are as many as a
 * cluster may have tasks. */
cohort_status cohort_hosts_add(cohort_hosts *hosts, const char *name);

/* By the bytes of their names. */
void cohort_hosts_sort(cohort_hosts *hosts);

/* Negative: it is none of them, without an error. */
int32_t cohort_hosts_find(const cohort_hosts *hosts, const char *name);

/* None is there twice, else COHORT_EINVAL with "WHAT has host 'NAME' twice": tasks would have the
 * same address. */
cohort_status cohort_hosts_check_once(char *const names[], int32_t n, const char *what);

void cohort_hosts_free(cohort_hosts *hosts);

#endif
