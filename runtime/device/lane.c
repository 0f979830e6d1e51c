/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/lane.h"

#include "runtime/base/memory.h"
#include "runtime/base/thread.h"

#include <stdio.h>

enum { RING_BYTES = 256 * 1024, ALIGNMENT = 64 };

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

cohort_lane *cohort_lane_create(cohort_failure *failure, cohort_lane *owner, int32_t index, int64_t spin_ns)
{
    cohort_lane *lane = cohort_allocate_aligned(sizeof *lane, ALIGNMENT);
    char *ring = cohort_allocate_aligned(RING_BYTES, ALIGNMENT);
    if (lane == NULL || ring == NULL) {
        cohort_free(lane);
        cohort_free(ring);
        return NULL;
    }
    *lane = (cohort_lane){ .failure = failure,
                           .owner = owner != NULL ? owner : lane,
                           .index = index,
                           .spin_ns = spin_ns,
                           .ring = ring,
                           .ring_bytes = RING_BYTES,
                           .next_number = 1 };
    cohort_condition_init(&lane->wake);
    pthread_mutex_init(&lane->lock, NULL);
    return lane;
}

void cohort_lane_destroy(cohort_lane *lane)
{
    if (lane == NULL)
        return;
    pthread_cond_destroy(&lane->wake);
    pthread_mutex_destroy(&lane->lock);
    cohort_free(lane->ring);
    cohort_free(lane);
}

/* ------------------------------------------------------------------ planner */

static cohort_op *record_at(const cohort_lane *lane, size_t position)
{
    return (cohort_op *)(lane->ring + position % lane->ring_bytes);
}

static bool has_room(const cohort_lane *lane, size_t bytes)
{
    return lane->head + bytes - atomic_load_explicit(&lane->tail, memory_order_acquire) <= lane->ring_bytes;
}

/* A record does not wrap: what is left before the end of the ring becomes a record of its own that is skipped. */
static bool skip_to_start(cohort_lane *lane, size_t bytes)
{
    size_t left = lane->ring_bytes - lane->head % lane->ring_bytes;
    if (left >= bytes)
        return true;
    if (!has_room(lane, left))
        return false;
    *record_at(lane, lane->head) = (cohort_op){ .bytes = (uint32_t)left };
    lane->head += left;
    return true;
}

cohort_op *cohort_lane_reserve(cohort_lane *lane, size_t bytes, uint32_t n_waits, cohort_op_fn run)
{
    size_t body = (bytes + 15) / 16 * 16;
    size_t all = (body + n_waits * sizeof(cohort_tick) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!skip_to_start(lane, all) || !has_room(lane, all))
        return NULL;
    cohort_op *op = record_at(lane, lane->head);
    *op = (cohort_op){ .bytes = (uint32_t)all,
                       .n_waits = n_waits,
                       .number = lane->next_number,
                       .run = run,
                       .replica = -1,
                       .waits = (cohort_tick *)((char *)op + body) };
    return op;
}

/* Stores and loads around `sleepers` are sequentially consistent: either the sleeper sees the new number, or we see
 * the sleeper. */
static void notify(cohort_lane *lane)
{
    if (atomic_load(&lane->sleepers) == 0)
        return;
    pthread_mutex_lock(&lane->lock);
    pthread_cond_broadcast(&lane->wake);
    pthread_mutex_unlock(&lane->lock);
}

void cohort_lane_post(cohort_lane *lane, cohort_op *op)
{
    lane->head += op->bytes;
    lane->next_number++;
    atomic_store(&lane->posted, op->number);
    notify(lane);
}

/* ------------------------------------------------------------------ executor */

cohort_op *cohort_lane_peek(cohort_lane *lane)
{
    uint64_t done = atomic_load_explicit(&lane->done, memory_order_relaxed);
    if (atomic_load_explicit(&lane->posted, memory_order_acquire) == done)
        return NULL;
    size_t tail = atomic_load_explicit(&lane->tail, memory_order_relaxed);
    cohort_op *op = record_at(lane, tail);
    if (op->run == NULL) {
        tail += op->bytes;
        atomic_store_explicit(&lane->tail, tail, memory_order_release);
        op = record_at(lane, tail);
    }
    return op;
}

