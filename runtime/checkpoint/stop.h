/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that end a training in order: who asks for one has it counted, and nothing more is done
 * about it. The handler is the process's as long as somebody asks. */
#ifndef COHORT_CHECKPOINT_STOP_H
#define COHORT_CHECKPOINT_STOP_H

#include <cohort/status.h>

#include <stdbool.h>

/* Whether it is one that may be asked for. */
bool cohort_stop_is_signal(int signal);

/* Count a signal from now on, and no longer, where nobody else does; then what handled it before
 * does again, unless the program has set another handler meanwhile, which stays.
 * COHORT_EINTERNAL the system's reason.
 *
 * *out_count: how often it had come before; one that comes during the call is counted */
cohort_status cohort_stop_watch(int signal, unsigned *out_count);
void cohort_stop_unwatch(int signal);

/* How often it has come while it was counted. */
unsigned cohort_stop_count(int signal);

#endif
