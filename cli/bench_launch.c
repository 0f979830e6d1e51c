/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches: an empty function on every replica, and tasks from a tenth of a microsecond to 10 ms.
 *
 * A task is so many items of arithmetic for each replica. Alone, its items are done by plain calls
 * on as many threads as the devices have, none of which waits for another: what is left to Cohort
 * is to bring the work there. Source of the curve and of METG, the minimum effective task
 * granularity: Slaughter et al., Task Bench: A Parameterized Benchmark for Evaluating Parallel
 * Runtime Performance, SC 2020. */
#include "config.h"

#include "cli/bench.h"

#include <math.h>
#include <stdlib.h>

/* ROWS: of which the time is shared out; there may be a few less or more. MOST_ITEMS: in
 * memory, where the options name no largest task. */
enum { TASK_FACTOR = 4, ROWS = 14, MOST_ITEMS = 1 << 26 };

static const double longest_task = 10e-3, half = 0.5;

COHORT_FUNCTION(nothing, (void), .global = "1",
                .opencl = COHORT_SOURCE(kernel void nothing(void){}))
{
}

/* About a tenth of a microsecond on one of today's cores; the numbers stay near 1. */
COHORT_ITEMS(work, i, n, (int64_t n, float x[n]), {
    float y = x[i];
    for (int step = 0; step < 32; step++)
        y = y * 0.75f + 0.25f;
    x[i] = y;
});

typedef struct launch {
    bench_machine machine;
    bench_team *fork; /* of a thread for each device */
    cohort_value *x;
    float *given, *alone; /* what x begins with; what the plain calls of each thread work on */
    int64_t items;
    int calls;
} launch;

/* ------------------------------------------------------------------ what is timed */

static cohort_status run_and_wait(void *user, int calls)
{
    cohort_strategy *s = ((const launch *)user)->machine.strategy;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < calls && status >= 0; i++) {
        status = cohort_run(s, nothing);
        status = status < 0 ? status : cohort_wait(s);
    }
    return status;
}

static cohort_status run_all(void *user, int calls)
{
    cohort_strategy *s = ((const launch *)user)->machine.strategy;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < calls && status >= 0; i++)
        status = cohort_run(s, nothing);
    return status < 0 ? status : cohort_wait(s);
}

/* Through a pointer that the compiler does not know, so that each call is one. */
static void call_nothing(void *context, int thread)
{
    void (*volatile body)(void) = nothing_host;
    (void)context, (void)thread;
    body();
}

static cohort_status fork_and_join(void *user, int calls)
{
    bench_team *fork = ((const launch *)user)->fork;
    for (int i = 0; i < calls; i++)
        bench_team_run(fork, call_nothing, NULL);
    return COHORT_OK;
}

static cohort_status run_tasks(void *user, int calls)
{
    const launch *l = user;
    cohort_strategy *s = l->machine.strategy;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < calls && status >= 0; i++)
        status = cohort_run(s, work, l->x);
    return status < 0 ? status : cohort_wait(s);
}

static void call_alone(void *context, int thread)
{
    const launch *l = context;
    void (*volatile body)(int64_t, int64_t, int64_t, float *) = work_host;
    for (int i = 0; i < l->calls; i++)
        body(0, l->items, l->items, &l->alone[thread * l->items]);
}

