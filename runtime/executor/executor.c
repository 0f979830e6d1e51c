/* SPDX-License-Identifier: BSD-3-Clause */
/* Lanes for the devices of a strategy, opening and closing them, and failures.
 *
 * The number of lanes and their runners never change after creation, and lanes live as long as the
 * executor. A strategy that lost a device leaks all of it: a runner that was given up may come back
 * at any time, and reads its lane and its context then. */
#include "config.h"

#include "runtime/executor/executor.h"

#include "runtime/base/checks.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/executor/waiting.h"
#include "runtime/executor/worker.h"

#include <sched.h>
#include <string.h>

/* ------------------------------------------------------------------ lanes for devices */

static bool is_prompt(const cohort_device *device)
{
    return (device->info->caps & COHORT_CAP_PROMPT) != 0 && device->loaded->ops.event_wait == NULL;
}

/* Parts of one prompt device that lie on the same core share a lane: two runners would only take
 * the core from each other. There are more parts than compute units where a program wants more
 * devices than there are cores; part p lies on unit p modulo their number. Every other device has
 * its own lane. */
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

/* The program's thread cannot be given up where it hangs, so it runs no bodies when launches have a
 * deadline. */
static bool is_caller_allowed(const cohort_executor *executor)
{
    return executor->limits_ns[COHORT_SETTING_TIMEOUT_LAUNCH] == 0;
}

/* The lane of the first prompt device is done by the caller: a program on one host device has no
 * worker, and no switch of threads in a launch. */
static int32_t choose_caller(const cohort_executor *executor, const cohort_device *const devices[],
                             const int32_t lane_of[])
{
    for (int32_t i = 0; i < executor->n_contexts; i++)
        if (is_prompt(devices[i]) && is_caller_allowed(executor))
            return lane_of[i];
    return -1;
}

static int32_t count_with_events(const cohort_executor *executor,
                                 const cohort_device *const devices[])
{
    int32_t count = 0;
    for (int32_t i = 0; i < executor->n_contexts; i++)
        count += devices[i]->loaded->ops.event_wait != NULL;
    return count;
}

/* Fewer cores than threads. Beside the runners of the lanes work one thread of the driver for each
 * device with events, and the caller, where it is the runner of no lane. */
static bool is_crowded(const cohort_executor *executor, int32_t n_with_events)
{
    cpu_set_t cpus;
    int32_t threads = executor->n_lanes + (executor->caller < 0) + n_with_events;
    return sched_getaffinity(0, sizeof cpus, &cpus) == 0 && threads > CPU_COUNT(&cpus);
}

/* Who waits looks for a while before it sleeps, which saves the time of waking. That needs a core
 * for each thread: where there are fewer, a thread that looks keeps one that works from its core,
 * so none looks. But a runner that waits for work has nothing in flight on its device, whose driver
 * then has nothing to do either, nor has it while the runner does something by itself: so both are
 * looked for there too, and the core given to whoever wants it. Measured on PoCL, 2 cores: a launch
 * and a wait 1.1 to 1.3 of the same by hand, 1.6 without; a sum of 1 MiB over two parts of a device
 * 25 us, 130 without. */
static cohort_looks choose_looks(const cohort_executor *executor,
                                 const cohort_device *const devices[])
{
    int64_t spin_ns = executor->limits_ns[COHORT_SETTING_SPIN];
    int32_t n_with_events = count_with_events(executor, devices);
    if (!is_crowded(executor, n_with_events))
        return (cohort_looks){ .waiter_ns = spin_ns, .runner_ns = spin_ns };
    spin_ns = n_with_events > 0 ? spin_ns : 0;
    return (cohort_looks){ .waiter_ns = spin_ns, .runner_ns = spin_ns, .does_yield = true };
}

/* Where plugins are checked, a layer lies between the device and its plugin. */
static cohort_status choose_operations(cohort_context *context)
{
    const cohort_loaded *loaded = context->device->loaded;
    context->ops = &loaded->ops;
    context->self = loaded->plugin->self;
    if ((context->checks & COHORT_CHECK_PLUGINS) == 0)
        return COHORT_OK;
    context->checking = cohort_checking_create(context->device);
    if (context->checking == NULL)
        return cohort_error_memory("a check of plugins");
    context->ops = cohort_checking_ops(context->checking);
    context->self = context->checking;
    return COHORT_OK;
}

