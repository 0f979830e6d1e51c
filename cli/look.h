/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of one file: for `cohort data`, and for those who choose what to read of it. */
#ifndef COHORT_CLI_LOOK_H
#define COHORT_CLI_LOOK_H

#include "cli/file_format.h"
#include "cli/json.h"

/* A name, and dtype and shape of what it is for. */
typedef struct look_name {
    char *name; /* "" without one */
    cohort_spec spec;
    char *wrong; /* why it cannot be read, else NULL */
} look_name;

typedef struct look_names {
    look_name *at;
    size_t n, room;
} look_names;

enum { LOOK_ERROR_BYTES = 4096 };

typedef struct look {
    const char *path; /* the caller's */
    file_kind kind;
    bool is_said; /* the user named the format */
    file_look file;
    /* -1: only reading tells, or arrays have different numbers of them */
    int64_t rows;
    /* arrays of the whole file: the first extent counts the rows, -1 is not known */
    look_names parts;
    int64_t n_columns;            /* of a CSV file */
    look_names columns;           /* their names, where it has a header */
    look_names features;          /* of the first record, where that is a tf.Example */
    bool is_checked;              /* all of it was read */
    char error[LOOK_ERROR_BYTES]; /* "" when nothing is wrong */
} look;

/* kind: as the user says it is, or unknown. The fault stands in out->error. */
void look_open(look *out, const char *path, const file_kind *kind);
void look_close(look *l);

/* Read all of it. */
void look_check(look *l);

/* Its rows; of NPZ, those of one array. NULL with the reason in the error text. */
cohort_iterator *look_iterate(look *l, const char *array);

/* Keep the library's reason for the first failure. Returns false. */
bool look_fail(look *l);

/* The place of a name, or -1. */
int look_find(const look_names *names, const char *name);

/* A callback of the library's lists; user: look_names. */
cohort_status look_keep(const char *name, const cohort_spec *what, void *user);

#endif
