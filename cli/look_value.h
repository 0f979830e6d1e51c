/* SPDX-License-Identifier: BSD-3-Clause */
/* One value of an element, for people or as JSON. */
#ifndef COHORT_CLI_LOOK_VALUE_H
#define COHORT_CLI_LOOK_VALUE_H

#include "cli/json.h"

#include <cohort/cohort.h>

typedef struct look_writer {
    json *json;    /* NULL: stdout, for people */
    int64_t index; /* of the element */
    bool has_values;
} look_writer;

/* BYTES: a text where they are one, else hexadecimal */
typedef enum look_style { LOOK_NUMBERS, LOOK_TEXT, LOOK_BYTES } look_style;

void look_value_begin(look_writer *w, int64_t index); /* an element */
void look_value_put(look_writer *w, const char *name, const cohort_array *value, look_style style);
void look_value_put_absent(look_writer *w, const char *name,
                           int64_t n); /* n things that are not shown */
void look_value_end(look_writer *w);

#endif
