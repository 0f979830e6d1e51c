/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/neighbours: a program beside others on the machine, and beside work of its own. One line of
 * JSON for each row.
 *
 *   gap    an empty step on host/2 after 0 to 100 ms of other work of the program, beside an empty
 *          parallel region of OpenMP; "share" is the part of a core that the program's other
 *          threads take meanwhile
 *   busy   1,000 steps of a layer (product, gradient, sum, update) on host/2 and host:0, beside 0,
 *          1, 2 and 4 processes that spin; "ratio" is that of the mean to the one beside none
 *   start  from exec to the end of a process that makes one step
 *
 * The sides of a gap take turns, and sleep before each for as long as threads of the other may
 * spin. Times are in seconds. Minima tell most on a machine that is not idle. */
#include "config.h"

#include "bench/turns.h"

#include <cohort/cohort.h>

#include <omp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 5, MOST_STEPS = 1000, STARTS = 21, MOST_BUSY = 4, TINY = 2 };
enum { ROWS = 32, IN = 256, OUT = 128 };

extern char **environ;

COHORT_FUNCTION(nothing, (void), COHORT_HOST_ONLY)
{
}

COHORT_ITEMS(product, at, n *k,
             (int64_t n, int64_t d, int64_t k, const float *x COHORT_SHAPE(n, d),
              const float *w COHORT_SHAPE(d, k), COHORT_OUT float *z COHORT_SHAPE(n, k)),
             {
                 float sum = 0;
                 for (int64_t l = 0; l < d; l++)
                     sum += x[at / k * d + l] * w[l * k + at % k];
                 z[at] = sum;
             });

COHORT_ITEMS(gradient, at, d *k,
             (int64_t n, int64_t d, int64_t k, const float *x COHORT_SHAPE(n, d),
              const float *e COHORT_SHAPE(n, k), COHORT_OUT float *g COHORT_SHAPE(d, k)),
             {
                 float sum = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum += x[i * d + at / k] * e[i * k + at % k];
                 g[at] = sum;
             });

COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

/* How often something is done: BENCH_SIZE (bench/turns.h). */
static int times_of(int n)
{
    return turns_are_tiny() ? TINY : n;
}

static void print(const char *row, const char *side, double times[], int n)
{
    double median = turns_median(times, n); /* sorts them */
    printf("{\"bench\": \"neighbours\", \"row\": \"%s\", \"side\": \"%s\", \"median\": %.4g, "
           "\"min\": %.4g, \"max\": %.4g",
           row, side, median, times[0], times[n - 1]);
}

/* ------------------------------------------------------------------ gaps */

typedef bool (*step_fn)(cohort_strategy *s);

static bool step_cohort(cohort_strategy *s)
{
    return cohort_run(s, nothing) == COHORT_OK && cohort_wait(s) == COHORT_OK;
}

static bool step_openmp(cohort_strategy *s)
{
    (void)s;
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    return true;
}

static double clock_of(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double others_time(void)
{
    return clock_of(CLOCK_PROCESS_CPUTIME_ID) - clock_of(CLOCK_THREAD_CPUTIME_ID);
}

typedef struct side {
    const char *name;
    step_fn step;
    double times[TURNS * MOST_STEPS], share[TURNS];
    int n;
} side;

/* One turn: n steps, each after gap seconds of other work. */
static bool play(side *t, cohort_strategy *s, int turn, int n, double gap)
{
    bool is_good = true;
    (void)usleep(20000);
    double begin = turns_now(), others = others_time();
    for (int i = 0; i < n && is_good; i++) {
        double idle = turns_now();
        while (turns_now() - idle < gap)
            continue;
        double start = turns_now();
        is_good = t->step(s);
        t->times[t->n++] = turns_now() - start;
    }
    t->share[turn] = (others_time() - others) / (turns_now() - begin);
    return is_good;
}

static bool measure_gap(cohort_strategy *s, double gap)
{
    static side sides[2];
    char row[64];
    int n = times_of(gap > 0.05 ? 8 : gap > 0.005 ? 40 : gap > 0.0005 ? 400 : MOST_STEPS);
    int turns = times_of(TURNS);
    bool is_good = true;
    sides[0] = (side){ .name = "cohort", .step = step_cohort };
    sides[1] = (side){ .name = "openmp", .step = step_openmp };
    for (int turn = 0; turn < turns && is_good; turn++)
        is_good = play(&sides[0], s, turn, n, gap) && play(&sides[1], s, turn, n, gap);
    (void)snprintf(row, sizeof row, "gap %g ms", gap * 1e3);
    for (int i = 0; i < 2 && is_good; i++) {
        print(row, sides[i].name, sides[i].times, sides[i].n);
        printf(", \"share\": %.3f}\n", turns_median(sides[i].share, turns));
    }
    return is_good;
}

static bool measure_gaps(void)
{
    static const double gaps[] = { 0, 1e-4, 1e-3, 1e-2, 1e-1 };
    cohort_strategy *s = cohort_mirrored("host/2");
    bool is_good = s != NULL;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps && is_good; i++)
        is_good = measure_gap(s, gaps[i]);
    cohort_strategy_destroy(s);
    return is_good;
}

