/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/executor/lane.h"

#include "runtime/base/memory.h"
#include "runtime/base/thread.h"

#include <stdio.h>
#include <string.h>

enum { RING_BYTES = 256 * 1024, ALIGNMENT = 64 };

_Static_assert(offsetof(cohort_op, bytes) + sizeof(uint32_t) <= ALIGNMENT,
               "the rest of a ring has room for its head");

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

cohort_lane *cohort_lane_create(cohort_failure *failure, cohort_lane *owner, int32_t index,
                                int64_t spin_ns)
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
    pthread_mutex_init(&lane->looking, NULL);
    return lane;
}

void cohort_lane_destroy(cohort_lane *lane)
{
    if (lane == NULL)
        return;
    pthread_cond_destroy(&lane->wake);
    pthread_mutex_destroy(&lane->lock);
    pthread_mutex_destroy(&lane->looking);
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
    return lane->reserved + bytes - atomic_load_explicit(&lane->tail, memory_order_acquire) <=
           lane->ring_bytes;
}

/* A record does not wrap: what is left before the end of the ring becomes a record of its own that
 * is skipped. */
static bool skip_to_start(cohort_lane *lane, size_t bytes)
{
    size_t left = lane->ring_bytes - lane->reserved % lane->ring_bytes;
    if (left >= bytes)
        return true;
    if (!has_room(lane, left))
        return false;
    cohort_op *rest = record_at(lane, lane->reserved); /* it may be shorter than a whole record */
    rest->bytes = (uint32_t)left;
    rest->run = NULL;
    lane->reserved += left;
    return true;
}

cohort_op *cohort_lane_reserve(cohort_lane *lane, const cohort_op *op, size_t bytes,
                               uint32_t n_waits)
{
    size_t body = (bytes + 15) / 16 * 16;
    size_t all = (body + n_waits * sizeof(cohort_fence) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!skip_to_start(lane, all) || !has_room(lane, all))
        return NULL;
    cohort_op *record = record_at(lane, lane->reserved);
    memcpy(record, op, bytes);
    record->bytes = (uint32_t)all;
    record->n_waits = n_waits;
    record->number = lane->next_number;
    record->call = lane->failure->call;
    record->waits = (cohort_fence *)((char *)record + body);
    return record;
}

/* Stores and loads around `sleepers` are sequentially consistent: either the sleeper sees the new
 * number, or we see the sleeper. */
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
    lane->reserved += op->bytes;
    lane->next_number++;
    atomic_store(&lane->posted, op->number);
    notify(lane);
}

/* ------------------------------------------------------------------ runner */

/* What is left of the ring before its end is no operation. */
static cohort_op *skip_rest(const cohort_lane *lane, size_t *position)
{
    cohort_op *op = record_at(lane, *position);
    if (op->run != NULL)
        return op;
    *position += op->bytes;
    return record_at(lane, *position);
}

cohort_op *cohort_lane_peek(cohort_lane *lane)
{
    if (atomic_load(&lane->posted) == lane->issued)
        return NULL;
    return skip_rest(lane, &lane->issue_at);
}

cohort_op *cohort_lane_first(cohort_lane *lane)
{
    if (!cohort_lane_is_in_flight(lane))
        return NULL;
    size_t tail = atomic_load_explicit(&lane->tail, memory_order_relaxed);
    return skip_rest(lane, &tail);
}

const cohort_op *cohort_lane_after(const cohort_lane *lane, const cohort_op *op)
{
    if (op->number == lane->issued)
        return NULL;
    size_t position = (size_t)((const char *)op - lane->ring) + op->bytes;
    return skip_rest(lane, &position);
}

cohort_fence cohort_lane_blocker(const cohort_op *op)
{
    for (uint32_t i = 0; i < op->n_waits; i++)
        if (!cohort_lane_is_past(op->waits[i].lane, op->waits[i].number))
            return op->waits[i];
    return (cohort_fence){ NULL, 0 };
}

/* Nothing that it waits for was lost: no late device touches what it uses. */
static bool has_all(const cohort_op *op)
{
    bool has = true;
    for (uint32_t i = 0; i < op->n_waits && has; i++)
        has = cohort_lane_is_done(op->waits[i].lane, op->waits[i].number);
    return has;
}

static bool may_be_done(cohort_lane *lane, const cohort_op *op)
{
    return !cohort_failure_is_stopped(lane->failure) ||
           ((op->flags & COHORT_OP_ALWAYS) != 0 && has_all(op));
}

/* What was in flight behind an operation that failed has worked on what that one did not write. */
static bool is_spoiled(const cohort_lane *lane, const cohort_op *op)
{
    return atomic_load_explicit(&lane->first_bad, memory_order_relaxed) != 0 &&
           (op->flags & COHORT_OP_ALWAYS) == 0;
}

