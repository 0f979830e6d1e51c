/* SPDX-License-Identifier: BSD-3-Clause */
/* Many operations in flight on devices with events: calls do not wait for them, and what goes wrong
 * with one of them is told for that one. That each operation of a step may be held, fail and hang:
 * async.c. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

enum { N = 16, IN_FLIGHT = 8, LIMIT = 1024 };

static const cohort_loopback *stream;

COHORT_FUNCTION(add_one, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + 1;
}

COHORT_FUNCTION(mix,
                (int64_t n, float by, const float x[n], const float w[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] / (3 + by * w[i]) + w[n - 1 - i];
}

COHORT_FUNCTION(descend, (int64_t n, float rate, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i] / (1 + w[i] * w[i]);
}

COHORT_FUNCTION(grow, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] = 2 * w[i] + 1;
}

static atomic_int n_met;

/* Both replicas are in their bodies at the same time. */
COHORT_FUNCTION(meet_other, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    atomic_fetch_add(&n_met, 1);
    for (int i = 0; i < 3000 && atomic_load(&n_met) < 2; i++)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    for (int64_t i = 0; i < n; i++)
        y[i] = atomic_load(&n_met) == 2 ? x[i] : -1;
}

COHORT_FUNCTION_RETURNING(cohort_status, judge, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    return n > 0 && x[0] < 0 ? COHORT_ENOENT : COHORT_OK;
}

/* ---- Steering. */

static cohort_loopback_counts counts(void)
{
    cohort_loopback_counts found;
    stream->counts(COHORT_LOOPBACK_ANY, &found);
    return found;
}

/* Of every part, from the next operation that its queue does. */
static int32_t hold(void)
{
    return steer_rule(stream, COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_EXECUTE, 1,
                      1);
}

/* A launch is counted when its call begins, and is in flight a little later. */
static bool were_in_flight(uint64_t n)
{
    for (int i = 0; i < 12000 && counts().max_in_flight < n; i++)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    return counts().max_in_flight >= n;
}

typedef struct later {
    pthread_t thread;
    int32_t rule;
    int milliseconds;
} later;

static void *release_later(void *argument)
{
    const later *l = argument;
    (void)nanosleep(&(struct timespec){ .tv_nsec = l->milliseconds * 1000000l }, NULL);
    stream->release(l->rule);
    return NULL;
}

static void release_in(later *l, int32_t rule, int milliseconds)
{
    l->rule = rule;
    l->milliseconds = milliseconds;
    (void)pthread_create(&l->thread, NULL, release_later, l);
}

/* ---- Values that calls write. */

static const float zeros[N];

typedef struct work {
    cohort_strategy *s;
    cohort_value *x, *y[IN_FLIGHT];
    cohort_variable *w;
} work;

/* Everything is made and was used once, so that what follows is launches alone. */
static bool work_open(work *k, const char *devices)
{
    stream->reset();
    k->s = cohort_strategy_create(&(cohort_strategy_options){ .devices = devices });
    k->x = cohort_value_plain(k->s, COHORT_ARRAY(zeros, N));
    k->w = cohort_variable_create(k->s, "w", COHORT_ARRAY(zeros, N), NULL);
    bool is_good = good(k->w != NULL) && good(cohort_update(k->w, grow, k->w) == COHORT_OK) &&
                   good(cohort_variable_assign(k->w, 0) == COHORT_OK);
    for (int i = 0; i < IN_FLIGHT && is_good; i++) {
        k->y[i] = cohort_value_create(k->s);
        is_good = good(cohort_run(k->s, add_one, k->x, k->y[i]) == COHORT_OK);
    }
    is_good = is_good && good(cohort_wait(k->s) == COHORT_OK);
    stream->reset();
    return is_good;
}

static bool run_each(work *k, int n)
{
    bool is_good = true;
    for (int i = 0; i < n && is_good; i++)
        is_good =
            good(cohort_run(k->s, add_one, i == 0 ? k->x : k->y[i - 1], k->y[i]) == COHORT_OK);
    return is_good;
}

/* Every element of every component is this number. */
static bool is_all(cohort_value *value, float wanted)
{
    float found[4 * N];
    int replicas = 0;
    for (int rows = 1; cohort_value_rows(value, replicas) > 0 && rows > 0 && replicas < 4;
         replicas++)
        rows = N;
    bool is_good = good(cohort_value_read(value, COHORT_ARRAY(found, replicas, N)) == COHORT_OK);
    for (int i = 0; i < replicas * N && is_good; i++)
        is_good = good(found[i] == wanted);
    return is_good;
}

