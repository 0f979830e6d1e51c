/* SPDX-License-Identifier: BSD-3-Clause */
/* The kind of data of a file, found out from its first bytes, then from its name. */
#ifndef COHORT_CLI_FILE_FORMAT_H
#define COHORT_CLI_FILE_FORMAT_H

#include "cli/table_options.h"

#include <cohort/cohort.h>

#include <stdbool.h>

typedef enum file_format {
    FORMAT_UNKNOWN,
    FORMAT_NPY,
    FORMAT_NPZ,
    FORMAT_IDX,
    FORMAT_TFRECORD,
    FORMAT_CSV,
    FORMAT_TEXT,
    FORMAT_SAFETENSORS,
    FORMAT_RECORDS /* of fixed length */
} file_format;

typedef struct file_kind {
    file_format format; /* UNKNOWN: to be found out */
    int64_t record_bytes;
    table_options table; /* as the user says it is; for CSV */
} file_kind;

/* The user's word for the format; records:BYTES. False after a message. */
bool file_format_read(const char *text, file_kind *out);
const char *file_format_name(file_format format);

typedef struct file_look {
    int64_t bytes;   /* as it lies there */
    bool is_packed;  /* gzipped */
    const char *zip; /* what it is, where it is a zip file without arrays */
} file_look;

/* Fills in *kind where it is unknown. NULL, or what is wrong, which lives until the next call. */
const char *file_format_find(const char *path, file_kind *kind, file_look *out);

/* The rows of the file as they are; of NPZ, those of one array. SAFETENSORS has none. NULL with the
 * reason in the error text. */
cohort_dataset *file_format_open(const char *path, const file_kind *kind, const char *array);

/* The names that a list of files and patterns stands for, ended by NULL; NULL with the reason in
 * the error text. */
char **file_format_list(const char *const files[], int n);
void file_format_list_free(char **list); /* NULL is allowed */

#endif
