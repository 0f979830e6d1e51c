/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory that a plugin gets instead of the caller's: guard bytes before and behind it, and
 * bytes of one value in it until somebody writes there. */
#ifndef COHORT_CHECKING_PADDED_H
#define COHORT_CHECKING_PADDED_H

#include <stdbool.h>
#include <stdint.h>

enum { COHORT_PADDED_GUARD = 64, COHORT_PADDED_EMPTY = 0xff }; /* of floats: NaN */

typedef struct cohort_padded {
    unsigned char *block; /* NULL: there is none */
    unsigned char *at;
    uint64_t bytes;
} cohort_padded;

/* like: an address; `at` is aligned as that is, and no better, up to a cache line. False: out of
 * memory. */
bool cohort_padded_make(cohort_padded *room, uint64_t bytes, const void *like);
void cohort_padded_free(cohort_padded *room);

/* Where the first guard byte that was changed lies, from `at` on; false: none was. */
bool cohort_padded_is_broken(const cohort_padded *room, int64_t *out_at);

/* Empty what was used: a byte that is not empty any more was written since. */
void cohort_padded_clear(cohort_padded *room);

/* The first byte that is not empty; false: all are. */
bool cohort_padded_is_touched(const cohort_padded *room, int64_t *out_at);

/* Guard bytes of memory that has no room of its own: fill, and look for the first that differs. */
void cohort_padded_guard(unsigned char guard[COHORT_PADDED_GUARD]);
bool cohort_padded_guard_differs(const unsigned char guard[COHORT_PADDED_GUARD], int64_t *out_at);

#endif
