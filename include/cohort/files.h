/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets from the files that people have.
 *
 *     cohort_dataset *d = cohort_dataset_csv(COHORT_FILES("train-*.csv"), NULL);
 *     cohort_dataset *d = cohort_dataset_tfrecord(files, n, NULL);
 *
 * Every source takes a list of files, each a path or a pattern (* ? [ ] as in a shell; a file whose
 * very name it is comes first). Patterns are looked up when the source is made, in byte order of
 * the names; a pattern without a match is an error. Files are read one after the other, in the
 * order of the list. Any may be gzipped where it says so; that is found out from its first bytes.
 *
 * Files are hostile until checked: sizes are compared with what the file holds before memory is
 * allocated, and a file that is cut, damaged, or changes while it is read is an error that names
 * file, byte, what was expected and what to do. Nothing is promised of bytes that are overwritten
 * in place meanwhile: rows may be of either version, or of both. To replace a file, write another
 * and rename it. Only regular files are read; a pipe is refused, not waited for.
 *
 * Names are copied. Files are opened when they are needed: the first when the source is made, to
 * learn what its elements are; the others then too, to count their rows, where the format says how
 * many a file has (npy, npz, IDX, records) and there are no more than 1,024 files. A fault in
 * another file than the first is told when that file is read.
 *
 * Each returns NULL with the reason in the error text: COHORT_ENOENT, COHORT_EINVAL,
 * COHORT_ENOTSUP, COHORT_ENOMEM, and COHORT_EINTERNAL where the machine fails (too many open files,
 * a disk). */
#ifndef COHORT_FILES_H
#define COHORT_FILES_H

#include <cohort/dataset.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* COHORT_FILES("a", "b"): the list and its length, as two arguments. */
#ifndef __cplusplus
#define COHORT_FILES(...)                                                                          \
    (const char *const[]){ __VA_ARGS__ },                                                          \
        (int)(sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))
#endif

/* ---- NumPy */

/* Rows of .npy files, one component. All files have the same dtype and row shape, in C order or in
 * Fortran order, as pandas writes what df.to_numpy() is.
 *
 * The rows of an array in Fortran order lie apart in its file.
 *   - Up to 64 MiB, all rows are turned at once, and kept for as long as the file is open; a
 *     shuffle keeps up to 64 files open.
 *   - A larger array is turned 64 MiB at a time where rows are read in order. A row out of order,
 *     as in a shuffle, takes a read of the file for each of its elements: a cohort_dataset_cache
 *     before the shuffle reads all rows once, into memory. */
COHORT_API cohort_dataset *cohort_dataset_npy(const char *const files[], int n);

/* Rows of several arrays of .npz files side by side: members[k] is component k; NULL: all arrays in
 * the order of the file; other members, whose names do not end in .npy, are left out with a warning
 * in the log. The arrays have the same number of rows. The checksum of an array is checked when it
 * is read to its end in order: where it is wrong, the last row is the error.
 *
 * Arrays may be stored or deflated, in C order or, as of cohort_dataset_npy, in Fortran order. An
 * array in Fortran order that is deflated and larger than 64 MiB is unpacked whole for each 64 MiB
 * of its rows, in order. */
COHORT_API cohort_dataset *cohort_dataset_npz(const char *const files[], int n,
                                              const char *const members[], int n_members);

/* ---- IDX */

/* Rows of files in MNIST's format, also gzipped. One component: rows along the first axis (numbers,
 * of rank 1 files). */
COHORT_API cohort_dataset *cohort_dataset_idx(const char *const files[], int n);

/* ---- CSV: RFC 4180, also gzipped. A line ends with \n, \r\n or \r, in one file any of them; in
 * quotes these are text. Empty lines are no rows. A separator at the end of a row begins no column,
 * unless the first row has a name behind it, or there is no header and the value may be missing. */

/* A component of the rows of a CSV file: the columns, and the dtype that their numbers get.
 * columns  names from the header or numbers from 0, separated by commas, ranges with a dash:
 *          "0-63", "label", "x,y,3"; ^ before one leaves it out of those before it, or of all:
 *          "^id", "0-63,^7". A single name or number gives elements of rank 0, everything else
 *          rank 1
 * dtype    float32, float64 or an integer type, of which 1.0 and 1e3 are numbers too. A fraction
 *          for an integer, or a number out of range, is an error */
typedef struct cohort_csv_component {
    const char *columns;
    cohort_dtype dtype;
} cohort_csv_component;

/* Whether the first row of a CSV file is a header. */
typedef enum cohort_csv_header {
    /* the first row is a header when it has words and no numbers; with both, or with words that
     * stand for numbers (-nan, 1.0D+03, "1,5") or for missing ones (NA, ?), it is an error that
     * names the field, to be settled by one of the others */
    COHORT_CSV_HEADER_AUTO = 0,
    COHORT_CSV_HEADER_NONE,
    COHORT_CSV_HEADER_FIRST_ROW
} cohort_csv_header;

/* How a CSV file is read. All zero: comma or semicolon or tab, whichever the first line has most
 * of, or spaces where it is several numbers without any of these; header found out; one component
 * with all columns as float32; a missing value is an error.
 *
 * separator  one character; a space stands for any number of spaces and tabs, also before and
 *            behind a row; 0: found out
 * missing    what an empty field, NA, N/A, nan or null (in any case) becomes in components of a
 *            float type, when has_missing; integers have no such value: an error there, in any case
 * reserved   must be zero */
