/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements: what a cursor gives, one array per component, row-major.
 *
 * An element is there until the next call on its cursor. Who wants it longer looks how it is kept:
 *   is_lasting  the memory is the dataset's or the program's, and lives as long as the dataset
 *   block       it is all in this block: hold it
 *   neither     copy it (cohort_element_keep) */
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

/* An element of one's own: what it holds stays until it is dropped. Zero at first. */
typedef struct cohort_kept {
    cohort_array *parts; /* [n], ours */
    cohort_block *block; /* held; NULL: lasting, or nothing */
    int32_t n;
} cohort_kept;

/* Keep an element: hold its block, or copy it into one of the pool where there is none. What `kept`
 * had is dropped first. COHORT_ENOMEM; then it has nothing. */
cohort_status cohort_element_keep(const cohort_element *element, cohort_pool *pool,
                                  cohort_kept *kept);

/* The other way: a view for a cursor's answer. */
cohort_element cohort_kept_view(const cohort_kept *kept);

void cohort_kept_drop(
    cohort_kept *kept); /* nothing in it any more; its list of parts stays for the next */
void cohort_kept_fini(cohort_kept *kept); /* that too is freed */

/* Number of elements of an array, and its bytes. They are known to fit. */
int64_t cohort_part_items(const cohort_array *part);
size_t cohort_part_bytes(const cohort_array *part);

/* The bytes of an array of this spec, whose extents are all known; false: more than a size
 * holds. */
bool cohort_spec_bytes(const cohort_spec *spec, size_t *out);

/* Where component k of an element begins in a block: sizes one behind the other, each start aligned
 * to 128 bytes. Returns the place behind the bytes at *at, and moves *at there; false: overflow. */
bool cohort_block_reserve(size_t *at, size_t bytes, size_t *out_offset);

#endif
