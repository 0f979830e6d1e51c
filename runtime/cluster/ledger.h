/* SPDX-License-Identifier: BSD-3-Clause */
/* A ledger: what a worker has written into content that all workers have, each by itself, such as an
 * assigned number. How many writes these were, and a digest of what was given to them, go with each
 * meeting; what the latest ones were is kept, so that those in which workers differ can be named. */
#ifndef COHORT_CLUSTER_LEDGER_H
#define COHORT_CLUSTER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COHORT_LEDGER_KEPT = 32, COHORT_LEDGER_TEXT = 96 };

/* One write. The same bytes on every machine. */
typedef struct cohort_ledger_entry {
    uint64_t digest; /* of all writes up to this one */
    char text[COHORT_LEDGER_TEXT];
} cohort_ledger_entry;

/* All zero: nothing was written. */
typedef struct cohort_ledger {
    uint64_t writes, digest;
    cohort_ledger_entry kept[COHORT_LEDGER_KEPT]; /* write number i, from 1, at i % KEPT */
} cohort_ledger;

/* One more write, of content with this digest. text: "cohort_variable_assign of 'w' at main.c:12";
 * what does not fit is cut */
void cohort_ledger_add(cohort_ledger *ledger, uint64_t content, const char *text);

/* Has a worker written the first of these writes, and no others? false where that is too long ago. */
bool cohort_ledger_is_begun(const cohort_ledger *less, const cohort_ledger *more);

/* The number of the first write in which two ledgers differ; 0: it is not kept any more. */
uint64_t cohort_ledger_find_difference(const cohort_ledger *a, const cohort_ledger *b);

/* What a write was, which is kept; NULL: there was none of that number. */
const char *cohort_ledger_text(const cohort_ledger *ledger, uint64_t number);

/* One that came from elsewhere: its texts have an end. */
void cohort_ledger_close(cohort_ledger *ledger);

#endif