static bool variable_is(cohort_variable *w, float wanted)
{
    float found[N];
    cohort_array copies[4];
    int n = cohort_local_results(w, copies, 4);
    bool is_good =
        good(n > 0) && good(cohort_variable_read(w, COHORT_ARRAY(found, N)) == COHORT_OK);
    for (int i = 0; i < N && is_good; i++)
        if (!(is_good = good(found[i] == wanted)))
            diag("found %g, wanted %g", (double)found[i], (double)wanted);
    for (int i = 0; i < n && is_good; i++)
        is_good = good(memcmp(copies[i].data, found, sizeof found) == 0);
    return is_good;
}

static bool works(work *k)
{
    bool is_good = run_each(k, IN_FLIGHT);
    for (int i = 0; i < IN_FLIGHT && is_good; i++)
        is_good = is_all(k->y[i], (float)(i + 1));
    return is_good;
}

/* ---- In flight. */

static void many_in_flight(const char *devices, uint64_t n_parts)
{
    work k;
    if (!ok(work_open(&k, devices), "work on %s", devices))
        return;
    int32_t held = hold();
    ok(run_each(&k, IN_FLIGHT), "on %s, which is held, %d calls return", devices, IN_FLIGHT);
    ok(were_in_flight(IN_FLIGHT * n_parts) && counts().ops[COHORT_LOOPBACK_LAUNCH] == 0,
       "and as many launches are in flight on each device");
    stream->release(held);
    bool is_good = true;
    for (int i = IN_FLIGHT - 1; i >= 0; i--)
        is_good = is_good && is_all(k.y[i], (float)(i + 1));
    ok(is_good, "let go, each sees what the one before it wrote");
    cohort_strategy_destroy(k.s);
}

static void reads_wait(void)
{
    work k;
    later l;
    float found[N];
    if (!ok(work_open(&k, "stream"), "work"))
        return;
    release_in(&l, hold(), 100);
    ok(run_each(&k, 1) && cohort_value_read(k.y[0], COHORT_ARRAY(found, N)) == COHORT_OK &&
           found[N - 1] == 1,
       "a read waits for the read of the device");
    (void)pthread_join(l.thread, NULL);
    stream->reset();
    release_in(&l, hold(), 100);
    ok(cohort_variable_assign(k.w, 5) == COHORT_OK &&
           cohort_variable_read(k.w, COHORT_ARRAY(found, N)) == COHORT_OK && found[0] == 5 &&
           found[N - 1] == 5,
       "also that of a variable");
    (void)pthread_join(l.thread, NULL);
    cohort_strategy_destroy(k.s);
}

/* What is uploaded is ours or the library's until it has arrived, however late that is. */
static void uploads(const char *devices)
{
    work k;
    float content[N];
    if (!ok(work_open(&k, devices), "work on %s", devices))
        return;
    int32_t held = hold();
    for (int i = 0; i < N; i++)
        content[i] = 7;
    cohort_variable *v = cohort_variable_create(k.s, "v", COHORT_ARRAY(content, N), NULL);
    cohort_status assigned = cohort_variable_assign(k.w, COHORT_ARRAY(content, N));
    memset(content, 0xff, sizeof content);
    stream->release(held);
    ok(assigned == COHORT_OK && variable_is(v, 7) && variable_is(k.w, 7),
       "on %s the array may change as soon as a variable has been made of it or assigned", devices);
    cohort_strategy_destroy(k.s);
}

/* ---- Full. */

static bool runs(work *k, int n)
{
    bool is_good = true;
    for (int i = 0; i < n && is_good; i++)
        is_good = good(cohort_run(k->s, add_one, k->y[i % 2], k->y[1 - i % 2]) == COHORT_OK);
    return is_good;
}

static void full(void)
{
    enum { SOME = 100, LOTS = 6000 };
    work k;
    later l;
    if (!ok(work_open(&k, "stream"), "work"))
        return;
    int32_t held = hold();
    ok(runs(&k, SOME), "%d calls on a device that is held return", SOME);
    stream->release(held);
    ok(is_all(k.y[0], SOME + 1), "let go, all are done");
    stream->reset();
    release_in(&l, hold(), 300);
    ok(runs(&k, LOTS), "%d calls wait for room, not for ever", LOTS);
    (void)pthread_join(l.thread, NULL);
    ok(is_all(k.y[0], SOME + 1 + LOTS) && counts().max_in_flight <= LIMIT,
       "all are done, never more than %d of them in flight", LIMIT);
    cohort_strategy_destroy(k.s);
}

