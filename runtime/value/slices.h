/* SPDX-License-Identifier: BSD-3-Clause */
/* Index slices on their way: ids, and rows that belong to them, of one or several replicas,
 * gathered in memory of this process for the operations that use them on other devices. */
#ifndef COHORT_VALUE_SLICES_H
#define COHORT_VALUE_SLICES_H

#include "runtime/operation/use.h"
#include "runtime/value/operand.h"

/* What one replica brings; of a plain value it may stand several times. */
typedef struct cohort_slice {
    int32_t replica;  /* its id, for messages */
    int64_t count;    /* ids */
    bool is_wide;     /* ids are int64, else int32 */
    const void *ids;  /* NULL: in ids_buffer, whose device shows its memory */
    const void *rows; /* the same; both NULL: there are no rows */
    cohort_buffer *ids_buffer, *rows_buffer;
} cohort_slice;

typedef struct cohort_slices {
    /* the planner's, and one for each operation that was posted with them or fills a block */
    atomic_int references;
    int64_t row_bytes;
    int32_t n;
    /* the planner's: memory of this process is used where it lies, for whoever posts waits for what
     * it has posted before anybody can change it; some is */
    bool may_borrow, has_borrowed;
    cohort_staging *staging; /* where this comes from, and the blocks */
    cohort_slice *slices;    /* [n] */
    void **blocks;           /* [2 n]: memory that goes with them, or NULL */
    uint64_t *fetched;       /* set of fences: downloads into the blocks */
    cohort_use *uses;        /* [2 n + 3] */
} cohort_slices;

/* For n slices with rows of that size; one reference. NULL with an error text. */
cohort_slices *cohort_slices_create(cohort_executor *executor, int32_t n, int64_t row_bytes);
void cohort_slices_retain(cohort_slices *slices);
void cohort_slices_release(cohort_slices *slices);

/* Before anything is posted: check ids, and rows where they are given, against a variable of that
 * shape, and make what is needed to read them. COHORT_EINVAL with "call: ..."; COHORT_ENOMEM. */
cohort_status cohort_slices_check(const cohort_variable *variable, const cohort_operand *ids,
                                  const cohort_operand *rows, int32_t replica, const char *call);
cohort_status cohort_slices_prepare(const cohort_operand *ids, const cohort_operand *rows,
                                    int32_t replica);

/* Fill slice `at` with what a replica brings (rows may be NULL), posting downloads where a device
 * does not show its memory. What this process has is copied now, unless it is much and may be
 * borrowed. Out of memory is the strategy's failure. */
void cohort_slices_take(cohort_slices *slices, int32_t at, const cohort_operand *ids,
                        const cohort_operand *rows, int32_t replica);

/* List in slices->uses what an operation uses that reads the slices; returns how many there are.
 * There is room for two more. */
int32_t cohort_slices_list_uses(cohort_slices *slices);

/* The runner's: id i of a slice, and its row. */
static inline int64_t cohort_slice_id(const cohort_slice *s, int64_t i)
{
    const void *ids = s->ids != NULL ? s->ids : s->ids_buffer->host;
    return s->is_wide ? ((const int64_t *)ids)[i] : ((const int32_t *)ids)[i];
}

static inline const char *cohort_slice_row(const cohort_slices *slices, const cohort_slice *s,
                                           int64_t i)
{
    const char *rows = s->rows != NULL ? s->rows : s->rows_buffer->host;
    return rows + i * slices->row_bytes;
}

/* The runner's: every id is a row of the variable, of which there are `rows`? COHORT_EINVAL names
 * id and replica. */
cohort_status cohort_slices_check_ids(const cohort_slices *slices, int64_t rows,
                                      const char *variable);

#endif
