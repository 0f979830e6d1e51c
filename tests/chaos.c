/* SPDX-License-Identifier: BSD-3-Clause */
/* Three steps of a training on a device that fails once, somewhere: plugins/chaos lets the K-th
 * call of an operation of the host, loopback, stream or OpenCL fail, be late, hang or lie, in a
 * loop of calls and in a recorded program. Whatever it was,
 *   - each call answers a documented status, and each wait ends;
 *   - after recover the variable is as after as many steps as it says, to the last bit, and where
 *     no device was lost the steps that are missing can be done;
 *   - other devices compute as ever, the same device, too, unless it was lost or refused;
 *   - nothing that the device has handed out is left.
 * And without a fault: operations that a plugin may leave out are left out, one and all, and the
 * bits are the same; a step function reaches an extension of the vendor's.
 *
 * Faults are drawn: SEED=N plays the same again, CASES=N that many of each plugin, all: each
 * operation, at its first, second, middle and last call, with each fault (make check-long);
 * BASE=stream one plugin alone.
 * COHORT_CHAOS as it is printed plays one by hand: chaos.t play DEVICES RECORDED. */
#include "config.h"

#include "cohort/cohort.h"
#include "plugins/chaos.h"
#include "tests/sanitized.h"
#include "tests/tap.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 20000, STEPS = 3, ATTEMPTS = 4, REPLICAS = 3, OUTPUT_BYTES = 1 << 15 };

/* ------------------------------------------------------------------ the training */

COHORT_ITEMS(gradient, i, n, (int64_t n, const float x[n], const float w[n], COHORT_OUT float g[n]),
             { g[i] = x[i] * w[i] + x[i]; });

COHORT_ITEMS(descend, i, n, (int64_t n, const float g[n], float w[n]), { w[i] -= 0.125f * g[i]; });

typedef struct model {
    cohort_strategy *s;
    cohort_variable *w;
    cohort_value *x, *g, *sum;
    cohort_program *program; /* NULL: a loop of calls */
} model;

static float rows[REPLICAS * N], found[N], expected[STEPS + 1][N];
static bool is_bad;

static void bad(const char *what)
{
    printf("bad: %s (%s)\n", what, cohort_error_text());
    is_bad = true;
}

static cohort_status check(cohort_status status)
{
    if (status > COHORT_END || strcmp(cohort_status_name(status), "?") == 0)
        bad("a status that there is not");
    if (status < 0 && cohort_error_text()[0] == '\0')
        bad("an error without a text");
    return status;
}

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    cohort_status status = cohort_run(s, gradient, m->x, m->w, m->g);
    if (status >= 0)
        status = cohort_reduce(COHORT_SUM, m->g, 0, m->sum);
    return status < 0 ? status : cohort_update(m->w, descend, m->sum, m->w);
}

/* False: not even that can be done. */
static bool prepare(model *m, const char *devices, bool is_recorded)
{
    *m = (model){ .s = cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = devices, .replicas = REPLICAS }) };
    if (m->s == NULL) {
        (void)check(cohort_strategy_status(NULL));
        return false;
    }
    memset(found, 0, sizeof found);
    m->w = cohort_variable_create(m->s, "w", COHORT_ARRAY(found, N), NULL);
    m->x = cohort_value_split(m->s, COHORT_ARRAY(rows, REPLICAS, N));
    m->g = cohort_value_create(m->s);
    m->sum = cohort_value_create(m->s);
    if (is_recorded)
        m->program = cohort_program_record(m->s, step, m, NULL, 0);
    return m->w != NULL && m->x != NULL && m->g != NULL && m->sum != NULL &&
           (m->program != NULL || !is_recorded);
}

/* Go on until the variable has had `steps` steps. */
static cohort_status do_steps(model *m, int64_t steps)
{
    cohort_status status = COHORT_OK;
    int64_t left = steps - cohort_variable_updates(m->w);
    for (int64_t i = 0; i < left && status >= 0; i++) {
        if (m->program == NULL)
            status = check(cohort_value_set(m->x, COHORT_ARRAY(rows, REPLICAS, N)));
        if (status >= 0)
            status = check(m->program != NULL ? cohort_program_run(m->program, NULL, 1)
                                              : step(m->s, NULL, m));
    }
    return status < 0 ? status : check(cohort_wait(m->s));
}

