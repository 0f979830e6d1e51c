/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/function/items_body.h"

#include "runtime/base/error.h"

#include <stdbool.h>
#include <string.h>

/* Letters of words and of numbers such as 0x1p-3f and 10'000, in which no word starts. */
static const char letters[] = "_.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char digits[] = "0123456789";

static size_t word_length(const char *at)
{
    size_t length = strspn(at, letters);
    bool is_number = strspn(at, digits) > 0;
    while (is_number && at[length] == '\'' && strspn(at + length + 1, letters) > 0)
        length += 1 + strspn(at + length + 1, letters);
    return length;
}

static const char *after_quotes(const char *at)
{
    char quote = *at++;
    while (*at != '\0' && *at != quote)
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

static const char *after_comment(const char *at)
{
    const char *end = strstr(at + 2, at[1] == '*' ? "*/" : "\n");
    return end == NULL ? at + strlen(at) : at[1] == '*' ? end + 2 : end;
}

/* The next word or number at or after `at`, and its length; 0 at the end of the body. */
static const char *next_word(const char *at, size_t *out_length)
{
    while (*at != '\0' && strspn(at, letters) == 0)
        at = *at == '"' || *at == '\''                        ? after_quotes(at)
             : at[0] == '/' && (at[1] == '*' || at[1] == '/') ? after_comment(at)
                                                              : at + 1;
    *out_length = word_length(at);
    return at;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

cohort_status cohort_items_check_body(const char *who, const char *body)
{
    size_t length;
    for (const char *at = body; *(at = next_word(at, &length)) != '\0'; at += length)
        if (is_word(at, length, "return") || is_word(at, length, "goto"))
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: the body of an item has '%.*s', which would end the host's loop over the "
                                    "items and not only this one; leave an item with 'continue', or put the rest into "
                                    "an 'if'",
                                    who, (int)length, at);
    return COHORT_OK;
}
