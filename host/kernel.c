/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels: C functions, called on the thread that launches, or in ranges by the crew.
 *
 * Waking the crew costs time, so short launches stay on one thread. How short is learned: a launch
 * on one thread is timed, and later ones of the same kernel are expected to take as long per item.
 * Those between short and long go to a crew that is awake, and wake it where they follow one
 * another; where the crew was slower than one thread, as on a busy machine, it is left alone for a
 * while. No bit depends on the choice, since only bodies that any partition leaves equal are cut.
 */
#include "config.h"

#include "host/dev.h"
#include "host/host.h"
#include "host/team.h"
#include "host/work.h"
#include "plugins/kit/native.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* LONG_NS: a launch that takes as much is worth waking the crew. SHORT_NS, and MEMBER_NS for each
 * thread: one that takes less is not worth a crew that is awake. NEAR_NS: a launch that comes so
 * soon behind one of the same kernel follows it. REST: launches for which a crew that was slower is
 * left alone. TIMED_ITEMS: of fewer the first launch and then one of LOOK_EVERY is timed, for the
 * clock would cost too large a part of them. GRAIN: a range of the crew has a multiple of as many
 * items, which are whole lines of any array. */
enum {
    LONG_NS = 25000,
    SHORT_NS = 2000,
    MEMBER_NS = 500,
    NEAR_NS = 50000,
    REST = 64,
    TIMED_ITEMS = 256,
    LOOK_EVERY = 16,
    DOUBTS = 2,
    GRAIN = 64
};

struct cohort_kernel {
    struct native_body body;
    bool is_of_items; /* and has no region of OpenMP */
    bool is_splittable;
    double ns_per_item; /* as last seen on one thread */
    /* slow calls still to be seen on one thread, before it is the kernel and not a bad moment */
    int doubts;
    uint32_t n_few; /* launches of few items while they looked fast */
    int rest;       /* launches that may be shared by the crew, and stay on one thread */
    double end_ns;  /* when the last one that was timed was over */
};

struct ranges {
    const struct native_body *body;
    void *const *argv;
    int64_t begin;
};

/* COHORT_CODE_SPLIT promises that no partition of begin, end changes a bit; what the promise is
 * about is checked, for the signature comes from elsewhere. */
static bool is_of_items(const cohort_code *code, const cohort_sig *sig)
{
    return (code->flags & COHORT_CODE_SPLIT) != 0 && sig->nargs >= 2 && sig->ret == COHORT_VOID &&
           sig->args[0].kind == COHORT_ARG_VALUE && sig->args[0].type == COHORT_I64 &&
           sig->args[1].kind == COHORT_ARG_VALUE && sig->args[1].type == COHORT_I64;
}

cohort_status host_kernel_create(cohort_dev *dev, const cohort_code *code, const char *entry,
                                 const cohort_sig *sig, cohort_kernel **out_kernel,
                                 cohort_error *err)
{
    (void)dev;
    cohort_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a kernel");
    cohort_status st = native_body_init(host_table, code, entry, sig, &kernel->body, err);
    if (st < 0) {
        free(kernel);
        return st;
    }
    kernel->is_of_items = is_of_items(code, sig);
    /* local memory there is only one of, so a body that has some is called by one thread */
    kernel->is_splittable = kernel->is_of_items && kernel->body.n_locals == 0;
    kernel->ns_per_item = 1;
    *out_kernel = kernel;
    return COHORT_OK;
}

cohort_status host_kernel_destroy(cohort_dev *dev, cohort_kernel *kernel, cohort_error *err)
{
    (void)dev;
    (void)err;
    native_body_fini(host_table, &kernel->body);
    free(kernel);
    return COHORT_OK;
}

static void call(const struct native_body *body, void *const *argv, void *ret)
{
    host_table->call_native(host_table->ctx, body->call, body->fn, argv, ret);
}

/* On a thread of the crew: the arguments are the launch's, but for begin and end, which are this
 * range's own. */
static void call_range(void *context, uint64_t first, uint64_t count)
{
    const struct ranges *ranges = context;
    int64_t begin = ranges->begin + (int64_t)first;
    int64_t end = begin + (int64_t)count;
    void *argv[COHORT_MAX_ARGS];
    memcpy(argv, ranges->argv, ranges->body->n_args * sizeof *argv);
    argv[0] = &begin;
    argv[1] = &end;
    call(ranges->body, argv, NULL);
}

static double now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static bool looks_fast(const cohort_kernel *kernel, double items)
{
    return items * kernel->ns_per_item < LONG_NS;
}

/* One slow call may have been a bad moment, such as a core that was lent to somebody else. So after
 * a call that looked fast DOUBTS more are seen on one thread before the crew gets the kernel. */
static void call_timed(cohort_kernel *kernel, void *const *argv, double items)
{
    kernel->doubts = looks_fast(kernel, items) ? DOUBTS : kernel->doubts - 1;
    double begin = now_ns();
    call(&kernel->body, argv, NULL);
    kernel->end_ns = now_ns();
    kernel->ns_per_item = (kernel->end_ns - begin) / items;
}

