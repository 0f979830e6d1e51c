/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum that crosses in slots (machines.h). Roots go to who bears their slots on the machine; of
 * those a bearer makes the roots of the machine, which go to the owners; an owner combines its
 * slots, and they go to the bearers, and from them to all. No step is begun before the messages of
 * the one before are there; where each worker is a machine of its own, the first and the last have
 * none. */
#include "config.h"

#include "runtime/exchange/sums.h"

/* ------------------------------------------------------------------ elements */

typedef struct part {
    uint64_t first, count;
} part;

static uint64_t element_of(const cohort_sum *s, int32_t slot)
{
    uint64_t line = COHORT_SUM_LINE_BYTES / s->item, lines = (s->what->count + line - 1) / line;
    uint64_t slots = (uint64_t)cohort_machines_slots(s->machines);
    uint64_t first = lines * (uint64_t)slot / slots * line;
    return first < s->what->count ? first : s->what->count;
}

static part part_of(const cohort_sum *s, int32_t slot, int32_t end)
{
    const uint64_t first = element_of(s, slot);
    return (part){ first, element_of(s, end) - first };
}

static part part_of_worker(const cohort_sum *s, int32_t worker)
{
    int32_t end, slot = cohort_machines_borne(s->machines, worker, &end);
    return part_of(s, slot, end);
}

static char *result_at(const cohort_sum *s, part p)
{
    return (char *)s->what->into + p.first * s->item;
}

/* ------------------------------------------------------------------ who is who */

static int32_t machine_of(const cohort_sum *s)
{
    return s->machines->of[s->workers->rank];
}

static bool is_neighbour(const cohort_sum *s, int32_t worker)
{
    return worker != s->workers->rank && s->machines->of[worker] == machine_of(s);
}

static bool is_there(const cohort_sum *s, const cohort_machine_root *node)
{
    bool is_one = false;
    for (int32_t i = node->first; i < node->end && !is_one; i++)
        is_one = cohort_sum_has_root(s, i);
    return is_one;
}

/* ------------------------------------------------------------------ memory */

/* Rooms that are added up; false: more than memory can be. */
static bool add(uint64_t *bytes, const cohort_sum *s, part p, int32_t n)
{
    uint64_t more;
    return !__builtin_mul_overflow(cohort_sum_room(p.count * s->item), (uint64_t)n, &more) &&
           !__builtin_add_overflow(*bytes, more, bytes);
}

static bool add_made(uint64_t *bytes, const cohort_sum *s, part mine)
{
    bool is_possible = true;
    for (int32_t i = 0; i < s->machines->n_roots && is_possible; i++) {
        const cohort_machine_root *node = &s->machines->roots[i];
        if (node->machine == machine_of(s) && node->end - node->first > 1)
            is_possible = add(bytes, s, mine, 1);
    }
    return is_possible;
}

static int32_t count_roots_elsewhere(const cohort_sum *s)
{
    int32_t n = 0;
    for (int32_t i = 0; i < s->machines->n_roots; i++)
        n += s->machines->roots[i].machine != machine_of(s);
    return n;
}

static int32_t count_roots_of_neighbours(const cohort_sum *s)
{
    int32_t n = 0;
    for (int32_t i = 0; i < s->workers->n_roots; i++)
        n += is_neighbour(s, s->workers->roots[i].worker);
    return n;
}

bool cohort_slots_measure(const cohort_sum *s, uint64_t *out_bytes)
{
    int32_t end, slot = cohort_machines_borne(s->machines, s->workers->rank, &end);
    const part mine = part_of(s, slot, end);
    const int32_t elsewhere = count_roots_elsewhere(s);
    *out_bytes = 0;
    bool is_possible =
        add(out_bytes, s, mine, count_roots_of_neighbours(s)) && add_made(out_bytes, s, mine);
    for (; slot < end && is_possible; slot++)
        if (cohort_machines_home(s->machines, slot) == machine_of(s))
            is_possible = add(out_bytes, s, part_of(s, slot, slot + 1), elsewhere);
    return is_possible;
}

uint64_t cohort_slots_most_bytes(const cohort_sum *s)
{
    return part_of_worker(s, s->workers->rank).count * s->item;
}

int32_t cohort_slots_most_messages(const cohort_sum *s)
{
    const cohort_machines *m = s->machines;
    int32_t end, slot = cohort_machines_borne(m, s->workers->rank, &end);
    const int32_t neighbours = cohort_machines_size(m, machine_of(s)) - 1;
    const int32_t local = (COHORT_ROOTS_MOST + 1) * neighbours + count_roots_of_neighbours(s);
    const int32_t across = (end - slot) * (m->n_roots + m->n);
    return local > across ? local : across;
}

/* ------------------------------------------------------------------ to the bearers */

static void send_to_neighbours(const cohort_sum *s, const char *root)
{
    for (int32_t to = 0; to < s->workers->n; to++)
        if (is_neighbour(s, to)) {
            const part p = part_of_worker(s, to);
            cohort_messages_send(&s->workers->messages, to, root + p.first * s->item,
                                 p.count * s->item);
        }
}

char *cohort_slots_begin(cohort_sum *s, char *room)
{
    const cohort_workers *w = s->workers;
    const part mine = part_of_worker(s, w->rank);
    for (int32_t i = 0; i < w->n_roots; i++) {
        const int32_t from = w->roots[i].worker;
        const bool is_own = from == w->rank;
        s->pointers[i] = NULL;
        if ((!is_own && !is_neighbour(s, from)) || !cohort_sum_has_root(s, i))
            continue;
        const char *root = is_own ? s->what->roots[cohort_roots_place(w->roots, i)] : NULL;
        s->pointers[i] = is_own ? root + mine.first * s->item : room;
        if (is_own) {
            send_to_neighbours(s, root);
            continue;
        }
        cohort_messages_receive(&s->workers->messages, from, room, mine.count * s->item);
        room += cohort_sum_room(mine.count * s->item);
    }
    return room;
}

