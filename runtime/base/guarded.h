/* SPDX-License-Identifier: BSD-3-Clause */
/* Guarded memory: arrays that lie against pages which nobody may touch, so that an access out of
 * bounds is seen when it is made ("electric fence", Perens 1987).
 *
 * A fault on such a page is a hit. While the arrays are watched, a handler of SIGSEGV and SIGBUS
 * keeps the first one, opens the page, and lets the thread go on, whichever it is: so whoever ran
 * there comes back, and what it did out of bounds has touched nobody's memory. Faults elsewhere go
 * to the handler that was there before. */
#ifndef COHORT_BASE_GUARDED_H
#define COHORT_BASE_GUARDED_H

#include <cohort/status.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COHORT_GUARDED_MOST = 48 };

/* bytes         a multiple of the size of its elements
 * is_read_only  to write to it is a hit, too
 * at            out: at a multiple of a page, or right before one */
typedef struct cohort_guarded_array {
    size_t bytes;
    bool is_read_only;
    char *at;
} cohort_guarded_array;

/* What was accessed, and how, where the processor tells; offset: in bytes, from where the array
 * begins. */
typedef enum cohort_guarded_access {
    COHORT_GUARDED_READ,
    COHORT_GUARDED_WRITE,
    COHORT_GUARDED_UNKNOWN
} cohort_guarded_access;

typedef struct cohort_guarded_hit {
    int32_t array;
    int64_t offset;
    cohort_guarded_access access;
} cohort_guarded_hit;

typedef struct cohort_guarded {
    cohort_guarded_array arrays[COHORT_GUARDED_MOST];
    int32_t n;
    /* the module's own */
    char *begin;
    size_t bytes;
    atomic_int state; /* of the first hit: none, being kept, kept */
    cohort_guarded_hit first;
} cohort_guarded;

/* Memory for arrays[n], whose bytes and is_read_only are filled in: zero, and all of it may be
 * written.
 *
 * is_behind  the end of each array is the begin of a page that nobody may touch, else its begin is
 *            the end of one; there are such pages on the other side, too, behind what fills the
 *            array's last page
 *
 * COHORT_ENOMEM; then there is nothing to unmap. Any thread. */
cohort_status cohort_guarded_map(cohort_guarded *guarded, bool is_behind);
void cohort_guarded_unmap(cohort_guarded *guarded);

/* From now on hits are kept, and arrays that are read only are; until unwatch, after which the
 * program's handlers are those that were there before, unless it has set others meanwhile. Any
 * thread, several at the same time. */
void cohort_guarded_watch(cohort_guarded *guarded);
void cohort_guarded_unwatch(cohort_guarded *guarded);

/* The first hit; false: there was none. */
bool cohort_guarded_was_hit(cohort_guarded *guarded, cohort_guarded_hit *out_hit);

#endif
