/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies side by side, in threads, in processes that fork, and in programs with habits of their
 * own. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define SECOND UINT64_C(1000000000)

COHORT_FUNCTION(gradient,
                (int64_t n, int64_t d, const float x[n][d], const float w[d],
                 COHORT_OUT float g[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++)
        g[j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            g[j] += x[i][j] / (3 + w[j]);
}

COHORT_FUNCTION(descend, (int64_t n, float rate, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i];
}

/* What the bodies see of the state that the caller has set. */
COHORT_FUNCTION(see_state, (int64_t n, const float tiny[n], COHORT_OUT float seen[3]),
                COHORT_HOST_ONLY)
{
    volatile float x = tiny[0], third = 1;
    seen[0] = x * 0.5f;
    seen[1] = third / 3;
    seen[2] = -third / 3;
}

enum { WIDTH = 6, ROWS = 40 };
static float rows[ROWS][WIDTH];

static cohort_status train(const char *devices, int replicas, int steps, float out[WIDTH])
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, WIDTH), NULL);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&rows[0][0], ROWS, WIDTH)),
                 *g = cohort_value_create(s), *total = cohort_value_create(s);
    cohort_status status = s != NULL ? COHORT_OK : COHORT_ENODEV;
    for (int i = 0; i < steps && status >= 0; i++) {
        status = cohort_run(s, gradient, x, w, g);
        if (status >= 0)
            status = cohort_reduce(COHORT_SUM, g, COHORT_NO_AXIS, total);
        if (status >= 0)
            status = cohort_update(w, descend, 0.01f, total, w);
    }
    if (status >= 0)
        status = cohort_variable_read(w, COHORT_ARRAY(out, WIDTH));
    cohort_strategy_destroy(s);
    return status;
}

static float known[WIDTH]; /* after 20 steps of 4 replicas */

static bool trains(const char *devices)
{
    float found[WIDTH] = { 0 };
    return good(train(devices, 4, 20, found) == COHORT_OK) &&
           good(memcmp(found, known, sizeof known) == 0);
}

/* ---- Several strategies. */

static atomic_int right;

static void *work(void *devices)
{
    for (int i = 0; i < 15; i++)
        atomic_fetch_add(&right, trains(devices));
    return NULL;
}

static void side_by_side(void)
{
    static char devices[][20] = { "host",   "host/2", "loopback", "loopback/2,host",
                                  "host/4", "host/2" };
    enum { N = sizeof devices / sizeof *devices };
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        (void)pthread_create(&threads[i], NULL, work, devices[i]);
    for (int i = 0; i < N; i++)
        (void)pthread_join(threads[i], NULL);
    ok(atomic_load(&right) == 15 * N,
       "%d threads, each with strategies of its own, get the same bits", N);
}

static void *create_here(void *out)
{
    *(cohort_strategy **)out = cohort_mirrored("host/2");
    return NULL;
}

static void handed_over(void)
{
    cohort_strategy *s = NULL;
    pthread_t thread;
    float ones[4] = { 1, 1, 1, 1 };
    (void)pthread_create(&thread, NULL, create_here, &s);
    (void)pthread_join(thread, NULL);
    cohort_value *sum = cohort_value_create(s);
    ok(cohort_reduce(COHORT_SUM, cohort_value_split(s, COHORT_ARRAY(ones, 4)), 0, sum) ==
               COHORT_OK &&
           cohort_value_scalar(sum) == 4,
       "a strategy may be used by another thread than the one that made it, also after that has "
       "ended");
    cohort_strategy_destroy(s);
}

static void *wait_for_it(void *s)
{
    cohort_status status = COHORT_EINVAL;
    while (status == COHORT_EINVAL) /* the other was inside first */
        status = cohort_wait(s);
    return status == COHORT_OK ? s : NULL;
}

