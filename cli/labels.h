/* SPDX-License-Identifier: BSD-3-Clause */
/* The labels of CSV files, one column of them: integers, or names that become integers in the order
 * of their bytes. */
#ifndef COHORT_CLI_LABELS_H
#define COHORT_CLI_LABELS_H

#include <cohort/files.h>

enum { LABELS_MOST_CLASSES = 1000 };

typedef struct labels {
    int32_t *classes; /* 0 to LABELS_MOST_CLASSES - 1, one for each row */
    int64_t rows;
    char **names; /* of the classes, NULL where they are numbers */
    int n_names;
} labels;

/* text: what stands for the files in messages. False after one. */
bool labels_read(const char *const paths[], int n, const cohort_csv_options *options,
                 const char *column, const char *text, labels *out);
void labels_free(labels *l);

#endif
