/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of a function that came from a worker: unpacked, and matched with the functions that this
 * server knows. */
#ifndef COHORT_SERVER_WORKER_CALL_H
#define COHORT_SERVER_WORKER_CALL_H

#include "runtime/exchange/servers.h"

#include <cohort/argument.h>
#include <cohort/function.h>

/* A variable of the server that the call names: whoever has it fills in the argument. */
typedef struct cohort_called_variable {
    int32_t argument, number;
    bool is_written;
} cohort_called_variable;

typedef struct cohort_worker_call {
    const cohort_function *function;
    /* as cohort_update_arguments takes them; what they point to is in `arrays`, and in the bytes */
    cohort_argument arguments[COHORT_MAX_ARGUMENTS + 2];
    cohort_array arrays[COHORT_MAX_ARGUMENTS];
    cohort_called_variable variables[COHORT_MAX_ARGUMENTS];
    int32_t n_arguments, n_arrays, n_variables;
} cohort_worker_call;

/* The bytes of an UPDATE (servers.h), aligned to COHORT_CALL_ALIGNMENT, which are borrowed.
 * functions: ended by NULL, or NULL. COHORT_ENOENT: no function of that name; COHORT_EINCOMPATIBLE:
 * another one; COHORT_EINVAL: what no worker of this program sends. */
cohort_status cohort_worker_call_read(cohort_worker_call *out,
                                      const cohort_function *const functions[], const char *bytes,
                                      uint64_t n);

/* COHORT_EINVAL of a request that no worker of this program makes. */
cohort_status cohort_request_refuse(const char *what);

#endif
