/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements: what a cursor gives, one array per component, row-major.
 *
 * An element is borrowed: it is there until the next call on its cursor. Who wants it longer
 * retains it (cohort_element_retain), which costs a copy or not, depending on whose its memory is:
 *   is_lasting  the dataset's or the program's, and lives as long as the dataset
 *   block       it is all in this block: hold it
 *   neither     copy it */
#ifndef COHORT_DATASET_ELEMENT_H
#define COHORT_DATASET_ELEMENT_H

#include "runtime/data/dataset/block.h"

#include <cohort/array.h>

#include <stdbool.h>

typedef struct cohort_element {
    const cohort_array *parts; /* one per component; the cursor's, until its next call */
    int32_t n;
    bool is_lasting;
    cohort_block *block; /* the cursor holds it until its next call; NULL: none */
} cohort_element;

/* An element that was retained: what it holds stays until it is dropped. Zero at first. */
typedef struct cohort_retained {
    cohort_array *parts; /* [n], ours */
    cohort_block *block; /* held; NULL: lasting, or nothing */
    int32_t n;
} cohort_retained;

/* Hold an element's block, or copy it into one of the pool where there is none. What `retained` had
 * is dropped first. COHORT_ENOMEM; then it has nothing. */
cohort_status cohort_element_retain(const cohort_element *element, cohort_pool *pool,
                                    cohort_retained *retained);

/* A view of a retained element, for a cursor's answer. */
cohort_element cohort_element_view(const cohort_retained *retained);

/* Room for n parts, which is used again as long as elements have the same number of parts. What
 * `retained` had is dropped where it has another number. COHORT_ENOMEM. */
cohort_status cohort_element_make_room(cohort_retained *retained, int32_t n);

/* Exchange what two hold: no element is copied. */
static inline void cohort_element_swap(cohort_retained *a, cohort_retained *b)
{
    cohort_retained other = *a;
    *a = *b;
    *b = other;
}

/* Let go of what is retained; the list of parts stays for the next element. */
void cohort_element_drop(cohort_retained *retained);
void cohort_element_fini(cohort_retained *retained); /* drops it; its list of parts is freed */

/* The number of elements of an array that is part of an element, and their bytes. Both are known
 * to fit. */
int64_t cohort_part_items(const cohort_array *part);
size_t cohort_part_bytes(const cohort_array *part);

/* The bytes of an array of this spec, whose extents are all known; false: more than a size
 * holds. */
bool cohort_spec_bytes(const cohort_spec *spec, size_t *out);

/* Where component k of an element begins in a block: sizes one behind the other, each start aligned
 * to 128 bytes. Returns the place behind the bytes at *at, and moves *at there; false: overflow. */
bool cohort_element_reserve(size_t *at, size_t bytes, size_t *out_offset);

#endif
