/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/executor/crew.h"

#include "runtime/base/fpstate.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/executor/flight.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { SHORT_SLICE_NS = 200000 };

/* ------------------------------------------------------------------ lanes for devices */

static bool is_prompt(const cohort_device *device)
{
    return (device->info->caps & COHORT_CAP_PROMPT) != 0 && device->loaded->ops.event_wait == NULL;
}

/* Parts of one prompt device that lie on the same core share a lane; every other device has its
 * own. */
static bool shares_lane(const cohort_device *a, const cohort_device *b)
{
    return is_prompt(a) && is_prompt(b) && a->loaded == b->loaded && a->index == b->index &&
           a->parts == b->parts &&
           a->part % a->info->compute_units == b->part % b->info->compute_units;
}

static int32_t assign_lanes(const cohort_device *const devices[], int32_t n, int32_t lane_of[])
{
    int32_t n_lanes = 0;
    for (int32_t i = 0; i < n; i++) {
        lane_of[i] = -1;
        for (int32_t j = 0; j < i && lane_of[i] < 0; j++)
            if (shares_lane(devices[i], devices[j]))
                lane_of[i] = lane_of[j];
        if (lane_of[i] < 0)
            lane_of[i] = n_lanes++;
    }
    return n_lanes;
}

/* Not when launches have a deadline, for then bodies run on workers. */
static bool is_caller_allowed(const cohort_crew *crew)
{
    return crew->limits_ns[COHORT_SETTING_TIMEOUT_LAUNCH] == 0;
}

/* The lane of the first prompt device. */
static int32_t choose_caller(const cohort_crew *crew, const cohort_device *const devices[],
                             const int32_t lane_of[])
{
    for (int32_t i = 0; i < crew->n_opened; i++)
        if (is_prompt(devices[i]) && is_caller_allowed(crew))
            return lane_of[i];
    return -1;
}

/* Beside the runners of the lanes: of each device with events a thread of its driver, and the
 * caller where no lane is its own. */
static int count_others(const cohort_crew *crew, const cohort_device *const devices[])
{
    int others = crew->caller < 0;
    for (int32_t i = 0; i < crew->n_opened; i++)
        others += devices[i]->loaded->ops.event_wait != NULL;
    return others;
}

/* Threads that look for work need a core each; where there are fewer, none looks. */
static int64_t choose_spin(const cohort_crew *crew, const cohort_device *const devices[])
{
    cpu_set_t cpus;
    bool is_known = sched_getaffinity(0, sizeof cpus, &cpus) == 0;
    int threads = crew->n_lanes + count_others(crew, devices);
    return is_known && threads > CPU_COUNT(&cpus) ? 0 : crew->limits_ns[COHORT_SETTING_SPIN];
}

static cohort_status create_opened(cohort_crew *crew, const cohort_device *const devices[],
                                   const int32_t lane_of[])
{
    for (int32_t i = 0; i < crew->n_opened; i++) {
        cohort_opened *opened = crew->opened[i] = cohort_allocate(1, sizeof *opened);
        if (opened == NULL ||
            (opened->can_access = cohort_allocate((size_t)crew->n_opened, sizeof(bool))) == NULL)
            return cohort_error_memory("the devices of a strategy");
        opened->device = devices[i];
        opened->ops = &devices[i]->loaded->ops;
        opened->caps = devices[i]->info->caps;
        if (!is_prompt(devices[i]) || crew->limits_ns[COHORT_SETTING_TIMEOUT_LAUNCH] > 0)
            /* it may have to be waited for, under a deadline */
            opened->caps &= ~(uint64_t)COHORT_CAP_PROMPT;
        opened->limits_ns = crew->limits_ns;
        opened->index = i;
        opened->lane = crew->lanes[lane_of[i]];
    }
    return COHORT_OK;
}

