/* SPDX-License-Identifier: BSD-3-Clause */
/* A cluster spec: jobs with their tasks, made once and never changed, so that several own it. */
#ifndef COHORT_CLUSTER_SPEC_H
#define COHORT_CLUSTER_SPEC_H

#include "runtime/base/handle.h"

#include <cohort/cluster.h>

#include <stdatomic.h>
#include <stdio.h>

typedef struct cohort_cluster_task {
    int32_t index;
    char *address;
} cohort_cluster_task;

typedef struct cohort_cluster_job {
    char *type;
    int32_t n;
    cohort_cluster_task *tasks; /* [n], by index */
} cohort_cluster_job;

struct cohort_cluster_spec {
    cohort_handle handle; /* first */
    atomic_int shares;
    int32_t n;
    cohort_cluster_job *jobs; /* [n] */
    char *json;
};

/* The indices of its tasks are 0 to n - 1, and there is one: a list as JSON, and in a union. */
static inline bool cohort_cluster_job_is_list(const cohort_cluster_job *job)
{
    return job->n > 0 && job->tasks[job->n - 1].index == job->n - 1;
}

/* COHORT_EINVAL with "what ..." unless it is a text as cohort/cluster.h says. is_optional: NULL and
 * "" are. */
cohort_status cohort_cluster_check_text(const char *text, const char *what, bool is_optional);

/* Digits alone, at most INT32_MAX; negative: it is none. */
int32_t cohort_cluster_index(const char *digits);

cohort_status cohort_cluster_spec_check(const cohort_cluster_spec *spec, const char *call);

/* NULL: there is no job of this type, without an error. */
const cohort_cluster_job *cohort_cluster_spec_find(const cohort_cluster_spec *spec,
                                                   const char *type);

/* The types of all jobs as a list for people; at most `bytes` of it. */
void cohort_cluster_spec_list_jobs(const cohort_cluster_spec *spec, char *room, size_t bytes);

/* One more owner; each gives up its share with cohort_cluster_spec_destroy. */
cohort_cluster_spec *cohort_cluster_spec_share(cohort_cluster_spec *spec);

/* As cohort_cluster_spec_json, made anew; freed by cohort_free. NULL: out of memory. */
char *cohort_cluster_spec_write(const cohort_cluster_spec *spec);

#endif
