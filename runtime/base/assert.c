/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* By write alone: the thread may hold the lock of a stream, or of malloc. */
_Noreturn void cohort_assert_fail(const char *claim, const char *file, int line,
                                  const char *function)
{
    char text[1024];
    int bytes = snprintf(text, sizeof text, "%s:%d: %s: this does not hold: %s\n", file, line,
                         function, claim);
    if (bytes > 0)
        (void)!write(STDERR_FILENO, text,
                     (size_t)bytes < sizeof text ? (size_t)bytes : sizeof text - 1);
    abort();
}
