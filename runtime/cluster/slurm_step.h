/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of Slurm: hosts with tasks on each, where each rank is, and which of them this is. */
#ifndef COHORT_CLUSTER_SLURM_STEP_H
#define COHORT_CLUSTER_SLURM_STEP_H

#include <cohort/cluster.h>

/* Where a rank is. */
typedef struct cohort_slurm_place {
    int32_t host, local; /* local: which of the tasks of that host */
} cohort_slurm_place;

typedef struct cohort_slurm_step {
    char **hosts;   /* [n_hosts] */
    int32_t *tasks; /* [n_hosts]: tasks on each */
    int32_t n_hosts;
    int32_t n_tasks;            /* of all hosts */
    int32_t most;               /* tasks on one host */
    cohort_slurm_place *places; /* [n_tasks] */
    int32_t rank;               /* of this process, 0 to n_tasks - 1 */
} cohort_slurm_step;

/* From the environment. tasks_per_node: on each host; 0: what the environment says. COHORT_ENOENT:
 * a variable is not set; COHORT_EINVAL: it, or all together, makes no sense, or this task is
 * elsewhere than SLURM_DISTRIBUTION has it. All zero then. */
cohort_status cohort_slurm_step_read(int32_t tasks_per_node, cohort_slurm_step *out);

/* SLURM_STEP_NUM_TASKS. Errors as above. */
cohort_status cohort_slurm_step_count(int32_t *out);

void cohort_slurm_step_free(cohort_slurm_step *step);

#endif
