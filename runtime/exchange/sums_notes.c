/* SPDX-License-Identifier: BSD-3-Clause */
/* The notes of workers on the sums that they make: what each is, which roots there are, and those
 * that fit. */
#include "config.h"

#include "runtime/exchange/sums.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/reduce_op.h"

#include <cohort/array.h>

#include <stdio.h>
#include <string.h>

enum { ROOT_ALIGNMENT = 16 };

/* The note of a worker on each sum, one behind the other. Behind them are the roots that fit. */
typedef struct note {
    uint64_t count, divisor, roots; /* roots: a bit for each of its own that contributes */
    uint32_t op, dtype;
} note;
_Static_assert(COHORT_WORKERS_NOTE % ROOT_ALIGNMENT == 0, "an offset stays within the note");
_Static_assert(COHORT_WORKERS_SUMS * sizeof(note) <= COHORT_WORKERS_NOTE / 2,
               "the notes of all sums leave room for roots");

static note note_of(const cohort_sum *s, int32_t worker)
{
    note n;
    memcpy(&n, (const char *)cohort_workers_note(s->workers, worker) + s->noted, sizeof n);
    return n;
}

static note own_note(const cohort_sums *all, const cohort_sum *s)
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
    const char *op = cohort_reduce_op_name(n->op);
    int used = snprintf(out, WORDS, "%llu elements of %s by %s", (unsigned long long)n->count,
                        cohort_dtype_name((cohort_dtype)n->dtype), op != NULL ? op : "?");
    if (n->divisor != 1 && used < WORDS)
        (void)snprintf(out + used, WORDS - (size_t)used, ", divided by %llu",
                       (unsigned long long)n->divisor);
    return out;
}

static cohort_status compare(const cohort_sum *s, const note *mine)
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
static void lay_out(cohort_sums *all)
{
    uint64_t most = most_roots(all->workers);
    size_t used = 0;
    for (int32_t i = 0; i < all->n; i++) {
        all->list[i].noted = used;
        used += sizeof(note) + all->list[i].what->finding_bytes;
    }
    for (int32_t i = 0; i < all->n; i++) {
        cohort_sum *s = &all->list[i];
        used = (used + ROOT_ALIGNMENT - 1) / ROOT_ALIGNMENT * ROOT_ALIGNMENT;
        uint64_t room = COHORT_WORKERS_NOTE - used;
        bool fits = s->bytes <= room && most * s->bytes <= room;
        s->roots_from = fits ? used : 0;
        used += fits ? most * s->bytes : 0;
    }
    all->note_bytes = used;
}

/* The note, what was found, and the roots if they are to be there. */
static void write_note(cohort_sums *all, const cohort_sum *s)
{
    const cohort_workers *w = all->workers;
    note mine = { s->what->count, s->what->divisor, 0, s->what->op, s->what->dtype };
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t place = cohort_roots_place(w->roots, i);
        if (w->roots[i].worker != w->rank || s->what->roots[place] == NULL)
            continue;
        mine.roots |= cohort_roots_bit(w->roots, i);
        if (cohort_sum_is_inline(s))
            memcpy(all->text + s->roots_from + (size_t)place * s->bytes, s->what->roots[place],
                   s->bytes);
    }
    memcpy(all->text + s->noted, &mine, sizeof mine);
    if (s->what->finding_bytes > 0)
        memcpy(all->text + s->noted + sizeof mine, s->what->finding, s->what->finding_bytes);
}

void cohort_sums_write_notes(cohort_sums *all)
{
    lay_out(all);
    memset(all->text, 0, all->note_bytes); /* of who has fewer roots than others, too */
    for (int32_t i = 0; i < all->n; i++)
        write_note(all, &all->list[i]);
}

cohort_status cohort_sums_meet(const cohort_sums *all, const char *call)
{
    cohort_status status = cohort_workers_meet(all->workers, call, all->text, all->note_bytes);
    for (int32_t i = 0; i < all->n && status >= 0; i++) {
        note mine = own_note(all, &all->list[i]);
        status = compare(&all->list[i], &mine);
    }
    return status;
}

bool cohort_sum_has_root(const cohort_sum *s, int32_t root)
{
    const cohort_workers *w = s->workers;
    note n = note_of(s, w->roots[root].worker);
    return cohort_roots_is_in(w->roots, n.roots, root);
}

static bool is_same(const cohort_sum *s, const note *mine, int32_t worker)
{
    note theirs = note_of(s, worker);
    const char *text = (const char *)cohort_workers_note(s->workers, worker) + s->noted;
    return reduces_the_same(&theirs, mine) &&
           memcmp(text + sizeof theirs, s->what->finding, s->what->finding_bytes) == 0;
}

bool cohort_sums_is_offered(const cohort_sums *all)
{
    const note mine = own_note(all, all->list);
    bool is_offered = true;
    for (int32_t i = 0; i < all->workers->n && is_offered; i++)
        is_offered = is_same(all->list, &mine, i);
    return is_offered;
}
