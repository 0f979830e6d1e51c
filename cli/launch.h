/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of cohort launch. */
#ifndef COHORT_CLI_LAUNCH_H
#define COHORT_CLI_LAUNCH_H

#include "cli/cli.h"

typedef struct launch {
    const char *file; /* of --tf-config; NULL: none */
    const char *mpi;  /* "openmpi" or "mpich"; NULL: that which is there */
    bool has_labels, is_dry;
    int n;       /* processes */
    char *hosts; /* "a:2,b:1", NULL: this machine, or what a batch system has given */
    char **words;
} launch;

/* The program that is mpirun of "openmpi" or "mpich"; NULL: there is none. */
const char *launch_find_mpirun(const char *mpi);

/* n and hosts of the cluster in the file: -1, or the exit code. */
int launch_read_cluster(launch *l);

#endif
