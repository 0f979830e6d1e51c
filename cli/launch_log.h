/* SPDX-License-Identifier: BSD-3-Clause */
/* The logs of --log-dir: a file for each process, to which each start adds. */
#ifndef COHORT_CLI_LAUNCH_LOG_H
#define COHORT_CLI_LAUNCH_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* FOLDER/rank-3.log; false: the name is too long. */
bool launch_log_name(const char *folder, int rank, char *out, size_t size);

/* The folder and those above it, as far as they are not there: 0, or the error. */
int launch_log_make_folder(const char *folder);

/* Open it to add to it, a line first that says which start this is: the descriptor, or -1, errno
 * says why. */
int launch_log_open(const char *folder, int rank, const char *start, const char *host,
                    char *const program[]);

/* All of it: false, errno says why. */
bool launch_write_all(int to, const char *bytes, size_t n);

/* Reads of 8 KiB in one go: as much as Linux lets a pipe hold, of whoever is not root. */
enum { LAUNCH_PIPE_READS = 128 };

/* One output of a process, which goes to a descriptor and to the log. */
typedef struct launch_tee {
    int from; /* a pipe that does not block; -1: closed */
    int to, log;
    bool has_failed; /* the log, of which the text is told once */
} launch_tee;

/* What is there now, as much as a pipe holds: who writes without a pause is no reason to look for
 * nothing else. */
void launch_tee_take(launch_tee *t);

#endif
