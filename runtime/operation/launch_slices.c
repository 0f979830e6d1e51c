/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch over arrays that begin with the content of others: slice by slice, so that the items find
 * in the cache what was just copied. The slices are ranges of items, which change no bit. */
#include "config.h"

#include "runtime/operation/launch.h"

#include <string.h>

/* SLICE_BYTES: what the slices of all arrays that are kept have together, which leaves as much of
 * the nearest cache for what else the items read. Whole lines of any array are CUT items. */
enum { SLICE_BYTES = 24 * 1024, CUT = 64 };

static int64_t items_of_slice(const cohort_launch_op *l, const cohort_launch_commit commits[])
{
    uint64_t bytes = 0;
    for (int32_t i = 0; i < l->n_commits; i++)
        bytes += commits[i].from != NULL ? commits[i].item_bytes : 0;
    int64_t items = (int64_t)(SLICE_BYTES / bytes) / CUT * CUT;
    return items > 0 ? items : CUT;
}

static void copy_slice(const cohort_launch_commit *commit, int64_t begin, int64_t end)
{
    uint64_t offset = (uint64_t)begin * commit->item_bytes;
    if (commit->from != NULL)
        memcpy((char *)commit->into->host + offset, (const char *)commit->from->host + offset,
               (uint64_t)(end - begin) * commit->item_bytes);
}

cohort_status cohort_launch_slices(const cohort_launch_op *l, const cohort_launch_commit commits[],
                                   cohort_launch *call, int64_t items[2])
{
    const cohort_executable *b = l->executable;
    cohort_status status = COHORT_OK;
    int64_t end = items[1], most = items_of_slice(l, commits);
    for (int64_t at = items[0]; at < end && status >= 0; at = items[1]) {
        items[0] = at;
        items[1] = end - at > most ? at + most : end;
        for (int32_t i = 0; i < l->n_commits; i++)
            copy_slice(&commits[i], items[0], items[1]);
        call->range.global[0] = (uint64_t)(items[1] - items[0]);
        status = cohort_context_launch(b->context, b->kernel, call, NULL);
    }
    return status;
}
