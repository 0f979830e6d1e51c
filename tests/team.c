/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the system starts no thread for an OpenMP team, items run and any other body is an error in
 * words, for the runtime would end the process. This program starts itself: with an argument it is
 * the one that gets no thread, and its exit code says how that went. */
#include "config.h"

#include "tests/core.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the OpenMP runtime; <omp.h> stays with the host plugin. */
extern int omp_get_max_threads(void);
extern int omp_get_num_threads(void);

enum { N = 1000, GOOD = 7, NOT_HERE = 77, MOST_SECONDS = 120 };

/* ---- The program that gets no thread. */

typedef cohort_status run_fn(cohort_strategy *s, cohort_value *x);

COHORT_ITEMS(twice, i, n, (int64_t n, float x[n]), { x[i] *= 2; });

static cohort_status run_items(cohort_strategy *s, cohort_value *x)
{
    return cohort_run(s, twice, x);
}

/* Without a region, which nobody knows but who wrote it. */
COHORT_FUNCTION(thrice, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= 3;
}

static cohort_status run_body(cohort_strategy *s, cohort_value *x)
{
    return cohort_run(s, thrice, x);
}

COHORT_FUNCTION(count, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    int threads = 0;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    for (int64_t i = 0; i < n; i++)
        x[i] *= (float)threads;
}

static cohort_status run_region(cohort_strategy *s, cohort_value *x)
{
    return cohort_run(s, count, x);
}

static void fail(const char *what)
{
    diag("%s: %s", what, cohort_error_text());
    _exit(1);
}

static void leave_out(const char *why)
{
    diag("%s", why);
    _exit(NOT_HERE);
}

/* All elements, which were 1, are `wanted` afterwards. */
static void check(cohort_strategy *s, run_fn *run, float wanted, const char *what)
{
    float x[N];
    for (int i = 0; i < N; i++)
        x[i] = 1;
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY(x, N));
    if (run(s, value) < 0 || cohort_value_read(value, COHORT_ARRAY(x, N)) < 0)
        fail(what);
    for (int i = 0; i < N; i++)
        if (x[i] != wanted)
            fail(what);
    cohort_value_destroy(value);
}

static void check_refusal(cohort_strategy *s, run_fn *run, const char *fix)
{
    float x[N] = { 0 };
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_status st = run(s, value);
    if (st >= 0)
        st = cohort_wait(s);
    if (st != COHORT_ENOMEM || strstr(cohort_error_text(), "the system starts ") == NULL ||
        strstr(cohort_error_text(), fix) == NULL)
        fail("the error");
    if (cohort_strategy_recover(s) < 0)
        fail("to recover");
    cohort_value_destroy(value);
}

static cohort_strategy *begin(void)
{
    cohort_strategy *s = cohort_one_device("host:0");
    if (s == NULL)
        leave_out(cohort_error_text()); /* another user may not look into this folder */
    return s;
}

static void *nothing(void *argument)
{
    return argument;
}

static bool starts_thread(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

static void large_stack(void)
{
    cohort_strategy *s = begin();
    check(s, run_items, 2, "items");
    check_refusal(s, run_body, getenv("COHORT_TEST_FIX"));
    check_refusal(s, run_region, getenv("COHORT_TEST_FIX"));
    check(s, run_items, 2, "items after the error");
}

static void usual_stack(void)
{
    cohort_strategy *s = begin();
    check(s, run_body, 3, "a body");
    check(s, run_region, (float)omp_get_max_threads(), "its region");
}

/* Items first, for which nobody has asked for threads yet. */
static void no_thread_until(cohort_strategy *s, void (*lift)(void))
{
    if (starts_thread())
        leave_out("the limit is none here");
    check(s, run_items, 2, "items");
    check_refusal(s, run_body, "lower OMP_NUM_THREADS, or raise");
    check_refusal(s, run_region, "pids.max");
    check(s, run_items, 2, "items after the error");
    lift();
    check(s, run_body, 3, "a body when there are threads again");
    check(s, run_region, (float)omp_get_max_threads(), "its region");
}

static struct rlimit of_user;

static void lift_user_limit(void)
{
    (void)setrlimit(RLIMIT_NPROC, &of_user);
}

/* The limit does not hold for root, who becomes somebody else. */
static void limited_user(void)
{
    if (geteuid() == 0 && setuid(65534) != 0)
        leave_out("root cannot become another user");
    cohort_strategy *s = begin();
    (void)getrlimit(RLIMIT_NPROC, &of_user);
    (void)setrlimit(RLIMIT_NPROC, &(struct rlimit){ 1, of_user.rlim_max });
    no_thread_until(s, lift_user_limit);
}

static void write_line(const char *file, const char *line)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", getenv("COHORT_TEST_GROUP"), file);
    FILE *f = fopen(path, "w");
    bool is_written = f != NULL && fputs(line, f) >= 0;
    if (f == NULL || fclose(f) != 0 || !is_written)
        leave_out("the group cannot be written to");
}

static void lift_group_limit(void)
{
    write_line("pids.max", "max");
}

