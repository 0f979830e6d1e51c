/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts: two panels of fixed size. Losses are logarithmic, because they fall by factors;
 * accuracies are not. The text depends on nothing but the numbers, so that the same training writes
 * the same file. */
#include "config.h"

#include "cli/chart.h"

#include "cli/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

enum {
    WIDTH = 960,
    HEIGHT = 360,
    PANEL = WIDTH / 2,
    LEFT = 70,
    RIGHT = 20,
    TOP = 64,
    BOTTOM = 50,
    MOST_POINTS = 1000,
    MOST_LABELS = 10
};

/* One of the two, whose left edge is at `at`. */
typedef struct panel {
    FILE *file;
    const chart_epochs *all;
    bool is_loss;
    double at, low, high; /* of a loss, the exponents of whole powers of ten */
} panel;

/* What is drawn for an epoch; NaN: nothing. Zero has no place on a logarithmic axis. */
static double height_of(const panel *p, int64_t epoch, bool is_validation)
{
    const training_epoch *e = &p->all->epoch[epoch];
    const figures *f = is_validation ? &e->validation : &e->training;
    double height = !p->is_loss ? f->accuracy : f->loss > 0 ? log10(f->loss) : NAN;
    return isfinite(height) ? height : NAN;
}

/* Whole decades of losses and whole tenths of accuracies, so that lines of the grid lie on round
 * numbers; one at least, or y_of would divide by zero. */
static void find_range(panel *p)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < p->all->epochs; i++)
        for (int v = 0; v < 2; v++) {
            double height = height_of(p, i, v == 1);
            low = isnan(height) ? low : fmin(low, height);
            high = isnan(height) ? high : fmax(high, height);
        }
    bool is_empty = low > high;
    if (p->is_loss) {
        p->low = is_empty ? 0 : floor(low);
        p->high = is_empty ? 1 : fmax(ceil(high), p->low + 1);
    } else {
        p->low = is_empty ? 0 : fmin(floor(low * 10) / 10, 0.9);
        p->high = 1;
    }
}

/* A single epoch stands in the middle. */
static double x_of(const panel *p, int64_t epoch)
{
    int64_t n = p->all->epochs;
    double share = n > 1 ? (double)(epoch - 1) / (double)(n - 1) : 0.5;
    return p->at + LEFT + share * (PANEL - LEFT - RIGHT);
}

static double y_of(const panel *p, double height)
{
    return TOP + (p->high - height) / (p->high - p->low) * (HEIGHT - TOP - BOTTOM);
}

static void write_level(const panel *p, double height, double number)
{
    char label[32];
    double y = y_of(p, height);
    (void)snprintf(label, sizeof label, "%.6g", number);
    svg_line(p->file, p->at + LEFT, y, p->at + PANEL - RIGHT, y, "grid");
    svg_text(p->file, p->at + LEFT - 8, y + 4, "end", label);
}

/* Many decades, as of a loss that explodes, are thinned out to what fits. */
static void write_levels(const panel *p)
{
    double range = p->high - p->low;
    if (p->is_loss) {
        int step = (int)ceil(range / MOST_LABELS);
        for (int exponent = (int)p->low; exponent <= (int)p->high; exponent += step)
            write_level(p, exponent, pow(10, exponent));
        return;
    }
    double step = range < 0.15 ? 0.02 : range < 0.35 ? 0.05 : 0.1;
    for (int i = 0; i <= (int)lround(range / step); i++)
        write_level(p, p->high - i * step, p->high - i * step);
}

static void write_epochs(const panel *p)
{
    int64_t step = (p->all->epochs + MOST_LABELS - 1) / MOST_LABELS;
    for (int64_t epoch = step; epoch <= p->all->epochs; epoch += step) {
        char label[32];
        (void)snprintf(label, sizeof label, "%" PRId64, epoch);
        svg_text(p->file, x_of(p, epoch), HEIGHT - BOTTOM + 20, "middle", label);
    }
    svg_text(p->file, p->at + (LEFT + PANEL - RIGHT) / 2.0, HEIGHT - 10, "middle", "epoch");
}

/* A file of 100,000 epochs would be large and draw no better than one of 1,000 points. The last
 * point is a dot, which a single epoch is seen by. */
static void write_curve(const panel *p, bool is_validation)
{
    const char *look = is_validation ? "second" : "first";
    int64_t step = (p->all->epochs + MOST_POINTS - 1) / MOST_POINTS, last = -1;
    fprintf(p->file, "<polyline class=\"%s\" points=\"", look);
    for (int64_t i = 0; i < p->all->epochs; i += step) {
        double height = height_of(p, i, is_validation);
        if (isnan(height))
            continue;
        fprintf(p->file, "%.1f,%.1f ", x_of(p, i + 1), y_of(p, height));
        last = i;
    }
    fprintf(p->file, "\"/>\n");
    if (last >= 0)
        fprintf(p->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"%s-fill\"/>\n",
                x_of(p, last + 1), y_of(p, height_of(p, last, is_validation)), look);
}

static void write_key(const panel *p, double x, const char *look, const char *name)
{
    svg_line(p->file, x, TOP - 20, x + 28, TOP - 20, look);
    svg_text(p->file, x + 36, TOP - 16, "start", name);
}

static void write_panel(panel *p)
{
    find_range(p);
    svg_text(p->file, p->at + LEFT, 22, "start",
             p->is_loss ? "loss: cross-entropy per row, logarithmic"
                        : "accuracy: part of the rows that are right");
    write_key(p, p->at + LEFT, "key first", "training");
    write_key(p, p->at + LEFT + 120, "key second", "validation");
    write_levels(p);
    write_epochs(p);
    write_curve(p, false);
    write_curve(p, true);
}

void chart_draw(FILE *file, const void *what)
{
    svg_begin(file, WIDTH, HEIGHT, "Loss and accuracy of each epoch");
    write_panel(&(panel){ .file = file, .all = what, .is_loss = true });
    write_panel(&(panel){ .file = file, .all = what, .at = PANEL });
    svg_end(file);
}