/* The variable is what its steps make of it. False: it cannot be read. */
static bool check_variable(const model *m)
{
    int64_t updates = cohort_variable_updates(m->w);
    if (check(cohort_variable_read(m->w, COHORT_ARRAY(found, N))) < 0)
        return false;
    if (updates < 0 || updates > STEPS)
        bad("a number of steps that it was not told to do");
    else if (memcmp(found, expected[updates], sizeof found) != 0)
        bad("a variable that is not as after its steps");
    return true;
}

/* Train, and after each error recover and go on. True: all steps were done. */
static bool train(model *m)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        if (do_steps(m, STEPS) >= 0)
            return check_variable(m) && cohort_variable_updates(m->w) == STEPS;
        if (check(cohort_strategy_recover(m->s)) < 0)
            return false;
        (void)check_variable(m);
    }
    return false;
}

static bool train_on(const char *devices, bool is_recorded)
{
    model m;
    bool is_done = prepare(&m, devices, is_recorded) && train(&m);
    cohort_strategy_destroy(m.s);
    return is_done;
}

/* What the host has after each step. */
static void compute_expected(void)
{
    model m;
    for (int i = 0; i < REPLICAS * N; i++)
        rows[i] = (float)(i % 101) / 64 - (float)(i / N);
    if (!prepare(&m, "host", false))
        bad("no host");
    for (int i = 1; i <= STEPS && !is_bad; i++) {
        if (do_steps(&m, i) < 0 ||
            cohort_variable_read(m.w, COHORT_ARRAY(expected[i], N)) != COHORT_OK)
            bad("a host that fails");
    }
    cohort_strategy_destroy(m.s);
}

/* ------------------------------------------------------------------ one case */

static const cohort_chaos *find_chaos(void)
{
    const void *table = NULL;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strncmp(cohort_device_id(d), "chaos:", 6) == 0 &&
            cohort_device_extension(d, COHORT_CHAOS, &table) == COHORT_OK)
            return table;
    return NULL;
}

/* ---- An extension of the vendor's, in a step function. */

static cohort_status look_in_step(cohort_replica *me, void *user)
{
    const cohort_device *device = cohort_replica_device(me);
    const void *table = user;
    bool is_chaos = strncmp(cohort_device_id(device), "chaos:", 6) == 0;
    cohort_status status = cohort_device_extension(device, COHORT_CHAOS, &table);
    if (is_chaos ? status != COHORT_OK || ((const cohort_chaos *)table)->calls("mem_alloc") == 0
                 : status != COHORT_ENOTSUP || table != NULL)
        bad("an extension that a step function does not reach");
    return COHORT_OK;
}

static void check_extension(const char *devices)
{
    static const char *const wrong[] = { NULL, "cohort.handle/0" };
    const cohort_device *device = cohort_device_next(NULL);
    const void *table = &device;
    model m;
    if (!prepare(&m, devices, false) || cohort_run(m.s, gradient, m.x, m.w, m.g) < 0 ||
        cohort_for_each_replica(m.s, look_in_step, NULL) < 0)
        bad("a step function that looks for an extension");
    cohort_strategy_destroy(m.s);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++, table = &device)
        if (cohort_device_extension(device, wrong[i], &table) != COHORT_EINVAL || table != NULL)
            bad("a wrong name of an extension that passes");
    if (cohort_device_extension(NULL, COHORT_CHAOS, &table) != COHORT_EINVAL ||
        cohort_device_extension(device, COHORT_CHAOS, NULL) != COHORT_EINVAL)
        bad("an extension of nothing");
}

static const char *const slots[] = {
    "enumerate",       "device_open",   "device_close",  "mem_alloc",      "mem_free",
    "write",           "read",          "kernel_create", "kernel_destroy", "launch",
    "event_wait",      "event_release", "mem_host_ptr",  "mem_import",     "copy",
    "can_access_peer", "reduce",        "worker_attach", "launch_batch",   "kernel_binary"
};
enum { SLOTS = sizeof slots / sizeof *slots };

