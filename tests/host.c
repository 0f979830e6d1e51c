/* SPDX-License-Identifier: BSD-3-Clause */
/* The host plugin: core sets, teams, and the OpenMP settings that bodies meet. */
#include "config.h"

#include "tests/conformance/body.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

/* Of the OpenMP runtime; <omp.h> stays with the host plugin. */
extern int omp_get_max_threads(void);
extern void omp_set_num_threads(int n);
extern int omp_get_max_active_levels(void);
extern void omp_set_max_active_levels(int n);
extern int omp_get_num_threads(void);

static subject s;

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
    int32_t cores = (int32_t)s.info.compute_units;
    omp_set_num_threads(cores + 3);
    omp_set_max_active_levels(2);
    team seen = look_at(dev);
    ok(seen.limit == cores && seen.threads == cores,
       "a body's region has a thread for each core: %d", seen.threads);
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

static void cuts(void)
{
    uint32_t cores = s.info.compute_units;
    if (getenv("OMP_PROC_BIND") == NULL)
        ok((int32_t)cores == allowed_cpus(),
           "compute_units are the CPUs that this process may use: %u", cores);
    else
        skip("compute_units are the CPUs that this process may use", "OMP_PROC_BIND is set");
    for (uint32_t parts = 1; parts <= cores + 2 && parts <= 16; parts++) {
        int32_t sum = 0, smallest = INT32_MAX;
        for (uint32_t i = 0; i < parts; i++) {
            cohort_dev *dev = subject_open(&s, i, parts);
            team seen = look_at(dev);
            sum += seen.limit;
            smallest = seen.limit < smallest ? seen.limit : smallest;
            subject_close(&s, dev);
        }
        ok(smallest >= 1 && sum == (int32_t)(parts > cores ? parts : cores),
           "%u parts have %d threads, at least one each", parts, sum);
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
    for (int64_t i = begin; i < end; i++)
        x[i] += 1;
}

static void one_bad_moment(void)
{
    enum { N = 4096, LAUNCHES = 4 };
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

int main(void)
{
    const char *why = subject_load(&s, "host/.libs/cohort-host.so");
    if (why != NULL)
        return skip_all(why);
    has_text(s.info.driver, "OpenMP 20", "the driver is a version of OpenMP");
    has_text(s.info.driver, "lib", "and a runtime");
    cuts();
    settings();
    states();
    workers();
    one_bad_moment();
    return tap_done();
}
