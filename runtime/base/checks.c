/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of checks, and lists of their words. */
#include "config.h"

#include "runtime/base/checks.h"

#include "runtime/base/guess.h"
#include "runtime/base/text.h"

#include <stdbool.h>
#include <string.h>

typedef struct check_row {
    const char *word;
    uint32_t checks;
} check_row;

#define CHECK_ROW(id, word) { word, COHORT_CHECK_##id },
static const check_row table[] = { COHORT_CHECKS(CHECK_ROW){ "1", COHORT_CHECK_BODIES },
                                   { "0", 0 } };
enum { ROWS = sizeof table / sizeof *table };

static const check_row *find(const char *word, size_t length)
{
    for (const check_row *row = table; row < table + ROWS; row++)
        if (strlen(row->word) == length && memcmp(row->word, word, length) == 0)
            return row;
    return NULL;
}

static cohort_status refuse(const char *who, const char *word, size_t length)
{
    char words[256];
    cohort_text text = cohort_text_begin(words, sizeof words);
    cohort_guess guess = { .name = word, .length = length };
    for (int i = 0; i < COHORT_CHECK_COUNT; i++) {
        cohort_text_add_item(&text, ", ", "%s", table[i].word);
        cohort_guess_consider(&guess, table[i].word);
    }
    return cohort_error_set(COHORT_EINVAL, "%s: '%.*s' is no check%s; there are: %s (or 1)", who,
                            (int)(length < 100 ? length : 100), word, cohort_guess_text(&guess),
                            words);
}

cohort_status cohort_checks_parse(const char *who, const char *words, uint32_t *out_checks)
{
    *out_checks = COHORT_CHECK_NOTHING;
    for (bool is_last = false; !is_last;) {
        size_t length = strcspn(words, ",");
        const check_row *row = find(words, length);
        if (row == NULL && length > 0)
            return refuse(who, words, length);
        *out_checks |= row != NULL ? row->checks : 0;
        is_last = words[length] == '\0';
        words += length + 1;
    }
    return COHORT_OK;
}
