/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts as strings of JSON. */
#ifndef COHORT_FORMAT_JSON_PRINT_H
#define COHORT_FORMAT_JSON_PRINT_H

#include <stdio.h>

/* Print one string, which is two texts of UTF-8, one behind the other; what JSON wants escaped is,
 * and nothing else. */
void cohort_json_print(FILE *out, const char *first, const char *second);

#endif
