/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of strategies (cohort/stats.h), compared with what the plugins loopback and stream
 * have counted themselves, with what the calls must have posted, and with one another. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 600, STEPS = 40 };

static float x[ROWS];

COHORT_FUNCTION(scale, (int64_t n, float a, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i];
}

COHORT_FUNCTION(step_down, (int64_t n, float w[n], const float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= y[i];
}

static cohort_strategy *open_on(const char *devices, int32_t replicas)
{
    return cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
}

static cohort_stats stats_of(cohort_strategy *s)
{
    cohort_stats stats = { .struct_size = sizeof stats };
    if (cohort_strategy_stats(s, &stats) < 0)
        diag("%s", cohort_error_text());
    return stats;
}

static cohort_device_stats device_of(cohort_strategy *s, int device)
{
    cohort_device_stats stats = { .struct_size = sizeof stats };
    if (cohort_strategy_device_stats(s, device, &stats) < 0)
        diag("%s", cohort_error_text());
    return stats;
}

/* ------------------------------------------------------------------ what is wrong */

static cohort_status ask_inside(cohort_replica *me, void *user)
{
    cohort_stats stats = { .struct_size = sizeof stats };
    cohort_status *status = user;
    if (cohort_replica_id(me) == 0)
        *status = cohort_strategy_stats(cohort_replica_strategy(me), &stats);
    return COHORT_OK;
}

static void refusing(void)
{
    cohort_strategy *s = open_on("host", 2);
    cohort_stats stats = { .struct_size = 8 };
    cohort_device_stats device = { .struct_size = sizeof device - 1 };
    cohort_status status = COHORT_OK;
    ok(cohort_strategy_stats(NULL, &stats) == COHORT_EINVAL &&
           cohort_strategy_device_stats(NULL, 0, &device) == COHORT_EINVAL &&
           cohort_strategy_stats_json(NULL)[0] == '\0',
       "no strategy has no statistics");
    ok(cohort_strategy_stats(s, NULL) == COHORT_EINVAL && says("out is NULL") &&
           cohort_strategy_device_stats(s, 0, NULL) == COHORT_EINVAL && says("out is NULL"),
       "nowhere to put them is an error");
    ok(cohort_strategy_stats(s, &stats) == COHORT_EINVAL && says("struct_size is 8") &&
           stats.calls == 0 && cohort_strategy_device_stats(s, 0, &device) == COHORT_EINVAL &&
           says("set it to its sizeof"),
       "a struct of no version is one, and is left alone");
    device.struct_size = sizeof device;
    ok(cohort_strategy_device_stats(s, 1, &device) == COHORT_EINVAL && says("device 1 of 1") &&
           cohort_strategy_device_stats(s, -1, &device) == COHORT_EINVAL && says("device -1 of 1"),
       "so is a device that is none");
    ok(cohort_strategy_status(s) == COHORT_OK, "none of these errors is the strategy's");
    (void)cohort_for_each_replica(s, ask_inside, &status);
    ok(status == COHORT_EINVAL, "a step function cannot ask: its operations are under way");
    (void)cohort_strategy_recover(s);
    cohort_strategy_destroy(s);
}

/* A caller of a later header, and of one that ends where the first version does. */
static void growing(void)
{
    cohort_strategy *s = open_on("host", 1);
    struct {
        cohort_stats stats;
        int64_t later[4];
    } room = { .stats.struct_size = sizeof room, .later = { 7, 7, 7, 7 } };
    ok(cohort_strategy_stats(s, &room.stats) == COHORT_OK && room.later[0] == 7 &&
           room.stats.n_devices == 1 && room.stats.struct_size == sizeof room,
       "a struct that has grown gets what this library knows");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ against plugins */

typedef struct work {
    cohort_value *x, *y, *sum;
    cohort_variable *w;
} work;

static cohort_array rows(void)
{
    return (cohort_array){ .data = x, .dtype = COHORT_F32, .rank = 1, .shape = { ROWS } };
}

static work make_work(cohort_strategy *s)
{
    return (work){ .x = cohort_value_plain(s, rows()),
                   .y = cohort_value_create(s),
                   .sum = cohort_value_create(s),
                   .w = cohort_variable_create(s, "w", rows(), NULL) };
}

static void do_work(cohort_strategy *s, work *k)
{
    (void)cohort_value_set(k->x, rows());
    (void)cohort_run(s, scale, 0.5F, k->x, k->y);
    (void)cohort_reduce(COHORT_SUM, k->y, COHORT_NO_AXIS, k->sum);
    if (cohort_update(k->w, step_down, k->w, k->sum) < 0)
        diag("%s", cohort_error_text());
}

/* The plugin's own counts, and those of the library. */
static bool agrees(const cohort_device_stats *d, const cohort_loopback_counts *c)
{
    const struct {
        const char *what;
        int64_t ours;
        uint64_t theirs;
    } rows[] = { { "launches", d->launches, c->ops[COHORT_LOOPBACK_LAUNCH] },
                 { "writes", d->writes, c->ops[COHORT_LOOPBACK_WRITE] },
                 { "reads", d->reads, c->ops[COHORT_LOOPBACK_READ] },
                 { "copies", d->copies, c->ops[COHORT_LOOPBACK_COPY] },
                 { "allocations", d->allocations, c->ops[COHORT_LOOPBACK_ALLOC] },
                 { "builds", d->builds, c->ops[COHORT_LOOPBACK_KERNEL_CREATE] },
                 { "bytes written", d->bytes_written, c->bytes_in },
                 { "bytes read", d->bytes_read, c->bytes_out },
                 { "bytes copied", d->bytes_copied, c->bytes_inside },
                 { "memory", d->memory, c->live_bytes } };
    bool is_same = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].ours != (int64_t)rows[i].theirs) {
            diag("%s of %s: %lld, its plugin %llu", rows[i].what, d->device,
                 (long long)rows[i].ours, (unsigned long long)rows[i].theirs);
            is_same = false;
        }
    return is_same;
}

