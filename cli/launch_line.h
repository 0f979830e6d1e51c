/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of mpirun. */
#ifndef COHORT_CLI_LAUNCH_LINE_H
#define COHORT_CLI_LAUNCH_LINE_H

#include "cli/launch.h"

typedef struct launch_line {
    const char **words; /* ended by NULL; they are the launch's, and those below */
    int n;
    char *hosts; /* those of the launch, cut at each machine */
    char number[16], cores[40], jobs[LAUNCH_JOBS_BYTES], variable[LAUNCH_JOBS_BYTES + 16];
} launch_line;

/* `mpirun` that starts l->words, behind those of `before`, ended by NULL: false without memory. It
 * lives no longer than what it is made of. */
bool launch_line_init(const launch *l, const launch_mpi *mpi, const char *mpirun,
                      const char *const before[], launch_line *out);
void launch_line_fini(launch_line *line);

/* As a shell takes it. */
void launch_line_print(const launch_line *line, FILE *out);

#endif
