/* SPDX-License-Identifier: BSD-3-Clause */
/* How much processor time the control groups of this process allow it.
 *
 * A group's quota is time in each period: 150 ms in each 100 ms are 1.5 CPUs, whatever the number
 * of those that the process may run on. Threads beyond that wait for the next period, and whoever
 * works in lockstep with them waits too. */
#ifndef COHORT_HOST_QUOTA_H
#define COHORT_HOST_QUOTA_H

#include <stdbool.h>

enum { QUOTA_TEXT_BYTES = 40 };

struct quota {
    double cpus;     /* the least that one of the groups allows; 0: no limit, or none to be seen */
    char file[1024]; /* which says so; cut off where it is longer */
};

/* Of the process's own groups and all above them that it sees, of version 1 and 2.
 *
 * root  "", or a folder that stands for / in all paths, for tests
 * What cannot be read, or is no number above 0, is no limit. */
void quota_find(const char *root, struct quota *out);

/* How many of `cpus` threads such a quota keeps busy: cpus where it is no limit, else at least 1,
 * and a part of a CPU is one more. */
int quota_threads(const struct quota *quota, int cpus);

/* "quota 1.50 of 64 CPUs"; false, and "", where it is no limit of that many. The same in every
 * locale: cohort doctor reads it. */
bool quota_describe(const struct quota *quota, int cpus, char out_text[QUOTA_TEXT_BYTES]);

#endif
