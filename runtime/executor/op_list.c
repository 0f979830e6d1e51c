/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of operations, and how they become what they are this time.
 *
 * The list is one block of memory. What the planner writes each time, the draft of what is posted, is in
 * other cache lines than what the runner writes. The runner moves the numbers on, when it comes to the
 * first operation, and not the planner: a time before may not be over when the next one is posted. */
#include "config.h"

#include "runtime/executor/op_list.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"

#include <string.h>

typedef struct entry {
    cohort_op *op;
    uint64_t call;
} entry;

typedef struct growing {
    uint64_t *at;
    uint64_t first, by;
} growing;

struct cohort_op_list {
    cohort_lane *lane;
    cohort_op_list_room room;
    size_t n, n_bytes, n_numbers, n_addresses, n_fences;
    cohort_op_list_record *draft;
    uint64_t first, by; /* expected: the number of the first operation */

    /* the runner's */
    _Alignas(64) uint64_t entered; /* number of its first operation, when it was begun last */
    entry *ops;                    /* [n] */
    growing *numbers;              /* [n_numbers] */
    const void ***addresses;       /* [n_addresses] */
    cohort_fence *fences;          /* [n_fences] */
    char *records;                 /* [n_bytes] */
};

/* ------------------------------------------------------------------ planner */

/* Stands in the ring for the operations of the list, which are done instead. */
static cohort_status do_list(cohort_lane *lane, cohort_op *op)
{
    (void)lane, (void)op;
    cohort_assert(false);
    return COHORT_EINTERNAL;
}

static size_t draft_bytes(size_t addresses)
{
    return sizeof(cohort_op_list_record) + addresses * sizeof(void *);
}

static void *cut(char **from, size_t bytes)
{
    void *piece = *from;
    *from += cohort_op_list_bytes_for(bytes);
    return piece;
}

static void lay_out(cohort_op_list *p, char *rest, const cohort_op_list_room *room)
{
    p->draft = cut(&rest, draft_bytes(room->addresses));
    p->ops = cut(&rest, room->ops * sizeof *p->ops);
    p->numbers = cut(&rest, room->numbers * sizeof *p->numbers);
    p->addresses = cut(&rest, room->addresses * sizeof(void **));
    p->fences = cut(&rest, room->fences * sizeof *p->fences);
    p->records = cut(&rest, room->bytes);
}

static size_t bytes_of(const cohort_op_list_room *room)
{
    return cohort_op_list_bytes_for(sizeof(cohort_op_list)) +
           cohort_op_list_bytes_for(draft_bytes(room->addresses)) +
           cohort_op_list_bytes_for(room->ops * sizeof(entry)) +
           cohort_op_list_bytes_for(room->numbers * sizeof(growing)) +
           cohort_op_list_bytes_for(room->addresses * sizeof(void **)) +
           cohort_op_list_bytes_for(room->fences * sizeof(cohort_fence)) +
           cohort_op_list_bytes_for(room->bytes);
}

/* The pieces are counted twice, here and as they are cut, of which the second must not be more. */
cohort_op_list *cohort_op_list_create(cohort_lane *lane, const cohort_op_list_room *room)
{
    cohort_assert(room->addresses <= COHORT_OP_LIST_ADDRESSES);
    char *block = cohort_allocate_aligned(bytes_of(room), 64);
    if (block == NULL)
        return NULL;
    cohort_op_list *p = (void *)block;
    *p = (cohort_op_list){ .lane = lane, .room = *room };
    lay_out(p, block + cohort_op_list_bytes_for(sizeof *p), room);
    *p->draft = (cohort_op_list_record){ .op = COHORT_OP(.run = do_list), .list = p };
    return p;
}

void cohort_op_list_free(void *list)
{
    cohort_free(list);
}

void cohort_op_list_expect(cohort_op_list *p, uint64_t number, uint64_t by)
{
    p->first = number;
    p->by = by;
}

bool cohort_op_list_is_expected(const cohort_op_list *p, const cohort_op *record)
{
    return record->number == p->first + p->by * p->draft->time;
}

cohort_op *cohort_op_list_add(cohort_op_list *p, const cohort_op *op, size_t bytes, uint64_t call)
{
    size_t at = p->n_bytes;
    p->n_bytes += cohort_op_list_bytes_for(bytes);
    cohort_assert(p->n < p->room.ops && p->n_bytes <= p->room.bytes);
    cohort_op *copy = memcpy(p->records + at, op, bytes);
    p->draft->op.flags = op->flags & COHORT_OP_HERE; /* of the last one: what is waited for */
    copy->bytes = 0; /* but of the last one, with which all of the record is over */
    copy->n_waits = 0;
    copy->waits = p->fences + p->n_fences;
    p->ops[p->n++] = (entry){ copy, call };
    return copy;
}

uint64_t *cohort_op_list_wait(cohort_op_list *p, cohort_fence fence)
{
    cohort_op *last = p->ops[p->n - 1].op;
    cohort_assert(p->n_fences < p->room.fences);
    p->fences[p->n_fences++] = fence;
    return &last->waits[last->n_waits++].number;
}

void cohort_op_list_grow(cohort_op_list *p, uint64_t *number, uint64_t by)
{
    cohort_assert(p->n_numbers < p->room.numbers);
    p->numbers[p->n_numbers++] = (growing){ number, *number, by };
}

const void **cohort_op_list_take(cohort_op_list *p, const void **address)
{
    cohort_assert(p->n_addresses < p->room.addresses);
    p->addresses[p->n_addresses] = address;
    return &p->draft->addresses[p->n_addresses++];
}

const cohort_op_list_record *cohort_op_list_record_for(cohort_op_list *p, uint64_t time,
                                                       size_t *out_bytes)
{
    *out_bytes = draft_bytes(p->n_addresses);
    p->draft->time = time;
    return p->draft;
}

cohort_lane *cohort_op_list_lane(const cohort_op_list *p)
{
    return p->lane;
}

size_t cohort_op_list_count(const cohort_op_list *p)
{
    return p->n;
}

/* ------------------------------------------------------------------ runner */

bool cohort_op_list_is(const cohort_op *record)
{
    return record->run == do_list;
}

/* The list becomes what it is this time. */
static void enter(cohort_op_list *p, const cohort_op_list_record *r)
{
    for (size_t i = 0; i < p->n_numbers; i++)
        *p->numbers[i].at = p->numbers[i].first + p->numbers[i].by * r->time;
    for (size_t i = 0; i < p->n_addresses; i++)
        *p->addresses[i] = r->addresses[i];
    p->ops[p->n - 1].op->bytes = r->op.bytes;
    p->entered = r->op.number;
}

/* The runner asks several times for an operation that has to wait. */
cohort_op *cohort_op_list_ready(const cohort_op *record, uint64_t number)
{
    const cohort_op_list_record *r = (const void *)record;
    cohort_op_list *p = r->list;
    if (p->entered != record->number)
        enter(p, r);
    const entry *o = &p->ops[number - record->number];
    o->op->number = number;
    o->op->call = record->call + o->call;
    o->op->step = record->step;
    return o->op;
}
