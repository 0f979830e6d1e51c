/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch over arrays that begin with the content of others, or that are fed: slice by slice, so that
 * the items find in the cache what was just copied or summed. The slices are ranges of items, which
 * change no bit. */
#include "config.h"

#include "runtime/operation/feed.h"

#include <string.h>

/* SLICE_BYTES: what the slices of all arrays that are kept have together, which leaves as much of
 * the nearest cache for what else the items read. Whole lines of any array are CUT items. Of up to
 * LITTLE_BYTES several cores are not faster than one. */
enum { SLICE_BYTES = 24 * 1024, CUT = 64, LITTLE_BYTES = 16 * 1024 };

bool cohort_launch_may_slice(const cohort_context *context, uint64_t bytes)
{
    const cohort_device *d = context->device;
    return cohort_context_has(context, COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE) &&
           context->ops->event_wait == NULL &&
           (bytes <= LITTLE_BYTES || d->info->compute_units <= d->parts);
}

static int64_t cut(uint64_t bytes, uint64_t item_bytes, int64_t most)
{
    int64_t items = (int64_t)(bytes / item_bytes) / CUT * CUT;
    items = items > 0 ? items : CUT;
    return items < most ? items : most;
}

static int64_t items_of_slice(const cohort_launch_op *l, const cohort_launch_commit commits[])
{
    uint64_t bytes = 0;
    int64_t items = INT64_MAX;
    for (int32_t i = 0; i < l->n_commits; i++)
        bytes += commits[i].from != NULL ? commits[i].item_bytes : 0;
    if (bytes > 0)
        items = cut(SLICE_BYTES, bytes, items);
    const cohort_feed *feed = cohort_feed_first(l);
    for (int32_t i = 0; i < l->n_feeds; i++, feed = cohort_feed_next(feed))
        items = cut(feed->turn, feed->item_bytes, items);
    return items;
}

static void copy_slice(const cohort_launch_commit *commit, int64_t begin, int64_t end)
{
    uint64_t offset = (uint64_t)begin * commit->item_bytes;
    if (commit->from != NULL)
        memcpy((char *)commit->into->host + offset, (const char *)commit->from->host + offset,
               (uint64_t)(end - begin) * commit->item_bytes);
}

static cohort_status do_slice(const cohort_launch_op *l, const cohort_launch_commit commits[],
                              cohort_launch *call, const int64_t items[2])
{
    cohort_status status = cohort_feed_slice(l, items[0], items[1]);
    if (status < 0)
        return status;
    for (int32_t i = 0; i < l->n_commits; i++)
        copy_slice(&commits[i], items[0], items[1]);
    call->range.global[0] = (uint64_t)(items[1] - items[0]);
    return cohort_context_launch(l->executable->context, l->executable->kernel, call, NULL);
}

cohort_status cohort_launch_slices(const cohort_launch_op *l, const cohort_launch_commit commits[],
                                   cohort_launch *call, int64_t items[2])
{
    cohort_status status = cohort_feed_begin(l);
    int64_t end = items[1], most = items_of_slice(l, commits);
    for (int64_t at = items[0]; at < end && status >= 0; at = items[1]) {
        items[0] = at;
        items[1] = end - at > most ? at + most : end;
        status = do_slice(l, commits, call, items);
    }
    return status;
}
