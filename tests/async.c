/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls wait for no device; a device that fails, hangs or is lost fails the step and nothing
 * else. */
#include "config.h"

#include "tests/core.h"
#include "tests/late_leaks.h"
#include "tests/steer.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)

static const char
    *posing; /* the plugin with which the devices are made to fail: "loopback", "stream" */
static const cohort_loopback *steering;
static atomic_int arrived;

COHORT_FUNCTION(gradient,
                (int64_t n, int64_t d, const float x[n][d], const float w[d],
                 COHORT_OUT float g[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++)
        g[j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            g[j] += x[i][j] * (1 + w[j]);
}

COHORT_FUNCTION(momentum, (int64_t n, float rate, const float g[n], float v[n], float w[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        v[i] = 0.9f * v[i] + g[i];
        w[i] -= rate * v[i];
    }
}

COHORT_FUNCTION(first_use, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + 1;
}

COHORT_FUNCTION(meet, (int32_t wanted, COHORT_OUT int32_t has_met[1]), COHORT_HOST_ONLY)
{
    struct timespec begin, now;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    now = begin;
    for (atomic_fetch_add(&arrived, 1);
         atomic_load(&arrived) < wanted && now.tv_sec - begin.tv_sec < 20;) {
        (void)sched_yield();
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    }
    has_met[0] = atomic_load(&arrived) >= wanted;
}

/* The pattern with the plugin's name in it; lent until the eighth call from now. */
static const char *with_name(const char *pattern)
{
    static char texts[8][100];
    static int next;
    char *text = texts[next++ % 8], *end = text;
    for (const char *p = pattern; *p != '\0'; p++)
        end += *p == '@' ? sprintf(end, "%s", posing) : sprintf(end, "%c", *p);
    return text;
}

/* ---- A step of a training. */

enum { WIDTH = 5, ROWS = 9 };

typedef struct training {
    cohort_strategy *s;
    cohort_variable *w, *v;
    cohort_value *x, *g, *total;
} training;

typedef struct weights {
    float w[WIDTH], v[WIDTH];
} weights;

static float rows[ROWS][WIDTH];

static bool training_open(training *t, const char *devices, int replicas)
{
    memset(t, 0, sizeof *t);
    t->s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = with_name(devices), .replicas = replicas });
    if (t->s == NULL)
        return false;
    for (int i = 0; i < ROWS * WIDTH; i++)
        rows[i / WIDTH][i % WIDTH] = 0.1f * (float)(i % 7 - 2);
    t->w = cohort_variable_create(t->s, "w", COHORT_ARRAY(rows[1], WIDTH), NULL);
    t->v = cohort_variable_create(t->s, "v", COHORT_ARRAY((float *)NULL, WIDTH),
                                  &(cohort_variable_options){ .colocate_with = t->w });
    t->x = cohort_value_split(t->s, COHORT_ARRAY(&rows[0][0], ROWS, WIDTH));
    t->g = cohort_value_create(t->s);
    t->total = cohort_value_create(t->s);
    return t->w != NULL && t->v != NULL && t->x != NULL && t->g != NULL && t->total != NULL;
}

static cohort_status training_step(training *t)
{
    cohort_status status = cohort_value_set(t->x, COHORT_ARRAY(&rows[0][0], ROWS, WIDTH)), next;
    if ((next = cohort_run(t->s, gradient, t->x, t->w, t->g)) < 0)
        status = next;
    if ((next = cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->total)) < 0)
        status = next;
    if ((next = cohort_update(t->w, momentum, 0.1f, t->total, t->v, t->w)) < 0)
        status = next;
    next = cohort_wait(t->s);
    return status < 0 ? status : next;
}

static bool copies_are_equal(cohort_variable *variable, float out[WIDTH])
{
    cohort_array copies[8];
    int n = cohort_local_results(variable, copies, 8);
    bool is_good =
        good(n >= 1) && good(cohort_variable_read(variable, COHORT_ARRAY(out, WIDTH)) == COHORT_OK);
    for (int i = 0; i < n && is_good; i++)
        is_good = good(memcmp(copies[i].data, out, WIDTH * sizeof *out) == 0);
    return is_good;
}

static bool training_weights(training *t, weights *out)
{
    return copies_are_equal(t->w, out->w) && copies_are_equal(t->v, out->v);
}

/* weights after 0, 1, 2 ... steps of four replicas, which are the same on all devices. */
static weights after[4];

