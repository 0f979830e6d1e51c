/* SPDX-License-Identifier: BSD-3-Clause */
/* One callback for the process. It is called under the lock, so that lines come one at a time;
 * that is why it must not call back into the library. A program that has set none, and whose user
 * has set COHORT_LOG, hears of it on stderr. */
#include "config.h"

#include "runtime/base/log.h"

#include "runtime/base/log_levels.h"
#include "runtime/base/log_line.h"
#include "runtime/base/settings.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Of most_level: nobody wants any line; nobody has been asked yet, which no program can set. */
enum { WANTS_NONE = -1, NOT_ASKED = COHORT_LOG_DEBUG + 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cohort_log_fn sink; /* held: lock, as the next three; NULL: stderr, where it prints */
static void *sink_user;
static bool prints;
static cohort_log_levels levels;
/* The most of all levels, which is read without the lock: a line that nobody wants, which is the
 * rule, costs one load and is never put together. */
static atomic_int most_level = NOT_ASKED;
static atomic_int format;    /* of cohort_log_format */
static atomic_int rank = -1; /* not known */

/* ------------------------------------------------------------------ who hears */

/* held: lock */
static void set_levels(const cohort_log_levels *wanted)
{
    levels = *wanted;
    atomic_store(&most_level, cohort_log_levels_most(wanted));
}

void cohort_log_set(cohort_log_fn log, void *user, int level)
{
    int most = level < COHORT_LOG_DEBUG ? level : COHORT_LOG_DEBUG; /* there is no line beyond */
    const cohort_log_levels all = cohort_log_levels_all(log != NULL ? most : WANTS_NONE);
    pthread_mutex_lock(&lock);
    sink = log;
    sink_user = user;
    prints = false;
    set_levels(&all);
    pthread_mutex_unlock(&lock);
}

/* One call, so that lines of several processes stay whole. */
static void print(cohort_subsystem from, int level, const char *text)
{
    char line[COHORT_LOG_LINE_BYTES];
    cohort_log_line_print((cohort_log_format)atomic_load(&format), from, level, atomic_load(&rank),
                          text, line);
    (void)fputs(line, stderr);
}

static void give(cohort_subsystem from, int level, const char *text)
{
    pthread_mutex_lock(&lock);
    const bool is_wanted = level <= levels.of[from];
    if (is_wanted && sink != NULL)
        sink(sink_user, level, text);
    else if (is_wanted && prints)
        print(from, level, text);
    pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------------------------ the environment */

/* After the levels, which what is wrong with it is told by. */
static void ask_format(void)
{
    static const char *const words[] = { "text", "full", "json" };
    atomic_store(&format,
                 cohort_setting_word(COHORT_SETTING_LOG_FORMAT, words, COHORT_LOG_FORMATS));
}

/* The levels of COHORT_LOG, or the level where it is unset; why has what is wrong with it, or
 * "". */
static cohort_log_levels read_levels(int unset, char *why, size_t size)
{
    const char *text = cohort_setting_text(COHORT_SETTING_LOG);
    cohort_log_levels found;
    why[0] = '\0';
    if (text == NULL)
        return cohort_log_levels_all(unset);
    return cohort_log_levels_parse(text, COHORT_LOG_WARNING, &found, why, size)
               ? found
               : cohort_log_levels_all(COHORT_LOG_WARNING);
}

/* Print from now on; is_first: only where nobody has been asked. The level of what is named by no
 * subsystem. */
static int begin_to_print(int unset, bool is_first)
{
    char why[512], line[600];
    const cohort_log_levels wanted = read_levels(unset, why, sizeof why);
    pthread_mutex_lock(&lock);
    const bool is_ours = !is_first || atomic_load(&most_level) == NOT_ASKED;
    if (is_ours) {
        sink = NULL;
        prints = true;
        set_levels(&wanted);
    }
    pthread_mutex_unlock(&lock);
    if (!is_ours)
        return wanted.rest;
    ask_format();
    (void)snprintf(line, sizeof line, "COHORT_LOG=%s; using warn", why);
    if (why[0] != '\0')
        give(COHORT_SUBSYSTEM_BASE, COHORT_LOG_WARNING, line);
    return wanted.rest;
}

int cohort_log_to_stderr(int level)
{
    const int most = level < COHORT_LOG_DEBUG ? level : COHORT_LOG_DEBUG;
    return begin_to_print(most < WANTS_NONE ? WANTS_NONE : most, false);
}

/* ------------------------------------------------------------------ lines */

void cohort_log_set_rank(int now)
{
    atomic_store(&rank, now);
}

/* The environment is not looked at before there is a line. */
void cohort_log(cohort_subsystem from, int level, const char *text_format, ...)
{
    if (level > atomic_load_explicit(&most_level, memory_order_relaxed))
        return;
    if (atomic_load(&most_level) == NOT_ASKED)
        (void)begin_to_print(WANTS_NONE, true);
    if (level > atomic_load(&most_level))
        return;
    char text[COHORT_LOG_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, text_format);
    (void)vsnprintf(text, sizeof text, text_format, arguments);
    va_end(arguments);
    give(from, level, text);
}
