/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/conformance/claim.h"

#include "cli/aside.h"
#include "cli/conformance/claim_report.h"

#include <stdarg.h>
#include <stdio.h>

static int pipe_of_reports = -1; /* set before any thread is made */

void claim_report_to(int reports)
{
    pipe_of_reports = reports;
}

bool claim(bool is_good, const char *format, ...)
{
    char text[ASIDE_REPORT_BYTES - 16];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    aside_report(pipe_of_reports, "%s %s", is_good ? "good" : "bad", text);
    return is_good;
}

void claim_skip(const char *what, const char *reason)
{
    aside_report(pipe_of_reports, "skip %s: %s", what, reason);
}

void claim_unproven(const char *what, const char *reason)
{
    aside_report(pipe_of_reports, "unproven %s: %s", what, reason);
}

void claim_begin(const char *what)
{
    aside_report(pipe_of_reports, "begin %s", what);
}
