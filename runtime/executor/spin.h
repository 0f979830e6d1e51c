/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a thread looks for what it waits for before it sleeps, learned from its waits.
 *
 * To be woken takes tens of microseconds, to look takes a core. A wait has two looks at most. The
 * first follows at once, and is as long as waits have lately been, up to a limit. A thread that
 * finds nothing sleeps; and where long waits have about one length, as when a program does a
 * millisecond of its own work between steps, the sleeper sets an alarm that rings shortly before
 * work is due, and looks once more. Looks that find nothing at once are paid from a credit, which
 * is a share of the time that passes. A look that has lost its core to somebody else takes long,
 * and leaves nothing of the credit: on a machine without a free core there are no second looks.
 *
 *     cohort_spin_begin ----> look until T -- found ------------------------> cohort_spin_end
 *                                  | nothing                                    ^
 *                                  v                                            |
 *                        cohort_spin_sleep --> sleep until the alarm -- woken --+
 *                                  ^                 | it rang                  |
 *                                  | nothing         v                          |
 *                                  +-- look until T  cohort_spin_wake -- found -+
 *
 * One thread at a time. It reads no clock and looks at nothing itself: times are nanoseconds of
 * cohort_clock_ns, and the caller's. */
#ifndef COHORT_EXECUTOR_SPIN_H
#define COHORT_EXECUTOR_SPIN_H

#include <stdint.h>

typedef struct cohort_spin {
    int64_t most_ns; /* the longest look; 0: none */
    int64_t near_ns; /* the first look of a wait */
    /* waits that outlast the first look: their length, how far they are from it, and how many in a
     * row were nothing like it; a length of 0: not known */
    int64_t gap_ns, spread_ns;
    int32_t strangers;
    int64_t late_ns; /* how long after its alarm a sleeper runs */
    int64_t credit_ns, credited_ns;
    /* of this wait: when it and its look began, and when the alarm rings */
    int64_t begin_ns, look_ns, alarm_ns;
    enum {
        COHORT_SPIN_LOOKS,
        COHORT_SPIN_HAS_ALARM,
        COHORT_SPIN_LOOKS_AGAIN,
        COHORT_SPIN_SLEEPS
    } state;
} cohort_spin;

/* most_ns: how long a look may be; 0: never look. */
void cohort_spin_init(cohort_spin *spin, int64_t most_ns);

/* A wait begins; returns until when to look. */
int64_t cohort_spin_begin(cohort_spin *spin, int64_t now_ns);

/* The look found nothing; returns when an alarm should end the sleep, INT64_MAX for none. */
int64_t cohort_spin_sleep(cohort_spin *spin, int64_t now_ns);

/* The alarm rang; returns until when to look. */
int64_t cohort_spin_wake(cohort_spin *spin, int64_t now_ns);

/* The wait is over.
 *
 * came_ns  when that which was waited for came: now where a look has found it; before that where
 *          the thread had to be woken */
void cohort_spin_end(cohort_spin *spin, int64_t came_ns);

#endif
