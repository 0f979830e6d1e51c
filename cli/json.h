/* SPDX-License-Identifier: BSD-3-Clause */
/* A streaming JSON writer (RFC 8259): commas, indentation and escapes; the caller opens and
 * closes. */
#ifndef COHORT_CLI_JSON_H
#define COHORT_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *file;
    bool is_line; /* all on one line; the caller's, as file */
    int depth;
    bool has_items; /* in the object or array that is open */
} json;

/* key NULL: the document itself, or an element of an array. */
void json_object(json *out, const char *key);
void json_object_end(json *out);
void json_array(json *out, const char *key);
void json_array_end(json *out);

void json_text(json *out, const char *key,
               const char *text); /* NULL: null; what is not UTF-8 becomes U+FFFD */
void json_bytes(json *out, const char *key, const void *text,
                size_t bytes); /* the same, of a length; zero bytes too */
void json_null(json *out, const char *key);
void json_bool(json *out, const char *key, bool is_true);
void json_integer(json *out, const char *key, int64_t number);
void json_number(json *out, const char *key, const char *token); /* a JSON value as it stands */
void json_real(json *out, const char *key,
               double number); /* 17 digits: reads back exactly; NaN and infinities: null */

#endif
