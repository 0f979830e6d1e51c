/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_selection.h"

#include "runtime/base/guess.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

enum { LISTED_BYTES = 256, SHOWN_BYTES = 40, NONE = -1, TWO = -2 };

/* A selection that is being read. */
typedef struct selection {
    const cohort_csv_names *names;
    int component;
    int *columns;
    size_t capacity;
    int n;
} selection;

/* One word of the text, without spaces around it. */
typedef struct word {
    const char *text;
    size_t bytes;
} word;

static cohort_status refuse(const selection *s, word w, const char *why)
{
    char component[32] = "";
    if (s->component > 0)
        (void)snprintf(component, sizeof component, " of component %d", s->component);
    return cohort_error_set(COHORT_EINVAL, "%s: columns%s: '%.*s': %s", s->names->path, component,
                            w.bytes < SHOWN_BYTES ? (int)w.bytes : SHOWN_BYTES, w.text, why);
}

/* ---- Names */

static int find_name(const cohort_csv_names *names, word w)
{
    int found = NONE;
    for (int i = 0; i < names->n && names->names != NULL; i++)
        if (w.bytes > 0 && strlen(names->names[i]) == w.bytes &&
            memcmp(names->names[i], w.text, w.bytes) == 0)
            found = found == NONE ? i : TWO;
    return found;
}

/* "a b c"; "..." for what there is no room for. */
static const char *list_names(const cohort_csv_names *names, char *text)
{
    cohort_text list = cohort_text_begin(text, LISTED_BYTES);
    for (int i = 0; i < names->n && cohort_text_add_name(&list, " ", names->names[i]); i++)
        continue;
    return text;
}

static cohort_status refuse_name(const selection *s, word w)
{
    char listed[LISTED_BYTES], why[2 * LISTED_BYTES];
    const cohort_csv_names *names = s->names;
    cohort_guess guess = { .name = w.text, .length = w.bytes };
    for (int i = 0; i < names->n && names->names != NULL; i++)
        cohort_guess_consider(&guess, names->names[i]);
    if (names->names == NULL)
        (void)snprintf(why, sizeof why,
                       "no such column: the file has no header; expected numbers, 0 to %d, or say "
                       "that the first row "
                       "is one (option header)",
                       names->n - 1);
    else if (guess.best != NULL)
        (void)snprintf(why, sizeof why, "no such column%s", cohort_guess_text(&guess));
    else
        (void)snprintf(why, sizeof why, "no such column; it has: %s", list_names(names, listed));
    return refuse(s, w, why);
}

/* ---- Numbers */

/* Digits at the start of the word, which are taken off it; NONE when there are none. A number that
 * no column has is as good as any other. */
static int take_number(word *w)
{
    int number = NONE;
    for (; w->bytes > 0 && *w->text >= '0' && *w->text <= '9'; w->text++, w->bytes--) {
        number = (number == NONE ? 0 : number) * 10 + (*w->text - '0');
        number = number < COHORT_LIMIT_CSV_COLUMNS ? number : COHORT_LIMIT_CSV_COLUMNS;
    }
    return number;
}

static bool take_dash(word *w)
{
    bool is_there = w->bytes > 0 && *w->text == '-';
    w->text += is_there;
    w->bytes -= is_there;
    return is_there;
}

/* "3", "0-63"; false: neither of them. */
static bool is_range(word w, int *first, int *last, bool *is_single)
{
    *first = *last = take_number(&w);
    *is_single = !take_dash(&w);
    if (!*is_single)
        *last = take_number(&w);
    return *first != NONE && *last != NONE && w.bytes == 0;
}

/* ---- The text */

static cohort_status add(selection *s, int first, int last)
{
    void *columns = s->columns;
    int wanted = s->n + (last - first + 1);
    if (wanted > COHORT_LIMIT_CSV_COLUMNS)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: component %d: more than %d columns; expected fewer of them",
                                s->names->path, s->component, COHORT_LIMIT_CSV_COLUMNS);
    bool is_there = cohort_grow(&columns, &s->capacity, (size_t)wanted, sizeof *s->columns);
    s->columns = columns;
    if (!is_there)
        return cohort_error_memory(s->names->path);
    for (int i = first; i <= last; i++)
        s->columns[s->n++] = i;
    return COHORT_OK;
}

static void take_out(selection *s, int first, int last)
{
    int kept = 0;
    for (int i = 0; i < s->n; i++)
        if (s->columns[i] < first || s->columns[i] > last)
            s->columns[kept++] = s->columns[i];
    s->n = kept;
}

static cohort_status find_columns(const selection *s, word w, int *first, int *last,
                                  bool *out_is_single)
{
    char why[128];
    *first = *last = find_name(s->names, w);
    *out_is_single = true;
    if (*first == TWO)
        return refuse(s, w, "two columns have this name; expected the number of one, from 0 on");
    if (*first >= 0)
        return COHORT_OK;
    if (w.bytes == 0)
        return refuse(s, w, "a name or number is missing; expected one between commas");
    if (!is_range(w, first, last, out_is_single))
        return refuse_name(s, w);
    if (*first > *last)
        return refuse(s, w, "a range that runs backwards; expected the smaller number first");
    if (*last < s->names->n)
        return COHORT_OK;
    (void)snprintf(why, sizeof why, "the file has %d columns; expected numbers from 0 to %d",
                   s->names->n, s->names->n - 1);
    return refuse(s, w, why);
}

/* ^ before it: all but these, or those before it but these. */
static cohort_status add_word(selection *s, word w, bool is_first, bool *out_is_single)
{
    int first = 0, last = 0;
    bool is_taken_out = w.bytes > 0 && *w.text == '^' && find_name(s->names, w) == NONE;
    w.text += is_taken_out;
    w.bytes -= is_taken_out;
    cohort_status status = find_columns(s, w, &first, &last, out_is_single);
    if (status < 0 || !is_taken_out)
        return status < 0 ? status : add(s, first, last);
    *out_is_single = false;
    if (is_first)
        status = add(s, 0, s->names->n - 1);
    if (status >= 0)
        take_out(s, first, last);
    return status >= 0 && s->n == 0
               ? refuse(s, w, "no column is left without it; expected at least one")
               : status;
}

static word trim(const char *text, size_t bytes)
{
    while (bytes > 0 && *text == ' ') {
        text++;
        bytes--;
    }
    while (bytes > 0 && text[bytes - 1] == ' ')
        bytes--;
    return (word){ .text = text, .bytes = bytes };
}

static cohort_status add_text(selection *s, const char *text, bool *out_is_single)
{
    word whole = { .text = text, .bytes = strlen(text) };
    *out_is_single = true;
    if (find_name(s->names, whole) != NONE)
        return add_word(s, whole, true, out_is_single);
    for (int words = 1;; words++) {
        bool is_single = false;
        size_t bytes = strcspn(text, ",");
        cohort_status status = add_word(s, trim(text, bytes), words == 1, &is_single);
        *out_is_single = is_single && words == 1 && text[bytes] == '\0';
        if (status < 0 || text[bytes] == '\0')
            return status;
        text += bytes + 1;
    }
}

cohort_status cohort_csv_select(const cohort_csv_names *names, const char *text, int component,
                                int **out, int *out_n, bool *out_is_single)
{
    selection s = { .names = names, .component = component };
    *out_is_single = false;
    cohort_status status =
        text != NULL ? add_text(&s, text, out_is_single) : add(&s, 0, names->n - 1);
    if (status < 0) {
        cohort_free(s.columns);
        s = (selection){ 0 };
    }
    *out = s.columns;
    *out_n = s.n;
    return status;
}
