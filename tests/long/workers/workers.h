/* SPDX-License-Identifier: BSD-3-Clause */
/* Random step functions, for tests/long/workers/main.c. */
#ifndef COHORT_TESTS_LONG_WORKERS_H
#define COHORT_TESTS_LONG_WORKERS_H

#include "tests/long/recorded/recorded.h"

enum { MOST_STAGE_CALLS = 8 };

typedef enum stage_kind {
    STAGE_BARRIER,
    STAGE_RUN,
    STAGE_ALL_REDUCE,
    STAGE_ALL_REDUCE_INTO,
    STAGE_ALL_GATHER,
    STAGE_SET,
    STAGE_UPDATE,
    STAGE_ASSIGN,
    STAGE_ASSIGN_ADD,
    STAGE_READ,
    STAGE_MERGE,
    STAGE_KINDS
} stage_kind;

/* What each replica calls. */
typedef struct stage_call {
    stage_kind kind;
    cohort_reduce_op op;
    dtype type;
    int x, into, v, number;
} stage_call;

typedef struct stage {
    stage_call calls[MOST_STAGE_CALLS];
    int n;
} stage;

void draw_stage(const design *d, stage *out); /* in a world of its own */
void note_stage(const stage *stage);
/* Every replica makes the calls, in one step function. */
cohort_status play_stage(world *w, const stage *stage);

#endif