static cohort_status create_lanes(cohort_crew *crew, const cohort_device *const devices[])
{
    int32_t all = 2 * crew->n_lanes;
    int64_t spin_ns = choose_spin(crew, devices);
    crew->lanes = cohort_allocate((size_t)all, sizeof *crew->lanes);
    crew->workers = cohort_allocate((size_t)crew->n_lanes, sizeof *crew->workers);
    crew->needs = cohort_allocate((size_t)all, sizeof *crew->needs);
    if (crew->lanes == NULL || crew->workers == NULL || crew->needs == NULL)
        return cohort_error_memory("the lanes of a strategy");
    for (int32_t i = 0; i < all; i++) {
        cohort_lane *owner = i >= crew->n_lanes ? crew->lanes[i - crew->n_lanes] : NULL;
        if ((crew->lanes[i] = cohort_lane_create(&crew->failure, owner, i, spin_ns)) == NULL)
            return cohort_error_memory("the lanes of a strategy");
        crew->lanes[i]->all = crew->lanes;
        crew->lanes[i]->n_all = crew->n_lanes;
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ workers */

typedef struct work {
    cohort_crew *crew;
    cohort_lane *lane;
} work;

static void attach_devices(cohort_crew *crew, const cohort_lane *lane, int32_t caller_cpu)
{
    for (int32_t i = 0; i < crew->n_opened; i++)
        if (crew->opened[i]->lane == lane)
            cohort_opened_attach(crew->opened[i], caller_cpu);
}

static void name_thread(const cohort_crew *crew, const cohort_lane *lane)
{
    char name[16];
    for (int32_t i = crew->n_opened - 1; i >= 0; i--)
        if (crew->opened[i]->lane == lane)
            (void)snprintf(name, sizeof name, "cohort/%.8s", crew->opened[i]->device->id);
#if defined(__linux__)
    (void)pthread_setname_np(pthread_self(), name);
#endif
}

/* What is in flight is counted first: what the operation waits for may wait for that. */
static void wait_for(cohort_lane *lane, const cohort_op *op)
{
    cohort_flight_wait(lane, cohort_flight_before(lane, op));
    for (cohort_tick t = cohort_lane_blocker(op); t.lane != NULL; t = cohort_lane_blocker(op)) {
        cohort_flight_wait(lane, lane->issued);
        cohort_lane_wait(t.lane, t.number);
    }
}

static void attach_once(const work *w, int32_t *attached_cpu)
{
    int32_t cpu = atomic_load_explicit(&w->crew->caller_cpu, memory_order_relaxed);
    if (cpu != *attached_cpu)
        attach_devices(w->crew, w->lane, *attached_cpu = cpu);
}

/* In short slices, so that what is posted meanwhile is in flight too before this is over. */
static void finish(cohort_lane *lane)
{
    while (cohort_lane_is_in_flight(lane) && cohort_lane_peek(lane) == NULL &&
           !cohort_lane_is_lost(lane))
        cohort_flight_wait_slice(lane, lane->issued, SHORT_SLICE_NS);
}

static void do_work(const work *w)
{
    /* devices are attached once the caller was seen: they are open then */
    int32_t attached_cpu = -1;
    while (!cohort_lane_is_lost(w->lane) && cohort_lane_wait_for_work(w->lane)) {
        cohort_op *op = cohort_lane_peek(w->lane);
        attach_once(w, &attached_cpu);
        wait_for(w->lane, op);
        if (cohort_lane_is_lost(w->lane))
            return;
        cohort_lane_do(w->lane, op);
        finish(w->lane);
    }
}

/* A body or step function has called pthread_exit, or was cancelled. */
static void thread_ended(void *lane)
{
    cohort_lane_forsake(
        lane,
        cohort_error_set(COHORT_EINVAL, "a body or step function ended its thread (pthread_exit or "
                                        "pthread_cancel), which is the library's"));
}

static void *worker_main(void *argument)
{
    work w = *(work *)argument;
    cohort_free(argument);
    cohort_fpstate_set(cohort_fpstate_default());
    name_thread(w.crew, w.lane);
    pthread_cleanup_push(thread_ended, w.lane);
    do_work(&w);
    pthread_cleanup_pop(0);
    return NULL;
}

static cohort_status start_worker(cohort_crew *crew, int32_t lane)
{
    work *w = cohort_allocate(1, sizeof *w);
    if (w == NULL)
        return cohort_error_memory("a worker");
    *w = (work){ crew, crew->lanes[lane] };
    int error = cohort_thread_start(&crew->workers[lane].thread, worker_main, w);
    if (error != 0) {
        cohort_free(w);
        return cohort_error_set(COHORT_ENOMEM, "cannot start a thread for lane %d: %s", lane,
                                strerror(error));
    }
    crew->workers[lane].is_running = true;
    return COHORT_OK;
}

static cohort_status start_workers(cohort_crew *crew)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < crew->n_lanes && status >= 0; i++)
        if (i != crew->caller)
            status = start_worker(crew, i);
    return status;
}

/* ------------------------------------------------------------------ opening and closing */

typedef struct device_op {
    cohort_op op;
    cohort_crew *crew;
    cohort_opened *opened;
} device_op;

