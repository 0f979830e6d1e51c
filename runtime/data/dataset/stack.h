/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks: rows of the same shape one behind the other in a block, as a batch is made. */
#ifndef COHORT_DATASET_STACK_H
#define COHORT_DATASET_STACK_H

#include "runtime/data/dataset/element.h"

#include <cohort/dataset.h>

typedef struct cohort_stack {
    cohort_pool *pool;   /* of a cursor, which outlives it */
    cohort_array *row;   /* [n]: shape of one row of each component, when has_shape */
    cohort_array *parts; /* [n]: all rows of each; data is where they begin */
    size_t *bytes;       /* [n]: of a row */
    void **ends;         /* [n]: where the next row goes */
    int32_t n;
    bool has_shape;
    int64_t rows, capacity, most;
    cohort_block *block; /* what the rows are in; NULL: none yet */
    cohort_block *given; /* what the latest element is in, until the next */
} cohort_stack;

/* A stack of at most so many rows of n components, in blocks of that pool. COHORT_ENOMEM with an
 * error text; fini is right then too. */
cohort_status cohort_stack_init(cohort_stack *stack, cohort_pool *pool, int32_t n, int64_t most);
void cohort_stack_fini(cohort_stack *stack);

/* Give the stack, which has no rows yet, rows of the shape of this one. */
void cohort_stack_shape(cohort_stack *stack, const cohort_array row[]);
void cohort_stack_shape_specs(cohort_stack *stack, const cohort_spec specs[]);

/* The component of which this row has another shape; -1: none. */
int32_t cohort_stack_differs(const cohort_stack *stack, const cohort_array row[]);

/* The error that says that component k of this row has another shape. kind: the name of the kind
 * of dataset. COHORT_EINVAL. */
cohort_status cohort_stack_refuse(const cohort_stack *stack, const cohort_array row[], int32_t k,
                                  const char *kind);

/* Make room for one row more at least, and for as many as asked for where they are small. Elements
 * that were there stay. */
cohort_status cohort_stack_make_room(cohort_stack *stack);

/* Add `rows` rows, which lie one behind the other at parts[k].data of each component. */
cohort_status cohort_stack_add(cohort_stack *stack, const cohort_array parts[], int64_t rows);

/* Where the next row of each component goes: who writes rows there, no more than the capacity has
 * room for, adds them to `rows`. */
void *const *cohort_stack_ends(cohort_stack *stack);

/* All rows as an element, which is there until it is let go; a stack without rows and shape is
 * left. */
void cohort_stack_give(cohort_stack *stack, cohort_element *out);
void cohort_stack_let_go(cohort_stack *stack);

void cohort_stack_forget(cohort_stack *stack); /* rows and shape */

/* Stacks of this many rows that so many elements make. */
static inline int64_t cohort_stack_count(int64_t elements, int64_t rows, bool drop_remainder)
{
    return elements / rows + (!drop_remainder && elements % rows > 0);
}

/* The specs of a dataset's elements stacked, so many at a time (-1: that differs). COHORT_EINVAL:
 * there are no more axes, or more bytes than a memory holds; the text begins with `call`. */
cohort_status cohort_stack_specs(const cohort_dataset *dataset, int64_t rows, const char *call,
                                 cohort_spec specs[]);

#endif
