/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/alterations.h"

_Atomic uint64_t cohort_alterations;

/* Any thread that plans for a strategy, or destroys a function. */
void cohort_alterations_add(void)
{
    (void)atomic_fetch_add_explicit(&cohort_alterations, 1, memory_order_relaxed);
}
