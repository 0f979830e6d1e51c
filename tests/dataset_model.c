/* SPDX-License-Identifier: BSD-3-Clause */
/* Random graphs of datasets beside a naive model: lists of elements that are computed whole, with
 * loops and nothing else.
 *
 *     tests/dataset_model.t [GRAPHS [SEED]]
 *
 * Each graph is read to its end twice and compared element by element; then the same with its first
 * elements skipped. Behind a shuffle the model knows shapes alone: there two iterations must agree,
 * and skipping with reading. */
#include "config.h"

#include <cohort/dataset.h>

#include "tests/tap.h"

#include <stdint.h>
#include <time.h>

enum { MOST_PARTS = 5, MOST_RANK = 5, MOST_ELEMENTS = 400, MOST_ITEMS = 60000, DEPTH = 6 };

typedef struct part {
    cohort_dtype dtype;
    int32_t rank;
    int64_t shape[COHORT_MAX_RANK], items;
    int64_t *values; /* whole numbers, whatever the dtype */
} part;

typedef struct element {
    int n;
    part parts[MOST_PARTS];
} element;

typedef struct list {
    int64_t n;
    element *elements;
} list;

/* A dataset and what it should be. */
typedef struct graph {
    cohort_dataset *dataset;
    list model;
    bool is_loose; /* a shuffle stands in it: shapes alone */
    char text[2048];
} graph;

/* ------------------------------------------------------------------ chance, and memory for one
 * graph */

static uint64_t chance_state;

static int64_t below(int64_t n)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (int64_t)((chance_state >> 11) % (uint64_t)n);
}

static struct {
    void *blocks[1 << 16];
    int n;
} arena;

static void *take_memory(size_t bytes)
{
    void *block = arena.n < 1 << 16 ? calloc(1, bytes > 0 ? bytes : 1) : NULL;
    if (block == NULL)
        abort();
    return arena.blocks[arena.n++] = block;
}

static void free_memory(void)
{
    while (arena.n > 0)
        free(arena.blocks[--arena.n]);
}

/* ------------------------------------------------------------------ the model's operations */

static list list_of(int64_t n)
{
    return (list){ n, take_memory((size_t)n * sizeof(element)) };
}

static part part_of(cohort_dtype dtype, int32_t rank, const int64_t shape[])
{
    part p = { .dtype = dtype, .rank = rank, .items = 1 };
    for (int32_t i = 0; i < rank; i++)
        p.items *= p.shape[i] = shape[i];
    p.values = take_memory((size_t)p.items * sizeof(int64_t));
    return p;
}

static bool same_shape(const part *a, const part *b)
{
    return a->rank == b->rank &&
           memcmp(a->shape, b->shape, (size_t)a->rank * sizeof a->shape[0]) == 0;
}

static list model_slice(list from, int64_t first, int64_t n, int64_t step)
{
    list to = list_of(n);
    for (int64_t i = 0; i < n; i++)
        to.elements[i] = from.elements[first + i * step];
    return to;
}

static list model_join(list a, list b)
{
    list to = list_of(a.n + b.n);
    for (int64_t i = 0; i < to.n; i++)
        to.elements[i] = i < a.n ? a.elements[i] : b.elements[i - a.n];
    return to;
}

static list model_repeat(list from, int64_t times)
{
    list to = list_of(from.n * times);
    for (int64_t i = 0; i < to.n; i++)
        to.elements[i] = from.elements[i % from.n];
    return to;
}

static list model_enumerate(list from, int64_t start)
{
    list to = list_of(from.n);
    for (int64_t i = 0; i < from.n; i++) {
        to.elements[i].n = from.elements[i].n + 1;
        to.elements[i].parts[0] = part_of(COHORT_I64, 0, NULL);
        to.elements[i].parts[0].values[0] = start + i;
        memcpy(to.elements[i].parts + 1, from.elements[i].parts,
               (size_t)from.elements[i].n * sizeof(part));
    }
    return to;
}