/* A lane takes many launches while its device stands still. */
static void many_fit(void)
{
    enum { MANY = 700 };
    work k;
    if (!ok(work_open(&k, "stream"), "work"))
        return;
    cohort_loopback_counts before = counts();
    int32_t held = hold();
    (void)alarm(120); /* what does not fit is waited for for ever */
    bool is_good = runs(&k, MANY);
    ok(is_good && counts().ops[COHORT_LOOPBACK_LAUNCH] == before.ops[COHORT_LOOPBACK_LAUNCH],
       "%d launches fit into the lane of a device that stands still", MANY);
    (void)alarm(0);
    stream->release(held);
    ok(is_all(k.y[0], MANY + 1), "and are done");
    cohort_strategy_destroy(k.s);
}

/* What a body answers is known when it is over; until then nobody waits for it. */
static void verdicts(void)
{
    work k;
    float minus[N] = { -1 };
    if (!ok(work_open(&k, "stream") && cohort_run(k.s, judge, k.x) >= 0 && cohort_wait(k.s) >= 0,
            "work"))
        return;
    cohort_loopback_counts before = counts();
    int32_t held = hold();
    (void)alarm(120); /* what does not fit is waited for for ever */
    bool is_good = true;
    for (int i = 0; i < IN_FLIGHT; i++)
        is_good = good(cohort_run(k.s, judge, k.x) == COHORT_OK) && is_good;
    ok(is_good && counts().ops[COHORT_LOOPBACK_LAUNCH] == before.ops[COHORT_LOOPBACK_LAUNCH],
       "bodies that return a status are in flight together");
    (void)alarm(0);
    stream->release(held);
    cohort_value *bad = cohort_value_split(k.s, COHORT_ARRAY(minus, N));
    (void)cohort_run(k.s, judge, bad);
    cohort_status status = cohort_wait(k.s);
    ok(status == COHORT_ENOENT &&
           strstr(cohort_error_text(), "judge, replica 0 on stream:0") != NULL &&
           strstr(cohort_error_text(), "the body returned") != NULL,
       "a bad one is told: %s", cohort_error_text());
    ok(cohort_strategy_recover(k.s) == COHORT_OK && works(&k), "then everything works");
    cohort_strategy_destroy(k.s);
}

/* ---- Failures. */

/* The 3rd of 8 launches in flight fails, in its call or later. */
static void third_fails(cohort_loopback_op op, const char *how)
{
    work k;
    char text[1000];
    float found[N];
    if (!ok(work_open(&k, "stream"), "work whose third launch %s", how))
        return;
    int32_t held = hold();
    (void)steer_rule(stream, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, op, 3, 0);
    bool returns = true;
    for (int i = 0; i < 2 && returns; i++)
        returns = good(cohort_run(k.s, add_one, k.x, k.y[i]) == COHORT_OK);
    (void)cohort_run(k.s, mix, 1.0f, k.x, k.w, k.y[2]);
    for (int i = 3; i < IN_FLIGHT; i++)
        (void)cohort_run(k.s, add_one, k.x, k.y[i]);
    (void)cohort_update(k.w, grow, k.w);
    stream->release(held);
    cohort_status status = cohort_value_read(k.y[IN_FLIGHT - 1], COHORT_ARRAY(found, N));
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    ok(returns && status == COHORT_EINTERNAL, "the next read says so: %s", text);
    ok(strstr(text, "stream:0") != NULL && strstr(text, "mix") != NULL &&
           strstr(text, "replica 0") != NULL,
       "with device, function and replica");
    ok(cohort_wait(k.s) == COHORT_EINTERNAL && cohort_strategy_recover(k.s) == COHORT_OK,
       "it sticks until recover");
    ok(is_all(k.y[0], 1) && is_all(k.y[1], 1), "what was written before is readable");
    bool is_unreadable = true;
    for (int i = 2; i < IN_FLIGHT; i++)
        is_unreadable =
            refused_for(k.s, "write it again", cohort_value_read(k.y[i], COHORT_ARRAY(found, N))) &&
            is_unreadable;
    ok(is_unreadable, "what was written by it and later is not");
    ok(variable_is(k.w, 0), "a variable is as before");
    ok(works(&k) && cohort_update(k.w, grow, k.w) == COHORT_OK && variable_is(k.w, 1),
       "then everything works");
    cohort_strategy_destroy(k.s);
}

