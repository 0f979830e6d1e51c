/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/checkpoint/pairs.h"
#include "runtime/strategy/call.h"

static const char call[] = "cohort_checkpoint_compare";

static cohort_checkpoint_match match_of(const cohort_pairs *p, const cohort_pair *pair)
{
    return (cohort_checkpoint_match){ .name = pair->item != NULL ? pair->item->name : NULL,
                                      .saved = pair->saved != NULL ? pair->saved->saved : NULL,
                                      .relation = pair->relation,
                                      .here = cohort_pair_here(pair),
                                      .there = cohort_pair_there(p, pair) };
}

static cohort_status compare_state(const cohort_state *state, const cohort_checkpoint *c,
                                   cohort_checkpoint_match out[], int capacity, int *out_n)
{
    cohort_pairs pairs;
    cohort_status status = cohort_pairs_begin(&pairs, state, c);
    if (status < 0)
        return status;
    for (size_t i = 0; i < pairs.n && out != NULL && (int64_t)i < capacity; i++)
        out[i] = match_of(&pairs, &pairs.pairs[i]);
    *out_n = pairs.n < INT32_MAX ? (int)pairs.n : INT32_MAX;
    cohort_pairs_end(&pairs);
    return COHORT_OK;
}

static cohort_status compare(cohort_strategy *s, const cohort_checkpoint *c,
                             const cohort_checkpoint_options *options,
                             cohort_checkpoint_match out[], int capacity, int *out_n)
{
    cohort_state state;
    cohort_status status = cohort_handle_check(c, COHORT_HANDLE_CHECKPOINT, call, "the checkpoint");
    if (status < 0)
        return status;
    status = cohort_state_begin(&state, s, options);
    if (status >= 0) {
        status = compare_state(&state, c, out, capacity, out_n);
        cohort_state_end(&state);
    }
    return status < 0 ? cohort_error_prefix(status, "%s", call) : status;
}

int cohort_checkpoint_compare(cohort_strategy *strategy, const cohort_checkpoint *checkpoint,
                              const cohort_checkpoint_options *options,
                              cohort_checkpoint_match out[], int capacity)
{
    int n = -1;
    cohort_status status = cohort_call_enter(strategy, call);
    if (status >= 0)
        status =
            cohort_call_leave(strategy, compare(strategy, checkpoint, options, out, capacity, &n));
    return (int)cohort_error_answer(status < 0 ? -1 : n);
}
