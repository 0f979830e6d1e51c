/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a trace as COHORT_TRACE writes it (cohort/trace.h), one after the other: in memory
 * that is known before, however large the file is. */
#ifndef COHORT_CLI_TRACE_FILE_H
#define COHORT_CLI_TRACE_FILE_H

#include "cli/json_scan.h"

enum { TRACE_FILE_TEXT_BYTES = 128 };

/* What an event says; what it does not say is 0, "", and of replica -1.
 *
 * phase     X: a slice; s, t: its arrow begins, or comes from elsewhere; M: a name
 * category  body, copy, ... of a slice
 * label     of a name: of what
 * begin_ns, length_ns  of a slice, from the beginning of the trace */
typedef struct trace_event {
    char phase;
    char name[TRACE_FILE_TEXT_BYTES], category[TRACE_FILE_TEXT_BYTES];
    char label[TRACE_FILE_TEXT_BYTES], why[TRACE_FILE_TEXT_BYTES];
    int64_t process, track, flow;
    int64_t begin_ns, length_ns;
    int64_t replica, bytes;
} trace_event;

typedef struct trace_file {
    json_scan scan;
    bool has_begun, is_cut; /* its last event is not whole, or it has no closing bracket */
} trace_file;

/* The next event: true. False: there is none left, or, where file->scan.wrong is not NULL, what is
 * wrong at byte file->scan.bytes. file: all zero but for scan.file. */
bool trace_file_next(trace_file *file, trace_event *out);

#endif
