/* SPDX-License-Identifier: BSD-3-Clause */
/* A confusion matrix as a picture: a cell is as full of colour as its part of the label's rows is
 * large, so that rare labels are seen as well as frequent ones. */
#include "config.h"

#include "cli/confusion.h"
#include "cli/svg.h"
#include "cli/utf8.h"

#include <inttypes.h>
#include <string.h>

enum {
    SIDE = 480,
    LEFT = 150,
    TOP = 60,
    RIGHT = 110,
    BOTTOM = 50,
    MOST_CELLS = 50,
    MOST_NUMBERS = 20,
    MOST_LABELS = 17,
    NAME_CHARACTERS = 14
};

/* Of `each` classes side by side there is one cell, each way. */
typedef struct plot {
    FILE *file;
    const confusion *c;
    int64_t each, cells;
    double side; /* of a cell */
} plot;

static int64_t end_of(const plot *p, int64_t cell)
{
    int64_t end = (cell + 1) * p->each;
    return end < p->c->classes ? end : p->c->classes;
}

static int64_t count(const plot *p, int64_t label, int64_t prediction)
{
    int64_t sum = 0;
    for (int64_t i = label * p->each; i < end_of(p, label); i++)
        for (int64_t j = prediction * p->each; j < end_of(p, prediction); j++)
            sum += p->c->rows[i * p->c->classes + j];
    return sum;
}

/* Whole characters, as many as there is room for. */
static void cut(char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t at = 0, left = strlen(text);
    for (int n = 0; left > 0; n++) {
        size_t length = utf8_length(p + at, left);
        length += length == 0;
        if (n == NAME_CHARACTERS) {
            strcpy(text + at, left >= 3 ? "..." : "");
            return;
        }
        at += length;
        left -= length;
    }
}

/* "7", "7 name", or "16-31". */
static void name_line(const plot *p, int64_t cell, char *out, size_t size)
{
    char name[256] = "";
    if (p->c->names != NULL && p->each == 1)
        (void)snprintf(name, sizeof name, " %s", p->c->names[cell]);
    cut(name);
    if (p->each == 1)
        (void)snprintf(out, size, "%" PRId64 "%s", cell, name);
    else
        (void)snprintf(out, size, "%" PRId64 "-%" PRId64, cell * p->each, end_of(p, cell) - 1);
}

/* A column has its first class as a number: names do not fit. */
static void write_names(const plot *p)
{
    int64_t step = (p->cells + MOST_LABELS - 1) / MOST_LABELS;
    for (int64_t i = 0; i < p->cells; i += step) {
        char name[300], number[24];
        double middle = ((double)i + 0.5) * p->side;
        name_line(p, i, name, sizeof name);
        (void)snprintf(number, sizeof number, "%" PRId64, i * p->each);
        svg_text(p->file, LEFT - 8, TOP + middle + 4, "end", name);
        svg_text(p->file, LEFT + middle, TOP + SIDE + 18, "middle", number);
    }
}

/* Even a single row is seen, and a text on a full cell can be read. */
static double shade(double share)
{
    return 0.2 + 0.5 * share;
}

static void write_cell(const plot *p, int64_t i, int64_t j, int64_t rows, int64_t all)
{
    double x = LEFT + (double)j * p->side, y = TOP + (double)i * p->side,
           share = (double)rows / (double)all;
    fprintf(p->file,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" class=\"%s\" "
            "fill-opacity=\"%.3f\"/>\n",
            x, y, p->side, p->side, i == j ? "first-fill" : "second-fill", shade(share));
    if (p->cells > MOST_NUMBERS)
        return;
    char number[24];
    (void)snprintf(number, sizeof number, "%" PRId64, rows);
    svg_text(p->file, x + p->side / 2, y + p->side / 2 + 4, "middle", number);
}

static void write_cells(const plot *p)
{
    for (int64_t i = 0; i < p->cells; i++) {
        int64_t all = 0;
        for (int64_t j = 0; j < p->cells; j++)
            all += count(p, i, j);
        for (int64_t j = 0; j < p->cells; j++) {
            int64_t rows = count(p, i, j);
            if (rows > 0)
                write_cell(p, i, j, rows, all);
        }
    }
    fprintf(p->file,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"grid\" fill=\"none\"/>\n",
            LEFT, TOP, SIDE, SIDE);
}

/* The meaning of a full colour: all rows of a label. */
static void write_scale(const plot *p)
{
    enum { STEPS = 11, HEIGHT = 18 };
    int x = LEFT + SIDE + 20;
    for (int i = 0; i < STEPS; i++) {
        double share = 1 - i / (STEPS - 1.0);
        int y = TOP + 40 + i * HEIGHT;
        char label[16];
        for (int wrong = 0; wrong < 2; wrong++)
            fprintf(p->file,
                    "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"%d\" class=\"%s\" "
                    "fill-opacity=\"%.3f\"/>\n",
                    x + 14 * wrong, y, HEIGHT, wrong ? "second-fill" : "first-fill", shade(share));
        (void)snprintf(label, sizeof label, "%.0f %%", 100 * share);
        if (i % 5 == 0)
            svg_text(p->file, x + 34, y + 13, "start", label);
    }
    svg_text(p->file, x, TOP + 12, "start", "part of the");
    svg_text(p->file, x, TOP + 28, "start", "label's rows");
}

void confusion_draw(FILE *file, const void *what)
{
    plot p = { .file = file, .c = what };
    p.each = (p.c->classes + MOST_CELLS - 1) / MOST_CELLS;
    p.cells = (p.c->classes + p.each - 1) / p.each;
    p.side = (double)SIDE / (double)p.cells;
    svg_begin(file, LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM, "Confusion matrix of the test rows");
    svg_text(file, LEFT, 22, "start", "test rows by label (line) and prediction (column)");
    svg_text(file, LEFT, 42, "start", "blue: right, orange: mistaken");
    write_names(&p);
    write_cells(&p);
    write_scale(&p);
    svg_text(file, LEFT + SIDE / 2.0, TOP + SIDE + BOTTOM - 8, "middle", "prediction");
    fprintf(file, "<g transform=\"translate(16 %d) rotate(-90)\">", TOP + SIDE / 2);
    svg_text(file, 0, 0, "middle", "label");
    fprintf(file, "</g>\n");
    svg_end(file);
}
