/* SPDX-License-Identifier: BSD-3-Clause */
/* make check-long: random calls on random strategies, with failures thrown in, against a model in plain C.
 *
 * usage: stress [SEED [SECONDS]]; both are printed, and the same seed makes the same calls.
 *
 * The model knows what every value and the variable hold. After a failure and recover, a value can either not be read,
 * or holds what the model says, or, where the very call that wrote it failed, what it held before; and the variable is
 * one of its versions since it was last seen, whole. */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/steer.h"
#include "tests/tap.h"

#include <time.h>

enum { VALUES = 5, MOST = 6000, CALLS = 400, WIDTH = 8, VERSIONS = 512 };

COHORT_FUNCTION(twice, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)((int32_t)(2 * x[i]) % 1024); /* whole numbers that stay exact in every sum */
}

COHORT_FUNCTION(increase, (int64_t n, float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += 1;
}

COHORT_FUNCTION(add, (int64_t n, float a, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += a;
}

/* ------------------------------------------------------------------ the model */

typedef struct model {
    cohort_value *value;
    int32_t n; /* elements, -1: not known, or nothing */
    bool is_plain;
    float data[MOST], before[MOST]; /* before: ahead of the latest call that wrote it */
    int32_t n_before;
    float source[MOST]; /* what a split borrows */
} model;

static const cohort_loopback *steered[2]; /* loopback and stream; NULL without the plugin: then nothing fails */
static uint64_t state;
static cohort_strategy *s;
static model values[VALUES];
static cohort_variable *w;
static float versions[VERSIONS]; /* of the variable, all of whose elements are alike; [0]: as last seen */
static int n_versions;
static int n_wrong;

static int draw(int n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)n);
}

static void complain(const char *what)
{
    if (n_wrong++ < 5)
        diag("%s; latest error: %s", what, cohort_error_text());
}

static void remember(model *m)
{
    m->n_before = m->n;
    memcpy(m->before, m->data, sizeof m->data);
}

static void forget(model *m)
{
    cohort_value_destroy(m->value);
    m->value = cohort_value_create(s);
    m->n = m->n_before = -1;
}

static bool holds(const float *found, const float *wanted, int32_t n)
{
    return memcmp(found, wanted, (size_t)n * sizeof *found) == 0;
}

/* ------------------------------------------------------------------ after a failure */

static void look_again(model *m)
{
    static float found[MOST];
    bool is_right =
        m->n >= 0 && cohort_value_read(m->value, COHORT_ARRAY(found, m->n)) >= 0 && holds(found, m->data, m->n);
    bool is_old = !is_right && m->n_before >= 0 && cohort_value_read(m->value, COHORT_ARRAY(found, m->n_before)) >= 0 &&
                  holds(found, m->before, m->n_before);
    bool is_readable = m->n >= 0 && cohort_value_read(m->value, COHORT_ARRAY(found, m->n)) >= 0;
    if (is_readable && !is_right && !is_old)
        complain("a value that can be read is wrong after recover");
    forget(m);
}

static void look_at_variable(void)
{
    float found[WIDTH];
    bool is_one = false;
    if (cohort_variable_read(w, COHORT_ARRAY(found, WIDTH)) < 0) {
        complain("the variable cannot be read after recover");
        return;
    }
    for (int i = 0; i < n_versions; i++)
        is_one = is_one || found[0] == versions[i];
    for (int i = 1; i < WIDTH; i++)
        is_one = is_one && found[i] == found[0];
    if (!is_one)
        complain("the variable is no whole version");
    versions[0] = found[0];
    n_versions = 1;
}

static void reset_plugins(void)
{
    for (int i = 0; i < 2; i++)
        if (steered[i] != NULL)
            steered[i]->reset();
}

static void recover(void)
{
    reset_plugins();
    if (cohort_strategy_recover(s) < 0)
        complain("recover");
    for (int i = 0; i < VALUES; i++)
        look_again(&values[i]);
    look_at_variable();
}

/* ------------------------------------------------------------------ calls */