/* Each thread makes whole tasks: `share` of what it made is what there was to do. */
static cohort_status work_alone(void *user, int calls)
{
    launch *l = user;
    l->calls = calls;
    bench_team_run(l->machine.team, call_alone, l);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ rows */

static int time_empty(bench *b, launch *l, const char *what, bench_fn fn, double seconds)
{
    bench_row *row = bench_add(b, BENCH_LAUNCH, what, 0);
    const bench_side sides[BENCH_SIDES] = { { fn, l }, { fork_and_join, l } };
    return row != NULL ? bench_time(&l->machine, sides, seconds, row) : EXIT_FAILED;
}

/* All threads were busy with whole tasks; the replicas have but so many. */
static void share_out(bench_row *row, double share)
{
    for (int i = 0; i < row->limit.n; i++)
        row->limit.at[i] *= share;
}

static int time_items(launch *l, double seconds, bench_row *row)
{
    int64_t rows = l->items * l->machine.replicas;
    l->x = cohort_value_split(l->machine.strategy, COHORT_ARRAY(l->given, rows));
    const bench_side sides[BENCH_SIDES] = { { run_tasks, l }, { work_alone, l } };
    int code = bench_time(&l->machine, sides, seconds, row);
    share_out(row, l->machine.share);
    cohort_value_destroy(l->x);
    return code;
}

static float *make_ones(int64_t n)
{
    float *numbers = malloc((size_t)n * sizeof *numbers);
    if (numbers == NULL)
        return NULL;
    for (int64_t i = 0; i < n; i++)
        numbers[i] = 1;
    return numbers;
}

static int time_task(bench *b, launch *l, int64_t items, double seconds)
{
    bench_row *row = bench_add(b, BENCH_LAUNCH, "task", items);
    if (row == NULL)
        return EXIT_FAILED;
    row->is_task = true;
    l->items = items;
    l->given = make_ones(items * l->machine.replicas);
    l->alone = make_ones(items * l->machine.threads);
    bool is_good = l->given != NULL && (l->alone != NULL || l->machine.threads == 0);
    int code = is_good ? time_items(l, seconds, row)
                       : cli_fail(EXIT_FAILED, "bench launch: out of memory");
    free(l->given);
    free(l->alone);
    return code;
}

/* Those of the program, of the devices and of the plain calls. */
static double items_in_memory(const launch *l, int64_t items)
{
    return (double)items * (2.0 * l->machine.replicas + l->machine.threads);
}

static bool has_room(const launch *l, int64_t items)
{
    return bench_fits(&l->machine, "launch", items_in_memory(l, items) * sizeof(float),
                      (double)items * l->machine.replicas * sizeof(float));
}

/* Up to --to, or until a task is long. */
static bool is_last(const bench *b, const launch *l, int64_t items)
{
    if (b->to > 0)
        return items > b->to / TASK_FACTOR;
    return bench_median(&b->rows[b->n_rows - 1].cohort) >= longest_task ||
           items_in_memory(l, items) > MOST_ITEMS / TASK_FACTOR;
}

static int64_t least_items(const bench *b)
{
    return b->from > 0 ? b->from : 1;
}

static int time_tasks(bench *b, launch *l, double seconds)
{
    int code = EXIT_OK;
    bool is_done = false;
    for (int64_t items = least_items(b); code == EXIT_OK && !is_done; items *= TASK_FACTOR) {
        code = time_task(b, l, items, seconds);
        is_done =
            code != EXIT_OK || b->rows[b->n_rows - 1].reason[0] != '\0' || is_last(b, l, items);
    }
    return code;
}

/* Where the limit is not known, a task's is its part of the largest one, as in Task Bench. */
static void refer_to_largest(bench *b)
{
    const bench_row *largest = &b->rows[b->n_rows - 1];
    double item = bench_median(&largest->cohort) / (double)largest->size;
    for (int i = 0; i < b->n_rows; i++) {
        bench_row *row = &b->rows[i];
        if (row->is_task && row->cohort.n > 0 && row->limit.n == 0)
            row->limit = (bench_times){ 1, { item * (double)row->size } };
    }
}

static int time_all(bench *b, launch *l, double seconds)
{
    int code = has_room(l, bench_largest(b, least_items(b))) ? EXIT_OK : EXIT_FAILED;
    if (code == EXIT_OK)
        code = time_empty(b, l, "empty, a wait each", run_and_wait, seconds / ROWS);
    if (code == EXIT_OK)
        code = time_empty(b, l, "empty, one wait", run_all, seconds / ROWS);
    if (code == EXIT_OK)
        code = time_tasks(b, l, seconds / ROWS);
    if (code == EXIT_OK)
        refer_to_largest(b);
    return code;
}

int bench_launch(bench *b, double seconds)
{
    launch l = { .x = NULL };
    int code = bench_open(b, BENCH_LAUNCH, 1, &l.machine);
    if (code != EXIT_OK)
        return code;
    bool has_limit = l.machine.team != NULL;
    l.fork = has_limit ? bench_team_create(l.machine.devices) : NULL;
    b->limits[BENCH_LAUNCH] =
        !has_limit ? "not known; of a task, its part of the largest one"
        : l.machine.devices == 1
            ? "a plain call; of a task, plain calls on all threads"
            : "fork and join of a thread for each device; of a task, plain calls on all threads";
    code = !has_limit || l.fork != NULL
               ? time_all(b, &l, seconds)
               : cli_fail(EXIT_FAILED, "bench: the system does not start %d threads",
                          l.machine.devices);
    bench_team_destroy(l.fork);
    bench_close(&l.machine);
    return code;
}

/* ------------------------------------------------------------------ METG */

/* The best time of a task alone. */
static double alone(const bench_row *task)
{
    return task->limit.at[0];
}

/* Where the line between two tasks is at a half. */
static double between(const bench_row *below, const bench_row *above)
{
    double x = log(alone(below)), y = bench_efficiency(below);
    double part = (half - y) / (bench_efficiency(above) - y);
    return exp(x + part * (log(alone(above)) - x));
}

/* From the largest task down, as long as they have it. */
double bench_metg(const bench *b, bool *is_bound)
{
    const bench_row *good = NULL, *row = NULL;
    *is_bound = false;
    for (int i = b->n_rows - 1; i >= 0; i--) {
        row = &b->rows[i];
        if (!row->is_task || row->limit.n == 0)
            continue;
        if (!(bench_efficiency(row) >= half))
            return good != NULL ? between(row, good) : NAN;
        good = row;
    }
    *is_bound = good != NULL;
    return good != NULL ? alone(good) : NAN;
}