static cohort_status create_contexts(cohort_executor *executor,
                                     const cohort_device *const devices[], const int32_t lane_of[],
                                     uint32_t checks)
{
    for (int32_t i = 0; i < executor->n_contexts; i++) {
        cohort_context *context = executor->contexts[i] =
            cohort_allocate_aligned(sizeof *context, _Alignof(cohort_context));
        if (context != NULL)
            memset(context, 0, sizeof *context);
        if (context == NULL || (context->can_access = cohort_allocate((size_t)executor->n_contexts,
                                                                      sizeof(bool))) == NULL)
            return cohort_error_memory("the devices of a strategy");
        context->device = devices[i];
        context->checks = checks;
        if (choose_operations(context) < 0)
            return COHORT_ENOMEM;
        context->caps = devices[i]->info->caps;
        if (!is_prompt(devices[i]) || executor->limits_ns[COHORT_SETTING_TIMEOUT_LAUNCH] > 0)
            /* it may have to be waited for, under a deadline */
            context->caps &= ~(uint64_t)COHORT_CAP_PROMPT;
        context->limits_ns = executor->limits_ns;
        context->index = i;
        context->lane = executor->lanes[lane_of[i]];
        context->staging = &executor->staging;
    }
    return COHORT_OK;
}

static cohort_status create_lanes(cohort_executor *executor, const cohort_device *const devices[])
{
    int32_t all = cohort_executor_rings(executor);
    const cohort_looks looks = choose_looks(executor, devices);
    executor->lanes = cohort_allocate((size_t)all, sizeof *executor->lanes);
    executor->workers = cohort_allocate((size_t)executor->n_lanes, sizeof *executor->workers);
    executor->needs = cohort_allocate(5 * (size_t)all, sizeof *executor->needs);
    if (executor->lanes == NULL || executor->workers == NULL || executor->needs == NULL)
        return cohort_error_memory("the lanes of a strategy");
    executor->shared_needs = executor->needs + all;
    executor->parts = executor->shared_needs + all;
    executor->gathered = executor->parts + all;
    executor->plan.unnoted = executor->gathered + all;
    for (int32_t i = 0; i < all; i++) {
        cohort_lane *owner = i >= executor->n_lanes ? executor->lanes[i - executor->n_lanes] : NULL;
        if ((executor->lanes[i] = cohort_lane_create(&executor->failure, owner, i, &looks)) == NULL)
            return cohort_error_memory("the lanes of a strategy");
        executor->lanes[i]->all = executor->lanes;
        executor->lanes[i]->n_all = executor->n_lanes;
        executor->lanes[i]->is_callers = i == executor->caller;
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ opening and closing */

typedef struct device_op {
    cohort_op op;
    cohort_executor *executor;
    cohort_context *context;
} device_op;

static cohort_status do_open(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    return cohort_context_open(((device_op *)op)->context);
}

static cohort_status do_ask_peers(cohort_lane *lane, cohort_op *op)
{
    cohort_executor *executor = ((device_op *)op)->executor;
    cohort_context *context = ((device_op *)op)->context;
    cohort_status status = COHORT_OK;
    (void)lane;
    for (int32_t i = 0; i < executor->n_contexts && status >= 0; i++)
        status = cohort_context_ask_peer(context, executor->contexts[i], &context->can_access[i]);
    return status;
}

static cohort_status do_close(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    return cohort_context_close(((device_op *)op)->context);
}

static void post_for_all(cohort_executor *executor, cohort_op_fn run, uint32_t flags)
{
    cohort_fences_clear(executor->needs, cohort_executor_rings(executor));
    for (int32_t i = 0; i < executor->n_contexts; i++) {
        cohort_context *context = executor->contexts[i];
        device_op d = { .op = COHORT_OP(.run = run, .flags = flags),
                        .executor = executor,
                        .context = context };
        if (context != NULL && context->lane != NULL)
            (void)cohort_executor_post(executor, context, &d.op, sizeof d);
    }
    cohort_executor_wait_all(executor);
}

static cohort_status open_all(cohort_executor *executor)
{
    post_for_all(executor, do_open, 0);
    post_for_all(executor, do_ask_peers, 0);
    return cohort_failure_tell(&executor->failure);
}

static void read_limits(cohort_executor *executor)
{
    static const cohort_setting_id used[] = {
        COHORT_SETTING_TIMEOUT_LAUNCH,     COHORT_SETTING_TIMEOUT_EVENT,
        COHORT_SETTING_TIMEOUT_COPY,       COHORT_SETTING_TIMEOUT_ALLOC,
        COHORT_SETTING_TIMEOUT_OPEN,       COHORT_SETTING_TIMEOUT_BUILD,
        COHORT_SETTING_TIMEOUT_COLLECTIVE, COHORT_SETTING_SPIN
    };
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        executor->limits_ns[used[i]] = cohort_setting_ns(used[i]);
}

static cohort_status create_all(cohort_executor *executor, const cohort_device *const devices[],
                                int32_t lane_of[], uint32_t checks)
{
    executor->contexts = cohort_allocate((size_t)executor->n_contexts, sizeof *executor->contexts);
    executor->n_lanes = assign_lanes(devices, executor->n_contexts, lane_of);
    executor->n_used = executor->n_lanes;
    executor->caller = choose_caller(executor, devices, lane_of);
    cohort_status status = executor->contexts != NULL
                               ? create_lanes(executor, devices)
                               : cohort_error_memory("the devices of a strategy");
    if (status >= 0)
        status = create_contexts(executor, devices, lane_of, checks);
    if (status >= 0)
        status = cohort_worker_start_all(executor);
    executor->is_staffed = status >= 0;
    return status >= 0 ? open_all(executor) : status;
}

cohort_executor *cohort_executor_create(const cohort_device *const devices[], int32_t n,
                                        uint32_t checks)
{
    cohort_executor *executor = cohort_allocate(1, sizeof *executor);
    int32_t *lane_of = cohort_allocate((size_t)n, sizeof *lane_of);
    cohort_status status = COHORT_OK;
    if (executor == NULL || lane_of == NULL) {
        status = cohort_error_memory("a strategy");
    } else {
        cohort_failure_init(&executor->failure);
        cohort_staging_init(&executor->staging);
        executor->n_contexts = n;
        executor->outer = cohort_waiting_of_calls(executor);
        executor->waiting = &executor->outer;
        atomic_init(&executor->caller_cpu, -1);
        read_limits(executor);
        status = create_all(executor, devices, lane_of, checks);
    }
    cohort_free(lane_of);
    if (status >= 0)
        return executor;
    char text[COHORT_ERROR_BYTES]; /* closing may fail too; the first error counts */
    memcpy(text, cohort_error_slot(), sizeof text);
    cohort_executor_destroy(executor);
    (void)cohort_error_set(status, "%s", text);
    return NULL;
}

void cohort_executor_time(cohort_executor *executor)
{
    executor->timed_from_ns = cohort_clock_ns();
    for (int32_t i = 0; i < executor->n_lanes; i++) {
        cohort_lane *lane = executor->lanes[i];
        lane->is_timed = true;
        lane->busy_before_ns = atomic_load_explicit(&lane->busy_ns, memory_order_relaxed);
        lane->other_before_ns = atomic_load_explicit(&lane->other_ns, memory_order_relaxed);
    }
}

static void free_contexts(cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_contexts && executor->contexts != NULL; i++)
        if (executor->contexts[i] != NULL) {
            cohort_checking_destroy(executor->contexts[i]->checking);
            cohort_free(executor->contexts[i]->can_access);
            cohort_free(executor->contexts[i]);
        }
}

/* The order counts: operations end before devices close, devices close on their runners before the
 * runners stop, and nothing is freed before all threads have ended. */
void cohort_executor_destroy(cohort_executor *executor)
{
    if (executor == NULL)
        return;
    if (executor->is_staffed) {
        cohort_executor_wait_all(executor);
        post_for_all(executor, do_close, COHORT_OP_ALWAYS);
    }
    cohort_worker_stop_all(executor);
    if (executor->is_staffed && cohort_executor_has_given_up(executor)) {
        char why[COHORT_ERROR_BYTES];
        cohort_failure_tell_stop(&executor->failure, why);
        for (int32_t i = 0; i < executor->n_contexts; i++)
            if (cohort_lane_is_lost(executor->contexts[i]->lane))
                cohort_context_abandon(executor->contexts[i], why);
        return; /* an abandoned worker may still read lanes and devices */
    }
    free_contexts(executor);
    for (int32_t i = 0; i < cohort_executor_rings(executor) && executor->lanes != NULL; i++)
        cohort_lane_destroy(executor->lanes[i]);
    cohort_free(executor->contexts);
    cohort_free(executor->lanes);
    cohort_free(executor->workers);
    cohort_free(executor->needs);
    cohort_failure_fini(&executor->failure);
    cohort_staging_fini(&executor->staging);
    cohort_free(executor);
}

/* ------------------------------------------------------------------ planner */

const cohort_waiting *cohort_executor_swap(cohort_executor *executor, const cohort_waiting *waiting)
{
    const cohort_waiting *before = executor->waiting;
    executor->waiting = waiting;
    if (waiting->is_inner)
        executor->n_used = cohort_executor_rings(executor);
    return before;
}

/* Of all that a call does so. Measured: of two parts of 64 KiB the caller alone has done both
 * before another lane has done one. */
enum { CALLER_BYTES = 160 * 1024 };

bool cohort_executor_may_do(cohort_executor *executor, uint64_t bytes, bool is_part)
{
    uint64_t most = CALLER_BYTES / (is_part ? (uint64_t)executor->n_lanes : 1);
    cohort_plan *plan = &executor->plan;
    bool is_new = plan->done_here_in != executor->failure.call;
    uint64_t before = is_new ? 0 : plan->done_here_bytes;
    if (bytes > most || before > CALLER_BYTES - bytes || !cohort_executor_is_idle(executor))
        return false;
    plan->done_here_in = executor->failure.call;
    plan->done_here_bytes = before + bytes;
    return true;
}

/* ------------------------------------------------------------------ failures */

bool cohort_executor_has_lost(const cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_contexts; i++)
        if (!executor->contexts[i]->is_left_out && cohort_lane_is_lost(executor->contexts[i]->lane))
            return true;
    return false;
}

