/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for a lane, and for what its device is asked.
 *
 * There is no thread that watches deadlines: whoever waits for a lane looks at all lanes of the
 * strategy, once in each slice, and declares a device lost that does not answer in time. No
 * deadline passes for a call that nobody waits for.
 *
 * `asking` is one word, a serial number and a state, so that a question can be given up only while
 * it is that question: the waiter goes from ASKING to LOSING by compare and swap on the word that
 * it looked at, and the runner from ASKING to IDLE in the same way. One of them wins. The runner
 * that loses ends its thread and touches nothing any more; the waiter that loses has seen an answer
 * in time. */
#include "config.h"

#include "runtime/executor/lane.h"

#include "runtime/base/barrier.h"
#include "runtime/base/thread.h"
#include "runtime/plugin/stragglers.h"

#include <sched.h>
#include <stdio.h>

/* ------------------------------------------------------------------ asking a device */

/* The fields are written before the word that says ASKING is released, and read by others only
 * after they have acquired that word. Only the runner writes here, so its own load needs no
 * order. */
void cohort_lane_ask(cohort_lane *lane, const char *question, const char *device_id,
                     cohort_setting_id setting, int64_t limit_ns, int64_t spent_ns)
{
    uint64_t serial = (atomic_load_explicit(&lane->asking, memory_order_relaxed) >> 2) + 1;
    lane->question = question;
    lane->device_id = device_id;
    lane->setting = setting;
    atomic_store_explicit(&lane->limit_ns, limit_ns, memory_order_relaxed);
    atomic_store_explicit(&lane->spent_ns, spent_ns, memory_order_relaxed);
    atomic_store_explicit(&lane->asking, serial << 2 | COHORT_LANE_ASKING, memory_order_release);
}

/* The compare and swap fails when a waiter has declared the device lost in between. Then the
 * executor is leaked for this thread's sake, and the thread must not go on with operations: it ends
 * here, and its cleanup (worker.c) finds that the loss was told already. */
void cohort_lane_answered(cohort_lane *lane)
{
    uint64_t asking = atomic_load_explicit(&lane->asking, memory_order_relaxed);
    uint64_t idle = (asking & ~(uint64_t)3) | COHORT_LANE_IDLE;
    if ((asking & 3) == COHORT_LANE_ASKING &&
        atomic_compare_exchange_strong(&lane->asking, &asking, idle))
        return;
    cohort_stragglers_remove(); /* declare_lost has counted it */
    pthread_exit(NULL);
}

/* ------------------------------------------------------------------ waiting for work */

/* What the runner of a lane waits for. */
static bool has_news(cohort_lane *lane)
{
    return cohort_lane_has_work(lane) ||
           atomic_load_explicit(&lane->should_stop, memory_order_relaxed);
}

/* Between two looks: who shares a core with whom it looks for lets it run, every eighth time. */
static inline void pause_between_looks(bool yields, unsigned round)
{
    if (yields && round % 8 == 7)
        sched_yield();
    else
        cohort_thread_relax();
}

/* A round without work costs a load of a cache line that stays with this core until the planner
 * posts. */
static bool look_a_few_rounds(cohort_lane *lane)
{
    for (unsigned round = 0; round < 64; round++) {
        if (has_news(lane))
            return true;
        pause_between_looks(lane->does_yield, round);
    }
    return false;
}

static bool look_until(cohort_lane *lane, int64_t until_ns)
{
    bool is_found = look_a_few_rounds(lane);
    while (!is_found && cohort_clock_ns() < until_ns)
        is_found = look_a_few_rounds(lane);
    return is_found;
}

/* A thread runs again that has slept since `slept_ns`, and holds the lock. It was not woken where
 * nobody has rung since: what it waited for came as it went to sleep. */
static void learn_waking(cohort_lane *lane, int64_t slept_ns)
{
    if (lane->rung_ns > slept_ns)
        cohort_patience_learn(&lane->patience, cohort_clock_ns() - lane->rung_ns);
}

/* Who sleeps on the lane is looked for from here on, and looks once more (cohort_lane_notify). */
static void announce_sleeper(cohort_lane *lane)
{
    atomic_fetch_add(&lane->sleepers, 1);
    cohort_barrier_heavy();
}

/* Until news come or the alarm rings (INT64_MAX: never), and then false. News that are there as the
 * runner lies down have come just now. */
