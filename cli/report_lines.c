/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/report_lines.h"

enum { STEPS_SHOWN = 3 };

report_window report_window_of(const report *r)
{
    int64_t first = r->n_steps / 2 - STEPS_SHOWN / 2;
    first = first > 0 ? first : 0;
    int64_t last = first + STEPS_SHOWN < r->n_steps ? first + STEPS_SHOWN : r->n_steps;
    return (report_window){ r->begins[first], r->begins[last] };
}

report_state report_line_state(const timeline_slice *s)
{
    switch (s->kind) {
    case TIMELINE_WAIT:
        return REPORT_WAIT;
    case TIMELINE_INPUT:
        return REPORT_INPUT;
    case TIMELINE_CALL:
    case TIMELINE_STEP:
        return REPORT_DISPATCH;
    case TIMELINE_RANGE:
        return REPORT_PROGRAM;
    case TIMELINE_TRACE:
        return REPORT_OTHER;
    default:
        return (report_state)s->kind;
    }
}

/* The slice that a column shows, and how much of the column it has. */
typedef struct column {
    const timeline_slice *slice;
    double part;
} column;

static double place_of(const report_window *w, int64_t ns)
{
    const double length = (double)(w->until_ns - w->from_ns);
    const double place = length > 0 ? (double)(ns - w->from_ns) / length * REPORT_LINE_COLUMNS : 0;
    return place < 0 ? 0 : place > REPORT_LINE_COLUMNS ? REPORT_LINE_COLUMNS : place;
}

/* A slice in another one comes later, and hides it. */
static void put(const report_window *w, const timeline_slice *s, column columns[])
{
    const double from = place_of(w, s->begin_ns), until = place_of(w, s->end_ns);
    for (int i = (int)from; i < until; i++) {
        const double begin = from > i ? from : i, end = until < i + 1 ? until : i + 1;
        if (end - begin >= columns[i].part)
            columns[i] = (column){ s, end - begin };
    }
}

static void join(const column columns[], report_line *out)
{
    for (int i = 0; i < REPORT_LINE_COLUMNS; i++) {
        report_run *last = out->n > 0 ? &out->runs[out->n - 1] : NULL;
        if (columns[i].slice == NULL)
            continue;
        if (last != NULL && last->slice == columns[i].slice && last->until == i)
            last->until++;
        else
            out->runs[out->n++] = (report_run){ columns[i].slice, i, i + 1 };
    }
}

void report_draw_line(const report *r, const report_window *w, int32_t device, report_line *out)
{
    column columns[REPORT_LINE_COLUMNS] = { 0 };
    out->device = device;
    out->n = 0;
    for (size_t i = 0; i < r->t.n && r->t.slices[i].begin_ns < w->until_ns; i++)
        if (r->t.slices[i].device == device && r->t.slices[i].end_ns > w->from_ns)
            put(w, &r->t.slices[i], columns);
    join(columns, out);
}