static void compare_with(const cohort_loopback *plugin, const char *name)
{
    char devices[32];
    (void)snprintf(devices, sizeof devices, "%s/3", name);
    plugin->reset();
    cohort_strategy *s = open_on(devices, 6);
    work k = make_work(s);
    for (int i = 0; i < 5; i++)
        do_work(s, &k);
    bool is_same = true;
    int64_t launches = 0;
    for (int d = 0; d < 3; d++) {
        cohort_loopback_counts counts;
        const cohort_device_stats device = device_of(s, d);
        plugin->counts((uint32_t)d, &counts);
        is_same = agrees(&device, &counts) && device.replicas == 2 && is_same;
        launches += device.launches;
    }
    ok(is_same, "%s has counted the same of each device", devices);
    ok(launches == 5 * (6 + 3), "one launch for each replica and each copy of the variable");
    const cohort_device_stats before = device_of(s, 1);
    ok(before.variables_memory == 2 * (int64_t)sizeof x && before.values_memory > 0 &&
           before.memory >= before.variables_memory + before.values_memory &&
           before.memory_peak >= before.memory,
       "a variable has two memories on each device, and values have the rest");
    for (int i = 0; i < 20; i++)
        do_work(s, &k);
    const cohort_device_stats after = device_of(s, 1);
    ok(after.allocations == before.allocations && after.memory_peak == before.memory_peak &&
           after.launches == before.launches + 20 * 3,
       "a loop that is warm allocates nothing");
    cohort_variable_destroy(k.w);
    const cohort_device_stats without = device_of(s, 1);
    ok(without.variables_memory == 0 && without.variables_memory_peak == 2 * (int64_t)sizeof x &&
           without.memory == after.memory - 2 * (int64_t)sizeof x,
       "memory that is given back is no more counted, but the peak stays");
    cohort_strategy_destroy(s);
}

