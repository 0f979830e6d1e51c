/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain way of a call: it is bound, prepared, placed and posted, and nothing is kept of it.
 * What may fail comes first:
 *
 *     bool posts;
 *     cohort_status status = cohort_plain_begin(binder, &call, &posts);
 *     if (status >= 0 && posts)
 *         cohort_plain_post(binder, &call);
 *     cohort_plain_end(binder);
 *
 * Every call may go this way; run/dispatch.c chooses, and keeps answers between _begin and _post
 * (memo.h). */
#ifndef COHORT_CALL_PLAIN_H
#define COHORT_CALL_PLAIN_H

#include "runtime/call/binder.h"
#include "runtime/reduce/destination.h"

/* A call as its caller passed it. */
typedef struct cohort_plain_call {
    const cohort_function *function;
    const cohort_argument *arguments;
    cohort_call_kind kind;
    int32_t first, count; /* as for cohort_binding_begin */

    /* of an update; updated NULL: the first variable that the function writes. only_on: where
     * exactly what it writes must live; NULL: anywhere */
    cohort_variable *updated;
    const cohort_destination *only_on;
} cohort_plain_call;

/* Bind and prepare in the binder, with the order of the launches. An error means that nothing was
 * posted. *out_posts: something is left to post; else the call is done, as in a trial, or on
 * parameter servers. */
cohort_status cohort_plain_begin(cohort_binder *binder, const cohort_plain_call *call,
                                 bool *out_posts);

/* Post what was begun, in that order. */
void cohort_plain_post(cohort_binder *binder, const cohort_plain_call *call);

/* After _begin, also when that failed: what was borrowed for the call is given back. */
void cohort_plain_end(cohort_binder *binder);

/* In plain_update.c: the steps of an update between its binding and its end. */
cohort_status cohort_plain_begin_update(cohort_binder *binder, const cohort_destination *only_on,
                                        bool *out_posts);

/* Does every variable that the update writes live exactly there? COHORT_EINVAL. only_on NULL: it
 * may live anywhere. */
cohort_status cohort_plain_check_devices(const cohort_binding *binding,
                                         const cohort_destination *only_on);

/* Post the launches of an update, and the writes that they complete. */
void cohort_plain_update_stores(cohort_binding *binding, const cohort_prepared prepared[]);

#endif
