/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a trace (cohort/trace.h), from whoever has one, to the file. */
#ifndef COHORT_BASE_TRACE_H
#define COHORT_BASE_TRACE_H

#include <cohort/trace.h>

#include <stdatomic.h>
#include <stdbool.h>

extern atomic_bool cohort_trace_flag_;

static inline bool cohort_trace_runs(void)
{
    return atomic_load_explicit(&cohort_trace_flag_, memory_order_relaxed);
}

/* The track of the calling thread. */
enum { COHORT_TRACE_HERE = 0 };

extern _Atomic uint32_t cohort_trace_first_;

/* There is a trace, and it has this track, which was made since it began. */
static inline bool cohort_trace_has(uint32_t track)
{
    return cohort_trace_runs() &&
           track >= atomic_load_explicit(&cohort_trace_first_, memory_order_relaxed);
}

/* What a slice is about: the category of its event, as cohort/trace.h lists them. */
typedef enum cohort_trace_kind {
    COHORT_TRACE_BODY,
    COHORT_TRACE_COPY,
    COHORT_TRACE_SUM,
    COHORT_TRACE_OTHER,
    COHORT_TRACE_CALL,
    COHORT_TRACE_STEP,
    COHORT_TRACE_WAIT,
    COHORT_TRACE_INPUT,
    COHORT_TRACE_RANGE,
    COHORT_TRACE_WRITING,
    COHORT_TRACE_KINDS
} cohort_trace_kind;

/* A slice of a track.
 *
 * name     copied
 * why      as long as the process; NULL: nothing is to be said
 * bytes    that were copied
 * flow     what begins here is told apart by it, and what goes on elsewhere, by slices of the same
 *          flow, is joined to it by an arrow; 0: none
 * replica  whose it is; -1: it is of none */
typedef struct cohort_trace_piece {
    const char *name, *why;
    int64_t begin_ns, end_ns;
    uint64_t bytes, flow;
    uint32_t track;
    int32_t replica;
    cohort_trace_kind kind;
    bool begins;
} cohort_trace_piece;

/* Add it; nothing, where the trace has not its track. */
void cohort_trace_slice(const cohort_trace_piece *piece);

/* So many tracks in a row that no thread and nobody else has; the first of them. */
uint32_t cohort_trace_tracks(uint32_t n);

/* The name of a track. */
void cohort_trace_name(uint32_t track, const char *name);

/* This process has a rank, of so many: its traces say so, one that runs too. */
void cohort_trace_set_rank(int rank, int n);

/* Start as COHORT_TRACE says, where nobody has started a trace before. What is wrong with it is
 * said in the log. */
void cohort_trace_ask_environment(void);

#endif
