/* SPDX-License-Identifier: BSD-3-Clause */
/* The timeline as lines of columns, each of which shows the slice that has most of it: so a line is
 * as long for a million slices as for ten. */
#ifndef COHORT_CLI_REPORT_LINES_H
#define COHORT_CLI_REPORT_LINES_H

#include "cli/report.h"

enum { REPORT_LINE_COLUMNS = 1000 };

typedef struct report_window {
    int64_t from_ns, until_ns;
} report_window;

/* Columns from `from` to before `until` show that slice. */
typedef struct report_run {
    const timeline_slice *slice;
    int from, until;
} report_run;

typedef struct report_line {
    int32_t device; /* -1: the calling thread */
    int n;
    report_run runs[REPORT_LINE_COLUMNS];
} report_line;

/* Three steps in the middle, or all. */
report_window report_window_of(const report *r);

/* device -1: the calling thread. */
void report_draw_line(const report *r, const report_window *window, int32_t device,
                      report_line *out);

/* As what a slice is shown. */
report_state report_line_state(const timeline_slice *s);

#endif
