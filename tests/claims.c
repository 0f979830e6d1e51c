/* SPDX-License-Identifier: BSD-3-Clause */
/* The claims of cli/conformance/ as TAP, in tests of one plugin that use it. */
#include "config.h"

#include "cli/conformance/claim.h"
#include "tests/tap.h"

bool claim(bool is_good, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ok(is_good, "%s", text);
}

void claim_skip(const char *what, const char *reason)
{
    skip(what, reason);
}

void claim_unproven(const char *what, const char *reason)
{
    skip(what, reason);
}

void claim_begin(const char *what)
{
    diag("%s", what);
}
