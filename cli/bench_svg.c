/* SPDX-License-Identifier: BSD-3-Clause */
/* The measurements as a picture: a panel for each kind, the sizes on a logarithmic axis. That of
 * launches is the METG curve: the efficiency of a task by the time that it takes alone. */
#include "config.h"

#include "cli/bench.h"
#include "cli/svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, PANEL = 330, LEFT = 80, RIGHT = 30, TOP = 64, BOTTOM = 56, TENTHS = 5 };

/* x: exponents of ten; y: percent, or a rate from 0. */
typedef struct panel {
    FILE *file;
    const bench *b;
    bench_kind kind;
    double at, low, high, top;
} panel;

typedef struct point {
    double x, y;
} point;

/* What is drawn of a row; false: nothing. More than all of the efficiency is drawn as all. */
static bool point_of(const panel *p, const bench_row *row, bool is_limit, point *out)
{
    const bench_times *times = is_limit ? &row->limit : &row->cohort;
    bool is_wanted = row->kind == p->kind && row->size > 0 && times->n > 0;
    if (!is_wanted || (p->kind == BENCH_LAUNCH && (is_limit || row->limit.n == 0)))
        return false;
    if (p->kind == BENCH_LAUNCH)
        *out = (point){ log10(row->limit.at[0]), fmin(100 * bench_efficiency(row), 100) };
    else
        *out = (point){ log10((double)row->size), row->work / bench_median(times) / 1e9 };
    return isfinite(out->x) && isfinite(out->y);
}

/* 1, 2 or 5 times a power of ten, at least y. */
static double round_up(double y)
{
    double power = pow(10, floor(log10(y)));
    return power * (y <= power ? 1 : y <= 2 * power ? 2 : y <= 5 * power ? 5 : 10);
}

static void find_range(panel *p)
{
    point at;
    double top = 0;
    p->low = INFINITY;
    p->high = -INFINITY;
    for (int i = 0; i < p->b->n_rows; i++)
        for (int limit = 0; limit < 2; limit++)
            if (point_of(p, &p->b->rows[i], limit == 1, &at)) {
                p->low = fmin(p->low, at.x);
                p->high = fmax(p->high, at.x);
                top = fmax(top, at.y);
            }
    if (p->low > p->high)
        p->low = p->high = 0;
    p->low = floor(p->low);
    p->high = fmax(ceil(p->high), p->low + 1);
    p->top = p->kind == BENCH_LAUNCH ? 100 : top > 0 ? round_up(top) : 1;
}

static double x_of(const panel *p, double x)
{
    return LEFT + (x - p->low) / (p->high - p->low) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const panel *p, double y)
{
    return p->at + TOP + (1 - y / p->top) * (PANEL - TOP - BOTTOM);
}

/* 0.1, 1, 10, 100, 1 K ... */
static void write_power(int exponent, char *out, size_t size)
{
    static const char *const letters[] = { "", " K", " M", " G", " T" };
    int thousands = exponent >= 15 ? 4 : exponent >= 0 ? exponent / 3 : 0;
    (void)snprintf(out, size, "%g%s", pow(10, exponent - 3 * thousands), letters[thousands]);
}

static void write_grid(const panel *p)
{
    char label[32];
    for (int i = 0; i <= TENTHS; i++) {
        double y = p->top * i / TENTHS;
        (void)snprintf(label, sizeof label, "%.4g", y);
        svg_line(p->file, LEFT, y_of(p, y), WIDTH - RIGHT, y_of(p, y), "grid");
        svg_text(p->file, LEFT - 8, y_of(p, y) + 4, "end", label);
    }
    for (double x = p->low; x <= p->high; x++) {
        write_power(p->kind == BENCH_LAUNCH ? (int)x + 6 : (int)x, label, sizeof label);
        svg_line(p->file, x_of(p, x), p->at + TOP, x_of(p, x), p->at + PANEL - BOTTOM, "grid");
        svg_text(p->file, x_of(p, x), p->at + PANEL - BOTTOM + 20, "middle", label);
    }
}

/* Rows that are called the same are one curve, whose highest point has the name;
 * of tasks there is but one curve. */
