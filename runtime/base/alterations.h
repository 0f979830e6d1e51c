/* SPDX-License-Identifier: BSD-3-Clause */
/* Alterations: of what calls that repeat rely on, counted.
 *
 * Who has looked at values and functions, and later finds the same count, finds each as it was:
 *
 * - a value is there, is of its kind, has its components, and its contents that were FILLED have
 *   their forms (value/content.h); its strategy, and the shape that it was declared with, it has
 *   from the beginning;
 * - a function is there (function/parsed.h), so its address is that of no other one.
 *
 * Not counted is what calls change that repeat: what contents hold, and which copies are the
 * newest; nor values that only begin, or that last as long as a call, for nobody looks for these.
 *
 * There is one count for all strategies: what another one changes is a reason to look again, and no
 * more. */
#ifndef COHORT_BASE_ALTERATIONS_H
#define COHORT_BASE_ALTERATIONS_H

#include <stdatomic.h>
#include <stdint.h>

extern _Atomic uint64_t cohort_alterations; /* read and counted by the functions below */

/* Alterations of a strategy's values come from its calls, one after the other, and a function is
 * destroyed behind its last call, so whoever makes the next call finds them counted. */
static inline uint64_t cohort_alterations_now(void)
{
    return atomic_load_explicit(&cohort_alterations, memory_order_relaxed);
}

/* One more. */
void cohort_alterations_add(void);

#endif
