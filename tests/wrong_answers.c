/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin that answers wrongly: the table says what it answers to which operation, and what the
 * user is told. Each row is tried on two lists of devices, each time in a process of its own: it
 * does not crash, every wait ends, and no wrong number comes out. */
#include "config.h"

#include "cohort/cohort.h"
#include "cohort/handle.h"
#include "tests/sanitized.h"
#include "tests/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What follows from an answer. LIE: the plugin is refused, with the reason, now and in new
 * strategies. LATE: a deadline passes, of the setting that the row names. LOAD: it is not used from
 * the beginning. ERROR: an error like others. FINE: nothing but a warning. */
typedef enum result { LIE, LATE, LOAD, ERROR, FINE } result;

/* It is not asked on a list without parts; not beside the host, whose memory it shares, since the
 * core then combines what is small. */
enum { ONLY_PARTS = 1, ONLY_ALONE = 2 };

typedef struct row {
    const char *base, *operation, *answer;
    result result;
    const char *told; /* part of it */
    int flags;
} row;

/* clang-format off */
static const row rows[] = {
    /* statuses that are none, or not of this operation */
    { "loopback", "device_open", "7", LIE, "device_open of plugin 'wrong' answered 7 (no status); expected COHORT_OK, or an error", 0 },
    { "loopback", "device_open", "-11", LIE, "device_open of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "loopback", "device_open", "-99", LIE, "device_open of plugin 'wrong' answered -99 (no status)", 0 },
    { "loopback", "device_close", "7", LIE, "device_close of plugin 'wrong' answered 7", 0 },
    { "loopback", "device_close", "-11", LIE, "device_close of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "loopback", "mem_alloc", "7", LIE, "mem_alloc of plugin 'wrong' answered 7", 0 },
    { "loopback", "mem_alloc", "-11", LIE, "mem_alloc of plugin 'wrong' answered -11", 0 },
    { "stream", "mem_alloc", "-12", LIE, "mem_alloc of plugin 'wrong' answered -12 (no status)", 0 },
    { "loopback", "mem_free", "7", LIE, "mem_free of plugin 'wrong' answered 7", 0 },
    { "loopback", "mem_free", "-11", LIE, "mem_free of plugin 'wrong' answered -11", 0 },
    { "loopback", "write", "1", LIE, "write of plugin 'wrong' answered 1 (END)", 0 },
    { "loopback", "write", "-11", LIE, "write of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "loopback", "write", "2147483647", LIE, "write of plugin 'wrong' answered 2147483647", 0 },
    { "visible", "write", "7", LIE, "write of plugin 'wrong' answered 7", 0 },
    { "stream", "write", "1", LIE, "write of plugin 'wrong' answered 1 (END)", 0 },
    { "stream", "write", "-11", LIE, "write of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "loopback", "read", "1", LIE, "read of plugin 'wrong' answered 1 (END)", 0 },
    { "loopback", "read", "-11", LIE, "read of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "stream", "read", "7", LIE, "read of plugin 'wrong' answered 7", 0 },
    { "stream", "read", "-11", LIE, "read of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "loopback", "kernel_create", "7", LIE, "kernel_create of plugin 'wrong' answered 7", 0 },
    { "loopback", "kernel_create", "-11", LIE, "kernel_create of plugin 'wrong' answered -11", 0 },
    { "loopback", "kernel_destroy", "7", LIE, "kernel_destroy of plugin 'wrong' answered 7", 0 },
    { "loopback", "launch", "7", LIE, "launch of plugin 'wrong' answered 7", 0 },
    { "loopback", "launch", "-11", LIE, "launch of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "visible", "launch", "1", LIE, "launch of plugin 'wrong' answered 1 (END)", 0 },
    { "stream", "launch", "7", LIE, "launch of plugin 'wrong' answered 7", 0 },
    { "stream", "launch", "-11", LIE, "launch of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "prompt", "launch_batch", "7", LIE, "launch_batch of plugin 'wrong' answered 7", 0 },
    { "prompt", "launch_batch", "-11", LIE, "launch_batch of plugin 'wrong' answered -11 (EAGAIN)", 0 },
    { "prompt", "launch_batch", "few", LIE, "launch_batch of plugin 'wrong' answered OK with 1 of 2 launches complete; expected all of them", 0 },
    { "prompt", "launch_batch", "many", LIE, "launch_batch of plugin 'wrong' answered OK with 4294967295 of 2 launches complete", 0 },
    { "prompt", "launch_batch", "full", LIE, "launch_batch of plugin 'wrong' answered EINTERNAL with 2 of 2 launches complete; expected fewer than it was given", 0 },
    { "stream", "event_wait", "7", LIE, "event_wait of plugin 'wrong' answered 7", 0 },
    { "stream", "event_wait", "1", LIE, "event_wait of plugin 'wrong' answered 1 (END)", 0 },
    { "stream", "event_wait", "-99", LIE, "event_wait of plugin 'wrong' answered -99", 0 },
    { "stream", "event_release", "7", LIE, "event_release of plugin 'wrong' answered 7", 0 },
    { "stream", "event_release", "-11", LIE, "event_release of plugin 'wrong' answered -11", 0 },
    { "visible", "mem_host_ptr", "7", LIE, "mem_host_ptr of plugin 'wrong' answered 7", 0 },
    { "visible", "mem_host_ptr", "-11", LIE, "mem_host_ptr of plugin 'wrong' answered -11", 0 },
    { "visible", "mem_import", "7", LIE, "mem_import of plugin 'wrong' answered 7", 0 },
    { "visible", "mem_import", "-11", LIE, "mem_import of plugin 'wrong' answered -11", 0 },
    { "visible", "can_access_peer", "7", LIE, "can_access_peer of plugin 'wrong' answered 7", ONLY_PARTS },
    { "visible", "worker_attach", "7", LIE, "worker_attach of plugin 'wrong' answered 7", 0 },
    { "visible", "reduce", "7", LIE, "reduce of plugin 'wrong' answered 7", ONLY_ALONE },
    { "visible", "reduce", "-11", LIE, "reduce of plugin 'wrong' answered -11", ONLY_ALONE },
    { "visible", "kernel_binary", "7", LIE, "kernel_binary of plugin 'wrong' answered 7", 0 },
    { "loopback", "handle", "7", LIE, "cohort.handle/0 of plugin 'wrong' answered 7", 0 },
    { "loopback", "handle", "-11", LIE, "cohort.handle/0 of plugin 'wrong' answered -11", 0 },

    /* what a success hands out */
    { "loopback", "device_open", "0", LIE, "device_open of plugin 'wrong' answered COHORT_OK without a device; expected a device, or an error", 0 },
    { "loopback", "mem_alloc", "0", LIE, "mem_alloc of plugin 'wrong' answered COHORT_OK without memory", 0 },
    { "stream", "mem_alloc", "0", LIE, "mem_alloc of plugin 'wrong' answered COHORT_OK without memory", 0 },
    { "loopback", "kernel_create", "0", LIE, "kernel_create of plugin 'wrong' answered COHORT_OK without a kernel", 0 },
    { "visible", "mem_host_ptr", "0", LIE, "mem_host_ptr of plugin 'wrong' answered address (nil)", 0 },
    { "visible", "mem_host_ptr", "odd", LIE, "expected an aligned address, or an error", 0 },
    { "visible", "mem_import", "0", LIE, "mem_import of plugin 'wrong' answered COHORT_OK without memory", 0 },
    { "visible", "can_access_peer", "many", LIE, "can_access_peer of plugin 'wrong' answered 7; expected 0 or 1", ONLY_PARTS },
    { "visible", "kernel_binary", "more", LIE, "kernel_binary of plugin 'wrong' answered 9 bytes, with room for 8", 0 },
    { "visible", "kernel_binary", "nameless", LIE, "kernel_binary of plugin 'wrong' answered a format that is NULL", 0 },
    { "visible", "kernel_binary", "control", LIE, "kernel_binary of plugin 'wrong' answered a format that is no printable text", 0 },
    { "visible", "kernel_binary", "huge", FINE, "", 0 },
    { "loopback", "write", "event", LIE, "write of plugin 'wrong' answered an event; expected no event, for it has no event_wait", 0 },
    { "loopback", "read", "event", LIE, "read of plugin 'wrong' answered an event", 0 },
    { "loopback", "launch", "event", LIE, "launch of plugin 'wrong' answered an event", 0 },
    { "visible", "reduce", "event", LIE, "reduce of plugin 'wrong' answered an event", ONLY_ALONE },
    { "stream", "write", "both", LIE, "write of plugin 'wrong' answered both EINTERNAL and an event; expected an error, or an event", 0 },
    { "stream", "read", "both", LIE, "read of plugin 'wrong' answered both EINTERNAL and an event", 0 },
    { "stream", "launch", "both", LIE, "launch of plugin 'wrong' answered both EINTERNAL and an event", 0 },
    { "loopback", "handle", "null", LIE, "cohort.handle/0 of plugin 'wrong' answered COHORT_OK without an object", 0 },

    /* what a device claims, and texts */
    { "loopback", "device", "visible", LOAD, "device 0: it claims COHORT_CAP_HOST_VISIBLE, and its plugin has no operation mem_host_ptr", 0 },
    { "loopback", "device", "unified", LOAD, "device 0: it claims COHORT_CAP_UNIFIED, and its plugin has no operation mem_import", 0 },
    { "loopback", "device", "wide", LOAD, "device 0: it claims COHORT_CAP_WIDE_MEAN, and its plugin has no operation reduce", 0 },
    { "loopback", "device", "control", LOAD, "device 0: name is not a terminated, printable UTF-8 text", 0 },
    { "loopback", "device", "utf8", LOAD, "device 0: driver is not a terminated, printable UTF-8 text", 0 },
    { "loopback", "version", "control", LOAD, "version or vendor is not printable text", 0 },
    { "loopback", "version", "utf8", LOAD, "version or vendor is not printable text", 0 },
    { "loopback", "entry", "0", LOAD, "refused by the plugin without a reason", 0 },
    { "loopback", "entry", "control", LOAD, "a\\x0ab\\x1b[31mc", 0 },
    { "loopback", "entry", "utf8", LOAD, "a\\xff\\xc3", 0 },
    { "loopback", "enumerate", "7", LOAD, "enumerate returns 7 (?); expected COHORT_OK", 0 },
    { "loopback", "enumerate", "-11", LOAD, "enumerate returns -11 (EAGAIN)", 0 },
    { "loopback", "enumerate", "control", LOAD, "enumerate: a\\x0ab\\x1b[31mc", 0 },
    { "loopback", "unknown", "float32", ERROR, "does not know float32, which the prototype has", 0 },
    { "visible", "unknown", "reduction", FINE, "", ONLY_ALONE },
    { "loopback", "write", "control", ERROR, "write: a\\x0ab\\x1b[31mc", 0 },
    { "loopback", "write", "utf8", ERROR, "write: a\\xff\\xc3", 0 },
    { "loopback", "kernel_create", "control", ERROR, "build: a\\x0ab\\x1b[31mc", 0 },
    { "loopback", "device_open", "utf8", ERROR, "open: a\\xff\\xc3", 0 },
    { "stream", "event_wait", "control", ERROR, "a\\x0ab\\x1b[31mc", 0 },
    { "loopback", "write", "endless", LIE, "write of plugin 'wrong' answered EINTERNAL with an error text without an end", 0 },
    { "loopback", "device_open", "endless", LIE, "device_open of plugin 'wrong' answered EINTERNAL with an error text without an end", 0 },
    { "stream", "event_wait", "endless", LIE, "event_wait of plugin 'wrong' answered EINTERNAL with an error text without an end", 0 },
    { "loopback", "unused", "7", LIE, "cohort.unused/0 of plugin 'wrong' answered 7; expected COHORT_OK, COHORT_END or an error", 0 },
    { "loopback", "unused", "-11", LIE, "cohort.unused/0 of plugin 'wrong' answered -11", 0 },
    { "loopback", "unused", "control", FINE, "", 0 },
    { "loopback", "unused", "endless", FINE, "", 0 },
    { "loopback", "device", "serial", FINE, "", 0 },
    { "stream", "device", "serial", FINE, "", 0 },
    { "loopback", "device", "prompt", FINE, "", 0 },
    { "prompt", "launch_batch", "right", FINE, "", 0 },

    /* what leaves the work to the core, and where there is nothing to leave */
    { "loopback", "copy", "-5", FINE, "", 0 },
    { "visible", "reduce", "-5", FINE, "", ONLY_ALONE },
    { "visible", "mem_import", "-5", FINE, "", 0 },
    { "visible", "can_access_peer", "-5", FINE, "", 0 },
    { "visible", "worker_attach", "-5", FINE, "", 0 },
    { "visible", "kernel_binary", "-5", FINE, "", 0 },
    { "stream", "event_release", "-10", FINE, "release an event: internal error", 0 },
    { "loopback", "write", "-5", ERROR, "write: not supported", 0 },
    { "loopback", "launch", "-5", ERROR, "launch: not supported", 0 },
    { "prompt", "launch_batch", "-5", ERROR, "launch: not supported", 0 },
    { "prompt", "launch_batch", "second", ERROR, "launch: no replica", 0 },

    /* operations that do not end */
    { "loopback", "entry", "hang", LATE, "the plugin does not answer: its entry took more than 0.5 s (COHORT_TIMEOUT_OPEN)", 0 },
    { "loopback", "enumerate", "hang", LATE, "the plugin does not answer: enumerate took more than 0.5 s (COHORT_TIMEOUT_OPEN)", 0 },
    { "loopback", "unused", "hang", LATE, "cohort.unused/0 of plugin 'wrong' answered nothing within its time (COHORT_TIMEOUT_OPEN)", 0 },
    { "loopback", "extension", "hang", LATE, "cohort.unused/0 of plugin 'wrong' answered nothing within its time (COHORT_TIMEOUT_OPEN)", 0 },
    { "loopback", "handle", "hang", LATE, "the plugin does not answer: any took more than 0.5 s (COHORT_TIMEOUT_OPEN)", 0 },
    { "loopback", "device_open", "hang", LATE, "open did not finish within 0.5 s (COHORT_TIMEOUT_OPEN)", 0 },
    { "loopback", "device_close", "hang", LATE, "close did not finish within 0.5 s (COHORT_TIMEOUT_OPEN)", 0 },
    { "loopback", "mem_alloc", "hang", LATE, "allocate memory did not finish within 0.5 s (COHORT_TIMEOUT_ALLOC)", 0 },
    { "loopback", "mem_free", "hang", LATE, "free did not finish within 0.5 s (COHORT_TIMEOUT_ALLOC)", 0 },
    { "loopback", "write", "hang", LATE, "write did not finish within 0.5 s (COHORT_TIMEOUT_COPY)", 0 },
    { "loopback", "read", "hang", LATE, "read did not finish within 0.5 s (COHORT_TIMEOUT_COPY)", 0 },
    { "loopback", "kernel_create", "hang", LATE, "build did not finish within 0.5 s (COHORT_TIMEOUT_BUILD)", 0 },
    { "loopback", "kernel_destroy", "hang", LATE, "free a kernel did not finish within 0.5 s (COHORT_TIMEOUT_BUILD)", 0 },
    { "loopback", "launch", "hang", LATE, "launch did not finish within 0.5 s (COHORT_TIMEOUT_LAUNCH)", 0 },
    { "visible", "mem_host_ptr", "hang", LATE, "allocate memory did not finish within 0.5 s (COHORT_TIMEOUT_ALLOC)", 0 },
    { "visible", "mem_import", "hang", LATE, "import memory did not finish within 0.5 s (COHORT_TIMEOUT_ALLOC)", 0 },
    { "visible", "can_access_peer", "hang", LATE, "can_access_peer did not finish within 0.5 s (COHORT_TIMEOUT_OPEN)", ONLY_PARTS },
    { "visible", "worker_attach", "hang", LATE, "worker_attach did not finish within 0.5 s (COHORT_TIMEOUT_OPEN)", 0 },
    { "visible", "reduce", "hang", LATE, "reduce did not finish within", ONLY_ALONE },
    { "visible", "kernel_binary", "hang", LATE, "binary did not finish within 0.5 s (COHORT_TIMEOUT_BUILD)", 0 },
    { "stream", "mem_alloc", "hang", LATE, "allocate memory did not finish within 0.5 s (COHORT_TIMEOUT_ALLOC)", 0 },
    { "stream", "kernel_create", "hang", LATE, "build did not finish within 0.5 s (COHORT_TIMEOUT_BUILD)", 0 },
    { "stream", "write", "hang", LATE, "write did not finish within 0.5 s (COHORT_TIMEOUT_COPY)", 0 },
    { "stream", "read", "hang", LATE, "read did not finish within 0.5 s (COHORT_TIMEOUT_COPY)", 0 },
    { "stream", "launch", "hang", LATE, "launch did not finish within 0.5 s (COHORT_TIMEOUT_EVENT)", 0 },
    { "stream", "event_wait", "hang", LATE, "did not finish within 0.5 s (COHORT_TIMEOUT_", 0 },
    { "stream", "event_release", "hang", LATE, "did not finish within 0.5 s (COHORT_TIMEOUT_", 0 },
    { "stream", "event_wait", "-11", LATE, "did not finish within 0.5 s (COHORT_TIMEOUT_", 0 },
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof *rows };

/* ------------------------------------------------------------------ the process that uses the
 * plugin */

/* A body that the plugin takes, for it to make binaries of. */
static const cohort_body twice_bodies[] = {
    { .format = "wrong.blob", .data = "twice", .bytes = sizeof "twice" }, { 0 }
};

COHORT_FUNCTION(twice, (int64_t n, const float x[n], COHORT_OUT float y[n]), .more = twice_bodies)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

COHORT_FUNCTION(add, (const float x[1], float w[1]), COHORT_HOST_ONLY)
{
    w[0] += x[0];
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print_log(void *user, int level, const char *line)
{
    (void)user;
    printf("log %d %s\n", level, line);
}

/* What cannot be read is no number; what can be read is right. */
static void check(cohort_status status, const char *what, float found, float wanted)
{
    if (status < 0)
        printf("%s %s %s\n", what, cohort_status_name(status), cohort_error_text());
    else
        printf("%s %g %s\n", what, (double)found, found == wanted ? "right" : "WRONG NUMBER");
}

static void say(cohort_status status, const char *what)
{
    if (status < 0)
        printf("%s %s %s\n", what, cohort_status_name(status), cohort_error_text());
}

/* Steps of twice, twice, for calls that repeat are made otherwise; a sum over all rows; an
 * update. */
static void work(cohort_strategy *s)
{
    float x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[8] = { 0 }, total[1] = { 0 }, w[1] = { 0 };
    void *handle;
    cohort_variable *variable = cohort_variable_create(s, "w", COHORT_ARRAY(w, 1), NULL);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 8)), *out = cohort_value_create(s),
                 *sum = cohort_value_create(s);
    for (int i = 0; i < 2; i++) {
        say(cohort_value_set(in, COHORT_ARRAY(x, 8)), "set");
        say(cohort_run(s, twice, in, out), "run");
        say(cohort_run(s, twice, in, out), "run");
        say(cohort_reduce(COHORT_SUM, out, 0, sum), "reduce");
        say(cohort_update(variable, add, sum, variable), "update");
        cohort_status status = cohort_value_read(out, COHORT_ARRAY(y, 8));
        for (int j = 0; j < 8; j++)
            check(status, "out", y[j], 2 * x[j]);
        status = cohort_value_read(sum, COHORT_ARRAY(total, 1));
        check(status, "sum", total[0], 72);
        status = cohort_variable_read(variable, COHORT_ARRAY(w, 1));
        check(status, "variable", w[0], 72 * (float)(i + 1));
    }
    int last = cohort_strategy_num_replicas(s) - 1;
    if (strstr(getenv("COHORT_WRONG"), "handle") != NULL)
        say(cohort_replica_handle(s, last, "any", &handle), "handle");
    say(cohort_wait(s), "wait");
    say(cohort_strategy_recover(s), "recover");
}

static int use_plugin(const char *devices)
{
    (void)alarm(IS_SANITIZED ? 60 : 10);
    cohort_log_set(print_log, NULL, COHORT_LOG_WARNING);
    double begin = now();
    int replicas = strstr(devices, "/2") != NULL ? 6 : 2;
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
    if (s == NULL)
        printf("create %s %s\n", cohort_status_name(cohort_strategy_status(NULL)),
               cohort_error_text());
    else
        work(s);
    cohort_strategy_destroy(s);
    printf("took %.3f\n", now() - begin);
    if (getenv("COHORT_AGAIN") != NULL && (s = cohort_one_device("wrong:0")) == NULL)
        printf("again %s\n", cohort_error_text());
    for (const cohort_unused *u = cohort_unused_next(NULL); u != NULL; u = cohort_unused_next(u))
        printf("unused %s\n", cohort_unused_reason(u));
    (void)fflush(stdout);
    _exit(0); /* some thread may never end */
}

/* ------------------------------------------------------------------ the one that looks */

static const char *const lists[] = { "wrong", "host,wrong/2" };
enum { LISTS = 2, OUTPUT_BYTES = 1 << 16 };

typedef struct trial {
    pid_t child;
    FILE *file;
    int status;
    char output[OUTPUT_BYTES];
} trial;

static void set_deadlines(const row *r)
{
    static const char *const settings[] = { "COHORT_TIMEOUT_OPEN", "COHORT_TIMEOUT_ALLOC",
                                            "COHORT_TIMEOUT_COPY", "COHORT_TIMEOUT_BUILD",
                                            "COHORT_TIMEOUT_EVENT" };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        (void)setenv(settings[i], "0.5", 1);
    if (strstr(r->told, "COHORT_TIMEOUT_LAUNCH") != NULL)
        (void)setenv("COHORT_TIMEOUT_LAUNCH", "0.5", 1);
}

static char cache[4200]; /* where binaries are kept, in the rows that have some */

static bool keeps_binaries(const row *r)
{
    return strcmp(r->operation, "kernel_binary") == 0 || strcmp(r->operation, "version") == 0;
}

static void become_child(const row *r, const char *devices, FILE *file)
{
    char text[100];
    (void)snprintf(text, sizeof text, "%s %s %s", r->base, r->operation, r->answer);
    (void)setenv("COHORT_WRONG", text, 1);
    (void)setenv("COHORT_PLUGINS", "host,wrong", 1);
    (void)setenv("COHORT_CACHE", keeps_binaries(r) ? cache : "off", 1);
    if (r->result == LATE)
        set_deadlines(r);
    else
        (void)setenv("COHORT_AGAIN", "1", 1);
    (void)dup2(fileno(file), STDOUT_FILENO);
    (void)dup2(fileno(file), STDERR_FILENO);
    (void)execl("/proc/self/exe", "wrong_answers", devices, (char *)NULL);
    _exit(127);
}

static void begin(const row *r, const char *devices, trial *t)
{
    t->file = tmpfile();
    t->child = t->file != NULL ? fork() : -1;
    if (t->child == 0)
        become_child(r, devices, t->file);
}

static void end(trial *t)
{
    t->output[0] = '\0';
    t->status = -1;
    if (t->child > 0)
        (void)waitpid(t->child, &t->status, 0);
    if (t->file == NULL)
        return;
    rewind(t->file);
    t->output[fread(t->output, 1, OUTPUT_BYTES - 1, t->file)] = '\0';
    (void)fclose(t->file);
}

static bool says(const trial *t, const char *what)
{
    return strstr(t->output, what) != NULL;
}

/* Where the plugin says which replica's launch has failed, the core says the same. */
static bool names_replica(const trial *t)
{
    const char *name = "twice, replica ", *word = "no replica ";
    const char *core = strstr(t->output, name), *plugin = strstr(t->output, word);
    return plugin == NULL || (core != NULL && strtol(core + strlen(name), NULL, 10) ==
                                                  strtol(plugin + strlen(word), NULL, 10));
}

static bool is_told(const row *r, const trial *t, bool has_parts)
{
    char refused[600];
    if ((r->flags & (has_parts ? ONLY_ALONE : ONLY_PARTS)) != 0)
        return !says(t, "E");
    switch (r->result) {
    case LIE:
        (void)snprintf(refused, sizeof refused, "again device 'wrong:0': ");
        return says(t, r->told) && says(t, refused) && says(t, "the plugin is not used any more") &&
               strstr(strstr(t->output, "again"), "unused ") != NULL;
    case LOAD:
        return says(t, r->told) && says(t, "create ") && says(t, "again no device 'wrong:0'");
    case FINE:
        return !says(t, "again") && says(t, "variable 144 right") && !says(t, "log 0") &&
               says(t, r->told);
    default:
        return says(t, r->told) && names_replica(t);
    }
}

/* How long after its deadline, in ms. */
static double overrun(const trial *t)
{
    const char *took = strstr(t->output, "took ");
    return took != NULL ? (strtod(took + strlen("took "), NULL) - 0.5) * 1e3 : 0;
}

static double latest;

static void judge(const row *r, const trial *t, const char *devices)
{
    bool has_ended = WIFEXITED(t->status) && WEXITSTATUS(t->status) == 0;
    bool is_good =
        has_ended && is_told(r, t, strchr(devices, '/') != NULL) && !says(t, "WRONG NUMBER");
    if (!ok(is_good, "%s: %s answers %s, on %s", r->base, r->operation, r->answer, devices))
        diag("status %d; wanted %s; %.3000s", t->status, r->told, t->output);
    if (r->result == LATE && overrun(t) > 100)
        diag("%.0f ms after the deadline", overrun(t));
    if (r->result == LATE && overrun(t) > latest)
        latest = overrun(t);
}

/* How many binaries there are after a process with a plugin of this version; -1: it failed. */
static int count_binaries(const char *version)
{
    static trial t;
    const row r = { "visible", "version", version, FINE, "", 0 };
    begin(&r, "wrong", &t);
    end(&t);
    DIR *folder = is_told(&r, &t, false) ? opendir(cache) : NULL;
    int n = folder != NULL ? 0 : -1;
    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;)
        n += e->d_name[0] != '.';
    if (folder != NULL)
        (void)closedir(folder);
    return n;
}

/* A binary is looked for by the version of the plugin that made it. */
static void test_versions(void)
{
    char command[4300];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", cache);
    (void)!system(command);
    int first = count_binaries("1"), again = count_binaries("1"), newer = count_binaries("2");
    ok(first > 0 && again == first, "the binaries of a plugin are kept once");
    if (!ok(newer == 2 * first, "one of another version has binaries of its own"))
        diag("%d, then %d, then %d", first, again, newer);
}

static bool find_plugins(void)
{
    static char all[8192];
    const char *paths = getenv("COHORT_PLUGIN_PATH"), *folder = getenv("builddir");
    (void)snprintf(all, sizeof all, "%s:%s/plugins/wrong/.libs", paths != NULL ? paths : "",
                   folder);
    return paths != NULL && folder != NULL && setenv("COHORT_PLUGIN_PATH", all, 1) == 0;
}

int main(int argc, char **argv)
{
    static trial trials[LISTS];
    if (argc > 1)
        return use_plugin(argv[1]);
    if (!find_plugins())
        return skip_all("COHORT_PLUGIN_PATH is not set");
    const char *only = getenv("ONLY");
    (void)snprintf(cache, sizeof cache, "%s/tests/wrong-cache", getenv("builddir"));
    for (int i = 0; i < ROWS; i++) {
        if (only != NULL && i != atoi(only))
            continue;
        for (int j = 0; j < LISTS; j++)
            begin(&rows[i], lists[j], &trials[j]);
        for (int j = 0; j < LISTS; j++)
            end(&trials[j]);
        for (int j = 0; j < LISTS; j++)
            judge(&rows[i], &trials[j], lists[j]);
    }
    if (only == NULL)
        test_versions();
    diag("%d rows; the latest end was %.0f ms after its deadline, the work itself included", ROWS,
         latest);
    return tap_done();
}
