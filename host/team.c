/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "host/team.h"

#include "host/host.h"

#include <fenv.h>
#include <omp.h>

/* For which cores the calling thread's team is settled. Each thread that enters a region has a team
 * of its own. */
static _Thread_local struct cores settled;

static void settle_member(const cohort_dev *dev)
{
    (void)fesetenv(FE_DFL_ENV);
    if (omp_get_proc_bind() == omp_proc_bind_false)
        (void)cores_bind(dev->cores);
}

/* Team threads keep the floating-point state and the affinity of whoever made them: set both,
 * inside a first region. The calling thread may be bound by the runtime at its first call: undo
 * that. */
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

/* libomp exports it, libgomp does not; a program that brings libomp replaces the runtime that we
 * were linked to. */
extern int kmp_get_blocktime(void) __attribute__((weak));

const char *team_runtime(void)
{
    return kmp_get_blocktime != NULL ? "libomp" : "libgomp";
}
