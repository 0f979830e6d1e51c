/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of each device, shared out: one pass over the beginnings and ends of all slices.
 *
 * All devices that have nothing to do are in the same state, so its time is added up once, and a
 * device that gets something to do adds what was added since it had none. Work and memory do not
 * grow with the number of devices. */
#include "config.h"

#include "cli/report.h"

#include <stdlib.h>

typedef struct edge {
    int64_t at_ns;
    uint32_t slice;
    bool is_begin;
} edge;

/* slices of a device that are open, by kind; `idle`: what all of them were when it had none */
typedef struct load {
    int32_t open[TIMELINE_OTHER + 1];
    int64_t since_ns, idle[REPORT_STATES];
} load;

typedef struct sweep {
    report *r;
    load *loads;
    int64_t *beside_at; /* of each slice: `together_ns` when it began */
    int64_t now_ns;
    int64_t idle[REPORT_STATES], together_ns;
    int32_t busy, in_bodies; /* devices */
    int32_t calls, waits, inputs;
} sweep;

const char *report_state_name(report_state state)
{
    static const char *const names[] = { "compute", "copy",  "reduce",   "other",
                                         "wait",    "input", "dispatch", "program" };
    return names[state];
}

/* ------------------------------------------------------------------ states */

static report_state idle_state(const sweep *w)
{
    if (w->inputs > 0)
        return REPORT_INPUT;
    if (w->busy > 0 || w->waits > 0)
        return REPORT_WAIT;
    return w->calls > 0 ? REPORT_DISPATCH : REPORT_PROGRAM;
}

/* REPORT_WAIT: it has nothing to do. */
static report_state own_state(const load *l)
{
    for (int kind = 0; kind <= TIMELINE_OTHER; kind++)
        if (l->open[kind] > 0)
            return (report_state)kind; /* in the same order */
    return REPORT_WAIT;
}
_Static_assert((int)REPORT_COMPUTE == (int)TIMELINE_BODY &&
                   (int)REPORT_COPY == (int)TIMELINE_COPY &&
                   (int)REPORT_REDUCE == (int)TIMELINE_SUM &&
                   (int)REPORT_OTHER == (int)TIMELINE_OTHER,
               "kinds of slices of devices are states of theirs");

static void pass_time(sweep *w, int64_t to_ns)
{
    const int64_t ns = report_kept_before(w->r, to_ns) - report_kept_before(w->r, w->now_ns);
    w->idle[idle_state(w)] += ns;
    w->r->unserved_ns += w->busy == 0 && w->waits > 0 && w->inputs == 0 ? ns : 0;
    w->together_ns += w->in_bodies >= 2 ? to_ns - w->now_ns : 0;
    w->now_ns = to_ns;
}

/* What the device did since it last began something else. */
static void settle(sweep *w, int32_t device)
{
    load *l = &w->loads[device];
    const report_state state = own_state(l);
    int64_t *ns = w->r->devices[device].ns;
    if (state != REPORT_WAIT)
        ns[state] += report_kept_before(w->r, w->now_ns) - report_kept_before(w->r, l->since_ns);
    for (int i = 0; i < REPORT_STATES; i++) {
        ns[i] += state == REPORT_WAIT ? w->idle[i] - l->idle[i] : 0;
        l->idle[i] = w->idle[i];
    }
    l->since_ns = w->now_ns;
}

/* ------------------------------------------------------------------ edges */

static void turn_device(sweep *w, const timeline_slice *s, int by)
{
    load *l = &w->loads[s->device];
    settle(w, s->device);
    const report_state before = own_state(l);
    l->open[s->kind] += by;
    const report_state after = own_state(l);
    w->busy += (after != REPORT_WAIT) - (before != REPORT_WAIT);
    w->in_bodies += (after == REPORT_COMPUTE) - (before == REPORT_COMPUTE);
}

