/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: named state that lives where the strategy's placement puts it.
 *
 * Only assign and cohort_update change a variable; cohort_run reads it. A failed update changes nothing: each
 * copy has two buffers, and the one that an update writes becomes current when every copy has finished. */
#ifndef COHORT_VARIABLE_H
#define COHORT_VARIABLE_H

#include <cohort/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is the default of everything; reserved words must be zero. */
typedef struct cohort_variable_options {
    const cohort_variable *colocate_with; /* the same places as that variable; NULL: the strategy's placement */
    void *reserved[7];
} cohort_variable_options;

/* name     not empty, unique within the strategy; copied
 * initial  dtype, shape and content, copied before the call returns, then to every place; data NULL: zeros
 * options  may be NULL
 * NULL with the reason in the error text: COHORT_EINVAL, COHORT_ENOMEM, or the error that sticks. */
COHORT_API cohort_variable *cohort_variable_create(cohort_strategy *strategy, const char *name, cohort_array initial,
                                                   const cohort_variable_options *options);

/* NULL, without an error, when there is none of that name. */
COHORT_API cohort_variable *cohort_variable_find(cohort_strategy *strategy, const char *name);

COHORT_API const char *cohort_variable_name(const cohort_variable *variable);
COHORT_API cohort_strategy *cohort_variable_strategy(const cohort_variable *variable);

/* cohort_variable_assign(v, x): x is a number (every element gets it), an array of the variable's dtype and shape
 * (copied before the call returns) or a plain value. A per-replica value is COHORT_EINVAL: reduce it first. */
COHORT_API cohort_status cohort_variable_assign_argument(cohort_variable *variable, cohort_argument content);
#define cohort_variable_assign(variable, content) cohort_variable_assign_argument((variable), COHORT_ARG_(content))

/* Copy the content into `into`, same dtype and number of elements. Waits until every copy has it, so that no later
 * failure takes back what was read. */
COHORT_API cohort_status cohort_variable_read(cohort_variable *variable, cohort_array into);

/* After what is under way. NULL is allowed. */
COHORT_API void cohort_variable_destroy(cohort_variable *variable);

#ifdef __cplusplus
}
#endif
#endif
