/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of one name of a tf.Example: strings, floats or integers. */
#ifndef COHORT_FORMAT_EXAMPLE_VALUE_H
#define COHORT_FORMAT_EXAMPLE_VALUE_H

#include "runtime/data/format/wire.h"

#include <cohort/files.h>

#include <stdbool.h>

/* Message Feature is one of three lists. As in protocol buffers a list may come in parts, and one
 * of another kind makes those before it void. */
typedef struct cohort_example_value {
    cohort_wire entry;   /* of the map: name and Feature */
    char kind;           /* 'b', 'f', 'i'; 0: no list */
    int64_t count;       /* elements */
    const uint8_t *from; /* the first list that counts */
    cohort_wire string;  /* the first, when kind is 'b' */
} cohort_example_value;

/* Fill in all but the entry. COHORT_EINVAL for bytes that are no Feature. */
cohort_status cohort_example_value_measure(cohort_example_value *value);

/* Can a value of this kind become such elements? */
bool cohort_example_value_fits(char kind, cohort_dtype dtype);

/* Write elements of this dtype, which fits; there is room for them. COHORT_EINVAL for an integer
 * that the dtype does not hold. */
cohort_status cohort_example_value_decode(const cohort_example_value *value, cohort_dtype dtype,
                                          void *into);

#endif