/* One thread is inside cohort_wait, which a held device keeps there, when another calls. */
static void two_in_one(void)
{
    const cohort_loopback *loopback = steer();
    if (loopback == NULL) {
        skip("two threads in one strategy", "there is no loopback plugin on COHORT_PLUGIN_PATH");
        return;
    }
    float ones[4] = { 1, 1, 1, 1 };
    cohort_strategy *s = cohort_mirrored("loopback");
    cohort_value *x = cohort_value_plain(s, COHORT_ARRAY(ones, 4)), *out = cohort_value_create(s);
    int32_t hold =
        steer_rule(loopback, COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_ANY, 1, 0);
    pthread_t thread;
    void *result = NULL;
    cohort_status status = COHORT_OK;
    ok(cohort_reduce(COHORT_SUM, COHORT_ONCE(x), 0, out) == COHORT_OK &&
           loopback->reached(hold, 1, 60 * SECOND) == 1,
       "an operation is held");
    (void)pthread_create(&thread, NULL, wait_for_it, s);
    for (int i = 0; i < 10000 && status >= 0; i++) { /* until the other thread is inside */
        status =
            cohort_value_create(s) == NULL && strstr(cohort_error_text(), "another thread") != NULL
                ? COHORT_EINVAL
                : COHORT_OK;
        (void)usleep(1000);
    }
    ok(status == COHORT_EINVAL, "a second thread in one strategy is told that another is inside");
    loopback->release(hold);
    (void)pthread_join(thread, &result);
    ok(result == s && cohort_value_scalar(out) == 4, "and the first gets its result");
    cohort_strategy_destroy(s);
    loopback->reset();
}

static void many(void)
{
    static const char *const devices[] = { "host", "host/2", "loopback", "loopback,host" };
    int made = 0;
    for (int i = 0; i < 1000; i++) {
        cohort_strategy *s = cohort_mirrored(devices[i % 4]);
        made += s != NULL &&
                (i % 16 != 0 ||
                 cohort_variable_create(s, "w", COHORT_ARRAY(&rows[0][0], ROWS), NULL) != NULL);
        cohort_strategy_destroy(s);
    }
    ok(made == 1000, "1,000 strategies are made and destroyed");
}

/* ---- Fork. */

/* Calls in a child answer COHORT_ENODEV, or nothing with a text that names the fork. */
static int calls_in_child(cohort_strategy *s, cohort_variable *w, cohort_value *x, cohort_value *y)
{
    float one[WIDTH];
    cohort_array array = COHORT_ARRAY(one, WIDTH), out[4];
    const cohort_status statuses[] = {
        cohort_run(s, descend, 1.0f, x, y),
        cohort_update(w, descend, 1.0f, y, w),
        cohort_reduce(COHORT_SUM, x, 0, y),
        cohort_gather(x, 0, y),
        cohort_wait(s),
        cohort_strategy_recover(s),
        cohort_variable_read(w, array),
        cohort_variable_assign(w, 1),
        cohort_value_read(x, array),
        cohort_plugin_load("/nowhere/cohort-x.so"),
        cohort_candidate_leave_out(NULL, "", ""),
        cohort_function_check(gradient, "host:0"),
    };
    const void *const objects[] = {
        cohort_mirrored("host"),
        cohort_one_device("host"),
        cohort_value_create(s),
        cohort_value_number(s, 1),
        cohort_value_plain(s, array),
        cohort_value_split(s, array),
        cohort_variable_create(s, "late", array, NULL),
        cohort_device_next(NULL),
        cohort_candidate_next(NULL),
        cohort_function_parse("double cos(double x)", "libm.so.6", NULL),
    };
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i] != COHORT_ENODEV)
            return 1 + (int)i;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (objects[i] != NULL)
            return 50 + (int)i;
    if (!isnan(cohort_value_scalar(x)) || cohort_local_results(w, out, 4) >= 0)
        return 80;
    if (strstr(cohort_error_text(), "fork") == NULL)
        return 81;
    cohort_value_destroy(x);
    cohort_variable_destroy(w);
    cohort_strategy_destroy(s);
    return 0;
}

static void forked(const char *devices)
{
    float out[ROWS * WIDTH];
    cohort_strategy *s = cohort_mirrored(devices);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, WIDTH), NULL);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&rows[0][0], ROWS * WIDTH)),
                 *y = cohort_value_split(s, COHORT_ARRAY(&rows[0][0], ROWS * WIDTH));
    int status = 0;
    bool is_good = good(cohort_run(s, descend, 1.0f, x, y) == COHORT_OK);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(60);
        _exit(calls_in_child(s, w, x, y));
    }
    is_good = is_good && good(waitpid(child, &status, 0) == child);
    if (!ok(is_good && WIFEXITED(status) && WEXITSTATUS(status) == 0,
            "after a fork with %s every call of the child fails at once", devices))
        diag("wait status %d: exit %d, signal %d", status, WEXITSTATUS(status),
             WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    ok(good(cohort_run(s, descend, 1.0f, x, y) == COHORT_OK) &&
           good(cohort_value_read(y, COHORT_ARRAY(out, ROWS * WIDTH)) == COHORT_OK) &&
           good(out[1] == -rows[0][1]),
       "and the parent goes on");
    cohort_strategy_destroy(s);
}

