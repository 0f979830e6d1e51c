/* SPDX-License-Identifier: BSD-3-Clause */
/* The host plugin: core sets, teams and crews, and the OpenMP settings that bodies meet. */
#include "config.h"

#include "cli/conformance/body.h"
#include "tests/subject_built.h"
#include "tests/tap.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Of the OpenMP runtime; <omp.h> stays with the host plugin. */
extern int omp_get_max_threads(void);
extern void omp_set_num_threads(int n);
extern int omp_get_max_active_levels(void);
extern void omp_set_max_active_levels(int n);
extern int omp_get_num_threads(void);

static subject s;
static int32_t limit; /* OMP_NUM_THREADS, or what the runtime says without */

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

typedef struct team {
    int32_t limit, levels, threads, inner;
} team;

static void look(int32_t *out)
{
    team seen = { omp_get_max_threads(), omp_get_max_active_levels(), 0, 0 };
#pragma omp parallel
#pragma omp single
    {
        seen.threads = omp_get_num_threads();
#pragma omp parallel
#pragma omp single
        seen.inner = omp_get_num_threads();
    }
    memcpy(out, &seen, sizeof seen);
    omp_set_num_threads(1);
}

static team look_at(cohort_dev *dev)
{
    const cohort_arg args[] = { MEM(COHORT_I32, int32_t, COHORT_WRITE) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 1);
    team seen = { 0, 0, 0, 0 };
    cohort_mem *mem = subject_alloc(&s, dev, sizeof seen);
    void *argv[] = { &mem };
    body_once(&s, dev, NATIVE(look), &sig, argv, 1, NULL);
    (void)subject_read(&s, dev, mem, 0, &seen, sizeof seen);
    subject_free(&s, dev, mem);
    return seen;
}

static void settings(void)
{
    cohort_dev *dev = subject_open(&s, 0, 1);
    int32_t cores = (int32_t)s.info.compute_units, threads = least(cores, limit);
    omp_set_num_threads(cores + 3);
    omp_set_max_active_levels(2);
    team seen = look_at(dev);
    ok(seen.limit == threads && seen.threads == threads,
       "a body's region has a thread for each core, or OMP_NUM_THREADS: %d", seen.threads);
    ok(seen.levels == 1 && seen.inner == 1, "and none inside");
    ok(omp_get_max_threads() == cores + 3 && omp_get_max_active_levels() == 2,
       "afterwards the caller's settings are as before, whatever the body did");
    subject_close(&s, dev);
}

static int32_t allowed_cpus(void)
{
    cpu_set_t mine;
    (void)sched_getaffinity(0, sizeof mine, &mine);
    return CPU_COUNT(&mine);
}

/* Cores of a part: the first ones have one more where they are not all equal. */
static int32_t share_of(uint32_t cores, uint32_t part, uint32_t parts)
{
    return (int32_t)(cores / parts + (part < cores % parts));
}

static void cuts(void)
{
    uint32_t cores = s.info.compute_units;
    if (getenv("OMP_PROC_BIND") == NULL)
        ok((int32_t)cores == allowed_cpus(),
           "compute_units are the CPUs that this process may use: %u", cores);
    else
        skip("compute_units are the CPUs that this process may use", "OMP_PROC_BIND is set");
    for (uint32_t parts = 1; parts <= cores + 2 && parts <= 16; parts++) {
        int32_t sum = 0, wanted = 0, smallest = INT32_MAX;
        for (uint32_t i = 0; i < parts; i++) {
            cohort_dev *dev = subject_open(&s, i, parts);
            team seen = look_at(dev);
            sum += seen.limit;
            wanted += parts > cores ? 1 : least(share_of(cores, i, parts), limit);
            smallest = seen.limit < smallest ? seen.limit : smallest;
            subject_close(&s, dev);
        }
        ok(smallest >= 1 && sum == wanted, "%u parts have %d threads, at least one each", parts,
           sum);
    }
}

static volatile double exact_one = 1;

/* The lowest 1 / 3 that a thread of the team gets, and the highest. */
static void divide(double *out)
{
    double lowest = 1, highest = 0;
#pragma omp parallel reduction(min : lowest) reduction(max : highest)
    lowest = highest = exact_one / 3;
    out[0] = lowest;
    out[1] = highest;
}

