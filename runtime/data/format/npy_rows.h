/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a NumPy array in a file, a few at a time: of a .npy file, or of a member of a .npz,
 * stored or deflated.
 */
#ifndef COHORT_FORMAT_NPY_ROWS_H
#define COHORT_FORMAT_NPY_ROWS_H

#include "runtime/data/format/npy_header.h"
#include "runtime/data/format/npz.h"

typedef struct cohort_npy_rows cohort_npy_rows;

/* member  as in cohort_npy_open. The file is checked as there; rank 0 is COHORT_ENOTSUP, since it
 *         has no rows. */
cohort_status cohort_npy_rows_open(const char *path, const char *member, cohort_npy_rows **out);
void cohort_npy_rows_close(cohort_npy_rows *rows); /* NULL is allowed */

cohort_spec cohort_npy_rows_spec(const cohort_npy_rows *rows); /* of the whole array */
bool cohort_npy_rows_is_indexed(const cohort_npy_rows *rows);  /* any row at once: not deflated */

/* n rows from row `first` on straight into memory, in this machine's byte order; bools become 0 or
 * 1. Where the file is deflated, going back starts over and going ahead unpacks what lies between.
 * COHORT_EINVAL when the file has changed or is damaged; the CRC of a member is checked when its
 * last row was read in order.
 *
 * The rows of an array in Fortran order lie apart. Up to COHORT_LIMIT_NPY_BAND_BYTES of them are
 * turned at once and kept until close: all rows, where they fit, and the file is read once. Of a
 * larger array each band of rows is read where they are asked for in order, any others piece by
 * piece, one for each element of a row; deflated, all of it is unpacked for each band, and for each
 * row that is outside of the latest. COHORT_ENOMEM where there is no memory for a band. The CRC is
 * checked when the last row was read, in whatever order. */
cohort_status cohort_npy_rows_read(cohort_npy_rows *rows, int64_t first, int64_t n, void *into);

#endif
