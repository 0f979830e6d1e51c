/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over workers: roots cross, and are combined along the tree in memory of this process. The
 * way in which they cross, of three, depends on their sizes alone, which are the same everywhere.
 * Several sums share their messages' rounds: one meeting, with all roots that fit into it; then all
 * others; then all slices. Where sums go by machine, two rounds among the workers of each machine
 * are around those. */
#include "config.h"

#include "runtime/exchange/sums.h"

#include "runtime/base/memory.h"

#include <cohort/array.h>

/* ------------------------------------------------------------------ crossing */

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

static void send_root(cohort_workers *w, const void *root, uint64_t bytes)
{
    for (int32_t to = 0; to < w->n; to++)
        if (to != w->rank)
            cohort_messages_send(&w->messages, to, root, bytes);
}

/* My roots as they are, which all others get; theirs come. Where the next root has its room. */
static char *begin_whole(const cohort_sum *s, char *room)
{
    cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t from = w->roots[i].worker;
        s->pointers[i] = NULL;
        if (!cohort_sum_has_root(s, i))
            continue;
        if (from != w->rank) {
            cohort_messages_receive(&w->messages, from, room, s->bytes);
            s->pointers[i] = room;
            room += cohort_sum_room(s->bytes);
            continue;
        }
        s->pointers[i] = s->what->roots[cohort_roots_place(w->roots, i)];
        send_root(w, s->pointers[i], s->bytes);
    }
    return room;
}

static char *begin_crossing(cohort_sum *s, char *room)
{
    if (cohort_sum_is_sliced(s))
        return cohort_slots_begin(s, room);
    if (!cohort_sum_is_inline(s))
        return begin_whole(s, room);
    take_inline(s);
    return room;
}

/* ------------------------------------------------------------------ all of it */

static bool is_by_machine(const cohort_sums *all)
{
    bool is_one = false;
    for (int32_t i = 0; i < all->n && !is_one; i++)
        is_one = cohort_sum_is_by_machine(&all->list[i]);
    return is_one;
}

static cohort_status wait(const cohort_sums *all, const char *call, cohort_status status)
{
    return cohort_messages_wait_after(&all->workers->messages, call, status);
}

/* Roots to where they are combined. Nothing is waited for in between where there is nothing. */
static cohort_status cross(const cohort_sums *all, const char *call)
{
    char *room = all->workers->room + all->node_bytes;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < all->n; i++)
        room = begin_crossing(&all->list[i], room);
    if (is_by_machine(all))
        status = wait(all, call, COHORT_OK);
    for (int32_t i = 0; i < all->n && status >= 0; i++)
        if (cohort_sum_is_sliced(&all->list[i]))
            status = cohort_slots_cross(&all->list[i], &room);
    return wait(all, call, status);
}

/* A slice is on its way while the next sum is combined. Messages that were begun are waited for,
 * too, where that fails. */
static cohort_status combine_and_gather(const cohort_sums *all, const char *call)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < all->n && status >= 0; i++)
        status = cohort_sum_is_sliced(&all->list[i]) ? cohort_slots_combine(&all->list[i])
                                                     : cohort_sum_combine(&all->list[i]);
    return wait(all, call, status);
}

/* From who bears slots to the others of each machine. */
static cohort_status spread(const cohort_sums *all, const char *call)
{
    for (int32_t i = 0; i < all->n; i++)
        if (cohort_sum_is_by_machine(&all->list[i]))
            cohort_slots_spread(&all->list[i]);
    return wait(all, call, COHORT_OK);
}

/* After the meeting. */
static cohort_status finish(const cohort_sums *all, const char *call)
{
    cohort_status status = cross(all, call);
    if (status >= 0)
        status = combine_and_gather(all, call);
    return status >= 0 && is_by_machine(all) ? spread(all, call) : status;
}

static cohort_sum sum_of(const cohort_sums *all, const cohort_workers_sum *what,
                         const void **pointers)
{
    uint64_t item = (uint64_t)cohort_dtype_bytes((cohort_dtype)what->dtype);
    uint64_t bytes = what->count * item;
    return (cohort_sum){ .workers = all->workers,
                         .what = what,
                         .item = item,
                         .bytes = bytes,
                         .count = what->count,
                         .pointers = pointers,
                         .machines = cohort_workers_machines(all->workers, bytes),
                         .near = pointers + all->workers->n_roots };
}

static cohort_status begin(cohort_sums *all, cohort_workers *w, const cohort_workers_sum what[],
                           int32_t n)
{
    size_t roots = (size_t)w->n_roots;
    all->workers = w;
    all->n = n;
    all->list = cohort_allocate((size_t)n, sizeof *all->list);
    all->pointers = cohort_allocate((size_t)n * 2 * roots, sizeof *all->pointers);
    if (all->list == NULL || all->pointers == NULL)
        return cohort_error_memory("a reduction over workers");
    for (int32_t i = 0; i < n; i++)
        all->list[i] = sum_of(all, &what[i], all->pointers + (size_t)i * 2 * roots);
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