/* What a fault leaves: it is over, and all is given back; the device is not to be used again; or
 * nobody knows what it has done. */
static bool has_rule(const char *fault)
{
    return strstr(getenv("COHORT_CHAOS"), fault) != NULL;
}

static bool is_lie(void)
{
    static const char *const lies[] = { ",status", ",none", ",both", ",event",
                                        ",text",   ",more", ",odd" };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++)
        if (has_rule(lies[i]))
            return true;
    return false;
}

static void say_calls(const cohort_chaos *chaos)
{
    for (int i = 0; i < SLOTS && chaos != NULL; i++)
        printf("calls %s %d\n", slots[i], (int)chaos->calls(slots[i]));
}

static void check_counts(const cohort_chaos *chaos)
{
    cohort_chaos_counts counts;
    chaos->counts(&counts);
    printf("struck %d\n", (int)counts.struck);
    if (has_rule(",hang") || is_lie())
        return; /* what a device holds that hangs, or cannot be relied on, stays */
    if (counts.devices != 0 || counts.mems != 0 || counts.kernels != 0 || counts.events != 0) {
        printf("left: %d devices, %d blocks, %d kernels, %d events\n", (int)counts.devices,
               (int)counts.mems, (int)counts.kernels, (int)counts.events);
        bad("objects of the device that are left");
    }
}

static int play(const char *devices, bool is_recorded)
{
    (void)alarm(IS_SANITIZED ? 200 : 60);
    bool is_once = !has_rule(",hang") && !has_rule(",lose") && !has_rule(",-6") && !is_lie() &&
                   !has_rule("enumerate");
    compute_expected();
    bool is_done = train_on(devices, is_recorded);
    printf("%s\n", is_done ? "done" : "not done");
    const cohort_chaos *chaos = find_chaos();
    say_calls(chaos);
    if (!has_rule("rule="))
        check_extension(devices);
    if (!train_on("host", is_recorded))
        bad("another device that cannot be used any more");
    /* a second time, should the fault have come only now, and to the variable's first content */
    if (is_once && !train_on(devices, is_recorded) && !train_on(devices, is_recorded))
        bad("the device, which failed once, cannot be used any more");
    if (chaos != NULL)
        check_counts(chaos);
    if (!is_bad)
        printf("fine\n");
    (void)fflush(stdout);
    _exit(0); /* some thread may never end */
}

/* ------------------------------------------------------------------ the one that draws */

static char output[OUTPUT_BYTES];
static uint64_t chance;

/* splitmix64 */
static uint64_t draw(uint64_t n)
{
    uint64_t z = chance += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % n;
}

static void become_child(const char *base, const char *schedule, const char *devices,
                         bool is_recorded, FILE *file)
{
    static const char *const settings[] = { "COHORT_TIMEOUT_OPEN",  "COHORT_TIMEOUT_ALLOC",
                                            "COHORT_TIMEOUT_COPY",  "COHORT_TIMEOUT_BUILD",
                                            "COHORT_TIMEOUT_EVENT", "COHORT_TIMEOUT_LAUNCH" };
    const char *deadline = strcmp(base, "opencl") == 0 || IS_SANITIZED ? "10" : "0.5";
    char plugins[64];
    for (size_t i = 0; i < sizeof settings / sizeof *settings && strstr(schedule, ",hang") != NULL;
         i++)
        (void)setenv(settings[i], deadline, 1);
    (void)snprintf(plugins, sizeof plugins, "host,chaos");
    (void)setenv("COHORT_PLUGINS", plugins, 1);
    (void)setenv("COHORT_CACHE", "off", 1);
    (void)setenv("COHORT_CHAOS", schedule, 1);
    (void)dup2(fileno(file), STDOUT_FILENO);
    (void)dup2(fileno(file), STDERR_FILENO);
    (void)execl("/proc/self/exe", "chaos", "play", devices, is_recorded ? "1" : "0", (char *)NULL);
    _exit(127);
}

