/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of files: names as the program gives them, patterns looked up, copied. */
#ifndef COHORT_DATASET_FILE_LIST_H
#define COHORT_DATASET_FILE_LIST_H

#include <cohort/status.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cohort_file_list {
    char *text;     /* all names, one behind the other, each with its zero byte */
    size_t *places; /* [n + 1]: where each begins; the last: where the text ends */
    int64_t n;
    size_t text_room, places_room;
} cohort_file_list;

/* Names in the order of `files`; the matches of a pattern in byte order, whatever the locale is. A
 * text that is the name of a file stands for that file, also where it could be a pattern. The same
 * file may be there several times.
 *
 * call  begins the text about a list that has no names: COHORT_EINVAL
 *
 * COHORT_ENOENT: a file is not there, or a pattern has no match. COHORT_EINVAL: more than
 * COHORT_LIMIT_FILES, or the system refuses to look. COHORT_ENOMEM. After a failure the list is
 * empty. */
cohort_status cohort_file_list_make(const char *const files[], int n, const char *call,
                                    cohort_file_list *out);

/* The list of the names index, index + shards, ... of this one. COHORT_EINVAL: there are fewer than
 * shards; COHORT_ENOMEM. */
cohort_status cohort_file_list_share(const cohort_file_list *list, int64_t shards, int64_t index,
                                     const char *call, cohort_file_list *out);

void cohort_file_list_fini(cohort_file_list *list);

const char *cohort_file_list_name(const cohort_file_list *list, int64_t index); /* lent */
size_t cohort_file_list_name_bytes(const cohort_file_list *list, int64_t index);

/* A file as the system has it now. */
typedef struct cohort_file_mark {
    const char *name; /* the list's */
    int64_t bytes;    /* -1: it cannot be looked at */
    int64_t rows;     /* COHORT_UNKNOWN: only reading tells */
    int64_t time_us;  /* when it was last written, in microseconds since 1970 */
} cohort_file_mark;

/* Its rows are COHORT_UNKNOWN here: a list knows no format. */
void cohort_file_list_look(const cohort_file_list *list, int64_t index, cohort_file_mark *out);

/* The first names without their folders: data that has moved is the same data. */
void cohort_file_list_describe(const cohort_file_list *list, FILE *out);

#endif
