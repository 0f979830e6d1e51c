/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests that lose devices: a leak checker looks before devices hang, which leave behind what
 * they may still write to, and not at the end. Include it in one file of a program. */
#ifndef COHORT_TESTS_LATE_LEAKS_H
#define COHORT_TESTS_LATE_LEAKS_H

#include "tests/tap.h"

#pragma GCC visibility push(default)
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "leak_check_at_exit=0";
}
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
#pragma GCC visibility pop

/* A claim about all that was done so far. */
static inline void no_leak_so_far(void)
{
    ok(__lsan_do_recoverable_leak_check == NULL || __lsan_do_recoverable_leak_check() == 0,
       "a leak checker finds nothing so far");
}

#endif
