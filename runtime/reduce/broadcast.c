/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_broadcast: one content on chosen devices. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/reduce/destination.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

/* A component would be another content on each device; mirrored copies are equal by definition. */
static cohort_status check(const cohort_operand *x, const cohort_value *into)
{
    if (x->value == into)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_broadcast: a value cannot be broadcast into itself");
    if (cohort_operand_is_per_replica(x))
        return cohort_error_set(
            COHORT_EINVAL, "cohort_broadcast: what is per replica has no one content; reduce or "
                           "gather it first");
    if (cohort_operand_look(x, 0).state != COHORT_CONTENT_FILLED)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_broadcast: the call that was to write the value failed; write it again");
    return COHORT_OK;
}

/* The content goes to the first device of the destination, and from there to the others, so that it
 * leaves its source once. */
static void post(const cohort_operand *x, const cohort_destination *to, cohort_value *into)
{
    cohort_component c = cohort_operand_look(x, 0);
    cohort_content_take_shape(&into->plain, c.dtype, c.item_bytes, &c.extents);
    cohort_buffer *first = cohort_destination_start(to, into);
    cohort_ledger_say_repeatable(into->strategy->executor);
    if (first == NULL)
        return;
    uint64_t bytes = cohort_content_bytes(&into->plain);
    if (bytes > 0)
        cohort_transfer_copy(first, cohort_operand_place(x, 0, to->devices[0]), bytes);
    cohort_destination_mirror(to, into, first);
}

static cohort_status broadcast(cohort_strategy *s, const cohort_argument *x,
                               const cohort_argument *at, cohort_value *into)
{
    cohort_operand operand;
    cohort_destination to = { .n = 0 };
    cohort_status status = cohort_operand_begin(&operand, s, x, "cohort_broadcast");
    if (status >= 0)
        status = check(&operand, into);
    if (status >= 0)
        status = cohort_destination_init(&to, "cohort_broadcast", s, at);
    if (status >= 0)
        /* both ends are prepared before either is posted to */
        status = cohort_destination_prepare(&to, into);
    if (status >= 0)
        status = cohort_operand_prepare(&operand, 0, to.devices[0]);
    if (status >= 0)
        post(&operand, &to, into);
    /* all zero where it was never begun, as the operand is */
    cohort_destination_fini(&to);
    cohort_operand_end(&operand);
    return status;
}

typedef struct broadcast_request {
    cohort_argument x, at;
    cohort_value *into;
    const char *site;
} broadcast_request;

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    broadcast_request *r = request;
    cohort_status status = cohort_operand_keep(recorder, call, &r->x);
    if (status >= 0)
        status = cohort_operand_keep(recorder, call, &r->at);
    return status < 0 ? status
                      : cohort_operand_keep_value(recorder, call, r->into, "the value to fill");
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const broadcast_request *r = request;
    cohort_status status =
        cohort_handle_check(r->into, COHORT_HANDLE_VALUE, "cohort_broadcast", "the value to fill");
    if (status >= 0 && r->into->strategy != strategy)
        status = cohort_error_set(
            COHORT_EINVAL, "cohort_broadcast: the value to fill belongs to another strategy");
    return status < 0 ? status : broadcast(strategy, &r->x, &r->at, r->into);
}

static void agree(cohort_strategy *strategy, const void *request)
{
    const broadcast_request *r = request;
    cohort_agreement_note_given(strategy, &r->x, "cohort_broadcast", r->site);
}

cohort_status cohort_broadcast_argument(const char *site, cohort_strategy *strategy,
                                        cohort_argument x, cohort_argument at, cohort_value *into)
{
    static const cohort_recordable recordable = { .bytes = sizeof(broadcast_request),
                                                  .keep = keep,
                                                  .run = run,
                                                  .describe = cohort_destination_describe,
                                                  .agree = agree };
    const broadcast_request request = { x, at, into, site };
    return cohort_call_make(strategy, "cohort_broadcast", &recordable, &request);
}
