/* SPDX-License-Identifier: BSD-3-Clause */
/* The one door between the plain way of a call and the fast one: a call like one before is posted
 * from what was kept of that, any other one goes the plain way, and is kept. */
#include "config.h"

#include "runtime/run/dispatch.h"

#include "runtime/memo/memo.h"

/* A memo is made of what the call finds, so before its launches change that. */
static cohort_status go_plainly(cohort_memos *memos, cohort_memo_way *way,
                                const cohort_memo_call *call)
{
    bool posts;
    cohort_binder *binder = memos->binder;
    cohort_status status = cohort_plain_begin(binder, &call->call, &posts);
    if (status >= 0 && posts) {
        cohort_memo_keep(memos, way, call, binder->order);
        cohort_plain_post(binder, &call->call);
    }
    cohort_plain_end(binder);
    return status;
}

static cohort_status dispatch(cohort_strategy *strategy, cohort_memo_call *call)
{
    cohort_memos *memos = cohort_memos_of(strategy);
    if (memos == NULL)
        return COHORT_ENOMEM;
    cohort_memo_way *way = cohort_memo_find(memos, call);
    return cohort_memo_holds(memos, way, call) ? cohort_memo_post(memos, way->memo, call)
                                               : go_plainly(memos, way, call);
}

cohort_status cohort_dispatch_run(cohort_strategy *strategy, const cohort_invocation *invocation,
                                  cohort_call_kind kind, int32_t first, int32_t count)
{
    return dispatch(strategy, &(cohort_memo_call){ .call = { .function = invocation->function,
                                                             .arguments = invocation->arguments,
                                                             .kind = kind,
                                                             .first = first,
                                                             .count = count },
                                                   .own = invocation->own });
}

cohort_status cohort_dispatch_update(const cohort_update_call *call)
{
    bool is_all = call->component < 0;
    return dispatch(call->strategy,
                    &(cohort_memo_call){ .call = { .function = call->invocation->function,
                                                   .arguments = call->invocation->arguments,
                                                   .kind = COHORT_CALL_UPDATE,
                                                   .first = is_all ? 0 : call->component,
                                                   .count = is_all ? 0 : 1,
                                                   .updated = call->updated,
                                                   .only_on = call->only_on },
                                         .own = call->invocation->own });
}
