/* SPDX-License-Identifier: BSD-3-Clause */
/* Every n-th reduction is computed twice: by the plugin, and by the core from what the terms held
 * before. */
#include "config.h"

#include "runtime/checking/layer.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/dtype.h"
#include "runtime/base/memory.h"
#include "runtime/checking/around.h"

#include <string.h>

enum { EVERY = 4 };

/* The terms one after the other, then the core's result, then the plugin's. */
typedef struct twin {
    unsigned char *block; /* NULL: this one is not compared */
    uint64_t bytes;       /* of each */
    cohort_term terms[COHORT_MAX_TERMS];
    const void *pointers[COHORT_MAX_TERMS];
} twin;

/* What cannot be read or computed is not compared: the plugin's answer stands. */
static void begin(cohort_checking *checking, twin *t, const cohort_reduction *reduction)
{
    uint64_t n = reduction->nterms;
    t->block = NULL;
    t->bytes = reduction->count * (uint64_t)cohort_dtype_bytes((cohort_dtype)reduction->type);
    if (checking->reductions++ % EVERY != 0)
        return;
    bool is_there = (t->block = cohort_allocate((size_t)t->bytes, (size_t)n + 2)) != NULL;
    for (uint64_t i = 0; i < n && is_there; i++) {
        const cohort_term *term = &reduction->terms[i];
        t->terms[i] = (cohort_term){ .merges = term->merges };
        t->pointers[i] = t->block + i * t->bytes;
        is_there = cohort_checking_get(checking, term->mem, term->offset, t->block + i * t->bytes,
                                       t->bytes) == COHORT_OK;
    }
    cohort_reduction own = *reduction;
    own.terms = t->terms;
    own.dst_offset = 0;
    if (is_there && cohort_reduction_run(&own, t->pointers, t->block + n * t->bytes, 0,
                                         reduction->count) == COHORT_OK)
        return;
    cohort_free(t->block);
    t->block = NULL;
}

static cohort_status compare(cohort_checking *checking, const twin *t,
                             const cohort_reduction *reduction, cohort_error *err)
{
    const unsigned char *ours = t->block + reduction->nterms * t->bytes;
    unsigned char *theirs = t->block + (reduction->nterms + UINT64_C(1)) * t->bytes;
    uint64_t at = 0;
    if (cohort_checking_get(checking, reduction->dst, reduction->dst_offset, theirs, t->bytes) !=
        COHORT_OK)
        return COHORT_OK;
    while (at < t->bytes && ours[at] == theirs[at])
        at++;
    if (at == t->bytes)
        return COHORT_OK;
    return cohort_finding(checking, COHORT_SLOT_REDUCE, COHORT_CHECKING_REDUCE, err,
                          "has another element %llu of %llu, of %u terms of %s, than the core's",
                          (unsigned long long)(at / (t->bytes / reduction->count)),
                          (unsigned long long)reduction->count, reduction->nterms,
                          cohort_dtype_name((cohort_dtype)reduction->type));
}

static cohort_status reduce(cohort_dev *dev, cohort_queue *queue, const cohort_reduction *reduction,
                            cohort_event **out_event, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_held op = { .operation = COHORT_SLOT_REDUCE };
    cohort_around around;
    twin t;
    begin(checking, &t, reduction);
    cohort_around_begin(&around, checking, COHORT_SLOT_REDUCE);
    cohort_status status = checking->base->reduce(checking->dev, queue, reduction, out_event, err);
    cohort_status found = COHORT_OK;
    if (t.block != NULL && cohort_checking_await(checking, status, *out_event) == COHORT_OK)
        found = compare(checking, &t, reduction, err);
    cohort_free(t.block);
    status = cohort_checking_begun(checking, &op, status, out_event, found < 0 ? NULL : err);
    if (found < 0 && *out_event != NULL &&
        checking->base->event_release != NULL) { /* an error comes without an event */
        cohort_handles_drop(&checking->events, cohort_handles_find(&checking->events, *out_event));
        (void)checking->base->event_release(checking->dev, *out_event, NULL);
        *out_event = NULL;
    }
    return cohort_around_end(&around, found < 0 ? found : status, err);
}

void cohort_checking_set_reduce(cohort_ops *ops)
{
    ops->reduce = reduce;
}
