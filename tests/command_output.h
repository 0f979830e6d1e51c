/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command prints. */
#ifndef COHORT_TESTS_COMMAND_OUTPUT_H
#define COHORT_TESTS_COMMAND_OUTPUT_H

#include <stdio.h>

/* Both streams, when the command redirects them; its status behind them when it is not 0. */
static inline const char *command_output(const char *command, char *output, size_t bytes)
{
    FILE *pipe = popen(command, "r");
    size_t n = pipe != NULL ? fread(output, 1, bytes - 1, pipe) : 0;
    output[n] = '\0';
    int status = pipe != NULL ? pclose(pipe) : -1;
    if (status != 0)
        (void)snprintf(output + n, bytes - n, "status %d\n", status);
    return output;
}

#endif