static bool know_weights(void)
{
    training t;
    bool is_good = good(training_open(&t, "host", 4));
    for (int i = 0; i < 4 && is_good; i++)
        is_good = training_weights(&t, &after[i]) && good(training_step(&t) == COHORT_OK);
    cohort_strategy_destroy(t.s);
    return is_good && good(memcmp(&after[0], &after[1], sizeof *after) != 0);
}

/* How many steps have been taken; -1 when the weights are in between. */
static int steps_taken(training *t)
{
    weights now;
    if (training_weights(t, &now))
        for (int i = 0; i < 4; i++)
            if (memcmp(&now, &after[i], sizeof now) == 0)
                return i;
    return -1;
}

/* ---- Held back. */

static int32_t rule(cohort_loopback_action action, uint32_t op)
{
    return steer_rule(steering, action, 0, op, 1, 0);
}

typedef struct later {
    pthread_t thread;
    int32_t rule;
    atomic_int was_reached; /* and has been let go since */
} later;

static void *release_when_reached(void *argument)
{
    later *l = argument;
    int was_reached = steering->reached(l->rule, 1, 60 * SECOND);
    atomic_store(&l->was_reached, was_reached);
    steering->release(l->rule);
    return NULL;
}

/* Calls of every kind on a device that is held back return; what they were to do is done when it is
 * let go. */
static void held(const char *devices, uint32_t op, const char *name)
{
    training t;
    float ones[4] = { 1, 1, 1, 1 }, y[4] = { 0 };
    char claim[200];
    (void)snprintf(claim, sizeof claim, "%s held on %s", name, with_name(devices));
    if (!ok(training_open(&t, devices, 4), "%s: a training", claim))
        return;
    steering->reset();
    int32_t hold = rule(COHORT_LOOPBACK_HOLD, op);
    cohort_value *x = cohort_value_split(t.s, COHORT_ARRAY(ones, 4)),
                 *out = cohort_value_create(t.s), *sum = cohort_value_create(t.s);
    cohort_variable *made = cohort_variable_create(t.s, "made", COHORT_ARRAY(ones, 4), NULL);
    bool returns = good(cohort_run(t.s, first_use, x, out) == COHORT_OK) &&
                   good(cohort_reduce(COHORT_SUM, out, 0, sum) == COHORT_OK) &&
                   good(made != NULL) && good(cohort_variable_assign(made, 3) == COHORT_OK) &&
                   good(cohort_update(made, first_use, made, made) == COHORT_OK) &&
                   good(cohort_run(t.s, gradient, t.x, t.w, t.g) == COHORT_OK) &&
                   good(cohort_reduce(COHORT_SUM, t.g, COHORT_NO_AXIS, t.total) == COHORT_OK) &&
                   good(cohort_update(t.w, momentum, 0.1f, t.total, t.v, t.w) == COHORT_OK) &&
                   good(cohort_variable_assign(made, x) == COHORT_EINVAL);
    ok(returns, "%s: every call returns, also at first use", claim);
    later l = { .rule = hold };
    (void)pthread_create(&l.thread, NULL, release_when_reached, &l);
    /* a lane that the caller feeds may get there only now */
    cohort_status waited = cohort_wait(t.s);
    ok(atomic_load(&l.was_reached) == 1,
       "%s: and it was held; the wait waits for it, though a call was refused", claim);
    (void)pthread_join(l.thread, NULL);
    ok(good(waited == COHORT_EINVAL) && good(cohort_strategy_recover(t.s) == COHORT_OK) &&
           good(cohort_wait(t.s) == COHORT_OK) && good(steps_taken(&t) == 1) &&
           good(cohort_value_scalar(sum) == 8) &&
           good(cohort_variable_read(made, COHORT_ARRAY(y, 4)) == COHORT_OK) &&
           good(y[0] == 4 && y[3] == 4),
       "%s: once it is let go all has been done that was accepted before", claim);
    cohort_strategy_destroy(t.s);
    steering->reset();
}

