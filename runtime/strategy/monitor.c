/* SPDX-License-Identifier: BSD-3-Clause */
/* Two locks: `changing` is held while a strategy comes or goes, and with it the thread; `lock` by
 * who looks at the list, the thread among them. So the thread is joined while nobody can start
 * another one, and never waits for that. A forked child has neither thread nor files: its calls are
 * refused before they come here, and its end leaves the files to the parent. */
#include "config.h"

#include "runtime/strategy/monitor.h"

#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/thread.h"
#include "runtime/strategy/monitored.h"

#include <stdlib.h>

static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread; /* held: changing, as the next */
static bool has_thread;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake; /* made with the first thread */
static bool should_stop;    /* held: lock, as the next */
static cohort_monitored *first;

/* ------------------------------------------------------------------ the thread */

static void *watch(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!should_stop) {
        for (cohort_monitored *m = first; m != NULL; m = m->next)
            cohort_monitored_write(m);
        const int64_t end_ns = cohort_clock_ns() + 1000000000 / COHORT_MONITOR_HERTZ;
        while (!should_stop && cohort_condition_wait_until(&wake, &lock, end_ns)) {
        }
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

/* held: changing */
static bool start(void)
{
    static bool is_made;
    if (has_thread)
        return true;
    if (!is_made)
        cohort_condition_init(&wake);
    is_made = true;
    should_stop = false; /* there is no thread to see it */
    has_thread = cohort_thread_start(&thread, watch, NULL) == 0;
    return has_thread;
}

/* held: changing */
static void stop(void)
{
    if (!has_thread)
        return;
    pthread_mutex_lock(&lock);
    should_stop = true;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
    (void)pthread_join(thread, NULL);
    has_thread = false;
}

/* ------------------------------------------------------------------ the list */

static void add(cohort_monitored *m)
{
    pthread_mutex_lock(&lock);
    m->next = first;
    first = m;
    pthread_mutex_unlock(&lock);
}

/* True: it was the last one. */
static bool take_out(const cohort_monitored *m)
{
    pthread_mutex_lock(&lock);
    cohort_monitored **link = &first;
    while (*link != m)
        link = &(*link)->next;
    *link = m->next;
    const bool is_empty = first == NULL;
    pthread_mutex_unlock(&lock);
    return is_empty;
}

/* The process exits, and strategies are left: nobody is to think that they were killed. They stay
 * in the list, for calls of other threads may be under way. */
static void end_all(void)
{
    if (cohort_error_is_forked())
        return;
    pthread_mutex_lock(&changing);
    stop();
    for (cohort_monitored *m = first; m != NULL; m = m->next)
        cohort_monitor_file_remove(&m->file);
    pthread_mutex_unlock(&changing);
}

/* Without memory for it readers find out by the lock of the file. */
static void ask_to_be_called(void)
{
    (void)atexit(end_all);
}

/* ------------------------------------------------------------------ strategies */

static bool is_wanted(void)
{
    static const char *const words[] = { "0", "1" };
    return cohort_setting_word(COHORT_SETTING_TOP, words, 2) == 1;
}

static cohort_monitored *make(const cohort_strategy *s)
{
    cohort_monitored *m = cohort_allocate(1, sizeof *m);
    if (m == NULL)
        (void)cohort_error_memory("what cohort top shows");
    if (m != NULL && cohort_monitor_file_make(&m->file)) {
        m->strategy = s;
        cohort_monitored_begin(m);
        cohort_monitored_write(m); /* so that it is there before the first call */
        return m;
    }
    cohort_free(m);
    return NULL;
}

static void destroy(cohort_monitored *m)
{
    cohort_monitor_file_remove(&m->file);
    cohort_free(m);
}

/* held: changing. NULL, with the reason in the slot. */
static cohort_monitored *make_watched(const cohort_strategy *s)
{
    cohort_monitored *m = make(s);
    if (m == NULL)
        return NULL;
    if (start()) {
        add(m);
        return m;
    }
    (void)cohort_error_set(COHORT_ENOMEM, "no thread can be started");
    destroy(m);
    return NULL;
}

/* The slot is the program's: a strategy that is not watched is made all the same. */
void cohort_monitor_begin(cohort_strategy *s)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    cohort_error_saved saved;
    if (!is_wanted())
        return;
    (void)pthread_once(&once, ask_to_be_called);
    cohort_executor_time(s->executor);
    cohort_error_save(&saved);
    pthread_mutex_lock(&changing);
    s->monitored = make_watched(s);
    pthread_mutex_unlock(&changing);
    if (s->monitored == NULL)
        cohort_log(COHORT_SUBSYSTEM_STRATEGY, COHORT_LOG_WARNING,
                   "COHORT_TOP: cohort top does not show this strategy: %s", cohort_error_slot());
    cohort_error_restore(&saved);
}

void cohort_monitor_end(cohort_strategy *s)
{
    if (s->monitored == NULL)
        return;
    pthread_mutex_lock(&changing);
    if (take_out(s->monitored))
        stop();
    destroy(s->monitored);
    s->monitored = NULL;
    pthread_mutex_unlock(&changing);
}

/* A call inside of another one is part of it. */
void cohort_monitor_enter(cohort_strategy *s, const char *call)
{
    cohort_monitored *m = s->monitored;
    if (atomic_load_explicit(&m->call, memory_order_relaxed) != NULL)
        return;
    atomic_store_explicit(&m->call_from_ns, cohort_clock_ns(), memory_order_relaxed);
    atomic_store_explicit(&m->call, call, memory_order_release);
}

void cohort_monitor_leave(cohort_strategy *s)
{
    cohort_monitored_tell(s->monitored);
    atomic_store_explicit(&s->monitored->call, NULL, memory_order_relaxed);
}
