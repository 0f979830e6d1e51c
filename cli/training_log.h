/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a training in a file: what --log of cohort demo writes. */
#ifndef COHORT_CLI_TRAINING_LOG_H
#define COHORT_CLI_TRAINING_LOG_H

#include "cli/training.h"

typedef enum training_log_format {
    TRAINING_LOG_BY_NAME,
    TRAINING_LOG_CSV,
    TRAINING_LOG_JSON_LINES,
    TRAINING_LOG_TENSORBOARD
} training_log_format;

typedef struct training_log {
    const char *path; /* NULL: none; of TensorBoard a folder */
    training_log_format format;
    char file[2][4096]; /* that were written */
    int files;
} training_log;

/* csv, jsonl or tensorboard; false after a message. */
bool training_log_read_format(const char *text, training_log_format *out);

/* Find out the format of BY_NAME, and whether files can be made there. -1, or the exit code after a
 * message. */
int training_log_check(training_log *log);

/* All figures, each file whole or as it was; false after a message. */
bool training_log_write(training_log *log, const training *t, int64_t epochs);

#endif