/* Of three updates in flight on two devices, the second fails on one of them. */
static void update_fails(const char *devices, uint32_t part)
{
    work k;
    if (!ok(work_open(&k, devices), "work on %s", devices))
        return;
    int32_t held = hold();
    (void)steer_rule(stream, COHORT_LOOPBACK_FAIL, part, COHORT_LOOPBACK_LAUNCH, 2, 0);
    for (int i = 0; i < 3; i++)
        (void)cohort_update(k.w, grow, k.w);
    stream->release(held);
    ok(cohort_wait(k.s) == COHORT_EINTERNAL && strstr(cohort_error_text(), "grow") != NULL,
       "the second of three updates in flight on %s fails", devices);
    ok(cohort_strategy_recover(k.s) == COHORT_OK && variable_is(k.w, 1),
       "all copies are as the first left them");
    ok(cohort_update(k.w, grow, k.w) == COHORT_OK && variable_is(k.w, 3), "and go on from there");
    cohort_strategy_destroy(k.s);
}

static void not_yet(void)
{
    work k;
    if (!ok(work_open(&k, "stream,host"), "work"))
        return;
    for (uint32_t nth = 1; nth < 40; nth += 2)
        (void)stream->rule(&(cohort_loopback_rule){ .op = COHORT_LOOPBACK_EVENT_WAIT,
                                                    .nth = nth,
                                                    .action = COHORT_LOOPBACK_FAIL,
                                                    .status = COHORT_EAGAIN });
    ok(run_each(&k, IN_FLIGHT) && is_all(k.y[IN_FLIGHT - 1], IN_FLIGHT),
       "a device may say that it is not ready yet");
    cohort_strategy_destroy(k.s);
}

/* ---- Ends. */

static void destroyed(int is_held)
{
    work k;
    later l;
    if (!ok(work_open(&k, "stream/2,host"), "work"))
        return;
    int32_t rule = is_held ? hold()
                           : stream->rule(&(cohort_loopback_rule){ .part = COHORT_LOOPBACK_ANY,
                                                                   .op = COHORT_LOOPBACK_EXECUTE,
                                                                   .sticky = 1,
                                                                   .action = COHORT_LOOPBACK_DELAY,
                                                                   .delay_ns = 2000000 });
    float content[N] = { 1 };
    bool returns = run_each(&k, IN_FLIGHT) &&
                   good(cohort_variable_assign(k.w, COHORT_ARRAY(content, N)) == COHORT_OK);
    if (is_held)
        release_in(&l, rule, 100);
    cohort_strategy_destroy(k.s);
    if (is_held)
        (void)pthread_join(l.thread, NULL);
    cohort_loopback_counts now = counts();
    ok(returns && now.in_flight == 0 &&
           now.live_devices + now.live_mems + now.live_kernels + now.live_events == 0,
       "a strategy is destroyed with operations in flight%s", is_held ? " and held" : "");
}

/* ---- Step functions. */

typedef struct step {
    cohort_value *x, *y;
    cohort_variable *w;
    int n_good[4];
} step;

static cohort_status take_step(cohort_replica *me, void *user)
{
    step *t = user;
    float found[N] = { 0 };
    bool is_good = true;
    for (int i = 0; i < 10 && is_good; i++)
        is_good = good(cohort_replica_run(me, mix, (float)i, t->x, t->w, t->y) == COHORT_OK) &&
                  good(cohort_replica_run(me, add_one, t->x, t->y) == COHORT_OK) &&
                  good(cohort_all_reduce(me, COHORT_SUM, &t->y, 1) == COHORT_OK) &&
                  good(cohort_replica_read(me, t->y, COHORT_ARRAY(found, N)) == COHORT_OK) &&
                  good(found[0] == (float)cohort_replica_count(me)) &&
                  good(cohort_barrier(me) == COHORT_OK);
    t->n_good[cohort_replica_id(me)] += is_good;
    return COHORT_OK;
}

static void steps(const char *devices, int replicas)
{
    stream->reset();
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
    step t = { .x = cohort_value_plain(s, COHORT_ARRAY(zeros, N)),
               .y = cohort_value_create(s),
               .w = cohort_variable_create(s, "w", COHORT_ARRAY(zeros, N), NULL) };
    cohort_status status = cohort_for_each_replica(s, take_step, &t);
    int n_good = 0;
    for (int i = 0; i < replicas; i++)
        n_good += t.n_good[i];
    if (!ok(status == COHORT_OK && n_good == replicas, "a step function runs on %s", devices))
        diag("%d of %d replicas; %s", n_good, replicas, cohort_error_text());
    cohort_strategy_destroy(s);
}

