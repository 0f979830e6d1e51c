/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/call/batches.h"

#include "runtime/call/binder.h"

void cohort_batches_note(cohort_binder *binder, cohort_batch *batch, const void *input,
                         int64_t rows)
{
    cohort_batches *all = &binder->batches;
    if (batch->input == NULL) {
        batch->next = all->list;
        all->list = batch;
    }
    batch->input = input;
    batch->rows = rows;
    batch->is_under_way = true;
    all->latest = batch;
    binder->binding.batch_rows = rows;
}

void cohort_batches_settle(cohort_binder *binder)
{
    const cohort_batch *only = NULL;
    int32_t n = 0;
    for (const cohort_batch *b = binder->batches.list; b != NULL; b = b->next) {
        only = b->is_under_way ? b : only;
        n += b->is_under_way;
    }
    only = n > 0 ? only : binder->batches.latest;
    binder->binding.batch_rows = n > 1          ? COHORT_BATCH_ROWS_MANY
                                 : only != NULL ? only->rows
                                                : COHORT_BATCH_ROWS_NONE;
}

void cohort_batches_end(cohort_binder *binder, cohort_batch *batch)
{
    batch->is_under_way = false;
    cohort_batches_settle(binder);
}

void cohort_batches_forget(cohort_binder *binder, cohort_batch *batch)
{
    cohort_batch **at = &binder->batches.list;
    while (*at != NULL && *at != batch)
        at = &(*at)->next;
    if (*at == NULL)
        return;
    *at = batch->next;
    if (binder->batches.latest == batch)
        binder->batches.latest = NULL;
    *batch = (cohort_batch){ 0 };
    cohort_batches_settle(binder);
}

int64_t cohort_batches_rows(const cohort_binder *binder, const void *input)
{
    for (const cohort_batch *b = binder->batches.list; b != NULL; b = b->next)
        if (b->input == input)
            return b->rows;
    return COHORT_BATCH_ROWS_NONE;
}
