/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over workers: roots cross, and are combined along the tree in memory of this process. Which
 * of the three ways they cross depends on their sizes alone, which are the same everywhere. Several
 * sums share their messages' rounds: one meeting, with all roots that fit into it; then all others;
 * then all slices. */
#include "config.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/workers.h"

#include <cohort/array.h>

#include <stdio.h>
#include <string.h>

/* Measured on two processes of one machine: roots of more bytes are faster in slices. */
enum { WHOLE_BYTES = COHORT_WORKERS_OFFER, LINE_BYTES = 64, ROOT_ALIGNMENT = 16 };

/* What a worker notes of each sum, one behind the other. Behind them are the roots that fit. */
typedef struct note {
    uint64_t count, divisor, roots; /* roots: a bit for each of its own that contributes */
    uint32_t op, dtype;
} note;
_Static_assert(COHORT_WORKERS_NOTE % ROOT_ALIGNMENT == 0, "an offset stays within the note");
_Static_assert(COHORT_WORKERS_SUMS * sizeof(note) <= COHORT_WORKERS_NOTE / 2,
               "the notes of all sums leave room for roots");

typedef struct sum {
    cohort_workers *workers;
    const cohort_workers_sum *what;
    uint64_t item, bytes;  /* of an element, and of a root */
    uint64_t first, count; /* elements that this worker combines */
    size_t noted,
        roots_from;        /* in a record's note: its own, and its roots; 0: they are not there */
    const void **pointers; /* [roots]: those elements of each; NULL: it does not contribute */
    char *next_node;       /* room for the next node that is combined before the last */
} sum;

typedef struct sums {
    cohort_workers *workers;
    sum *list; /* [n] */
    int32_t n;
    const void **pointers; /* of all */
    size_t node_bytes;     /* of the workers' room, for nodes of one sum after the other */
    size_t note_bytes;
    char text[COHORT_WORKERS_NOTE];
} sums;

/* ------------------------------------------------------------------ the meeting */

static note note_of(const sum *s, int32_t worker)
{
    note n;
    memcpy(&n, (const char *)cohort_workers_note(s->workers, worker) + s->noted, sizeof n);
    return n;
}

static note own_note(const sums *all, const sum *s)
{
    note n;
    memcpy(&n, all->text + s->noted, sizeof n);
    return n;
}

static bool reduces_the_same(const note *a, const note *b)
{
    return a->op == b->op && a->dtype == b->dtype && a->count == b->count &&
           a->divisor == b->divisor;
}

/* A mean is a sum that is divided. */
enum { WORDS = 96 };
static const char *describe(const note *n, char out[WORDS])
{
    const char *op = cohort_reduction_op_name(n->op);
    int used = snprintf(out, WORDS, "%llu elements of %s by %s", (unsigned long long)n->count,
                        cohort_dtype_name((cohort_dtype)n->dtype), op != NULL ? op : "?");
    if (n->divisor != 1 && used < WORDS)
        (void)snprintf(out + used, WORDS - (size_t)used, ", divided by %llu",
                       (unsigned long long)n->divisor);
    return out;
}

static cohort_status compare(const sum *s, const note *mine)
{
    const cohort_workers *w = s->workers;
    char a[WORDS], b[WORDS];
    for (int32_t i = 0; i < w->n; i++) {
        note n = note_of(s, i);
        if (!reduces_the_same(&n, mine))
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: worker %d of %d reduces %s, worker %d %s; all workers "
                                    "reduce the same",
                                    s->what->call, i, w->n, describe(&n, a), w->rank,
                                    describe(mine, b));
    }
    return COHORT_OK;
}

static bool is_sliced(const sum *s)
{
    return s->bytes > WHOLE_BYTES;
}

static bool is_inline(const sum *s)
{
    return s->roots_from > 0;
}

/* Most roots that a worker has. */
static uint64_t most_roots(const cohort_workers *w)
{
    int32_t most = 0;
    for (int32_t i = 0, n = 0; i < w->n_roots; i++) {
        n = i > 0 && w->roots[i].worker == w->roots[i - 1].worker ? n + 1 : 1;
        most = n > most ? n : most;
    }
    return (uint64_t)most;
}

