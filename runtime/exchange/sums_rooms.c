/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of this process in which sums over workers come together. */
#include "config.h"

#include "runtime/exchange/sums.h"

#include "runtime/base/memory.h"

/* Its old content is of no use to anybody. */
static bool grow_room(cohort_workers *w, size_t bytes)
{
    if (bytes <= w->room_bytes)
        return true;
    char *room = cohort_allocate_aligned(bytes, COHORT_SUM_LINE_BYTES);
    if (room == NULL)
        return false;
    cohort_messages_give(&w->messages, w->room, cohort_free);
    w->room = room;
    w->room_bytes = bytes;
    return true;
}

/* So many rooms are added up. False: more than memory can be. */
static bool add_rooms(uint64_t each, int32_t n, uint64_t *bytes)
{
    uint64_t more;
    return !__builtin_mul_overflow(cohort_sum_room(each), (uint64_t)n, &more) &&
           !__builtin_add_overflow(*bytes, more, bytes) && *bytes < SIZE_MAX;
}

/* Nodes below this one that are combined before it (sums_combine.c), where all roots contribute; of
 * fewer that do, no others are. */
static int32_t nodes_before(const cohort_workers *w, cohort_sum_node n)
{
    if (n.end - n.first <= (int32_t)COHORT_MAX_TERMS)
        return 0;
    const int32_t middle = cohort_roots_middle(w->roots, n.first, n.end);
    const cohort_sum_node left = { n.first, middle }, right = { middle, n.end };
    return (left.end - left.first > 1) + nodes_before(w, left) + (right.end - right.first > 1) +
           nodes_before(w, right);
}

/* What comes from others has a room each. */
static bool measure_rooms_of(const cohort_sum *s, uint64_t *bytes)
{
    uint64_t more = 0;
    if (!cohort_sum_is_sliced(s))
        return cohort_sum_is_inline(s) || add_rooms(s->bytes, s->workers->n_roots, bytes);
    return cohort_slots_measure(s, &more) && !__builtin_add_overflow(*bytes, more, bytes) &&
           *bytes < SIZE_MAX;
}

/* Roots have rooms side by side; nodes are of one sum at a time. */
static bool measure_rooms(cohort_sums *all, uint64_t *out_bytes)
{
    const cohort_workers *w = all->workers;
    const int32_t nodes = nodes_before(w, (cohort_sum_node){ 0, w->n_roots });
    uint64_t roots = 0, most = 0;
    bool is_possible = true;
    for (int32_t i = 0; i < all->n && is_possible; i++) {
        const cohort_sum *s = &all->list[i];
        uint64_t bytes = 0, node = cohort_sum_is_sliced(s) ? cohort_slots_most_bytes(s) : s->bytes;
        is_possible = measure_rooms_of(s, &roots) && add_rooms(node, nodes, &bytes);
        most = bytes > most ? bytes : most;
    }
    all->node_bytes = (size_t)most;
    return is_possible && !__builtin_add_overflow(roots, most, out_bytes) && *out_bytes < SIZE_MAX;
}

static int32_t count_own(const cohort_workers *w)
{
    int32_t own = 0;
    for (int32_t i = 0; i < w->n_roots; i++)
        own += w->roots[i].worker == w->rank;
    return own;
}

/* Under way together, at most. */
static int32_t most_messages(const cohort_sums *all)
{
    const cohort_workers *w = all->workers;
    const int32_t own = count_own(w), whole = w->n_roots - own + own * (w->n - 1);
    int32_t most = 0;
    for (int32_t i = 0; i < all->n; i++) {
        const cohort_sum *s = &all->list[i];
        most += cohort_sum_is_sliced(s)   ? cohort_slots_most_messages(s)
                : cohort_sum_is_inline(s) ? 0
                                          : whole;
    }
    return most;
}

cohort_status cohort_sums_make_rooms(cohort_sums *all, const char *call)
{
    uint64_t bytes = 0;
    if (measure_rooms(all, &bytes) && grow_room(all->workers, (size_t)bytes) &&
        cohort_messages_reserve(&all->workers->messages, (size_t)most_messages(all)) >= 0)
        return COHORT_OK;
    return cohort_error_prefix(cohort_error_memory("a reduction over workers"), "%s", call);
}
