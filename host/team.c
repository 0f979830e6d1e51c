/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP team of a device: who works, on which cores, and with which settings.
 *
 * A runtime keeps a team for each thread that enters regions, and its threads keep the state in
 * which they were made. So a team is settled once per thread and set of cores, and after that a
 * region costs what the runtime costs. What belongs to the calling thread, its affinity and its
 * OpenMP settings, is the program's, and found unchanged afterwards. */
#include "config.h"

#include "host/team.h"

#include "host/host.h"

#include <fenv.h>
#include <omp.h>

/* For which cores the calling thread's team is settled. Thread-local, since each thread that enters
 * a region has a team of its own. */
static _Thread_local struct cores settled;

/* Where the user has asked the runtime to bind threads (OMP_PROC_BIND) it is the runtime that
 * binds. */
static void settle_member(const cohort_dev *dev)
{
    (void)fesetenv(FE_DFL_ENV);
    if (omp_get_proc_bind() == omp_proc_bind_false)
        (void)cores_bind(dev->cores);
}

/* Team threads keep the floating-point state and the affinity of the thread that made them: set
 * both, inside a first region. The calling thread may be bound by the runtime at its first call of
 * it, which is undone. */
static void settle(const cohort_dev *dev)
{
    struct cpu_mask mine;
    bool is_known = cpu_mask_get(&mine);
#pragma omp parallel num_threads(dev->team)
    {
        if (omp_get_thread_num() != 0)
            settle_member(dev);
    }
    if (is_known)
        cpu_mask_restore(&mine);
    settled = dev->cores;
}

static void ensure_settled(const cohort_dev *dev)
{
    if (!cores_equal(settled, dev->cores))
        settle(dev);
}

static uint64_t round_up(uint64_t n, uint64_t grain)
{
    return (n + grain - 1) / grain * grain;
}

/* Ranges begin at multiples of grain, cache lines mostly, so that no two threads write one line.
 * The last threads may get nothing. The number of threads is asked for, as the runtime may give
 * fewer than it was asked. */
static void do_share(uint64_t n, uint64_t grain, team_fn fn, void *context)
{
    uint64_t members = (uint64_t)omp_get_num_threads();
    uint64_t share = round_up((n + members - 1) / members, grain);
    uint64_t first = share * (uint64_t)omp_get_thread_num();
    if (first < n)
        fn(context, first, n - first < share ? n - first : share);
}

void team_split(const cohort_dev *dev, bool is_worth_it, uint64_t n, uint64_t grain, team_fn fn,
                void *context)
{
    if (dev->team == 1 || !is_worth_it) {
        fn(context, 0, n);
        return;
    }
    ensure_settled(dev);
#pragma omp parallel num_threads(dev->team)
    do_share(n, grain, fn, context);
}

/* Each call is made only where something differs, for these settings are set at every launch. */
static void apply(const struct team_settings *wanted, const struct team_settings *now)
{
    if (now->threads != wanted->threads)
        omp_set_num_threads(wanted->threads);
    if (now->levels != wanted->levels)
        omp_set_max_active_levels(wanted->levels);
    if (now->dynamic != wanted->dynamic)
        omp_set_dynamic(wanted->dynamic);
}

static struct team_settings current(void)
{
    return (struct team_settings){ omp_get_max_threads(), omp_get_max_active_levels(),
                                   omp_get_dynamic() };
}

struct team_settings team_enter(const cohort_dev *dev)
{
    ensure_settled(dev);
    struct team_settings before = current();
    struct team_settings ours = { dev->team, 1, 0 };
    apply(&ours, &before);
    return before;
}

void team_leave(const struct team_settings *before)
{
    struct team_settings now = current(); /* the body may have changed them too */
    apply(before, &now);
}

/* libomp exports this function and libgomp does not. Which runtime is there is known only now: a
 * program that brings libomp replaces the one that the plugin was linked to. */
extern int kmp_get_blocktime(void) __attribute__((weak));

const char *team_runtime(void)
{
    return kmp_get_blocktime != NULL ? "libomp" : "libgomp";
}