/* Notes and findings first, then the roots of each sum for which there is room left: the same for
 * all workers, whatever each has. */
static void lay_out(sums *all)
{
    uint64_t most = most_roots(all->workers);
    size_t used = 0;
    for (int32_t i = 0; i < all->n; i++) {
        all->list[i].noted = used;
        used += sizeof(note) + all->list[i].what->finding_bytes;
    }
    for (int32_t i = 0; i < all->n; i++) {
        sum *s = &all->list[i];
        used = (used + ROOT_ALIGNMENT - 1) / ROOT_ALIGNMENT * ROOT_ALIGNMENT;
        uint64_t room = COHORT_WORKERS_NOTE - used;
        bool fits = s->bytes <= room && most * s->bytes <= room;
        s->roots_from = fits ? used : 0;
        used += fits ? most * s->bytes : 0;
    }
    all->note_bytes = used;
}

/* The note, what was found, and the roots if they are to be there. */
static void write_note(sums *all, const sum *s)
{
    const cohort_workers *w = all->workers;
    note mine = { s->what->count, s->what->divisor, 0, s->what->op, s->what->dtype };
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t place = cohort_roots_place(w->roots, i);
        if (w->roots[i].worker != w->rank || s->what->roots[place] == NULL)
            continue;
        mine.roots |= cohort_roots_bit(w->roots, i);
        if (is_inline(s))
            memcpy(all->text + s->roots_from + (size_t)place * s->bytes, s->what->roots[place],
                   s->bytes);
    }
    memcpy(all->text + s->noted, &mine, sizeof mine);
    if (s->what->finding_bytes > 0)
        memcpy(all->text + s->noted + sizeof mine, s->what->finding, s->what->finding_bytes);
}

static void write_notes(sums *all)
{
    memset(all->text, 0, all->note_bytes); /* of who has fewer roots than others, too */
    for (int32_t i = 0; i < all->n; i++)
        write_note(all, &all->list[i]);
}

static cohort_status meet(const sums *all, const char *call)
{
    cohort_status status = cohort_workers_meet(all->workers, call, all->text, all->note_bytes);
    for (int32_t i = 0; i < all->n && status >= 0; i++) {
        note mine = own_note(all, &all->list[i]);
        status = compare(&all->list[i], &mine);
    }
    return status;
}

static bool has_root(const sum *s, int32_t root)
{
    const cohort_workers *w = s->workers;
    note n = note_of(s, w->roots[root].worker);
    return cohort_roots_is_in(w->roots, n.roots, root);
}

/* ------------------------------------------------------------------ crossing */

static uint64_t first_of(const sum *s, int32_t worker)
{
    uint64_t line = LINE_BYTES / s->item, lines = (s->what->count + line - 1) / line;
    uint64_t first = lines * (uint64_t)worker / (uint64_t)s->workers->n * line;
    return first < s->what->count ? first : s->what->count;
}

static uint64_t count_of(const sum *s, int32_t worker)
{
    return first_of(s, worker + 1) - first_of(s, worker);
}

static void take_inline(const sum *s)
{
    const cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n_roots; i++)
        s->pointers[i] = has_root(s, i) ? (const char *)cohort_workers_note(w, w->roots[i].worker) +
                                              s->roots_from +
                                              (size_t)cohort_roots_place(w->roots, i) * s->bytes
                                        : NULL;
}

/* The room of a root begins at a line, as a slice of device memory does: an engine that reads the
 * other process's memory has the kernel copy it by string moves, which take twice as long where the
 * distance of the two, modulo a page, is 1 to 31 bytes (measured on Zen 3). malloc's large blocks
 * begin 16 bytes into a page, those of devices at one. */
