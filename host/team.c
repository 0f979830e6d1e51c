/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP team of a device: who works, on which cores, and with which settings.
 *
 * Work that the plugin splits is the crew's (work.h); regions are those of bodies. A runtime keeps
 * a team for each thread that enters regions, and its threads keep the state in which they were
 * made. So a team is settled once per thread and set of cores, and after that a region costs what
 * the runtime costs. The calling thread's own, its affinity and its OpenMP settings, is the
 * program's, and found unchanged afterwards. */
#include "config.h"

#include "host/team.h"

#include "host/dev.h"
#include "host/room.h"

#include <fenv.h>
#include <omp.h>

/* ------------------------------------------------------------------ how many */

static int find_limit(void)
{
    struct cpu_mask mine;
    bool is_known = cpu_mask_get(&mine);
    int threads = omp_get_max_threads(), limit = omp_get_thread_limit();
    if (is_known)
        cpu_mask_restore(&mine); /* the first call of some runtimes changes it */
    return threads < limit ? threads : limit;
}

/* As topology_get it is first called by one thread, which asks for the devices. That is no thread
 * of the program, so what it gets is of the environment, and not what the program has set. */
int team_limit(void)
{
    static int limit;
    if (limit == 0)
        limit = find_limit();
    return limit;
}

/* ------------------------------------------------------------------ the OpenMP team */

/* For which cores the calling thread's team is settled, and how many threads it has. Thread-local,
 * since each thread that enters a region has a team of its own. */
static _Thread_local struct {
    struct cores cores;
    int team;
} settled = { .team = 1 };

/* Where the user has asked the runtime to bind threads (OMP_PROC_BIND) it is the runtime that
 * binds. */
static void settle_member(const cohort_dev *dev)
{
    (void)fesetenv(FE_DFL_ENV);
    if (omp_get_proc_bind() == omp_proc_bind_false)
        (void)cores_bind(0, dev->cores);
}

/* Team threads keep the floating-point state and the affinity of the thread that made them: set
 * both, inside a first region. The calling thread may be bound by the runtime at its first call of
 * it, which is undone. */
static void enter_first_region(const cohort_dev *dev)
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
}

/* The runtime keeps the threads of the last team: it starts those that are missing. */
static __attribute__((noinline)) cohort_status settle(const cohort_dev *dev, cohort_error *err)
{
    cohort_status st = room_find(dev->team - settled.team, err);
    if (st < 0)
        return st;
    enter_first_region(dev);
    settled.cores = dev->cores;
    settled.team = dev->team;
    return COHORT_OK;
}

static bool is_settled(const cohort_dev *dev)
{
    return cores_equal(settled.cores, dev->cores) && settled.team == dev->team;
}

/* Without a region, but also with the thread's affinity as it was. */
static void ensure_known(void)
{
    static _Thread_local bool is_known;
    struct cpu_mask mine;
    if (is_known)
        return;
    bool has_mask = cpu_mask_get(&mine);
    (void)omp_get_max_threads();
    if (has_mask)
        cpu_mask_restore(&mine);
    is_known = true;
}

/* ------------------------------------------------------------------ regions of bodies */

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

/* Into memory that is read as it is written, one number at a time: returned in registers, three of
 * them were written and read as two words, which waits for all stores before. Measured, behind a
 * store to a line that another core reads: 30 ns. */
static void look(struct team_settings *out)
{
    out->threads = omp_get_max_threads();
    out->levels = omp_get_max_active_levels();
    out->dynamic = omp_get_dynamic();
}

static const struct team_settings alone = { 1, 1, 0 };

void team_be_alone(void)
{
    struct team_settings now;
    look(&now);
    apply(&alone, &now);
}

void team_enter_alone(struct team_settings *out_before)
{
    ensure_known();
    look(out_before);
    apply(&alone, out_before);
}

cohort_status team_enter(const cohort_dev *dev, struct team_settings *out_before, cohort_error *err)
{
    cohort_status st = is_settled(dev) ? COHORT_OK : settle(dev, err);
    if (st < 0)
        return st;
    look(out_before);
    apply(&(struct team_settings){ dev->team, 1, 0 }, out_before);
    return COHORT_OK;
}

void team_leave(const struct team_settings *before)
{
    struct team_settings now; /* the body may have changed them too */
    look(&now);
    apply(before, &now);
}

/* libomp exports this function and libgomp does not. The runtime that is there is known only now: a
 * program that brings libomp replaces the one that the plugin was linked to. */
extern int kmp_get_blocktime(void) __attribute__((weak));

const char *team_runtime(void)
{
    return kmp_get_blocktime != NULL ? "libomp" : "libgomp";
}