static list model_zip(list a, list b)
{
    list to = list_of(a.n < b.n ? a.n : b.n);
    for (int64_t i = 0; i < to.n; i++) {
        element *e = &to.elements[i];
        *e = a.elements[i];
        memcpy(e->parts + e->n, b.elements[i].parts, (size_t)b.elements[i].n * sizeof(part));
        e->n += b.elements[i].n;
    }
    return to;
}

/* One component of some elements, put into the longest of each extent (or `least`, if that is
 * longer). */
static part stack_part(const element *const members[], int64_t n, int k, int64_t least,
                       int64_t fill)
{
    const part *first = &members[0]->parts[k];
    int64_t shape[COHORT_MAX_RANK] = { n };
    for (int32_t d = 0; d < first->rank; d++)
        shape[d + 1] = least;
    for (int64_t i = 0; i < n; i++)
        for (int32_t d = 0; d < first->rank; d++)
            if (members[i]->parts[k].shape[d] > shape[d + 1])
                shape[d + 1] = members[i]->parts[k].shape[d];
    part to = part_of(first->dtype, first->rank + 1, shape);
    for (int64_t place = 0; place < to.items; place++) {
        int64_t left = place, index = 0, scale = 1;
        const part *from = NULL;
        bool is_inside = true;
        int64_t at[COHORT_MAX_RANK] = { 0 };
        for (int32_t d = to.rank - 1; d >= 0; d--) {
            at[d] = left % shape[d];
            left /= shape[d];
        }
        from = &members[at[0]]->parts[k];
        for (int32_t d = to.rank - 1; d > 0; d--) {
            is_inside = is_inside && at[d] < from->shape[d - 1];
            index += at[d] * scale;
            scale *= from->shape[d - 1];
        }
        to.values[place] = is_inside ? from->values[index] : fill;
    }
    return to;
}

static element stack(const element *const members[], int64_t n, int64_t least, int64_t fill)
{
    element e = { .n = members[0]->n };
    for (int k = 0; k < e.n; k++)
        e.parts[k] = stack_part(members, n, k, least, fill);
    return e;
}

/* Windows of `size`, each `shift` behind the one before it, of every stride-th. */
static list model_window(list from, int64_t size, int64_t shift, int64_t stride, bool drop,
                         int64_t least, int64_t fill)
{
    list to = list_of(from.n);
    const element **members = take_memory((size_t)size * sizeof(element *));
    to.n = 0;
    for (int64_t start = 0; start < from.n; start += shift) {
        int64_t n = 0;
        for (int64_t i = 0; i < size && start + i * stride < from.n; i++)
            members[n++] = &from.elements[start + i * stride];
        if (n == size || !drop)
            to.elements[to.n++] = stack(members, n, least, fill);
    }
    return to;
}

static list model_unbatch(list from)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < from.n; i++)
        rows += from.elements[i].parts[0].shape[0];
    list to = list_of(rows);
    to.n = 0;
    for (int64_t i = 0; i < from.n; i++)
        for (int64_t row = 0; row < from.elements[i].parts[0].shape[0]; row++) {
            element *e = &to.elements[to.n++];
            e->n = from.elements[i].n;
            for (int k = 0; k < e->n; k++) {
                const part *p = &from.elements[i].parts[k];
                e->parts[k] = part_of(p->dtype, p->rank - 1, p->shape + 1);
                for (int64_t j = 0; j < e->parts[k].items; j++)
                    e->parts[k].values[j] = p->values[row * e->parts[k].items + j];
            }
        }
    return to;
}

/* ------------------------------------------------------------------ what a list allows */

static int parts_of(const graph *g)
{
    return cohort_dataset_element_spec(g->dataset, NULL, 0);
}

static int32_t most_rank(const graph *g)
{
    cohort_spec specs[64];
    int32_t rank = 0;
    for (int k = 0; k < cohort_dataset_element_spec(g->dataset, specs, 64); k++)
        rank = specs[k].rank > rank ? specs[k].rank : rank;
    return rank;
}

