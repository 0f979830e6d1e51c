/* SPDX-License-Identifier: BSD-3-Clause */
/* Agreement: content that all workers of a cluster have is written by each of them, so all have to
 * be given the same for it. The arguments of a call join the writes of its worker, which the others
 * compare at the next meeting (runtime/exchange/writes.h).
 *
 * Numbers and arrays of the program are looked at. The results of a call, such as a reduction, do
 * not: they came to all, and their bytes are on devices. Per-replica content is each worker's own,
 * or crosses. So are variables, whose names count. Structs are not looked at, either: they have
 * padding. */
#ifndef COHORT_VALUE_AGREEMENT_H
#define COHORT_VALUE_AGREEMENT_H

#include "runtime/value/value.h"
#include "runtime/value/variable.h"

/* The digest of `digest` and one argument. A value of a call that is recorded counts as used for
 * such content from now on: what it is set to later joins the writes of its worker, too. */
uint64_t cohort_agreement_add(uint64_t digest, const cohort_argument *x);

/* The same of a list of arguments, which one of kind COHORT_ARGUMENT_END ends. */
uint64_t cohort_agreement_add_list(uint64_t digest, const cohort_argument arguments[]);

/* The same of an update by a function, which is named. The strategy has workers. */
void cohort_agreement_note_update(cohort_strategy *strategy, const char *call, const char *of,
                                  const cohort_function *function,
                                  const cohort_argument arguments[], const char *site);

/* What a call makes content for all of, where that is a number or an array of the program, or a
 * plain value that is: what is made is then as alike as these are, and is not looked at later.
 * site: of the caller, or NULL. */
void cohort_agreement_note_given(cohort_strategy *strategy, const cohort_argument *x,
                                 const char *call, const char *site);
void cohort_agreement_note_values(cohort_strategy *strategy, cohort_value *const values[], int n,
                                  const char *call);

/* One more write, in a call that was given what the digest is of. The strategy has workers.
 *
 * of    what it writes: "variable 'w'" for 'w'; NULL: that goes without saying
 * site  "file:line" of the caller; NULL: it is not known. Not compared, as the same may be written
 *       in two places */
void cohort_agreement_note(cohort_strategy *strategy, uint64_t digest, const char *call,
                           const char *of, const char *site);

#endif
