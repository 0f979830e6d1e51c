/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "host/room.h"

#include "host/stack.h"
#include "plugins/kit/room.h"

#include <stdio.h>
#include <string.h>

static cohort_status refuse(int there, int n, int error, cohort_error *err)
{
    const struct stack *stack = stack_get();
    char or_stack[80] = "";
    if (stack->variable != NULL)
        (void)snprintf(or_stack, sizeof or_stack, " or %s (%s)", stack->variable, stack->text);
    return cohort_fail(
        err, COHORT_ENOMEM, 0,
        "the system starts %d of the %d more threads that regions of OpenMP in a body "
        "may have: %s; lower OMP_NUM_THREADS%s, or raise what limits threads and their "
        "memory (ulimit -u, ulimit -v, pids.max of the control group)",
        there, n, strerror(error), or_stack);
}

cohort_status room_find(int threads, cohort_error *err)
{
    int error, there = room_count(threads, stack_get()->bytes, &error);
    return there >= threads ? COHORT_OK : refuse(there, threads, error, err);
}
