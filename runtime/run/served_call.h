/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of variables on parameter servers: the call travels, and the function runs there. */
#ifndef COHORT_RUN_SERVED_CALL_H
#define COHORT_RUN_SERVED_CALL_H

#include "runtime/run/binding.h"

/* Of a binding whose updated variable is on servers: one launch, which is a call to a server, for
 * each shard. Waits for what the arguments hold, and for the answers. COHORT_EINVAL for an argument
 * that cannot travel, COHORT_ENOTSUP with is_non_slot; nothing was asked then. The errors of the
 * servers, COHORT_ENOMEM. */
cohort_status cohort_served_call_make(const cohort_binding *binding, bool is_non_slot);

#endif