static cohort_status do_open(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    return cohort_opened_open(((device_op *)op)->opened);
}

static cohort_status do_ask_peers(cohort_lane *lane, cohort_op *op)
{
    cohort_crew *crew = ((device_op *)op)->crew;
    cohort_opened *opened = ((device_op *)op)->opened;
    cohort_status status = COHORT_OK;
    (void)lane;
    for (int32_t i = 0; i < crew->n_opened && status >= 0; i++)
        status = cohort_opened_ask_peer(opened, crew->opened[i], &opened->can_access[i]);
    return status;
}

static cohort_status do_close(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    return cohort_opened_close(((device_op *)op)->opened);
}

static void post_for_all(cohort_crew *crew, cohort_op_fn run, uint32_t flags)
{
    for (int32_t i = 0; i < crew->n_opened; i++) {
        cohort_opened *opened = crew->opened[i];
        cohort_crew_need_nothing(crew);
        device_op *op = opened != NULL && opened->lane != NULL
                            ? cohort_crew_begin(crew, opened, sizeof *op, run)
                            : NULL;
        if (op == NULL)
            continue;
        op->crew = crew;
        op->opened = opened;
        op->op.flags = flags;
        (void)cohort_crew_post(crew, opened, &op->op);
    }
    cohort_crew_wait_all(crew);
}

static cohort_status open_all(cohort_crew *crew)
{
    post_for_all(crew, do_open, 0);
    post_for_all(crew, do_ask_peers, 0);
    return cohort_failure_tell(&crew->failure);
}

static void read_limits(cohort_crew *crew)
{
    static const cohort_setting_id used[] = {
        COHORT_SETTING_TIMEOUT_LAUNCH,     COHORT_SETTING_TIMEOUT_EVENT,
        COHORT_SETTING_TIMEOUT_COPY,       COHORT_SETTING_TIMEOUT_ALLOC,
        COHORT_SETTING_TIMEOUT_OPEN,       COHORT_SETTING_TIMEOUT_BUILD,
        COHORT_SETTING_TIMEOUT_COLLECTIVE, COHORT_SETTING_SPIN
    };
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        crew->limits_ns[used[i]] = cohort_setting_ns(used[i]);
}

static cohort_status create_all(cohort_crew *crew, const cohort_device *const devices[],
                                int32_t lane_of[])
{
    crew->opened = cohort_allocate((size_t)crew->n_opened, sizeof *crew->opened);
    crew->n_lanes = assign_lanes(devices, crew->n_opened, lane_of);
    crew->caller = choose_caller(crew, devices, lane_of);
    cohort_status status = crew->opened != NULL ? create_lanes(crew, devices)
                                                : cohort_error_memory("the devices of a strategy");
    if (status >= 0)
        status = create_opened(crew, devices, lane_of);
    if (status >= 0)
        status = start_workers(crew);
    crew->is_staffed = status >= 0;
    return status >= 0 ? open_all(crew) : status;
}

cohort_crew *cohort_crew_create(const cohort_device *const devices[], int32_t n)
{
    cohort_crew *crew = cohort_allocate(1, sizeof *crew);
    int32_t *lane_of = cohort_allocate((size_t)n, sizeof *lane_of);
    cohort_status status = COHORT_OK;
    if (crew == NULL || lane_of == NULL) {
        status = cohort_error_memory("a strategy");
    } else {
        cohort_failure_init(&crew->failure);
        crew->n_opened = n;
        atomic_init(&crew->caller_cpu, -1);
        read_limits(crew);
        status = create_all(crew, devices, lane_of);
    }
    cohort_free(lane_of);
    if (status >= 0)
        return crew;
    char text[COHORT_ERROR_BYTES]; /* closing may fail too; the first error counts */
    memcpy(text, cohort_error_text(), sizeof text);
    cohort_crew_destroy(crew);
    (void)cohort_error_set(status, "%s", text);
    return NULL;
}

static void stop_workers(cohort_crew *crew)
{
    for (int32_t i = 0; crew->workers != NULL && i < crew->n_lanes; i++) {
        if (!crew->workers[i].is_running)
            continue;
        cohort_lane_stop(crew->lanes[i]);
        if (cohort_lane_is_lost(crew->lanes[i]))
            pthread_detach(crew->workers[i].thread);
        else
            pthread_join(crew->workers[i].thread, NULL);
    }
}

static void free_opened(cohort_crew *crew)
{
    for (int32_t i = 0; i < crew->n_opened && crew->opened != NULL; i++)
        if (crew->opened[i] != NULL) {
            cohort_free(crew->opened[i]->can_access);
            cohort_free(crew->opened[i]);
        }
}

