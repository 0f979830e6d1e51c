/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/log_line.h"

#include "runtime/base/text.h"
#include "runtime/base/utf8.h"

#include <cohort/status.h>

#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *const levels[] = { "error", "warning", "info", "debug" };

static const char *level_name(int level)
{
    return levels[level >= 0 && level < COHORT_LOG_DEBUG ? level : COHORT_LOG_DEBUG];
}

/* In UTC, as ISO 8601 has it: 2026-01-31T12:00:00.000001Z. */
static void add_time(cohort_text *out)
{
    struct timespec now;
    struct tm utc;
    char seconds[32] = "";
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (gmtime_r(&now.tv_sec, &utc) != NULL)
        (void)strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc);
    cohort_text_add(out, "%s.%06ldZ", seconds, now.tv_nsec / 1000);
}

static long thread_id(void)
{
    return syscall(SYS_gettid);
}

/* A part without ends of lines and tabs. */
static void add_part(cohort_text *out, const char *part, size_t bytes)
{
    char shown[4 * COHORT_LOG_TEXT_BYTES];
    cohort_utf8_escape(part, bytes, shown, sizeof shown);
    cohort_text_add(out, "%s", shown);
}

static void add_shown(cohort_text *out, const char *text)
{
    for (size_t plain; *text != '\0'; text += plain) {
        plain = strcspn(text, "\n\t");
        add_part(out, text, plain);
        if (text[plain] != '\0')
            cohort_text_add(out, "%c", text[plain++]);
    }
}

static void print_text(cohort_text *out, int level, const char *text)
{
    cohort_text_add(out, "cohort: %s: ", level_name(level));
    add_shown(out, text);
}

static void print_full(cohort_text *out, cohort_subsystem from, int level, int rank,
                       const char *text)
{
    cohort_text_add(out, "cohort: ");
    add_time(out);
    cohort_text_add(out, " %ld/%ld", (long)getpid(), thread_id());
    if (rank >= 0)
        cohort_text_add(out, " rank %d", rank);
    cohort_text_add(out, " %s: %s: ", cohort_subsystem_names[from], level_name(level));
    add_shown(out, text);
}

static void print_json(cohort_text *out, cohort_subsystem from, int level, int rank,
                       const char *text)
{
    char escaped[6 * COHORT_LOG_TEXT_BYTES];
    cohort_utf8_json(text, escaped);
    cohort_text_add(out, "{\"time\": \"");
    add_time(out);
    cohort_text_add(out,
                    "\", \"level\": \"%s\", \"subsystem\": \"%s\", \"rank\": ", level_name(level),
                    cohort_subsystem_names[from]);
    if (rank >= 0)
        cohort_text_add(out, "%d", rank);
    else
        cohort_text_add(out, "null");
    cohort_text_add(out, ", \"pid\": %ld, \"thread\": %ld, \"message\": \"%s\"}", (long)getpid(),
                    thread_id(), escaped);
}

void cohort_log_line_print(cohort_log_format format, cohort_subsystem from, int level, int rank,
                           const char *text, char out[COHORT_LOG_LINE_BYTES])
{
    cohort_text line = cohort_text_begin(out, COHORT_LOG_LINE_BYTES);
    if (format == COHORT_LOG_FORMAT_JSON)
        print_json(&line, from, level, rank, text);
    else if (format == COHORT_LOG_FORMAT_FULL)
        print_full(&line, from, level, rank, text);
    else
        print_text(&line, level, text);
    cohort_text_add(&line, "\n");
}
