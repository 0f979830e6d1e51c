/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs of processes that mpirun has started: how many tasks each has, in the order of their
 * ranks. */
#ifndef COHORT_CLUSTER_JOBS_H
#define COHORT_CLUSTER_JOBS_H

#include <cohort/cluster.h>

enum { COHORT_JOB_TYPES = 4 };
extern const char *const cohort_job_types[COHORT_JOB_TYPES]; /* ranks go to them in this order */

/* out[i]: tasks of a type, -1 for all that are left; 0 of what is not there. COHORT_EINVAL. */
cohort_status cohort_jobs_read(const cohort_job_tasks jobs[], int n, int32_t out[COHORT_JOB_TYPES]);

/* The same of "worker=2,ps=1", where none takes what is left. */
cohort_status cohort_jobs_parse(const char *text, int32_t out[COHORT_JOB_TYPES]);

/* The job that takes all that are left gets them; then the tasks are as many as the processes, or
 * COHORT_EINVAL. */
cohort_status cohort_jobs_share_out(int32_t size, int32_t tasks[COHORT_JOB_TYPES]);

#endif