static bool is_uniform(list from)
{
    for (int64_t i = 1; i < from.n; i++)
        for (int k = 0; k < from.elements[i].n; k++)
            if (!same_shape(&from.elements[i].parts[k], &from.elements[0].parts[k]))
                return false;
    return true;
}

static bool has_rows(const graph *g)
{
    cohort_spec specs[64];
    for (int k = 0; k < cohort_dataset_element_spec(g->dataset, specs, 64); k++)
        if (specs[k].rank == 0 || (specs[k].shape[0] >= 0 && specs[0].shape[0] >= 0 &&
                                   specs[k].shape[0] != specs[0].shape[0]))
            return false;
    for (int64_t i = 0; i < g->model.n; i++)
        for (int k = 1; k < g->model.elements[i].n; k++)
            if (g->model.elements[i].parts[k].shape[0] != g->model.elements[i].parts[0].shape[0])
                return false;
    return true;
}

static int64_t items_of(list from)
{
    int64_t items = 0;
    for (int64_t i = 0; i < from.n; i++)
        for (int k = 0; k < from.elements[i].n; k++)
            items += from.elements[i].parts[k].items;
    return items;
}

__attribute__((format(printf, 2, 3))) static void note(graph *g, const char *format, ...)
{
    size_t used = strlen(g->text);
    va_list list;
    va_start(list, format);
    (void)vsnprintf(g->text + used, sizeof g->text - used, format, list);
    va_end(list);
}

/* ------------------------------------------------------------------ random graphs */

static graph make_range(void)
{
    int64_t start = below(20) - 10, step = (1 + below(3)) * (below(2) ? 1 : -1), n = below(25);
    graph g = { .model = list_of(n) };
    for (int64_t i = 0; i < n; i++) {
        g.model.elements[i].n = 1;
        g.model.elements[i].parts[0] = part_of(COHORT_I64, 0, NULL);
        g.model.elements[i].parts[0].values[0] = start + i * step;
    }
    g.dataset = cohort_dataset_range(start, start + n * step, step);
    note(&g, "range(%lld,+%lld,%lld)", (long long)start, (long long)n, (long long)step);
    return g;
}

/* float[rows][width] and uint8[rows]. */
static graph make_slices(void)
{
    int64_t n = below(25), width = below(12) == 0 ? 0 : 1 + below(4), seed = below(100);
    graph g = { .model = list_of(n) };
    float *x = take_memory((size_t)(n * width) * sizeof *x);
    uint8_t *y = take_memory((size_t)n);
    for (int64_t i = 0; i < n; i++) {
        element *e = &g.model.elements[i];
        e->n = 2;
        e->parts[0] = part_of(COHORT_F32, 1, &width);
        e->parts[1] = part_of(COHORT_U8, 0, NULL);
        for (int64_t j = 0; j < width; j++)
            x[i * width + j] = (float)(e->parts[0].values[j] = seed + i * 10 + j);
        y[i] = (uint8_t)(e->parts[1].values[0] = (seed + i) % 250);
    }
    g.dataset =
        cohort_dataset_slices(2, (cohort_array[]){ COHORT_ARRAY(x, n, width), COHORT_ARRAY(y, n) });
    note(&g, "slices(%lld,%lld)", (long long)n, (long long)width);
    return g;
}

