/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum over workers: roots cross, and are combined along the tree in memory of this process. Which
 * of the three ways they cross depends on their size alone, which is the same everywhere. */
#include "config.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/workers.h"

#include <cohort/array.h>

#include <string.h>

/* Measured on two processes of one machine: roots of more bytes are faster in slices. */
enum { WHOLE_BYTES = COHORT_WORKERS_OFFER, LINE_BYTES = 64 };

/* What a worker notes. Roots that are small enough are in it. */
typedef struct note {
    uint64_t count, divisor, roots; /* roots: a bit for each of its own that contributes */
    uint32_t op, dtype;
} note;

typedef struct sum {
    cohort_workers *workers;
    const cohort_workers_sum *what;
    uint64_t item, bytes;  /* of an element, and of a root */
    uint64_t first, count; /* elements that this worker combines */
    const void **pointers; /* [roots]: those elements of each; NULL: it does not contribute */
    void **made;           /* nodes that were combined before the last; [n_made] */
    int32_t n_made;
} sum;

/* ------------------------------------------------------------------ the meeting */

static cohort_status compare(const sum *s, const note *mine)
{
    const cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n; i++) {
        note n;
        memcpy(&n, cohort_workers_note(w, i), sizeof n);
        if (n.op != mine->op || n.dtype != mine->dtype || n.count != mine->count ||
            n.divisor != mine->divisor)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: worker %d of %d reduces %llu elements of %s, worker %d "
                                    "%llu of %s; all workers "
                                    "reduce the same",
                                    s->what->call, i, w->n, (unsigned long long)n.count,
                                    cohort_dtype_name((cohort_dtype)n.dtype), w->rank,
                                    (unsigned long long)mine->count,
                                    cohort_dtype_name((cohort_dtype)mine->dtype));
    }
    return COHORT_OK;
}

static bool is_sliced(const sum *s)
{
    return s->bytes > WHOLE_BYTES;
}

/* Of a note, before the roots. */
static size_t head_of(const sum *s)
{
    return sizeof(note) + s->what->finding_bytes;
}

/* Do the roots of each worker fit into its note? */
static bool is_inline(const sum *s)
{
    uint64_t room = COHORT_WORKERS_NOTE - head_of(s);
    int32_t most = 0;
    for (int32_t i = 0, n = 0; i < s->workers->n_roots; i++) {
        n = i > 0 && s->workers->roots[i].worker == s->workers->roots[i - 1].worker ? n + 1 : 1;
        most = n > most ? n : most;
    }
    return s->bytes <= room && (uint64_t)most * s->bytes <= room;
}

/* The note, what was found, and the roots if they fit. The number of bytes. */
static size_t write_note(const sum *s, note *mine, char text[COHORT_WORKERS_NOTE])
{
    const cohort_workers *w = s->workers;
    size_t bytes = head_of(s);
    bool has_room = is_inline(s);
    *mine = (note){ s->what->count, s->what->divisor, 0, s->what->op, s->what->dtype };
    for (int32_t i = 0; i < w->n_roots; i++) {
        if (w->roots[i].worker != w->rank)
            continue;
        const void *root = s->what->roots[cohort_roots_place(w->roots, i)];
        mine->roots |= root != NULL ? cohort_roots_bit(w->roots, i) : 0;
        if (!has_room)
            continue;
        if (root != NULL)
            memcpy(text + bytes, root, s->bytes);
        else
            memset(text + bytes, 0, s->bytes);
        bytes += s->bytes;
    }
    memcpy(text, mine, sizeof *mine);
    if (s->what->finding_bytes > 0)
        memcpy(text + sizeof *mine, s->what->finding, s->what->finding_bytes);
    return bytes;
}

static cohort_status meet(const sum *s)
{
    char text[COHORT_WORKERS_NOTE]; /* not cleared: it is large */
    note mine;
    size_t bytes = write_note(s, &mine, text);
    cohort_status status = cohort_workers_meet(s->workers, s->what->call, text, bytes);
    return status < 0 ? status : compare(s, &mine);
}

static bool has_root(const cohort_workers *w, int32_t root)
{
    note n;
    memcpy(&n, cohort_workers_note(w, w->roots[root].worker), sizeof n);
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
        s->pointers[i] = has_root(w, i)
                             ? (const char *)cohort_workers_note(w, w->roots[i].worker) +
                                   head_of(s) + (size_t)cohort_roots_place(w->roots, i) * s->bytes
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

/* Before anybody is met: nobody waits then for one who has none. */
static cohort_status make_room(const sum *s)
{
    cohort_workers *w = s->workers;
    uint64_t most = is_sliced(s) ? s->bytes / (uint64_t)w->n + LINE_BYTES : s->bytes, bytes;
    if (!__builtin_mul_overflow(room_of(most), (uint64_t)w->n_roots, &bytes) && bytes < SIZE_MAX &&
        grow_room(w, (size_t)bytes))
        return COHORT_OK;
    return cohort_error_prefix(cohort_error_memory("a reduction over workers"), "%s",
                               s->what->call);
}

/* My roots as they are; of the others what I combine. Each worker gets what it combines. */
static cohort_status cross(const sum *s)
{
    bool is_cut = is_sliced(s);
    cohort_workers *w = s->workers;
    cohort_messages *m = &w->messages;
    char *room = w->room;
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t from = w->roots[i].worker;
        s->pointers[i] = NULL;
        if (!has_root(w, i))
            continue;
        if (from != w->rank) {
            cohort_messages_receive(m, from, room, s->count * s->item);
            s->pointers[i] = room;
            room += room_of(s->count * s->item);
            continue;
        }
        const char *mine = s->what->roots[cohort_roots_place(w->roots, i)];
        s->pointers[i] = mine + s->first * s->item;
        for (int32_t to = 0; to < w->n; to++)
            if (to != w->rank)
                cohort_messages_send(m, to, mine + (is_cut ? first_of(s, to) * s->item : 0),
                                     is_cut ? count_of(s, to) * s->item : s->bytes);
    }
    return cohort_messages_wait(m, s->what->call);
}