/* ------------------------------------------------------------------ busy processes */

typedef struct layer {
    cohort_strategy *s;
    cohort_value *x, *e, *z, *g, *sum;
    cohort_variable *w;
} layer;

static layer open_layer(const char *devices)
{
    static float x[ROWS * IN], e[ROWS * OUT], w[IN * OUT];
    for (int i = 0; i < ROWS * IN; i++)
        x[i] = (float)(i % 17) * 0.1F;
    for (int i = 0; i < ROWS * OUT; i++)
        e[i] = (float)(i % 13) * 0.01F;
    layer t = { .s = cohort_mirrored(devices) };
    t.x = cohort_value_split(t.s, COHORT_ARRAY(x, ROWS, IN));
    t.e = cohort_value_split(t.s, COHORT_ARRAY(e, ROWS, OUT));
    t.w = cohort_variable_create(t.s, "w", COHORT_ARRAY(w, IN, OUT), NULL);
    t.z = cohort_value_create(t.s);
    t.g = cohort_value_create(t.s);
    t.sum = cohort_value_create(t.s);
    return t;
}

static bool step_layer(const layer *t)
{
    cohort_run(t->s, product, t->x, t->w, t->z);
    cohort_run(t->s, gradient, t->x, t->e, t->g);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sum);
    cohort_update(t->w, descend, 1e-6, t->sum, t->w);
    return cohort_wait(t->s) == COHORT_OK;
}

/* Spins until it is killed, or for a minute where that does not come. */
static pid_t start_spinner(void)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    (void)alarm(60);
    for (;;)
        __asm__ volatile("");
}

static void stop_spinners(const pid_t spinners[], int n)
{
    for (int i = 0; i < n; i++)
        if (spinners[i] > 0) {
            (void)kill(spinners[i], SIGKILL);
            (void)waitpid(spinners[i], NULL, 0);
        }
}

/* Spinners are forked before the strategy has threads. */
static bool measure_busy(const char *devices, int n_busy, double *idle_mean)
{
    static double times[MOST_STEPS];
    int n = times_of(MOST_STEPS), warm = times_of(50);
    pid_t spinners[MOST_BUSY];
    double sum = 0;
    char row[64];
    for (int i = 0; i < n_busy; i++)
        spinners[i] = start_spinner();
    layer t = open_layer(devices);
    bool is_good = t.s != NULL;
    for (int i = 0; i < warm && is_good; i++)
        is_good = step_layer(&t);
    for (int i = 0; i < n && is_good; i++) {
        double start = turns_now();
        is_good = step_layer(&t);
        sum += times[i] = turns_now() - start;
    }
    stop_spinners(spinners, n_busy);
    cohort_strategy_destroy(t.s);
    if (n_busy == 0)
        *idle_mean = sum;
    (void)snprintf(row, sizeof row, "busy %d, %s", n_busy, devices);
    if (is_good) {
        print(row, "cohort", times, n);
        printf(", \"mean\": %.4g, \"ratio\": %.2f}\n", sum / n, sum / *idle_mean);
    }
    return is_good;
}

static bool measure_neighbours(void)
{
    static const char *const devices[] = { "host/2", "host:0" };
    static const int busy[] = { 0, 1, 2, MOST_BUSY };
    double idle_mean = 0;
    bool is_good = true;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (size_t i = 0; i < sizeof busy / sizeof *busy && is_good; i++)
            is_good = measure_busy(devices[d], busy[i], &idle_mean);
    return is_good;
}

/* ------------------------------------------------------------------ start */

/* What the process that is started does: its second argument names devices, "" for the default. */
static int make_one_step(const char *devices)
{
    cohort_strategy *s = cohort_mirrored(*devices != '\0' ? devices : NULL);
    bool is_good = step_cohort(s);
    cohort_strategy_destroy(s);
    return is_good ? 0 : 1;
}

static bool start_once(char *self, const char *devices, double *out_seconds)
{
    char first[] = "--start", second[32];
    char *arguments[] = { self, first, second, NULL };
    pid_t child;
    int status = 1;
    (void)snprintf(second, sizeof second, "%s", devices);
    double begin = turns_now();
    if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) != 0)
        return false;
    (void)waitpid(child, &status, 0);
    *out_seconds = turns_now() - begin;
    return status == 0;
}

static bool measure_start(char *self, const char *devices, const char *row)
{
    double times[STARTS];
    int n = times_of(STARTS);
    bool is_good = true;
    for (int i = 0; i < n && is_good; i++)
        is_good = start_once(self, devices, &times[i]);
    if (is_good) {
        print(row, "cohort", times, n);
        printf("}\n");
    }
    return is_good;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--start") == 0)
        return make_one_step(argv[2]);
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    bool is_good = measure_start(argv[0], "host/2", "start, host/2") &&
                   measure_start(argv[0], "", "start, default devices") && measure_gaps() &&
                   measure_neighbours();
    if (!is_good)
        fprintf(stderr, "neighbours: %s\n", cohort_error_text());
    return is_good ? 0 : 1;
}
