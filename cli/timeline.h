/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace tells of one strategy: its slices in the order of time. Of several strategies in a
 * trace it is the one with the most devices that have run bodies. */
#ifndef COHORT_CLI_TIMELINE_H
#define COHORT_CLI_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bounds of what is kept: more slices than these, the later ones, are only counted. */
enum {
    TIMELINE_MOST_SLICES = 1 << 20,
    TIMELINE_MOST_TRACKS = 4096,
    TIMELINE_MOST_NAMES = 2048,
    TIMELINE_MOST_DEVICES = 1024,
    TIMELINE_NAME_BYTES = 64,
    TIMELINE_WHY_BYTES = 128
};

/* The categories of cohort/trace.h. Those up to OTHER are a device's, the rest a thread's. */
typedef enum timeline_kind {
    TIMELINE_BODY,
    TIMELINE_COPY,
    TIMELINE_SUM,
    TIMELINE_OTHER,
    TIMELINE_CALL,
    TIMELINE_STEP,
    TIMELINE_WAIT,
    TIMELINE_INPUT,
    TIMELINE_RANGE,
    TIMELINE_TRACE,
    TIMELINE_KINDS
} timeline_kind;

const char *timeline_kind_name(timeline_kind kind);

/* flow     of a call or step, and of its operations; 0: none
 * device   of the timeline; -1: it is a thread's
 * name     of the timeline */
typedef struct timeline_slice {
    int64_t begin_ns, end_ns, flow, bytes;
    int32_t track, device, name, replica;
    timeline_kind kind;
} timeline_slice;

typedef struct timeline_track timeline_track;

typedef struct timeline {
    timeline_slice *slices; /* [n], by begin_ns */
    size_t n, room;
    char (*names)[TIMELINE_NAME_BYTES];   /* of slices, without "replica N" */
    char (*devices)[TIMELINE_NAME_BYTES]; /* ids */
    int32_t n_names, n_devices, n_strategies;
    int64_t more;                 /* slices that were only counted */
    int64_t planned, repeated;    /* steps of programs */
    char why[TIMELINE_WHY_BYTES]; /* why the last planned one was planned; "": nobody said */
    bool is_cut;                  /* the trace has no end: its program was killed, or runs */

    timeline_track *tracks; /* of the reader, as the tables */
    int32_t n_tracks;
    int32_t *name_table, *track_table;
} timeline;

/* Read it. NULL; or what is wrong, in `room` bytes of `wrong`. */
const char *timeline_read(FILE *file, timeline *out, char *wrong, size_t room);
void timeline_free(timeline *t); /* one of zeros, too */

/* Whether a device has the slice. */
static inline bool timeline_is_device(const timeline_slice *s)
{
    return s->kind <= TIMELINE_OTHER;
}

#endif
