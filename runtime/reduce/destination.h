/* SPDX-License-Identifier: BSD-3-Clause */
/* A destination: the devices of a strategy on which a mirrored value is made, from a variable, a
 * value or device ids.
 */
#ifndef COHORT_REDUCE_DESTINATION_H
#define COHORT_REDUCE_DESTINATION_H

#include "runtime/value/value.h"
#include "runtime/value/variable.h"

typedef struct cohort_destination {
    int32_t *devices; /* of the strategy, each once: `few`, or a list of its own */
    int32_t n;        /* at least 1 */
    int32_t few[8];   /* of a strategy that has no more */
} cohort_destination;

/* COHORT_EINVAL with "call: ..."; COHORT_ENOMEM; then there is nothing to fini. */
cohort_status cohort_destination_init(cohort_destination *out, const char *call,
                                      const cohort_strategy *strategy, const cohort_argument *at);
void cohort_destination_fini(cohort_destination *destination); /* also of one that is all zero */

/* Does the variable live, in whole copies, on exactly these devices? */
bool cohort_destination_holds(const cohort_destination *destination,
                              const cohort_variable *variable);

bool cohort_destination_equals(const cohort_destination *a, const cohort_destination *b);

/* Bookkeeping for a mirrored value there, before anything is posted. COHORT_ENOMEM. */
cohort_status cohort_destination_prepare(const cohort_destination *destination, cohort_value *into);

/* The buffer of the first device, where `into`, whose content has its shape by then, is to be
 * written; NULL in a trial, in which it counts as written on all. */
cohort_buffer *cohort_destination_start(const cohort_destination *destination, cohort_value *into);

/* cohort_recordable.describe of calls that fill one mirrored value. */
void cohort_destination_describe(const cohort_strategy *strategy, const void *request, FILE *out);

/* Copy the content, which was just written on the first device, to the others. */
void cohort_destination_mirror(const cohort_destination *destination, cohort_value *into,
                               cohort_buffer *first);

#endif
