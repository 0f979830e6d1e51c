/* SPDX-License-Identifier: BSD-3-Clause */
/* A reader of JSON text (RFC 8259) that takes what is expected, one thing after the other, and
 * needs no memory: strings are decoded where they stand.
 *
 *     cohort_json_expect(&json, '{');
 *     for (bool more = !cohort_json_take(&json, '}'); more; more = cohort_json_more(&json, '}')) {
 *         char *name = cohort_json_key(&json);
 *         ...
 *     }
 *
 * After the first fault every call fails and does nothing, so that it is enough to look at `why`
 * at the end. Refused beside what is no JSON: text that is no UTF-8, and characters of code 0. */
#ifndef COHORT_FORMAT_JSON_READER_H
#define COHORT_FORMAT_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cohort_json {
    char *text, *at, *end;
    const char *why; /* what was expected at byte why_at; NULL: all is well */
    size_t why_at;
} cohort_json;

/* Of `bytes` bytes; text[bytes] is 0, and all of it the reader's to change. */
cohort_json cohort_json_begin(char *text, size_t bytes);

/* The first fault is this one, here. */
void cohort_json_refuse(cohort_json *json, const char *why);

/* Whether this character is next, behind any white space; then it is passed. */
bool cohort_json_take(cohort_json *json, char c);

/* It is next, else that is a fault. */
void cohort_json_expect(cohort_json *json, char c);

/* Behind an element: a comma, and true; or this bracket, which ends the list, and false, as after
 * a fault. */
bool cohort_json_more(cohort_json *json, char closing);

/* A string, decoded, and where it stands in the text as it was; NULL after a fault. Lives as the
 * text. out_at may be NULL. */
char *cohort_json_string(cohort_json *json, size_t *out_at);

/* The same and the colon behind it. */
char *cohort_json_key(cohort_json *json);

/* A whole number from 0 to INT64_MAX, written without fraction and exponent; 0 after a fault. */
int64_t cohort_json_integer(cohort_json *json);

/* Whether null is next; then it is passed. */
bool cohort_json_null(cohort_json *json);

/* Any value, which is passed. */
void cohort_json_skip(cohort_json *json);

/* Nothing but white space is left. */
void cohort_json_finish(cohort_json *json);

#endif
