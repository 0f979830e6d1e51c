/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters: which tasks there are, under which addresses, and which of them this process is.
 *
 * All of this is on paper: nothing here opens a connection or starts a process.
 *
 *     const char *const workers[] = { "a:2222", "b:2222" };
 *     const cohort_job jobs[] = { { "worker", workers, 2, NULL } };
 *     cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, 1);
 *     printf("%s\n", cohort_cluster_spec_task_address(spec, "worker", 1));
 *     cohort_cluster_spec_destroy(spec);
 *
 * Texts: UTF-8 without control characters, at most 1,024 bytes; a cluster has at most 1,024 jobs
 * and 65,536 tasks. "" is "none" wherever a text is an answer, and NULL a failure with its reason
 * in the error text. Source of all rules: tf.train.ClusterSpec, tf.distribute.cluster_resolver and
 * multi_worker_util.py of TensorFlow 2.21, where nothing else is said. */
#ifndef COHORT_CLUSTER_H
#define COHORT_CLUSTER_H

#include <cohort/status.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Cluster specs: jobs, each of them tasks with an address. A spec never changes, so that any
 * number of threads may ask it. Whoever made it destroys it. */

typedef struct cohort_cluster_spec cohort_cluster_spec;

/* One job, for cohort_cluster_spec_create, which copies all of it. */
typedef struct cohort_job {
    const char *type; /* "worker" */
    const char *const *addresses;
    int32_t count;          /* of addresses; 0: a job without tasks */
    const int32_t *indices; /* the task of each address, any order; NULL: 0 to count - 1 */
} cohort_job;

/* n 0: the empty cluster. NULL with the reason: COHORT_EINVAL for a text that is none, a job or a
 * task that is there twice, a negative index, more tasks than a cluster may have. */
COHORT_API cohort_cluster_spec *cohort_cluster_spec_create(const cohort_job jobs[], int n);

COHORT_API void cohort_cluster_spec_destroy(cohort_cluster_spec *spec); /* NULL is allowed */

/* Number of jobs, 0 for the empty cluster. Negative: COHORT_EINVAL, it is no spec. */
COHORT_API int cohort_cluster_spec_num_jobs(const cohort_cluster_spec *spec);

/* The type of a job, in the order in which they were given; lives as long as the spec. NULL
 * outside 0 .. n - 1, without an error. */
COHORT_API const char *cohort_cluster_spec_job(const cohort_cluster_spec *spec, int job);

/* Number of tasks of a job. COHORT_ENOENT: no such job; the text lists those that there are. */
COHORT_API int cohort_cluster_spec_num_tasks(const cohort_cluster_spec *spec, const char *type);

/* Fills out[0 .. min(capacity, n) - 1] with the indices of a job's tasks, ascending, and returns n.
 * COHORT_ENOENT: no such job. */
COHORT_API int cohort_cluster_spec_task_indices(const cohort_cluster_spec *spec, const char *type,
                                                int32_t out[], int capacity);

/* Lives as long as the spec. NULL, COHORT_ENOENT: no such job, or no task of this index. */
COHORT_API const char *cohort_cluster_spec_task_address(const cohort_cluster_spec *spec,
                                                        const char *type, int32_t index);

/* As JSON on one line: {"worker": ["a:1", "b:1"], "ps": {"0": "c:1", "2": "d:1"}}. A job is a list
 * when its indices have no gap, else an object, as in TF_CONFIG. Lives as long as the spec; NULL
 * when it is no spec. */
COHORT_API const char *cohort_cluster_spec_json(const cohort_cluster_spec *spec);

/* The same jobs with the same tasks at the same addresses; the order of jobs does not count. false
 * also for what is no spec. */
COHORT_API bool cohort_cluster_spec_is_equal(const cohort_cluster_spec *a,
                                             const cohort_cluster_spec *b);

/* ---- Roles. Types are "chief", "worker", "ps" and "evaluator"; of the first and the last there is
 * at most one task. All calls of this part answer COHORT_EINVAL for another type, in the cluster or
 * asked for, for a type that the cluster has not (but evaluator), and for an id from the number of
 * its tasks on. type NULL or "": of no task. */

/* 1 for the chief, an evaluator, and worker 0 where there is no chief; else 0. */
COHORT_API int cohort_cluster_spec_is_chief(const cohort_cluster_spec *spec, const char *type,
                                            int32_t id);

/* How many tasks work on the same training as a task of this type: for chief and worker those of
 * both, for an evaluator the evaluators. COHORT_EINVAL for ps; COHORT_ENOENT where that is an
 * evaluator and the cluster has none. */
COHORT_API int cohort_cluster_spec_worker_count(const cohort_cluster_spec *spec, const char *type);

/* The number of a task among those: chief 0, worker i is i plus the number of chiefs, evaluator i
 * is i. COHORT_EINVAL for ps. */
COHORT_API int cohort_cluster_spec_id_in_cluster(const cohort_cluster_spec *spec, const char *type,
                                                 int32_t id);

/* The task that leads the collectives of a task: "/job:chief/replica:0/task:0", else that of worker
 * 0; "" for an evaluator and in the empty cluster. Lives for ever. NULL: COHORT_EINVAL as above,
 * and a cluster with neither. */
COHORT_API const char *cohort_cluster_spec_collective_leader(const cohort_cluster_spec *spec,
                                                             const char *type, int32_t id);

/* The task that coordinates all: that of ps 0, else of the chief, else of worker 0; "" in the empty
 * cluster. */
COHORT_API const char *cohort_cluster_spec_coordination_leader(const cohort_cluster_spec *spec);

#ifdef __cplusplus
}
#endif
#endif
