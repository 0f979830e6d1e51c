/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/stop.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* A handler may touch nothing but the count. */
typedef struct watched {
    int signal;
    atomic_uint count;
    int watchers;
    struct sigaction before;
} watched;

static watched signals[] = { { .signal = SIGTERM }, { .signal = SIGINT },  { .signal = SIGHUP },
                             { .signal = SIGUSR1 }, { .signal = SIGUSR2 }, { .signal = SIGXCPU } };
enum { SIGNALS = sizeof signals / sizeof *signals };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static watched *find(int signal)
{
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].signal == signal)
            return &signals[i];
    return NULL;
}

bool cohort_stop_is_signal(int signal)
{
    return find(signal) != NULL;
}

static void count(int signal)
{
    watched *w = find(signal);
    if (w != NULL)
        atomic_fetch_add_explicit(&w->count, 1, memory_order_relaxed);
}

/* Calls that the system breaks off are made again, so that no call of the program fails for it. */
cohort_status cohort_stop_watch(int signal, unsigned *out_count)
{
    struct sigaction action = { .sa_handler = count, .sa_flags = SA_RESTART };
    watched *w = find(signal);
    cohort_assert(w != NULL);
    (void)sigemptyset(&action.sa_mask);
    (void)pthread_mutex_lock(&lock);
    *out_count = cohort_stop_count(signal); /* before the handler is there: none is missed */
    int why = w->watchers > 0 || sigaction(signal, &action, &w->before) == 0 ? 0 : errno;
    w->watchers += why == 0;
    (void)pthread_mutex_unlock(&lock);
    return why == 0 ? COHORT_OK
                    : cohort_error_set(COHORT_EINTERNAL, "signal %d: %s", signal, strerror(why));
}

static bool is_ours(int signal)
{
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
           now.sa_handler == count;
}

void cohort_stop_unwatch(int signal)
{
    watched *w = find(signal);
    cohort_assert(w != NULL);
    (void)pthread_mutex_lock(&lock);
    if (--w->watchers == 0 && is_ours(signal))
        (void)sigaction(signal, &w->before, NULL);
    (void)pthread_mutex_unlock(&lock);
}

unsigned cohort_stop_count(int signal)
{
    return atomic_load_explicit(&find(signal)->count, memory_order_relaxed);
}