/* Every call says the error that sticks. */
static bool sticks(training *t, cohort_status wanted)
{
    float element;
    weights unread;
    return good(cohort_strategy_status(t->s) == wanted) && good(cohort_wait(t->s) == wanted) &&
           good(cohort_run(t->s, gradient, t->x, t->w, t->g) == wanted) &&
           good(cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->total) == wanted) &&
           good(cohort_gather(t->g, 0, t->total) == wanted) &&
           good(cohort_update(t->w, momentum, 0.1f, t->total, t->v, t->w) == wanted) &&
           good(cohort_variable_assign(t->w, 1) == wanted) &&
           good(cohort_variable_read(t->w, COHORT_ARRAY(unread.w, WIDTH)) == wanted) &&
           good(cohort_value_read(t->g, COHORT_ARRAY(&element, 1)) < 0) &&
           good(cohort_variable_create(t->s, "late", COHORT_ARRAY(&element, 1), NULL) == NULL) &&
           good(strstr(cohort_error_text(), with_name("@:0")) != NULL);
}

static void held_and_failed(const char *devices)
{
    training t;
    float sums[WIDTH];
    char text[1000];
    if (!ok(training_open(&t, devices, 4) && training_step(&t) == COHORT_OK, "a step on %s",
            with_name(devices)))
        return;
    int32_t hold = rule(COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_WRITE);
    int32_t fail = rule(COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_LAUNCH);
    ok(good(cohort_value_set(t.x, COHORT_ARRAY(&rows[0][0], ROWS, WIDTH)) == COHORT_OK) &&
           good(cohort_run(t.s, gradient, t.x, t.w, t.g) == COHORT_OK) &&
           good(cohort_reduce(COHORT_SUM, t.g, COHORT_NO_AXIS, t.total) == COHORT_OK) &&
           good(cohort_update(t.w, momentum, 0.1f, t.total, t.v, t.w) == COHORT_OK) &&
           good(cohort_variable_assign(t.v, 5) == COHORT_OK),
       "calls on a device that will fail return");
    steering->release(hold);
    cohort_status status = cohort_value_read(t.total, COHORT_ARRAY(sums, WIDTH));
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    ok(status == COHORT_EINTERNAL, "the next read says so");
    ok(steering->reached(fail, 1, 0) == 1, "it was the launch that failed");
    has_text(text, "gradient", "the message names the function");
    has_text(text, with_name("@:0"), "and the device");
    has_text(text, "replica", "and the replica");
    steering->reset();
    ok(sticks(&t, COHORT_EINTERNAL), "the error sticks in every call");
    ok(good(cohort_strategy_recover(t.s) == COHORT_OK) &&
           good(cohort_strategy_status(t.s) == COHORT_OK),
       "until recover");
    ok(steps_taken(&t) == 1, "the variables are as before");
    ok(refused_for(t.s, "write it again", cohort_value_read(t.g, COHORT_ARRAY(sums, WIDTH))) &&
           refused_for(t.s, "write it again",
                       cohort_value_read(t.total, COHORT_ARRAY(sums, WIDTH))),
       "what was to be written cannot be read");
    ok(refused_for(t.s, "failed", cohort_run(t.s, first_use, t.g, t.total)), "nor used by a call");
    ok(good(training_step(&t) == COHORT_OK) && good(steps_taken(&t) == 2) &&
           good(cohort_value_read(t.total, COHORT_ARRAY(sums, WIDTH)) == COHORT_OK),
       "then everything works again, and what is written again can be read");
    cohort_strategy_destroy(t.s);
}

/* ---- Every operation of a step fails. */

static uint64_t live_objects(void)
{
    cohort_loopback_counts counts;
    steering->counts(COHORT_LOOPBACK_ANY, &counts);
    return counts.live_devices + counts.live_mems + counts.live_kernels + counts.live_events;
}

/* One step whose nth operation fails; *out_is_over when there are fewer. */
static bool fails_at(const char *devices, uint32_t nth, int is_sticky, int is_warm,
                     bool *out_is_over)
{
    training t;
    int64_t blocks = cohort_memory_blocks();
    steering->reset();
    bool is_good = good(training_open(&t, devices, 4)) &&
                   good((is_warm ? training_step(&t) : cohort_wait(t.s)) == COHORT_OK);
    int32_t fail = steer_rule(steering, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY,
                              COHORT_LOOPBACK_ANY, nth, is_sticky);
    cohort_status status = is_good ? training_step(&t) : COHORT_OK;
    *out_is_over = steering->reached(fail, 1, 0) == 0;
    steering->reset();
    is_good = is_good && good(*out_is_over ? status == COHORT_OK
                                           : status == COHORT_EINTERNAL || status == COHORT_OK);
    if (is_good && status < 0)
        is_good = good(strstr(cohort_error_text(), with_name("@:0")) != NULL) &&
                  good(cohort_strategy_recover(t.s) == COHORT_OK);
    int taken = is_good ? steps_taken(&t) : -1;
    is_good = is_good && good(taken == is_warm || taken == is_warm + 1) &&
              good(status < 0 || taken == is_warm + 1) && good(training_step(&t) == COHORT_OK) &&
              good(steps_taken(&t) == taken + 1);
    cohort_strategy_destroy(t.s);
    return is_good && good(live_objects() == 0) && good(cohort_memory_blocks() == blocks);
}

