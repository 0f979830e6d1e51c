/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/trace: what a trace costs (cohort/trace.h), on and off in turns:
 *
 *   range  a range of the program's own, which is an event
 *   step   the recorded training step of the network 784-256-128-10 on 2 replicas of one thread
 *          each, at batch 32
 *
 * Events are written to a file where the program runs whenever a thread's ring is full, and that is
 * within the time. A strategy is traced that was made while the trace runs, so that each turn with
 * it makes one, outside of its time. */
#include "config.h"

#include "bench/blas.h"
#include "bench/must.h"
#include "bench/rows.h"
#include "bench/train_cohort.h"
#include "bench/turns.h"

#include <cohort/trace.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 8192, RECORDED = 100, RANGES = 1000 };

static char path[] = "bench-trace-XXXXXX";

typedef struct side {
    const train_task *task; /* NULL: ranges alone */
    train_cohort *trainer;
    const char *file; /* NULL: no trace */
} side;

static int recorded(void)
{
    return turns_are_tiny() ? 2 : RECORDED;
}

/* Of the side whose turn it is. */
static void begin(void *user, int calls)
{
    side *s = user;
    (void)calls;
    if (s->trainer != NULL)
        train_cohort_destroy(s->trainer);
    (void)cohort_trace_stop();
    must(s->file == NULL || cohort_trace_start(s->file) == COHORT_OK, "a trace");
    s->trainer = s->task != NULL ? train_cohort_create(s->task, TRAIN_ONE_BODY, recorded()) : NULL;
    if (s->trainer != NULL) {
        train_cohort_run(s->trainer); /* the first step is planned */
        train_cohort_wait(s->trainer);
    }
}

static void run(void *user)
{
    train_cohort_run(((side *)user)->trainer);
}

static void wait(void *user)
{
    train_cohort_wait(((side *)user)->trainer);
}

static void make_ranges(void *user)
{
    (void)user;
    for (int i = 0; i < RANGES; i++)
        cohort_trace_range("a range", cohort_trace_now());
}

static void measure(const char *row, const train_task *task)
{
    side off = { .task = task }, on = { .task = task, .file = path };
    const turns_side step = { .who = "cohort",
                              .call = task != NULL ? run : make_ranges,
                              .finish = task != NULL ? wait : NULL,
                              .begin = begin,
                              .steps = task != NULL ? recorded() : RANGES };
    turns_side sides[] = { step, step };
    sides[0].how = "no trace", sides[0].bench = &off, sides[0].is_limit = true;
    sides[1].how = "traced", sides[1].bench = &on;
    turns_row(row, sides, 2);
    (void)cohort_trace_stop();
    if (off.trainer != NULL)
        train_cohort_destroy(off.trainer);
    if (on.trainer != NULL)
        train_cohort_destroy(on.trainer);
}

int main(int argc, char **argv)
{
    const train_model *m = &train_models[0];
    const int rows = turns_are_tiny() ? 512 : ROWS;
    (void)argc;
    blas_begin(argv);
    const int file = mkstemp(path);
    must(file >= 0 && close(file) == 0, "a file here");
    int32_t *y = train_labels(rows);
    float *x = train_rows(rows, m->widths[0]);
    const train_task task = { .devices = "host/2",
                              .replicas = 2,
                              .model = m,
                              .x = x,
                              .y = y,
                              .rows = rows,
                              .batch = 32,
                              .each = 0.01F / 32 };
    turns_table("trace");
    measure("a range", NULL);
    measure("MLP, batch 32", &task);
    free(x);
    free(y);
    return unlink(path) != 0;
}
