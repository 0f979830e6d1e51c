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

cohort_status cohort_op_list_do(cohort_lane *lane, cohort_op *op)
{
    (void)lane, (void)op;
    cohort_assert(false);
    return COHORT_EINTERNAL;
}

static size_t draft_bytes(size_t addresses)
{
    return sizeof(cohort_op_list_record) + addresses * sizeof(void *);
}

/* Where the pieces of the block begin. */
typedef struct layout {
    size_t draft, ops, numbers, addresses, fences, records, end;
} layout;

static size_t cut(layout *l, size_t bytes)
{
    size_t at = l->end;
    l->end += cohort_op_list_bytes_for(bytes);
    return at;
}

static layout lay_out(const cohort_op_list_room *room)
{
    layout l = { .end = cohort_op_list_bytes_for(sizeof(cohort_op_list)) };
    l.draft = cut(&l, draft_bytes(room->addresses));
    l.ops = cut(&l, room->ops * sizeof(entry));
    l.numbers = cut(&l, room->numbers * sizeof(growing));
    l.addresses = cut(&l, room->addresses * sizeof(void **));
    l.fences = cut(&l, room->fences * sizeof(cohort_fence));
    l.records = cut(&l, room->bytes);
    return l;
}

cohort_op_list *cohort_op_list_create(cohort_lane *lane, const cohort_op_list_room *room)
{
    cohort_assert(room->addresses <= COHORT_OP_LIST_ADDRESSES);
    const layout l = lay_out(room);
    char *block = cohort_allocate_aligned(l.end, 64);
    if (block == NULL)
        return NULL;
    cohort_op_list *p = (void *)block;
    *p = (cohort_op_list){ .lane = lane,
                           .room = *room,
                           .draft = (void *)(block + l.draft),
                           .ops = (void *)(block + l.ops),
                           .numbers = (void *)(block + l.numbers),
                           .addresses = (void *)(block + l.addresses),
                           .fences = (void *)(block + l.fences),
                           .records = block + l.records };
    *p->draft = (cohort_op_list_record){ .op = COHORT_OP(.run = cohort_op_list_do), .list = p };
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
