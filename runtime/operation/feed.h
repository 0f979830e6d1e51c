/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds: sums that go into the launch that reads them.
 *
 * A sum that one launch alone reads, element by element, need not be stored: before the body does a
 * slice of its items, the runner sums that slice, into cyclic memory (base/cyclic.h) that the body
 * reads in place of the sum. So what was added up is still in a near cache, of which it takes
 * little. Neither that nor the slices change a bit.
 *
 * Feeds stand in the record of their launch, behind the commits. Which sums may go so is for a
 * series to know (repeat/feeds.c), for it knows what else a step does. */
#ifndef COHORT_OPERATION_FEED_H
#define COHORT_OPERATION_FEED_H

#include "runtime/operation/launch_set.h"

typedef struct cohort_feed {
    uint32_t bytes; /* with its fold */
    int32_t slot;   /* of the launch */
    uint64_t line;  /* elements of one of the first index; they have line_bytes */
    uint64_t line_bytes, turn;
    /* the buffer that the slot has, and the cyclic memory that it is from the first launch on */
    cohort_import into;
    uint64_t fold[]; /* the record of a fold: of all of the sum, or of a slice of it */
} cohort_feed;

/* The bytes that a feed takes in a record. */
size_t cohort_feed_bytes(const cohort_op *fold);

/* Write one, but for its bytes and its fold like `feed`, to memory that has room for it. */
void cohort_feed_write(cohort_feed *to, cohort_feed feed, const cohort_op *fold);

/* A record that n feeds were written behind: its launch takes them. */
void cohort_feed_launch(cohort_launch_op *launch, int32_t n);

/* The first of a launch that takes some; and the next one. */
static inline const cohort_feed *cohort_feed_first(const cohort_launch_op *launch)
{
    return (const void *)((const char *)launch + cohort_launch_bytes_of(launch));
}

static inline const cohort_feed *cohort_feed_next(const cohort_feed *feed)
{
    return (const void *)((const char *)feed + feed->bytes);
}

/* Runner: the buffers are cyclic memory; and what items [first, end) of the first index read of all
 * sums is there. */
cohort_status cohort_feed_begin(const cohort_launch_op *launch);
cohort_status cohort_feed_slice(const cohort_launch_op *launch, int64_t first, int64_t end);

#endif