/* A variable is made in line with other operations: what its first content needs may fail later. */
static void failed_creation(const char *devices)
{
    training t;
    float found[WIDTH];
    steering->reset();
    int32_t hold = rule(COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_ALLOC);
    int32_t fail = rule(COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_WRITE);
    ok(training_open(&t, devices, 4), "variables on %s whose content will fail to arrive",
       with_name(devices));
    steering->release(hold);
    ok(steering->reached(fail, 1, 60 * SECOND) == 1, "and does");
    ok(good(cohort_wait(t.s) == COHORT_EINTERNAL) &&
           good(cohort_strategy_recover(t.s) == COHORT_OK),
       "a later call says that it failed");
    static const char why[] = "never got its content";
    ok(refused_for(t.s, why, cohort_variable_read(t.w, COHORT_ARRAY(found, WIDTH))) &&
           refused_for(t.s, why, cohort_run(t.s, gradient, t.x, t.w, t.g)) &&
           refused_for(t.s, why,
                       cohort_update(t.w, momentum, 0.1f, COHORT_ARRAY(found, WIDTH), t.v, t.w)),
       "a variable that never got its content is neither read nor updated");
    ok(good(cohort_variable_assign(t.w, COHORT_ARRAY(rows[1], WIDTH)) == COHORT_OK) &&
           good(cohort_variable_assign(t.v, 0) == COHORT_OK) &&
           good(training_step(&t) == COHORT_OK) && good(steps_taken(&t) == 1),
       "once it is assigned it is like any other");
    cohort_strategy_destroy(t.s);
}

static void every_failure(const char *devices)
{
    for (int is_sticky = 0; is_sticky <= 1; is_sticky++)
        for (int is_warm = 0; is_warm <= 1; is_warm++) {
            bool is_good = true, is_over = false;
            uint32_t nth = 0;
            while (is_good && !is_over && nth < 1000)
                is_good = fails_at(devices, ++nth, is_sticky, is_warm, &is_over);
            if (!ok(is_good && is_over, "on %s %s step fails at each of its operations, %s",
                    with_name(devices), is_warm ? "a" : "the first",
                    is_sticky ? "and all after it" : "once"))
                diag("at operation %u", nth);
            else
                diag("%u operations", nth - 1);
        }
}

/* ---- Lost. */

static char logged[4000];

static void keep_log(void *user, int level, const char *line)
{
    (void)user, (void)level;
    size_t used = strlen(logged);
    (void)snprintf(logged + used, sizeof logged - used, "%s\n", line);
}

static void others_work(const char *claim)
{
    training t;
    ok(training_open(&t, "host/2", 4) && training_step(&t) == COHORT_OK && steps_taken(&t) == 1,
       "%s", claim);
    cohort_strategy_destroy(t.s);
}

static void lost(void)
{
    training t;
    if (!ok(training_open(&t, "@/2,host", 4) && training_step(&t) == COHORT_OK,
            "a step on two parts of a device"))
        return;
    steering->lose(1);
    ok(training_step(&t) == COHORT_ELOST, "a step on a lost device fails");
    has_text(cohort_error_text(), with_name("@:0.1"), "the message names the device");
    ok(cohort_wait(t.s) == COHORT_ELOST && cohort_strategy_status(t.s) == COHORT_ELOST,
       "the error sticks");
    ok(cohort_strategy_recover(t.s) == COHORT_OK && cohort_strategy_hosted(t.s, 1) == 0 &&
           training_step(&t) == COHORT_OK,
       "and the strategy goes on without it");
    others_work("another strategy works");
    cohort_strategy_destroy(t.s);
    steering->reset();
    ok(training_open(&t, "@/2,host", 4) && training_step(&t) == COHORT_OK && steps_taken(&t) == 1,
       "a new strategy on the device works when it is back");
    cohort_strategy_destroy(t.s);
}

