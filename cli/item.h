/* SPDX-License-Identifier: BSD-3-Clause */
/* One value of a parameter, or one element of its arrays: a number, or a struct of several. */
#ifndef COHORT_CLI_ITEM_H
#define COHORT_CLI_ITEM_H

#include <cohort/cohort.h>

#include <stdbool.h>

typedef struct item_number {
    cohort_dtype dtype;
    int64_t offset;
} item_number;

typedef struct item_type {
    const char *name; /* of the parameter, for messages; as long as the function */
    cohort_dtype dtype;
    int64_t bytes;
    int n_numbers;
    item_number *numbers;
} item_type;

/* Of a parameter or COHORT_RESULT of a function that parses; false after a message. */
bool item_type_of(const cohort_function *function, int index, item_type *out);
void item_type_free(item_type *type);

/* The dtype of arrays of such items: a struct's and long double's is COHORT_RECORD. */
cohort_dtype item_array_dtype(const item_type *type);

#endif
