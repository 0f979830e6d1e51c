/* SPDX-License-Identifier: BSD-3-Clause */
/* Words about what an update does for a rollback: the content before is copied on the way, slice by
 * slice right before its items (operation/launch_slices.c), or by itself, which takes longer. */
#ifndef COHORT_RUN_ROLLBACK_WORDS_H
#define COHORT_RUN_ROLLBACK_WORDS_H

#include "runtime/value/variable.h"

#include <cohort/function.h>

#include <stdio.h>

/* ", copied by itself for a rollback: 'w' is used at another element, too, 'w[i + 1]'". Nothing is
 * written where it is copied on the way, or nothing is. */
void cohort_rollback_describe(const cohort_strategy *strategy, const cohort_variable *variable,
                              const cohort_function *function, FILE *out);

#endif
