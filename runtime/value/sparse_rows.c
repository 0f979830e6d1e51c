/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse reads. Each store copies the rows that it holds straight into the result, where the device
 * of the result shows its memory; else all stores fill one block, which is then uploaded. */
#include "config.h"

#include "runtime/value/sparse_rows.h"

#include "runtime/operation/fallback.h"

#include <string.h>

typedef struct rows_op {
    cohort_op op;
    const cohort_variable *variable; /* its name and shape, which do not change */
    const cohort_store *store;
    cohort_buffer *from, *into; /* into: whose device shows its memory; else NULL */
    char *block;                /* instead */
    cohort_slices *slices;      /* one */
} rows_op;

/* Rows that follow one another here go together. A run is one copy instead of many: embeddings are
 * often read in ranges. */
static int64_t end_of_run(const rows_op *r, int64_t first)
{
    const cohort_slice *slice = r->slices->slices;
    int64_t end = first + 1;
    while (end < slice->count && cohort_store_holds(r->store, cohort_slice_id(slice, end)) &&
           cohort_slice_id(slice, end) == cohort_slice_id(slice, end - 1) + 1)
        end++;
    return end;
}

static cohort_status copy_run(const rows_op *r, int64_t first, int64_t end)
{
    int64_t row_bytes = r->slices->row_bytes;
    char *to = (r->into != NULL ? (char *)r->into->host : r->block) + first * row_bytes;
    uint64_t offset =
        (uint64_t)((cohort_slice_id(r->slices->slices, first) - r->store->first_row) * row_bytes);
    uint64_t bytes = (uint64_t)((end - first) * row_bytes);
    if (r->from->host == NULL)
        return cohort_context_read(r->from->context, r->from->mem, offset, to, bytes, NULL);
    memcpy(to, (const char *)r->from->host + offset, bytes);
    return COHORT_OK;
}

static cohort_status do_rows(cohort_lane *lane, cohort_op *op)
{
    const rows_op *r = (const rows_op *)op;
    const cohort_slice *slice = r->slices->slices;
    (void)lane;
    cohort_status status =
        cohort_slices_check_ids(r->slices, r->variable->extents.shape[0], r->variable->name);
    if (r->slices->row_bytes == 0)
        return status;
    for (int64_t i = 0, end; i < slice->count && status >= 0; i = end) {
        bool is_here = cohort_store_holds(r->store, cohort_slice_id(slice, i));
        end = is_here ? end_of_run(r, i) : i + 1;
        status = is_here ? copy_run(r, i, end) : COHORT_OK;
    }
    return status;
}

/* Whether the rows were read or skipped: every operation that was posted gives back its
 * reference. */
static cohort_status release(cohort_op *op, cohort_status status)
{
    cohort_slices_release(((rows_op *)op)->slices);
    return status;
}

/* One store gives the rows that it holds. */
static void submit_store(const cohort_parts *parts, const cohort_variable *v, int32_t store,
                         cohort_slices *slices, cohort_buffer *into, char *block)
{
    cohort_buffer *from = cohort_variable_current(v, store);
    cohort_use use = { COHORT_USE_READ, from, NULL };
    rows_op r = { .op = COHORT_OP(.run = do_rows, .end = release, .subject = v->name),
                  .variable = v,
                  .store = &v->stores[store],
                  .from = from,
                  .into = block == NULL ? into : NULL,
                  .block = block,
                  .slices = slices };
    cohort_slices_retain(slices);
    if (cohort_parts_submit(parts, from->context, &r.op, sizeof r, &use, 1).lane == NULL)
        cohort_slices_release(slices);
}

/* The stores that hold what a replica reads: its own component, all shards, or one that is near. */
static void choose_stores(const cohort_variable *v, int32_t replica, const cohort_buffer *into,
                          int32_t *out_first, int32_t *out_end)
{
    int32_t near = v->is_per_replica || v->is_sharded
                       ? -1
                       : cohort_variable_store_for(v, into->context->index);
    *out_first = v->is_per_replica ? replica : near >= 0 ? near : 0;
    *out_end = v->is_sharded ? v->n_stores : *out_first + 1;
}

void cohort_sparse_rows_post(cohort_variable *v, int32_t replica, cohort_slices *slices,
                             cohort_buffer *into)
{
    uint64_t bytes = (uint64_t)(slices->slices[0].count * slices->row_bytes);
    bool is_staged = bytes > 0 && !cohort_context_has(into->context, COHORT_CAP_HOST_VISIBLE);
    char *block = is_staged ? cohort_staging_take(into->context->staging, bytes) : NULL;
    int32_t first, end;
    if (slices->slices[0].count == 0)
        return;
    if (is_staged && block == NULL) {
        cohort_transfer_fail(into, "a sparse read");
        return;
    }
    choose_stores(v, replica, into, &first, &end);
    int32_t n = cohort_slices_list_uses(slices);
    slices->uses[n++] = (cohort_use){ COHORT_USE_WRITE, into, NULL };
    cohort_parts parts = cohort_parts_begin(into->executor, slices->uses, n);
    for (int32_t i = first; i < end; i++)
        submit_store(&parts, v, i, slices, into, block);
    cohort_parts_end(&parts);
    if (block != NULL)
        /* after them all: they count as its writers */
        cohort_transfer_upload_taken(into, 0, block, bytes);
}