/* A device that does not answer is lost at its deadline; its answer may come later. */
static void hangs(uint32_t op, const char *setting, const char *operation)
{
    training t;
    char text[1000];
    logged[0] = '\0';
    (void)setenv(setting, "0.05", 1);
    if (!ok(training_open(&t, "@,host", 4), "%s: a training", setting))
        return;
    (void)unsetenv(setting);
    int32_t hold = rule(COHORT_LOOPBACK_HOLD, op);
    cohort_status status = training_step(&t);
    if (op == COHORT_LOOPBACK_READ) {
        weights now;
        status = cohort_variable_read(t.w, COHORT_ARRAY(now.w, WIDTH));
        cohort_array copies[2];
        if (status >= 0)
            status =
                cohort_local_results(t.w, copies, 2) < 0 ? cohort_strategy_status(t.s) : COHORT_OK;
    }
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    ok(status == COHORT_ETIMEDOUT, "%s passes: the call returns", setting);
    has_text(text, with_name("@:0"), "the message names the device");
    has_text(text, operation, "and the operation");
    has_text(text, setting, "and the setting");
    ok(steering->reached(hold, 1, 0) == 1, "the operation is held still");
    ok(cohort_strategy_recover(t.s) == COHORT_OK && training_step(&t) == COHORT_OK,
       "the strategy goes on without it");
    has_text(logged, with_name("@:0 is lost"), "and the log names what is left behind");
    others_work("another strategy works");
    cohort_strategy_destroy(t.s);
    steering->release(hold);
    others_work("the late answer hurts nobody");
    steering->reset();
    ok(training_open(&t, "@,host", 4) && training_step(&t) == COHORT_OK && steps_taken(&t) == 1,
       "the device works in a new strategy");
    cohort_strategy_destroy(t.s);
}

/* ---- At the same time. */

static void together(const char *devices, int n)
{
    int32_t has_met[8];
    bool is_good = true;
    cohort_strategy *s = cohort_mirrored(with_name(devices));
    cohort_value *out = cohort_value_create(s);
    for (int i = 0; i < 20 && is_good; i++) {
        atomic_store(&arrived, 0);
        is_good = good(cohort_run(s, meet, n, out) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(has_met, n)) == COHORT_OK);
        for (int r = 0; r < n && is_good; r++)
            is_good = good(has_met[r]);
    }
    ok(is_good, "bodies on %s meet: they run at the same time", with_name(devices));
    cohort_strategy_destroy(s);
}

static void at_the_same_time(void)
{
    together("@,host", 2);
    together("@/3,host", 4);
    if (core_cpus() >= 2)
        together("host/2", 2);
    else
        skip("bodies on host/2 meet", "one core: its parts share a lane");
}

static void pose(const char *plugin, const cohort_loopback *table)
{
    posing = plugin;
    steering = table;
}

/* first: what holds the device whatever it does first; on one with events calls enqueue
 * themselves. */
static void check_failures(uint32_t first)
{
    const struct {
        uint32_t op;
        const char *name;
    } ops[] = { { COHORT_LOOPBACK_ALLOC, "an allocation" },
                { COHORT_LOOPBACK_WRITE, "a write" },
                { COHORT_LOOPBACK_KERNEL_CREATE, "a new kernel" },
                { COHORT_LOOPBACK_LAUNCH, "a launch" },
                { COHORT_LOOPBACK_READ, "a read" },
                { first, "whatever comes first" } };
    core_live warm = core_live_now();
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        held("@", ops[i].op, ops[i].name);
        if (i == 0)
            warm = core_live_now();
        held("@/3,host", ops[i].op, ops[i].name);
    }
    held_and_failed("@");
    held_and_failed("@/3,host");
    failed_creation("@");
    failed_creation("host,@");
    every_failure("@");
    every_failure("@/3,host");
    every_failure("host/2,@");
    core_no_leak(warm);
    lost();
}

static void check_hangs(const char *launch_deadline)
{
    hangs(COHORT_LOOPBACK_WRITE, "COHORT_TIMEOUT_COPY", "write");
    hangs(COHORT_LOOPBACK_READ, "COHORT_TIMEOUT_COPY", "read");
    hangs(COHORT_LOOPBACK_ALLOC, "COHORT_TIMEOUT_ALLOC", "alloc");
    hangs(COHORT_LOOPBACK_KERNEL_CREATE, "COHORT_TIMEOUT_BUILD", "build");
    hangs(COHORT_LOOPBACK_LAUNCH, launch_deadline, "gradient");
}

