/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream plugin: operations that end after their call, in order, each with its own event. That
 * all of the core works on such a device: the places of tests/core.h. What tests can ask of both
 * plugins: loopback.c. */
#include "config.h"

#include "cli/conformance/body.h"
#include "plugins/loopback.h"
#include "tests/subject_built.h"
#include "tests/tap.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)

static subject s;
static const cohort_loopback *stream;
static cohort_dev *dev;

static cohort_loopback_counts counts(void)
{
    cohort_loopback_counts found;
    stream->counts(0, &found);
    return found;
}

static int32_t rule(uint32_t op, uint32_t nth, uint32_t is_sticky, cohort_loopback_action action,
                    cohort_status status)
{
    return stream->rule(&(cohort_loopback_rule){ .op = op,
                                                 .nth = nth,
                                                 .sticky = is_sticky,
                                                 .action = action,
                                                 .status = status,
                                                 .delay_ns = 20000000 });
}

/* Nothing that is enqueued is done until this rule is released. */
static int32_t hold(void)
{
    return rule(COHORT_LOOPBACK_EXECUTE, 1, 0, COHORT_LOOPBACK_HOLD, 0);
}

static cohort_status write(cohort_mem *mem, const void *from, uint64_t bytes,
                           cohort_event **out_event)
{
    *out_event = NULL;
    return s.ops.write(dev, NULL, mem, 0, from, bytes, out_event, NULL);
}