static uint64_t room_of(uint64_t bytes)
{
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

/* What was in it is of no use to anybody. */
static bool grow_room(cohort_workers *w, size_t bytes)
{
    if (bytes <= w->room_bytes)
        return true;
    char *room = cohort_allocate_aligned(bytes, LINE_BYTES);
    if (room == NULL)
        return false;
    cohort_messages_give(&w->messages, w->room, cohort_free);
    w->room = room;
    w->room_bytes = bytes;
    return true;
}

/* Of so many roots, or other nodes, of a sum. False: more than memory can be. */
static bool add_rooms(const sum *s, int32_t n, uint64_t *bytes)
{
    uint64_t slices = (uint64_t)s->workers->n, more;
    uint64_t most = is_sliced(s) ? s->bytes / slices + LINE_BYTES : s->bytes;
    return !__builtin_mul_overflow(room_of(most), (uint64_t)n, &more) &&
           !__builtin_add_overflow(*bytes, more, bytes) && *bytes < SIZE_MAX;
}

/* Roots first .. end - 1 are all of a node of the tree. */
typedef struct node {
    int32_t first, end;
} node;

/* Nodes below this one that are combined before it (collect), where all roots contribute; of fewer
 * that do, no others are. */
static int32_t nodes_before(const cohort_workers *w, node n)
{
    if (n.end - n.first <= (int32_t)COHORT_MAX_TERMS)
        return 0;
    const int32_t middle = cohort_roots_middle(w->roots, n.first, n.end);
    const node left = { n.first, middle }, right = { middle, n.end };
    return (left.end - left.first > 1) + nodes_before(w, left) + (right.end - right.first > 1) +
           nodes_before(w, right);
}

/* Roots that come from others have each a room of its own; nodes are of one sum at a time. */
static bool measure_rooms(sums *all, uint64_t *out_bytes)
{
    const cohort_workers *w = all->workers;
    const int32_t nodes = nodes_before(w, (node){ 0, w->n_roots });
    uint64_t roots = 0, most = 0;
    bool is_possible = true;
    for (int32_t i = 0; i < all->n && is_possible; i++) {
        const sum *s = &all->list[i];
        uint64_t bytes = 0;
        is_possible =
            add_rooms(s, is_inline(s) ? 0 : w->n_roots, &roots) && add_rooms(s, nodes, &bytes);
        most = bytes > most ? bytes : most;
    }
    all->node_bytes = (size_t)most;
    return is_possible && !__builtin_add_overflow(roots, most, out_bytes) && *out_bytes < SIZE_MAX;
}

/* Of the crossing, or of the slices that follow it. */
static int32_t most_messages(const sums *all)
{
    const cohort_workers *w = all->workers;
    int32_t crossing = 0, gathering = 0, own = 0;
    for (int32_t i = 0; i < w->n_roots; i++)
        own += w->roots[i].worker == w->rank;
    for (int32_t i = 0; i < all->n; i++) {
        const sum *s = &all->list[i];
        crossing += is_inline(s) ? 0 : w->n_roots - own + own * (w->n - 1);
        gathering += is_sliced(s) ? 2 * (w->n - 1) : 0;
    }
    return crossing > gathering ? crossing : gathering;
}

/* Before anybody is met: nobody waits then for one who has none. */
static cohort_status make_rooms(sums *all, const char *call)
{
    uint64_t bytes = 0;
    if (measure_rooms(all, &bytes) && grow_room(all->workers, (size_t)bytes) &&
        cohort_messages_reserve(&all->workers->messages, (size_t)most_messages(all)) >= 0)
        return COHORT_OK;
    return cohort_error_prefix(cohort_error_memory("a reduction over workers"), "%s", call);
}

static void send_root(const sum *s, const char *root)
{
    cohort_workers *w = s->workers;
    bool is_cut = is_sliced(s);
    for (int32_t to = 0; to < w->n; to++)
        if (to != w->rank)
            cohort_messages_send(&w->messages, to, root + (is_cut ? first_of(s, to) * s->item : 0),
                                 is_cut ? count_of(s, to) * s->item : s->bytes);
}

/* My roots as they are; of the others what I combine. Each worker gets what it combines. Where the
 * next root has its room. */
static char *begin_crossing(const sum *s, char *room)
{
    cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t from = w->roots[i].worker;
        s->pointers[i] = NULL;
        if (!has_root(s, i))
            continue;
        if (from != w->rank) {
            cohort_messages_receive(&w->messages, from, room, s->count * s->item);
            s->pointers[i] = room;
            room += room_of(s->count * s->item);
            continue;
        }
        const char *mine = s->what->roots[cohort_roots_place(w->roots, i)];
        s->pointers[i] = mine + s->first * s->item;
        send_root(s, mine);
    }
    return room;
}