static void limited_group(void)
{
    write_line("cgroup.procs", "0");
    cohort_strategy *s = begin();
    write_line("pids.max", "1");
    no_thread_until(s, lift_group_limit);
}

/* As many as there have to be, and none more. */
static void just_enough(void)
{
    char least[16];
    if (IS_THREAD_SANITIZED)
        leave_out("the sanitizer has a thread of its own, which counts");
    (void)snprintf(least, sizeof least, "%d", omp_get_max_threads());
    write_line("cgroup.procs", "0");
    cohort_strategy *s = begin();
    write_line("pids.max", least);
    check(s, run_region, (float)omp_get_max_threads(), "a body with a region");
    lift_group_limit(); /* a leak checker has a thread of its own */
}

static const struct way {
    const char *name, *claim;
    void (*run)(void);
    bool has_group;
} ways[] = {
    { "large", "items run, and a body is an error", large_stack, false },
    { "usual", "a body runs", usual_stack, false },
    { "user", "at the limit of a user's threads a body is an error, until there are more",
      limited_user, false },
    { "group", "and so it is at that of a control group", limited_group, true },
    { "enough", "where as many are left as the team has, it runs", just_enough, true },
};
enum { LARGE, USUAL, USER, WAYS = sizeof ways / sizeof *ways };

static int run_as(const char *name)
{
    (void)alarm(MOST_SECONDS); /* far beyond what any takes: who hangs is killed */
    for (int i = 0; i < WAYS; i++)
        if (strcmp(ways[i].name, name) == 0) {
            ways[i].run();
            return GOOD;
        }
    return 1;
}

/* ---- The one that looks. */

/* A control group of this test, of version 1 or 2; false: none can be made. */
static bool make_group(char *folder, size_t bytes)
{
    static const char *const roots[] = { "/sys/fs/cgroup/pids", "/sys/fs/cgroup" };
    char limit[300];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(folder, bytes, "%s/cohort-test-%d", roots[i], (int)getpid());
        (void)snprintf(limit, sizeof limit, "%s/pids.max", folder);
        if (mkdir(folder, 0755) == 0 && access(limit, W_OK) == 0)
            return true;
        (void)rmdir(folder);
    }
    return false;
}

static int status_of(const struct way *way)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        (void)setenv("COHORT_PLUGINS", "host", 1);
        (void)execl("/proc/self/exe", "team", way->name, (char *)NULL);
        _exit(127);
    }
    (void)waitpid(child, &status, 0);
    return status;
}

static void judge(int status, const char *claim)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_HERE)
        skip(claim, "it cannot be tried here, see above");
    else if (!ok(WIFEXITED(status) && WEXITSTATUS(status) == GOOD, "%s", claim))
        diag("%s %d", WIFSIGNALED(status) ? "signal" : "exit code",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void limit(const struct way *way)
{
    char folder[200] = "";
    if (way->has_group && !make_group(folder, sizeof folder)) {
        skip(way->claim, "no control group can be made");
        return;
    }
    (void)setenv("COHORT_TEST_GROUP", folder, 1);
    int status = status_of(way);
    (void)rmdir(folder);
    judge(status, way->claim);
}

/* libomp, which comes with clang, takes more units, and what is too large for the largest. */
static void stacks(void)
{
    static const struct {
        const char *variable, *text, *fix; /* NULL: the runtime has no such size, and says so */
    } rows[] = {
        { "OMP_STACKSIZE", "100G", "lower OMP_NUM_THREADS or OMP_STACKSIZE (100G), or raise" },
        { "OMP_STACKSIZE", " 104857600 k ", "OMP_STACKSIZE ( 104857600 k )" },
        { "OMP_STACKSIZE", "104857600", "OMP_STACKSIZE (104857600)" },
        { "GOMP_STACKSIZE", "107374182400b", "GOMP_STACKSIZE (107374182400b)" },
#if defined(__clang__)
        { "OMP_STACKSIZE", "100T", "OMP_STACKSIZE (100T)" },
        { "KMP_STACKSIZE", "100G", "KMP_STACKSIZE (100G)" },
#else
        { "OMP_STACKSIZE", "100T", NULL },
        { "OMP_STACKSIZE", "18446744073709551615", NULL },
#endif
        { "OMP_STACKSIZE", "4M", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct way *way = &ways[rows[i].fix != NULL ? LARGE : USUAL];
        char claim[100];
        (void)snprintf(claim, sizeof claim, "with %s=%s %s", rows[i].variable, rows[i].text,
                       way->claim);
        (void)setenv(rows[i].variable, rows[i].text, 1);
        (void)setenv("COHORT_TEST_FIX", rows[i].fix != NULL ? rows[i].fix : "", 1);
        judge(status_of(way), claim);
        (void)unsetenv(rows[i].variable);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return run_as(argv[1]);
    if (access("/proc/self/exe", X_OK) != 0)
        return skip_all("there is no /proc/self/exe");
    if (core_cpus() < 2 || omp_get_max_threads() < 2)
        return skip_all("one core, or OMP_NUM_THREADS=1: a team has no thread but the caller");
    stacks();
    for (int way = USER; way < WAYS; way++)
        limit(&ways[way]);
    return tap_done();
}