/* ---- The same random calls on devices that are late at random give the same bits. */

enum { REPLICAS = 6, CALLS = 60, SEEDS = 12, ROWS = 3 * REPLICAS + 1 };

typedef struct outcome {
    float w[N], total[N], y[REPLICAS * N];
} outcome;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void delay_at_random(uint32_t seed)
{
    static const uint32_t ops[] = { COHORT_LOOPBACK_EXECUTE,    COHORT_LOOPBACK_LAUNCH,
                                    COHORT_LOOPBACK_READ,       COHORT_LOOPBACK_ENQUEUE_LAUNCH,
                                    COHORT_LOOPBACK_EVENT_WAIT, COHORT_LOOPBACK_WRITE };
    stream->reset();
    for (int i = 0; i < COHORT_LOOPBACK_RULES; i++)
        (void)stream->rule(
            &(cohort_loopback_rule){ .part = next_random(&seed) % 2,
                                     .op = ops[next_random(&seed) % (sizeof ops / sizeof *ops)],
                                     .nth = 1 + next_random(&seed) % 100,
                                     .action = COHORT_LOOPBACK_DELAY,
                                     .delay_ns = next_random(&seed) % 2000000 });
}

typedef struct program {
    cohort_strategy *s;
    cohort_variable *w;
    cohort_value *x, *y, *z, *total;
} program;

static cohort_status call_at_random(program *p, uint32_t *seed, float found[N])
{
    float by = (float)(next_random(seed) % 8) / 8;
    switch (next_random(seed) % 8) {
    case 0:
    case 1:
        return cohort_run(p->s, mix, by, p->x, p->w, p->y);
    case 2:
        return cohort_run(p->s, add_one, p->y, p->z);
    case 3:
        return cohort_reduce(COHORT_SUM, p->y, COHORT_NO_AXIS, p->total);
    case 4:
        return cohort_update(p->w, descend, by, p->total, p->w);
    case 5:
        return cohort_update(p->w, descend, by / 4, p->total, p->w);
    case 6:
        return next_random(seed) % 4 == 0 ? cohort_variable_assign(p->w, by) : COHORT_OK;
    default:
        return next_random(seed) % 4 == 0 ? cohort_variable_read(p->w, COHORT_ARRAY(found, N))
                                          : COHORT_OK;
    }
}

static bool play(const char *devices, uint32_t seed, outcome *out)
{
    float x[N], found[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(next_random(&seed) % 1000) / 7;
    program p = { .s = cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = devices, .replicas = REPLICAS }) };
    p.w = cohort_variable_create(p.s, "w", COHORT_ARRAY(x, N), NULL);
    p.x = cohort_value_plain(p.s, COHORT_ARRAY(x, N));
    p.y = cohort_value_create(p.s);
    p.z = cohort_value_create(p.s);
    p.total = cohort_value_create(p.s);
    cohort_status status = cohort_run(p.s, mix, 1.0f, p.x, p.w, p.y);
    if (status >= 0)
        status = cohort_reduce(COHORT_SUM, p.y, COHORT_NO_AXIS, p.total);
    for (int i = 0; i < CALLS && status >= 0; i++)
        status = call_at_random(&p, &seed, found);
    bool is_good = good(status >= 0) &&
                   good(cohort_variable_read(p.w, COHORT_ARRAY(out->w, N)) == COHORT_OK) &&
                   good(cohort_value_read(p.total, COHORT_ARRAY(out->total, N)) == COHORT_OK) &&
                   good(cohort_value_read(p.y, COHORT_ARRAY(out->y, REPLICAS, N)) == COHORT_OK);
    cohort_strategy_destroy(p.s);
    return is_good;
}

static void *let_go_soon(void *unused)
{
    (void)unused;
    (void)nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
    stream->reset();
    return NULL;
}

/* The worker of the device has done what it was handed, and looks a last time, when the next call
 * posts more for it and runs its own body. */
