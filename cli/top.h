/* SPDX-License-Identifier: BSD-3-Clause */
/* What strategies of this user's processes say about themselves (cohort/monitor.h). */
#ifndef COHORT_CLI_TOP_H
#define COHORT_CLI_TOP_H

#include <cohort/monitor.h>

#include <stdbool.h>
#include <stdio.h>

typedef enum top_state {
    TOP_RUNNING,
    TOP_STOPPED, /* by a signal */
    TOP_SILENT,  /* alive, and nothing was written for some seconds */
    TOP_ENDED,   /* the process has, without a word */
    TOP_WRONG    /* no record can be read */
} top_state;

typedef struct top_strategy {
    char file[64]; /* its name */
    long long pid; /* by that name */
    int number;
    top_state state;
    const char *why; /* of TOP_WRONG, in a few words; of the others NULL */
    double age_s;    /* of the record */
    /* texts end, devices are no more than there are, shares and counts not negative; all zero:
     * there is none */
    cohort_monitor_record record;
    int n_devices; /* that the record has */
} top_strategy;

typedef struct top_list {
    top_strategy *strategies; /* ordered by process, then by number */
    size_t n, room;
    char folder[4096];
    long long pid;             /* the only process that is wanted; 0: all */
    char fault[768], fix[256]; /* why it cannot be read, and what to do, or "" */
} top_list;

const char *top_state_name(top_state state);

/* The number of its steps: of programs, else of step functions, else of inputs. */
int64_t top_steps(const cohort_monitor_record *record);

/* Seconds from one of the record's times to when it was written; 0 where that is before. */
double top_seconds(const cohort_monitor_record *record, int64_t from_ns);

/* Read all files anew. Those of processes that have ended are removed, and told this once. False
 * with the fault: there is no folder that may be read. */
bool top_read(top_list *list);

void top_free(top_list *list);

/* What a strategy does, in a line without its end. */
void top_describe(const top_strategy *strategy, char *out, size_t size);

/* Each strategy, and its devices, as lines of text; as JSON. */
void top_print(FILE *file, const top_list *list);
void top_print_json(FILE *file, const top_list *list);

#endif
