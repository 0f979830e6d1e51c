/* SPDX-License-Identifier: BSD-3-Clause */
/* A streaming JSON reader (RFC 8259): token by token from a file of any size, in memory that is
 * known before. The caller knows the grammar of what it reads, and passes over the rest. */
#ifndef COHORT_CLI_JSON_SCAN_H
#define COHORT_CLI_JSON_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_SCAN_TEXT_BYTES = 256, JSON_SCAN_MOST_DEPTH = 64 };

/* MARK: one of {}[]:, in `mark`. WORD: true, false or null, in `text`. CUT: the file ends, perhaps
 * in a token. WRONG: `wrong` says why; nothing comes after it. */
typedef enum json_token {
    JSON_TOKEN_WRONG,
    JSON_TOKEN_CUT,
    JSON_TOKEN_MARK,
    JSON_TOKEN_TEXT,
    JSON_TOKEN_NUMBER,
    JSON_TOKEN_WORD
} json_token;

typedef struct json_scan {
    FILE *file; /* the caller's */
    json_token token;
    char mark;
    char text[JSON_SCAN_TEXT_BYTES]; /* of a TEXT, without escapes; cut where it does not fit */
    double number;
    const char *wrong;
    int64_t bytes; /* that were read: where the token ends */
} json_scan;

/* The next token, which is in scan->token too. */
json_token json_scan_next(json_scan *scan);

/* Whether the token is that mark. */
bool json_scan_is(const json_scan *scan, char mark);

/* The token begins a value: go on to its last token. False: it is WRONG, by its depth too, or
 * CUT. */
bool json_scan_pass(json_scan *scan);

/* Between a '{' and its '}': true at a key, which is in `text`, with the next token being its
 * value's first; false behind the last one, and where scan->token is WRONG or CUT. Begin with
 * is_first. */
bool json_scan_key(json_scan *scan, bool is_first, char *key, size_t size);

#endif
