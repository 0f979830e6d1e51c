/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices: their parts, peers, threads, and what they leave alone. */
#include "config.h"

#include "cli/conformance/bodies.h"
#include "cli/conformance/rules.h"

#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int count_entries(const char *path)
{
    int n = 0;
    DIR *folder = opendir(path);
    while (folder != NULL && readdir(folder) != NULL)
        n++;
    if (folder != NULL)
        (void)closedir(folder);
    return n;
}

static const cohort_arg add_args[] = { VALUE(COHORT_F32, float), VALUE(COHORT_I64, int64_t),
                                       MEM(COHORT_F32, float, COHORT_READ),
                                       MEM(COHORT_F32, float, COHORT_WRITE) };

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
    body_once(s, dev, bodies[BODY_add], &sig, argv, 100, NULL);
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

void rule_peers(const subject *s)
{
    uint32_t are_peers = 0;
    if (!SUBJECT_HAS(s, can_access_peer) || s->info.max_parts < 2) {
        claim_skip("memory of peers", "no can_access_peer, or one part only");
        return;
    }
    cohort_dev *dev = subject_open(s, 0, 2), *peer = subject_open(s, 1, 2);
    claim(s->ops.can_access_peer(dev, peer, &are_peers, NULL) == COHORT_OK && are_peers <= 1,
          "two parts are asked: %u", are_peers);
    if (are_peers != 0) {
        if (body_is_taken(s, "memory of a peer stands in a launch", bodies[BODY_add]))
            claim(adds(s, dev, peer), "memory of a peer stands in a launch");
        if (SUBJECT_HAS(s, copy))
            claim(copies_from(s, dev, peer), "in a copy, on both ends");
        else
            claim_skip("in a copy, on both ends", "no copy");
        if (SUBJECT_HAS(s, reduce))
            claim(reduces_with(s, dev, peer), "and in a reduction, also as its result");
        else
            claim_skip("and in a reduction, also as its result", "no reduce");
    }
    subject_close(s, dev);
    subject_close(s, peer);
}

static void parts_of(const subject *s, uint32_t parts)
{
    cohort_dev **devs = calloc(parts, sizeof *devs);
    uint32_t n_right = 0;
    if (devs == NULL) {
        claim(false, "there is memory for %u parts", parts);
        return;
    }
    for (uint32_t i = 0; i < parts; i++)
        devs[i] = subject_open(s, i, parts);
    for (uint32_t i = 0; i < parts; i++)
        n_right += adds(s, devs[i], devs[i]);
    for (uint32_t i = 0; i < parts; i++)
        subject_close(s, devs[i]);
    claim(n_right == parts, "%u parts work side by side", parts);
    free(devs);
}

void rule_parts(const subject *s)
{
    static const uint32_t parts[] = { 1, 2, 3, 5, 64 };
    if (!body_is_taken(s, "parts", bodies[BODY_add]))
        return;
    for (size_t i = 0; i < COUNT(parts); i++)
        if (parts[i] <= s->info.max_parts)
            parts_of(s, parts[i]);
}

