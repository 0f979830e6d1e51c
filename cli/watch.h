/* SPDX-License-Identifier: BSD-3-Clause */
/* The function that runs is trusted, and may still crash, call exit or never end: then one line
 * says whose body it was, and the program ends with EXIT_FAILED. One watch at a time. */
#ifndef COHORT_CLI_WATCH_H
#define COHORT_CLI_WATCH_H

#include "cli/source.h"

/* Handlers of signals and of exit. compiled: removed before the program ends. */
void watch_begin(source *compiled);
void watch_end(void);

/* The culprit where no body is known to run on the thread: a library that is loaded, a kernel, a
 * driver. */
__attribute__((format(printf, 1, 2))) void watch_subject(const char *format, ...);

/* A stack for the handlers on this thread, whose body may use up its own. */
void watch_stack(void);

/* Also when it takes longer than this; 0: however long. */
void watch_limit(double seconds);

#endif
