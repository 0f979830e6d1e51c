/* SPDX-License-Identifier: BSD-3-Clause */
/* The operation log of a program, and the rule for errors, by which each call is judged. */
#include "config.h"

#include "tests/long/programs/programs.h"

enum { LOG_BYTES = 1 << 18, MAX_LENT = 4096 };

int64_t n_operations, n_refused, n_faults, n_recovers;

static char text[LOG_BYTES];
static size_t used;
static void *lent[MAX_LENT];
static int n_lent;

void log_restart(void)
{
    used = 0;
    text[0] = '\0';
}

static void add(const char *format, va_list arguments)
{
    int n = vsnprintf(text + used, LOG_BYTES - used, format, arguments);
    used = n < 0 || (size_t)n >= LOG_BYTES - used ? LOG_BYTES - 1 : used + (size_t)n;
}

__attribute__((format(printf, 1, 2))) static void append(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(format, arguments);
    va_end(arguments);
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(format, arguments);
    va_end(arguments);
    append(";\n");
}

void mismatch(const char *format, ...)
{
    va_list arguments;
    p->is_right = false;
    append("// WRONG: ");
    va_start(arguments, format);
    add(format, arguments);
    va_end(arguments);
    append("; latest error: %s\n", cohort_error_text());
}

void log_print(void)
{
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        diag("%.*s", (int)strcspn(line, "\n"), line);
}

void *lend(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);
    if (memory == NULL || n_lent == MAX_LENT)
        abort();
    return lent[n_lent++] = memory;
}

void lent_free(void)
{
    while (n_lent > 0)
        free(lent[--n_lent]);
}

/* ------------------------------------------------------------------ verdicts */

/* What a call answers is what is up from then on, unless a device failed while the call was under
 * way. */
static verdict go_up(cohort_status status, verdict what)
{
    char own[sizeof p->words];
    (void)snprintf(own, sizeof own, "%s", cohort_error_text());
    p->status = cohort_strategy_status(p->s);
    (void)snprintf(p->words, sizeof p->words, "%s", cohort_error_text());
    append("// %s\n", p->words);
    if ((p->status != status || strcmp(own, p->words) != 0) && !fault_explains(p->status))
        mismatch("status %d, '%s'; but what is up is %d", status, own, p->status);
    n_refused += what == REFUSED;
    n_faults += what == FAILED;
    return what;
}

static verdict decide(cohort_status status, cohort_status wanted)
{
    if (p->status < 0) {
        if (status != p->status || strcmp(cohort_error_text(), p->words) != 0)
            mismatch("status %d; the error that is up is %d, %s", status, p->status, p->words);
        return REFUSED;
    }
    if (status >= 0 && wanted < 0)
        mismatch("status %d; %d was expected", status, wanted);
    if (status >= 0)
        return ACCEPTED;
    if (fault_explains(status))
        return go_up(status, FAILED);
    if (status != wanted)
        mismatch("status %d; %d was expected", status, wanted);
    return go_up(status, REFUSED);
}

verdict judge(cohort_status status, cohort_status wanted, const char *format, ...)
{
    va_list arguments;
    n_operations++;
    va_start(arguments, format);
    add(format, arguments);
    va_end(arguments);
    append("; // %s\n", cohort_status_name(status));
    return decide(status, wanted);
}

verdict judge_made(bool is_made, cohort_status wanted, const char *format, ...)
{
    char own[2048];
    va_list arguments;
    n_operations++;
    (void)snprintf(own, sizeof own, "%s", cohort_error_text());
    cohort_status status = is_made ? COHORT_OK : cohort_strategy_status(p->s);
    va_start(arguments, format);
    add(format, arguments);
    va_end(arguments);
    append("; // %s\n", is_made ? "made" : cohort_status_name(status));
    if (!is_made &&
        (status >= 0 || (strcmp(own, cohort_error_text()) != 0 && !fault_explains(status))))
        mismatch("it says '%s', but what is up is %d", own, status);
    return decide(status, wanted);
}