void cohort_crew_destroy(cohort_crew *crew)
{
    if (crew == NULL)
        return;
    if (crew->is_staffed) {
        cohort_crew_wait_all(crew);
        post_for_all(crew, do_close, COHORT_OP_ALWAYS);
    }
    stop_workers(crew);
    if (crew->is_staffed && cohort_crew_has_lost(crew)) {
        char why[COHORT_ERROR_BYTES];
        cohort_failure_tell_stop(&crew->failure, why);
        for (int32_t i = 0; i < crew->n_opened; i++)
            if (cohort_lane_is_lost(crew->opened[i]->lane))
                cohort_opened_abandon(crew->opened[i], why);
        return; /* an abandoned worker may still read lanes and devices */
    }
    free_opened(crew);
    for (int32_t i = 0; i < 2 * crew->n_lanes && crew->lanes != NULL; i++)
        cohort_lane_destroy(crew->lanes[i]);
    cohort_free(crew->opened);
    cohort_free(crew->lanes);
    cohort_free(crew->workers);
    cohort_free(crew->needs);
    cohort_failure_fini(&crew->failure);
    cohort_free(crew);
}

/* ------------------------------------------------------------------ planner */

void cohort_crew_need_nothing(cohort_crew *crew)
{
    memset(crew->needs, 0, 2 * (size_t)crew->n_lanes * sizeof *crew->needs);
}

void cohort_crew_need(cohort_crew *crew, int32_t lane, uint64_t number)
{
    if (crew->needs[lane] < number)
        crew->needs[lane] = number;
}

/* What lies in the same ring is done before anyway, and what is over needs no tick. */
static bool is_tick(const cohort_crew *crew, const cohort_lane *own, int32_t lane)
{
    return crew->needs[lane] > 0 && crew->lanes[lane] != own &&
           !cohort_lane_is_done(crew->lanes[lane], crew->needs[lane]);
}

/* Until the oldest operation is over; by now that may be all of them, and nothing more would
 * come. */
static void make_room(cohort_crew *crew, cohort_lane *lane)
{
    uint64_t oldest = atomic_load(&lane->done) + 1;
    if (crew->is_in_step)
        crew->let_others(crew->stage);
    else if (oldest < lane->next_number)
        cohort_crew_wait(crew, (cohort_tick){ lane, oldest });
}

void *cohort_crew_begin(cohort_crew *crew, const cohort_opened *opened, size_t bytes,
                        cohort_op_fn run)
{
    cohort_lane *lane = cohort_crew_lane(crew, opened);
    uint32_t n_waits = 0;
    for (int32_t i = 0; i < 2 * crew->n_lanes; i++)
        n_waits += is_tick(crew, lane, i);
    cohort_op *op = cohort_lane_reserve(lane, bytes, n_waits, run);
    while (op == NULL && !cohort_lane_is_lost(opened->lane)) {
        make_room(crew, lane);
        op = cohort_lane_reserve(lane, bytes, n_waits, run);
    }
    if (op == NULL)
        return NULL;
    uint32_t filled = 0;
    for (int32_t i = 0; i < 2 * crew->n_lanes && filled < n_waits; i++)
        if (is_tick(crew, lane, i))
            op->waits[filled++] = (cohort_tick){ crew->lanes[i], crew->needs[i] };
    op->n_waits = filled;
    return op;
}

cohort_tick cohort_crew_post(cohort_crew *crew, const cohort_opened *opened, cohort_op *op)
{
    cohort_lane *lane = cohort_crew_lane(crew, opened);
    cohort_tick tick = { lane, op->number };
    cohort_lane_post(lane, op);
    return tick;
}

/* ------------------------------------------------------------------ caller */

static void say_where(cohort_crew *crew)
{
    int cpu = sched_getcpu();
    if (cpu != atomic_load_explicit(&crew->caller_cpu, memory_order_relaxed))
        atomic_store_explicit(&crew->caller_cpu, cpu, memory_order_relaxed);
}

/* Do what is ready in the caller's own lane; returns what the first operation that is not ready
 * waits for, a tick without a lane when there is none. */
static cohort_tick run_ready(const cohort_crew *crew)
{
    cohort_lane *lane = crew->caller >= 0 ? crew->lanes[crew->caller] : NULL;
    for (cohort_op *op = lane != NULL ? cohort_lane_peek(lane) : NULL;
         op != NULL && !cohort_lane_is_lost(lane); op = cohort_lane_peek(lane)) {
        cohort_tick blocker = cohort_lane_blocker(op);
        if (blocker.lane != NULL)
            return blocker;
        cohort_lane_do(lane, op);
    }
    return (cohort_tick){ NULL, 0 };
}