/* ------------------------------------------------------------------ to the owners */

/* What a bearer has of its machine's roots is known by the first of each. */
static cohort_status make_roots(cohort_sum *s, char **room)
{
    const cohort_machines *m = s->machines;
    const part mine = part_of_worker(s, s->workers->rank);
    cohort_status status = COHORT_OK;
    s->first = mine.first;
    s->count = mine.count;
    for (int32_t i = 0; i < m->n_roots && status >= 0; i++) {
        const cohort_machine_root *node = &m->roots[i];
        const cohort_sum_node all = { node->first, node->end };
        if (node->machine != machine_of(s))
            continue;
        status = cohort_sum_combine_node(s, all, *room, &s->near[node->first]);
        if (s->near[node->first] == *room)
            *room += cohort_sum_room(mine.count * s->item);
    }
    return status;
}

static const char *near_at(const cohort_sum *s, const cohort_machine_root *node, part p)
{
    const part mine = part_of_worker(s, s->workers->rank);
    return (const char *)s->near[node->first] + (p.first - mine.first) * s->item;
}

static void send_slot(const cohort_sum *s, int32_t slot)
{
    const cohort_machines *m = s->machines;
    const part p = part_of(s, slot, slot + 1);
    const int32_t owner = cohort_machines_bearer(m, cohort_machines_home(m, slot), slot);
    for (int32_t i = 0; i < m->n_roots; i++)
        if (m->roots[i].machine == machine_of(s) && is_there(s, &m->roots[i]))
            cohort_messages_send(&s->workers->messages, owner, near_at(s, &m->roots[i], p),
                                 p.count * s->item);
}

static char *receive_slot(const cohort_sum *s, int32_t slot, char *room)
{
    const cohort_machines *m = s->machines;
    const part p = part_of(s, slot, slot + 1);
    for (int32_t i = 0; i < m->n_roots; i++) {
        const cohort_machine_root *node = &m->roots[i];
        if (node->machine == machine_of(s) || !is_there(s, node))
            continue;
        cohort_messages_receive(&s->workers->messages,
                                cohort_machines_bearer(m, node->machine, slot), room,
                                p.count * s->item);
        room += cohort_sum_room(p.count * s->item);
    }
    return room;
}

cohort_status cohort_slots_cross(cohort_sum *s, char **room)
{
    int32_t end, slot = cohort_machines_borne(s->machines, s->workers->rank, &end);
    const cohort_status status = make_roots(s, room);
    s->far = *room;
    for (; slot < end && status >= 0; slot++)
        if (cohort_machines_home(s->machines, slot) == machine_of(s))
            *room = receive_slot(s, slot, *room);
        else
            send_slot(s, slot);
    return status;
}

/* ------------------------------------------------------------------ the way back */

/* One owned slot of all roots of machines, in the places of the first of each. */
static const char *point_at(cohort_sum *s, int32_t slot, const char *far)
{
    const cohort_machines *m = s->machines;
    const part p = part_of(s, slot, slot + 1);
    for (int32_t i = 0; i < s->workers->n_roots; i++)
        s->pointers[i] = NULL;
    for (int32_t i = 0; i < m->n_roots; i++) {
        const cohort_machine_root *node = &m->roots[i];
        const bool is_near = node->machine == machine_of(s);
        if (!is_there(s, node))
            continue;
        s->pointers[node->first] = is_near ? near_at(s, node, p) : far;
        far += is_near ? 0 : cohort_sum_room(p.count * s->item);
    }
    s->first = p.first;
    s->count = p.count;
    return far;
}

static void send_result(const cohort_sum *s, int32_t slot)
{
    const part p = part_of(s, slot, slot + 1);
    for (int32_t i = 0; i < s->machines->n; i++)
        if (i != machine_of(s))
            cohort_messages_send(&s->workers->messages,
                                 cohort_machines_bearer(s->machines, i, slot), result_at(s, p),
                                 p.count * s->item);
}

static void receive_result(const cohort_sum *s, int32_t slot)
{
    const part p = part_of(s, slot, slot + 1);
    const int32_t home = cohort_machines_home(s->machines, slot);
    cohort_messages_receive(&s->workers->messages, cohort_machines_bearer(s->machines, home, slot),
                            result_at(s, p), p.count * s->item);
}

cohort_status cohort_slots_combine(cohort_sum *s)
{
    int32_t end, slot = cohort_machines_borne(s->machines, s->workers->rank, &end);
    const char *far = s->far;
    cohort_status status = COHORT_OK;
    for (; slot < end && status >= 0; slot++) {
        if (cohort_machines_home(s->machines, slot) != machine_of(s)) {
            receive_result(s, slot);
            continue;
        }
        far = point_at(s, slot, far);
        status = cohort_sum_combine(s);
        if (status >= 0)
            send_result(s, slot);
    }
    return status;
}

void cohort_slots_spread(const cohort_sum *s)
{
    cohort_workers *w = s->workers;
    const part mine = part_of_worker(s, w->rank);
    for (int32_t i = 0; i < w->n; i++)
        if (is_neighbour(s, i)) {
            const part theirs = part_of_worker(s, i);
            cohort_messages_receive(&w->messages, i, result_at(s, theirs), theirs.count * s->item);
            cohort_messages_send(&w->messages, i, result_at(s, mine), mine.count * s->item);
        }
}