static cohort_status call_split(model *m)
{
    cohort_status status = cohort_wait(s); /* the old source may be in use */
    if (status < 0)
        return status;
    forget(m);
    static const int32_t sizes[] = { 0, 1, 3, 7, 64, 1000, MOST };
    int32_t n = sizes[draw(7)];
    for (int32_t i = 0; i < n; i++)
        m->source[i] = m->data[i] = (float)draw(100);
    cohort_value_destroy(m->value);
    m->value = cohort_value_split(s, COHORT_ARRAY(m->source, n));
    if (m->value == NULL) {
        status = cohort_strategy_status(s);
        m->value = cohort_value_create(s);
        return status;
    }
    m->n = n;
    m->is_plain = false;
    remember(m);
    return COHORT_OK;
}

static cohort_status call_twice(model *from, model *into)
{
    if (from->n < 0 || from->is_plain || from == into)
        return COHORT_OK;
    remember(into);
    for (int32_t i = 0; i < from->n; i++)
        into->data[i] = (float)((int32_t)(2 * from->data[i]) % 1024);
    into->n = from->n;
    into->is_plain = false;
    return cohort_run(s, twice, from->value, into->value);
}

static cohort_status step(cohort_replica *me, void *user)
{
    cohort_status status = cohort_barrier(me);
    return status < 0 ? status : cohort_replica_run(me, increase, ((model *)user)->value);
}

static cohort_status call_increase(model *m, bool in_step)
{
    if (m->n < 0 || m->is_plain)
        return COHORT_OK;
    remember(m);
    for (int32_t i = 0; i < m->n; i++)
        m->data[i]++;
    return in_step ? cohort_for_each_replica(s, step, m) : cohort_run(s, increase, m->value);
}

static cohort_status call_combine(model *from, model *into, bool is_sum)
{
    if (from->n <= 0 || from->is_plain || from == into)
        return COHORT_OK;
    remember(into);
    into->is_plain = true;
    into->n = is_sum ? 1 : from->n;
    float sum = 0;
    for (int32_t i = 0; i < from->n; i++)
        sum += from->data[i];
    if (is_sum)
        into->data[0] = sum;
    else
        memcpy(into->data, from->data, sizeof into->data);
    return is_sum ? cohort_reduce(COHORT_SUM, from->value, 0, into->value) : cohort_gather(from->value, 0, into->value);
}

static cohort_status call_change(bool is_update)
{
    float number = (float)draw(9), newest = versions[n_versions - 1];
    versions[n_versions++] = is_update ? newest + number : number;
    return is_update ? cohort_update(w, add, number, w) : cohort_variable_assign(w, number);
}

static cohort_status call_read(model *m)
{
    static float found[MOST];
    if (m->n < 0)
        return COHORT_OK;
    cohort_status status = cohort_value_read(m->value, COHORT_ARRAY(found, m->n));
    if (status >= 0 && !holds(found, m->data, m->n))
        complain("a value is wrong");
    return status;
}

static cohort_status call_read_variable(void)
{
    float found[WIDTH];
    cohort_status status = cohort_variable_read(w, COHORT_ARRAY(found, WIDTH));
    if (status < 0)
        return status;
    if (found[0] != versions[n_versions - 1] || found[WIDTH - 1] != found[0])
        complain("the variable is wrong");
    versions[0] = found[0];
    n_versions = 1;
    return status;
}

static cohort_status call_anything(void)
{
    model *a = &values[draw(VALUES)], *b = &values[draw(VALUES)];
    if (n_versions == VERSIONS)
        return call_read_variable();
    switch (draw(11)) {
    case 0:
    case 1:
        return call_split(a);
    case 2:
        return call_twice(a, b);
    case 3:
        return call_increase(a, false);
    case 4:
        return call_increase(a, true);
    case 5:
        return call_combine(a, b, true);
    case 6:
        return call_combine(a, b, false);
    case 7:
        return call_change(true);
    case 8:
        return call_change(false);
    case 9:
        return call_read_variable();
    default:
        return call_read(a);
    }
}

/* The second half are those of the plugin stream alone: in the call, and in the queue. */
static uint32_t draw_op(int plugin)
{
    static const uint32_t ops[] = { COHORT_LOOPBACK_ALLOC,         COHORT_LOOPBACK_KERNEL_CREATE,
                                    COHORT_LOOPBACK_WRITE,         COHORT_LOOPBACK_READ,
                                    COHORT_LOOPBACK_LAUNCH,        COHORT_LOOPBACK_COPY,
                                    COHORT_LOOPBACK_ENQUEUE_WRITE, COHORT_LOOPBACK_ENQUEUE_READ,
                                    COHORT_LOOPBACK_ENQUEUE_COPY,  COHORT_LOOPBACK_ENQUEUE_LAUNCH };
    int n = sizeof ops / sizeof *ops;
    return ops[draw(plugin == 0 ? 6 : n)];
}

