/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/run/recording.h"

#include "runtime/call/served_call.h"
#include "runtime/function/parsed.h"
#include "runtime/memo/memo.h"
#include "runtime/value/operand.h"

static cohort_status find_bodies(cohort_binder *binder, const cohort_binding *b)
{
    cohort_executable *executable;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status = cohort_binder_find(binder, b->function, b->signature, cohort_binding_device(b, i),
                                    &executable);
    return status;
}

/* Parameter servers find a body when they are asked for it. */
static bool runs_on_servers(const cohort_binding *b)
{
    return b->kind == COHORT_CALL_UPDATE && b->updated->remote != NULL;
}

/* Lists are spread in memory of the binding, which is the next call's. */
static cohort_status keep_flat(cohort_recorder *recorder, cohort_binding *b,
                               cohort_invocation *invocation)
{
    const cohort_argument *flat = cohort_binding_spread(b, invocation->arguments);
    if (flat == invocation->arguments)
        return COHORT_OK;
    invocation->arguments = cohort_recorder_copy(
        recorder, flat, (size_t)cohort_arguments_count(flat) + 1, sizeof *flat);
    return invocation->arguments != NULL ? COHORT_OK : COHORT_ENOMEM;
}

/* What binding has found, and no replay finds again. */
static cohort_status keep_own(cohort_recorder *recorder, cohort_binding *b,
                              cohort_invocation *invocation)
{
    const cohort_memo_own own = { .signature = b->signature };
    cohort_status status = keep_flat(recorder, b, invocation);
    if (status < 0)
        return status;
    invocation->own = cohort_recorder_copy(recorder, &own, 1, sizeof own);
    return invocation->own != NULL ? COHORT_OK : COHORT_ENOMEM;
}

/* On servers there are no launches of this process that could have a memo. */
static cohort_status check(cohort_recorder *recorder, cohort_invocation *invocation,
                           cohort_call_kind kind, cohort_variable *updated)
{
    cohort_binder *binder = cohort_binder_of(recorder->strategy);
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_binding *b = &binder->binding;
    cohort_status status = cohort_binding_begin_recording(
        b, recorder->strategy, invocation->function, invocation->arguments, kind, updated);
    if (status >= 0 && runs_on_servers(b)) {
        status = cohort_served_call_check(b, updated == NULL);
    } else if (status >= 0) {
        status = find_bodies(binder, b);
        if (status >= 0)
            status = keep_own(recorder, b, invocation);
    }
    cohort_binding_end(b);
    return status;
}

cohort_status cohort_recording_keep(cohort_recorder *recorder, const char *call,
                                    cohort_invocation *invocation, cohort_call_kind kind,
                                    cohort_variable *updated)
{
    const cohort_function *function = invocation->function;
    cohort_status status = cohort_parsed_check(function, call);
    if (status >= 0 && invocation->arguments == NULL)
        status = cohort_error_null(function->name, "the list of arguments");
    if (status >= 0)
        status = cohort_operand_keep_list(recorder, function->name, &invocation->arguments);
    return status < 0 || recorder->is_borrowing ? status
                                                : check(recorder, invocation, kind, updated);
}

/* The strategy has memos once a call was made. Of a recording that failed for want of memory none
 * was, and there may be none for memos either: then nothing is left. */
void cohort_recording_leave(cohort_strategy *strategy, const cohort_invocation *invocation)
{
    cohort_memos *memos = invocation->own != NULL ? cohort_memos_of(strategy) : NULL;
    if (memos != NULL)
        cohort_memo_own_end(memos, invocation->own);
}
