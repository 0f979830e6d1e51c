/* SPDX-License-Identifier: BSD-3-Clause */
/* One callback for the process. It is called under the lock, so that lines come one at a time;
 * that is why it must not call back into the library. */
#include "config.h"

#include "runtime/base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cohort_log_fn sink; /* held: lock */
static void *sink_user;    /* held: lock */
/* A copy of the level that is read without the lock: a line that nobody wants, which is the
 * rule, costs one load and is never put together. -1: nobody wants any. */
static atomic_int sink_level = -1;

void cohort_log_set(cohort_log_fn log, void *user, int level)
{
    pthread_mutex_lock(&lock);
    sink = log;
    sink_user = user;
    atomic_store(&sink_level, log != NULL ? level : -1);
    pthread_mutex_unlock(&lock);
}

void cohort_log(int level, const char *format, ...)
{
    if (level > atomic_load_explicit(&sink_level, memory_order_relaxed))
        return;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    if (sink != NULL)
        sink(sink_user, level, line);
    pthread_mutex_unlock(&lock);
}