static void posted_to_leaver(void)
{
    float x[2] = { 1, 2 }, got[2] = { 0 };
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host,stream", .replicas = 2 });
    cohort_value *from = cohort_value_split(s, COHORT_ARRAY(x, 2));
    cohort_value *one = cohort_value_create(s), *other = cohort_value_create(s);
    bool is_good = s != NULL && cohort_run(s, add_one, from, other) >= 0 && cohort_wait(s) >= 0;
    (void)hold();
    int32_t looks = stream->rule(&(cohort_loopback_rule){ .part = COHORT_LOOPBACK_ANY,
                                                          .op = COHORT_LOOPBACK_EVENT_WAIT,
                                                          .nth = 1,
                                                          .action = COHORT_LOOPBACK_HOLD });
    atomic_store(&n_met, 0);
    is_good = is_good && cohort_run(s, add_one, from, one) >= 0 &&
              stream->reached(looks, 1, 10 * SECOND) != 0;
    pthread_t thread;
    is_good = is_good && pthread_create(&thread, NULL, let_go_soon, NULL) == 0;
    is_good = is_good && cohort_run(s, meet_other, from, other) >= 0;
    is_good = is_good && pthread_join(thread, NULL) == 0;
    is_good = is_good && cohort_value_read(other, COHORT_ARRAY(got, 2)) >= 0 && got[0] == 1 &&
              got[1] == 2;
    ok(is_good, "what is posted to a worker that is about to leave is done while the caller runs "
                "its own body");
    cohort_strategy_destroy(s);
    stream->reset();
}

static cohort_status meet(cohort_replica *me, void *user)
{
    (void)user;
    return cohort_barrier(me);
}

/* The worker of the device has just finished one step when the caller posts the next and plays its
 * own replica. */
static void many_steps(const char *devices, int replicas)
{
    enum { STEPS = 5000 };
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
    cohort_status status = s != NULL ? COHORT_OK : COHORT_EINVAL;
    int n = 0;
    (void)alarm(60); /* a step that is not seen is waited for for ever */
    for (; n < STEPS && status >= 0; n++)
        status = cohort_for_each_replica(s, meet, NULL);
    (void)alarm(0);
    ok(status >= 0, "%d steps one right after the other on %s", n, devices);
    cohort_strategy_destroy(s);
}

static void late_at_random(uint32_t first_seed)
{
    static const char *const devices[] = { "stream/2,host", "host,stream/2", "stream/2",
                                           "loopback,stream" };
    int n_equal = 0;
    for (uint32_t seed = first_seed; seed < first_seed + SEEDS; seed++) {
        const char *on = devices[seed % (sizeof devices / sizeof *devices)];
        outcome wanted = { .w = { 0 } }, found = { .w = { 1 } };
        bool is_good = play("host/2", seed, &wanted);
        delay_at_random(seed);
        is_good = play(on, seed, &found) && is_good;
        if (is_good && memcmp(&wanted, &found, sizeof found) == 0)
            n_equal++;
        else
            diag("seed %u on %s", seed, on);
    }
    stream->reset();
    ok(n_equal == SEEDS,
       "%d random programs of %d calls give the bits of host/2 on devices that are late, from seed "
       "%u",
       SEEDS, CALLS, first_seed);
}

/* Each function and device is used once: prototypes and the host's team stay for the life of the
 * process. */
static core_live warm_up(void)
{
    work k;
    outcome unread;
    (void)core_warm();
    ok(work_open(&k, "stream/2,host") && play("host/2", 1, &unread), "every function runs");
    cohort_strategy_destroy(k.s);
    verdicts();
    posted_to_leaver();
    return core_live_now();
}

int main(void)
{
    stream = steer_stream();
    if (stream == NULL || steer() == NULL)
        return skip_all("there is no stream plugin on COHORT_PLUGIN_PATH");
    const char *seed = getenv("SEED");
    core_live warm = warm_up();
    many_in_flight("stream", 1);
    many_in_flight("stream/2", 2);
    many_in_flight("host,stream", 1);
    reads_wait();
    uploads("stream");
    uploads("stream/2,host");
    full();
    many_fit();
    verdicts();
    third_fails(COHORT_LOOPBACK_LAUNCH, "fails when it is done");
    third_fails(COHORT_LOOPBACK_ENQUEUE_LAUNCH, "fails in its call");
    update_fails("stream/2", 1);
    update_fails("stream/2", 0);
    update_fails("stream,host", 0);
    not_yet();
    destroyed(0);
    destroyed(1);
    steps("stream", 3);
    steps("stream/2,host", 3);
    steps("stream/2", 4);
    many_steps("host,stream", 2);
    many_steps("stream/2,host", 3);
    late_at_random(seed != NULL ? (uint32_t)strtoul(seed, NULL, 10) : 1);
    core_no_leak(warm);
    return tap_done();
}