static void apply_order(graph *g, int64_t kind)
{
    int64_t n = g->model.n, a = below(n + 3), b = 1 + below(4), i = below(b);
    if (kind == 0) {
        a = below(8) == 0 ? -1 : a;
        g->dataset = cohort_dataset_take(g->dataset, a);
        g->model = model_slice(g->model, 0, a >= 0 && a < n ? a : n, 1);
        note(g, ".take(%lld)", (long long)a);
    } else if (kind == 1) {
        a = below(8) == 0 ? -1 : a;
        g->dataset = cohort_dataset_skip(g->dataset, a);
        g->model = a < 0 || a > n ? list_of(0) : model_slice(g->model, a, n - a, 1);
        note(g, ".skip(%lld)", (long long)a);
    } else if (kind == 2) {
        g->dataset = cohort_dataset_shard(g->dataset, b, i);
        g->model = model_slice(g->model, i < n ? i : 0, i < n ? (n - i - 1) / b + 1 : 0, b);
        note(g, ".shard(%lld,%lld)", (long long)b, (long long)i);
    } else if (kind == 3 && n * 3 <= MOST_ELEMENTS) {
        a = below(4);
        g->dataset = cohort_dataset_repeat(g->dataset, a);
        g->model = model_repeat(g->model, a);
        note(g, ".repeat(%lld)", (long long)a);
    } else if (kind == 4) {
        a = below(60);
        g->dataset = cohort_dataset_take(
            cohort_dataset_skip(cohort_dataset_repeat(g->dataset, COHORT_INFINITE), b), a);
        if (n > 0)
            g->model = model_slice(model_repeat(g->model, (a + b) / n + 1), b, a, 1);
        note(g, ".repeat().skip(%lld).take(%lld)", (long long)b, (long long)a);
    } else if (kind == 5) {
        a -= 1;
        g->dataset = cohort_dataset_enumerate(g->dataset, a);
        g->model = model_enumerate(g->model, a);
        note(g, ".enumerate(%lld)", (long long)a);
    } else if (kind == 6) {
        g->dataset =
            cohort_dataset_with_options(g->dataset, &(cohort_dataset_options){ .global_batch = a });
        note(g, ".with_options()");
    } else if (kind == 7 && is_uniform(g->model)) {
        g->dataset = cohort_dataset_shuffle(g->dataset, a + 1, (uint64_t)b);
        g->is_loose = true;
        note(g, ".shuffle(%lld,%lld)", (long long)a + 1, (long long)b);
    }
}

/* What this shuffle makes of numbers it makes of all else. */
static void apply_shuffle_once(graph *g)
{
    int64_t n = g->model.n, buffer = 1 + below(n + 3), seed = below(1000);
    list to = list_of(n);
    cohort_array out;
    cohort_iterator *order = cohort_dataset_iterate(
        cohort_dataset_shuffle_once(cohort_dataset_range(0, n, 1), buffer, (uint64_t)seed));
    for (int64_t i = 0; i < n && cohort_iterator_next(order, &out) == COHORT_OK; i++)
        to.elements[i] = g->model.elements[*(int64_t *)out.data];
    cohort_iterator_destroy(order);
    g->model = to;
    g->dataset = cohort_dataset_shuffle_once(g->dataset, buffer, (uint64_t)seed);
    note(g, ".shuffle_once(%lld,%lld)", (long long)buffer, (long long)seed);
}

