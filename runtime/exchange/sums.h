/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over workers, between those who make them (workers_sum.c), note and compare them
 * (sums_notes.c), have memory for them (sums_rooms.c), let them cross in slots (sums_slots.c) and
 * combine them (sums_combine.c). */
#ifndef COHORT_EXCHANGE_SUMS_H
#define COHORT_EXCHANGE_SUMS_H

#include "runtime/exchange/workers.h"

enum { COHORT_SUM_LINE_BYTES = 64 };

typedef struct cohort_sum {
    cohort_workers *workers;
    const cohort_workers_sum *what;
    uint64_t item, bytes;  /* of an element, and of a root */
    uint64_t first, count; /* elements that this worker combines */
    size_t noted,
        roots_from;        /* in a record's note: its own, and its roots; 0: they are not there */
    const void **pointers; /* [roots]: those elements of each; NULL: it does not contribute */
    char *next_node;       /* room for the next node that is combined before the last */
    /* of what crosses in slots: between which machines; what this worker bears of its machine's
     * roots, by the first of each; where what has come from others begins */
    const cohort_machines *machines;
    const void **near; /* [roots] */
    char *far;
} cohort_sum;

typedef struct cohort_sums {
    cohort_workers *workers;
    cohort_sum *list; /* [n] */
    int32_t n;
    const void **pointers; /* of all, and what is near of all */
    size_t node_bytes;     /* of the workers' room, for nodes of one sum after the other */
    size_t note_bytes;
    char text[COHORT_WORKERS_NOTE];
} cohort_sums;

/* A node of the tree: roots first .. end - 1 are all of it. */
typedef struct cohort_sum_node {
    int32_t first, end;
} cohort_sum_node;

/* It has crossed with the meeting. */
static inline bool cohort_sum_is_inline(const cohort_sum *s)
{
    return s->roots_from > 0;
}

static inline bool cohort_sum_is_sliced(const cohort_sum *s)
{
    return !cohort_sum_is_inline(s) && s->bytes > s->workers->most_whole;
}

/* It goes by way of the machine's own workers first. */
static inline bool cohort_sum_is_by_machine(const cohort_sum *s)
{
    return cohort_sum_is_sliced(s) && s->machines == &s->workers->shared;
}

/* The room of a root begins at a line, as a slice of device memory does: an engine that reads the
 * other process's memory has the kernel copy it by string moves, which take twice as long where the
 * distance of the two, modulo a page, is 1 to 31 bytes (measured on Zen 3). malloc's large blocks
 * begin 16 bytes into a page, those of devices at one. */
static inline uint64_t cohort_sum_room(uint64_t bytes)
{
    return (bytes + COHORT_SUM_LINE_BYTES - 1) / COHORT_SUM_LINE_BYTES * COHORT_SUM_LINE_BYTES;
}

/* The record of this worker about all sums, in all->text, with the roots that fit. */
void cohort_sums_write_notes(cohort_sums *all);

/* A meeting with these notes. COHORT_EINVAL: somebody reduces something else, who is named. */
cohort_status cohort_sums_meet(const cohort_sums *all, const char *call);

/* In the last meeting all have noted of the first sum what this worker has, and found the same. */
bool cohort_sums_is_offered(const cohort_sums *all);

/* The worker that hosts this root has noted that it contributes. */
bool cohort_sum_has_root(const cohort_sum *s, int32_t root);

/* Memory for all that comes, and for nodes that are combined on the way. Before anybody is met:
 * nobody waits then for one who has none. COHORT_ENOMEM. */
cohort_status cohort_sums_make_rooms(cohort_sums *all, const char *call);

/* The elements first .. first + count - 1, along the tree, to where they belong. */
cohort_status cohort_sum_combine(cohort_sum *s);

/* The same of a node alone, which nothing is divided by yet: in the room, or, where one root of it
 * contributes, or none, that one, or NULL. */
cohort_status cohort_sum_combine_node(cohort_sum *s, cohort_sum_node node, void *room,
                                      const void **out);

/* A sliced sum: messages are begun that are to be waited for before the next step. */
char *cohort_slots_begin(cohort_sum *s, char *room); /* rooms are used up to what is returned */
cohort_status cohort_slots_cross(cohort_sum *s, char **room);
cohort_status cohort_slots_combine(cohort_sum *s);
void cohort_slots_spread(const cohort_sum *s);

/* What that takes at most: bytes for all that comes, and of a node that is combined; messages under
 * way. False: more than memory can be. */
bool cohort_slots_measure(const cohort_sum *s, uint64_t *out_bytes);
uint64_t cohort_slots_most_bytes(const cohort_sum *s);
int32_t cohort_slots_most_messages(const cohort_sum *s);

#endif
