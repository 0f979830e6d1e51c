/* SPDX-License-Identifier: BSD-3-Clause */
/* Which steps count. The machine does something else now and then, and programs do, too: a
 * validation, a checkpoint. Steps that take much longer than usual because of that would hide where
 * the time of the others goes.
 *
 * Steps are handed over before those before them are over, up to the next wait; so the beginning of
 * one says little about its length, and they are judged in blocks: of a few steps, and for those of
 * a program of whole calls of cohort_program_run. Where all are handed over at once the last block
 * has the work of all: so none is left out where half of the work would be. */
#include "config.h"

#include "cli/report.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_STEPS = 4, LEAST_BLOCKS = 4, MOST_BLOCKS = 64, LONG = 3 };

/* As often as the block in the middle, for a step. */
static const double much = 3;

/* Of steps first .. first + n - 1. */
typedef struct block {
    int64_t first, n;
    double step_ns;
} block;

/* n: steps of the block before. A call of many steps is cut as well. */
static bool begins_block(const report *r, int64_t step, int64_t n, int64_t least)
{
    return n >= LONG * least || (n >= least && (r->heads == NULL || r->heads[step]));
}

static int64_t list_blocks(const report *r, block *out)
{
    const int64_t usual = r->n_steps / MOST_BLOCKS,
                  least = usual > LEAST_STEPS ? usual : LEAST_STEPS;
    int64_t n = 0;
    for (int64_t i = 0; i < r->n_steps; i++)
        if (i == 0 || begins_block(r, i, i - out[n - 1].first, least))
            out[n++] = (block){ .first = i };
    for (int64_t i = 0; i < n; i++) {
        const int64_t end = i + 1 < n ? out[i + 1].first : r->n_steps;
        out[i].n = end - out[i].first;
        out[i].step_ns = (double)(r->begins[end] - r->begins[out[i].first]) / (double)out[i].n;
    }
    return n;
}

static int by_number(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The most that a step may take. */
static double find_limit(const block *blocks, int64_t n, double *room)
{
    for (int64_t i = 0; i < n; i++)
        room[i] = blocks[i].step_ns;
    qsort(room, (size_t)n, sizeof *room, by_number);
    return n >= LEAST_BLOCKS ? much * room[n / 2] : INFINITY;
}

static void add_span(report *r, int64_t from_ns, int64_t until_ns)
{
    report_span *last = r->n_spans > 0 ? &r->spans[r->n_spans - 1] : NULL;
    if (from_ns >= until_ns)
        return;
    if (last != NULL && last->until_ns == from_ns)
        last->until_ns = until_ns;
    else
        r->spans[r->n_spans++] =
            (report_span){ from_ns, until_ns,
                           last != NULL ? last->before_ns + last->until_ns - last->from_ns : 0 };
}

/* writes: the slices in which the trace itself was written, by time; at: the next one */
typedef struct keeper {
    report *r;
    const timeline_slice **writes;
    size_t n_writes, at;
} keeper;

/* Not the time in which the trace was written: the program had not spent it. */
static void keep(keeper *k, const block *b)
{
    int64_t from = k->r->begins[b->first];
    const int64_t until = k->r->begins[b->first + b->n];
    for (; k->at < k->n_writes && k->writes[k->at]->begin_ns < until; k->at++) {
        const timeline_slice *write = k->writes[k->at];
        if (write->end_ns <= from)
            continue;
        add_span(k->r, from, write->begin_ns);
        from = write->end_ns;
        if (from > until)
            break; /* into the next block */
    }
    add_span(k->r, from, until);
    k->r->n_kept += b->n;
}

static size_t list_writes(const timeline *t, const timeline_slice **out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (t->slices[i].kind != TIMELINE_TRACE)
            continue;
        if (out != NULL)
            out[n] = &t->slices[i];
        n++;
    }
    return n;
}

/* Of the time that devices have worked for steps, that which counts. */
static double kept_share(const report *r)
{
    double kept = 0, all = 0;
    for (size_t i = 0; i < r->t.n; i++) {
        const timeline_slice *s = &r->t.slices[i];
        if (s->kind >= TIMELINE_OTHER)
            continue;
        kept += (double)(report_kept_before(r, s->end_ns) - report_kept_before(r, s->begin_ns));
        all += s->end_ns > r->begins[0] && s->begin_ns < r->begins[r->n_steps]
                   ? (double)(s->end_ns - s->begin_ns)
                   : 0;
    }
    return all > 0 ? kept / all : 1;
}

static void keep_usual(keeper *k, const block *blocks, int64_t n, double limit)
{
    k->r->n_spans = k->r->n_kept = 0;
    k->at = 0;
    for (int64_t i = 0; i < n; i++)
        if (blocks[i].step_ns <= limit)
            keep(k, &blocks[i]);
}

static void choose(keeper *k, block *blocks, double *room)
{
    const int64_t n = list_blocks(k->r, blocks);
    (void)list_writes(&k->r->t, k->writes);
    keep_usual(k, blocks, n, find_limit(blocks, n, room));
    if (kept_share(k->r) < 0.5)
        keep_usual(k, blocks, n, INFINITY);
}

bool report_find_spans(report *r)
{
    keeper k = { .r = r, .n_writes = list_writes(&r->t, NULL) };
    block *blocks = calloc((size_t)r->n_steps + 1, sizeof *blocks);
    double *room = calloc((size_t)r->n_steps + 1, sizeof *room);
    k.writes = calloc(k.n_writes + 1, sizeof(const timeline_slice *));
    r->spans = calloc((size_t)r->n_steps + k.n_writes + 1, sizeof *r->spans);
    const bool has_memory = blocks != NULL && room != NULL && k.writes != NULL && r->spans != NULL;
    if (has_memory)
        choose(&k, blocks, room);
    free(blocks);
    free(room);
    free(k.writes);
    return has_memory;
}

/* The last one that begins by then; NULL: none. */
static const report_span *find_span(const report *r, int64_t at_ns)
{
    size_t low = 0, high = (size_t)r->n_spans;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->spans[middle].from_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &r->spans[low - 1] : NULL;
}

bool report_is_kept(const report *r, int64_t at_ns)
{
    const report_span *s = find_span(r, at_ns);
    return s != NULL && at_ns < s->until_ns;
}

int64_t report_kept_before(const report *r, int64_t at_ns)
{
    const report_span *s = find_span(r, at_ns);
    if (s == NULL)
        return 0;
    return s->before_ns + (at_ns < s->until_ns ? at_ns : s->until_ns) - s->from_ns;
}