/* A program's team threads round as the thread that made them did then. */
static void make_team_that_rounds_up(void)
{
    double ignored[2];
    omp_set_num_threads((int)s.info.compute_units);
    (void)fesetround(FE_UPWARD);
    divide(ignored);
}

static void *round_up(void *argument)
{
    cohort_dev *dev = argument;
    const cohort_arg args[] = { MEM(COHORT_F64, double, COHORT_WRITE) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 1);
    volatile double third = exact_one / 3;
    double got[2] = { 0, 0 };
    cohort_mem *mem = subject_alloc(&s, dev, sizeof got);
    void *argv[] = { &mem };
    make_team_that_rounds_up();
    body_once(&s, dev, NATIVE(divide), &sig, argv, 1, NULL);
    (void)subject_read(&s, dev, mem, 0, got, sizeof got);
    ok(got[0] == third && got[1] == third,
       "a body's team has the default floating-point state, also when its threads were "
       "made under another");
    subject_free(&s, dev, mem);
    return NULL;
}

static void states(void)
{
    pthread_t thread;
    cohort_dev *dev = subject_open(&s, 0, 1);
    (void)pthread_create(&thread, NULL, round_up, dev);
    (void)pthread_join(thread, NULL);
    subject_close(&s, dev);
}

typedef struct worker {
    pthread_t thread;
    cohort_dev *dev;
    int32_t caller_cpu;
    cpu_set_t mask;
} worker;

static void *attach(void *argument)
{
    worker *w = argument;
    (void)s.ops.worker_attach(w->dev, w->caller_cpu, NULL);
    (void)sched_getaffinity(0, sizeof w->mask, &w->mask);
    return NULL;
}

static cpu_set_t mask_of(cohort_dev *dev, int32_t caller_cpu)
{
    worker w = { .dev = dev, .caller_cpu = caller_cpu };
    (void)pthread_create(&w.thread, NULL, attach, &w);
    (void)pthread_join(w.thread, NULL);
    return w.mask;
}

static void workers(void)
{
    if (s.info.compute_units < 2) {
        skip("workers keep off the caller", "one core");
        return;
    }
    cohort_dev *first = subject_open(&s, 0, 2), *second = subject_open(&s, 1, 2);
    cpu_set_t zero = mask_of(first, -1), one = mask_of(second, -1), both;
    CPU_AND(&both, &zero, &one);
    ok(CPU_COUNT(&both) == 0, "the core sets of two parts have nothing in common");
    int cpu = 0;
    while (!CPU_ISSET(cpu, &one))
        cpu++;
    cpu_set_t off = mask_of(second, cpu), back = mask_of(second, -1);
    ok(CPU_EQUAL(&off, &zero), "a worker whose cores the caller is on takes those of part 0");
    ok(CPU_EQUAL(&back, &one), "and goes home when the caller has left");
    subject_close(&s, first);
    subject_close(&s, second);
}

static int n_pieces; /* calls of the body below */

/* Slow once, as when another process has the core. */
static void stumble(int64_t begin, int64_t end, float *x)
{
    const struct timespec moment = { .tv_nsec = 2000000 };
    if (__atomic_fetch_add(&n_pieces, 1, __ATOMIC_RELAXED) == 0)
        (void)nanosleep(&moment, NULL);
    x[begin] += (float)(end - begin);
}

/* No loop over the items: else two more calls may be slow where a sanitizer watches. */
static void one_bad_moment(void)
{
    enum { N = 512, LAUNCHES = 4 };
    if (s.info.compute_units < 2) {
        skip("one slow call", "one core");
        return;
    }
    const cohort_arg args[] = { VALUE(COHORT_I64, int64_t), VALUE(COHORT_I64, int64_t),
                                MEM(COHORT_F32, float, COHORT_READ | COHORT_WRITE) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 3);
    cohort_dev *dev = subject_open(&s, 0, 1);
    cohort_mem *mem = subject_alloc(&s, dev, N * sizeof(float));
    cohort_kernel *kernel;
    int64_t begin = 0, end = N;
    void *argv[] = { &begin, &end, &mem };
    (void)body_create(&s, dev, NATIVE(stumble), COHORT_CODE_SPLIT, &sig, &kernel, NULL);
    for (int i = 0; i < LAUNCHES; i++)
        (void)body_launch(&s, dev, kernel, argv, 3, 1);
    ok(n_pieces == LAUNCHES,
       "a quick body stays on one thread after one slow call: %d pieces in %d launches", n_pieces,
       LAUNCHES);
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
    subject_free(&s, dev, mem);
    subject_close(&s, dev);
}