/* Most of its time beside another one, or alone; what is neither tells nothing. */
static void note_beside(sweep *w, uint32_t slice)
{
    const timeline_slice *s = &w->r->t.slices[slice];
    const int64_t ns = s->end_ns - s->begin_ns, beside = w->together_ns - w->beside_at[slice];
    report_beside *b = &w->r->beside[s->name];
    if (beside * 10 >= ns * 8 && ns > 0) {
        b->together++;
        b->together_ns += (double)ns;
    } else if (beside * 10 <= ns * 2 && ns > 0) {
        b->alone++;
        b->alone_ns += (double)ns;
    }
}

static void count(const sweep *w, const timeline_slice *s)
{
    report_device *d = s->device >= 0 ? &w->r->devices[s->device] : NULL;
    if (!report_is_kept(w->r, s->begin_ns))
        return;
    w->r->waits += s->kind == TIMELINE_WAIT;
    if (d == NULL)
        return;
    d->operations++;
    d->launches += s->kind == TIMELINE_BODY;
    d->bytes += (double)s->bytes;
}

static void turn(sweep *w, const edge *e)
{
    const timeline_slice *s = &w->r->t.slices[e->slice];
    const int by = e->is_begin ? 1 : -1;
    pass_time(w, e->at_ns);
    if (e->is_begin)
        w->beside_at[e->slice] = w->together_ns;
    else if (s->kind == TIMELINE_BODY && report_is_kept(w->r, s->begin_ns))
        note_beside(w, e->slice);
    if (s->device >= 0)
        turn_device(w, s, by);
    w->calls += s->kind == TIMELINE_CALL || s->kind == TIMELINE_STEP ? by : 0;
    w->waits += s->kind == TIMELINE_WAIT ? by : 0;
    w->inputs += s->kind == TIMELINE_INPUT ? by : 0;
}

/* Ends before beginnings, so that what follows one another is not beside one another. */
static int by_time(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    if (x->is_begin != y->is_begin)
        return x->is_begin ? 1 : -1;
    return x->slice < y->slice ? -1 : x->slice > y->slice;
}

/* What has no length takes no time. */
static size_t list_edges(const timeline *t, edge *out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->slices[i].end_ns > t->slices[i].begin_ns) {
            out[n++] = (edge){ t->slices[i].begin_ns, (uint32_t)i, true };
            out[n++] = (edge){ t->slices[i].end_ns, (uint32_t)i, false };
        }
    qsort(out, n, sizeof *out, by_time);
    return n;
}

static void find_busiest(report *r)
{
    int64_t most = -1;
    for (int32_t d = 0; d < r->t.n_devices; d++) {
        int64_t ns = 0;
        for (int i = REPORT_COMPUTE; i <= REPORT_OTHER; i++)
            ns += r->devices[d].ns[i];
        if (ns > most) {
            most = ns;
            r->busiest = d;
        }
    }
}

static void go_through(sweep *w, const edge *edges, size_t n)
{
    for (size_t i = 0; i < w->r->t.n; i++)
        count(w, &w->r->t.slices[i]);
    for (size_t i = 0; i < n; i++)
        turn(w, &edges[i]);
    pass_time(w, w->r->begins[w->r->n_steps] > w->now_ns ? w->r->begins[w->r->n_steps] : w->now_ns);
    for (int32_t d = 0; d < w->r->t.n_devices; d++)
        settle(w, d);
}

bool report_find_shares(report *r)
{
    const size_t n = r->t.n;
    sweep w = { .r = r };
    edge *edges = calloc(2 * n + 1, sizeof *edges);
    w.loads = calloc((size_t)r->t.n_devices, sizeof *w.loads);
    w.beside_at = calloc(n + 1, sizeof *w.beside_at);
    r->devices = calloc((size_t)r->t.n_devices, sizeof *r->devices);
    r->beside = calloc((size_t)r->t.n_names, sizeof *r->beside);
    const bool has_memory = edges != NULL && w.loads != NULL && w.beside_at != NULL &&
                            r->devices != NULL && r->beside != NULL;
    if (has_memory) {
        go_through(&w, edges, list_edges(&r->t, edges));
        find_busiest(r);
    }
    free(edges);
    free(w.loads);
    free(w.beside_at);
    return has_memory;
}
