/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of arrays in files: behind the header of a .npy file, and any that lie in the other
 * byte order. */
#ifndef COHORT_FORMAT_ELEMENTS_H
#define COHORT_FORMAT_ELEMENTS_H

#include "runtime/data/format/npy_header.h"

#include <stdbool.h>

/* Read the elements behind a header, row-major and in this machine's byte order; a bool that is
 * neither 0 nor 1 becomes 1, as NumPy takes it. *out is the caller's, by cohort_free; NULL after
 * a failure. */
cohort_status cohort_elements_read(cohort_stream *stream, const cohort_npy_header *header,
                                   void **out);

/* Make of whole elements as they lie in a file what they are in memory: in place, as above. */
void cohort_elements_arrange(void *data, int64_t bytes, cohort_dtype dtype, bool is_swapped);

#endif
