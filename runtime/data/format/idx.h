/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of an IDX file, as MNIST's: two zero bytes, type, rank, extents (32 bits, big endian),
 * then the elements.
 *
 * Source  yann.lecun.com/exdb/mnist, "the IDX file format". */
#ifndef COHORT_FORMAT_IDX_H
#define COHORT_FORMAT_IDX_H

#include "runtime/data/format/bytes.h"

#include <cohort/array.h>

typedef struct cohort_idx_header {
    cohort_spec spec;  /* of the whole; rank >= 1; u8, i8, i16, i32, f32, f64 */
    int64_t row_bytes; /* of one row along the first axis */
} cohort_idx_header;

/* Read and check the header; the bytes then stand at the first row. Elements are big endian in
 * the file. The product of the extents agrees with what is left of a file that is not packed:
 * COHORT_EINVAL with both byte counts otherwise. */
cohort_status cohort_idx_open(cohort_bytes *bytes, cohort_idx_header *out);

/* Checks that nothing follows the last row. */
cohort_status cohort_idx_finish(cohort_bytes *bytes);

#endif