/* ------------------------------------------------------------------ combining */

typedef struct term_list {
    cohort_term terms[COHORT_MAX_TERMS];
    const void *pointers[COHORT_MAX_TERMS];
    uint32_t n;
} term_list;

static int32_t terms_of(const sum *s, node n)
{
    int32_t terms = 0;
    for (int32_t i = n.first; i < n.end; i++)
        terms += s->pointers[i] != NULL;
    return terms;
}

static cohort_status fold(const sum *s, const term_list *list, uint64_t divisor, void *into)
{
    const cohort_reduction r = { .struct_size = sizeof r,
                                 .order = COHORT_ORDER_STACK,
                                 .op = s->what->op,
                                 .type = s->what->dtype,
                                 .nterms = list->n,
                                 .count = s->count,
                                 .divisor = divisor,
                                 .terms = list->terms };
    return cohort_reduction_run(&r, list->pointers, into, 0, s->count);
}

static void add_term(term_list *list, const void *pointer)
{
    list->pointers[list->n] = pointer;
    list->terms[list->n++] = (cohort_term){ .merges = 0 };
}

static cohort_status collect(sum *s, node n, term_list *list);

static cohort_status add_made(sum *s, node n, term_list *list)
{
    term_list own; /* not cleared: it is large */
    own.n = 0;
    void *into = s->next_node;
    s->next_node += room_of(s->count * s->item);
    cohort_status status = collect(s, n, &own);
    if (status >= 0)
        status = fold(s, &own, 1, into);
    add_term(list, into);
    return status;
}

static cohort_status collect_half(sum *s, node n, bool is_too_long, term_list *list)
{
    return is_too_long && terms_of(s, n) > 1 ? add_made(s, n, list) : collect(s, n, list);
}

/* As the reducer cuts its tree: at a node, where a fold would have too many terms. */
static cohort_status collect(sum *s, node n, term_list *list)
{
    int32_t terms = terms_of(s, n);
    if (terms == 0)
        return COHORT_OK;
    if (n.end - n.first == 1) {
        add_term(list, s->pointers[n.first]);
        return COHORT_OK;
    }
    bool is_too_long = terms > (int32_t)COHORT_MAX_TERMS;
    int32_t middle = cohort_roots_middle(s->workers->roots, n.first, n.end);
    uint32_t before = list->n;
    cohort_status status = collect_half(s, (node){ n.first, middle }, is_too_long, list);
    uint32_t between = list->n;
    if (status >= 0)
        status = collect_half(s, (node){ middle, n.end }, is_too_long, list);
    if (status >= 0 && between > before && list->n > between)
        list->terms[list->n - 1].merges++;
    return status;
}

static cohort_status combine(sum *s)
{
    term_list list; /* not cleared: it is large */
    list.n = 0;
    s->next_node = s->workers->room;
    cohort_status status = collect(s, (node){ 0, s->workers->n_roots }, &list);
    if (status >= 0 && list.n > 0 && s->count > 0)
        status = fold(s, &list, s->what->divisor, (char *)s->what->into + s->first * s->item);
    return status;
}

/* ------------------------------------------------------------------ all of it */

static void begin_gathering(const sum *s)
{
    cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n; i++)
        if (i != w->rank)
            cohort_messages_receive(&w->messages, i,
                                    (char *)s->what->into + first_of(s, i) * s->item,
                                    count_of(s, i) * s->item);
    for (int32_t i = 0; i < w->n; i++)
        if (i != w->rank)
            cohort_messages_send(&w->messages, i, (const char *)s->what->into + s->first * s->item,
                                 s->count * s->item);
}

