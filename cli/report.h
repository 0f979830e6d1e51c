/* SPDX-License-Identifier: BSD-3-Clause */
/* What cohort report makes of a trace: where the time of a step goes, and what would change it. */
#ifndef COHORT_CLI_REPORT_H
#define COHORT_CLI_REPORT_H

#include "cli/json.h"
#include "cli/timeline.h"

/* What a device does, or why it does nothing: COMPUTE, COPY, REDUCE and OTHER are slices of its
 * own, bodies before copies, sums and others where they lie in one another. Else it has nothing to
 * do, and the first that holds of
 *
 * INPUT     a call waits for rows of the input
 * WAIT      another device is at work, or a call waits for devices
 * DISPATCH  a call is under way, which plans and hands over
 * PROGRAM   the program is in no call */
typedef enum report_state {
    REPORT_COMPUTE,
    REPORT_COPY,
    REPORT_REDUCE,
    REPORT_OTHER,
    REPORT_WAIT,
    REPORT_INPUT,
    REPORT_DISPATCH,
    REPORT_PROGRAM,
    REPORT_STATES
} report_state;

const char *report_state_name(report_state state);

/* What a step is in this trace, the first that there is twice: ranges of the program named "step";
 * steps of a recorded program; step functions; batches of an input; rounds of calls that come again
 * and again. Else the whole trace is one. */
typedef enum report_unit {
    REPORT_RANGES,
    REPORT_PROGRAM_STEPS,
    REPORT_STEP_FUNCTIONS,
    REPORT_BATCHES,
    REPORT_ROUNDS,
    REPORT_WHOLE
} report_unit;

const char *report_unit_text(report_unit unit); /* "steps of a recorded program" */

typedef struct report_device {
    int64_t ns[REPORT_STATES]; /* of all steps */
    double bytes;              /* that it copied */
    int64_t operations, launches;
} report_device;

/* Time that counts, with as much before it. */
typedef struct report_span {
    int64_t from_ns, until_ns, before_ns;
} report_span;

/* A part of the critical path; name -1: that of nothing. */
typedef struct report_part {
    report_state state;
    int32_t name, device;
    int64_t ns;
} report_part;

/* A cause of slow steps: what it is, the evidence, what to change, and the time of a step that is
 * expected then. */
enum { REPORT_TEXT_BYTES = 512, REPORT_MOST_PARTS = 512, REPORT_MOST_CAUSES = 9 };
typedef struct report_cause {
    const char *id;
    char cause[REPORT_TEXT_BYTES], evidence[REPORT_TEXT_BYTES], change[REPORT_TEXT_BYTES];
    double step_ns;
} report_cause;

/* Bodies of one name, by whether another device ran bodies at the time. */
typedef struct report_beside {
    int64_t alone, together;
    double alone_ns, together_ns;
} report_beside;

/* path_ns      of the step in the middle
 * busiest      the device with the most time of its own
 * planned_ns, repeated_ns  of the calling thread, in a step of a program
 * slow, fast   the replicas with the most and the least time of bodies; -1: they are not known
 * causes       those that take a tenth of a step, the largest first */
typedef struct report {
    const char *path;
    timeline t;
    report_unit unit;
    int64_t *begins; /* [n_steps + 1]: where steps begin; the last: where the last one ends */
    int64_t *flows;  /* [n_steps]: of their arrows, of steps of a program */
    bool *heads;     /* [n_steps]: one that may begin a block (report_spans.c); NULL: all */
    int64_t n_steps, left_out;
    report_span *spans; /* [n_spans]: of the steps that are looked at */
    int64_t n_spans, n_kept;
    report_device *devices;
    report_beside *beside; /* [n_names] */
    int32_t busiest;
    report_part parts[REPORT_MOST_PARTS];
    int n_parts;
    int64_t path_ns, waits;
    int64_t unserved_ns; /* while the calling thread waits and no device does anything */
    int64_t planned_ns, repeated_ns;
    int32_t slow, fast;
    double slow_ns, fast_ns;
    report_cause causes[REPORT_MOST_CAUSES];
    int n_causes;
} report;

/* Of a trace; path: what it is called. NULL; or what is wrong, in `room` bytes of `wrong`. Free it
 * in any case. */
const char *report_make(FILE *file, const char *path, report *out, char *wrong, size_t room);
void report_free(report *r);

/* Nanoseconds of a step, on average of those that count; shares of it. */
double report_step_ns(const report *r);
double report_step_share(const report *r, int32_t device, report_state state);

/* All bodies of a step, of all devices: what one device would need for them, one after the other.
 * Whether that is less than the step takes on several. */
double report_bodies_ns(const report *r);
bool report_is_slower_than_one(const report *r);

/* ---- Its parts, in the order in which they are made. */

/* The longest part of the calls that is one round of them again and again: out[0 .. n] is where
 * each begins, the last where the last one ends; *last_flow: of the last call in them. n, 0: there
 * is none of three rounds; -1: out of memory. report_rounds.c */
int64_t report_find_rounds(const timeline *t, int64_t **out, int64_t *last_flow);

bool report_find_steps(report *r); /* report_steps.c; false: out of memory */
/* report_spans.c; false: out of memory. Then: whether a time counts, and how much of the time
 * before does. */
bool report_find_spans(report *r);
bool report_is_kept(const report *r, int64_t at_ns);
int64_t report_kept_before(const report *r, int64_t at_ns);

bool report_find_shares(report *r);    /* report_shares.c; false: out of memory */
bool report_find_path(report *r);      /* report_path.c; false: out of memory */
bool report_find_replicas(report *r);  /* report_replicas.c; false: out of memory */
bool report_find_recording(report *r); /* report_recording.c; false: out of memory */
void report_find_causes(report *r);    /* report_causes.c */

/* ---- Its forms. */

void report_print(const report *r);
void report_json(const report *r, json *out);

/* what: report_pages. One page that needs nothing else. */
typedef struct report_pages {
    const report *reports;
    int n;
} report_pages;
void report_draw(FILE *file, const void *what);

#endif