static bool sleep_until(cohort_lane *lane, int64_t alarm_ns, int64_t *out_came_ns)
{
    bool is_ringing = false;
    announce_sleeper(lane);
    pthread_mutex_lock(&lane->lock);
    int64_t slept_ns = lane->rung_ns = cohort_clock_ns();
    while (!is_ringing && atomic_load(&lane->posted) == lane->issued &&
           !atomic_load(&lane->should_stop))
        is_ringing = !cohort_condition_wait_until(&lane->wake, &lane->lock, alarm_ns);
    *out_came_ns = lane->rung_ns;
    learn_waking(lane, slept_ns);
    pthread_mutex_unlock(&lane->lock);
    atomic_fetch_sub(&lane->sleepers, 1);
    return !is_ringing;
}

/* Returns when the news came. */
static int64_t await_news(cohort_lane *lane)
{
    int64_t came_ns = 0, until_ns = cohort_spin_begin(&lane->spin, cohort_clock_ns());
    while (!look_until(lane, until_ns)) {
        int64_t alarm_ns = cohort_spin_sleep(&lane->spin, cohort_clock_ns());
        if (sleep_until(lane, alarm_ns, &came_ns))
            return came_ns;
        until_ns = cohort_spin_wake(&lane->spin, cohort_clock_ns());
    }
    return cohort_clock_ns();
}

/* What follows at once is found without a look at the clock, and teaches nothing. */
bool cohort_lane_wait_for_work(cohort_lane *lane)
{
    if (!look_a_few_rounds(lane))
        cohort_spin_end(&lane->spin, await_news(lane));
    return cohort_lane_has_work(lane);
}

void cohort_lane_stop(cohort_lane *lane)
{
    atomic_store(&lane->should_stop, true);
    cohort_lane_notify(lane);
}

/* ------------------------------------------------------------------ waiting for a lane */

static void wake_all(cohort_lane *lane)
{
    pthread_mutex_lock(&lane->lock);
    pthread_cond_broadcast(&lane->wake);
    pthread_mutex_unlock(&lane->lock);
}

/* Runs as the thread ends (pthread_cleanup_push). A lane that is lost, or about to be (LOST and
 * LOSING share a bit), was told by whoever declared it lost. */
void cohort_lane_forsake(cohort_lane *lane, cohort_status status)
{
    uint64_t asking = atomic_load(&lane->owner->asking);
    if ((asking & 2) != 0)
        return;
    cohort_failure_raise(lane->failure, status, 0, 0);
    atomic_store(&lane->owner->asking, (asking & ~(uint64_t)3) | COHORT_LANE_LOST);
    wake_all(lane->owner);
}

/* The failure is raised before the state says LOST: whoever sees that a lane is lost goes on to
 * operations that waited for it, and must find that everything is stopped.
 * op: what the runner was doing, or NULL. */
static cohort_status mark_lost(cohort_lane *lane, const cohort_op *op, cohort_status status)
{
    cohort_failure_raise(lane->failure, status, 0, op != NULL ? op->step : 0);
    atomic_store(&lane->asking, (atomic_load(&lane->asking) & ~(uint64_t)3) | COHORT_LANE_LOST);
    wake_all(lane);
    return status;
}

enum { PLACE_BYTES = 256 };

/* "momentum, replica 1 on stream:0"; op: what the runner was doing, or NULL. */
static const char *tell_place(const cohort_op *op, const char *device_id, char text[PLACE_BYTES])
{
    char replica[32] = "";
    if (op != NULL && op->replica >= 0)
        (void)snprintf(replica, sizeof replica, ", replica %d", op->replica);
    (void)snprintf(text, PLACE_BYTES, "%s%s on %s",
                   op != NULL && op->subject != NULL ? op->subject : "cohort", replica, device_id);
    return text;
}

static cohort_status say_late(cohort_lane *lane, const cohort_op *op, const char *what,
                              const char *device_id, cohort_setting_id setting, int64_t limit_ns)
{
    char place[PLACE_BYTES];
    return mark_lost(lane, op,
                     cohort_error_set(COHORT_ETIMEDOUT,
                                      "%s: %s did not finish within %g s (%s); the device is lost",
                                      tell_place(op, device_id, place), what,
                                      (double)limit_ns * 1e-9,
                                      cohort_setting_name(cohort_setting_at(setting))));
}

/* Between LOSING and LOST the runner cannot move any more (its compare and swap fails), so what it
 * was doing, `current` and the question, can be read for the message without a lock. */
