/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of cohort launch: what its words ask for, and the mpirun that does it. */
#ifndef COHORT_CLI_LAUNCH_H
#define COHORT_CLI_LAUNCH_H

#include "cli/cli.h"

enum { LAUNCH_JOBS = 4, LAUNCH_MOST = 65536 };
extern const char *const launch_jobs[LAUNCH_JOBS]; /* in the order of their ranks */

/* An mpirun, and what it does of signals, found by trying: Open MPI 4.1 forwards SIGUSR2 and kills
 * a second after SIGTERM; MPICH 4.0 forwards SIGTERM, and clears up when it is killed. */
typedef struct launch_mpi {
    const char *name, *programs[2]; /* Debian has both MPIs, under names of their own */
    const char *marks[2];           /* one of them is in what --version says */
    const char *rank;               /* the variable that tells a process its rank */
    int asks, ends;                 /* signals: forwarded to the processes; that ends them all */
} launch_mpi;

typedef struct launch_variable {
    const char *text;  /* "NAME" or "NAME=VALUE" */
    char *name;        /* the launch's */
    const char *value; /* NULL: that of this process */
} launch_variable;

typedef struct launch {
    const char *file;           /* of --tf-config; NULL: none */
    const char *jobs;           /* of --jobs; NULL: none */
    const char *host_file;      /* of --hostfile; NULL: none */
    const char *mpi;            /* "openmpi" or "mpich"; NULL: that which is there */
    const char *binding;        /* of --bind-to; NULL: the cores are shared out */
    const char *log_folder;     /* NULL: none */
    launch_variable *variables; /* of --env */
    int n_variables;
    bool has_labels, is_dry;
    int n;                  /* processes; 0: not said */
    int tasks[LAUNCH_JOBS]; /* of these; all 0: each is a worker */
    uint64_t restarts;      /* at most */
    uint64_t top_s;         /* a line a process so often; 0: none */
    uint64_t start_s;       /* all have started by then; 0: whenever */
    uint64_t grace_s; /* for the others, once one has failed or a signal has come; 0: no end */
    char *hosts;      /* "a:2,b:1", NULL: this machine, or what a batch system has given */
    char **words;
} launch;

/* The program that is mpirun of "openmpi" or "mpich"; NULL: there is none. */
const char *launch_find_mpirun(const char *mpi);

/* The same of l->mpi, or the first that is there: -1, or the exit code. */
int launch_choose_mpi(const launch *l, const launch_mpi **out_mpi, const char **out_program);

/* The text of a file, 1 MiB at most, which the caller frees; NULL after a message. */
char *launch_read_text(const char *path);

/* n, tasks and hosts of the cluster in the file: -1, or the exit code. */
int launch_read_cluster(launch *l);

/* n and tasks of the text of --jobs: the same. */
int launch_read_jobs(launch *l);

/* hosts of the lines of --hostfile, as many as n, or n of all of them: the same. */
int launch_read_hosts(launch *l);

/* "worker=2,ps=1"; "" where each is a worker. */
enum { LAUNCH_JOBS_BYTES = 80 };
void launch_write_jobs(const launch *l, char out[LAUNCH_JOBS_BYTES]);

/* Start the processes, and again where they may be: the exit code. */
int launch_supervise(const launch *l, const launch_mpi *mpi, const char *program);

#endif
