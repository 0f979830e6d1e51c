/* SPDX-License-Identifier: BSD-3-Clause */
/* The first look grows and shrinks as the polling of Linux's guests before they halt
 * (Documentation/virt/guest-halt-polling.rst): a wait that it missed by little makes it longer, one
 * that was far longer than any look halves it. The length of long waits and their spread are
 * estimated as TCP estimates round trips (RFC 6298), but a stranger, a wait that is nothing like
 * the others, is not counted before it comes three times in a row. */
#include "config.h"

#include "runtime/executor/spin.h"

#include <stdbool.h>

/* LEAST: the shortest first look; work that follows at once comes within it. MARGIN: to both sides
 * of the time at which work is due. CREDIT_SHARE: one part in so many of all time may be spent with
 * looks that find nothing, or that an alarm began. CREDIT_LOOKS, DEBT_LOOKS: no more credit is
 * kept than so many of the longest looks cost, and no more debt, for a process may be stopped. */
enum {
    LEAST_NS = 5000,
    MARGIN_NS = 6000,
    CREDIT_SHARE = 12,
    CREDIT_LOOKS = 4,
    DEBT_LOOKS = 100,
    STRANGERS = 3
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

/* A day is as good as any longer time, and a hundred of them do not overflow. */
void cohort_spin_init(cohort_spin *spin, int64_t most_ns)
{
    const int64_t day_ns = INT64_C(86400000000000);
    *spin = (cohort_spin){ .most_ns = least(most_ns, day_ns), .near_ns = least(most_ns, day_ns) };
}

/* ------------------------------------------------------------------ looking */

static void earn(cohort_spin *spin, int64_t now_ns)
{
    int64_t earned = (now_ns - spin->credited_ns) / CREDIT_SHARE;
    spin->credit_ns = least(spin->credit_ns + earned, CREDIT_LOOKS * spin->most_ns);
    spin->credited_ns = now_ns;
}

/* By the clock of the wall, not of the thread: a look during which the thread has lost its core is
 * as long as the time that somebody else had it. */
static void pay(cohort_spin *spin, int64_t now_ns)
{
    spin->credit_ns = most(spin->credit_ns - (now_ns - spin->look_ns), -DEBT_LOOKS * spin->most_ns);
}

int64_t cohort_spin_begin(cohort_spin *spin, int64_t now_ns)
{
    earn(spin, now_ns);
    spin->state = COHORT_SPIN_LOOKS;
    spin->begin_ns = spin->look_ns = now_ns;
    return now_ns + spin->near_ns;
}

/* Work is due within this of the expected time, to both sides. */
static int64_t margin(const cohort_spin *spin)
{
    return MARGIN_NS + 2 * spin->spread_ns;
}

/* The look can be paid, and there is time to sleep before it. */
static bool is_worth_an_alarm(const cohort_spin *spin, int64_t alarm_ns, int64_t now_ns)
{
    int64_t width_ns = 2 * margin(spin);
    return spin->gap_ns > 0 && width_ns <= spin->most_ns && width_ns <= spin->credit_ns &&
           alarm_ns - now_ns >= LEAST_NS;
}

int64_t cohort_spin_sleep(cohort_spin *spin, int64_t now_ns)
{
    int64_t alarm_ns = spin->begin_ns + spin->gap_ns - margin(spin) - spin->late_ns;
    pay(spin, now_ns);
    bool has_alarm = spin->state == COHORT_SPIN_LOOKS && is_worth_an_alarm(spin, alarm_ns, now_ns);
    spin->state = has_alarm ? COHORT_SPIN_HAS_ALARM : COHORT_SPIN_SLEEPS;
    return spin->alarm_ns = has_alarm ? alarm_ns : INT64_MAX;
}

int64_t cohort_spin_wake(cohort_spin *spin, int64_t now_ns)
{
    int64_t late_ns = least(now_ns - spin->alarm_ns, spin->most_ns);
    spin->late_ns += (late_ns - spin->late_ns) / 4;
    spin->state = COHORT_SPIN_LOOKS_AGAIN;
    spin->look_ns = now_ns;
    return most(spin->begin_ns + spin->gap_ns + margin(spin), now_ns + LEAST_NS);
}

/* ------------------------------------------------------------------ learning */

/* Longer where a look would have found it, half as long where none would. */
static void learn_near(cohort_spin *spin, int64_t gap_ns)
{
    int64_t wanted =
        gap_ns <= spin->most_ns ? most(2 * spin->near_ns, gap_ns + gap_ns / 2) : spin->near_ns / 2;
    spin->near_ns = least(most(wanted, LEAST_NS), spin->most_ns);
}

static void begin_anew(cohort_spin *spin, int64_t gap_ns)
{
    spin->gap_ns = gap_ns;
    spin->spread_ns = MARGIN_NS;
    spin->strangers = 0;
}

static void learn_gap(cohort_spin *spin, int64_t gap_ns)
{
    int64_t off = distance(gap_ns, spin->gap_ns);
    if (spin->gap_ns == 0) {
        begin_anew(spin, gap_ns);
    } else if (off <= spin->gap_ns / 4 + spin->most_ns / 2) {
        spin->strangers = 0;
        spin->gap_ns += (gap_ns - spin->gap_ns) / 4;
        spin->spread_ns += (off - spin->spread_ns) / 4;
    } else if (++spin->strangers >= STRANGERS) {
        begin_anew(spin, gap_ns);
    }
}

/* Work came after the time of the alarm, and before it rang. How late it would have rung is not
 * known, but it was too late. */
static void learn_late(cohort_spin *spin, int64_t came_ns)
{
    int64_t late_ns = spin->late_ns + most(came_ns - spin->alarm_ns, 0);
    spin->late_ns = least(late_ns, spin->most_ns);
}

void cohort_spin_end(cohort_spin *spin, int64_t came_ns)
{
    int64_t gap_ns = came_ns - spin->begin_ns;
    if (spin->state == COHORT_SPIN_LOOKS_AGAIN)
        pay(spin, came_ns);
    if (spin->state == COHORT_SPIN_HAS_ALARM)
        learn_late(spin, came_ns);
    if (gap_ns > spin->near_ns)
        learn_near(spin, gap_ns);
    if (gap_ns > spin->most_ns && spin->most_ns > 0)
        learn_gap(spin, gap_ns);
}