static void declare_lost(cohort_lane *lane, uint64_t asking)
{
    if (!atomic_compare_exchange_strong(&lane->asking, &asking, asking | COHORT_LANE_LOSING))
        return;
    cohort_stragglers_add();
    cohort_stragglers_expect();
    (void)say_late(lane, lane->current, lane->question, lane->device_id, lane->setting,
                   lane->limit_ns);
}

cohort_status cohort_lane_time_out(cohort_lane *lane, const cohort_op *op, const char *what,
                                   const char *device_id, cohort_setting_id setting,
                                   int64_t limit_ns)
{
    return say_late(lane->owner, op, what, device_id, setting, limit_ns);
}

cohort_status cohort_lane_lose(cohort_lane *lane, const char *device_id, cohort_status status)
{
    char place[PLACE_BYTES];
    lane = lane->owner;
    const cohort_op *op = lane->current != NULL ? lane->current : cohort_lane_first(lane);
    return mark_lost(lane, op, cohort_error_prefix(status, "%s", tell_place(op, device_id, place)));
}

/* How long the question has been waited for, by all waiters together: the time between two looks
 * counts 50 ms at most, so that a process that was stopped or starved does not blame the device.
 * Another question starts at 0. `looking` is held because several threads may wait for the strategy
 * at once. */
static int64_t note_look(cohort_lane *lane, uint64_t asking)
{
    pthread_mutex_lock(&lane->looking);
    int64_t now = cohort_clock_ns();
    lane->waited_ns = asking == lane->looked_at
                          ? lane->waited_ns + cohort_slice_counted(now - lane->looked_ns)
                          : 0;
    lane->looked_at = asking;
    lane->looked_ns = now;
    int64_t waited = lane->waited_ns;
    pthread_mutex_unlock(&lane->looking);
    return waited;
}

int64_t cohort_lane_look(cohort_lane *lane)
{
    lane = lane->owner;
    uint64_t asking = atomic_load_explicit(&lane->asking, memory_order_acquire);
    int64_t limit = lane->limit_ns;
    if ((asking & 3) != COHORT_LANE_ASKING || limit == 0)
        return INT64_MAX;
    int64_t left = limit - lane->spent_ns - note_look(lane, asking);
    if (left > 0)
        return left;
    declare_lost(lane, asking);
    return INT64_MAX;
}

/* Looks at every lane of the strategy; returns how long the first of them has left. */
static int64_t look_around(const cohort_lane *lane)
{
    int64_t least = INT64_MAX;
    for (int32_t i = 0; i < lane->n_all; i++) {
        int64_t left = cohort_lane_look(lane->all[i]);
        least = left < least ? left : least;
    }
    return least;
}

static void sleep_until_past(cohort_lane *lane, uint64_t number, int64_t slice_ns)
{
    int64_t slept_ns = cohort_clock_ns(), end_ns = slept_ns + slice_ns;
    announce_sleeper(lane);
    pthread_mutex_lock(&lane->lock);
    while (!cohort_lane_is_past(lane, number))
        if (!cohort_condition_wait_until(&lane->wake, &lane->lock, end_ns))
            break;
    learn_waking(lane, slept_ns);
    pthread_mutex_unlock(&lane->lock);
    atomic_fetch_sub(&lane->sleepers, 1);
}

/* Returns whether it is over. Where nobody looks it costs a few pauses and no system call. */
static bool spin_until_past(cohort_lane *lane, uint64_t number)
{
    int64_t begun_ns = 0, patience_ns = cohort_lane_patience_for(lane, number);
    const bool yields = lane->does_yield && patience_ns > 0;
    for (unsigned round = 0; !cohort_lane_is_past(lane, number); round++) {
        pause_between_looks(yields, round);
        if (round % 64 != 63)
            continue;
        int64_t now = cohort_clock_ns();
        begun_ns = begun_ns == 0 ? now : begun_ns;
        if (now - begun_ns >= patience_ns)
            return false;
    }
    return true;
}

void cohort_lane_wait_slice(cohort_lane *lane, uint64_t number, int64_t slice_ns)
{
    const int64_t least = 1000000, left = look_around(lane);
    slice_ns = slice_ns < COHORT_SLICE_NS ? slice_ns : COHORT_SLICE_NS;
    if (left < slice_ns)
        slice_ns = left > least ? left : least;
    sleep_until_past(lane, number, slice_ns);
}

void cohort_lane_wait(cohort_lane *lane, uint64_t number)
{
    if (spin_until_past(lane, number))
        return;
    while (!cohort_lane_is_past(lane, number))
        cohort_lane_wait_slice(lane, number, INT64_MAX);
}
