/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a thread looks before it sleeps: waits played to cohort_spin on a clock of the test's
 * own, so that nothing depends on the machine. */
#include "config.h"

#include "runtime/executor/spin.h"

#include "tests/tap.h"

enum { MOST_NS = 100000, MS_NS = 1000000, LATE_NS = 30000, WAKE_NS = 25000 };

typedef struct clock {
    cohort_spin spin;
    int64_t now_ns, looked_ns, alarms;
} clock;

typedef enum found { AT_ONCE, AFTER_ALARM, WOKEN } found;

static clock begin(int64_t most_ns)
{
    clock c = { .now_ns = 1000 * (int64_t)MS_NS };
    cohort_spin_init(&c.spin, most_ns);
    return c;
}

/* Look until then, or until work comes; whether it has come. */
static bool look(clock *c, int64_t until_ns, int64_t work_ns)
{
    int64_t begin_ns = c->now_ns;
    int64_t end_ns = until_ns < work_ns ? until_ns : work_ns;
    c->now_ns = end_ns > begin_ns ? end_ns : begin_ns;
    c->looked_ns += c->now_ns - begin_ns;
    return work_ns <= c->now_ns;
}

/* One wait, for work that comes after gap_ns. */
static found play(clock *c, int64_t gap_ns)
{
    int64_t work_ns = c->now_ns + gap_ns;
    if (look(c, cohort_spin_begin(&c->spin, c->now_ns), work_ns)) {
        cohort_spin_end(&c->spin, c->now_ns);
        return AT_ONCE;
    }
    int64_t alarm_ns = cohort_spin_sleep(&c->spin, c->now_ns);
    if (alarm_ns < work_ns - LATE_NS) {
        c->alarms++;
        c->now_ns = alarm_ns + LATE_NS;
        if (look(c, cohort_spin_wake(&c->spin, c->now_ns), work_ns)) {
            cohort_spin_end(&c->spin, c->now_ns);
            return AFTER_ALARM;
        }
        if (cohort_spin_sleep(&c->spin, c->now_ns) != INT64_MAX)
            c->alarms = INT64_MIN; /* a third look */
    }
    cohort_spin_end(&c->spin, work_ns);
    c->now_ns = work_ns + WAKE_NS;
    return WOKEN;
}

/* The same gap again and again: how many of the waits end so. */
static int count(clock *c, int times, int64_t gap_ns, int64_t jitter_ns, found way)
{
    int n = 0;
    for (int i = 0; i < times; i++)
        n += play(c, gap_ns + (i * 7 % 5 - 2) * jitter_ns / 2) == way;
    return n;
}

static void test_no_looks(void)
{
    clock c = begin(0);
    ok(count(&c, 100, MS_NS, 0, WOKEN) == 100 && c.looked_ns == 0,
       "with 0 as the longest look nothing is looked for, and no alarm is set");
}

static void test_near(void)
{
    clock c = begin(MOST_NS);
    ok(count(&c, 100, 1000, 0, AT_ONCE) == 100, "work that follows at once is found by looking");
    ok(count(&c, 100, 90000, 0, AT_ONCE) == 100, "and so is work within the longest look");
    (void)count(&c, 100, 50 * MS_NS, 0, WOKEN);
    int64_t before = c.looked_ns;
    (void)count(&c, 100, 50 * MS_NS, 20 * MS_NS, WOKEN);
    ok(c.looked_ns - before < 100 * MOST_NS / 4, "after long waits the first look is short");
    ok(count(&c, 100, 1000, 0, AT_ONCE) == 100, "which still finds what follows at once");
    ok(count(&c, 10, 60000, 0, AT_ONCE) >= 8, "and grows where it misses work by little");
}

static void test_gap(void)
{
    static const int64_t gaps[] = { MS_NS / 2, MS_NS, 3 * MS_NS, 10 * MS_NS };
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        clock c = begin(MOST_NS);
        (void)count(&c, 50, gaps[i], 2000, WOKEN);
        int64_t begin_ns = c.now_ns, looked = c.looked_ns;
        int n = count(&c, 1000, gaps[i], 2000, AFTER_ALARM);
        ok(n >= 990, "gaps of about %g ms: the thread is awake when work comes (%d of 1000)",
           (double)gaps[i] * 1e-6, n);
        ok((c.looked_ns - looked) * 10 <= c.now_ns - begin_ns, "in a tenth of the time at most");
    }
}

static void test_other_gaps(void)
{
    clock c = begin(MOST_NS);
    (void)count(&c, 50, MS_NS, 2000, WOKEN);
    ok(play(&c, 40 * MS_NS) == WOKEN && play(&c, MS_NS) == AFTER_ALARM,
       "one wait that is nothing like the others changes nothing");
    (void)count(&c, 20, 5 * MS_NS, 2000, WOKEN);
    ok(count(&c, 100, 5 * MS_NS, 2000, AFTER_ALARM) >= 98, "another gap is learned anew");
    int n = 0;
    (void)count(&c, 30, MS_NS, 2000, WOKEN);
    for (int i = 0; i < 100; i++) { /* a step of four operations, then the program's own work */
        n += count(&c, 3, 2000, 0, AT_ONCE);
        n += play(&c, MS_NS) == AFTER_ALARM;
    }
    ok(n >= 395, "short waits between the long ones change neither (%d of 400)", n);
}

/* Waits without any order, of 0.1 to 30 ms. */
static void test_disorder(void)
{
    clock c = begin(MOST_NS);
    uint64_t state = 88172645463325252u;
    int64_t begin_ns = c.now_ns;
    for (int i = 0; i < 5000; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (void)play(&c, 100000 + (int64_t)(state % (30 * MS_NS)) / (1 + i % 16));
    }
    ok((c.looked_ns) * 10 <= c.now_ns - begin_ns, "waits without order: a tenth of the time");
    ok(c.alarms >= 0, "and no wait has more than two looks");
}

/* A look of 20 us that takes 4 ms, because somebody else had the core. */
static void test_lost_core(void)
{
    clock c = begin(MOST_NS);
    (void)count(&c, 50, MS_NS, 2000, WOKEN);
    (void)cohort_spin_begin(&c.spin, c.now_ns);
    c.now_ns += 4 * MS_NS;
    ok(cohort_spin_sleep(&c.spin, c.now_ns) == INT64_MAX, "after a look that lost its core,");
    cohort_spin_end(&c.spin, c.now_ns);
    int64_t alarms = c.alarms;
    (void)count(&c, 20, MS_NS, 2000, WOKEN);
    ok(c.alarms == alarms, "there are no second ones for a while");
    (void)count(&c, 100, MS_NS, 2000, WOKEN);
    ok(count(&c, 100, MS_NS, 2000, AFTER_ALARM) == 100, "and then again");
    (void)cohort_spin_begin(&c.spin, c.now_ns);
    c.now_ns += 3600 * 1000 * (int64_t)MS_NS;
    (void)cohort_spin_sleep(&c.spin, c.now_ns);
    cohort_spin_end(&c.spin, c.now_ns);
    (void)count(&c, 200, MS_NS, 2000, WOKEN);
    ok(count(&c, 100, MS_NS, 2000, AFTER_ALARM) == 100,
       "a process that was stopped for an hour looks again soon");
}

int main(void)
{
    test_no_looks();
    test_near();
    test_gap();
    test_other_gaps();
    test_disorder();
    test_lost_core();
    return tap_done();
}