static void apply_stack(graph *g, int64_t kind)
{
    int64_t size = 1 + below(6), shift = 1 + below(6), stride = 1 + below(3), fill = below(100);
    bool drop = below(2), is_small = items_of(g->model) < MOST_ITEMS / 12;
    if (kind == 0 && is_uniform(g->model) && most_rank(g) < MOST_RANK) {
        g->dataset = cohort_dataset_batch(g->dataset, size, drop);
        g->model = model_window(g->model, size, size, 1, drop, 0, 0);
        note(g, ".batch(%lld,%d)", (long long)size, drop);
    } else if (kind == 1 && is_uniform(g->model) && is_small && most_rank(g) < MOST_RANK) {
        g->dataset = cohort_dataset_window(g->dataset, size, shift, stride, drop);
        list windows = model_window(g->model, size, shift, stride, drop, 0, 0);
        g->model = windows;
        note(g, ".window(%lld,%lld,%lld,%d)", (long long)size, (long long)shift, (long long)stride,
             drop);
    } else if (kind == 2 && is_small && most_rank(g) < MOST_RANK) {
        double fills[MOST_PARTS];
        for (int k = 0; k < MOST_PARTS; k++)
            fills[k] = (double)fill;
        g->dataset = cohort_dataset_padded_batch(g->dataset, size, NULL, fills, drop);
        g->model = model_window(g->model, size, size, 1, drop, 0, fill);
        note(g, ".padded_batch(%lld,%lld,%d)", (long long)size, (long long)fill, drop);
    } else if (kind == 3 && is_small && most_rank(g) < 3) {
        cohort_spec shapes[MOST_PARTS] = { 0 };
        (void)cohort_dataset_element_spec(g->dataset, shapes, MOST_PARTS);
        for (int k = 0; k < parts_of(g); k++)
            for (int32_t d = 0; d < shapes[k].rank; d++)
                shapes[k].shape[d] = 25;
        bool fits = true;
        for (int64_t i = 0; i < g->model.n; i++)
            for (int k = 0; k < g->model.elements[i].n; k++)
                for (int32_t d = 0; d < g->model.elements[i].parts[k].rank; d++)
                    fits = fits && g->model.elements[i].parts[k].shape[d] <= 25;
        if (!fits || g->model.n > 30)
            return;
        g->dataset = cohort_dataset_padded_batch(g->dataset, size, shapes, NULL, drop);
        g->model = model_window(g->model, size, size, 1, drop, 25, 0);
        note(g, ".padded_batch(%lld,to 25,%d)", (long long)size, drop);
    } else if (kind == 4 && has_rows(g)) {
        list rows = model_unbatch(g->model);
        if (rows.n > MOST_ELEMENTS)
            return;
        g->dataset = cohort_dataset_unbatch(g->dataset);
        g->model = rows;
        note(g, ".unbatch()");
    } else if (kind == 5 && has_rows(g)) {
        list rows = model_unbatch(g->model);
        if (!is_uniform(rows) || rows.n > MOST_ELEMENTS)
            return;
        g->dataset = cohort_dataset_rebatch(g->dataset, size, drop);
        g->model = model_window(rows, size, size, 1, drop, 0, 0);
        note(g, ".rebatch(%lld,%d)", (long long)size, drop);
    }
}

static graph make_graph(int depth);

/* Components that are like those of another: the same dataset in part, or one of the same kind. */
static void apply_concatenate(graph *g, int depth)
{
    graph other = below(2) ? make_graph(depth) : (graph){ 0 };
    cohort_spec a[64], b[64];
    int n = cohort_dataset_element_spec(g->dataset, a, 64);
    bool is_like = other.dataset != NULL && cohort_dataset_element_spec(other.dataset, b, 64) == n;
    for (int k = 0; is_like && k < n; k++)
        is_like = a[k].dtype == b[k].dtype && a[k].rank == b[k].rank;
    if (!is_like) {
        int64_t from = below(3);
        cohort_dataset_destroy(other.dataset);
        other = (graph){ .dataset = cohort_dataset_skip(cohort_dataset_share(g->dataset), from) };
        other.model =
            from < g->model.n ? model_slice(g->model, from, g->model.n - from, 1) : list_of(0);
        note(&other, "itself.skip(%lld)", (long long)from);
    }
    if (other.model.n + g->model.n > MOST_ELEMENTS) {
        cohort_dataset_destroy(other.dataset);
        return;
    }
    g->dataset = cohort_dataset_concatenate((cohort_dataset *[]){ g->dataset, other.dataset }, 2);
    g->model = model_join(g->model, other.model);
    g->is_loose = g->is_loose || other.is_loose;
    note(g, ".concatenate(%s)", other.text);
}

static void apply_zip(graph *g, int depth)
{
    graph other = make_graph(depth);
    if (parts_of(g) + parts_of(&other) > MOST_PARTS ||
        (other.is_loose && !is_uniform(other.model))) {
        cohort_dataset_destroy(other.dataset);
        return;
    }
    g->dataset = cohort_dataset_zip((cohort_dataset *[]){ g->dataset, other.dataset }, 2);
    g->model = model_zip(g->model, other.model);
    g->is_loose = g->is_loose || other.is_loose;
    note(g, ".zip(%s)", other.text);
}

