/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices: what they say they are, their parts, peers, threads, and what they leave alone. */
#include "config.h"

#include "tests/conformance/body.h"
#include "tests/conformance/conformance.h"
#include "tests/entries.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

static void add(float by, int64_t n, const float *x, float *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + by;
}

static const char add_source[] =
    "kernel void body(float by, long n, global const float *x, global float *y)\n"
    "{ size_t i = get_global_id(0); if (i < n) y[i] = x[i] + by; }";

static const cohort_arg add_args[] = { VALUE(COHORT_F32, float), VALUE(COHORT_I64, int64_t),
                                       MEM(COHORT_F32, float, COHORT_READ),
                                       MEM(COHORT_F32, float, COHORT_WRITE) };

static bool is_terminated(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

void conform_enumerate(const subject *s)
{
    struct wide {
        cohort_device_info info;
        unsigned char rest[40];
    } *all = malloc(s->n_devices * sizeof *all), wide;
    memset(all, 0x5a, s->n_devices * sizeof *all);
    uint32_t n = 0;
    ok(s->ops.enumerate(s->plugin->self, 0, sizeof s->info, NULL, &n, NULL) == COHORT_OK &&
           n == s->n_devices,
       "devices are counted without room for them");
    (void)s->ops.enumerate(s->plugin->self, s->n_devices, sizeof wide, &all[0].info, &n, NULL);
    wide = all[s->index];
    free(all);
    ok(wide.rest[0] == 0x5a && memcmp(wide.rest, wide.rest + 1, sizeof wide.rest - 1) == 0,
       "nothing is written behind an entry of a larger stride");
    ok(memcmp(&wide.info, &s->info, sizeof s->info) == 0, "a device says the same twice");
    static const uint8_t zero[16];
    const cohort_device_info *info = &s->info;
    ok(info->struct_size >= sizeof *info && info->type >= COHORT_DEVICE_CPU &&
           info->type <= COHORT_DEVICE_ACCELERATOR,
       "it has a type");
    ok(memcmp(info->uuid, zero, sizeof zero) != 0, "it has a uuid");
    ok(is_terminated(info->name, sizeof info->name) && info->name[0] != '\0', "a name: %s",
       info->name);
    ok(is_terminated(info->driver, sizeof info->driver) && info->driver[0] != '\0', "a driver: %s",
       info->driver);
    ok(info->mem_total > 0 && info->mem_max_alloc > 0 && info->mem_max_alloc <= info->mem_total,
       "memory");
    ok(info->mem_align > 0 && (info->mem_align & (info->mem_align - 1)) == 0,
       "an alignment that is a power of two");
    ok(info->compute_units > 0 && info->max_parts > 0 && info->max_args > 0,
       "units, parts and room for arguments");
    ok(info->formats != NULL && info->formats[0] != NULL, "and bodies that it takes");
    ok(info->dtypes != 0, "of some dtypes");
    ok(SUBJECT_HAS(s, reduce) == (info->reductions != 0),
       "it says which reductions it has, or has none");
    cohort_dev *dev = NULL;
    ok(s->ops.device_open(s->plugin->self, s->n_devices, 0, 1, &dev, NULL) == COHORT_ENODEV &&
           dev == NULL,
       "a device past the last does not open");
    ok(s->ops.device_open(s->plugin->self, UINT32_MAX, 0, 1, &dev, NULL) == COHORT_ENODEV &&
           dev == NULL,
       "nor does device 2^32 - 1");
}

/* y = x + by on the device, from its own memory or that of a peer. */
static bool adds(const subject *s, cohort_dev *dev, cohort_dev *owner)
{
    float x[100], y[100], by = 0.5f;
    int64_t n = 100;
    for (int i = 0; i < 100; i++) {
        x[i] = (float)i;
        y[i] = (float)i + by;
    }
    cohort_mem *from = subject_alloc_from(s, owner, x, sizeof x),
               *into = subject_alloc(s, owner, sizeof y);
    cohort_sig sig = body_sig(COHORT_VOID, add_args, 4);
    void *argv[] = { &by, &n, &from, &into };
    body_once(s, dev, BODY(add, add_source), &sig, argv, 100, NULL);
    bool is_right = subject_holds(s, owner, into, 0, y, sizeof y);
    subject_free(s, owner, from);
    subject_free(s, owner, into);
    return is_right;
}

static bool copies_from(const subject *s, cohort_dev *dev, cohort_dev *peer)
{
    cohort_mem *theirs = subject_alloc_from(s, peer, "theirs", 7), *ours = subject_alloc(s, dev, 7);
    bool is_right = subject_copy(s, dev, ours, 0, theirs, 0, 7) == COHORT_OK &&
                    subject_holds(s, dev, ours, 0, "theirs", 7) &&
                    subject_copy(s, peer, ours, 0, theirs, 0, 7) == COHORT_OK;
    subject_free(s, peer, theirs);
    subject_free(s, dev, ours);
    return is_right;
}

static bool reduces_with(const subject *s, cohort_dev *dev, cohort_dev *peer)
{
    float a = 1.5f, b = 2.25f, sum = 3.75f;
    cohort_mem *theirs = subject_alloc_from(s, peer, &a, 4),
               *ours = subject_alloc_from(s, dev, &b, 4);
    cohort_term terms[] = { { theirs, 0, 0, 0 }, { ours, 0, 1, 0 } };
    cohort_reduction reduction = { .struct_size = sizeof reduction,
                                   .order = COHORT_ORDER_STACK,
                                   .op = COHORT_SUM,
                                   .type = COHORT_F32,
                                   .nterms = 2,
                                   .terms = terms,
                                   .dst = theirs,
                                   .count = 1,
                                   .divisor = 1 };
    bool is_right = subject_reduce(s, dev, &reduction) == COHORT_OK &&
                    subject_holds(s, peer, theirs, 0, &sum, 4);
    subject_free(s, peer, theirs);
    subject_free(s, dev, ours);
    return is_right;
}

void conform_peers(const subject *s)
{
    uint32_t are_peers = 0;
    if (!SUBJECT_HAS(s, can_access_peer) || s->info.max_parts < 2) {
        skip("memory of peers", "no can_access_peer, or one part only");
        return;
    }
    cohort_dev *dev = subject_open(s, 0, 2), *peer = subject_open(s, 1, 2);
    ok(s->ops.can_access_peer(dev, peer, &are_peers, NULL) == COHORT_OK && are_peers <= 1,
       "two parts are asked: %u", are_peers);
    if (are_peers != 0) {
        if (body_is_taken(s, "memory of a peer stands in a launch"))
            ok(adds(s, dev, peer), "memory of a peer stands in a launch");
        if (SUBJECT_HAS(s, copy))
            ok(copies_from(s, dev, peer), "in a copy, on both ends");
        else
            skip("in a copy, on both ends", "no copy");
        if (SUBJECT_HAS(s, reduce))
            ok(reduces_with(s, dev, peer), "and in a reduction, also as its result");
        else
            skip("and in a reduction, also as its result", "no reduce");
    }
    subject_close(s, dev);
    subject_close(s, peer);
}

static void parts_of(const subject *s, uint32_t parts)
{
    cohort_dev **devs = calloc(parts, sizeof *devs);
    uint32_t n_right = 0;
    for (uint32_t i = 0; i < parts; i++)
        devs[i] = subject_open(s, i, parts);
    for (uint32_t i = 0; i < parts; i++)
        n_right += adds(s, devs[i], devs[i]);
    for (uint32_t i = 0; i < parts; i++)
        subject_close(s, devs[i]);
    ok(n_right == parts, "%u parts work side by side", parts);
    free(devs);
}

void conform_parts(const subject *s)
{
    static const uint32_t parts[] = { 1, 2, 3, 5, 64 };
    cohort_dev *dev = NULL;
    if (!body_is_taken(s, "parts"))
        return;
    for (size_t i = 0; i < COUNT(parts); i++)
        if (parts[i] <= s->info.max_parts)
            parts_of(s, parts[i]);
    ok(s->ops.device_open(s->plugin->self, s->index, 2, 2, &dev, NULL) == COHORT_EINVAL &&
           dev == NULL,
       "part 2 of 2 is refused");
    ok(s->ops.device_open(s->plugin->self, s->index, 0, s->info.max_parts + 1, &dev, NULL) ==
               COHORT_EINVAL &&
           dev == NULL,
       "so are more parts than max_parts");
    ok(s->ops.device_open(s->plugin->self, s->index, 0, 0, &dev, NULL) == COHORT_EINVAL &&
           dev == NULL,
       "and none");
}

typedef struct worker {
    pthread_t thread;
    const subject *s;
    cohort_dev *dev;
    int32_t caller_cpu;
    cohort_status st;
    bool is_right;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    cohort_sig sig = body_sig(COHORT_VOID, add_args, 4);
    cohort_kernel *kept; /* with it a device need not build the program again each time */
    w->is_right =
        body_create(w->s, w->dev, BODY(add, add_source), 0, &sig, &kept, NULL) == COHORT_OK;
    for (int i = 0; i < 100; i++)
        w->is_right = adds(w->s, w->dev, w->dev) && w->is_right;
    if (kept != NULL)
        (void)w->s->ops.kernel_destroy(w->dev, kept, NULL);
    return NULL;
}

void conform_threads(const subject *s)
{
    if (!body_is_taken(s, "devices in parallel threads"))
        return;
    if ((s->info.caps & COHORT_CAP_SERIALIZE) != 0) {
        skip("devices in parallel threads", "COHORT_CAP_SERIALIZE");
        return;
    }
    worker workers[4];
    subject subjects[4]; /* all devices of the plugin in turn */
    bool is_right = true;
    for (uint32_t i = 0; i < 4; i++) {
        subject_choose(s, (s->index + i) % s->n_devices, &subjects[i]);
        uint32_t parts = subjects[i].info.max_parts < 4 ? 1 : 4;
        workers[i] =
            (worker){ .s = &subjects[i], .dev = subject_open(&subjects[i], i % parts, parts) };
        (void)pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        (void)pthread_join(workers[i].thread, NULL);
        is_right = workers[i].is_right && is_right;
        subject_close(&subjects[i], workers[i].dev);
    }
    ok(is_right, "four opened devices work in four threads");
}

/* A thread that was joined may be listed a moment longer. */
static bool ends_with_threads(int most)
{
    for (int i = 0; i < 1000 && count_entries("/proc/self/task") > most; i++)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    return count_entries("/proc/self/task") <= most;
}

void conform_reopen(const subject *s)
{
    if (!body_is_taken(s, "reopening"))
        return;
    int files = 0, threads = 0, n_right = 0;
    for (int i = 0; i < 101; i++) {
        cohort_dev *dev = subject_open(s, 0, 1);
        n_right += adds(s, dev, dev);
        subject_close(s, dev);
        if (i == 0) {
            files = count_entries("/proc/self/fd");
            threads = count_entries("/proc/self/task");
        }
    }
    ok(n_right == 101, "a device is opened 100 times again");
    ok(files == count_entries("/proc/self/fd") && ends_with_threads(threads),
       "and leaves no file and no thread");
}

static void *attach(void *argument)
{
    worker *w = argument;
    cpu_set_t before, after, both;
    (void)sched_getaffinity(0, sizeof before, &before);
    w->st = w->s->ops.worker_attach(w->dev, w->caller_cpu, NULL);
    (void)sched_getaffinity(0, sizeof after, &after);
    CPU_AND(&both, &before, &after);
    w->is_right = CPU_EQUAL(&both, &after) && adds(w->s, w->dev, w->dev);
    return NULL;
}

static bool attaches(const subject *s, cohort_dev *dev, int32_t caller_cpu)
{
    worker w = { .s = s, .dev = dev, .caller_cpu = caller_cpu };
    (void)pthread_create(&w.thread, NULL, attach, &w);
    (void)pthread_join(w.thread, NULL);
    return (w.st == COHORT_OK || w.st == COHORT_ENOTSUP) && w.is_right;
}

void conform_worker(const subject *s)
{
    if (!SUBJECT_HAS(s, worker_attach)) {
        skip("workers", "no worker_attach");
        return;
    }
    if (!body_is_taken(s, "workers"))
        return;
    cpu_set_t before, after;
    (void)sched_getaffinity(0, sizeof before, &before);
    uint32_t parts = s->info.max_parts < 2 ? 1 : 2;
    cohort_dev *dev = subject_open(s, parts - 1, parts);
    ok(attaches(s, dev, -1), "a worker is attached, with the caller anywhere");
    bool is_right = true;
    for (int cpu = 0; cpu < CPU_SETSIZE && cpu < 64; cpu++)
        is_right = attaches(s, dev, cpu) && is_right;
    ok(is_right, "and on each CPU");
    (void)sched_getaffinity(0, sizeof after, &after);
    ok(CPU_EQUAL(&before, &after), "the affinity of the caller stays as it was");
    subject_close(s, dev);
}

static float nudge(float one)
{
    return one + 0x1p-30f;
}

static const char nudge_source[] =
    "kernel void body(float one, global float *result) { result[0] = one + 0x1p-30f; }";

/* One of each, with sizes that make a team work. */
static void do_all(const subject *s, cohort_dev *dev)
{
    enum { BYTES = 1 << 20 };
    char *content = calloc(1, BYTES);
    cohort_mem *a = subject_alloc_from(s, dev, content, BYTES),
               *b = subject_alloc_from(s, dev, content, BYTES);
    if (SUBJECT_HAS(s, copy))
        (void)subject_copy(s, dev, a, 0, b, 0, BYTES);
    if (SUBJECT_HAS(s, fill))
        (void)subject_fill(s, dev, a, 0, BYTES, "ab", 2);
    cohort_term terms[] = { { a, 0, 0, 0 }, { b, 0, 1, 0 } };
    cohort_reduction reduction = { .struct_size = sizeof reduction,
                                   .order = COHORT_ORDER_STACK,
                                   .op = COHORT_SUM,
                                   .type = COHORT_F32,
                                   .nterms = 2,
                                   .terms = terms,
                                   .dst = a,
                                   .count = BYTES / 4,
                                   .divisor = 1 };
    if (SUBJECT_HAS(s, reduce))
        (void)subject_reduce(s, dev, &reduction);
    (void)adds(s, dev, dev);
    subject_free(s, dev, a);
    subject_free(s, dev, b);
    free(content);
}

static void state(const subject *s, cohort_dev *dev)
{
    const cohort_arg args[] = { VALUE(COHORT_F32, float) };
    cohort_sig sig = body_sig(COHORT_F32, args, 1);
    float one = 1, got = 0;
    void *argv[] = { &one };
    (void)fesetround(FE_UPWARD);
    body_once(s, dev, BODY(nudge, nudge_source), &sig, argv, 1, &got);
    do_all(s, dev);
    int after = fegetround();
    (void)fesetround(FE_TONEAREST);
    ok(got == one, "a body runs with the default floating-point state");
    ok(after == FE_UPWARD, "and the caller's is as before");
}

/* A thread that its program bound to one CPU stays there. */
static void *stay(void *argument)
{
    worker *w = argument;
    cpu_set_t before, after;
    (void)sched_getaffinity(0, sizeof before, &before);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&before);
    CPU_SET(cpu, &before);
    (void)sched_setaffinity(0, sizeof before, &before);
    do_all(w->s, w->dev);
    (void)sched_getaffinity(0, sizeof after, &after);
    w->is_right = CPU_EQUAL(&before, &after);
    return NULL;
}

void conform_manners(const subject *s)
{
    if (!body_is_taken(s, "manners"))
        return;
    cpu_set_t before, after;
    cohort_dev *dev = subject_open(s, 0, 1);
    (void)sched_getaffinity(0, sizeof before, &before);
    state(s, dev);
    (void)sched_getaffinity(0, sizeof after, &after);
    ok(CPU_EQUAL(&before, &after), "the affinity of the caller is untouched");
    worker w = { .s = s, .dev = dev };
    (void)pthread_create(&w.thread, NULL, stay, &w);
    (void)pthread_join(w.thread, NULL);
    ok(w.is_right, "so is that of a thread which is bound to one CPU");
    subject_close(s, dev);
}
