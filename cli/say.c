/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: errors, fixes, the log, and whether stdout was really written. */
#include "config.h"

#include "cli/cli.h"
#include "cli/visible.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int log_level = COHORT_LOG_WARNING;

/* Text in a message may come from a file. */
static void print_message(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, arguments);
        visible_message(stderr, text);
    }
    free(text);
    fputc('\n', stderr);
}

/* Standard output is flushed first, so that on a terminal the message stands behind what it is
 * about. */
int cli_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "cohort: ");
    print_message(format, arguments);
    va_end(arguments);
    return code;
}

void cli_fix(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "fix: ");
    print_message(format, arguments);
    va_end(arguments);
}

void cli_warn(const char *format, ...)
{
    va_list arguments;
    if (log_level < COHORT_LOG_WARNING)
        return;
    va_start(arguments, format);
    fprintf(stderr, "cohort: warning: ");
    print_message(format, arguments);
    va_end(arguments);
}

void cli_log_start(void)
{
    log_level = cohort_log_to_stderr(COHORT_LOG_WARNING);
}

/* A user who pipes the output into a full disk has to see it in the exit code. Where an earlier
 * piece of a long output was lost, and the reason with it, one more byte tells. */
int cli_finish(int code)
{
    errno = 0;
    bool is_written = fflush(stdout) == 0 && !ferror(stdout);
    if (is_written)
        return code;
    bool has_room = errno == 0 && write(STDOUT_FILENO, "\n", 1) == 1;
    return cli_fail(EXIT_FAILED, "standard output: %s",
                    errno != 0 && !has_room ? strerror(errno) : "write failed");
}

/* By the library's list of settings, so that a variable which is not in it is never read. */
const char *cli_setting(const char *name)
{
    for (const cohort_setting *s = cohort_setting_next(NULL); s != NULL; s = cohort_setting_next(s))
        if (strcmp(cohort_setting_name(s), name) == 0)
            return cohort_setting_value(s) != NULL ? cohort_setting_value(s) : "";
    return "";
}
