/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels of a CSV column, all integers or all names. They are collected row by row while nobody
 * knows yet which of the two they are: the first of each kind is remembered, and both together are
 * told at the end. */
#include "config.h"

#include "cli/labels.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A name, and which one it was when it came first. */
typedef struct known {
    char *name;
    int32_t place;
} known;

/* Labels that come row by row. */
typedef struct reader {
    const char *text, *column;
    labels *out;
    int64_t room;
    known names[LABELS_MOST_CLASSES]; /* in the order of their bytes */
    int64_t first_number, first_name; /* rows, -1 before */
    bool is_refused;                  /* another column may have labels */
} reader;

/* ------------------------------------------------------------------ one of them */

/* What stands before it in a message: the files, and the number of the row. */
#define REFUSE_ROW(r, format, ...)                                                                 \
    ((r)->is_refused = true,                                                                       \
     cohort_error_set(COHORT_EINVAL, "%s: row %" PRId64 " (from 0): " format, (r)->text,           \
                      (r)->out->rows, __VA_ARGS__))

/* The words that the CSV reader takes for missing numbers. */
static bool is_missing(const char *label)
{
    static const char *const words[] = { "", "na", "n/a", "nan", "null" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ascii_same(label, words[i]))
            return true;
    return false;
}

static bool is_number(const char *label, double *out)
{
    char *end;
    *out = strtod(label, &end);
    return *end == '\0' &&
           strpbrk(label, "xXpP") == NULL; /* hexadecimal is a name, as in other columns */
}

/* After a name, any number is taken, since check_kinds then tells both rows. */
static cohort_status take_number(reader *r, double number)
{
    if (r->first_number < 0)
        r->first_number = r->out->rows;
    bool is_class = number >= 0 && number < LABELS_MOST_CLASSES && number == floor(number);
    if (!is_class && r->first_name < 0)
        return REFUSE_ROW(r, "its label is %g; expected an integer from 0 to %d", number,
                          LABELS_MOST_CLASSES - 1);
    r->out->classes[r->out->rows] = is_class ? (int32_t)number : 0;
    return COHORT_OK;
}

/* Where the name is or belongs. */
static int find(const reader *r, const char *name, bool *out_is_there)
{
    int low = 0, high = r->out->n_names;
    *out_is_there = false;
    while (low < high && !*out_is_there) {
        int middle = low + (high - low) / 2, order = strcmp(name, r->names[middle].name);
        *out_is_there = order == 0;
        if (order <= 0)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/* The list is sorted, and names stay few (LABELS_MOST_CLASSES), so that making room in it is
 * cheap. */
static cohort_status take_name(reader *r, const char *name)
{
    char shown[64];
    bool is_there;
    int at = find(r, name, &is_there);
    if (r->first_name < 0)
        r->first_name = r->out->rows;
    if (!is_there && r->out->n_names == LABELS_MOST_CLASSES)
        return REFUSE_ROW(
            r, "its label '%s' is another than the %d before it; expected at most so many classes",
            visible(name, shown, sizeof shown), LABELS_MOST_CLASSES);
    if (!is_there) {
        char *copy = strdup(name);
        if (copy == NULL)
            return cohort_error_set(COHORT_ENOMEM, "%s: out of memory for labels", r->text);
        memmove(&r->names[at + 1], &r->names[at],
                (size_t)(r->out->n_names - at) * sizeof *r->names);
        r->names[at] = (known){ copy, r->out->n_names++ };
    }
    r->out->classes[r->out->rows] = r->names[at].place;
    return COHORT_OK;
}

/* Doubled each time, which costs a constant for each row. */
static bool make_room(reader *r)
{
    labels *l = r->out;
    if (l->rows < r->room)
        return true;
    int64_t room = r->room > 0 ? 2 * r->room : 1024;
    int32_t *grown = realloc(l->classes, (size_t)room * sizeof *grown);
    l->classes = grown != NULL ? grown : l->classes;
    r->room = grown != NULL ? room : r->room;
    return grown != NULL;
}

static cohort_status take(const char *label, int64_t bytes, void *user)
{
    static const char what[] = "a name or an integer";
    reader *r = user;
    double number;
    if (!make_room(r))
        return cohort_error_set(COHORT_ENOMEM, "%s: out of memory for labels", r->text);
    if (strlen(label) != (size_t)bytes)
        return REFUSE_ROW(r, "its label has a zero byte; expected %s", what);
    if (is_missing(label))
        return REFUSE_ROW(r, "its label is missing; expected %s", what);
    cohort_status status = is_number(label, &number) ? take_number(r, number) : take_name(r, label);
    r->out->rows += status >= 0;
    return status;
}

/* ------------------------------------------------------------------ all of them */

static cohort_status check_kinds(reader *r)
{
    if (r->first_number < 0 || r->first_name < 0)
        return COHORT_OK;
    r->is_refused = true;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the label of row %" PRId64
                            " (from 0) is a number, that of row %" PRId64
                            " is none; expected integers or names",
                            r->text, r->first_number, r->first_name);
}

/* Names came in the order of the rows; classes are in that of the names, so that it does not matter
 * which came first.
 */
static bool sort_classes(reader *r)
{
    int32_t rank[LABELS_MOST_CLASSES];
    labels *l = r->out;
    l->names = l->n_names > 0 ? calloc((size_t)l->n_names, sizeof *l->names) : NULL;
    if (l->n_names > 0 && l->names == NULL)
        return cli_fail(EXIT_FAILED, "out of memory"), false;
    for (int i = 0; i < l->n_names; i++) {
        rank[r->names[i].place] = i;
        l->names[i] = r->names[i].name;
    }
    for (int64_t i = 0; i < l->rows && l->n_names > 0; i++)
        l->classes[i] = rank[l->classes[i]];
    return true;
}

static void complain(const reader *r)
{
    cli_fail(EXIT_FAILED, "%s", cohort_error_text());
    if (r->is_refused)
        cli_fix("--label NAME, if column %s is not the label", r->column);
}

bool labels_read(const char *const paths[], int n, const cohort_csv_options *options,
                 const char *column, const char *text, labels *out)
{
    static reader r;
    cohort_status status = COHORT_OK;
    *out = (labels){ .rows = 0 };
    r = (reader){
        .text = text, .column = column, .out = out, .first_number = -1, .first_name = -1
    };
    for (int i = 0; i < n && status >= 0; i++)
        status = cohort_list_texts(paths[i], options, column, take, &r);
    if (status >= 0)
        status = check_kinds(&r);
    if (status < 0)
        complain(&r);
    bool is_good = status >= 0 && sort_classes(&r);
    if (is_good)
        return true;
    for (int i = 0; i < out->n_names; i++)
        free(r.names[i].name);
    out->n_names = 0;
    labels_free(out);
    return false;
}

void labels_free(labels *l)
{
    for (int i = 0; i < l->n_names; i++)
        free(l->names[i]);
    free(l->names);
    free(l->classes);
    *l = (labels){ 0 };
}
