/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path of the step that takes most nearly as long as all do on average, found
 * backwards: from the operation that ends last to the one that had ended last when it began, and so
 * on to the beginning of the step. A trace does not say what an operation has waited for, and this
 * is who has come last before it. The time between two of them is what the calling thread did
 * then. */
#include "config.h"

#include "cli/report.h"

#include <math.h>
#include <stdlib.h>

typedef struct moment {
    int64_t at_ns;
    report_state state;
} moment;

/* moments: when the state of the thread changes, by time; operations: by their ends */
typedef struct walk {
    report *r;
    moment *moments;
    const timeline_slice **operations;
    size_t n_moments, n_operations;
    int64_t from_ns, until_ns;
    int64_t first_flow, last_flow; /* of the step's operations, by their arrows; 0, 0: by time */
    int64_t next_ns;               /* where the next step begins */
} walk;

/* ------------------------------------------------------------------ the calling thread */

typedef struct turn {
    int64_t at_ns;
    timeline_kind kind;
    int by;
} turn;

static int by_turn(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns ? 1 : x->by - y->by;
}

static bool is_about(const walk *w, const timeline_slice *s)
{
    return s->begin_ns <= w->until_ns && s->end_ns >= w->from_ns;
}

static size_t list_turns(const walk *w, turn *out)
{
    size_t n = 0;
    for (size_t i = 0; i < w->r->t.n; i++) {
        const timeline_slice *s = &w->r->t.slices[i];
        if (timeline_is_device(s) || s->kind >= TIMELINE_RANGE || !is_about(w, s))
            continue;
        out[n++] = (turn){ s->begin_ns, s->kind, 1 };
        out[n++] = (turn){ s->end_ns, s->kind, -1 };
    }
    qsort(out, n, sizeof *out, by_turn);
    return n;
}

static void list_moments(walk *w, const turn *turns, size_t n)
{
    int32_t open[TIMELINE_KINDS] = { 0 };
    for (size_t i = 0; i < n; i++) {
        open[turns[i].kind] += turns[i].by;
        const report_state state = open[TIMELINE_INPUT] > 0                        ? REPORT_INPUT
                                   : open[TIMELINE_WAIT] > 0                       ? REPORT_WAIT
                                   : open[TIMELINE_CALL] + open[TIMELINE_STEP] > 0 ? REPORT_DISPATCH
                                                                                   : REPORT_PROGRAM;
        w->moments[w->n_moments++] = (moment){ turns[i].at_ns, state };
    }
}