bool cohort_executor_has_given_up(const cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_lanes; i++)
        if (cohort_lane_is_lost(executor->lanes[i]))
            return true;
    return false;
}

bool cohort_executor_is_whole(const cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_contexts; i++)
        if (!executor->contexts[i]->is_left_out && cohort_context_is_lost(executor->contexts[i]))
            return false;
    return true;
}

/* What was posted to a lane that is lost counts as over for whoever posts: buffers that it may
 * still touch were told (cohort_buffer_settle). */
static void pass_over(cohort_executor *executor, const cohort_lane *lane)
{
    for (int32_t i = lane->index; i < cohort_executor_rings(executor); i += executor->n_lanes)
        executor->lanes[i]->seen_done = UINT64_MAX;
}

void cohort_executor_part_with_lost(cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_contexts; i++) {
        cohort_context *lost = executor->contexts[i];
        if (!cohort_context_is_lost(lost))
            continue;
        for (int32_t j = 0; j < executor->n_contexts; j++)
            executor->contexts[j]->can_access[i] = lost->can_access[j] = false;
        if (cohort_lane_is_lost(lost->lane))
            pass_over(executor, lost->lane);
    }
}

void cohort_executor_leave_out_lost(cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_contexts; i++)
        if (cohort_context_is_lost(executor->contexts[i]))
            executor->contexts[i]->is_left_out = true;
}

