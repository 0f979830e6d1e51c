/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_CHECK=plugins: plugins without a mistake are left alone, with the same bits; each kind of
 * mistake, made by plugins/chaos, is found, with its rule. Each row is a process of its own. */
#include "config.h"

#include "cohort/cohort.h"
#include "plugins/chaos.h"
#include "tests/sanitized.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 6000, STEPS = 3, OUTPUT_BYTES = 1 << 16 };

/* ------------------------------------------------------------------ the process that is checked */

COHORT_ITEMS(scale, i, n, (int64_t n, float a, const float x[n], COHORT_OUT float y[n]),
             { y[i] = a * x[i]; });

COHORT_FUNCTION_RETURNING(double, first, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    return n > 0 ? (double)x[0] : 0;
}

COHORT_ITEMS(descend, i, n, (int64_t n, const float g[n], float w[n]), { w[i] -= 0.25f * g[i]; });

static void print_log(void *user, int level, const char *line)
{
    (void)user;
    printf("log %d %s\n", level, line);
}

static void say(cohort_status status, const char *what)
{
    if (status < 0)
        printf("%s %s %s\n", what, cohort_status_name(status), cohort_error_text());
}

static uint64_t digest(const void *bytes, size_t n)
{
    uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return sum;
}

/* Rows of which a sum from right to left has other bits. */
static float element(int replica, int i)
{
    static const float large[] = { 1e8f, -1e8f, 1 };
    return large[replica % 3] + (float)(i % 13) / 8;
}

static void work(cohort_strategy *s, bool has_result)
{
    static float x[3 * N], w[N];
    for (int i = 0; i < 3 * N; i++)
        x[i] = element(i / N, i % N);
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(w, N), NULL);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 3, N)), *g = cohort_value_create(s),
                 *sum = cohort_value_create(s), *result = cohort_value_create(s);
    for (int step = 0; step < STEPS; step++) {
        say(cohort_value_set(in, COHORT_ARRAY(x, 3, N)), "set");
        say(cohort_run(s, scale, (float)(step + 1), in, g), "run");
        say(cohort_reduce(COHORT_SUM, g, 0, sum), "reduce");
        say(cohort_update(v, descend, sum, v), "update");
        if (has_result)
            say(cohort_run(s, first, in, result), "run");
        say(cohort_value_read(g, COHORT_ARRAY(x, 3, N)), "read");
    }
    say(cohort_variable_read(v, COHORT_ARRAY(w, N)), "read");
    say(cohort_strategy_recover(s), "recover");
    printf("digest %016llx\n", (unsigned long long)digest(w, sizeof w));
}

static int use_plugin(const char *devices, const char *check)
{
    (void)alarm(IS_SANITIZED ? 100 : 30);
    cohort_log_set(print_log, NULL, COHORT_LOG_INFO);
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = 3, .check = check });
    if (s == NULL)
        printf("create %s\n", cohort_error_text());
    else
        work(s, strstr(devices, "opencl") == NULL);
    cohort_strategy_destroy(s);
    (void)fflush(stdout);
    return 0;
}

/* ------------------------------------------------------------------ the one that looks */

static char output[OUTPUT_BYTES];

/* What the process says; its status. schedule: of chaos, NULL: none */
static int play(const char *devices, const char *check, const char *schedule)
{
    FILE *file = tmpfile();
    int status = -1;
    pid_t child = file != NULL ? fork() : -1;
    if (child == 0) {
        if (schedule != NULL)
            (void)setenv("COHORT_CHAOS", schedule, 1);
        (void)setenv("COHORT_PLUGINS",
                     strstr(devices, "opencl") != NULL ? "host,opencl,chaos"
                                                       : "host,loopback,stream,chaos",
                     1);
        (void)setenv("COHORT_CACHE", "off", 1);
        (void)dup2(fileno(file), STDOUT_FILENO);
        (void)dup2(fileno(file), STDERR_FILENO);
        (void)execl("/proc/self/exe", "check_plugins", devices, check, (char *)NULL);
        _exit(127);
    }
    if (child > 0)
        (void)waitpid(child, &status, 0);
    output[0] = '\0';
    if (file != NULL) {
        rewind(file);
        output[fread(output, 1, OUTPUT_BYTES - 1, file)] = '\0';
        (void)fclose(file);
    }
    return status;
}

static bool says(const char *what)
{
    return strstr(output, what) != NULL;
}

static void copy_digest(char out[32])
{
    const char *at = strstr(output, "digest ");
    (void)snprintf(out, 32, "%.23s", at != NULL ? at : "none");
}

/* Nothing is found in it, and the bits are those of the host. */
static void test_clean(const char *devices, const char *wanted)
{
    char found[32];
    int status = play(devices, "plugins", NULL);
    if (status == 0 && says("no device")) {
        skip(devices, "no such device");
        return;
    }
    copy_digest(found);
    if (!ok(status == 0 && !says("check of plugins") && !says("log 0") && says("is checked: ") &&
                strcmp(found, wanted) == 0,
            "%s: nothing is found, the bits are the host's, and what was done is counted", devices))
        diag("%d %s %.3000s", status, wanted, output);
}

typedef struct row {
    const char *plugin, *rules, *operation, *told; /* told: part of the finding */
} row;