static cohort_status poll(cohort_event *event)
{
    return s.ops.event_wait(dev, event, 0, NULL);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static void twice(int64_t n, const int32_t *x, int32_t *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

static const cohort_arg twice_args[] = { VALUE(COHORT_I64, int64_t),
                                         MEM(COHORT_I32, int32_t, COHORT_READ),
                                         MEM(COHORT_I32, int32_t, COHORT_WRITE) };

/* ---- Order. */

static void in_order(void)
{
    enum { WRITTEN, DOUBLED, COPIED, FILLED, RESULT, N };
    int32_t sent[4] = { 1, 2, 3, 4 }, found[4] = { 0 }, wanted[4] = { 2, 4, 7, 7 }, seven = 7;
    int64_t n = 4;
    cohort_event *events[N] = { NULL };
    cohort_sig sig = body_sig(COHORT_VOID, twice_args, COUNT(twice_args));
    cohort_kernel *kernel;
    cohort_mem *x = subject_alloc(&s, dev, 16), *y = subject_alloc(&s, dev, 16),
               *z = subject_alloc(&s, dev, 16);
    void *argv[] = { &n, &x, &y };
    cohort_launch launch = { .struct_size = sizeof launch, .nargs = 3, .argv = argv };
    (void)body_create(&s, dev, NATIVE(twice), 0, &sig, &kernel, NULL);
    stream->reset();
    int32_t held = hold();
    ok(write(x, sent, 16, &events[WRITTEN]) == COHORT_OK &&
           s.ops.launch(dev, NULL, kernel, &launch, &events[DOUBLED], NULL) == COHORT_OK &&
           s.ops.copy(dev, NULL, z, 0, y, 0, 16, &events[COPIED], NULL) == COHORT_OK &&
           s.ops.fill(dev, NULL, z, 8, 8, &seven, 4, &events[FILLED], NULL) == COHORT_OK &&
           s.ops.read(dev, NULL, z, 0, found, 16, &events[RESULT], NULL) == COHORT_OK,
       "five operations are enqueued");
    n = 0;
    seven = 0;
    bool is_pending = true;
    for (int i = 0; i < N; i++)
        is_pending = is_pending && events[i] != NULL && poll(events[i]) == COHORT_EAGAIN;
    ok(is_pending && counts().ops[COHORT_LOOPBACK_WRITE] == 0,
       "none is done while the queue is held");
    ok(counts().in_flight == N && counts().max_in_flight == N, "all are in flight");
    uint64_t start, end, before = 0;
    ok(s.ops.event_time(dev, events[0], &start, &end, NULL) == COHORT_EAGAIN,
       "what has not ended has no time");
    stream->release(held);
    ok(s.ops.event_wait(dev, events[RESULT], 60 * SECOND, NULL) == COHORT_OK &&
           memcmp(found, wanted, sizeof found) == 0,
       "let go they are done, with the arguments that they were given");
    bool is_ordered = true;
    for (int i = 0; i < N; i++) {
        is_ordered = is_ordered && poll(events[i]) == COHORT_OK &&
                     s.ops.event_time(dev, events[i], &start, &end, NULL) == COHORT_OK &&
                     before <= start && start <= end;
        before = end;
        (void)s.ops.event_release(dev, events[i], NULL);
    }
    ok(is_ordered && end <= now_ns(), "one after the other, by CLOCK_MONOTONIC");
    ok(counts().in_flight == 0 && counts().max_in_flight == N && counts().live_events == 0,
       "then none is in flight");
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
    subject_free(&s, dev, x);
    subject_free(&s, dev, y);
    subject_free(&s, dev, z);
}

/* ---- Events. */

static void waiting(cohort_mem *mem)
{
    cohort_event *event;
    stream->reset();
    int32_t held = hold();
    (void)write(mem, "abc", 4, &event);
    uint64_t begin = now_ns();
    ok(s.ops.event_wait(dev, event, 20000000, NULL) == COHORT_EAGAIN &&
           now_ns() - begin >= 20000000,
       "a wait that is over answers EAGAIN, not earlier");
    stream->release(held);
    ok(s.ops.event_wait(dev, event, UINT64_MAX, NULL) == COHORT_OK && poll(event) == COHORT_OK,
       "a wait may be without an end, and repeated");
    (void)s.ops.event_release(dev, event, NULL);
    (void)rule(COHORT_LOOPBACK_EVENT_WAIT, 1, 0, COHORT_LOOPBACK_FAIL, COHORT_EAGAIN);
    (void)write(mem, "abc", 4, &event);
    ok(s.ops.event_wait(dev, event, 60 * SECOND, NULL) == COHORT_EAGAIN &&
           s.ops.event_wait(dev, event, 60 * SECOND, NULL) == COHORT_OK,
       "a wait may be told to answer EAGAIN");
    (void)s.ops.event_release(dev, event, NULL);
}

static void released_early(cohort_mem *mem)
{
    cohort_event *event;
    stream->reset();
    int32_t held = hold();
    (void)write(mem, "new", 4, &event);
    ok(s.ops.event_release(dev, event, NULL) == COHORT_OK && counts().in_flight == 1,
       "an event is released before its operation is done");
    stream->release(held);
    ok(subject_holds(&s, dev, mem, 0, "new", 4), "which is done nevertheless");
}

static void used_again(cohort_mem *mem)
{
    cohort_event *event, *first = NULL;
    bool is_same = true;
    stream->reset();
    (void)subject_write(&s, dev, mem, 0, "abc", 4);
    for (int i = 0; i < 100; i++) {
        (void)write(mem, "abc", 4, &event);
        is_same = is_same && (first == NULL || event == first);
        first = event;
        (void)subject_settle(&s, dev, COHORT_OK, event);
    }
    ok(is_same, "an operation that was released is used again");
}

static void many(cohort_mem *mem)
{
    enum { MANY = 10000 };
    static cohort_event *events[MANY];
    stream->reset();
    int32_t held = hold();
    bool is_good = true;
    for (int i = 0; i < MANY; i++)
        is_good = is_good && write(mem, "abc", 4, &events[i]) == COHORT_OK;
    ok(is_good && counts().max_in_flight == MANY, "%d operations are enqueued without waiting",
       MANY);
    stream->release(held);
    for (int i = MANY - 1; i >= 0; i--)
        is_good = subject_settle(&s, dev, COHORT_OK, events[i]) == COHORT_OK && is_good;
    ok(is_good && counts().ops[COHORT_LOOPBACK_WRITE] == MANY && counts().live_events == 0,
       "and all done");
}

/* ---- Failures. */

static void failing(cohort_mem *mem)
{
    cohort_event *events[4] = { NULL };
    cohort_error err = { .struct_size = sizeof err };
    stream->reset();
    (void)rule(COHORT_LOOPBACK_ENQUEUE_WRITE, 1, 0, COHORT_LOOPBACK_FAIL, COHORT_ENOMEM);
    ok(write(mem, "xyz", 4, &events[0]) == COHORT_ENOMEM && events[0] == NULL &&
           counts().in_flight == 0,
       "an operation fails in its call");
    (void)rule(COHORT_LOOPBACK_WRITE, 2, 0, COHORT_LOOPBACK_FAIL, COHORT_EINTERNAL);
    for (int i = 0; i < 4; i++)
        (void)write(mem, i == 1 ? "xyz" : i == 3 ? "end" : "abc", 4, &events[i]);
    cohort_status st = s.ops.event_wait(dev, events[1], 60 * SECOND, &err);
    ok(st == COHORT_EINTERNAL && err.code == COHORT_EINTERNAL, "or later, and its event says so");
    has_text(err.text, "stream was told to fail WRITE", "with its text");
    ok(poll(events[1]) == COHORT_EINTERNAL, "each time");
    ok(subject_settle(&s, dev, COHORT_OK, events[0]) == COHORT_OK &&
           subject_settle(&s, dev, COHORT_OK, events[2]) == COHORT_OK &&
           subject_settle(&s, dev, COHORT_OK, events[3]) == COHORT_OK &&
           subject_holds(&s, dev, mem, 0, "end", 4),
       "those around it are done");
    (void)s.ops.event_release(dev, events[1], NULL);
    stream->reset();
    (void)rule(COHORT_LOOPBACK_EXECUTE, 1, 1, COHORT_LOOPBACK_FAIL, COHORT_ELOST);
    ok(subject_write(&s, dev, mem, 0, "abc", 4) == COHORT_ELOST &&
           subject_fill(&s, dev, mem, 0, 4, "x", 1) == COHORT_ELOST,
       "a sticky rule fails whatever follows");
    stream->reset();
    char pattern[129] = "";
    ok(subject_fill(&s, dev, mem, 0, 4, pattern, sizeof pattern) == COHORT_EINVAL,
       "a pattern of 129 bytes is refused, when it is its turn");
}

static void losing(cohort_mem *mem)
{
    cohort_event *event, *other = NULL;
    stream->reset();
    int32_t held = hold();
    (void)write(mem, "abc", 4, &event);
    stream->lose(0);
    ok(write(mem, "abc", 4, &other) == COHORT_ELOST && other == NULL && poll(event) == COHORT_ELOST,
       "a lost device says so in every call");
    stream->release(held);
    ok(s.ops.event_release(dev, event, NULL) == COHORT_ELOST && counts().live_events == 0,
       "also in release, which releases nevertheless");
    stream->reset();
}

static void closing(void)
{
    cohort_dev *other = subject_open(&s, 1, 2);
    cohort_mem *mem = subject_alloc(&s, dev, 4); /* it outlives the device that writes it */
    char found[4] = "";
    cohort_event *events[2] = { NULL };
    (void)stream->rule(&(cohort_loopback_rule){ .part = 1,
                                                .op = COHORT_LOOPBACK_EXECUTE,
                                                .action = COHORT_LOOPBACK_DELAY,
                                                .delay_ns = 20000000 });
    (void)s.ops.write(other, NULL, mem, 0, "abc", 4, &events[0], NULL);
    (void)s.ops.read(other, NULL, mem, 0, found, 4, &events[1], NULL);
    (void)s.ops.event_release(other, events[0], NULL);
    (void)s.ops.event_release(other, events[1], NULL);
    subject_close(&s, other);
    is_text(found, "abc", "a device does what is enqueued before it closes");
    subject_free(&s, dev, mem);
    stream->reset();
}

/* ---- Threads: one enqueues, others wait. */

typedef struct relay {
    cohort_event *_Atomic events[1000];
    int n_right;
} relay;

static void *wait_for_each(void *argument)
{
    relay *r = argument;
    for (int i = 0; i < 1000; i++) {
        while (r->events[i] == NULL)
            (void)sched_yield();
        r->n_right += subject_settle(&s, dev, COHORT_OK, r->events[i]) == COHORT_OK;
    }
    return NULL;
}

static void threads(cohort_mem *mem)
{
    static relay r;
    pthread_t thread;
    stream->reset();
    (void)pthread_create(&thread, NULL, wait_for_each, &r);
    for (int i = 0; i < 1000; i++) {
        cohort_event *event;
        (void)write(mem, "abc", 4, &event);
        r.events[i] = event;
    }
    (void)pthread_join(thread, NULL);
    ok(r.n_right == 1000 && counts().live_events == 0,
       "one thread enqueues while another waits and releases");
}

int main(void)
{
    const char *why = subject_load_built(&s, "plugins/.libs/cohort-stream.so");
    if (why != NULL)
        return skip_all(why);
    ok(s.plugin->extension(s.plugin->self, COHORT_LOOPBACK) == NULL, "it is not loopback");
    stream = s.plugin->extension(s.plugin->self, COHORT_STREAM);
    if (!ok(stream != NULL && stream->struct_size == sizeof *stream, "it has a table for tests"))
        return tap_done();
    ok((s.info.caps & (COHORT_CAP_HOST_VISIBLE | COHORT_CAP_UNIFIED | COHORT_CAP_PROMPT)) == 0 &&
           s.info.type == COHORT_DEVICE_CPU,
       "a CPU with memory of its own, which nobody gets who did not ask for it");
    dev = subject_open(&s, 0, 1);
    cohort_mem *mem = subject_alloc(&s, dev, 4);
    in_order();
    waiting(mem);
    released_early(mem);
    used_again(mem);
    many(mem);
    failing(mem);
    losing(mem);
    closing();
    threads(mem);
    subject_free(&s, dev, mem);
    subject_close(&s, dev);
    ok(counts().live_devices == 0 && counts().live_mems == 0 && counts().live_kernels == 0,
       "in the end nothing lives");
    return tap_done();
}