typedef struct cohort_csv_options {
    const cohort_csv_component *components; /* NULL: all columns as float32 */
    int32_t n_components;
    cohort_csv_header header;
    char separator;
    bool has_missing;
    double missing;
    void *reserved[4];
} cohort_csv_options;

/* Rows of CSV files. options: NULL for the defaults. */
COHORT_API cohort_dataset *cohort_dataset_csv(const char *const files[], int n,
                                              const cohort_csv_options *options);

/* ---- Text */

/* Lines of text files: one line is one element, uint8[-1], without its end (\n, \r\n). Also
 * gzipped. A byte order mark at the start is left out; a line of more than 16 MiB is an error. */
COHORT_API cohort_dataset *cohort_dataset_text(const char *const files[], int n);

/* ---- Records */

/* Records of fixed length, uint8[record_bytes], between a header and a footer of each file,
 * which are passed over. Bytes that are left over are an error. Also gzipped. */
COHORT_API cohort_dataset *cohort_dataset_records(const char *const files[], int n,
                                                  int64_t record_bytes, int64_t header_bytes,
                                                  int64_t footer_bytes);

/* ---- TFRecord */

/* A named feature of tf.Example.
 * dtype     float list: float32, float64. int64 list: any integer or bool. bytes list: uint8
 * shape     what its elements make together; for bytes, of the bytes of its one string. One extent
 *           may be -1
 * absent    when has_absent: every element of a feature that a record does not have (then no extent
 *           may be -1); else a missing feature is an error */
typedef struct cohort_feature {
    const char *name;
    cohort_dtype dtype;
    int32_t rank;
    int64_t shape[COHORT_MAX_RANK];
    bool has_absent;
    double absent;
} cohort_feature;

/* How TFRecord files are read. All zero: records as they are, uint8[-1], both checksums of each
 * record checked.
 * features  component k is features[k] of each record, which is a tf.Example */
typedef struct cohort_tfrecord_options {
    const cohort_feature *features;
    int32_t n_features;
    bool trust_checksums; /* do not compute them */
    void *reserved[4];
} cohort_tfrecord_options;

/* Records of TFRecord files, also gzipped. options: NULL for the defaults. */
COHORT_API cohort_dataset *cohort_dataset_tfrecord(const char *const files[], int n,
                                                   const cohort_tfrecord_options *options);

/* ---- Names */

/* Names as elements: the files of the list, patterns looked up, one uint8[-1] each; for _interleave
 * and _flat_map, and what COHORT_SHARD_FILE divides. */
COHORT_API cohort_dataset *cohort_dataset_list_files(const char *const files[], int n);

/* ---- Looking: for programs that do not know yet what they read. */

/* Gets the names in a file, one for each call, in the order of the file; what it is given is lent
 * for the call. A negative answer ends the list and is what the call around it returns.
 *
 * what  dtype and shape; NULL: an array that cannot be read, the reason is the error text
 *
 * The calls that take it return COHORT_OK, or errors as the sources above. Threads: any. */
typedef cohort_status (*cohort_name_fn)(const char *name, const cohort_spec *what, void *user);

/* List the arrays of a .npz file, whole; of a .npy file its only one, by the name "". Elements are
 * not read. */
COHORT_API cohort_status cohort_list_arrays(const char *file, cohort_name_fn fn, void *user);

/* As cohort_list_arrays, after reading each to its end: NULL for `what` also where an element is
 * missing or a checksum is wrong. The directory of a .npz file is read once, whatever the number of
 * its arrays. */
COHORT_API cohort_status cohort_check_arrays(const char *file, cohort_name_fn fn, void *user);

/* List the columns of a CSV file, as float32 of rank 0, by their names in the header; "" without
 * one. options: header and separator count; may be NULL. */
COHORT_API cohort_status cohort_list_columns(const char *file, const cohort_csv_options *options,
                                             cohort_name_fn fn, void *user);

/* List the texts of one column of a CSV file, row by row, without quotes and spaces around them:
 * classes, say, to become numbers. column: a name or number, as in cohort_csv_component. options:
 * header, separator and has_missing count. Returns COHORT_OK; the answer of fn when that is
 * negative; else as cohort_dataset_csv. */
typedef cohort_status (*cohort_text_fn)(const char *text, int64_t bytes, void *user);
COHORT_API cohort_status cohort_list_texts(const char *file, const cohort_csv_options *options,
                                           const char *column, cohort_text_fn fn, void *user);

/* List the features of one record that is a tf.Example: float32[n], int64[n], uint8[bytes] of a
 * single string, and uint8[n, -1] of none or several; an empty feature of no kind is float32[0].
 * COHORT_EINVAL: the record is no tf.Example. COHORT_ENOTSUP: it is a tf.SequenceExample, whose
 * lists of features cannot be read; its other features, the context, can. */
COHORT_API cohort_status cohort_list_features(const void *record, int64_t bytes, cohort_name_fn fn,
                                              void *user);

/* Read one feature of a record that is a tf.Example into out->data, which has room for so many
 * bytes; the rest of *out is filled in. Feature: as for cohort_dataset_tfrecord. COHORT_EINVAL also
 * when it takes more room. */
COHORT_API cohort_status cohort_read_feature(const void *record, int64_t bytes,
                                             const cohort_feature *feature, int64_t room,
                                             cohort_array *out);

#ifdef __cplusplus
}
#endif
#endif