/* ------------------------------------------------------------------ the crew */

enum { ITEMS = 4096, LEARNING = 4 }; /* launches before a slow body is the crew's */

static atomic_int most_threads, crew_came, crew_cpus, leavers;
static pthread_t launcher;

/* Slow enough to be split; what is split sees one thread in its regions. */
static void add_one(int64_t begin, int64_t end, float *x)
{
    const struct timespec moment = { .tv_nsec = 100000 };
    (void)nanosleep(&moment, NULL);
    if (end - begin < ITEMS && omp_get_max_threads() > atomic_load(&most_threads))
        atomic_store(&most_threads, omp_get_max_threads());
    for (int64_t i = begin; i < end; i++)
        x[i] += 1;
}

/* About 12 us for all items: neither so short that it stays on one thread, nor worth waking a crew
 * that sleeps. */
static void take_a_moment(int64_t begin, int64_t end, float *x)
{
    struct timespec now, first;
    (void)clock_gettime(CLOCK_MONOTONIC, &first);
    do
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - first.tv_sec) * 1000000000 + now.tv_nsec - first.tv_nsec <
           12000 * (end - begin) / ITEMS);
    for (int64_t i = begin; i < end; i++)
        x[i] += 1;
}

/* The launching thread waits in its piece until another one has come, 10 s at most; one that came
 * leaves, as often as leavers says. */
static void meet(int64_t begin, int64_t end, float *x)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    bool is_ours = pthread_equal(pthread_self(), launcher) != 0;
    if (!is_ours) {
        atomic_store(&crew_cpus, allowed_cpus());
        atomic_fetch_add(&crew_came, 1);
    }
    for (int i = 0; is_ours && end - begin < ITEMS && i < 10000 && atomic_load(&crew_came) == 0;
         i++)
        (void)nanosleep(&moment, NULL);
    if (!is_ours && atomic_fetch_sub(&leavers, 1) > 0)
        pthread_exit(NULL);
    add_one(begin, end, x);
}

typedef struct split {
    cohort_dev *dev;
    cohort_mem *mem;
    cohort_kernel *kernel;
    int launches;
} split;

static cohort_status launch(split *t)
{
    int64_t begin = 0, end = ITEMS;
    void *argv[] = { &begin, &end, &t->mem };
    t->launches++;
    return body_launch(&s, t->dev, t->kernel, argv, 3, 1);
}

static split open_split(body b)
{
    static float zeros[ITEMS];
    const cohort_arg args[] = { VALUE(COHORT_I64, int64_t), VALUE(COHORT_I64, int64_t),
                                MEM(COHORT_F32, float, COHORT_READ | COHORT_WRITE) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 3);
    split t = { .dev = subject_open(&s, 0, 1) };
    t.mem = subject_alloc_from(&s, t.dev, zeros, sizeof zeros);
    (void)body_create(&s, t.dev, b, COHORT_CODE_SPLIT, &sig, &t.kernel, NULL);
    for (int i = 0; i < LEARNING; i++)
        (void)launch(&t);
    return t;
}

static void close_split(split *t)
{
    (void)s.ops.kernel_destroy(t->dev, t->kernel, NULL);
    subject_free(&s, t->dev, t->mem);
    subject_close(&s, t->dev);
}

/* Each launch has added one to each item. */
static bool is_complete(split *t)
{
    float x[ITEMS];
    bool is_good = subject_read(&s, t->dev, t->mem, 0, x, sizeof x) == COHORT_OK;
    for (int i = 0; i < ITEMS; i++)
        is_good = is_good && x[i] == (float)t->launches;
    return is_good;
}

static void pieces(void)
{
    split t = open_split(NATIVE(add_one));
    for (int i = 0; i < 50; i++)
        (void)launch(&t);
    ok(is_complete(&t), "what the crew splits is done once, all of it");
    ok(atomic_load(&most_threads) <= 1, "and in a piece of it regions have one thread");
    close_split(&t);
}