/* Neither short nor long, and the crew is awake, or was wanted just now. */
static bool is_near(const cohort_dev *dev, cohort_kernel *kernel, double items)
{
    double ns = items * kernel->ns_per_item;
    if (ns < SHORT_NS + MEMBER_NS * dev->team || ns >= LONG_NS)
        return false;
    if (kernel->rest > 0) {
        kernel->rest--;
        return false;
    }
    if (dev->crew != NULL && !crew_looks(dev->crew))
        return false; /* it sleeps behind each job */
    return (dev->crew != NULL && crew_is_awake(dev->crew)) || now_ns() - kernel->end_ns < NEAR_NS;
}

/* The caller works as members of the crew do. Of several indices the first one is divided; `inside`
 * is the number of items in each of its own. */
static bool call_by_crew(cohort_dev *dev, uint64_t items, double inside, struct ranges *ranges)
{
    struct team_settings before;
    bool are_few = (double)items * inside < TIMED_ITEMS; /* slow ones, else they were not here */
    uint64_t least = inside < GRAIN && !are_few ? (uint64_t)(GRAIN / inside) : 1;
    team_enter_alone(&before);
    bool is_complete = work_split(dev, true, items, least, call_range, ranges);
    team_leave(&before);
    return is_complete;
}

/* Its threads together have taken at least as long as one would have taken. */
static bool call_near(cohort_dev *dev, cohort_kernel *kernel, uint64_t first, double inside,
                      struct ranges *ranges)
{
    double items = (double)first * inside, begin = now_ns();
    bool is_complete = call_by_crew(dev, first, inside, ranges);
    kernel->end_ns = now_ns();
    double ns = kernel->end_ns - begin;
    if (ns > items * kernel->ns_per_item)
        kernel->rest = REST;
    else if (ns * dev->team < items * kernel->ns_per_item)
        kernel->ns_per_item = ns * dev->team / items;
    return is_complete;
}

/* The items in one of the first index. */
static double count_inside(const cohort_range *range)
{
    double inside = 1;
    for (uint32_t d = 0; d + 1 < range->dims; d++)
        inside *= (double)range->global[d];
    return inside;
}

/* Few items, of which nobody knows that they are slow ones, such as blocks of sums. */
static bool is_little(cohort_kernel *kernel, double items)
{
    if (items < 2)
        return true;
    return items < TIMED_ITEMS && looks_fast(kernel, items) && kernel->n_few++ % LOOK_EVERY != 0;
}

/* False: the body has ended a thread of the crew. */
static bool call_split(cohort_dev *dev, cohort_kernel *kernel, void *const *argv,
                       const cohort_range *range)
{
    int64_t begin = *(const int64_t *)argv[0];
    int64_t first = *(const int64_t *)argv[1] - begin;
    double inside = count_inside(range), items = (double)first * inside;
    struct ranges ranges = { &kernel->body, argv, begin };
    if (is_little(kernel, items)) {
        call(&kernel->body, argv, NULL);
    } else if (is_near(dev, kernel, items)) {
        return call_near(dev, kernel, (uint64_t)first, inside, &ranges);
    } else if (looks_fast(kernel, items) || kernel->doubts > 0) {
        call_timed(kernel, argv, items);
    } else {
        return call_by_crew(dev, (uint64_t)first, inside, &ranges);
    }
    return true;
}

static cohort_status run(cohort_dev *dev, cohort_kernel *kernel, const cohort_launch *launch,
                         cohort_error *err)
{
    void *argv[COHORT_MAX_ARGS];
    cohort_status st = native_body_arguments(&kernel->body, launch, argv, err);
    if (st < 0)
        return st;
    if (!kernel->is_splittable || dev->team == 1)
        call(&kernel->body, argv, launch->ret);
    else if (!call_split(dev, kernel, argv, &launch->range))
        return cohort_fail(err, COHORT_EINVAL, 0,
                           "a body ended its thread (pthread_exit or pthread_cancel), which is the "
                           "library's");
    return COHORT_OK;
}

/* For a body that may have OpenMP regions of its own, also one that is called once. */
static cohort_status enter(const cohort_dev *dev, const cohort_kernel *kernel,
                           struct team_settings *out_before, cohort_error *err)
{
    return kernel->is_of_items ? COHORT_OK : team_enter(dev, out_before, err);
}

static void leave(const cohort_kernel *kernel, const struct team_settings *before)
{
    if (!kernel->is_of_items)
        team_leave(before);
}

cohort_status host_launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                          const cohort_launch *launch, cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    (void)out_event;
    struct team_settings before;
    cohort_status st = enter(dev, kernel, &before, err);
    if (st < 0)
        return st;
    st = run(dev, kernel, launch, err);
    leave(kernel, &before);
    return st;
}

/* Each body finds the settings as if it were launched alone. */
cohort_status host_launch_batch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                const cohort_launch *launches, uint32_t n,
                                volatile uint32_t *out_done, cohort_error *err)
{
    (void)queue;
    struct team_settings before, of_body; /* which may have run regions of another device, too */
    cohort_status st = enter(dev, kernel, &before, err);
    if (st < 0)
        return st;
    for (uint32_t i = 0; i < n && st == COHORT_OK; i++) {
        if (i > 0)
            st = enter(dev, kernel, &of_body, err);
        if (st == COHORT_OK)
            st = run(dev, kernel, &launches[i], err);
        if (st == COHORT_OK)
            *out_done = i + 1;
    }
    leave(kernel, &before);
    return st;
}
