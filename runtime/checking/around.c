/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a thread before and after an operation. */
#include "config.h"

#include "runtime/checking/around.h"

#include <pthread.h>

void cohort_around_begin(cohort_around *around, cohort_checking *checking, cohort_slot_id operation)
{
    around->checking = checking;
    around->operation = operation;
    around->floats = cohort_fpstate_get();
    (void)pthread_sigmask(SIG_SETMASK, NULL, &around->signals);
    around->has_cpus = sched_getaffinity(0, sizeof around->cpus, &around->cpus) == 0;
    around->findings = checking->findings;
    checking->asked[operation]++;
}

static bool has_equal_signals(const sigset_t *a, const sigset_t *b)
{
    for (int signal = 1; signal <= SIGRTMAX; signal++)
        if (sigismember(a, signal) != sigismember(b, signal))
            return false;
    return true;
}

/* worker_attach may choose among the CPUs that the thread had: of what it had before the first one
 * nothing is known at the second. */
static bool may_be_moved(const cohort_around *around, const cpu_set_t *now)
{
    cpu_set_t common;
    CPU_AND(&common, &around->cpus, now);
    return CPU_EQUAL(&around->cpus, now) ||
           (around->operation == COHORT_SLOT_ATTACH &&
            (CPU_EQUAL(&common, now) || around->checking->asked[COHORT_SLOT_ATTACH] > 1));
}

static cohort_status check_floats(const cohort_around *around, cohort_error *err)
{
    cohort_fpstate now = cohort_fpstate_get();
    if (cohort_fpstate_same_mode(now, around->floats))
        return COHORT_OK;
    cohort_fpstate_set(around->floats);
    return cohort_finding(around->checking, around->operation, COHORT_CHECKING_FLOAT, err,
                          "changed the floating-point state of its thread (%llx, %llx before)",
                          (unsigned long long)now, (unsigned long long)around->floats);
}

static cohort_status check_signals(const cohort_around *around, cohort_error *err)
{
    sigset_t now;
    if (pthread_sigmask(SIG_SETMASK, NULL, &now) != 0 || has_equal_signals(&now, &around->signals))
        return COHORT_OK;
    (void)pthread_sigmask(SIG_SETMASK, &around->signals, NULL);
    return cohort_finding(around->checking, around->operation, COHORT_CHECKING_SIGNALS, err,
                          "changed which signals its thread blocks");
}

static cohort_status check_cpus(const cohort_around *around, cohort_error *err)
{
    cpu_set_t now;
    if (!around->has_cpus || sched_getaffinity(0, sizeof now, &now) != 0 ||
        may_be_moved(around, &now))
        return COHORT_OK;
    (void)sched_setaffinity(0, sizeof around->cpus, &around->cpus);
    return cohort_finding(around->checking, around->operation, COHORT_CHECKING_CPUS, err,
                          "changed the CPUs of its thread (%d, %d before)", CPU_COUNT(&now),
                          CPU_COUNT(&around->cpus));
}

cohort_status cohort_around_end(const cohort_around *around, cohort_status status,
                                cohort_error *err)
{
    cohort_status found[] = { check_floats(around, err), check_signals(around, err),
                              check_cpus(around, err) };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (found[i] < 0)
            return found[i];
    if (around->findings == around->checking->findings || status < 0)
        return status;
    return cohort_fail(err, COHORT_EINTERNAL, 0, "%s", around->checking->latest_finding.text);
}
