/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack that the OpenMP runtime gives its threads. */
#ifndef COHORT_HOST_STACK_H
#define COHORT_HOST_STACK_H

#include <stddef.h>

struct stack {
    size_t bytes;         /* 0: as the system has it */
    const char *variable; /* that says so; NULL: none */
    char text[40];        /* of it, as much as fits */
};

/* As the variables said when this was first asked, which is by one thread that asks for the
 * devices: the runtime reads them once, too. */
const struct stack *stack_get(void);

#endif
