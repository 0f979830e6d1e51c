/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that ends while a plugin, which it has given up, is still asked ends with its own exit
 * code. This program starts itself: with an argument it is the one that ends, and what a device
 * that is lost may still write to is no leak. */
#include "config.h"

#include "cohort/cohort.h"
#include "tests/late_leaks.h"
#include "tests/tap.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CODE = 7, MOST_SECONDS = 120, TIMES = 8 };

static const char *const deadlines[TIMES] = { "0.01", "0.02", "0.03", "0.05",
                                              "0.07", "0.1",  "0.15", "0.2" };

/* ---- The program that ends. */

static bool is_given_up(void)
{
    for (const cohort_unused *u = cohort_unused_next(NULL); u != NULL; u = cohort_unused_next(u))
        if (strstr(cohort_unused_reason(u), "COHORT_TIMEOUT_OPEN") != NULL)
            return true;
    return false;
}

static void ask(void)
{
    if (cohort_device_next(NULL) != NULL || !is_given_up())
        _exit(1);
}

/* While the driver goes on, and makes more that is to be destroyed. */
static void pause_a_moment(void)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
}

static void end_at_once(void)
{
    ask();
}

static void end_later(void)
{
    ask();
    pause_a_moment();
}

static void *ask_aside(void *nothing)
{
    ask();
    return nothing;
}

static void end_after_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, ask_aside, NULL) != 0)
        _exit(1);
    (void)pthread_join(thread, NULL);
    pause_a_moment();
}

static void *leave(void *nothing)
{
    exit(CODE);
    return nothing;
}

static void end_in_thread(void)
{
    pthread_t thread;
    ask();
    if (pthread_create(&thread, NULL, leave, NULL) != 0)
        _exit(1);
    for (;;)
        (void)pause();
}

static void end_in_child(void)
{
    int status = 0;
    ask();
    pid_t child = fork();
    if (child == 0)
        exit(CODE);
    (void)waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != CODE)
        _exit(1);
}

static void end_opening(void)
{
    if (cohort_one_device("wrong:0") != NULL ||
        strstr(cohort_error_text(), "open did not finish") == NULL)
        _exit(1);
}

/* On a machine that is quick the driver answers in time. */
static void end_on_driver(void)
{
    (void)cohort_device_next(NULL);
}

/* `wrong`: what $COHORT_WRONG says; NULL: the OpenCL plugin, with one deadline after the other. */
static const struct {
    const char *name, *wrong, *deadline, *claim;
    void (*end)(void);
} ways[] = {
    { "at-once", "loopback enumerate slow", "0.05", "at once", end_at_once },
    { "later", "loopback enumerate slow", "0.05",
      "when the driver has made more that is destroyed then", end_later },
    { "after-thread", "loopback enumerate slow", "0.05",
      "when another thread has asked, and has ended", end_after_thread },
    { "in-thread", "loopback enumerate once", "0.05",
      "by another thread, where the driver has made nothing more meanwhile", end_in_thread },
    { "never", "loopback enumerate hang", "0.05", "although the driver never returns",
      end_at_once },
    { "child", "loopback enumerate hang", "0.05", "in a child too, where nobody is asked",
      end_in_child },
    { "opening", "loopback device_open slow", "0.2", "while a device is opened", end_opening },
    { "driver", NULL, NULL, "on a driver of OpenCL", end_on_driver },
};
enum { WAYS = sizeof ways / sizeof *ways };

static int end_as(const char *name)
{
    (void)alarm(MOST_SECONDS); /* far beyond what any takes: who hangs is killed */
    for (int i = 0; i < WAYS; i++)
        if (strcmp(ways[i].name, name) == 0) {
            ways[i].end();
            return CODE;
        }
    return 1;
}

/* ---- The one that looks. */

static void become_child(int way, const char *deadline)
{
    static char path[4200];
    if (ways[way].wrong != NULL) {
        (void)snprintf(path, sizeof path, "%s/plugins/wrong/.libs", getenv("builddir"));
        (void)setenv("COHORT_PLUGIN_PATH", path, 1);
        (void)setenv("COHORT_WRONG", ways[way].wrong, 1);
    }
    (void)setenv("COHORT_PLUGINS", ways[way].wrong != NULL ? "wrong" : "opencl", 1);
    (void)setenv("COHORT_TIMEOUT_OPEN", deadline, 1);
    (void)execl("/proc/self/exe", "stragglers", ways[way].name, (char *)NULL);
    _exit(127);
}

static bool ends(int way, const char *deadline)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        become_child(way, deadline);
    (void)waitpid(child, &status, 0);
    bool is_good = WIFEXITED(status) && WEXITSTATUS(status) == CODE;
    if (!is_good)
        diag("COHORT_TIMEOUT_OPEN=%s: %s %d", deadline,
             WIFSIGNALED(status) ? "signal" : "exit code",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return is_good;
}

static bool has_opencl(void)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0)
            return true;
    return false;
}

/* Each deadline ends in another moment of the driver's start. */
static void driver_ends(int way)
{
    int n_good = 0;
    for (int i = 0; i < TIMES; i++)
        n_good += ends(way, deadlines[i]);
    ok(n_good == TIMES, "a program ends %s: %d of %d times", ways[way].claim, n_good, TIMES);
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return end_as(argv[1]);
    if (access("/proc/self/exe", X_OK) != 0 || getenv("builddir") == NULL)
        return skip_all("there is no /proc/self/exe, or no $builddir");
    for (int way = 0; way < WAYS; way++)
        if (ways[way].wrong != NULL)
            ok(ends(way, ways[way].deadline), "a program ends %s", ways[way].claim);
        else if (has_opencl())
            driver_ends(way);
        else
            skip("a program ends on a driver of OpenCL", "there is no OpenCL device");
    return tap_done();
}
