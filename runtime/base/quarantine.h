/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of objects that the program has destroyed: the last ones stay readable, so that a call
 * which gets such an object once more can say so. The word is AddressSanitizer's, for what it does
 * with all freed memory. */
#ifndef COHORT_BASE_QUARANTINE_H
#define COHORT_BASE_QUARANTINE_H

#include <stddef.h>

enum { COHORT_QUARANTINE_BLOCKS = 1024 };

/* Takes a block of cohort_allocate. The block counts as freed from now on, and is freed once
 * COHORT_QUARANTINE_BLOCKS others have come after it, in their order. Under AddressSanitizer
 * only its first `readable` bytes may still be looked at. Any thread. */
void cohort_quarantine(void *block, size_t bytes, size_t readable);

#endif
