/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch in slices, which are ranges of items and change no bit. So the items find in the cache
 * what was just copied or summed for them; and what they write has been fetched for that
 * (base/prefetch.h), for other devices have read it since it was written. */
#include "config.h"

#include "runtime/base/prefetch.h"
#include "runtime/operation/feed.h"

#include <string.h>

/* SLICE_BYTES: of each array that is written, of what is copied together, and of a feed. Measured
 * on an Emerald Rapids, an update of 470 KB with a feed: of 8 KiB, which are in the first cache,
 * the calls for each slice take 2 % of a training step, of 32 KiB half a percent, and more gain
 * nothing. LITTLE_BYTES: of up to so many several cores are not faster than one. */
enum { SLICE_BYTES = 32 * 1024, CUT = 64, LITTLE_BYTES = 16 * 1024 };

bool cohort_launch_may_slice(const cohort_context *context, uint64_t bytes)
{
    const cohort_device *d = context->device;
    return cohort_context_has(context, COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE) &&
           (bytes <= LITTLE_BYTES || d->info->compute_units <= d->parts);
}

/* A launch in slices, where it stands, and how far it goes. */
typedef struct slices {
    const cohort_launch_op *launch;
    const cohort_launch_commit *commits;
    int64_t end, most;
} slices;

/* Of the first index, in multiples of CUT, which are whole lines of the cache for any array; or
 * less, where there are many items in each. */
static int64_t items_of_slice(const cohort_launch_op *l, const cohort_launch_commit commits[])
{
    uint64_t bytes = 1;
    for (int32_t i = 0; i < l->n_commits; i++)
        bytes = commits[i].line_bytes > bytes ? commits[i].line_bytes : bytes;
    int64_t cut = l->range.dims == 1 ? CUT : 1;
    int64_t items = (int64_t)(SLICE_BYTES / bytes) / cut * cut;
    const cohort_feed *feed = cohort_feed_first(l);
    for (int32_t i = 0; i < l->n_feeds; i++, feed = cohort_feed_next(feed))
        if ((int64_t)(feed->turn / feed->line_bytes) < items)
            items = (int64_t)(feed->turn / feed->line_bytes);
    return items > 0 ? items : cut;
}

/* What is written soon, from `begin` on; but for copies, which write whole lines and ask for
 * none. */
static void fetch(const slices *s, int64_t begin, int64_t items)
{
    int64_t n = begin + items < s->end ? items : s->end - begin;
    for (int32_t i = 0; i < s->launch->n_commits && n > 0; i++) {
        const cohort_launch_commit *c = &s->commits[i];
        if (c->into != NULL && c->from == NULL)
            cohort_prefetch_to_write((const char *)c->into->host + (uint64_t)begin * c->line_bytes,
                                     (size_t)n * c->line_bytes);
    }
}

static void copy(const slices *s, int64_t begin, int64_t end)
{
    for (int32_t i = 0; i < s->launch->n_commits; i++) {
        const cohort_launch_commit *c = &s->commits[i];
        uint64_t offset = (uint64_t)begin * c->line_bytes;
        if (c->from != NULL)
            memcpy((char *)c->into->host + offset, (const char *)c->from->host + offset,
                   (uint64_t)(end - begin) * c->line_bytes);
    }
}

static cohort_status do_slice(const slices *s, cohort_launch *call, const int64_t items[])
{
    const cohort_executable *e = s->launch->executable;
    copy(s, items[0], items[1]);
    call->range.global[call->range.dims - 1] = (uint64_t)(items[1] - items[0]);
    return cohort_context_launch(e->context, e->kernel, call, NULL);
}

/* Fetched to be written is the half of a slice that stands ahead, and the next one's, once what is
 * summed for this one has come, for both take the same ways to memory. */
static cohort_status do_slices(const slices *s, cohort_launch *call, int64_t items[])
{
    cohort_status status = COHORT_OK;
    int64_t half = s->most / 2;
    fetch(s, items[0], half);
    for (int64_t at = items[0]; at < s->end && status >= 0; at = items[1]) {
        items[0] = at;
        items[1] = s->end - at > s->most ? at + s->most : s->end;
        status = cohort_feed_slice(s->launch, items[0], items[1]);
        fetch(s, items[0] + half, s->most);
        if (status >= 0)
            status = do_slice(s, call, items);
    }
    return status;
}

/* A single one, as of a small variable, has nothing to be fetched ahead. */
cohort_status cohort_launch_slices(const cohort_launch_op *l, const cohort_launch_commit commits[],
                                   cohort_launch *call, int64_t items[COHORT_ITEM_WORDS])
{
    const slices s = { l, commits, items[1], items_of_slice(l, commits) };
    if (l->n_feeds == 0 && s.end - items[0] <= s.most)
        return do_slice(&s, call, items);
    cohort_status status = cohort_feed_begin(l);
    return status < 0 ? status : do_slices(&s, call, items);
}
