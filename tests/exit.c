/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that ends with work in flight, which nobody waits for or destroys, ends with its own
 * exit code. This program starts itself: with arguments it is the one that ends, and what it holds
 * then is no leak. */
#include "config.h"

#include "tests/core.h"
#include "tests/late_leaks.h"
#include "tests/steer.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 32, LAUNCHES = 64, CODE = 7, MOST_SECONDS = 120 };

COHORT_FUNCTION(slow, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + 1;
}

COHORT_FUNCTION(leave, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    y[0] = x[n - 1];
    exit(CODE);
}

COHORT_ITEMS(chain, i, n, (int64_t n, float x[n]), {
    float v = x[i];
    for (int32_t k = 0; k < 200000; k++)
        v = v * 0.999f + 1;
    x[i] = v;
});

/* ---- The program that ends. */

static cohort_strategy *begin(const char *devices, cohort_value **out_in, cohort_value **out_out)
{
    static float x[N];
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){ .devices = devices });
    *out_in = cohort_value_plain(s, COHORT_ARRAY(x, N));
    *out_out = cohort_value_create(s);
    if (*out_in == NULL || *out_out == NULL)
        _exit(1);
    return s;
}

static void fill(cohort_strategy *s, cohort_value *in, cohort_value *out)
{
    for (int i = 0; i < LAUNCHES; i++)
        (void)cohort_run(s, slow, in, out);
}

static void end_at_once(const char *devices)
{
    cohort_value *in, *out;
    cohort_strategy *s = begin(devices, &in, &out);
    if (cohort_run(s, slow, in, out) < 0)
        _exit(1);
    exit(CODE);
}

static void end_in_body(const char *devices)
{
    cohort_value *in, *out;
    cohort_strategy *s = begin(devices, &in, &out);
    (void)cohort_run(s, leave, in, out);
    (void)cohort_wait(s);
}

static void *end(void *user)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
    exit(CODE);
    return user;
}

static void end_beside(const char *devices)
{
    pthread_t thread;
    cohort_value *in, *out;
    cohort_strategy *s = begin(devices, &in, &out);
    if (pthread_create(&thread, NULL, end, NULL) != 0)
        _exit(1);
    for (;;) {
        fill(s, in, out);
        (void)cohort_wait(s);
    }
}

/* The device does nothing any more. */
static void end_held(const char *devices)
{
    cohort_value *in, *out;
    const cohort_loopback *stream = steer_stream();
    cohort_strategy *s = begin(devices, &in, &out);
    int32_t rule = stream != NULL
                       ? steer_rule(stream, COHORT_LOOPBACK_HOLD, 0, COHORT_LOOPBACK_EXECUTE, 1, 1)
                       : -1;
    if (rule < 0 || cohort_run(s, slow, in, out) < 0 ||
        !stream->reached(rule, 1, UINT64_C(60000000000)))
        _exit(1);
    exit(CODE);
}

static void end_reading(const char *devices)
{
    cohort_value *in, *out;
    cohort_strategy *s = begin(devices, &in, &out);
    cohort_dataset *rows = cohort_dataset_range(0, INT64_MAX, 1);
    rows = cohort_dataset_prefetch(
        cohort_dataset_batch(cohort_dataset_shuffle(rows, 64, 1), 8, true), 4);
    cohort_input *input = cohort_distribute_dataset(s, rows);
    if (input == NULL || cohort_input_next(input, &in) < 0)
        _exit(1);
    exit(CODE);
}

static void end_on_driver(const char *devices)
{
    cohort_value *in, *out;
    float x[N] = { 0 };
    cohort_strategy *s = begin(devices, &in, &out);
    cohort_value *mine = cohort_value_split(s, COHORT_ARRAY(x, N));
    for (int i = 0; i < LAUNCHES; i++)
        if (cohort_run(s, chain, mine) < 0)
            _exit(1);
    exit(CODE);
}

static const struct {
    const char *name, *claim;
    void (*end)(const char *devices);
} ways[] = {
    { "at-once", "with launches under way", end_at_once },
    { "body", "out of a body", end_in_body },
    { "beside", "while another thread calls", end_beside },
    { "reading", "with rows being read ahead", end_reading },
    { "held", "with a device that is stuck", end_held },
    { "driver", "with kernels in a queue", end_on_driver },
};
enum { WAYS = sizeof ways / sizeof *ways };

static int end_as(const char *name, const char *devices)
{
    (void)alarm(MOST_SECONDS); /* far beyond what any takes: who hangs is killed */
    for (int i = 0; i < WAYS; i++)
        if (strcmp(ways[i].name, name) == 0)
            ways[i].end(devices);
    return 1;
}

/* ---- The one that looks. */

static void ends(int way, const char *devices)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", "exit", ways[way].name, devices, (char *)NULL);
        _exit(127);
    }
    (void)waitpid(child, &status, 0);
    if (!ok(WIFEXITED(status) && WEXITSTATUS(status) == CODE, "a program ends %s on %s",
            ways[way].claim, devices))
        diag("%s %d", WIFSIGNALED(status) ? "signal" : "exit code",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static bool has_opencl(void)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0)
            return true;
    return false;
}

/* libomp 14, which comes with clang, ends the process when it goes while another thread has a
 * team. */
static bool is_sound(int way, const char *devices)
{
#if defined(__clang__)
    return ways[way].end != end_beside || strstr(devices, "host") == NULL;
#else
    (void)way;
    return devices != NULL;
#endif
}

int main(int argc, char **argv)
{
    static const char *const devices[] = { "host", "host/2", "loopback/3,host", "stream/2" };
    if (argc == 3)
        return end_as(argv[1], argv[2]);
    if (access("/proc/self/exe", X_OK) != 0)
        return skip_all("there is no /proc/self/exe");
    for (int way = 0; way < 4; way++)
        for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
            if (is_sound(way, devices[i]))
                ends(way, devices[i]);
            else
                skip("a program ends while another thread calls",
                     "libomp asserts that no other thread is left");
    ends(4, "stream");
    if (has_opencl())
        ends(5, "opencl:0");
    else
        skip("a program ends with kernels in a queue on opencl", "there is no OpenCL device");
    return tap_done();
}
