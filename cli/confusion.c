/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/confusion.h"

#include "cli/visible.h"

#include <inttypes.h>

enum { CELL = 7, MOST_MISTAKES = 10 };

/* The class as a text, into `out` of `size` bytes where it is a number. */
static const char *name_of(const confusion *c, int64_t class, char *out, size_t size)
{
    if (c->names != NULL)
        return c->names[class];
    (void)snprintf(out, size, "%" PRId64, class);
    return out;
}

static int64_t at(const confusion *c, int64_t label, int64_t prediction)
{
    return c->rows[label * c->classes + prediction];
}

/* Names come from the user's file. */
static void print_name(const confusion *c, int64_t class, FILE *file)
{
    char shown[256];
    if (c->names != NULL)
        fprintf(file, "  %s", visible(c->names[class], shown, sizeof shown));
    fputc('\n', file);
}

/* Classes are numbers here, whose names stand behind the lines: names have any length. Zeros are
 * dots, which leave the mistakes to be seen. */
static void print_matrix(const confusion *c, FILE *file)
{
    fprintf(file,
            "confusion of the test rows: a line for each label, a column for each prediction\n");
    fprintf(file, "  %*s", CELL, "");
    for (int64_t j = 0; j < c->classes; j++)
        fprintf(file, " %*" PRId64, CELL, j);
    fputc('\n', file);
    for (int64_t i = 0; i < c->classes; i++) {
        fprintf(file, "  %*" PRId64, CELL, i);
        for (int64_t j = 0; j < c->classes; j++)
            if (at(c, i, j) > 0)
                fprintf(file, " %*" PRId64, CELL, at(c, i, j));
            else
                fprintf(file, " %*s", CELL, ".");
        print_name(c, i, file);
    }
}

/* The largest off the diagonal that come behind this one: fewer rows, or as many and a later place.
 * -1: none. */
static int64_t next_mistake(const confusion *c, int64_t before)
{
    int64_t best = -1, n = c->classes * c->classes;
    for (int64_t i = 0; i < n; i++) {
        bool is_mistake = c->rows[i] > 0 && i / c->classes != i % c->classes;
        bool is_behind = before < 0 || c->rows[i] < c->rows[before] ||
                         (c->rows[i] == c->rows[before] && i > before);
        if (is_mistake && is_behind && (best < 0 || c->rows[i] > c->rows[best]))
            best = i;
    }
    return best;
}

static void print_mistakes(const confusion *c, FILE *file)
{
    fprintf(file, "confusion of the test rows, %" PRId64 " classes; the most frequent mistakes\n",
            c->classes);
    int64_t place = next_mistake(c, -1);
    if (place < 0)
        fprintf(file, "  none\n");
    for (int n = 0; place >= 0 && n < MOST_MISTAKES; n++, place = next_mistake(c, place)) {
        char number[2][24], shown[2][64];
        const char *label = name_of(c, place / c->classes, number[0], sizeof number[0]),
                   *taken = name_of(c, place % c->classes, number[1], sizeof number[1]);
        fprintf(file, "  %7" PRId64 "  %s taken for %s\n", c->rows[place],
                visible(label, shown[0], sizeof shown[0]),
                visible(taken, shown[1], sizeof shown[1]));
    }
}

void confusion_print(const confusion *c, FILE *file)
{
    if (c->classes <= CONFUSION_MOST_PRINTED)
        print_matrix(c, file);
    else
        print_mistakes(c, file);
}

void confusion_json(const confusion *c, json *out)
{
    char number[24];
    json_array(out, "confusion");
    for (int64_t i = 0; i < c->classes * c->classes; i++) {
        if (c->rows[i] == 0)
            continue;
        json_object(out, NULL);
        json_text(out, "label", name_of(c, i / c->classes, number, sizeof number));
        json_text(out, "prediction", name_of(c, i % c->classes, number, sizeof number));
        json_integer(out, "count", c->rows[i]);
        json_object_end(out);
    }
    json_array_end(out);
}