/* What is not there does not open, and hands out nothing. */
void rule_open(const subject *s)
{
    cohort_dev *dev = NULL;
    claim(s->ops.device_open(s->plugin->self, s->n_devices, 0, 1, &dev, NULL) == COHORT_ENODEV &&
              dev == NULL,
          "a device past the last is COHORT_ENODEV");
    claim(s->ops.device_open(s->plugin->self, UINT32_MAX, 0, 1, &dev, NULL) == COHORT_ENODEV &&
              dev == NULL,
          "so is device 2^32 - 1");
    claim(s->ops.device_open(s->plugin->self, s->index, 2, 2, &dev, NULL) == COHORT_EINVAL &&
              dev == NULL,
          "part 2 of 2 is refused");
    claim(s->ops.device_open(s->plugin->self, s->index, 0, s->info.max_parts + 1, &dev, NULL) ==
                  COHORT_EINVAL &&
              dev == NULL,
          "so are more parts than max_parts");
    claim(s->ops.device_open(s->plugin->self, s->index, 0, 0, &dev, NULL) == COHORT_EINVAL &&
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
    w->is_right = body_create(w->s, w->dev, bodies[BODY_add], 0, &sig, &kept, NULL) == COHORT_OK;
    for (int i = 0; i < 100; i++)
        w->is_right = adds(w->s, w->dev, w->dev) && w->is_right;
    if (kept != NULL)
        (void)w->s->ops.kernel_destroy(w->dev, kept, NULL);
    return NULL;
}

void rule_threads(const subject *s)
{
    if (!body_is_taken(s, "devices in parallel threads", bodies[BODY_add]))
        return;
    if ((s->info.caps & COHORT_CAP_SERIALIZE) != 0) {
        claim_skip("devices in parallel threads", "COHORT_CAP_SERIALIZE");
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
    claim(is_right, "four opened devices work in four threads");
}

/* A thread that was joined may be listed a moment longer. */
static bool ends_with_threads(int most)
{
    for (int i = 0; i < 1000 && count_entries("/proc/self/task") > most; i++)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    return count_entries("/proc/self/task") <= most;
}

void rule_reopen(const subject *s)
{
    if (!body_is_taken(s, "reopening", bodies[BODY_add]))
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
    claim(n_right == 101, "a device is opened 100 times again");
    claim(files == count_entries("/proc/self/fd") && ends_with_threads(threads),
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

void rule_attach(const subject *s)
{
    if (!SUBJECT_HAS(s, worker_attach)) {
        claim_skip("workers", "no worker_attach");
        return;
    }
    if (!body_is_taken(s, "workers", bodies[BODY_add]))
        return;
    cpu_set_t before, after;
    (void)sched_getaffinity(0, sizeof before, &before);
    uint32_t parts = s->info.max_parts < 2 ? 1 : 2;
    cohort_dev *dev = subject_open(s, parts - 1, parts);
    claim(attaches(s, dev, -1), "a worker is attached, with the caller anywhere");
    bool is_right = true;
    for (int cpu = 0; cpu < CPU_SETSIZE && cpu < 64; cpu++)
        is_right = attaches(s, dev, cpu) && is_right;
    claim(is_right, "and on each CPU");
    (void)sched_getaffinity(0, sizeof after, &after);
    claim(CPU_EQUAL(&before, &after), "the affinity of the caller stays as it was");
    subject_close(s, dev);
}

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
    body_once(s, dev, bodies[BODY_nudge], &sig, argv, 1, &got);
    do_all(s, dev);
    int after = fegetround();
    (void)fesetround(FE_TONEAREST);
    claim(got == one, "a body runs with the default floating-point state");
    claim(after == FE_UPWARD, "and the caller's is as before");
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

void rule_state(const subject *s)
{
    if (!body_is_taken(s, "floating-point state", bodies[BODY_add]) ||
        !body_is_taken(s, "floating-point state", bodies[BODY_nudge]))
        return;
    cohort_dev *dev = subject_open(s, 0, 1);
    state(s, dev);
    subject_close(s, dev);
}

void rule_affinity(const subject *s)
{
    if (!body_is_taken(s, "affinity", bodies[BODY_add]))
        return;
    cpu_set_t before, after;
    cohort_dev *dev = subject_open(s, 0, 1);
    (void)sched_getaffinity(0, sizeof before, &before);
    do_all(s, dev);
    (void)sched_getaffinity(0, sizeof after, &after);
    claim(CPU_EQUAL(&before, &after), "the affinity of the caller is untouched");
    worker w = { .s = s, .dev = dev };
    (void)pthread_create(&w.thread, NULL, stay, &w);
    (void)pthread_join(w.thread, NULL);
    claim(w.is_right, "so is that of a thread which is bound to one CPU");
    subject_close(s, dev);
}

/* ---- What is left behind. */

typedef struct holdings {
    int files, threads;
    uint64_t bytes; /* of malloc; 0 where it does not say */
} holdings;

static holdings count_holdings(void)
{
    holdings h = { count_entries("/proc/self/fd"), count_entries("/proc/self/task"), 0 };
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    h.bytes = info.uordblks + info.hblkhd;
#endif
    return h;
}

/* Other C libraries do not say it, and the numbers of glibc stay where a sanitizer or a library of
 * LD_PRELOAD has another malloc. */
static bool does_malloc_say(void)
{
    enum { PROBE = 100000 };
    uint64_t before = count_holdings().bytes;
    void *volatile block = malloc(PROBE);
    bool does_say = block != NULL && count_holdings().bytes >= before + PROBE;
    free(block);
    return does_say;
}

/* Transfers alone, which every device has. */
static void move(const subject *s, cohort_dev *dev)
{
    enum { BYTES = 200000 };
    static unsigned char content[BYTES];
    cohort_mem *mem = subject_alloc_from(s, dev, content, BYTES);
    (void)subject_holds(s, dev, mem, 0, content, BYTES);
    subject_free(s, dev, mem);
}

/* The first times fill what a plugin keeps for ever; a page each time behind them is a leak. */
void rule_leaks(const subject *s)
{
    enum { WARM = 5, TIMES = 30, MOST_BYTES = 4096 };
    holdings before = { 0, 0, 0 };
    for (int i = 0; i < WARM + TIMES; i++) {
        if (i == WARM)
            before = count_holdings();
        cohort_dev *dev = subject_open(s, 0, 1);
        if (dev == NULL)
            return;
        for (int j = 0; j < 4; j++)
            move(s, dev);
        subject_close(s, dev);
    }
    bool has_no_thread = ends_with_threads(before.threads);
    holdings after = count_holdings();
    if (has_no_thread && after.files <= before.files && !does_malloc_say()) {
        claim_skip("no file and no thread is left; memory",
                   "malloc does not say here how much there is");
        return;
    }
    claim(after.files <= before.files, "%d times opened and closed leave no file: %d, before %d",
          TIMES, after.files, before.files);
    claim(has_no_thread, "and no thread: %d, before %d", after.threads, before.threads);
    uint64_t left = after.bytes > before.bytes ? after.bytes - before.bytes : 0;
    claim(left < (uint64_t)TIMES * MOST_BYTES, "and no memory: %llu bytes each time",
          (unsigned long long)(left / TIMES));
}

/* ---- What of the process no plugin changes. */

void rule_process(const subject *s)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGSEGV, SIGPIPE, SIGCHLD, SIGALRM, SIGABRT };
    enum { N_SIGNALS = sizeof signals / sizeof *signals };
    struct sigaction before[N_SIGNALS], after;
    char folder[2][4096], locale[1024];
    for (int i = 0; i < N_SIGNALS; i++)
        (void)sigaction(signals[i], NULL, &before[i]);
    (void)snprintf(locale, sizeof locale, "%s", setlocale(LC_ALL, NULL));
    const char *here = getcwd(folder[0], sizeof folder[0]);
    mode_t mask = umask(022);
    (void)umask(mask);
    cohort_dev *dev = subject_open(s, 0, 1);
    if (dev == NULL)
        return;
    move(s, dev);
    subject_close(s, dev);
    for (int i = 0; i < N_SIGNALS; i++) {
        (void)sigaction(signals[i], NULL, &after);
        claim(after.sa_handler == before[i].sa_handler, "signal %d has the handler that it had",
              signals[i]);
    }
    claim(strcmp(setlocale(LC_ALL, NULL), locale) == 0, "the locale is as before");
    claim(here == NULL ||
              (getcwd(folder[1], sizeof folder[1]) != NULL && strcmp(folder[0], folder[1]) == 0),
          "so is the folder");
    mode_t mask_after = umask(mask);
    claim(mask_after == mask, "and the mask of new files");
}