/* One behind the other, and behind pauses in which the crew falls asleep. */
static void moments(void)
{
    const struct timespec pause = { .tv_nsec = 1000000 };
    split t = open_split(NATIVE(take_a_moment));
    for (int i = 0; i < 400; i++) {
        if (i % 20 == 19)
            (void)nanosleep(&pause, NULL);
        (void)launch(&t);
    }
    ok(is_complete(&t), "launches that the crew splits while it is awake are done once, too");
    close_split(&t);
}

static void forked(void)
{
    split t = open_split(NATIVE(add_one));
    int status = 1;
    (void)launch(&t);
    pid_t child = fork();
    if (child == 0)
        _exit(launch(&t) == COHORT_OK && is_complete(&t) ? 0 : 1);
    (void)waitpid(child, &status, 0);
    ok(status == 0, "a child that was forked has no crew, and works alone");
    ok(launch(&t) == COHORT_OK && is_complete(&t), "its parent goes on");
    close_split(&t);
}

static void leaving(void)
{
    int32_t before = allowed_cpus();
    launcher = pthread_self();
    split t = open_split(NATIVE(meet));
    atomic_store(&crew_came, 0);
    ok(launch(&t) == COHORT_OK && atomic_load(&crew_came) > 0 && is_complete(&t),
       "threads of the crew take pieces");
    int32_t cores = (int32_t)s.info.compute_units;
    ok(atomic_load(&crew_cpus) == (limit < cores ? cores : 1),
       "each is bound, to a core of its own where there are as many");
    ok(allowed_cpus() == before, "and the thread that launches is not");
    atomic_store(&crew_came, 0);
    atomic_store(&leavers, 1);
    ok(launch(&t) == COHORT_EINVAL, "a body that ends one of them is an error of the launch");
    atomic_store(&leavers, 0);
    atomic_store(&crew_came, 1);
    ok(launch(&t) == COHORT_OK, "the next launch is done by those that are left");
    close_split(&t);
}

static atomic_int n_parts; /* calls of the body below */

static void take_long(int64_t begin, int64_t end, float *x)
{
    const struct timespec moment = { .tv_nsec = 50000 };
    atomic_fetch_add(&n_parts, 1);
    for (int64_t i = begin; i < end; i++) {
        (void)nanosleep(&moment, NULL);
        x[i] += 1;
    }
}

/* As blocks of sums are. */
static void few_slow_items(void)
{
    enum { FEW = 8, LAUNCHES = 6 };
    static float zeros[FEW];
    split t = { .dev = subject_open(&s, 0, 1) };
    t.mem = subject_alloc_from(&s, t.dev, zeros, sizeof zeros);
    int64_t begin = 0, end = FEW;
    void *argv[] = { &begin, &end, &t.mem };
    const cohort_arg args[] = { VALUE(COHORT_I64, int64_t), VALUE(COHORT_I64, int64_t),
                                MEM(COHORT_F32, float, COHORT_READ | COHORT_WRITE) };
    cohort_sig sig = body_sig(COHORT_VOID, args, 3);
    (void)body_create(&s, t.dev, NATIVE(take_long), COHORT_CODE_SPLIT, &sig, &t.kernel, NULL);
    atomic_store(&n_parts, 0);
    for (int i = 0; i < LAUNCHES; i++)
        (void)body_launch(&s, t.dev, t.kernel, argv, 3, 1);
    ok(atomic_load(&n_parts) > LAUNCHES, "few items that take long are divided, too: %d in %d",
       atomic_load(&n_parts), LAUNCHES);
    close_split(&t);
}

static void crew(void)
{
    if (least((int32_t)s.info.compute_units, limit) < 2) {
        skip("what a crew does", "one core, or OMP_NUM_THREADS=1");
        return;
    }
    pieces();
    few_slow_items();
    moments();
    forked();
    leaving();
}

int main(void)
{
    limit = omp_get_max_threads();
    const char *why = subject_load_built(&s, "host/.libs/cohort-host.so");
    if (why != NULL)
        return skip_all(why);
    has_text(s.info.driver, "OpenMP 20", "the driver is a version of OpenMP");
    has_text(s.info.driver, "lib", "and a runtime");
    cuts();
    settings();
    states();
    workers();
    one_bad_moment();
    crew();
    return tap_done();
}