static void failing(const cohort_loopback *loopback)
{
    loopback->reset();
    cohort_strategy *s = open_on("loopback", 1);
    work k = make_work(s);
    do_work(s, &k);
    const cohort_device_stats before = device_of(s, 0);
    (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, 0, COHORT_LOOPBACK_LAUNCH, 1, 1);
    do_work(s, &k);
    (void)cohort_wait(s);
    const cohort_device_stats after = device_of(s, 0);
    ok(cohort_strategy_status(s) < 0 && after.launches == before.launches,
       "a strategy that has failed is asked as well, and what failed is not counted");
    ok(stats_of(s).calls > 0 && cohort_strategy_stats_json(s)[0] == '{', "... in both ways");
    cohort_strategy_destroy(s);
    loopback->reset();
}

/* ------------------------------------------------------------------ steps and times */

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    work *k = user;
    (void)batch;
    (void)cohort_run(s, scale, 0.5F, k->x, k->y);
    (void)cohort_reduce(COHORT_SUM, k->y, COHORT_NO_AXIS, k->sum);
    return cohort_update(k->w, step_down, k->w, k->sum);
}

static void replay(const char *setting)
{
    (void)setenv("COHORT_REPEAT", setting, 1);
    cohort_strategy *s = open_on("host", 2);
    (void)unsetenv("COHORT_REPEAT");
    work k = make_work(s);
    do_work(s, &k);
    cohort_program *p = cohort_program_record(s, record, &k, NULL, 0);
    (void)cohort_program_run(p, NULL, STEPS);
    const cohort_stats once = stats_of(s);
    (void)cohort_program_run(p, NULL, STEPS);
    const cohort_stats twice = stats_of(s);
    bool may_repeat = strcmp(setting, "off") != 0;
    ok(once.steps_planned + once.steps_repeated == STEPS &&
           twice.steps_planned + twice.steps_repeated == 2 * STEPS,
       "COHORT_REPEAT=%s: every step is planned or repeated", setting);
    ok(may_repeat
           ? twice.steps_planned == once.steps_planned &&
                 twice.steps_repeated == once.steps_repeated + STEPS
           : twice.steps_repeated == 0 && strcmp(twice.why_planned, "COHORT_REPEAT says so") == 0,
       "... and to ask between runs makes no step planned; the reason is told: %s",
       twice.why_planned);
    ok(device_of(s, 0).launches == (1 + 2 * STEPS) * 3, "... with the launches of all steps");
    cohort_strategy_destroy(s);
}

static cohort_status nothing(cohort_replica *me, void *user)
{
    (void)me;
    (void)user;
    return COHORT_OK;
}

static void stepping(void)
{
    cohort_strategy *s = open_on("host", 3);
    for (int i = 0; i < 4; i++)
        (void)cohort_for_each_replica(s, nothing, NULL);
    ok(stats_of(s).replica_steps == 4, "steps of step functions are counted");
    cohort_strategy_destroy(s);
}

enum { NAP_NS = 3000000, NAPS = 4 };

COHORT_FUNCTION(nap, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
    memcpy(y, x, (size_t)n * sizeof *y);
}

/* No body is shorter than its nap; how much longer it takes is not claimed. */
static void napping(const char *devices)
{
    cohort_strategy *s = open_on(devices, 2);
    work k = make_work(s);
    (void)stats_of(s);
    for (int i = 0; i < NAPS; i++)
        (void)cohort_run(s, nap, k.x, k.y);
    int64_t body_ns = device_of(s, 0).body_ns;
    int64_t timed_ns = stats_of(s).timed_ns;
    ok(body_ns >= 2 * NAPS * (int64_t)NAP_NS && body_ns <= timed_ns,
       "bodies that nap on %s take as long as they nap", devices);
    cohort_strategy_destroy(s);
}

