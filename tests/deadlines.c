/* SPDX-License-Identifier: BSD-3-Clause */
/* Deadlines of devices: several run beside one another, and a process that was stopped or starved
 * loses no device. How late one ends is printed, and never asserted. */
#include "config.h"

#include "tests/core.h"
#include "tests/late_leaks.h"
#include "tests/steer.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

COHORT_FUNCTION(twice, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

typedef struct posing {
    const char *name;
    const cohort_loopback *steering;
} posing;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void set_deadlines(const char *seconds)
{
    (void)setenv("COHORT_TIMEOUT_COPY", seconds, 1);
    (void)setenv("COHORT_TIMEOUT_EVENT", seconds, 1);
    (void)setenv("COHORT_TIMEOUT_ALLOC", seconds, 1);
}

static cohort_status step(cohort_strategy *s)
{
    float x[16] = { 1, 2, 3 }, y[16] = { 0 };
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 16)), *out = cohort_value_create(s);
    (void)cohort_run(s, twice, in, out);
    cohort_status status = cohort_value_read(out, COHORT_ARRAY(y, 16));
    for (int i = 0; i < 16 && status >= 0; i++)
        status = y[i] == 2 * x[i] ? COHORT_OK : COHORT_EINTERNAL;
    return status;
}

/* ---- Several devices at a time. */

static void hang_together(const posing *p, int parts)
{
    char devices[32];
    (void)snprintf(devices, sizeof devices, "%s/%d", p->name, parts);
    set_deadlines("0.25");
    cohort_strategy *s = cohort_mirrored(devices);
    p->steering->reset();
    (void)steer_rule(p->steering, COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_WRITE,
                     1, 1);
    double begin = now();
    ok(step(s) == COHORT_ETIMEDOUT, "%d devices of %s hang", parts, p->name);
    double first = now() - begin;
    cohort_strategy_destroy(s);
    diag("the first is lost %.0f ms, all are lost %.0f ms after a deadline of 250 ms",
         (first - 0.25) * 1e3, (now() - begin - 0.25) * 1e3);
    p->steering->reset();
}

/* ---- A process of its own that takes steps; it ends with 0 when they succeed. */

static void take_steps(const posing *p, const char *devices, int n, uint64_t delay_ns)
{
    (void)alarm(60);
    cohort_strategy *s = cohort_mirrored(devices);
    (void)p->steering->rule(&(cohort_loopback_rule){ .part = COHORT_LOOPBACK_ANY,
                                                     .op = COHORT_LOOPBACK_WRITE,
                                                     .sticky = 1,
                                                     .action = COHORT_LOOPBACK_DELAY,
                                                     .delay_ns = delay_ns });
    cohort_status status = COHORT_OK;
    for (int i = 0; i < n && status >= 0; i++)
        status = step(s);
    if (status < 0)
        diag("%s", cohort_error_text());
    (void)fflush(stdout);
    _exit(status < 0);
}

static void sleep_ms(int ms)
{
    (void)nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
}

static bool ends_well(pid_t child)
{
    int status = -1;
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static pid_t start(const char *what, const char *name)
{
    pid_t child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", "deadlines", what, name, (char *)NULL);
        _exit(127);
    }
    return child;
}

/* Each write takes 0.4 s, the deadline is 0.8 s, and the process stands still for 2 s at each of
 * three places. */
static void stopped(const char *name)
{
    pid_t child = start("stopped", name);
    for (int i = 0; i < 3; i++) {
        sleep_ms(500);
        (void)kill(child, SIGSTOP);
        sleep_ms(2000);
        (void)kill(child, SIGCONT);
    }
    ok(ends_well(child),
       "a process that stands still for longer than a deadline loses no device: %s", name);
}

/* Sixteen processes that compute on the only core of one that takes steps. */
static void starved(const char *name)
{
    enum { BUSY = 16 };
    pid_t busy[BUSY];
    for (int i = 0; i < BUSY; i++)
        if ((busy[i] = fork()) == 0) {
            cpu_set_t first;
            CPU_ZERO(&first);
            CPU_SET(0, &first);
            (void)sched_setaffinity(0, sizeof first, &first);
            (void)alarm(60);
            for (;;)
                continue;
        }
    ok(ends_well(start("starved", name)), "a process that hardly gets a core loses no device: %s",
       name);
    for (int i = 0; i < BUSY; i++) {
        (void)kill(busy[i], SIGKILL);
        (void)waitpid(busy[i], NULL, 0);
    }
}

static int run_again(const char *what, const char *name)
{
    posing p = { name, strcmp(name, "stream") == 0 ? steer_stream() : steer() };
    char devices[32];
    (void)snprintf(devices, sizeof devices, "%s/2", name);
    if (strcmp(what, "stopped") == 0) {
        set_deadlines("0.8");
        take_steps(&p, devices, 4, 400000000);
    }
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    (void)sched_setaffinity(0, sizeof first, &first);
    set_deadlines("0.5");
    take_steps(&p, devices, 3, 1000000);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return run_again(argv[1], argv[2]);
    const posing all[] = { { "loopback", steer() }, { "stream", steer_stream() } };
    if (all[0].steering == NULL || all[1].steering == NULL)
        return skip_all("there is no loopback and stream plugin on COHORT_PLUGIN_PATH");
    for (size_t i = 0; i < 2; i++) {
        stopped(all[i].name);
        starved(all[i].name);
    }
    no_leak_so_far();
    for (size_t i = 0; i < 2; i++) {
        hang_together(&all[i], 1);
        hang_together(&all[i], 4);
    }
    return tap_done();
}