static void write_curve(const panel *p, const char *what, bool is_limit)
{
    const char *look = is_limit ? "second" : "first";
    point at, top = { NAN, -1 };
    fprintf(p->file, "<polyline class=\"%s\" points=\"", look);
    for (int i = 0; i < p->b->n_rows; i++)
        if (strcmp(p->b->rows[i].what, what) == 0 && point_of(p, &p->b->rows[i], is_limit, &at)) {
            fprintf(p->file, "%.1f,%.1f ", x_of(p, at.x), y_of(p, at.y));
            top = at.y > top.y ? at : top;
        }
    fprintf(p->file, "\"/>\n");
    if (top.y < 0)
        return;
    fprintf(p->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"%s-fill\"/>\n",
            x_of(p, top.x), y_of(p, top.y), look);
    if (!is_limit && p->kind != BENCH_LAUNCH)
        svg_text(p->file, x_of(p, top.x) + 8, y_of(p, top.y) - 8, "start", what);
}

static bool is_first_of_its_name(const bench *b, int row)
{
    for (int i = 0; i < row; i++)
        if (b->rows[i].kind == b->rows[row].kind && strcmp(b->rows[i].what, b->rows[row].what) == 0)
            return false;
    return true;
}

static void write_curves(const panel *p)
{
    for (int i = 0; i < p->b->n_rows; i++)
        if (p->b->rows[i].kind == p->kind && p->b->rows[i].size > 0 &&
            is_first_of_its_name(p->b, i)) {
            write_curve(p, p->b->rows[i].what, true);
            write_curve(p, p->b->rows[i].what, false);
        }
}

static void write_metg(const panel *p)
{
    bool is_bound;
    char label[96];
    double metg = bench_metg(p->b, &is_bound), x = log10(metg);
    svg_line(p->file, LEFT, y_of(p, 50), WIDTH - RIGHT, y_of(p, 50), "key second");
    if (isnan(metg))
        return;
    (void)snprintf(label, sizeof label, "METG(50 %%): %s%.2f us", is_bound ? "at most " : "",
                   metg * 1e6);
    svg_line(p->file, x_of(p, x), y_of(p, 50), x_of(p, x), p->at + PANEL - BOTTOM, "key second");
    svg_text(p->file, x_of(p, x) + 8, y_of(p, 0) - 8, "start", label);
}

static void write_panel(panel *p)
{
    static const char *const titles[] = { "launch: efficiency in percent", "copy: GB/s",
                                          "reduce: GB/s of all replicas' bytes", "gemm: GFLOP/s" };
    static const char *const sizes[] = { "microseconds that the task takes alone",
                                         "bytes of the variable", "bytes of a replica",
                                         "rows of the matrices" };
    find_range(p);
    svg_text(p->file, LEFT, p->at + 24, "start", titles[p->kind]);
    svg_line(p->file, LEFT, p->at + TOP - 20, LEFT + 28, p->at + TOP - 20, "key first");
    svg_text(p->file, LEFT + 36, p->at + TOP - 16, "start", "cohort");
    svg_line(p->file, LEFT + 120, p->at + TOP - 20, LEFT + 148, p->at + TOP - 20, "key second");
    svg_text(p->file, LEFT + 156, p->at + TOP - 16, "start",
             p->kind == BENCH_LAUNCH         ? "half of the efficiency"
             : p->b->limits[p->kind] != NULL ? p->b->limits[p->kind]
                                             : "limit: not known");
    write_grid(p);
    write_curves(p);
    if (p->kind == BENCH_LAUNCH)
        write_metg(p);
    svg_text(p->file, (LEFT + WIDTH - RIGHT) / 2.0, p->at + PANEL - 12, "middle", sizes[p->kind]);
}

void bench_draw(FILE *file, const void *what)
{
    const bench *b = what;
    panel p = { .file = file, .b = b };
    svg_begin(file, WIDTH, PANEL * b->n_kinds, "Cohort beside the machine's own limit");
    for (int kind = 0; kind < BENCH_KINDS; kind++)
        if (b->has_kind[kind]) {
            p.kind = (bench_kind)kind;
            write_panel(&p);
            p.at += PANEL;
        }
    svg_end(file);
}
