/* SPDX-License-Identifier: BSD-3-Clause */
/* The object behind NAME= on the command line, in memory. */
#ifndef COHORT_CLI_DATA_H
#define COHORT_CLI_DATA_H

#include "cli/item.h"

/* array   row-major; its memory is `memory`, or that of `npy` */
typedef struct data {
    cohort_array array;
    void *memory;
    cohort_npy *npy;
} data;

/* may_convert: a file may have another dtype than the items.
 *
 * An array of items: 1,2,3 or [[1, 2], [3, 4]] (data_list.c), zeros(3,4), rand(seed,3,4)
 * (data_fill.c), "text" (data_text.c), @FILE.npy, @FILE.npz:member, @FILE:dtype:shape
 * (data_file.c). The exit code, EXIT_OK, or another after a message. */
int data_read(const char *text, const item_type *type, bool may_convert, data *out);

/* The same where the dtype of a file counts, whatever the items are; in memory that may be
 * written. */
int data_read_as_it_is(const char *text, const item_type *type, data *out);

/* One item by value: a number, or 1,2,3 of a struct's numbers, into `out` of type->bytes bytes. */
int data_read_item(const char *text, const item_type *type, void *out);

void data_free(data *d);

/* Parts of data_read. */
int data_read_list(const char *text, const item_type *type, data *out);
int data_read_file(const char *text, const item_type *type, data *out);
int data_read_filled(const char *text, const item_type *type,
                     data *out); /* zeros(...), rand(...) */
bool data_is_filled(const char *text);
int data_read_text(const char *text, const item_type *type, data *out); /* "text", b"text", word */
bool data_is_text(const char *text, const item_type *type);
int data_fit(const char *text, const item_type *type, bool may_convert,
             data *d); /* what a file has (data_convert.c) */

/* 3,4 or (3,4) or nothing, up to the end of the text: false when it is no shape. */
bool data_read_shape(const char *text, cohort_array *array);

/* Zeroed memory for the array's shape; false after a message. */
bool data_allocate(const item_type *type, data *d);

#endif
