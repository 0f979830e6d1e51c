/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/divert.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int kept = -1; /* what standard output was */

void divert_begin(void)
{
    (void)fflush(stdout);
    kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        return;
    (void)close(kept);
    kept = -1;
}

void divert_end(void)
{
    if (kept < 0)
        return;
    (void)fflush(stdout);
    (void)dup2(kept, STDOUT_FILENO);
    (void)close(kept);
    kept = -1;
}
