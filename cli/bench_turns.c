/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns: a batch of calls of Cohort, then one of the limit, and so on, so that what the machine
 * does meanwhile falls upon both. */
#include "config.h"

#include "cli/bench.h"
#include "cli/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A row that has less time has fewer turns, but so many at least. */
enum { LEAST_TURNS = 3, MOST_CALLS = 1 << 22, WARM_CALLS = 4 };

/* Threads of the other side go to sleep within this. */
static const double rest_seconds = 2e-3;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(const bench_times *times)
{
    return times->n > 0 ? times->at[times->n / 2] : NAN;
}

double bench_p95(const bench_times *times)
{
    return times->n > 0 ? times->at[(times->n * 95 + 99) / 100 - 1] : NAN;
}

double bench_efficiency(const bench_row *row)
{
    return bench_median(&row->limit) / bench_median(&row->cohort);
}

static void rest(double seconds)
{
    double wait = fmin(rest_seconds, seconds);
    (void)nanosleep(&(struct timespec){ .tv_nsec = (long)(wait * 1e9) }, NULL);
}

static cohort_status time_calls(const bench_side *side, int calls, double *out_seconds)
{
    double start = progress_clock();
    cohort_status status = side->fn(side->user, calls);
    *out_seconds = progress_clock() - start;
    return status;
}

/* Calls that fill a batch, found by doubling. The first ones build kernels and start threads, and
 * any may meet a bad moment: the best time of a call is the one that counts. */
static cohort_status find_calls(const bench_side *side, double seconds, int *out_calls)
{
    double best = INFINITY, taken = 0;
    cohort_status status = time_calls(side, 1, &taken);
    for (*out_calls = 1; status >= 0; *out_calls *= 2) {
        status = time_calls(side, *out_calls, &taken);
        best = fmin(best, taken / *out_calls);
        if (best * *out_calls >= seconds / 2 || *out_calls >= MOST_CALLS)
            break;
    }
    return status;
}

static cohort_status take_turn(const bench_side *side, int calls, double seconds,
                               bench_times *times)
{
    double taken = 0;
    rest(seconds);
    cohort_status status = side->fn(side->user, calls < WARM_CALLS ? 1 : calls / WARM_CALLS);
    if (status >= 0)
        status = time_calls(side, calls, &taken);
    if (status >= 0)
        times->at[times->n++] = taken / calls;
    return status;
}

/* By hand a thread for each core stays on it, as the threads of devices do. */
static cohort_status take_turn_by_hand(const bench_team *team, const bench_side *side, int calls,
                                       double seconds, bench_times *times)
{
    bench_team_bind(team);
    cohort_status status = take_turn(side, calls, seconds, times);
    bench_team_release(team);
    return status;
}

static cohort_status take_turns(const bench_team *team, const bench_side sides[], int n,
                                double seconds, bench_times times[])
{
    int calls[BENCH_SIDES] = { 0 };
    double end = progress_clock() + seconds, batch = seconds / BENCH_MOST_TURNS / n / 2;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < n && status >= 0; i++)
        status = find_calls(&sides[i], batch, &calls[i]);
    for (int turn = 0; turn < BENCH_MOST_TURNS && status >= 0; turn++) {
        if (turn >= LEAST_TURNS && progress_clock() > end)
            break;
        for (int i = 0; i < n && status >= 0; i++)
            status = i == 0 ? take_turn(&sides[i], calls[i], batch, &times[i])
                            : take_turn_by_hand(team, &sides[i], calls[i], batch, &times[i]);
    }
    for (int i = 0; i < n; i++)
        qsort(times[i].at, (size_t)times[i].n, sizeof times[i].at[0], by_size);
    return status;
}

/* It is no failure that a device does not offer something, and leaves no error behind. */
static int judge(const bench_machine *machine, cohort_status status, bench_row *row)
{
    if (status >= 0)
        return EXIT_OK;
    if (status != COHORT_EINCOMPATIBLE && status != COHORT_ENOTSUP)
        return bench_failed(bench_names[row->kind]);
    row->cohort.n = row->limit.n = 0;
    const char *reason = cohort_error_text();
    (void)snprintf(row->reason, sizeof row->reason, "%s",
                   reason[0] != '\0' ? reason : cohort_status_text(status));
    (void)cohort_strategy_recover(machine->strategy);
    return EXIT_OK;
}

int bench_time(const bench_machine *machine, const bench_side sides[BENCH_SIDES], double seconds,
               bench_row *row)
{
    bench_times times[BENCH_SIDES] = { { 0 } };
    int n = machine->team == NULL || sides[1].fn == NULL ? 1 : sides[2].fn == NULL ? 2 : 3;
    cohort_status status = take_turns(machine->team, sides, n, seconds, times);
    row->cohort = times[0];
    row->limit = times[1];
    if (n == BENCH_SIDES && bench_median(&times[2]) < bench_median(&times[1]))
        row->limit = times[2];
    return judge(machine, status, row);
}

int bench_not_offered(bench *b, const bench_machine *machine, bench_kind kind, const char *what,
                      cohort_status status)
{
    bench_row *row = bench_add(b, kind, what, 0);
    return row != NULL ? judge(machine, status, row) : EXIT_FAILED;
}
