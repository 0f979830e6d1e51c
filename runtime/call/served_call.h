/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of variables on parameter servers: the call travels, and the function runs there. */
#ifndef COHORT_CALL_SERVED_CALL_H
#define COHORT_CALL_SERVED_CALL_H

#include "runtime/call/binding.h"

/* Can a call be made whose updated variable is on servers? It may be one that is recorded.
 * COHORT_EINVAL for an argument that cannot travel, and for an evaluator; COHORT_ENOTSUP with
 * is_non_slot. */
cohort_status cohort_served_call_check(const cohort_binding *binding, bool is_non_slot);

/* After that: one launch, which is a call to a server, for each shard. Waits for what the arguments
 * hold, and for the answers. The errors of the servers, COHORT_ENOMEM. */
cohort_status cohort_served_call_make(const cohort_binding *binding);

#endif