void cohort_executor_clear(cohort_executor *executor)
{
    for (int32_t i = 0; i < cohort_executor_rings(executor); i++)
        atomic_store(&executor->lanes[i]->first_bad, 0);
    cohort_failure_clear(&executor->failure);
}

bool cohort_executor_has_reached(const cohort_executor *executor, const uint64_t set[])
{
    bool has_reached = true;
    for (int32_t i = 0; i < cohort_executor_rings(executor) && has_reached; i++)
        has_reached = cohort_lane_is_done(executor->lanes[i], set[i]);
    return has_reached;
}

bool cohort_executor_has_late(const cohort_executor *executor, const uint64_t set[])
{
    bool has_late = false;
    for (int32_t i = 0; i < cohort_executor_rings(executor) && !has_late; i++)
        has_late = set[i] > 0 && cohort_lane_is_lost(executor->lanes[i]) &&
                   !cohort_lane_is_done(executor->lanes[i], set[i]);
    return has_late;
}

/* A lane is over in its order, so all that comes after the first operation that went wrong is
 * suspect, and a set has something bad when it reaches that far. */
bool cohort_executor_has_bad(const cohort_executor *executor, const uint64_t set[])
{
    bool has_bad = false;
    for (int32_t i = 0; i < cohort_executor_rings(executor) && !has_bad; i++) {
        uint64_t first = atomic_load(&executor->lanes[i]->first_bad);
        has_bad = set[i] > 0 && first > 0 && set[i] >= first;
    }
    return has_bad;
}