/* ------------------------------------------------------------------ combining */

typedef struct term_list {
    cohort_term terms[COHORT_MAX_TERMS];
    const void *pointers[COHORT_MAX_TERMS];
    uint32_t n;
} term_list;

/* Roots first .. end - 1 are all of a node of the tree. */
typedef struct node {
    int32_t first, end;
} node;

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
    void *into = cohort_allocate(s->count, s->item);
    if (into == NULL)
        return cohort_error_memory("a reduction over workers");
    s->made[s->n_made++] = into;
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
    cohort_status status = collect(s, (node){ 0, s->workers->n_roots }, &list);
    if (status >= 0 && list.n > 0 && s->count > 0)
        status = fold(s, &list, s->what->divisor, (char *)s->what->into + s->first * s->item);
    for (int32_t i = 0; i < s->n_made; i++)
        cohort_free(s->made[i]);
    s->n_made = 0;
    return status;
}

/* ------------------------------------------------------------------ all of it */

static cohort_status gather_slices(const sum *s)
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
    return cohort_messages_wait(&w->messages, s->what->call);
}

/* After the meeting. */
static cohort_status finish(sum *s)
{
    if (is_inline(s)) {
        take_inline(s);
        return combine(s);
    }
    if (is_sliced(s)) {
        s->first = first_of(s, s->workers->rank);
        s->count = count_of(s, s->workers->rank);
    }
    cohort_status status = cross(s);
    if (status >= 0)
        status = combine(s);
    return status >= 0 && is_sliced(s) ? gather_slices(s) : status;
}

static cohort_status begin(sum *s, cohort_workers *w, const cohort_workers_sum *what)
{
    size_t n = (size_t)w->n_roots;
    uint64_t item = (uint64_t)cohort_dtype_bytes((cohort_dtype)what->dtype);
    *s = (sum){ .workers = w,
                .what = what,
                .item = item,
                .bytes = what->count * item,
                .count = what->count,
                .pointers = cohort_allocate(n, sizeof *s->pointers),
                .made = cohort_allocate(n, sizeof *s->made) };
    return s->pointers != NULL && s->made != NULL ? make_room(s)
                                                  : cohort_error_memory("a reduction over workers");
}

static void end(const sum *s)
{
    cohort_free(s->pointers);
    cohort_free(s->made);
}

cohort_status cohort_workers_combine(cohort_workers *w, const cohort_workers_sum *what)
{
    sum s;
    cohort_status status = begin(&s, w, what);
    if (status >= 0)
        status = meet(&s);
    if (status >= 0)
        status = finish(&s);
    end(&s);
    return status;
}

/* ------------------------------------------------------------------ offers */

bool cohort_workers_can_offer(const cohort_workers *w, uint64_t bytes)
{
    return w->number >= w->offers_from && bytes <= COHORT_WORKERS_OFFER;
}

static bool is_same(const sum *s, const note *mine, int32_t worker)
{
    note theirs;
    const char *text = cohort_workers_note(s->workers, worker);
    memcpy(&theirs, text, sizeof theirs);
    return theirs.op == mine->op && theirs.dtype == mine->dtype && theirs.count == mine->count &&
           theirs.divisor == mine->divisor &&
           memcmp(text + sizeof theirs, s->what->finding, s->what->finding_bytes) == 0;
}

cohort_status cohort_workers_offer(cohort_workers *w, const cohort_workers_sum *what,
                                   bool *out_is_taken)
{
    char text[COHORT_WORKERS_NOTE]; /* not cleared: it is large */
    note mine;
    sum s;
    *out_is_taken = false;
    cohort_status status = begin(&s, w, what);
    if (status >= 0)
        status = cohort_workers_meet_to_offer(w, what->call, text, write_note(&s, &mine, text),
                                              out_is_taken);
    for (int32_t i = 0; i < w->n && status >= 0 && *out_is_taken; i++)
        *out_is_taken = is_same(&s, &mine, i);
    if (status >= 0 && *out_is_taken)
        status = finish(&s);
    end(&s);
    return status;
}
