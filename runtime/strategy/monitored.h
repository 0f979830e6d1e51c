/* SPDX-License-Identifier: BSD-3-Clause */
/* One strategy that is watched: what it has told, and the record that is made of it. */
#ifndef COHORT_STRATEGY_MONITORED_H
#define COHORT_STRATEGY_MONITORED_H

#include "runtime/strategy/monitor_file.h"
#include "runtime/strategy/strategy.h"

/* So often in a second, and over so many of these moments a share and a rate are taken. */
enum { COHORT_MONITOR_HERTZ = 4, COHORT_MONITOR_WINDOW = 8 };

/* What grows, at one moment. */
typedef struct cohort_monitor_moment {
    int64_t at_ns, steps, rows, calls;
    int64_t worked_ns[COHORT_MONITOR_DEVICES];
} cohort_monitor_moment;

typedef struct cohort_monitored {
    struct cohort_monitored *next;
    const cohort_strategy *strategy;
    cohort_monitor_file file;
    int error; /* errno of the latest write, or 0 */

    /* told by who is inside of a call; read by the thread. They do not change together: a record
     * may have a count of one call and another of the next */
    const char *_Atomic call; /* NULL: none is under way */
    _Atomic int64_t call_from_ns;
    _Atomic int64_t calls, operations, program_steps, replica_steps, input_steps, rows, bytes_moved;

    /* of who writes: a ring, of which the newest is n - 1 */
    cohort_monitor_moment moments[COHORT_MONITOR_WINDOW + 1];
    uint64_t n_moments;
    cohort_monitor_record record;
} cohort_monitored;

/* What does not change is noted; its strategy and its file are there already, and nobody else knows
 * of it yet. */
void cohort_monitored_begin(cohort_monitored *monitored);

/* All counts of the strategy, by its planner. */
void cohort_monitored_tell(cohort_monitored *monitored);

/* A new record of it, and into its file. By one thread at a time. */
void cohort_monitored_write(cohort_monitored *monitored);

#endif