/* ---- What else waits. */

static double seconds_since(struct timespec begin)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9;
}

/* Plugins are promised one caller for that. */
static void opened_one_by_one(void)
{
    struct timespec begin;
    (void)steering->rule(&(cohort_loopback_rule){ .part = COHORT_LOOPBACK_ANY,
                                                  .op = COHORT_LOOPBACK_OPEN,
                                                  .sticky = 1,
                                                  .action = COHORT_LOOPBACK_DELAY,
                                                  .delay_ns = 50000000 });
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    cohort_strategy *s = cohort_mirrored(with_name("@/4"));
    ok(s != NULL && seconds_since(begin) > 0.19,
       "devices of one plugin are opened one after the other");
    cohort_strategy_destroy(s);
    steering->reset();
}

static cohort_status launch_one(cohort_replica *me, void *user)
{
    cohort_value *const *values = user;
    cohort_status status = cohort_replica_run(me, first_use, values[0], values[1]);
    return status < 0 ? status : cohort_barrier(me);
}

static void hangs_in_step(void)
{
    float x[2] = { 1, 2 };
    setenv("COHORT_TIMEOUT_EVENT", "0.2", 1);
    cohort_strategy *s = cohort_one_device("stream");
    unsetenv("COHORT_TIMEOUT_EVENT");
    cohort_value *values[2] = { cohort_value_split(s, COHORT_ARRAY(x, 2)), cohort_value_create(s) };
    ok(cohort_for_each_replica(s, launch_one, values) == COHORT_OK, "a step");
    int32_t hold = steer_rule(steering, COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_ANY,
                              COHORT_LOOPBACK_LAUNCH, 1, 0);
    ok(cohort_for_each_replica(s, launch_one, values) == COHORT_ETIMEDOUT,
       "a launch of a step that hangs is given up");
    has_text(cohort_error_text(), "first_use, replica 0 on stream:0: launch did not finish",
             "the message names what hangs, not the step");
    cohort_strategy_destroy(s);
    steering->release(hold);
    steering->reset();
}

/* A call that was made before is posted as it was then, and named as it was. */
static void hangs_again(void)
{
    float x[2] = { 1, 2 };
    setenv("COHORT_TIMEOUT_EVENT", "0.2", 1);
    cohort_strategy *s = cohort_one_device("stream");
    unsetenv("COHORT_TIMEOUT_EVENT");
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 2)), *out = cohort_value_create(s);
    for (int i = 0; i < 4; i++)
        ok(cohort_run(s, first_use, in, out) == COHORT_OK, "run %d", i);
    ok(cohort_wait(s) == COHORT_OK, "are over");
    int32_t hold = steer_rule(steering, COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_ANY,
                              COHORT_LOOPBACK_LAUNCH, 1, 0);
    (void)cohort_run(s, first_use, in, out);
    ok(cohort_wait(s) == COHORT_ETIMEDOUT, "one more that hangs is given up");
    has_text(cohort_error_text(), "first_use, replica 0 on stream:0: launch did not finish",
             "and the message names function, replica and device");
    cohort_strategy_destroy(s);
    steering->release(hold);
    steering->reset();
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    const cohort_loopback *loopback = steer(), *stream = steer_stream();
    if (loopback == NULL || stream == NULL)
        return skip_all("there is no loopback and stream plugin on COHORT_PLUGIN_PATH");
    cohort_log_set(keep_log, NULL, COHORT_LOG_WARNING);
    (void)core_warm();
    if (!ok(know_weights(), "three steps give known weights"))
        return tap_done();
    pose("stream", stream);
    at_the_same_time();
    check_failures(COHORT_LOOPBACK_EXECUTE);
    pose("loopback", loopback);
    at_the_same_time();
    check_failures(COHORT_LOOPBACK_ANY);
    no_leak_so_far();
    check_hangs("COHORT_TIMEOUT_LAUNCH");
    pose("stream", stream);
    check_hangs("COHORT_TIMEOUT_EVENT");
    opened_one_by_one();
    hangs_in_step();
    hangs_again();
    return tap_done();
}
