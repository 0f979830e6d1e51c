/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in NumPy's files: .npy, versions 1 to 3, and members of .npz.
 *
 *     cohort_npy *file = cohort_npy_open("x.npy", NULL);
 *     cohort_run(s, saxpy, 2.0f, cohort_npy_array(file), y);
 *     cohort_npy_close(file);
 *
 * A file is hostile until it is checked: nothing is allocated before its header, its sizes and the
 * length of the file agree. Source: NumPy's format specification (numpy.lib.format, NEP 1). */
#ifndef COHORT_NPY_H
#define COHORT_NPY_H

#include <cohort/array.h>
#include <cohort/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_npy cohort_npy;

/* Read an array from a file: bool, integers, float8 to float64, bfloat16 (as the package ml_dtypes
 * calls them), complex64 and complex128, little and big endian, in C and Fortran order. The array
 * is row-major and of this machine's byte order afterwards.
 *
 * member     NULL for a .npy file; of a .npz file the array's name, with or without ".npy". A .npz
 *            with one array takes NULL too
 * Returns    NULL: COHORT_ENOENT no such file or member (the text lists the members), COHORT_EINVAL
 *            the file is wrong (text: file, byte offset, what was expected),
 *            COHORT_ENOTSUP a dtype or rank that arrays do not have (objects, strings, structs,
 *            more than 8 axes), or a compressed member in a build without zlib, COHORT_ENOMEM. The
 *            file must be a regular one and stay as it is while it is read.
 * Owner      the caller, until cohort_npy_close. Threads: any. Blocks on the file. */
COHORT_API cohort_npy *cohort_npy_open(const char *path, const char *member);

/* A view of the array that was read, row-major; lives until close. An empty array for NULL. */
COHORT_API cohort_array cohort_npy_array(const cohort_npy *npy);

/* Give back what cohort_npy_open read. NULL is allowed. */
COHORT_API void cohort_npy_close(cohort_npy *npy);

/* Names of the arrays in a .npz file, without ".npy"; NULL at the end. A .npy file has none. */
COHORT_API const char *cohort_npy_member(const cohort_npy *npy, int index);

/* Write a .npy file, version 1.0, or 2.0 where the header needs it: this machine's byte order,
 * row-major, as numpy.save writes it; bfloat16 and float8 under the names of the package ml_dtypes,
 * which numpy.load knows once that was imported. A file of that name is replaced as a whole: it is
 * written under another name beside it and renamed, and after a failure the old one is still there.
 * COHORT_EINVAL for an array that has no NumPy dtype (structs), COHORT_ENOENT no such folder,
 * COHORT_ENOMEM, COHORT_EINTERNAL the system's reason. */
COHORT_API cohort_status cohort_npy_save(const char *path, cohort_array array);

#ifdef __cplusplus
}
#endif
#endif
