/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/feed.h"

#include "runtime/operation/fold.h"

#include <string.h>

size_t cohort_feed_bytes(const cohort_op *fold)
{
    return sizeof(cohort_feed) + cohort_fold_record_bytes(fold);
}

void cohort_feed_write(cohort_feed *to, cohort_feed feed, const cohort_op *fold)
{
    *to = feed;
    to->bytes = (uint32_t)cohort_feed_bytes(fold);
    memcpy(to->fold, fold, cohort_fold_record_bytes(fold));
}

void cohort_feed_launch(cohort_launch_op *l, int32_t n)
{
    const cohort_feed *feed = cohort_feed_first(l);
    l->n_feeds = n;
    l->is_in_slices = true;
    for (int32_t i = 0; i < n; i++, feed = cohort_feed_next(feed))
        l->slots[feed->slot].buffer = feed->into.buffer;
}

/* ------------------------------------------------------------------ runner */

/* Once: it stays what it is. */
static cohort_status make(const cohort_import *into)
{
    return into->buffer->mem != NULL
               ? COHORT_OK
               : cohort_buffer_do_import(into->buffer, into->memory, into->bytes);
}

cohort_status cohort_feed_begin(const cohort_launch_op *l)
{
    const cohort_feed *feed = cohort_feed_first(l);
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < l->n_feeds && status >= 0; i++, feed = cohort_feed_next(feed))
        status = make(&feed->into);
    return status;
}

cohort_status cohort_feed_slice(const cohort_launch_op *l, int64_t first, int64_t end)
{
    const cohort_feed *feed = cohort_feed_first(l);
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < l->n_feeds && status >= 0; i++, feed = cohort_feed_next(feed))
        status = cohort_fold_slice((const void *)feed->fold, (uint64_t)first * feed->line,
                                   (uint64_t)(end - first) * feed->line, feed->into.buffer->host);
    return status;
}
