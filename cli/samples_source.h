/* SPDX-License-Identifier: BSD-3-Clause */
/* Where rows and labels are in the user's files. */
#ifndef COHORT_CLI_SAMPLES_SOURCE_H
#define COHORT_CLI_SAMPLES_SOURCE_H

#include "cli/labels.h"
#include "cli/look.h"
#include "cli/samples.h"

/* dataset        component 0: the numbers of a row; component 1: its label, unless labels has it
 * labels         of CSV files
 * is_last_label  nobody said which column is the label, and it is the last of all
 * is_bytes       the numbers are uint8 */
typedef struct samples_source {
    const char *text; /* the names as they were given; the caller's */
    cohort_dataset *dataset;
    labels labels;
    bool is_last_label, is_bytes;
} samples_source;

/* Names or patterns of the options, separated by commas:
 * one or more .npz two arrays by usual names (samples_source.c), or by FILE.npz:x:y two .npy, two
 * IDX rows, labels one or more CSV label: the column of that name or number, else one named label,
 * target, class or y, else the
 *                      last; or several columns, one-hot
 * one or more TFRecord label: the int64 feature of that name, else one named so; rows: a usual
 * name, or the only other False after a message; then *out_code is the exit code. The dataset and
 * the labels are the caller's. */
bool samples_source_open(const samples_options *options, samples_source *out, int *out_code);

void samples_source_close(samples_source *s);

/* Parts of it, for the files of one format; first: what is in the first of them. False after a
 * message. */
typedef struct samples_files {
    const char *const *paths;
    int n;
    look first;
    const char *x, *y; /* names of arrays, or NULL */
    const char *label; /* or NULL */
} samples_files;
bool samples_source_csv(const samples_files *files, samples_source *out);
bool samples_source_tfrecord(const samples_files *files, samples_source *out);

/* Whether it is a usual name of a label. */
bool samples_is_label(const char *name);

/* Names separated by commas and cut when they are many, for messages. */
const char *samples_list_names(const look_names *names, char *out, size_t size);

#endif
