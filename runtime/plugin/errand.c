/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls into plugins that may not return, each on a thread of its own.
 *
 * The asker and the thread hold the struct together, and whoever lets go last frees it. So an asker
 * can leave when its time is over, and the answer that comes later still has a place to be written
 * to. The struct is the thread's until is_done is set, and the asker's from then on. */
#include "config.h"

#include "runtime/plugin/errand.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/fpstate.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/thread.h"
#include "runtime/plugin/stragglers.h"

#include <string.h>

void *cohort_errand_create(size_t bytes, cohort_errand_fn run)
{
    cohort_errand *errand = cohort_allocate(1, bytes);
    if (errand == NULL)
        return NULL;
    errand->run = run;
    errand->holders = 1;
    pthread_mutex_init(&errand->lock, NULL);
    cohort_condition_init(&errand->is_back);
    return errand;
}

/* Let go of the errand, which is freed with the last holder. held: errand->lock, which is unlocked
 * here, since a mutex cannot be freed while it is held. */
static void drop_hold(cohort_errand *errand)
{
    cohort_assert(errand->holders > 0);
    int left = --errand->holders;
    pthread_mutex_unlock(&errand->lock);
    if (left > 0)
        return;
    pthread_cond_destroy(&errand->is_back);
    pthread_mutex_destroy(&errand->lock);
    cohort_free(errand->block);
    cohort_free(errand);
}

void cohort_errand_let_go(cohort_errand *errand)
{
    pthread_mutex_lock(&errand->lock);
    drop_hold(errand);
}

/* The thread lets go in the same critical section in which it sets is_done: an asker that sees
 * is_done is the only holder left, frees the errand itself, and so leaves nothing behind that a
 * leak checker would find. Plugins are called with the default floating-point state, whatever the
 * program has set. */
static void *go(void *user)
{
    cohort_errand *errand = user;
    cohort_stragglers_enter();
    cohort_fpstate_set(cohort_fpstate_default());
    errand->run(errand);
    pthread_mutex_lock(&errand->lock);
    errand->is_done = true;
    pthread_cond_signal(&errand->is_back);
    drop_hold(errand);
    cohort_stragglers_leave();
    return NULL;
}

/* Start the thread, detached, since nobody joins one that may hang. Returns an error number. */
static int start(cohort_errand *errand)
{
    pthread_t thread;
    errand->holders = 2; /* before the thread is there, which takes the second hold for its own */
    cohort_stragglers_add();
    int error = cohort_thread_start(&thread, go, errand);
    if (error == 0) {
        (void)pthread_detach(thread);
    } else {
        errand->holders = 1;
        cohort_stragglers_remove();
    }
    return error;
}

/* Wait for a slice. Returns how much of it counts against the deadline: a process that was stopped
 * for an hour has not waited for an hour. held: errand->lock */
static int64_t wait_slice(cohort_errand *errand, int64_t slice_ns)
{
    cohort_assert_held(&errand->lock);
    int64_t begin = cohort_clock_ns();
    (void)cohort_condition_wait_until(&errand->is_back, &errand->lock, begin + slice_ns);
    return cohort_slice_counted(cohort_clock_ns() - begin);
}

/* A deadline of 0 is none. */
static bool wait_until_back(cohort_errand *errand, int64_t deadline)
{
    pthread_mutex_lock(&errand->lock);
    for (int64_t waited = 0; !errand->is_done && (deadline == 0 || waited < deadline);) {
        bool is_near = deadline > 0 && deadline - waited < COHORT_SLICE_NS;
        waited += wait_slice(errand, is_near ? deadline - waited : COHORT_SLICE_NS);
    }
    bool is_done = errand->is_done;
    pthread_mutex_unlock(&errand->lock);
    return is_done;
}

cohort_status cohort_errand_do(cohort_errand *errand, const char *what)
{
    const int64_t deadline = cohort_setting_ns(COHORT_SETTING_TIMEOUT_OPEN);
    int error = start(errand);
    if (error != 0)
        return cohort_error_set(COHORT_ENOMEM, "no thread to ask the plugin: %s", strerror(error));
    if (wait_until_back(errand, deadline))
        return COHORT_OK;
    cohort_stragglers_expect();
    return cohort_error_set(
        COHORT_ETIMEDOUT,
        "the plugin does not answer: %s took more than %.9g s (COHORT_TIMEOUT_OPEN)", what,
        (double)deadline * 1e-9);
}

/* Where no thread can be started, the call is not made, and the errand is freed here. */
void cohort_errand_send(cohort_errand *errand)
{
    if (start(errand) == 0)
        cohort_stragglers_expect();
    cohort_errand_let_go(errand);
}
