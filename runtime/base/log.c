/* SPDX-License-Identifier: BSD-3-Clause */
/* One callback for the process. It is called under the lock, so that lines come one at a time;
 * that is why it must not call back into the library. A program that has set none, and whose user
 * has set COHORT_LOG, hears of it on stderr. */
#include "config.h"

#include "runtime/base/log.h"

#include "runtime/base/settings.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Of sink_level: nobody wants any line; nobody has been asked yet, which no program can set. */
enum { WANTS_NONE = -1, NOT_ASKED = COHORT_LOG_DEBUG + 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cohort_log_fn sink; /* held: lock */
static void *sink_user;    /* held: lock */
/* A copy of the level that is read without the lock: a line that nobody wants, which is the
 * rule, costs one load and is never put together. */
static atomic_int sink_level = NOT_ASKED;

static const char *const level_names[] = { "error", "warn", "info", "debug" };

void cohort_log_set(cohort_log_fn log, void *user, int level)
{
    int most = level < COHORT_LOG_DEBUG ? level : COHORT_LOG_DEBUG; /* there is no line beyond */
    pthread_mutex_lock(&lock);
    sink = log;
    sink_user = user;
    atomic_store(&sink_level, log != NULL ? most : WANTS_NONE);
    pthread_mutex_unlock(&lock);
}

/* One call, so that lines of several processes stay whole. */
static void print_line(void *user, int level, const char *line)
{
    const char *name = level_names[level >= 0 && level <= COHORT_LOG_DEBUG ? level : 3];
    (void)user;
    (void)fprintf(stderr, "cohort: %s: %s\n", level == COHORT_LOG_WARNING ? "warning" : name, line);
}

/* -1: the text is none. */
static int level_of(const char *text)
{
    int level = COHORT_LOG_DEBUG;
    while (level >= 0 && strcmp(text, level_names[level]) != 0)
        level--;
    return level;
}

static void give(int level, const char *line)
{
    pthread_mutex_lock(&lock);
    if (sink != NULL)
        sink(sink_user, level, line);
    pthread_mutex_unlock(&lock);
}

/* Once, by the first line that there is: the environment is not looked at before. */
static void ask_environment(void)
{
    const char *text = cohort_setting_text(COHORT_SETTING_LOG);
    int level = text != NULL ? level_of(text) : WANTS_NONE;
    bool is_wrong = text != NULL && level < 0, is_first = false;
    char line[256];
    pthread_mutex_lock(&lock);
    if (atomic_load(&sink_level) == NOT_ASKED) {
        is_first = true;
        sink = text != NULL ? print_line : NULL;
        atomic_store(&sink_level, is_wrong ? COHORT_LOG_WARNING : level);
    }
    pthread_mutex_unlock(&lock);
    if (!is_first || !is_wrong)
        return;
    (void)snprintf(line, sizeof line,
                   "COHORT_LOG=%.100s is none of error, warn, info, debug; using warn", text);
    give(COHORT_LOG_WARNING, line);
}

void cohort_log(int level, const char *format, ...)
{
    if (level > atomic_load_explicit(&sink_level, memory_order_relaxed))
        return;
    if (atomic_load(&sink_level) == NOT_ASKED)
        ask_environment();
    if (level > atomic_load(&sink_level))
        return;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    give(level, line);
}
