/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes: what a worker has written into content that all workers have, each by itself, such as
 * an assigned number. How many writes these were, and a digest of what was given to them, go with
 * each meeting; what the latest ones were is kept, so that those in which workers differ can be
 * named. */
#ifndef COHORT_EXCHANGE_WRITES_H
#define COHORT_EXCHANGE_WRITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COHORT_WRITES_KEPT = 32, COHORT_WRITES_TEXT = 96 };

/* One write. The same bytes on every machine. */
typedef struct cohort_writes_entry {
    uint64_t digest; /* of all writes up to this one */
    char text[COHORT_WRITES_TEXT];
} cohort_writes_entry;

/* All zero: nothing was written. */
typedef struct cohort_writes {
    uint64_t n, digest;
    cohort_writes_entry kept[COHORT_WRITES_KEPT]; /* write number i, from 1, at i % KEPT */
} cohort_writes;

/* One more write, of content with this digest. text: "cohort_variable_assign of 'w' at main.c:12";
 * what does not fit is cut */
void cohort_writes_add(cohort_writes *writes, uint64_t content, const char *text);

/* Has a worker written the first of these writes, and no others? false where that is too long
 * ago. */
bool cohort_writes_is_begun(const cohort_writes *less, const cohort_writes *more);

/* The number of the first write in which two lists of writes differ; 0: it is not kept any more. */
uint64_t cohort_writes_find_difference(const cohort_writes *a, const cohort_writes *b);

/* The text of a write that is kept; NULL: there was none of that number. */
const char *cohort_writes_text(const cohort_writes *writes, uint64_t number);

/* One that came from elsewhere: its texts have an end. */
void cohort_writes_close(cohort_writes *writes);

#endif
