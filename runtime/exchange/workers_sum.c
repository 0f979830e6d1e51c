/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over workers: roots cross, and are combined along the tree in memory of this process. The
 * way in which they cross, of three, depends on their sizes alone, which are the same everywhere.
 * Several sums share their messages' rounds: one meeting, with all roots that fit into it; then all
 * others; then all slices. */
#include "config.h"

#include "runtime/exchange/sums.h"

#include "runtime/base/memory.h"

#include <cohort/array.h>

/* ------------------------------------------------------------------ crossing */

static uint64_t first_of(const cohort_sum *s, int32_t worker)
{
    uint64_t line = COHORT_SUM_LINE_BYTES / s->item, lines = (s->what->count + line - 1) / line;
    uint64_t first = lines * (uint64_t)worker / (uint64_t)s->workers->n * line;
    return first < s->what->count ? first : s->what->count;
}

static uint64_t count_of(const cohort_sum *s, int32_t worker)
{
    return first_of(s, worker + 1) - first_of(s, worker);
}

static void take_inline(const cohort_sum *s)
{
    const cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n_roots; i++)
        s->pointers[i] = cohort_sum_has_root(s, i)
                             ? (const char *)cohort_workers_note(w, w->roots[i].worker) +
                                   s->roots_from +
                                   (size_t)cohort_roots_place(w->roots, i) * s->bytes
                             : NULL;
}

static void send_root(const cohort_sum *s, const char *root)
{
    cohort_workers *w = s->workers;
    bool is_cut = cohort_sum_is_sliced(s);
    for (int32_t to = 0; to < w->n; to++)
        if (to != w->rank)
            cohort_messages_send(&w->messages, to, root + (is_cut ? first_of(s, to) * s->item : 0),
                                 is_cut ? count_of(s, to) * s->item : s->bytes);
}

/* My roots as they are; of the others what I combine. Each worker gets what it combines. Where the
 * next root has its room. */
static char *begin_crossing(const cohort_sum *s, char *room)
{
    cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t from = w->roots[i].worker;
        s->pointers[i] = NULL;
        if (!cohort_sum_has_root(s, i))
            continue;
        if (from != w->rank) {
            cohort_messages_receive(&w->messages, from, room, s->count * s->item);
            s->pointers[i] = room;
            room += cohort_sum_room(s->count * s->item);
            continue;
        }
        const char *mine = s->what->roots[cohort_roots_place(w->roots, i)];
        s->pointers[i] = mine + s->first * s->item;
        send_root(s, mine);
    }
    return room;
}

/* ------------------------------------------------------------------ all of it */

static void begin_gathering(const cohort_sum *s)
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
static cohort_status cross(const cohort_sums *all, const char *call)
{
    char *room = all->workers->room + all->node_bytes;
    for (int32_t i = 0; i < all->n; i++) {
        cohort_sum *s = &all->list[i];
        if (cohort_sum_is_inline(s)) {
            take_inline(s);
            continue;
        }
        if (cohort_sum_is_sliced(s)) {
            s->first = first_of(s, all->workers->rank);
            s->count = count_of(s, all->workers->rank);
        }
        room = begin_crossing(s, room);
    }
    return cohort_messages_wait(&all->workers->messages, call);
}

/* A slice is on its way while the next sum is combined. Messages that were begun are waited for,
 * too, where that fails. */
static cohort_status combine_and_gather(const cohort_sums *all, const char *call)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < all->n && status >= 0; i++) {
        status = cohort_sum_combine(&all->list[i]);
        if (status >= 0 && cohort_sum_is_sliced(&all->list[i]))
            begin_gathering(&all->list[i]);
    }
    return cohort_messages_wait_after(&all->workers->messages, call, status);
}

/* After the meeting. */
static cohort_status finish(const cohort_sums *all, const char *call)
{
    cohort_status status = cross(all, call);
    return status < 0 ? status : combine_and_gather(all, call);
}

static cohort_sum sum_of(const cohort_sums *all, const cohort_workers_sum *what,
                         const void **pointers)
{
    uint64_t item = (uint64_t)cohort_dtype_bytes((cohort_dtype)what->dtype);
    return (cohort_sum){ .workers = all->workers,
                         .what = what,
                         .item = item,
                         .bytes = what->count * item,
                         .count = what->count,
                         .pointers = pointers };
}

static cohort_status begin(cohort_sums *all, cohort_workers *w, const cohort_workers_sum what[],
                           int32_t n)
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
    cohort_sums_write_notes(all);
    return cohort_sums_make_rooms(all, what->call);
}

static void end(const cohort_sums *all)
{
    cohort_free(all->list);
    cohort_free(all->pointers);
}

cohort_status cohort_workers_combine(cohort_workers *w, const cohort_workers_sum what[], int32_t n)
{
    cohort_sums all; /* not cleared: it is large */
    cohort_status status = begin(&all, w, what, n);
    cohort_talk_begin(&w->talk);
    if (status >= 0)
        status = cohort_sums_meet(&all, what->call);
    if (status >= 0)
        status = finish(&all, what->call);
    cohort_talk_end(&w->talk);
    end(&all);
    return status;
}

/* ------------------------------------------------------------------ offers */

bool cohort_workers_can_offer(const cohort_workers *w, uint64_t bytes)
{
    return w->number >= w->offers_from && bytes <= COHORT_WORKERS_OFFER;
}

cohort_status cohort_workers_offer(cohort_workers *w, const cohort_workers_sum *what,
                                   bool *out_is_taken)
{
    cohort_sums all; /* not cleared: it is large */
    *out_is_taken = false;
    cohort_status status = begin(&all, w, what, 1);
    cohort_talk_begin(&w->talk);
    if (status >= 0)
        status =
            cohort_workers_meet_to_offer(w, what->call, all.text, all.note_bytes, out_is_taken);
    if (status >= 0 && *out_is_taken)
        *out_is_taken = cohort_sums_is_offered(&all);
    if (status >= 0 && *out_is_taken)
        status = finish(&all, what->call);
    cohort_talk_end(&w->talk);
    end(&all);
    return status;
}