static graph make_graph(int depth)
{
    graph g = below(2) ? make_range() : make_slices();
    for (int left = depth; left > 0 && g.dataset != NULL; left--) {
        int64_t kind = below(18);
        if (items_of(g.model) > MOST_ITEMS)
            break;
        if (kind == 5 && parts_of(&g) == MOST_PARTS)
            continue;
        if (kind < 8)
            apply_order(&g, kind);
        else if (kind == 8)
            apply_shuffle_once(&g);
        else if (kind < 15)
            apply_stack(&g, kind - 9);
        else if (kind == 15)
            apply_concatenate(&g, left / 2);
        else
            apply_zip(&g, left / 2);
        /* Shapes behind a shuffle are known while they are all alike. */
        if (g.is_loose && !is_uniform(g.model))
            break;
    }
    return g;
}

/* ------------------------------------------------------------------ comparing */

static int64_t value_of(const cohort_array *a, int64_t i)
{
    switch (a->dtype) {
    case COHORT_I64:
        return ((const int64_t *)a->data)[i];
    case COHORT_F32:
        return (int64_t)((const float *)a->data)[i];
    default:
        return ((const uint8_t *)a->data)[i];
    }
}

static bool same_element(const cohort_array out[], const element *e, bool is_loose)
{
    for (int k = 0; k < e->n; k++) {
        const part *p = &e->parts[k];
        if (out[k].dtype != p->dtype || out[k].rank != p->rank ||
            memcmp(out[k].shape, p->shape, (size_t)p->rank * sizeof p->shape[0]) != 0)
            return false;
        for (int64_t i = 0; !is_loose && i < p->items; i++)
            if (value_of(&out[k], i) != p->values[i])
                return false;
    }
    return true;
}

static bool within_specs(const cohort_array out[], const cohort_spec specs[], int n)
{
    for (int k = 0; k < n; k++)
        for (int32_t d = 0; d < specs[k].rank; d++)
            if (out[k].rank != specs[k].rank ||
                (specs[k].shape[d] >= 0 && specs[k].shape[d] != out[k].shape[d]))
                return false;
    return true;
}