static const row rows[] = {
    { "loopback", "launch,1,float", "launch", "changed the floating-point state" },
    { "loopback", "mem_alloc,1,float", "mem_alloc", "changed the floating-point state" },
    { "stream", "event_wait,1+,float", "event_wait", "changed the floating-point state" },
    { "loopback", "write,1+,signals", "write", "changed which signals" },
    { "loopback", "device_open,1,signals", "device_open", "changed which signals" },
    { "loopback", "kernel_create,1,cpus", "kernel_create", "changed the CPUs" },
    { "loopback", "launch,1+,ret", "launch", "wrote to byte 40 of host memory that has 8" },
    { "stream", "launch,1+,ret", "launch", "wrote to byte 40 of host memory that has 8" },
    { "loopback", "read,1,into", "read", "wrote to byte " },
    { "stream", "read,1,into", "read", "wrote to byte " },
    { "loopback", "read,1,all", "read", "left byte " },
    { "loopback", "read,1+,all", "read", "left byte " },
    { "stream", "read,1,all", "read", "left byte " },
    { "loopback", "write,1+,from", "write", "changed the " },
    { "stream", "write,1+,from", "write", "changed the " },
    { "loopback", "read,1,late", "read", "after it was complete" },
    { "stream", "read,1,late", "read", "after it was complete" },
    { "loopback", "write,1,block", "mem_free", "behind its end, was written" },
    { "stream", "write,1,block", "mem_free", "behind its end, was written" },
    { "loopback", "mem_alloc,2,twice", "mem_alloc", "handed out memory" },
    { "loopback", "kernel_create,2,twice", "kernel_create", "handed out kernel" },
    { "stream", "launch,1+,twice", "", "handed out event" },
    { "host", "mem_host_ptr,3+,overlap", "mem_alloc", "of which some are of the" },
    { "host", "mem_host_ptr,2,moved", "mem_host_ptr", ", and " },
    { "stream", "event_wait,1+,answer", "event_wait", "for an event, and " },
    { "host", "reduce,1,order", "reduce", "than the core's" },
};

/* An affinity of one CPU has no other to change to. */
static bool can_be(const row *r)
{
    cpu_set_t cpus;
    return strstr(r->rules, ",cpus") == NULL ||
           (sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) > 1);
}

static void test_row(const row *r)
{
    char schedule[4096];
    char named[100];
    const char *folder = getenv("builddir");
    if (!can_be(r)) {
        skip(r->rules, "one CPU");
        return;
    }
    if (IS_SANITIZED && strstr(r->rules, "twice") != NULL) {
        skip(r->rules, "what is not handed out leaks, which ends the process");
        return;
    }
    (void)snprintf(schedule, sizeof schedule, "plugin=%s/%s/.libs/cohort-%s.so rule=%s", folder,
                   strcmp(r->plugin, "host") == 0 ? "host" : "plugins", r->plugin, r->rules);
    (void)snprintf(named, sizeof named, "check of plugins: %s%s", r->operation,
                   r->operation[0] != '\0' ? " of plugin 'chaos' " : "");
    int status = play("chaos", "plugins", schedule);
    if (!ok(status == 0 && says(named) && says(r->told) && says("; rule: ") && says("; fix: ") &&
                says("log 0 chaos:0: "),
            "%s: %s is found, with operation, rule and what to do", r->plugin, r->rules))
        diag("%d; COHORT_CHAOS='%s'; wanted %s ... %s; %.3000s", status, schedule, named, r->told,
             output);
}

/* ------------------------------------------------------------------ words and seeds */

static void test_words(void)
{
    const char *wrong[] = { "plugin", "bodies;plugins", "plugins,x" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(play("host", wrong[i], NULL) == 0 && says("is no check") && says("bodies, plugins"),
           "\"%s\" is refused, with the words that there are", wrong[i]);
    ok(play("host", "", NULL) == 0 && !says("is checked"), "no word, no check");
    ok(play("host", "bodies,plugins", NULL) == 0 && says("is checked: ") && !says("log 0"),
       "both words, separated by a comma");
    (void)setenv("COHORT_CHECK_SEED", "42", 1);
    ok(play("stream", "plugins", NULL) == 0 && says("(COHORT_CHECK_SEED=42)"),
       "the seed is taken, and told");
    (void)unsetenv("COHORT_CHECK_SEED");
}

static bool find_plugins(void)
{
    static char all[8192];
    const char *paths = getenv("COHORT_PLUGIN_PATH"), *folder = getenv("builddir");
    (void)snprintf(all, sizeof all, "%s:%s/plugins/chaos/.libs", paths != NULL ? paths : "",
                   folder);
    return paths != NULL && folder != NULL && setenv("COHORT_PLUGIN_PATH", all, 1) == 0;
}

int main(int argc, char **argv)
{
    char wanted[32];
    if (argc > 2)
        return use_plugin(argv[1], argv[2]);
    if (!find_plugins())
        return skip_all("COHORT_PLUGIN_PATH is not set");
    test_words();
    (void)play("host", "", NULL);
    copy_digest(wanted);
    static const char *const clean[] = { "host",          "loopback",          "stream", "host/2",
                                         "host,loopback", "loopback/2,stream", "opencl" };
    for (size_t i = 0; i < sizeof clean / sizeof *clean; i++)
        test_clean(clean[i], wanted);
    const char *only = getenv("ONLY");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (only == NULL || strcmp(only, rows[i].rules) == 0)
            test_row(&rows[i]);
    return tap_done();
}
