/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a .npz file: the members of a zip file whose names end in .npy. */
#ifndef COHORT_FORMAT_NPZ_H
#define COHORT_FORMAT_NPZ_H

#include "runtime/data/format/stream.h"

typedef struct cohort_npz cohort_npz;

/* Whether a file begins as zip files do; the errors of reading. */
cohort_status cohort_npz_is_zip(const cohort_file *file, bool *out_is_zip);

cohort_status cohort_npz_open(const cohort_file *file, cohort_npz **out);
void cohort_npz_close(cohort_npz *npz); /* NULL is allowed */

/* The name of an array, without ".npy"; NULL past the last. Lent until close. */
const char *cohort_npz_name(const cohort_npz *npz, int index);

/* The name of a member that is no array, as it is in the file; NULL past the last. Lent until
 * close. */
const char *cohort_npz_other(const cohort_npz *npz, int index);

/* The array that cohort_npz_name names; the index is one that it has. *out_name is for messages,
 * lent until the next one is found, or close. */
cohort_status cohort_npz_find_nth(cohort_npz *npz, const cohort_file *file, int index,
                                  const char **out_name, cohort_extent *out);

/* Where the bytes of one .npy array are: those of a whole .npy file, for which member is NULL and
 * *out_npz becomes NULL, or those of an array of a .npz file: the one called `member`, with or
 * without ".npy"; NULL: the only one. COHORT_ENOENT with the names that there are. *out_npz is the
 * caller's after a failure too, *out_name lent by it or by the file. */
cohort_status cohort_npz_locate(const cohort_file *file, const char *member, cohort_npz **out_npz,
                                const char **out_name, cohort_extent *out);

#endif