/* ---- Habits of the caller. */

static bool sees(const char *devices, float seen[3])
{
    float tiny[4] = { 0x1p-140f, 0x1p-140f, 0x1p-140f, 0x1p-140f }, all[4][3];
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .replicas = 4 });
    cohort_value *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, see_state, cohort_value_split(s, COHORT_ARRAY(tiny, 4)),
                                   out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(&all[0][0], 4, 3)) == COHORT_OK);
    for (int r = 1; r < 4 && is_good; r++)
        is_good = good(memcmp(all[r], all[0], sizeof all[0]) == 0);
    memcpy(seen, all[0], sizeof all[0]);
    cohort_strategy_destroy(s);
    return is_good;
}

static void floating_point_state(void)
{
    static const char *const devices[] = { "host", "host/2", "loopback", "loopback,host" };
    static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    float plain[3], seen[3];
    bool is_good = sees("host", plain), is_kept = true;
    for (size_t d = 0; d < 4; d++)
        for (size_t m = 0; m < 3; m++) {
            (void)fesetround(modes[m]);
            is_good =
                is_good && sees(devices[d], seen) && good(memcmp(seen, plain, sizeof plain) == 0);
            is_good = is_good && trains(devices[d]);
            is_kept = is_kept && fegetround() == modes[m];
            (void)fesetround(FE_TONEAREST);
        }
    ok(is_good, "results do not depend on the caller's rounding");
    ok(is_kept, "which stays as it was");
#if defined(__x86_64__)
    unsigned before = _mm_getcsr();
    is_good = is_kept = true;
    for (size_t d = 0; d < 4; d++) {
        _mm_setcsr(before | 0x8040); /* flush to zero, denormals are zero */
        is_good = is_good && sees(devices[d], seen) && good(memcmp(seen, plain, sizeof plain) == 0);
        is_kept = is_kept && (_mm_getcsr() & 0x8040) == 0x8040;
        _mm_setcsr(before);
    }
    ok(is_good && plain[0] != 0, "nor on its flushing denormals to zero");
    ok(is_kept, "which stays on");
#else
    skip("flushing denormals to zero", "not known on this machine");
#endif
    feclearexcept(FE_ALL_EXCEPT);
}

static atomic_long signals;

static void count_signal(int number)
{
    (void)number;
    atomic_fetch_add(&signals, 1);
}

static void interrupted(void)
{
    const struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
    struct sigaction counting = { .sa_handler = count_signal }, before; /* without SA_RESTART */
    bool is_good = true;
    (void)sigaction(SIGALRM, &counting, &before);
    (void)setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 3000 && (i < 20 || atomic_load(&signals) < 30) && is_good; i++)
        is_good = trains("loopback,host") && trains("host/2");
    (void)setitimer(ITIMER_REAL, &never, NULL);
    (void)sigaction(SIGALRM, &before, NULL);
    ok(is_good && atomic_load(&signals) >= 30, "a storm of signals is not noticed");
}

static void *work_on_little(void *unused)
{
    (void)unused;
    atomic_store(&right, trains("host/2") && trains("loopback,host"));
    return NULL;
}

static void little_stack(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (IS_SANITIZED) {
        skip("a thread with 64 KiB of stack", "sanitizers need more");
        return;
    }
    (void)pthread_attr_init(&attributes);
    atomic_store(&right, 0);
    bool is_started = pthread_attr_setstacksize(&attributes, 65536) == 0 &&
                      pthread_create(&thread, &attributes, work_on_little, NULL) == 0 &&
                      pthread_join(thread, NULL) == 0;
    ok(is_started && atomic_load(&right) == 1, "64 KiB of stack are enough for a caller");
    (void)pthread_attr_destroy(&attributes);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    for (int i = 0; i < ROWS * WIDTH; i++)
        rows[i / WIDTH][i % WIDTH] = 0.37f * (float)(i % 13) - 1;
    rows[0][1] = 2;
    ok(train("host", 4, 20, known) == COHORT_OK, "twenty steps give known weights");
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        atomic_store(&right, 0);
        side_by_side();
        handed_over();
        two_in_one();
        forked("host");
        forked("loopback/2,host");
        floating_point_state();
        interrupted();
        little_stack();
    }
    many();
    core_no_leak(warm);
    return tap_done();
}
