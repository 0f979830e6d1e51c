/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/turns.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 15, MOST_TURNS = 60 };

double turns_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double yardstick(void)
{
    double best = 1;
    for (int round = 0; round < 5; round++) {
        double start = turns_now(), x = 1.0000001;
        for (int i = 0; i < 20000; i++) {
            x *= 1.0000001;
            __asm__ volatile("" : "+x"(x));
        }
        double seconds = turns_now() - start;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static double time_batch(turns_fn call, void *t, int calls)
{
    usleep(20000); /* spinning threads of the other side go to sleep */
    for (int i = 0; i < calls / 4 + 1; i++)
        call(t);
    double start = turns_now();
    for (int i = 0; i < calls; i++)
        call(t);
    return (turns_now() - start) / calls;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double turns_median(double times[], int n)
{
    qsort(times, (size_t)n, sizeof *times, by_size);
    return times[n / 2];
}

static void print_times(const char *name, double times[], int n)
{
    double median = turns_median(times, n);
    printf("  %-28s %9.2f us  (%.2f to %.2f, %d turns)\n", name, median * 1e6, times[0] * 1e6,
           times[n - 1] * 1e6, n);
}

double turns_compare(const char *name, const char *peer, turns_fn ours, turns_fn theirs,
                     void *bench, int calls)
{
    double mine[MOST_TURNS], other[MOST_TURNS], usual = yardstick();
    int n = 0;
    for (int turn = 0; turn < MOST_TURNS && n < TURNS; turn++) {
        double before = yardstick();
        mine[n] = time_batch(ours, bench, calls);
        other[n] = time_batch(theirs, bench, calls);
        double after = yardstick();
        bool is_quiet = before < 1.1 * usual && after < 1.1 * usual;
        usual = before < usual ? before : usual;
        n += is_quiet;
    }
    if (n == 0) {
        printf("%s: no quiet turn; run again on a quieter machine\n", name);
        return 0;
    }
    printf("%s\n", name);
    print_times("cohort", mine, n);
    print_times(peer, other, n);
    printf("  ratio of the medians         %9.2f\n", mine[n / 2] / other[n / 2]);
    return mine[n / 2] / other[n / 2];
}
