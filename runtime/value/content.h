/* SPDX-License-Identifier: BSD-3-Clause */
/* A content: one array, and where it is: its places (places.h), one of a range of devices (a single
 * one, of a component of a per-replica value), and maybe a source in memory of this process. */
#ifndef COHORT_VALUE_CONTENT_H
#define COHORT_VALUE_CONTENT_H

#include "runtime/function/bounds.h"
#include "runtime/operation/transfer.h"
#include "runtime/value/places.h"

typedef enum cohort_content_state {
    COHORT_CONTENT_EMPTY, /* never written */
    COHORT_CONTENT_FILLED,
    COHORT_CONTENT_ABSENT, /* a replica without rows */
    COHORT_CONTENT_LOST    /* a failed call was to write it */
} cohort_content_state;

typedef struct cohort_content {
    /* another number, which no content ever had, whenever dtype or shape change, or it is FILLED,
     * or not any more: who has found it FILLED finds all of that as it was while the form is the
     * same. The cache line that it begins is all that a call which repeats reads. */
    _Alignas(64) uint64_t form;
    cohort_places places;
    cohort_content_state state; /* by _renew, or _become */
    cohort_dtype dtype;         /* this and the next two by _take_shape */
    int64_t item_bytes;
    cohort_extents extents;
    const void *source;    /* row-major memory of this process that holds it, or NULL */
    uint64_t source_epoch; /* as of a place */
    void *owned;           /* what is given back with the source, else NULL */
    void (*give_back)(void *owned);
    bool is_copied; /* the source changes at any time: devices get a copy of it as it is now */
    /* the newest when a step began that is looked at (carried.h); something of it reads what an
     * earlier one has written; it has written that, and is made again */
    uint64_t step_epoch;
    bool is_read_first, is_spent;
} cohort_content;

/* Where a step is looked at: before anything writes the content, it is read. */
static inline void cohort_content_note_read(cohort_content *content)
{
    if (content->places.epoch.now == content->step_epoch)
        content->is_read_first = true;
}

/* Is the newest content in memory of this process? */
static inline bool cohort_content_has_source(const cohort_content *content)
{
    return content->source != NULL && content->source_epoch == content->places.epoch.now;
}

/* FILLED from now on, which it was not. */
void cohort_content_begin(cohort_content *content);

/* FILLED from now on, with what nobody has yet: whoever is to have it gets this epoch, the
 * newest. */
static inline uint64_t cohort_content_renew(cohort_content *content)
{
    if (content->state != COHORT_CONTENT_FILLED)
        cohort_content_begin(content);
    cohort_ledger_set_relative(&content->places.epoch, content->places.epoch.now + 1);
    return content->places.epoch.now;
}

/* Not FILLED any more, but EMPTY, ABSENT or LOST. */
void cohort_content_become(cohort_content *content, cohort_content_state state);

/* The dtype and the shape from now on. */
void cohort_content_take_shape(cohort_content *content, cohort_dtype dtype, int64_t item_bytes,
                               const cohort_extents *extents);

/* Of the same dtype and shape, wherever they are. */
static inline bool cohort_content_is_like(const cohort_content *a, const cohort_content *b)
{
    return a->dtype == b->dtype && a->item_bytes == b->item_bytes &&
           cohort_extents_is_same(&a->extents, &b->extents);
}

/* Room for copies on n devices. COHORT_ENOMEM. */
cohort_status cohort_content_init(cohort_content *content, cohort_executor *executor,
                                  int32_t first_device, int32_t n_devices);

/* Gives buffers and memory back, in line with everything posted. */
void cohort_content_fini(cohort_content *content, cohort_executor *executor);

/* Gives back what is owned with the source, in line with everything that reads it. */
void cohort_content_drop_owned(cohort_content *content, cohort_executor *executor);

/* The dtype and the shape of an array, whose elements its caller brings next. */
void cohort_content_take_form(cohort_content *content, const cohort_array *array);

/* Number of elements and bytes of what it holds. */
int64_t cohort_content_items(const cohort_content *content);
uint64_t cohort_content_bytes(const cohort_content *content);

/* The content is now this row-major memory. `owned`: a block of cohort_allocate, which is the
 * content's; NULL: none. */
void cohort_content_set_source(cohort_content *content, const void *memory, void *owned);

/* The same of memory that is lent until give_back(lease), which any thread calls when nothing reads
 * it any more. */
void cohort_content_lend(cohort_content *content, const void *memory, void *lease,
                         void (*give_back)(void *lease));

/* What is lent comes home: a source that is still the newest becomes a block of the content's own,
 * and the lease is given back. For memory that goes away, when nothing is posted any more that
 * reads it. COHORT_ENOMEM: the content is LOST. */
cohort_status cohort_content_bring_home(cohort_content *content, cohort_executor *executor);

/* Bring the copy on a device up to date and return the buffer to read there: the device's own, or
 * that of a device whose memory it can access. Prepared, and FILLED. Posts what is needed. */
cohort_buffer *cohort_content_place_read(cohort_content *content, cohort_executor *executor,
                                         int32_t device);

/* The buffer that _place_read would return. */
cohort_buffer *cohort_content_find_read(const cohort_content *content,
                                        const cohort_executor *executor, int32_t device);

/* The memory of this process that place_read would bring to the only place of a content; NULL: it
 * would do something else. */
const void *cohort_content_awaited(const cohort_content *content);

/* The same where that place would be the memory itself. */
const void *cohort_content_borrowed(const cohort_content *content);

/* The buffer to write on a device, large enough for `bytes`. keep: it has the newest content. The
 * content counts as written: other copies are stale from now on. Prepared. */
cohort_buffer *cohort_content_place_write(cohort_content *content, cohort_executor *executor,
                                          int32_t device, uint64_t bytes, bool keep);

/* The copy is of this epoch, and part of what its call makes. */
static inline void cohort_content_count_copy(cohort_place *place, uint64_t epoch)
{
    cohort_ledger_set_relative(&place->epoch, epoch);
    cohort_ledger_set_relative(&place->result, epoch);
}

/* That place is written anew: it alone is the newest. */
static inline void cohort_content_count_write(cohort_content *content, cohort_place *place)
{
    cohort_content_count_copy(place, cohort_content_renew(content));
}

/* In a trial, in place of place_write and place_copy: what is noted there, and no more. */
void cohort_content_foresee(cohort_content *content, int32_t device);
void cohort_content_foresee_copy(cohort_content *content, int32_t device);

/* Until all copies that the call was to make are there: what was handed out is not lost any
 * more. */
void cohort_content_wait_results(const cohort_content *content);

/* The buffer of one more copy of the newest content, which the caller fills with it: a part of what
 * its call makes, so that the content is lost where this copy fails. Prepared. */
cohort_buffer *cohort_content_place_copy(cohort_content *content, int32_t device);

/* The content as readable memory of this process, valid until the next call: the device's own
 * memory where it shows it, else a copy in `staging`, which has room for its bytes. Waits. NULL
 * with the failure set. */
const void *cohort_content_fetch(cohort_content *content, cohort_executor *executor, void *staging);

/* After a failure: LOST when the newest content was not written. */
void cohort_content_settle(cohort_content *content);

#endif
