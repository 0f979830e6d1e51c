/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a strategy that is watched: made, locked and written as cohort/monitor.h says. */
#ifndef COHORT_STRATEGY_MONITOR_FILE_H
#define COHORT_STRATEGY_MONITOR_FILE_H

#include <cohort/monitor.h>

#include <stdbool.h>
#include <sys/types.h>

/* A descriptor, and what it was opened for: a program that closes all descriptors, as daemons do,
 * may have one of its own by this number since. */
typedef struct cohort_monitor_descriptor {
    int fd;
    dev_t device;
    ino_t inode;
} cohort_monitor_descriptor;

typedef struct cohort_monitor_file {
    cohort_monitor_descriptor folder, file;
    char name[48]; /* in the folder */
} cohort_monitor_file;

/* A file of a name that nobody has, in the folder, which is made where it is not there. False:
 * there is none, and the error slot says why. */
bool cohort_monitor_file_make(cohort_monitor_file *out);

/* All of the record. The errno of what failed, or 0; EBADF: the program has closed the descriptor,
 * and whatever has its number now is left alone. */
int cohort_monitor_file_write(const cohort_monitor_file *file, const cohort_monitor_record *record);

/* The file is gone, from the folder too. */
void cohort_monitor_file_remove(cohort_monitor_file *file);

#endif