void cohort_crew_advance(cohort_crew *crew)
{
    if (crew->is_in_step) {
        crew->let_others(crew->stage);
        return;
    }
    if (crew->n_lanes > (crew->caller >= 0))
        say_where(crew);
    (void)run_ready(crew);
}

/* ------------------------------------------------------------------ waiting */

static void wait_outside(cohort_crew *crew, cohort_tick tick)
{
    while (!cohort_lane_is_past(tick.lane, tick.number)) {
        cohort_tick blocker = run_ready(crew);
        if (blocker.lane == NULL)
            blocker = tick; /* the caller's lane is empty */
        if (!cohort_lane_is_past(tick.lane, tick.number))
            cohort_lane_wait(blocker.lane, blocker.number);
    }
}

void cohort_crew_wait(cohort_crew *crew, cohort_tick tick)
{
    if (tick.lane == NULL)
        return;
    if (crew->is_in_step)
        crew->wait_inside(crew->stage, tick);
    else
        wait_outside(crew, tick);
}

bool cohort_crew_wait_until(cohort_crew *crew, cohort_tick tick, int64_t end_ns)
{
    if (crew->is_in_step) {
        cohort_crew_wait(crew, tick);
        return true;
    }
    while (tick.lane != NULL && !cohort_lane_is_past(tick.lane, tick.number)) {
        cohort_tick blocker = run_ready(crew);
        if (blocker.lane == NULL)
            blocker = tick;
        if (cohort_lane_is_past(tick.lane, tick.number))
            break;
        if (cohort_clock_ns() >= end_ns)
            return false;
        cohort_lane_wait_slice(blocker.lane, blocker.number, SHORT_SLICE_NS);
    }
    return true;
}

void cohort_crew_wait_all(cohort_crew *crew)
{
    int32_t first = crew->is_in_step ? crew->n_lanes : 0;
    for (int32_t i = first; i < first + crew->n_lanes; i++)
        cohort_crew_wait(crew, (cohort_tick){ crew->lanes[i], crew->lanes[i]->next_number - 1 });
}

void cohort_crew_wait_all_unless(cohort_crew *crew, bool (*is_there)(void *user), void *user)
{
    for (int32_t i = 0; i < crew->n_lanes; i++) {
        cohort_tick last = { crew->lanes[i], crew->lanes[i]->next_number - 1 };
        while (!is_there(user) &&
               !cohort_crew_wait_until(crew, last, cohort_clock_ns() + SHORT_SLICE_NS))
            continue;
    }
}

void cohort_crew_wait_step(cohort_crew *crew)
{
    for (int32_t i = 0; i < crew->n_lanes; i++)
        wait_outside(crew, (cohort_tick){ crew->lanes[i], crew->lanes[i]->next_number - 1 });
}

void cohort_crew_drain_step(cohort_crew *crew, int32_t lane)
{
    cohort_lane *ring = crew->lanes[crew->n_lanes + lane];
    for (cohort_op *op = cohort_lane_peek(ring); op != NULL && !cohort_lane_is_lost(ring);
         op = cohort_lane_peek(ring)) {
        wait_for(ring, op);
        if (!cohort_lane_is_lost(ring))
            cohort_lane_do(ring, op);
    }
    cohort_flight_wait(ring, ring->issued);
}

bool cohort_crew_has_lost(const cohort_crew *crew)
{
    for (int32_t i = 0; i < crew->n_lanes; i++)
        if (cohort_lane_is_lost(crew->lanes[i]))
            return true;
    return false;
}

bool cohort_crew_is_whole(const cohort_crew *crew)
{
    for (int32_t i = 0; i < crew->n_opened; i++)
        if (atomic_load(&crew->opened[i]->said_lost))
            return false;
    return !cohort_crew_has_lost(crew);
}

void cohort_crew_clear(cohort_crew *crew)
{
    for (int32_t i = 0; i < 2 * crew->n_lanes; i++)
        atomic_store(&crew->lanes[i]->first_bad, 0);
    cohort_failure_clear(&crew->failure);
}

bool cohort_crew_is_bad(const cohort_crew *crew, int32_t lane, uint64_t number)
{
    uint64_t first = atomic_load(&crew->lanes[lane]->first_bad);
    return first > 0 && number >= first;
}