/* FNV-1a of all values; what two iterations are compared by. */
static uint64_t hash_element(uint64_t hash, const cohort_array out[], int n)
{
    for (int k = 0; k < n; k++) {
        int64_t items = 1;
        for (int32_t d = 0; d < out[k].rank; d++)
            items *= out[k].shape[d];
        for (int64_t i = 0; i < items; i++)
            hash = (hash ^ (uint64_t)value_of(&out[k], i)) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Reads to the end: as the model from element `from` on? hashes[i] is of elements before number
 * i. */
static bool reads_as(cohort_iterator *it, const graph *g, int64_t from, uint64_t hashes[])
{
    cohort_array out[64];
    cohort_spec specs[64];
    cohort_status status;
    int n = cohort_dataset_element_spec(g->dataset, specs, 64);
    int64_t at = from < g->model.n ? from : g->model.n;
    bool is_good = true;
    for (; (status = cohort_iterator_next(it, out)) == COHORT_OK && at < g->model.n; at++) {
        is_good = is_good && same_element(out, &g->model.elements[at], g->is_loose) &&
                  within_specs(out, specs, n);
        if (!is_good) {
            diag("element %lld differs", (long long)at);
            return false;
        }
        hashes[at] = hash_element(0, out, n);
    }
    if (status != COHORT_END || at != g->model.n || cohort_iterator_next(it, out) != COHORT_END) {
        diag("status %d at element %lld of %lld: %s", status, (long long)at, (long long)g->model.n,
             cohort_error_text());
        return false;
    }
    return true;
}

static bool skips_as_it_reads(const graph *g, const uint64_t hashes[], uint64_t again[])
{
    int64_t from = below(g->model.n + 3);
    cohort_iterator *it =
        cohort_dataset_iterate(cohort_dataset_skip(cohort_dataset_share(g->dataset), from));
    bool is_good = reads_as(it, g, from, again);
    for (int64_t i = from; is_good && i < g->model.n; i++)
        is_good = hashes[i] == again[i];
    if (!is_good)
        diag("without the first %lld", (long long)from);
    cohort_iterator_destroy(it);
    return is_good;
}

static bool agrees(const graph *g)
{
    size_t bytes = (size_t)g->model.n * sizeof(uint64_t);
    uint64_t *first = take_memory(bytes), *restarted = take_memory(bytes),
             *again = take_memory(bytes);
    int64_t stated = cohort_dataset_cardinality(g->dataset);
    bool is_good = stated == g->model.n || stated == COHORT_UNKNOWN;
    if (!is_good)
        diag("%lld elements are stated, %lld expected", (long long)stated, (long long)g->model.n);
    for (int round = 0; is_good && round < 2; round++) {
        cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_share(g->dataset));
        is_good = reads_as(it, g, 0, round == 0 ? first : again) &&
                  cohort_iterator_restart(it) == COHORT_OK;
        is_good = is_good && (round == 0 || bytes == 0 || memcmp(first, again, bytes) == 0);
        is_good = is_good && reads_as(it, g, 0, round == 0 ? restarted : again);
        is_good = is_good && (round == 0 || bytes == 0 || memcmp(restarted, again, bytes) == 0);
        cohort_iterator_destroy(it);
    }
    for (int i = 0; is_good && i < 3; i++)
        is_good = skips_as_it_reads(g, first, again);
    return is_good;
}

/* A shuffle of numbered elements: each once, none before its turn could come, and each is what it
 * was. */
static bool shuffles_well(const graph *g)
{
    int64_t n = g->model.n, buffer = 1 + below(n + 3), i = 0;
    cohort_array out[64];
    bool *is_seen = take_memory((size_t)n), is_good = true;
    cohort_iterator *it = cohort_dataset_iterate(
        cohort_dataset_shuffle(cohort_dataset_enumerate(cohort_dataset_share(g->dataset), 0),
                               buffer, (uint64_t)below(1000)));
    for (; is_good && cohort_iterator_next(it, out) == COHORT_OK; i++) {
        int64_t number = *(int64_t *)out[0].data;
        is_good = number >= 0 && number < n && number < i + buffer && !is_seen[number];
        is_good = is_good && same_element(out + 1, &g->model.elements[number], g->is_loose);
        if (is_good)
            is_seen[number] = true;
    }
    cohort_iterator_destroy(it);
    return is_good && i == n;
}

int main(int argc, char **argv)
{
    long graphs = argc > 1 ? atol(argv[1]) : 3000, wrong = 0, loose = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL);
    int64_t blocks = cohort_memory_blocks(), elements = 0;
    diag("seed %llu", (unsigned long long)seed);
    for (long i = 0; i < graphs && wrong < 5; i++) {
        chance_state = (seed + (uint64_t)i) * UINT64_C(0x9e3779b97f4a7c15) | 1;
        graph g = make_graph(1 + (int)below(DEPTH));
        bool is_good = g.dataset != NULL && agrees(&g) && shuffles_well(&g);
        if (!is_good) {
            wrong++;
            diag("graph %ld: %s", i, g.text);
            diag("again: 1 %llu; %s", (unsigned long long)(seed + (uint64_t)i),
                 cohort_error_text());
        }
        elements += g.model.n;
        loose += g.is_loose;
        cohort_dataset_destroy(g.dataset);
        free_memory();
    }
    ok(wrong == 0, "%ld random graphs are read as the model has them", graphs);
    ok(elements > graphs && loose < graphs,
       "there were elements to compare: %lld, %ld graphs with a shuffle", (long long)elements,
       loose);
    ok(cohort_memory_blocks() == blocks, "nothing leaks");
    return tap_done();
}
