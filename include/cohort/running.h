/* SPDX-License-Identifier: BSD-3-Clause */
/* The body that runs on this thread, for handlers of signals and of exit that a program installs.
 * The library has none, except while bodies are checked (cohort/strategy.h, check): then one of
 * SIGSEGV and SIGBUS comes before the program's, which gets all that is no guard page's. */
#ifndef COHORT_RUNNING_H
#define COHORT_RUNNING_H

#include <cohort/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The body that runs on a thread.
 *
 * replica    -1: of none, such as an update
 * function, device   texts, lent while the body runs */
typedef struct cohort_running {
    uint32_t struct_size; /* sizeof of this struct, set by the caller: it may grow */
    int32_t replica;
    const char *function, *device;
} cohort_running;

/* Tell which body this thread is in, or hands to its device: COHORT_OK; COHORT_ENOENT in none, and
 * nothing is written. Threads that a body or a driver started are theirs: in no body. Leaves the
 * error text alone, takes no lock and may be called by a handler of a signal. Threads: any. */
COHORT_API cohort_status cohort_running_here(cohort_running *out);

#ifdef __cplusplus
}
#endif
#endif
