/* SPDX-License-Identifier: BSD-3-Clause */
/* What processes tell cohort launch, in between their standard error, which each mpirun brings. */
#ifndef COHORT_CLI_LAUNCH_REPORT_H
#define COHORT_CLI_LAUNCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REPORT_KEY_BYTES = 17,
    REPORT_HOST_BYTES = 256,
    REPORT_TEXT_BYTES = 160,
    REPORT_HELD_BYTES = 1024
};

typedef enum report_kind {
    REPORT_STARTED = 'S',    /* the process is there; its program begins */
    REPORT_EXITED = 'E',     /* number: the exit code */
    REPORT_KILLED = 'K',     /* the signal */
    REPORT_NO_PROGRAM = 'P', /* errno of exec */
    REPORT_NO_LOG = 'L',     /* errno of the log */
    REPORT_PROGRESS = 'T'    /* which one, from 1 on; what is going on is its text */
} report_kind;

typedef struct report {
    report_kind kind;
    int number, rank;
    char host[REPORT_HOST_BYTES];
    char text[REPORT_TEXT_BYTES]; /* without an end of a line; "" but of progress */
} report;

/* A key that no program writes by chance. */
void report_make_key(char out[REPORT_KEY_BYTES]);

/* Write it to standard error, twice, since mpirun may put a label in the middle of one. */
void report_write(const char *key, const report *r);

/* A stream of which reports, and the labels in front of them, are taken out. */
typedef struct report_stream {
    const char *key;
    void (*take)(void *user, const report *r);
    void *user;
    int out; /* the rest goes to this descriptor */
    int state;
    bool begins_line;             /* the report that is there */
    char held[REPORT_HELD_BYTES]; /* a label that may stand before a report, and what came of one */
    size_t n, label_bytes;
    char ready[4096];
    size_t n_ready;
} report_stream;

void report_stream_put(report_stream *s, const char *bytes, size_t n);

/* What is held is no report. */
void report_stream_end(report_stream *s);

#endif