/* Times add up; how long anything takes is not claimed. */
static void timing(void)
{
    cohort_strategy *s = open_on("host/2", 2);
    work k = make_work(s);
    const cohort_device_stats first = device_of(s, 0);
    for (int i = 0; i < 10; i++)
        do_work(s, &k);
    const cohort_device_stats d = device_of(s, 0);
    const cohort_stats after = stats_of(s);
    ok(first.body_ns == 0 && first.other_ns == 0, "times begin with the first question");
    ok(d.body_ns > 0 && d.other_ns >= 0 && d.idle_ns >= 0 &&
           d.body_ns + d.other_ns + d.idle_ns <= after.timed_ns,
       "bodies, other operations and idling make up the time");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ texts */

/* "name": number; -1: there is none. */
static long long json_number(const char *json, const char *name)
{
    char key[64];
    (void)snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(json, key);
    return at != NULL ? strtoll(at + strlen(key), NULL, 10) : -1;
}

static void telling(void)
{
    cohort_strategy *s = open_on("host", 2);
    work k = make_work(s);
    do_work(s, &k);
    const cohort_device_stats d = device_of(s, 0);
    const char *json = cohort_strategy_stats_json(s);
    ok(json_number(json, "launches") == d.launches && json_number(json, "memory") == d.memory &&
           json_number(json, "variables_memory_peak") == d.variables_memory_peak &&
           json_number(json, "operations") == stats_of(s).operations &&
           strstr(json, "\"device\": \"host:0\"") != NULL && strchr(json, '\n') == NULL,
       "JSON has the same numbers, on one line");
    cohort_strategy_destroy(s);
}

/* What a strategy prints on stderr at its end, under a value of COHORT_STATS. */
static void end_with(const char *value, char *out, size_t size)
{
    FILE *file = tmpfile();
    int kept = dup(STDERR_FILENO);
    if (file == NULL || kept < 0 || dup2(fileno(file), STDERR_FILENO) < 0)
        return;
    if (value != NULL)
        (void)setenv("COHORT_STATS", value, 1);
    cohort_strategy *s = open_on("host", 1);
    work k = make_work(s);
    do_work(s, &k);
    cohort_strategy_destroy(s);
    (void)unsetenv("COHORT_STATS");
    (void)fflush(stderr);
    (void)dup2(kept, STDERR_FILENO);
    (void)close(kept);
    rewind(file);
    out[fread(out, 1, size - 1, file)] = '\0';
    (void)fclose(file);
}

static void printing(void)
{
    char text[4096] = "?";
    end_with(NULL, text, sizeof text);
    ok(text[0] == '\0', "a strategy prints nothing when it ends");
    end_with("1", text, sizeof text);
    ok(strstr(text, "host:0: 2 launches") != NULL && strstr(text, "seconds:") != NULL,
       "but what it has done under COHORT_STATS=1");
    if (strstr(text, "host:0: 2 launches") == NULL)
        diag("%s", text);
    end_with("json", text, sizeof text);
    ok(text[0] == '{' && strcmp(text + strlen(text) - 2, "}\n") == 0 &&
           json_number(text, "launches") == 2 && json_number(text, "body_ns") > 0,
       "as JSON under COHORT_STATS=json, times of the whole life among it");
}

static void do_all(const cohort_loopback *loopback, const cohort_loopback *stream)
{
    refusing();
    growing();
    compare_with(loopback, "loopback");
    compare_with(stream, "stream");
    failing(loopback);
    replay("steps");
    replay("off");
    stepping();
    timing();
    napping("host");
    napping("loopback");
    napping("stream");
    telling();
    printing();
}

/* What the first round has left, the plugins, their threads and what is kept of functions, stays
 * for the life of the process. */
int main(void)
{
    (void)core_warm();
    const cohort_loopback *loopback = steer(), *stream = steer_stream();
    if (!ok(loopback != NULL && stream != NULL, "the plugins that count are there"))
        return tap_done();
    do_all(loopback, stream);
    const core_live warm = core_live_now();
    do_all(loopback, stream);
    core_no_leak(warm);
    return tap_done();
}
