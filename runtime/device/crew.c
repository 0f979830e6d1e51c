/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/crew.h"

#include "runtime/base/fpstate.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/device/flight.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ lanes for devices */

static bool is_prompt(const cohort_device *device)
{
    return (device->info->caps & COHORT_CAP_PROMPT) != 0 && device->loaded->ops.event_wait == NULL;
}

/* Parts of one prompt device that lie on the same core share a lane; every other device has its own. */
static bool shares_lane(const cohort_device *a, const cohort_device *b)
{
    return is_prompt(a) && is_prompt(b) && a->loaded == b->loaded && a->index == b->index && a->parts == b->parts &&
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
static int32_t choose_caller(const cohort_crew *crew, const cohort_device *const devices[], const int32_t lane_of[])
{
    for (int32_t i = 0; i < crew->n_opened; i++)
        if (is_prompt(devices[i]) && is_caller_allowed(crew))
            return lane_of[i];
    return -1;
}

/* Threads that look for work need a core each, the caller's included. */
static int64_t choose_spin(const cohort_crew *crew)
{
    cpu_set_t cpus;
    bool is_known = sched_getaffinity(0, sizeof cpus, &cpus) == 0;
    return is_known && crew->n_lanes > CPU_COUNT(&cpus) ? 0 : crew->limits_ns[COHORT_SETTING_SPIN];
}

static cohort_status create_opened(cohort_crew *crew, const cohort_device *const devices[], const int32_t lane_of[])
{
    for (int32_t i = 0; i < crew->n_opened; i++) {
        cohort_opened *opened = crew->opened[i] = cohort_allocate(1, sizeof *opened);
        if (opened == NULL || (opened->can_access = cohort_allocate((size_t)crew->n_opened, sizeof(bool))) == NULL)
            return cohort_error_memory("the devices of a strategy");
        opened->device = devices[i];
        opened->ops = &devices[i]->loaded->ops;
        opened->caps = devices[i]->info->caps;
        if (!is_prompt(devices[i]) || crew->limits_ns[COHORT_SETTING_TIMEOUT_LAUNCH] > 0)
            opened->caps &= ~(uint64_t)COHORT_CAP_PROMPT; /* it may have to be waited for, under a deadline */
        opened->limits_ns = crew->limits_ns;
        opened->index = i;
        opened->lane = crew->lanes[lane_of[i]];
        opened->lane->has_events = devices[i]->loaded->ops.event_wait != NULL;
        crew->n_event_lanes += opened->lane->has_events;
        opened->lane->is_alone = crew->n_lanes == 1;
        opened->lane->is_callers = lane_of[i] == crew->caller || (opened->lane->has_events && is_caller_allowed(crew));
    }
    return COHORT_OK;
}

static cohort_status create_lanes(cohort_crew *crew)
{
    int32_t all = 2 * crew->n_lanes;
    int64_t spin_ns = choose_spin(crew);
    crew->lanes = cohort_allocate((size_t)all, sizeof *crew->lanes);
    crew->workers = cohort_allocate((size_t)crew->n_lanes, sizeof *crew->workers);
    crew->needs = cohort_allocate((size_t)all, sizeof *crew->needs);
    if (crew->lanes == NULL || crew->workers == NULL || crew->needs == NULL)
        return cohort_error_memory("the lanes of a strategy");
    for (int32_t i = 0; i < all; i++) {
        cohort_lane *owner = i >= crew->n_lanes ? crew->lanes[i - crew->n_lanes] : NULL;
        if ((crew->lanes[i] = cohort_lane_create(&crew->failure, owner, i, spin_ns)) == NULL)
            return cohort_error_memory("the lanes of a strategy");
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

/* The lane is this worker's. */
static void do_work(const work *w)
{
    int32_t attached_cpu = -1; /* devices are attached once the caller was seen: they are open then */
    while (!cohort_lane_is_lost(w->lane) && cohort_lane_wait_for_work(w->lane)) {
        cohort_op *op = cohort_lane_peek(w->lane);
        attach_once(w, &attached_cpu);
        wait_for(w->lane, op);
        if (cohort_lane_is_lost(w->lane))
            return;
        cohort_lane_do(w->lane, op);
        if (cohort_lane_peek(w->lane) == NULL)
            cohort_flight_wait(w->lane, w->lane->issued);
    }
}

static void do_handed(cohort_lane *lane)
{
    for (cohort_op *op = cohort_lane_peek(lane); op != NULL && cohort_lane_blocker(op).lane == NULL;
         op = cohort_lane_peek(lane)) {
        cohort_flight_wait(lane, cohort_flight_before(lane, op));
        if (!cohort_lane_is_lost(lane))
            cohort_lane_do(lane, op);
        if (cohort_lane_is_lost(lane))
            return;
    }
    cohort_flight_settle(lane);
}

/* The lane is the caller's, who hands it over for what takes long. What comes after that is fed as well, as long as it
 * waits for this device alone, for the caller may be busy with a body of its own. */
static void stand_by(const work *w)
{
    int32_t attached_cpu = -1;
    while (!cohort_lane_is_lost(w->lane) && cohort_lane_wait_for_hand(w->lane)) {
        attach_once(w, &attached_cpu);
        do {
            do_handed(w->lane);
        } while (!cohort_lane_is_lost(w->lane) && !cohort_lane_give_back(w->lane));
    }
}

/* A body or step function has called pthread_exit, or was cancelled. */
static void thread_ended(void *lane)
{
    cohort_lane_forsake(lane,
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
    if (w.lane->is_callers)
        stand_by(&w);
    else
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
        return cohort_error_set(COHORT_ENOMEM, "cannot start a thread for lane %d: %s", lane, strerror(error));
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
        device_op *op =
            opened != NULL && opened->lane != NULL ? cohort_crew_begin(crew, opened, sizeof *op, run) : NULL;
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
    static const cohort_setting_id used[] = { COHORT_SETTING_TIMEOUT_LAUNCH,     COHORT_SETTING_TIMEOUT_EVENT,
                                              COHORT_SETTING_TIMEOUT_COPY,       COHORT_SETTING_TIMEOUT_ALLOC,
                                              COHORT_SETTING_TIMEOUT_OPEN,       COHORT_SETTING_TIMEOUT_BUILD,
                                              COHORT_SETTING_TIMEOUT_COLLECTIVE, COHORT_SETTING_SPIN };
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        crew->limits_ns[used[i]] = cohort_setting_ns(used[i]);
}

static cohort_status create_all(cohort_crew *crew, const cohort_device *const devices[], int32_t lane_of[])
{
    crew->opened = cohort_allocate((size_t)crew->n_opened, sizeof *crew->opened);
    crew->n_lanes = assign_lanes(devices, crew->n_opened, lane_of);
    crew->caller = choose_caller(crew, devices, lane_of);
    cohort_status status = crew->opened != NULL ? create_lanes(crew) : cohort_error_memory("the devices of a strategy");
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
        for (int32_t i = 0; i < crew->n_opened; i++)
            if (cohort_lane_is_lost(crew->opened[i]->lane))
                cohort_opened_abandon(crew->opened[i]);
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

/* Until the oldest operation is over; by now that may be all of them, and nothing more would come. */
static void make_room(cohort_crew *crew, cohort_lane *lane)
{
    uint64_t oldest = atomic_load(&lane->done) + 1;
    if (crew->is_in_step)
        crew->let_others(crew->stage);
    else if (oldest < lane->next_number)
        cohort_crew_wait(crew, (cohort_tick){ lane, oldest });
}

void *cohort_crew_begin(cohort_crew *crew, const cohort_opened *opened, size_t bytes, cohort_op_fn run)
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

/* Asking a driver takes a lock that its own threads want: only when other lanes may wait for the answer, or records
 * have piled up. */
static bool is_awaited(const cohort_lane *lane)
{
    enum { MANY = 64 };
    return !lane->is_alone || lane->issued - atomic_load_explicit(&lane->done, memory_order_relaxed) > MANY;
}

static bool is_workers(const cohort_lane *lane, const cohort_op *op)
{
    return lane->has_events && (op->flags & (COHORT_OP_STREAM | COHORT_OP_QUICK)) == 0;
}

/* Issue what is ready, in a lane that is the caller's; returns what the first operation that is not ready waits for, a
 * tick without a lane when there is none. */
static cohort_tick run_ready(cohort_lane *lane)
{
    if (cohort_lane_is_lost(lane))
        return (cohort_tick){ NULL, 0 };
    if (cohort_lane_is_handed(lane))
        return (cohort_tick){ lane, atomic_load(&lane->done) + 1 };
    if (is_awaited(lane))
        cohort_flight_settle(lane);
    for (cohort_op *op = cohort_lane_peek(lane); op != NULL; op = cohort_lane_peek(lane)) {
        cohort_tick blocker = cohort_lane_blocker(op);
        if (blocker.lane != NULL)
            return blocker;
        if (is_workers(lane, op)) {
            cohort_tick handed = { lane, op->number }; /* from here on the record is the worker's */
            cohort_lane_hand(lane);
            return handed;
        }
        if (cohort_flight_before(lane, op) > 0)
            cohort_flight_settle(lane);
        uint64_t before = cohort_flight_before(lane, op);
        if (before > 0)
            return (cohort_tick){ lane, before };
        cohort_lane_do(lane, op);
        if (cohort_lane_is_lost(lane))
            break;
    }
    return (cohort_tick){ NULL, 0 };
}

/* Issue what is ready on the devices with events. */
static void feed(cohort_crew *crew)
{
    for (int32_t i = 0; i < crew->n_lanes && crew->n_event_lanes > 0; i++)
        if (crew->lanes[i]->is_callers && i != crew->caller)
            (void)run_ready(crew->lanes[i]);
}

/* They are fed before the caller runs bodies itself; what those finish may make more ready. */
static void advance_all(cohort_crew *crew)
{
    const cohort_lane *own = crew->caller >= 0 ? crew->lanes[crew->caller] : NULL;
    feed(crew);
    for (bool has_moved = own != NULL; has_moved;) {
        uint64_t before = atomic_load_explicit(&own->done, memory_order_relaxed);
        (void)run_ready(crew->lanes[crew->caller]);
        has_moved = crew->n_event_lanes > 0 && atomic_load_explicit(&own->done, memory_order_relaxed) != before;
        if (has_moved)
            feed(crew);
    }
}

void cohort_crew_advance(cohort_crew *crew)
{
    if (crew->is_in_step) {
        crew->let_others(crew->stage);
        return;
    }
    if (crew->n_lanes > (crew->caller >= 0))
        say_where(crew);
    advance_all(crew);
}

/* ------------------------------------------------------------------ waiting */

enum { SLICE_NS = 200000, LONG_SLICE_NS = 1000000000 };

/* Some lane of the caller's is not at its end, apart from this one. */
static bool is_caller_needed(const cohort_crew *crew, const cohort_lane *but)
{
    for (int32_t i = 0; i < crew->n_lanes; i++) {
        cohort_lane *lane = crew->lanes[i];
        if (lane->is_callers && lane != but && !cohort_lane_is_lost(lane) &&
            atomic_load_explicit(&lane->done, memory_order_relaxed) != lane->next_number - 1)
            return true;
    }
    return false;
}

/* Follow the tick through the caller's lanes to what has to happen first. */
static cohort_tick find_first(cohort_crew *crew, cohort_tick tick)
{
    for (int32_t hops = 0; hops < 2 * crew->n_lanes; hops++) {
        cohort_lane *lane = tick.lane;
        if (!lane->is_callers || cohort_lane_is_handed(lane) || tick.number <= lane->issued)
            return tick;
        cohort_tick blocker = run_ready(lane);
        if (blocker.lane == NULL || cohort_lane_is_past(tick.lane, tick.number))
            return (cohort_tick){ NULL, 0 };
        tick = blocker;
    }
    return (cohort_tick){ NULL, 0 };
}

/* Sleep until something has happened that the tick waits for, or a while when the caller may be needed elsewhere. */
static void wait_some(cohort_crew *crew, cohort_tick tick, cohort_watch *watch, const cohort_lane **watched)
{
    cohort_tick first = find_first(crew, tick);
    if (first.lane == NULL || cohort_lane_is_past(first.lane, first.number))
        return;
    bool is_handed = first.lane->is_callers && cohort_lane_is_handed(first.lane); /* until it is given back */
    bool is_needed = is_handed || is_caller_needed(crew, first.lane);
    if (first.lane->is_callers && !is_handed) {
        cohort_flight_wait_slice(first.lane, first.number, is_needed ? SLICE_NS : LONG_SLICE_NS);
    } else if (!is_needed) {
        cohort_lane_wait(first.lane, first.number);
    } else {
        if (*watched != first.lane)
            *watch = (cohort_watch){ 0, 0 };
        *watched = first.lane;
        cohort_lane_wait_slice(first.lane, first.number, SLICE_NS, watch);
    }
}

/* Without devices with events: the caller's own lane to its end, as far as it is ready. */
static void wait_without_events(cohort_crew *crew, cohort_tick tick)
{
    while (!cohort_lane_is_past(tick.lane, tick.number)) {
        cohort_tick blocker = crew->caller >= 0 ? run_ready(crew->lanes[crew->caller]) : (cohort_tick){ NULL, 0 };
        if (blocker.lane == NULL)
            blocker = tick; /* the caller's lane is empty */
        if (!cohort_lane_is_past(tick.lane, tick.number))
            cohort_lane_wait(blocker.lane, blocker.number);
    }
}

static void wait_outside(cohort_crew *crew, cohort_tick tick)
{
    cohort_watch watch = { 0, 0 };
    const cohort_lane *watched = NULL;
    if (crew->n_event_lanes == 0) {
        wait_without_events(crew, tick);
        return;
    }
    while (!cohort_lane_is_past(tick.lane, tick.number)) {
        advance_all(crew);
        if (!cohort_lane_is_past(tick.lane, tick.number))
            wait_some(crew, tick, &watch, &watched);
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
    cohort_watch watch = { 0, 0 };
    if (crew->is_in_step) {
        cohort_crew_wait(crew, tick);
        return true;
    }
    while (tick.lane != NULL && !cohort_lane_is_past(tick.lane, tick.number)) {
        advance_all(crew);
        if (cohort_lane_is_past(tick.lane, tick.number))
            break;
        if (cohort_clock_ns() >= end_ns)
            return false;
        cohort_tick first = find_first(crew, tick);
        if (first.lane == NULL)
            continue;
        if (first.lane->is_callers && !cohort_lane_is_handed(first.lane))
            cohort_flight_wait_slice(first.lane, first.number, SLICE_NS);
        else
            cohort_lane_wait_slice(first.lane, first.number, SLICE_NS, &watch);
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
        while (!is_there(user) && !cohort_crew_wait_until(crew, last, cohort_clock_ns() + SLICE_NS))
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
