/* SPDX-License-Identifier: BSD-3-Clause */
/* Native calls: directly where all arguments are scalars (direct.h), else through libffi, which
 * call.c alone includes. Plugins reach these functions through the host table. */
#ifndef COHORT_FUNCTION_NATIVE_CALL_H
#define COHORT_FUNCTION_NATIVE_CALL_H

#include <cohort/plugin.h>

/* Prepare calls of functions with this signature; what is needed of sig is copied.
 *
 * err  gets the reason of a failure; may be NULL
 *
 * COHORT_EINVAL: a type that cannot be passed by value (float16, bfloat16), a struct whose layout
 * is not the platform's, or more than COHORT_MAX_ARGS arguments. COHORT_ENOMEM. Threads: any. */
cohort_status cohort_call_prepare(const cohort_sig *sig, cohort_call **out_call, cohort_error *err);

/* Call fn with the default floating-point state (round to nearest, no traps, denormals kept), and
 * restore the caller's.
 *
 * argv  argv[i] is the address of argument i; for MEM and LOCAL that of a pointer
 * ret   gets exactly the bytes of the result type; may be NULL for void
 *
 * Threads: any, several may use one `call` at the same time. Allocates nothing. */
void cohort_call_native(const cohort_call *call, cohort_native_fn fn, void *const *argv, void *ret);

void cohort_call_free(cohort_call *call); /* NULL is allowed */

#endif
