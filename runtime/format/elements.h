/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements behind the header of a .npy file. */
#ifndef COHORT_FORMAT_ELEMENTS_H
#define COHORT_FORMAT_ELEMENTS_H

#include "runtime/format/npy_header.h"

/* Read them, row-major and in this machine's byte order; a bool that is neither 0 nor 1 becomes 1, as NumPy takes it.
 * *out is the caller's, by cohort_free; NULL after a failure. */
cohort_status cohort_elements_read(cohort_stream *stream, const cohort_npy_header *header, void **out);

#endif