static report_state state_at(const walk *w, int64_t at_ns)
{
    size_t low = 0, high = w->n_moments;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (w->moments[middle].at_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? w->moments[low - 1].state : REPORT_PROGRAM;
}

/* ------------------------------------------------------------------ the operations */

static int by_end(const void *a, const void *b)
{
    const timeline_slice *x = *(const timeline_slice *const *)a,
                         *y = *(const timeline_slice *const *)b;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* What is shorter than a clock tells is nobody's reason. */
static void list_operations(walk *w)
{
    for (size_t i = 0; i < w->r->t.n; i++) {
        const timeline_slice *s = &w->r->t.slices[i];
        if (timeline_is_device(s) && is_about(w, s) && s->end_ns > s->begin_ns)
            w->operations[w->n_operations++] = s;
    }
    qsort(w->operations, w->n_operations, sizeof(const timeline_slice *), by_end);
}

static void add_part(report *r, report_state state, const timeline_slice *s, int64_t ns)
{
    const report_part part = { .state = state,
                               .name = s != NULL ? s->name : -1,
                               .device = s != NULL ? s->device : -1,
                               .ns = ns };
    int at = 0;
    while (at < r->n_parts && (r->parts[at].state != part.state || r->parts[at].name != part.name ||
                               r->parts[at].device != part.device))
        at++;
    if (ns <= 0 || at == REPORT_MOST_PARTS)
        return;
    if (at == r->n_parts)
        r->parts[r->n_parts++] = part;
    else
        r->parts[at].ns += ns;
}

static void add_gap(const walk *w, int64_t from_ns, int64_t until_ns)
{
    add_part(w->r, state_at(w, from_ns + (until_ns - from_ns) / 2), NULL, until_ns - from_ns);
}

/* Whether the operation is one of the step. A step is handed over before the one before it is over,
 * so arrows say it, where there are some. */
static bool is_of_step(const walk *w, const timeline_slice *s)
{
    if (w->last_flow > 0)
        return s->flow >= w->first_flow && s->flow <= w->last_flow;
    return s->begin_ns >= w->from_ns && s->begin_ns < w->next_ns;
}

static void go_back(walk *w)
{
    int64_t at_ns = w->until_ns;
    bool is_there = false;
    for (size_t i = w->n_operations; i > 0 && !is_there; i--) {
        const timeline_slice *s = w->operations[i - 1];
        if (s->end_ns > at_ns)
            continue;
        add_gap(w, s->end_ns, at_ns);
        is_there = !is_of_step(w, s);
        at_ns = is_there ? s->end_ns : s->begin_ns;
        if (!is_there)
            add_part(w->r, (report_state)s->kind, s, s->end_ns - s->begin_ns);
    }
    if (!is_there && at_ns > w->from_ns)
        add_gap(w, w->from_ns, at_ns);
    for (int i = 0; i < w->r->n_parts; i++)
        w->r->path_ns += w->r->parts[i].ns;
}

static int by_length(const void *a, const void *b)
{
    const report_part *x = a, *y = b;
    return x->ns > y->ns ? -1 : x->ns < y->ns;
}

static int64_t usual_step(const report *r)
{
    const double mean = report_step_ns(r);
    double least = INFINITY;
    int64_t step = 0;
    for (int64_t i = 0; i < r->n_steps; i++) {
        const double off = fabs((double)(r->begins[i + 1] - r->begins[i]) - mean);
        if (off < least && report_is_kept(r, r->begins[i])) {
            step = i;
            least = off;
        }
    }
    return step;
}

/* Numbers of calls grow, also of those that are made in another one. Without arrows there is the
 * time alone. */
static void find_flows(walk *w)
{
    w->last_flow = INT64_MAX;
    for (size_t i = w->r->t.n; i > 0; i--) {
        const timeline_slice *s = &w->r->t.slices[i - 1];
        if (s->kind != TIMELINE_CALL || s->flow == 0)
            continue;
        if (s->begin_ns >= w->next_ns)
            w->last_flow = s->flow - 1;
        else if (s->begin_ns >= w->from_ns)
            w->first_flow = s->flow;
    }
    if (w->first_flow == 0)
        w->last_flow = 0;
}

/* The end of a step is that of its last operation. */
static void find_step(walk *w)
{
    const report *r = w->r;
    const int64_t step = usual_step(r);
    w->from_ns = r->begins[step];
    w->until_ns = w->next_ns = r->begins[step + 1];
    if (r->unit == REPORT_PROGRAM_STEPS)
        w->first_flow = w->last_flow = r->flows[step];
    else if (r->unit != REPORT_RANGES && r->unit != REPORT_WHOLE)
        find_flows(w);
    for (size_t i = 0; i < r->t.n; i++) {
        const timeline_slice *s = &r->t.slices[i];
        if (timeline_is_device(s) && is_of_step(w, s) && s->end_ns > w->until_ns)
            w->until_ns = s->end_ns;
    }
}

bool report_find_path(report *r)
{
    walk w = { .r = r };
    turn *turns = calloc(2 * r->t.n + 1, sizeof *turns);
    w.moments = calloc(2 * r->t.n + 1, sizeof *w.moments);
    w.operations = calloc(r->t.n + 1, sizeof *w.operations);
    const bool has_memory = turns != NULL && w.moments != NULL && w.operations != NULL;
    if (has_memory) {
        find_step(&w);
        list_moments(&w, turns, list_turns(&w, turns));
        list_operations(&w);
        go_back(&w);
        qsort(r->parts, (size_t)r->n_parts, sizeof *r->parts, by_length);
    }
    free(turns);
    free(w.moments);
    free(w.operations);
    return has_memory;
}
