/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions from text (cohort_function_parse), and the bodies they are given. */
#ifndef COHORT_FUNCTION_PARSED_H
#define COHORT_FUNCTION_PARSED_H

#include <cohort/function.h>

#include <stdbool.h>
#include <stdint.h>

/* A function from text, which is not destroyed. */
bool cohort_parsed_is(const cohort_function *function);

/* A function from text that was destroyed: always known while it is in quarantine, by luck later. A
 * function of the macros, and NULL, are none. */
bool cohort_parsed_is_destroyed(const cohort_function *function);

/* How many functions of this process were destroyed: who finds as many as before need not look
 * which. */
uint64_t cohort_parsed_count_destroyed(void);

/* COHORT_EINVAL with "call: ..." for NULL, and for a function from text that was destroyed. */
cohort_status cohort_parsed_check(const cohort_function *function, const char *call);

#endif
