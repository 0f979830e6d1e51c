/* SPDX-License-Identifier: BSD-3-Clause */
/* The operation of a scatter on one store, as the two ways to do it see it. The runner's. */
#ifndef COHORT_VALUE_SCATTER_OP_H
#define COHORT_VALUE_SCATTER_OP_H

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/value/scatter.h"

typedef struct cohort_scatter_op {
    cohort_op op;
    const cohort_variable *variable; /* its name, dtype and shape, which do not change */
    cohort_store *store;
    cohort_buffer *current, *next;
    cohort_slices *slices;
    cohort_write_op what;
    uint64_t divisor, epoch; /* epoch: of the variable after the write */
    uint64_t state;          /* of the store after it */
    uint64_t number;  /* of a write in place that cannot be undone, as the store counts them */
    bool is_in_place; /* such a one */
    bool keeps_rows;  /* it is in place, and may have to be undone */
} cohort_scatter_op;

static inline int64_t cohort_scatter_rows(const cohort_variable *v)
{
    return v->extents.shape[0];
}

static inline int64_t cohort_scatter_rows_here(const cohort_scatter_op *s)
{
    return s->store->rows > 0 ? s->store->rows : cohort_scatter_rows(s->variable);
}

static inline uint64_t cohort_scatter_offset(const cohort_scatter_op *s, int64_t row)
{
    return (uint64_t)((row - s->store->first_row) * s->slices->row_bytes);
}

/* What is done with a row, looked up once. */
typedef struct cohort_scatter_loops {
    cohort_arithmetic_combine_fn combine;
    cohort_write_arithmetic_fn write;   /* where there is no combine; neither: a row is replaced */
    cohort_arithmetic_divide_fn divide; /* NULL: the divisor is 1 */
    size_t elements, row_bytes;
    char *room; /* one row, for the divided contribution */
} cohort_scatter_loops;

/* room: one row, where the scatter divides. */
cohort_scatter_loops cohort_scatter_find_loops(const cohort_scatter_op *s, char *room);

/* into = into op with. The contribution is divided before it is combined, and in a copy: other
 * stores read it as well. */
cohort_status cohort_scatter_combine_row(const cohort_scatter_op *s, const cohort_scatter_loops *c,
                                         int64_t row, char *into, const char *with);

/* All of the slices, those to rows of other stores too. */
static inline size_t cohort_scatter_count(const cohort_scatter_op *s)
{
    size_t count = 0;
    for (int32_t p = 0; p < s->slices->n; p++)
        count += (size_t)s->slices->slices[p].count;
    return count;
}

/* Contributions sorted by row, run by run, from the newest buffer of the store into the one to
 * fill: of a device whose memory this process does not see, or of a scatter that reads the
 * variable. */
cohort_status cohort_scatter_combine_sorted(const cohort_scatter_op *s);

#endif
