/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of cohort launch. */
#ifndef COHORT_CLI_LAUNCH_H
#define COHORT_CLI_LAUNCH_H

#include "cli/cli.h"

enum { LAUNCH_JOBS = 4, LAUNCH_MOST = 65536 };
extern const char *const launch_jobs[LAUNCH_JOBS]; /* in the order of their ranks */

typedef struct launch {
    const char *file; /* of --tf-config; NULL: none */
    const char *jobs; /* of --jobs; NULL: none */
    const char *mpi;  /* "openmpi" or "mpich"; NULL: that which is there */
    bool has_labels, is_dry;
    int n;                  /* processes */
    int tasks[LAUNCH_JOBS]; /* of these; all 0: each is a worker */
    char *hosts;            /* "a:2,b:1", NULL: this machine, or what a batch system has given */
    char **words;
} launch;

/* The program that is mpirun of "openmpi" or "mpich"; NULL: there is none. */
const char *launch_find_mpirun(const char *mpi);

/* n, tasks and hosts of the cluster in the file: -1, or the exit code. */
int launch_read_cluster(launch *l);

/* n and tasks of the text of --jobs: the same. */
int launch_read_jobs(launch *l);

/* "worker=2,ps=1"; "" where each is a worker. */
enum { LAUNCH_JOBS_BYTES = 80 };
void launch_write_jobs(const launch *l, char out[LAUNCH_JOBS_BYTES]);

#endif