/* Roots to where they are combined. */
static cohort_status cross(const sums *all, const char *call)
{
    char *room = all->workers->room + all->node_bytes;
    for (int32_t i = 0; i < all->n; i++) {
        sum *s = &all->list[i];
        if (is_inline(s)) {
            take_inline(s);
            continue;
        }
        if (is_sliced(s)) {
            s->first = first_of(s, all->workers->rank);
            s->count = count_of(s, all->workers->rank);
        }
        room = begin_crossing(s, room);
    }
    return cohort_messages_wait(&all->workers->messages, call);
}

/* A slice is on its way while the next sum is combined. What was begun is waited for, too, where
 * that fails. */
static cohort_status combine_and_gather(const sums *all, const char *call)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < all->n && status >= 0; i++) {
        status = combine(&all->list[i]);
        if (status >= 0 && is_sliced(&all->list[i]))
            begin_gathering(&all->list[i]);
    }
    return cohort_messages_wait_after(&all->workers->messages, call, status);
}

/* After the meeting. */
static cohort_status finish(const sums *all, const char *call)
{
    cohort_status status = cross(all, call);
    return status < 0 ? status : combine_and_gather(all, call);
}

static sum sum_of(const sums *all, const cohort_workers_sum *what, const void **pointers)
{
    uint64_t item = (uint64_t)cohort_dtype_bytes((cohort_dtype)what->dtype);
    return (sum){ .workers = all->workers,
                  .what = what,
                  .item = item,
                  .bytes = what->count * item,
                  .count = what->count,
                  .pointers = pointers };
}

static cohort_status begin(sums *all, cohort_workers *w, const cohort_workers_sum what[], int32_t n)
{
    size_t roots = (size_t)w->n_roots;
    all->workers = w;
    all->n = n;
    all->list = cohort_allocate((size_t)n, sizeof *all->list);
    all->pointers = cohort_allocate((size_t)n * roots, sizeof *all->pointers);
    if (all->list == NULL || all->pointers == NULL)
        return cohort_error_memory("a reduction over workers");
    for (int32_t i = 0; i < n; i++)
        all->list[i] = sum_of(all, &what[i], all->pointers + (size_t)i * roots);
    lay_out(all);
    write_notes(all);
    return make_rooms(all, what->call);
}

static void end(const sums *all)
{
    cohort_free(all->list);
    cohort_free(all->pointers);
}

cohort_status cohort_workers_combine(cohort_workers *w, const cohort_workers_sum what[], int32_t n)
{
    sums all; /* not cleared: it is large */
    cohort_status status = begin(&all, w, what, n);
    if (status >= 0)
        status = meet(&all, what->call);
    if (status >= 0)
        status = finish(&all, what->call);
    end(&all);
    return status;
}

/* ------------------------------------------------------------------ offers */

bool cohort_workers_can_offer(const cohort_workers *w, uint64_t bytes)
{
    return w->number >= w->offers_from && bytes <= COHORT_WORKERS_OFFER;
}

static bool is_same(const sum *s, const note *mine, int32_t worker)
{
    note theirs = note_of(s, worker);
    const char *text = (const char *)cohort_workers_note(s->workers, worker) + s->noted;
    return reduces_the_same(&theirs, mine) &&
           memcmp(text + sizeof theirs, s->what->finding, s->what->finding_bytes) == 0;
}

cohort_status cohort_workers_offer(cohort_workers *w, const cohort_workers_sum *what,
                                   bool *out_is_taken)
{
    sums all; /* not cleared: it is large */
    *out_is_taken = false;
    cohort_status status = begin(&all, w, what, 1);
    if (status >= 0)
        status =
            cohort_workers_meet_to_offer(w, what->call, all.text, all.note_bytes, out_is_taken);
    if (status >= 0 && *out_is_taken) {
        note mine = own_note(&all, all.list);
        for (int32_t i = 0; i < w->n && *out_is_taken; i++)
            *out_is_taken = is_same(all.list, &mine, i);
    }
    if (status >= 0 && *out_is_taken)
        status = finish(&all, what->call);
    end(&all);
    return status;
}