void cohort_lane_complete(cohort_lane *lane, cohort_op *op, cohort_status status)
{
    uint64_t number = op->number;
    if (status >= 0 && is_spoiled(lane, op))
        status = COHORT_EAGAIN;
    if (op->end != NULL && has_all(op)) {
        cohort_status ended = op->end(op, status);
        status = status == COHORT_EAGAIN ? status : ended;
    }
    if (status < 0 && status != COHORT_EAGAIN)
        cohort_failure_raise(lane->failure, status, op->call);
    if (status < 0 && atomic_load_explicit(&lane->first_bad, memory_order_relaxed) == 0)
        atomic_store(&lane->first_bad, number);
    size_t tail = atomic_load_explicit(&lane->tail, memory_order_relaxed);
    (void)skip_rest(lane, &tail);
    atomic_store_explicit(&lane->tail, tail + op->bytes, memory_order_release);
    atomic_store(&lane->done, number);
    notify(lane);
}

void cohort_lane_do(cohort_lane *lane, cohort_op *op)
{
    bool is_first = !cohort_lane_is_in_flight(lane);
    op->status = COHORT_EAGAIN;
    if (may_be_done(lane, op)) {
        cohort_op *outer = lane->owner->current; /* a step, when this is of its ring */
        lane->owner->current = op;
        op->status = op->run(lane, op);
        lane->owner->current = outer;
    }
    if (cohort_lane_is_lost(lane))
        return; /* the runner itself has found out */
    lane->issued = op->number;
    lane->issue_at += op->bytes;
    if (op->pending.event != NULL)
        return;
    if (op->status < 0 && op->status != COHORT_EAGAIN && !is_first)
        /* now, while the slot has its text */
        cohort_failure_raise(lane->failure, op->status, op->call);
    if (is_first)
        cohort_lane_complete(lane, op, op->status);
}

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

void cohort_lane_answered(cohort_lane *lane)
{
    uint64_t asking = atomic_load_explicit(&lane->asking, memory_order_relaxed);
    uint64_t idle = (asking & ~(uint64_t)3) | COHORT_LANE_IDLE;
    if ((asking & 3) != COHORT_LANE_ASKING ||
        !atomic_compare_exchange_strong(&lane->asking, &asking, idle))
        pthread_exit(NULL);
}

bool cohort_lane_wait_for_work(cohort_lane *lane)
{
    int64_t give_up = 0;
    uint64_t issued = lane->issued;
    for (unsigned round = 0; atomic_load_explicit(&lane->posted, memory_order_acquire) == issued;
         round++) {
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
        while (atomic_load(&lane->posted) == issued && !atomic_load(&lane->should_stop))
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
    cohort_failure_raise(lane->failure, status, 0);
    atomic_store(&lane->owner->asking, (asking & ~(uint64_t)3) | COHORT_LANE_LOST);
    wake_all(lane->owner);
}

/* The failure is told first: who sees that the lane is lost must skip what waited for it. */
static cohort_status mark_lost(cohort_lane *lane, cohort_status status)
{
    cohort_failure_raise(lane->failure, status, 0);
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
    return mark_lost(
        lane, cohort_error_set(COHORT_ETIMEDOUT,
                               "%s: %s did not finish within %g s (%s); the device is lost",
                               tell_place(op, device_id, place), what, (double)limit_ns * 1e-9,
                               cohort_setting_name(cohort_setting_at(setting))));
}

static void declare_lost(cohort_lane *lane, uint64_t asking)
{
    if (atomic_compare_exchange_strong(&lane->asking, &asking, asking | COHORT_LANE_LOSING))
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
    return mark_lost(lane, cohort_error_prefix(status, "%s", tell_place(op, device_id, place)));
}

/* How long the question has been waited for; the time between two looks at the same question
 * counts. */
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
    int64_t end = cohort_clock_ns() + slice_ns;
    atomic_fetch_add(&lane->sleepers, 1);
    pthread_mutex_lock(&lane->lock);
    while (!cohort_lane_is_past(lane, number))
        if (!cohort_condition_wait_until(&lane->wake, &lane->lock, end))
            break;
    pthread_mutex_unlock(&lane->lock);
    atomic_fetch_sub(&lane->sleepers, 1);
}

/* Returns whether it is over. */
static bool spin_until_past(cohort_lane *lane, uint64_t number)
{
    int64_t give_up = 0;
    for (unsigned round = 0; !cohort_lane_is_past(lane, number); round++) {
        if (round % 64 == 0 && give_up == 0)
            give_up = cohort_clock_ns() + lane->spin_ns;
        if (round % 64 == 63 && cohort_clock_ns() >= give_up)
            return false;
        relax();
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
