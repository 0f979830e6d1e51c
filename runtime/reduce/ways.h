/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways of a reduction: which one it goes, and when. The plain way is the last, a plan, which
 * takes any; the others take less time for what they take. No bit of a result depends on the way.
 *
 *   a memo of the list    a list that came before, all of it near and small   list_memo.h
 *   offered               over workers, usual and small enough                near.h, workers.h
 *   little                along axes or with weights, nothing under way,
 *                         and little to read                                  little.h
 *   near, in a bucket     usual, up to 64 KiB: in the call itself when
 *                         nothing is under way, else posted                   near.h, bucket.h
 *   near, a fold          usual, and larger, or may be fed: in slices         near.h, fold.h
 *   plan                  anything else; over workers surveys meet, and
 *                         sums of a list or of a step cross together          plan.h, plans.h
 *
 * Usual is: element by element, of what every replica has, without weights, axes, a guard. A fold
 * or a bucket that is too little to be shared is done by whom alone.h says; one that only an update
 * reads may not be made at all, in a step that is repeated, but fed (operation/feed.h). The
 * all-reduce of a step function that is usual is a fold with as many results (step/in_place.h).
 *
 * COHORT_REPEAT=off leaves a plan, and what all workers have to do alike: offers. */
#ifndef COHORT_REDUCE_WAYS_H
#define COHORT_REDUCE_WAYS_H

#include "runtime/reduce/plan.h"

/* Go the way without a plan that there is for such a reduction. *out_is_done: it took this one,
 * which is posted. Else nothing is, and it needs a plan, which also says what is wrong with it. The
 * errors of cohort_near_offer, COHORT_ENOMEM. */
cohort_status cohort_ways_go(const char *call, const cohort_reduce_request *request,
                             cohort_value *into, bool *out_is_done);

#endif
