/* SPDX-License-Identifier: BSD-3-Clause */
/* The two kinds of lists in Slurm's variables: hosts, and tasks of each. */
#ifndef COHORT_CLUSTER_SLURM_LIST_H
#define COHORT_CLUSTER_SLURM_LIST_H

#include <cohort/cluster.h>

#include <stddef.h>

/* Takes one host name, which is gone afterwards; negative ends the list with that error. */
typedef cohort_status (*cohort_slurm_take_fn)(void *user, const char *host);

/* Each host of "n[1-2],m5,o[003-004,9]" in its order. COHORT_EINVAL with "NAME: byte N: ...", name
 * being that of the variable, for a list that is none or has more hosts than there may be tasks;
 * some hosts may have been taken by then. */
cohort_status cohort_slurm_each_host(const char *name, const char *list, cohort_slurm_take_fn take,
                                     void *user);

/* The numbers of "3(x2),4,1", which are 3, 3, 4, 1: as many as there are, of which out gets the
 * first ones. Errors as above. */
int cohort_slurm_read_tasks(const char *name, const char *list, int32_t out[], int capacity);

#endif