static int run(const char *base, const char *schedule, const char *devices, bool is_recorded)
{
    FILE *file = tmpfile();
    int status = -1;
    pid_t child = file != NULL ? fork() : -1;
    if (child == 0)
        become_child(base, schedule, devices, is_recorded, file);
    if (child > 0)
        (void)waitpid(child, &status, 0);
    output[0] = '\0';
    if (file == NULL)
        return status;
    rewind(file);
    output[fread(output, 1, OUTPUT_BYTES - 1, file)] = '\0';
    (void)fclose(file);
    return status;
}

static int calls_of(const char *slot)
{
    char line[64];
    (void)snprintf(line, sizeof line, "calls %s ", slot);
    const char *at = strstr(output, line);
    return at != NULL ? atoi(at + strlen(line)) : 0;
}

typedef struct subject {
    const char *base, *folder;
    const char *devices;
    bool is_recorded;
    int calls[SLOTS];
} subject;

static void write_schedule(const subject *t, char *out, size_t bytes, const char *rule)
{
    (void)snprintf(out, bytes, "plugin=%s/%s/.libs/cohort-%s.so%s%s", getenv("builddir"), t->folder,
                   t->base, rule[0] != '\0' ? " rule=" : "", rule);
}

/* One without a fault; false: there is no such plugin. */
static bool look_at(subject *t)
{
    char schedule[4096];
    write_schedule(t, schedule, sizeof schedule, "");
    int status = run(t->base, schedule, t->devices, t->is_recorded);
    if (strstr(output, "\ndone") == NULL && strncmp(output, "done", 4) != 0 &&
        strcmp(t->base, "opencl") == 0) {
        skip("three steps on OpenCL", "no OpenCL device");
        return false;
    }
    for (int i = 0; i < SLOTS; i++)
        t->calls[i] = calls_of(slots[i]);
    if (!ok(status == 0 && strstr(output, "fine") != NULL,
            "%s, devices %s, %s: three steps without a fault", t->base, t->devices,
            t->is_recorded ? "recorded" : "a loop"))
        diag("%d %.3000s", status, output);
    return true;
}

/* Faults that a user survives: each operation has the first ones, and those that can be of it. */
static const struct fault {
    const char *words;
    const char *slots; /* NULL: all */
} faults[] = {
    { "error,-10", NULL },
    { "error,-2", NULL },
    { "error,-5", NULL },
    { "error,-6", NULL },
    { "after,-10", NULL },
    { "lose", NULL },
    { "delay,20", NULL },
    { "hang", NULL },
    { "status", NULL },
    { "text", NULL },
    { "none", "device_open mem_alloc kernel_create mem_import" },
    { "both", "write read copy launch" },
    { "event", "write read copy launch" },
    { "odd", "mem_host_ptr" },
    { "more", "enumerate can_access_peer launch_batch" },
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* `event` lies only where there are none; of OpenCL it would be the driver's to fail. */
static bool can_be(const subject *t, int slot, int fault)
{
    bool has_events = t->calls[10] > 0;
    const char *words = faults[fault].words;
    if (t->calls[slot] == 0 ||
        (faults[fault].slots != NULL && strstr(faults[fault].slots, slots[slot]) == NULL))
        return false;
    return strcmp(words, "event") != 0 || !has_events;
}

static void test_case(const subject *t, int slot, int nth, int fault)
{
    char rule[128];
    char schedule[4096];
    (void)snprintf(rule, sizeof rule, "%s,%d,%s", slots[slot], nth, faults[fault].words);
    write_schedule(t, schedule, sizeof schedule, rule);
    int status = run(t->base, schedule, t->devices, t->is_recorded);
    if (!ok(status == 0 && strstr(output, "fine\n") != NULL, "%s, devices %s, %s: %s", t->base,
            t->devices, t->is_recorded ? "recorded" : "a loop", rule))
        diag("COHORT_CHAOS='%s' tests/chaos.t play %s %d: status %d; %.3000s", schedule, t->devices,
             t->is_recorded, status, output);
}

/* ---- Operations that a plugin may leave out. */

static const char *const optional[] = { "event_wait,event_release",
                                        "mem_host_ptr",
                                        "mem_import",
                                        "copy",
                                        "can_access_peer",
                                        "reduce",
                                        "worker_attach",
                                        "launch_batch",
                                        "kernel_binary" };
enum { OPTIONAL = sizeof optional / sizeof *optional };

static bool is_called(const subject *t, const char *slot)
{
    for (int i = 0; i < SLOTS; i++)
        if (strncmp(slots[i], slot, strcspn(slot, ",")) == 0 &&
            strlen(slots[i]) == strcspn(slot, ","))
            return t->calls[i] > 0;
    return false;
}

/* The core does the work itself, with the bits of the plugin. */
static void test_without(const subject *t, const char *mask)
{
    char schedule[4096];
    size_t length;
    write_schedule(t, schedule, sizeof schedule, "");
    length = strlen(schedule);
    (void)snprintf(schedule + length, sizeof schedule - length, " mask=%s", mask);
    int status = run(t->base, schedule, t->devices, t->is_recorded);
    bool is_there = strchr(mask, ' ') == NULL && calls_of(mask) > 0;
    if (!ok(status == 0 && strstr(output, "fine\n") != NULL && strstr(output, "not done") == NULL &&
                !is_there,
            "%s, devices %s, %s: the same bits without %s", t->base, t->devices,
            t->is_recorded ? "recorded" : "a loop", mask))
        diag("COHORT_CHAOS='%s': status %d; %.3000s", schedule, status, output);
}

static void test_optional(const subject *t)
{
    char all[512] = "";
    for (int i = 0; i < OPTIONAL; i++) {
        if (is_called(t, optional[i]))
            test_without(t, optional[i]);
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? "," : "",
                       optional[i]);
    }
    test_without(t, all);
}

