/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a training is: a bar on a terminal, else one line per epoch; both on stderr, without
 * colours. */
#ifndef COHORT_CLI_PROGRESS_H
#define COHORT_CLI_PROGRESS_H

#include "cli/figures.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    const char *label; /* before the bar */
    bool has_bar, has_lines, is_utf8;
    int64_t epochs, steps;        /* in all */
    double start, drawn;          /* seconds */
    figures training, validation; /* of the latest epoch */
} progress;

double progress_clock(void); /* seconds, monotonic */

/* The bar, behind its label, where stderr is a terminal that can move its cursor; lines elsewhere
 * unless they are not wanted. label: the caller's, "" for none. */
void progress_start(progress *p, const char *label, int64_t epochs, int64_t steps,
                    bool wants_lines);
void progress_step(progress *p, int64_t epoch, int64_t step);
void progress_epoch(progress *p, int64_t epoch, figures training, figures validation);
void progress_end(progress *p); /* wipes the bar */

#endif
