/* SPDX-License-Identifier: BSD-3-Clause */
/* Native calls through libffi: the only file that knows it is call.c. Plugins reach these through
 * the host table. */
#ifndef COHORT_FUNCTION_CALL_H
#define COHORT_FUNCTION_CALL_H

#include <cohort/plugin.h>

/* Prepare calls of functions with this signature; copies what it needs. COHORT_EINVAL for types
 * that cannot be passed by value (float16, bfloat16), a layout that differs from the platform's, or
 * more than COHORT_MAX_ARGS; COHORT_ENOMEM. The reason goes to err, which may be NULL. Threads:
 * any. */
cohort_status cohort_call_prepare(const cohort_sig *sig, cohort_call **out_call, cohort_error *err);

/* Call fn: argv[i] is the address of argument i, for MEM and LOCAL the address of a pointer; ret
 * gets exactly the bytes of the result type, may be NULL for void. Runs with the default
 * floating-point state (round to nearest, no traps, denormals kept) and restores the caller's.
 * Threads: any, one call object may be used by several. Allocates nothing.
 */
void cohort_call_native(const cohort_call *call, cohort_native_fn fn, void *const *argv, void *ret);

void cohort_call_free(cohort_call *call); /* NULL is allowed */

#endif
