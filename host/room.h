/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for the threads of an OpenMP team. A runtime that gets no thread from the system ends the
 * process, in words of its own. */
#ifndef COHORT_HOST_ROOM_H
#define COHORT_HOST_ROOM_H

#include <cohort/plugin.h>

/* Start so many threads at the same time, with the stack of the runtime's, and end them, so that
 * there is room for the runtime's own, unless somebody else takes it meanwhile.
 *
 * COHORT_ENOMEM: the system starts fewer. */
cohort_status room_find(int threads, cohort_error *err);

#endif
