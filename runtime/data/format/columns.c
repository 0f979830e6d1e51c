/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a choice are read from left to right, each adding to the columns so far or, with
 * ^, taking from them. A name that the table really has wins over every other reading, so that a
 * column called "3" or "^id" can be asked for. */
#include "config.h"

#include "runtime/data/format/columns.h"

#include "runtime/base/error.h"
#include "runtime/base/guess.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_BYTES = 256, SHOWN_BYTES = 40, NONE = -1, TWO = -2 };

/* The columns that a text chooses, while it is read. */
typedef struct selection {
    const cohort_columns *all;
    int component; /* for messages */
    int *columns;
    size_t capacity;
    int n;
    bool is_single; /* by its own name or number */
} selection;

/* The column of this name; TWO: of several. */
static int find_name(const cohort_columns *all, const char *name)
{
    int found = NONE;
    for (int i = 0; i < all->n && all->names != NULL && *name != '\0'; i++)
        if (strcmp(all->names[i], name) == 0)
            found = found == NONE ? i : TWO;
    return found;
}

/* "a b c"; "..." for what there is no room for. */
static const char *list_names(const cohort_columns *all, char *text)
{
    cohort_text list = cohort_text_begin(text, LISTED_BYTES);
    for (int i = 0; i < all->n && cohort_text_add_name(&list, " ", all->names[i]); i++)
        continue;
    return text;
}

static cohort_status refuse_name(const cohort_columns *all, const char *name)
{
    char listed[LISTED_BYTES] = "";
    cohort_guess guess = { .name = name, .length = strlen(name) };
    if (all->names == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "no such column: the file has no header; expected numbers, 0 to "
                                "%d, or say that the first row is one (option header)",
                                all->n - 1);
    for (int i = 0; i < all->n; i++)
        cohort_guess_consider(&guess, all->names[i]);
    return cohort_error_set(COHORT_EINVAL, "no such column%s%s",
                            guess.best != NULL ? cohort_guess_text(&guess) : "; it has: ",
                            guess.best != NULL ? "" : list_names(all, listed));
}

/* Digits at *text, which is behind them afterwards; NONE when there are none. A number that no
 * column has is as good as any other. */
static int take_number(const char **text)
{
    char *end = NULL;
    if (**text < '0' || **text > '9')
        return NONE;
    unsigned long number = strtoul(*text, &end, 10);
    *text = end;
    return number < COHORT_LIMIT_CSV_COLUMNS ? (int)number : COHORT_LIMIT_CSV_COLUMNS;
}

/* "3", "0-63"; false: neither of them. */
static bool is_range(const char *word, int *first, int *last)
{
    *first = *last = take_number(&word);
    if (*word == '-') {
        word++;
        *last = take_number(&word);
    }
    return *first != NONE && *last != NONE && *word == '\0';
}

/* A name of the file comes before numbers and ranges. */
static cohort_status find_columns(const cohort_columns *all, const char *word, int *first,
                                  int *last)
{
    *first = *last = find_name(all, word);
    if (*first == TWO)
        return cohort_error_set(
            COHORT_EINVAL, "two columns have this name; expected the number of one, from 0 on");
    if (*first >= 0)
        return COHORT_OK;
    if (*word == '\0')
        return cohort_error_set(COHORT_EINVAL,
                                "a name or number is missing; expected one between commas");
    if (!is_range(word, first, last))
        return refuse_name(all, word);
    if (*first > *last)
        return cohort_error_set(COHORT_EINVAL,
                                "a range that runs backwards; expected the smaller number first");
    return *last < all->n
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "the file has %d columns; expected numbers from 0 to %d", all->n,
                                  all->n - 1);
}

/* ---- The columns of one component */

/* Columns may come twice, in any order; their number is bounded, as a text may repeat a range
 * for ever. */
static cohort_status add(selection *s, int first, int last)
{
    void *columns = s->columns;
    size_t wanted = (size_t)(s->n + (last - first + 1));
    if (wanted > COHORT_LIMIT_CSV_COLUMNS)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: component %d: more than %d columns; expected fewer of them",
                                s->all->path, s->component, COHORT_LIMIT_CSV_COLUMNS);
    if (!cohort_grow(&columns, &s->capacity, wanted, sizeof *s->columns))
        return cohort_error_memory(s->all->path);
    s->columns = columns;
    for (int i = first; i <= last; i++)
        s->columns[s->n++] = i;
    return COHORT_OK;
}

static cohort_status take_out(selection *s, int first, int last)
{
    int left = 0;
    for (int i = 0; i < s->n; i++)
        if (s->columns[i] < first || s->columns[i] > last)
            s->columns[left++] = s->columns[i];
    s->n = left;
    return left > 0 ? COHORT_OK
                    : cohort_error_set(COHORT_EINVAL,
                                       "no column is left without it; expected at least one");
}

/* ^ before a word: all columns but these, or those chosen so far but these. */
static cohort_status add_word(selection *s, const char *word, bool is_first)
{
    int first = 0, last = 0;
    char component[32] = "";
    /* a column may have a name that begins with ^ */
    bool is_taken_out = *word == '^' && find_name(s->all, word) == NONE;
    word += is_taken_out;
    cohort_status status = find_columns(s->all, word, &first, &last);
    bool is_range = strchr(word, '-') != NULL && find_name(s->all, word) == NONE;
    s->is_single = !is_taken_out && !is_range;
    if (status >= 0 && !is_taken_out)
        return add(s, first, last);
    /* ^ at the beginning: all columns but these */
    if (status >= 0 && is_first)
        status = add(s, 0, s->all->n - 1);
    if (status >= 0)
        status = take_out(s, first, last);
    if (s->component > 0)
        (void)snprintf(component, sizeof component, " of component %d", s->component);
    return status < 0 ? cohort_error_prefix(status, "%s: columns%s: '%.*s'", s->all->path,
                                            component, SHOWN_BYTES, word)
                      : COHORT_OK;
}

static char *trim(char *text)
{
    text += strspn(text, " ");
    for (size_t bytes = strlen(text); bytes > 0 && text[bytes - 1] == ' '; bytes--)
        text[bytes - 1] = '\0';
    return text;
}

/* All of the text as one name comes before its words, which are cut off it. */
static cohort_status add_words(selection *s, char *text)
{
    cohort_status status = COHORT_OK;
    if (find_name(s->all, text) != NONE)
        return add_word(s, text, true);
    for (char *word = text, *next; word != NULL && status >= 0; word = next) {
        next = strchr(word, ',');
        if (next != NULL)
            *next++ = '\0';
        status = add_word(s, trim(word), word == text);
        s->is_single = s->is_single && word == text && next == NULL;
    }
    return status;
}

cohort_status cohort_columns_choose(const cohort_columns *all, const char *text, int component,
                                    int **out, int *out_n, bool *out_is_single)
{
    selection s = { .all = all, .component = component };
    char *copy = cohort_string_copy(text);
    cohort_status status = text == NULL   ? add(&s, 0, all->n - 1)
                           : copy != NULL ? add_words(&s, copy)
                                          : cohort_error_memory(all->path);
    cohort_free(copy);
    *out = s.columns;
    *out_n = s.n;
    *out_is_single = s.is_single;
    return status;
}
