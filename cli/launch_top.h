/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COHORT_CLI_LAUNCH_TOP_H
#define COHORT_CLI_LAUNCH_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a program says about itself (cohort/monitor.h), in one line of text. False: that is not
 * known, and the text says why.
 *
 * group  of its processes, on this machine: a script may have started the one with the strategy;
 *        of several the one that has made the most steps is told */
bool launch_top_describe(pid_t group, char *out, size_t size);

#endif
