/* SPDX-License-Identifier: BSD-3-Clause */
/* Events as lines of the file of a trace (cohort/trace.h). */
#ifndef COHORT_BASE_TRACE_LINE_H
#define COHORT_BASE_TRACE_LINE_H

#include "runtime/base/trace.h"

enum {
    COHORT_TRACE_NAME_BYTES = 48,
    COHORT_TRACE_LINE_BYTES = 1536 /* names and a reason whose characters are all escaped fit */
};

typedef struct cohort_trace_event {
    char name[COHORT_TRACE_NAME_BYTES];
    cohort_trace_piece of; /* but for its name; end_ns may be one of these two */
} cohort_trace_event;

/* It names its track; or the process, of which `replica` is the rank, -1 where there is none. */
enum { COHORT_TRACE_NAMES_TRACK = -1, COHORT_TRACE_NAMES_PROCESS = -2 };

/* Whose trace it is, and when it began. */
typedef struct cohort_trace_origin {
    int64_t start_ns, pid;
} cohort_trace_origin;

/* How many bytes the lines of the event have, of which out has room for COHORT_TRACE_LINE_BYTES;
 * without a 0 behind them. printf would take most of the time of a trace (0.8 us an event, 0.3
 * without it). */
size_t cohort_trace_line(const cohort_trace_event *event, const cohort_trace_origin *origin,
                         char *out);

#endif
