/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of the log as it is printed (COHORT_LOG_FORMAT). */
#ifndef COHORT_BASE_LOG_LINE_H
#define COHORT_BASE_LOG_LINE_H

#include "runtime/base/subsystem.h"

enum {
    COHORT_LOG_TEXT_BYTES = 1024, /* of what is said */
    COHORT_LOG_LINE_BYTES = 6 * COHORT_LOG_TEXT_BYTES + 256
};

/* TEXT: who and how bad. FULL: also when, which process, thread and rank, and the subsystem; JSON:
 * the same as an object. */
typedef enum cohort_log_format {
    COHORT_LOG_FORMAT_TEXT,
    COHORT_LOG_FORMAT_FULL,
    COHORT_LOG_FORMAT_JSON,
    COHORT_LOG_FORMATS
} cohort_log_format;

/* Text of less than COHORT_LOG_TEXT_BYTES, as a line with its end, of this thread, now. What is no
 * UTF-8, moves a cursor or turns the direction of writing is an escape; ends of lines and tabs are,
 * too, in JSON. rank: -1, where it is not known. */
void cohort_log_line_print(cohort_log_format format, cohort_subsystem from, int level, int rank,
                           const char *text, char out[COHORT_LOG_LINE_BYTES]);

#endif
