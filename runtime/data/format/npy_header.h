/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of a .npy file: what follows it, and how it lies there. */
#ifndef COHORT_FORMAT_NPY_HEADER_H
#define COHORT_FORMAT_NPY_HEADER_H

#include <cohort/array.h>

#include "runtime/data/format/stream.h"

typedef struct cohort_npy_header {
    cohort_array array; /* no data; the strides of Fortran order when the file has it */
    bool is_swapped;    /* the other byte order than this machine's */
    int64_t bytes;      /* of all elements; exactly what is left in the stream */
} cohort_npy_header;

/* Read and check the header at the start of the stream: nothing larger than
 * COHORT_LIMIT_NPY_HEADER_BYTES is taken, and the size that it declares is the size of the stream.
 * COHORT_EINVAL, COHORT_ENOTSUP.
 * Source  numpy.lib.format, versions 1.0 to 3.0. */
cohort_status cohort_npy_header_read(cohort_stream *stream, cohort_npy_header *out);

/* The same, and also of structs, which NumPy calls void. */
cohort_status cohort_npy_header_read_any(cohort_stream *stream, cohort_npy_header *out);

/* The header that numpy.save writes for this array, which was checked; text has
 * COHORT_NPY_HEADER_TEXT_BYTES. Returns its bytes, 0 when NumPy has no such dtype. */
enum { COHORT_NPY_HEADER_TEXT_BYTES = 512 };
size_t cohort_npy_header_write(const cohort_array *array, char *text);

#endif