cohort_tick cohort_lane_blocker(const cohort_op *op)
{
    for (uint32_t i = 0; i < op->n_waits; i++)
        if (!cohort_lane_is_past(op->waits[i].lane, op->waits[i].number))
            return op->waits[i];
    return (cohort_tick){ NULL, 0 };
}

static void note_bad(cohort_lane *lane, uint64_t number)
{
    if (atomic_load_explicit(&lane->first_bad, memory_order_relaxed) == 0)
        atomic_store(&lane->first_bad, number);
}

static bool may_be_done(cohort_lane *lane, const cohort_op *op)
{
    if (!cohort_failure_is_set(lane->failure))
        return true;
    bool is_safe = (op->flags & COHORT_OP_ALWAYS) != 0;
    for (uint32_t i = 0; i < op->n_waits && is_safe; i++)
        is_safe = cohort_lane_is_done(op->waits[i].lane, op->waits[i].number);
    return is_safe;
}

void cohort_lane_do(cohort_lane *lane, cohort_op *op)
{
    uint64_t number = op->number;
    if (!may_be_done(lane, op)) {
        note_bad(lane, number);
    } else {
        cohort_op *outer = lane->owner->current; /* a step, when this is of its ring */
        lane->owner->current = op;
        cohort_status status = op->run(lane, op);
        lane->owner->current = outer;
        if (status < 0) {
            cohort_failure_raise(lane->failure, status);
            note_bad(lane, number);
        }
    }
    atomic_fetch_add_explicit(&lane->tail, op->bytes, memory_order_release);
    atomic_store(&lane->done, number);
    notify(lane);
}

void cohort_lane_ask(cohort_lane *lane, const char *question, const char *device_id, cohort_setting_id setting,
                     int64_t limit_ns)
{
    uint64_t serial = (atomic_load_explicit(&lane->asking, memory_order_relaxed) >> 2) + 1;
    lane->question = question;
    lane->device_id = device_id;
    lane->setting = setting;
    lane->limit_ns = limit_ns;
    atomic_store_explicit(&lane->asking, serial << 2 | COHORT_LANE_ASKING, memory_order_release);
}

void cohort_lane_answered(cohort_lane *lane)
{
    uint64_t asking = atomic_load_explicit(&lane->asking, memory_order_relaxed);
    uint64_t idle = (asking & ~(uint64_t)3) | COHORT_LANE_IDLE;
    if ((asking & 3) != COHORT_LANE_ASKING || !atomic_compare_exchange_strong(&lane->asking, &asking, idle))
        pthread_exit(NULL);
}

bool cohort_lane_wait_for_work(cohort_lane *lane)
{
    int64_t give_up = 0;
    uint64_t done = atomic_load_explicit(&lane->done, memory_order_relaxed);
    for (unsigned round = 0; atomic_load_explicit(&lane->posted, memory_order_acquire) == done; round++) {
        if (atomic_load_explicit(&lane->should_stop, memory_order_relaxed))
            return false;
        if (round % 64 == 0 && give_up == 0)
            give_up = cohort_clock_ns() + lane->spin_ns;
        if (round % 64 != 63 || cohort_clock_ns() < give_up) {
            relax();
            continue;
        }
        atomic_fetch_add(&lane->sleepers, 1);
        pthread_mutex_lock(&lane->lock);
        while (atomic_load(&lane->posted) == done && !atomic_load(&lane->should_stop))
            pthread_cond_wait(&lane->wake, &lane->lock);
        pthread_mutex_unlock(&lane->lock);
        atomic_fetch_sub(&lane->sleepers, 1);
    }
    return true;
}

void cohort_lane_stop(cohort_lane *lane)
{
    atomic_store(&lane->should_stop, true);
    notify(lane);
}

/* ------------------------------------------------------------------ waiting for a lane */

