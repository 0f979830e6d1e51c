/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts: the loss of each epoch as an SVG of fixed size, logarithmic, because losses fall by
 * factors. The text depends on nothing but the numbers, so that the same training writes the same
 * file. */
#include "config.h"

#include "cli/chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

enum {
    WIDTH = 640,
    HEIGHT = 360,
    LEFT = 70,
    RIGHT = 20,
    TOP = 40,
    BOTTOM = 50,
    MOST_POINTS = 1000,
    MOST_LABELS = 10
};

typedef struct chart {
    FILE *file;
    const double *loss;
    int64_t epochs;
    double low, high; /* whole powers of ten */
} chart;

/* Zero and what is no number have no place on a logarithmic axis. */
static bool is_shown(double loss)
{
    return isfinite(loss) && loss > 0;
}

/* Whole decades, so that the grid's lines lie on powers of ten; one at least, or y_of would divide
 * by zero. */
static void find_range(chart *c)
{
    c->low = INFINITY;
    c->high = -INFINITY;
    for (int64_t i = 0; i < c->epochs; i++)
        if (is_shown(c->loss[i])) {
            c->low = fmin(c->low, floor(log10(c->loss[i])));
            c->high = fmax(c->high, ceil(log10(c->loss[i])));
        }
    if (!isfinite(c->low))
        c->low = c->high = 0;
    if (c->high <= c->low)
        c->high = c->low + 1;
}

/* A single epoch stands in the middle. */
static double x_of(const chart *c, int64_t epoch)
{
    double share = c->epochs > 1 ? (double)(epoch - 1) / (double)(c->epochs - 1) : 0.5;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(const chart *c, double exponent)
{
    return TOP + (c->high - exponent) / (c->high - c->low) * (HEIGHT - TOP - BOTTOM);
}

/* The texts are ours and have nothing to escape. */
static void write_text(const chart *c, double x, double y, const char *anchor, const char *text)
{
    fprintf(c->file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
            text);
}

/* Many decades, as of a loss that explodes, are thinned out to what fits. */
static void write_decades(const chart *c)
{
    int step = (int)ceil((c->high - c->low) / MOST_LABELS);
    for (int exponent = (int)c->low; exponent <= (int)c->high; exponent += step) {
        char label[32];
        double y = y_of(c, exponent);
        snprintf(label, sizeof label, "%g", pow(10, exponent));
        fprintf(c->file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>\n",
                LEFT, y, WIDTH - RIGHT, y);
        write_text(c, LEFT - 8, y + 4, "end", label);
    }
}

static void write_epochs(const chart *c)
{
    int64_t step = (c->epochs + MOST_LABELS - 1) / MOST_LABELS;
    for (int64_t epoch = step; epoch <= c->epochs; epoch += step) {
        char label[32];
        snprintf(label, sizeof label, "%" PRId64, epoch);
        write_text(c, x_of(c, epoch), HEIGHT - BOTTOM + 20, "middle", label);
    }
}

/* A file of 100,000 epochs would be large and draw no better than one of 1,000 points. */
static void write_curve(const chart *c)
{
    int64_t step = (c->epochs + MOST_POINTS - 1) / MOST_POINTS;
    fprintf(c->file, "<polyline points=\"");
    for (int64_t i = 0; i < c->epochs; i += step)
        if (is_shown(c->loss[i]))
            fprintf(c->file, "%.1f,%.1f ", x_of(c, i + 1), y_of(c, log10(c->loss[i])));
    fprintf(c->file, "\"/>\n");
}

void chart_write(FILE *file, const double *loss, int64_t epochs)
{
    chart c = { .file = file, .loss = loss, .epochs = epochs };
    find_range(&c);
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\">\n"
            "<title>Training loss per epoch</title>\n"
            "<style>text { font: 13px sans-serif; fill: #333 } .grid { stroke: #ddd } "
            "polyline { fill: none; stroke: #1f6fb2; stroke-width: 2; stroke-linecap: round; "
            "stroke-linejoin: round "
            "}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    write_text(&c, LEFT, TOP - 16, "start", "training loss (cross-entropy per image, logarithmic)");
    write_decades(&c);
    write_epochs(&c);
    write_text(&c, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", "epoch");
    write_curve(&c);
    fprintf(file, "</svg>\n");
}
