/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences that all forms of a report have. */
#ifndef COHORT_CLI_REPORT_TEXT_H
#define COHORT_CLI_REPORT_TEXT_H

#include "cli/report.h"

enum { REPORT_TIME_BYTES = 32 };

/* "12.3 us". Returns out. */
const char *report_time(double ns, char out[REPORT_TIME_BYTES]);

/* What is to be said: each returns out, in which "" says that there is nothing. */
const char *report_recording_text(const report *r, char out[REPORT_TEXT_BYTES]);
const char *report_replicas_text(const report *r, char out[REPORT_TEXT_BYTES]);
const char *report_verdict_text(const report *r, char out[REPORT_TEXT_BYTES]);
const char *report_warning_text(const report *r, char out[REPORT_TEXT_BYTES]);
const char *report_left_out_text(const report *r, char out[REPORT_TEXT_BYTES]);
const char *report_unusual_text(const report *r, char out[REPORT_TEXT_BYTES]);

/* "matmul on host:0", "dispatch". */
const char *report_part_text(const report *r, const report_part *part, char out[REPORT_TEXT_BYTES]);

#endif