static void arm_failure(void)
{
    int plugin = draw(2);
    if (steered[plugin] != NULL && draw(15) == 0)
        (void)steer_rule(steered[plugin], COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, draw_op(plugin),
                         1 + (uint32_t)draw(4), 0);
}

static void delay(int plugin, uint32_t op, uint32_t nth, int is_sticky)
{
    static const uint64_t most_ns[] = { 1000, 30000, 300000 };
    if (steered[plugin] != NULL)
        (void)steered[plugin]->rule(
            &(cohort_loopback_rule){ .part = draw(2) == 1 ? COHORT_LOOPBACK_ANY : (uint32_t)draw(3),
                                     .op = op,
                                     .nth = nth,
                                     .sticky = (uint32_t)is_sticky,
                                     .action = COHORT_LOOPBACK_DELAY,
                                     .delay_ns = most_ns[draw(3)] });
}

/* Devices of all speeds, and hiccups: what finishes first is another operation each time. */
static void delay_queues(void)
{
    int n = draw(3);
    for (int i = 0; i < n; i++)
        delay(1, draw(3) > 0 ? COHORT_LOOPBACK_EXECUTE : draw_op(1), 1, 1);
}

static void delay_something(void)
{
    int plugin = draw(2);
    if (draw(10) == 0)
        delay(plugin, draw_op(plugin), 1 + (uint32_t)draw(4), 0);
}

/* ------------------------------------------------------------------ rounds */

static bool open_strategy(void)
{
    static const struct {
        const char *devices;
        int least;
    } places[] = { { "host", 1 },
                   { "host/2", 2 },
                   { "host/3", 3 },
                   { "loopback", 1 },
                   { "loopback/2", 2 },
                   { "loopback/3,host", 4 },
                   { "host,loopback", 2 },
                   { "stream", 1 },
                   { "stream/3", 3 },
                   { "host,stream", 2 },
                   { "stream/2,host/2", 4 },
                   { "stream,loopback", 2 },
                   { "stream/2,loopback/2,host", 5 } };
    enum { PLACES = sizeof places / sizeof *places };
    reset_plugins();
    int p = draw(PLACES), replicas = places[p].least + draw(6);
    delay_queues();
    s = cohort_strategy_create(&(cohort_strategy_options){ .devices = places[p].devices, .replicas = replicas });
    if (s == NULL)
        return false;
    diag("%d replicas on %s", replicas, places[p].devices);
    float zero[WIDTH] = { 0 };
    w = cohort_variable_create(s, "w", COHORT_ARRAY(zero, WIDTH), NULL);
    versions[0] = 0;
    n_versions = 1;
    for (int i = 0; i < VALUES; i++) {
        values[i].value = cohort_value_create(s);
        values[i].n = values[i].n_before = -1;
    }
    return w != NULL && cohort_wait(s) >= 0;
}

static void play_round(void)
{
    if (!open_strategy()) {
        complain("a strategy does not open");
        return;
    }
    bool wants_failures = draw(2) == 1;
    for (int i = 0; i < CALLS; i++) {
        if (wants_failures)
            arm_failure();
        delay_something();
        if (call_anything() < 0)
            recover();
    }
    if (draw(4) > 0 && cohort_wait(s) < 0) /* else it is destroyed with all in flight */
        recover();
    cohort_strategy_destroy(s);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 60;
    time_t end = time(NULL) + (time_t)seconds;
    int rounds = 0;
    diag("seed %llu, %g seconds", (unsigned long long)seed, seconds);
    state = seed;
    steered[0] = steer();
    steered[1] = steer_stream();
    do {
        play_round();
        rounds++;
    } while (time(NULL) < end && n_wrong == 0);
    ok(n_wrong == 0, "%d strategies of %d random calls each hold what the model says (seed %llu)", rounds, CALLS,
       (unsigned long long)seed);
    return tap_done();
}
