/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/log_levels.h"

#include "runtime/base/text.h"

#include <cohort/status.h>

#include <string.h>

enum { NAMED_LATER = -2, WORD_BYTES = 64 };

static const char *const levels[] = { "error", "warn", "info", "debug" };

cohort_log_levels cohort_log_levels_all(int level)
{
    cohort_log_levels all = { .rest = level };
    for (int i = 0; i < COHORT_SUBSYSTEM_COUNT; i++)
        all.of[i] = level;
    return all;
}

int cohort_log_levels_most(const cohort_log_levels *l)
{
    int most = l->rest;
    for (int i = 0; i < COHORT_SUBSYSTEM_COUNT; i++)
        most = l->of[i] > most ? l->of[i] : most;
    return most;
}

/* -1: the word, of so many bytes, is none of these. */
static int find(const char *word, size_t bytes, const char *const words[], int n)
{
    int i = n - 1;
    while (i >= 0 && (strlen(words[i]) != bytes || memcmp(word, words[i], bytes) != 0))
        i--;
    return i;
}

static int level_of(const char *word, size_t bytes)
{
    return find(word, bytes, levels, COHORT_LOG_DEBUG + 1);
}

/* False: it is none. */
static bool take_word(cohort_log_levels *out, const char *word, size_t bytes)
{
    const char *equals = memchr(word, '=', bytes);
    const size_t name_bytes = equals != NULL ? (size_t)(equals - word) : 0;
    if (equals == NULL) {
        out->rest = level_of(word, bytes);
        return out->rest >= 0;
    }
    const int from = find(word, name_bytes, cohort_subsystem_names, COHORT_SUBSYSTEM_COUNT);
    const int level = level_of(equals + 1, bytes - name_bytes - 1);
    if (from >= 0)
        out->of[from] = level;
    return from >= 0 && level >= 0;
}

/* A level alone that is none is told as words of other settings are. */
static void refuse(const char *all, const char *word, size_t bytes, char *why, size_t size)
{
    cohort_text text = cohort_text_begin(why, size);
    if (strpbrk(all, ",=") == NULL) {
        cohort_text_add(&text, "%.100s is none of error, warn, info, debug", all);
        return;
    }
    cohort_text_add(&text,
                    "%.100s: '%.*s' is neither error, warn, info or debug, nor SUBSYSTEM=LEVEL "
                    "with one of them and of ",
                    all, (int)(bytes < WORD_BYTES ? bytes : WORD_BYTES), word);
    for (int i = 0; i < COHORT_SUBSYSTEM_COUNT; i++)
        cohort_text_add(&text, "%s%s", i > 0 ? ", " : "", cohort_subsystem_names[i]);
}

bool cohort_log_levels_parse(const char *text, int rest, cohort_log_levels *out, char *why,
                             size_t size)
{
    cohort_log_levels found = cohort_log_levels_all(NAMED_LATER);
    found.rest = rest;
    for (const char *word = text, *end; word != NULL; word = *end == ',' ? end + 1 : NULL) {
        end = word + strcspn(word, ",");
        if (!take_word(&found, word, (size_t)(end - word))) {
            refuse(text, word, (size_t)(end - word), why, size);
            return false;
        }
    }
    for (int i = 0; i < COHORT_SUBSYSTEM_COUNT; i++)
        found.of[i] = found.of[i] != NAMED_LATER ? found.of[i] : found.rest;
    *out = found;
    return true;
}