static void test_drawn(const subject *t, int n)
{
    for (int done = 0; done < n;) {
        int slot = (int)draw(SLOTS), fault = (int)draw(FAULTS);
        if (!can_be(t, slot, fault))
            continue;
        done++;
        if (strcmp(faults[fault].words, "hang") == 0 && draw(4) > 0)
            continue; /* each takes as long as a deadline */
        test_case(t, slot, 1 + (int)draw((uint64_t)t->calls[slot]), fault);
    }
}

static void test_all(const subject *t)
{
    for (int slot = 0; slot < SLOTS; slot++)
        for (int fault = 0; fault < FAULTS; fault++) {
            int last = t->calls[slot], at[] = { 1, 2, last / 2, last };
            for (int i = 0; i < 4 && can_be(t, slot, fault); i++)
                if (at[i] > (i > 0 ? at[i - 1] : 0))
                    test_case(t, slot, at[i], fault);
        }
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
    static const struct {
        const char *base, *folder;
        int cases; /* of make check */
    } bases[] = { { "host", "host", 3 },
                  { "loopback", "plugins", 3 },
                  { "stream", "plugins", 3 },
                  { "opencl", "opencl", 1 } };
    static const char *const devices[] = { "chaos", "host,chaos", "chaos/2" };
    enum { DEVICES = sizeof devices / sizeof *devices };
    const char *seed = getenv("SEED"), *cases = getenv("CASES");
    if (!find_plugins())
        return skip_all("COHORT_PLUGIN_PATH is not set");
    if (argc > 3)
        return play(argv[2], argv[3][0] == '1');
    chance = seed != NULL ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    diag("SEED=%llu", (unsigned long long)chance);
    const char *only = getenv("BASE");
    int opencl_row = (int)draw(2 * DEVICES);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        for (int j = 0; j < 2 * DEVICES; j++) {
            subject t = { .base = bases[i].base,
                          .folder = bases[i].folder,
                          .devices = devices[j % DEVICES],
                          .is_recorded = j >= DEVICES };
            bool is_all = cases != NULL && strcmp(cases, "all") == 0;
            if (only != NULL && strcmp(only, t.base) != 0)
                continue;
            if (strcmp(t.base, "opencl") == 0 && cases == NULL && j != opencl_row)
                continue; /* a driver is slow: one of its rows */
            if (!look_at(&t))
                break;
            if (!ok(is_called(&t, "mem_alloc"), "... and chaos counts calls"))
                break;
            test_optional(&t);
            if (is_all)
                test_all(&t);
            else
                test_drawn(&t, cases != NULL ? atoi(cases) : bases[i].cases);
        }
    return tap_done();
}
