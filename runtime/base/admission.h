/* SPDX-License-Identifier: BSD-3-Clause */
/* Admission: whether the answer to a call is kept for the next call like it.
 *
 * The first time a call is noted, the second time its answer is kept, so that calls which never
 * come back cost no memory (the doorkeeper of TinyLFU: Einziger, Friedman, Manes 2017). An answer
 * that did not hold gets another chance: where a call has two forms in turn, such as the last batch
 * of each epoch, the one that comes more often stays.
 *
 *     if (answer is kept, and holds) {
 *         cohort_admission_note_held(&a);
 *         do what it says
 *     } else {
 *         find the answer, which is done
 *         if (cohort_admission_asks(&a, the call is the first of its kind here))
 *             cohort_admission_note_kept(&a, keep it);
 *     }
 */
#ifndef COHORT_BASE_ADMISSION_H
#define COHORT_BASE_ADMISSION_H

#include <stdbool.h>

/* All zeros: nothing was seen yet. */
typedef struct cohort_admission {
    bool is_kept;    /* there is an answer */
    bool is_stale;   /* it did not hold the last time, or is to be kept the next time */
    bool is_refused; /* such a call is not kept */
} cohort_admission;

static inline void cohort_admission_note_held(cohort_admission *a)
{
    a->is_stale = false;
}

/* A call was answered anew. Is its answer to be kept now? is_first: the place was free, or another
 * call's. */
static inline bool cohort_admission_asks(cohort_admission *a, bool is_first)
{
    bool has_chance = a->is_kept && !a->is_stale;
    a->is_stale = true;
    return !is_first && !has_chance && !a->is_refused;
}

/* false: out of memory; the next call like it tries again. */
static inline void cohort_admission_note_kept(cohort_admission *a, bool is_kept)
{
    a->is_kept = is_kept;
    a->is_stale = !is_kept;
}

/* The answer is gone. */
static inline void cohort_admission_note_dropped(cohort_admission *a)
{
    a->is_kept = false;
}

#endif