static void wake_all(cohort_lane *lane)
{
    pthread_mutex_lock(&lane->lock);
    pthread_cond_broadcast(&lane->wake);
    pthread_mutex_unlock(&lane->lock);
}

void cohort_lane_forsake(cohort_lane *lane, cohort_status status)
{
    uint64_t asking = atomic_load(&lane->owner->asking);
    if ((asking & 2) != 0)
        return;
    cohort_failure_raise(lane->failure, status);
    atomic_store(&lane->owner->asking, (asking & ~(uint64_t)3) | COHORT_LANE_LOST);
    wake_all(lane->owner);
}

static void declare_lost(cohort_lane *lane, uint64_t asking)
{
    if (!atomic_compare_exchange_strong(&lane->asking, &asking, asking | COHORT_LANE_LOSING))
        return;
    const cohort_op *op = lane->current; /* its executor will not move any more */
    char replica[32] = "";
    if (op != NULL && op->replica >= 0)
        (void)snprintf(replica, sizeof replica, ", replica %d", op->replica);
    cohort_status status = cohort_error_set(
        COHORT_ETIMEDOUT, "%s%s on %s: %s did not finish within %g s (%s); the device is lost",
        op != NULL && op->subject != NULL ? op->subject : "cohort", replica, lane->device_id, lane->question,
        (double)lane->limit_ns * 1e-9, cohort_setting_name(cohort_setting_at(lane->setting)));
    cohort_failure_raise(lane->failure,
                         status); /* first: who sees that the lane is lost must skip what waited for it */
    atomic_store(&lane->asking, (asking & ~(uint64_t)3) | COHORT_LANE_LOST);
    wake_all(lane);
}

void cohort_lane_look(cohort_lane *lane, cohort_watch *w, int64_t slept_ns)
{
    lane = lane->owner;
    uint64_t asking = atomic_load_explicit(&lane->asking, memory_order_acquire);
    if (asking != w->asking || (asking & 3) != COHORT_LANE_ASKING) {
        *w = (cohort_watch){ .asking = asking };
        return;
    }
    w->waited_ns += slept_ns < 2000000000 ? slept_ns : 2000000000;
    if (lane->limit_ns > 0 && w->waited_ns >= lane->limit_ns)
        declare_lost(lane, asking);
}

/* At most 1 s, and less when the deadline comes earlier. */
static int64_t slice_of(const cohort_lane *lane, const cohort_watch *w)
{
    int64_t slice = 1000000000;
    uint64_t asking = atomic_load_explicit(&lane->asking, memory_order_acquire);
    if ((asking & 3) == COHORT_LANE_ASKING && lane->limit_ns > 0) {
        int64_t left = lane->limit_ns - (asking == w->asking ? w->waited_ns : 0);
        slice = left < slice ? left : slice;
    }
    return slice > 1000000 ? slice : 1000000;
}

static void sleep_until_past(cohort_lane *lane, uint64_t number, int64_t slice_ns)
{
    int64_t end = cohort_clock_ns() + slice_ns;
    atomic_fetch_add(&lane->sleepers, 1);
    pthread_mutex_lock(&lane->lock);
    while (!cohort_lane_is_past(lane, number))
        if (!cohort_condition_wait_until(&lane->wake, &lane->lock, end))
            break;
    pthread_mutex_unlock(&lane->lock);
    atomic_fetch_sub(&lane->sleepers, 1);
}

void cohort_lane_wait(cohort_lane *lane, uint64_t number)
{
    int64_t give_up = 0;
    for (unsigned round = 0; !cohort_lane_is_past(lane, number); round++) {
        if (round % 64 == 0 && give_up == 0)
            give_up = cohort_clock_ns() + lane->spin_ns;
        if (round % 64 == 63 && cohort_clock_ns() >= give_up)
            break;
        relax();
    }
    cohort_watch w = { 0, 0 };
    while (!cohort_lane_is_past(lane, number)) {
        int64_t before = cohort_clock_ns();
        sleep_until_past(lane, number, slice_of(lane->owner, &w));
        cohort_lane_look(lane, &w, cohort_clock_ns() - before);
    }
}
