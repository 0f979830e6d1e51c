/* SPDX-License-Identifier: BSD-3-Clause */
/* What replicas see, whole or cut along an axis, brought to their logical devices. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/logical_parts.h"
#include "runtime/reduce/reduce.h"
#include "runtime/strategy/call.h"

#include <cohort/logical.h>

typedef enum dealing_kind { ASSIGN, SPLIT, REPLICATE } dealing_kind;

static const char *const calls[] = { "cohort_assign_to_logical_device",
                                     "cohort_split_to_logical_devices",
                                     "cohort_replicate_to_logical_devices" }; /* by kind */

typedef struct dealing_request {
    dealing_kind kind;
    cohort_argument x;
    int32_t axis; /* of SPLIT */
    cohort_value *const *into;
    int n;
} dealing_request;

/* ------------------------------------------------------------------ checks */

static cohort_status check_one(const dealing_request *q, int i)
{
    const cohort_value *into = q->into[i];
    cohort_status status = cohort_reduce_check_into(&q->x, into, calls[q->kind]);
    for (int k = 0; k < i && status >= 0; k++)
        if (q->into[k] == into)
            status = cohort_error_set(COHORT_EINVAL, "%s: values %d and %d to fill are the same",
                                      calls[q->kind], k, i);
    if (status >= 0 && q->kind != ASSIGN && into->logical != i)
        status =
            cohort_error_set(COHORT_EINVAL,
                             "%s: value %d lies on logical device %d; make it while %d is in use "
                             "(cohort_strategy_use_logical_device)",
                             calls[q->kind], i, into->logical, i);
    return status;
}

/* Before the list is read. */
static cohort_status check_count(const cohort_strategy *s, const dealing_request *q)
{
    return q->kind == ASSIGN || q->n == s->n_logical
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: %d values to fill, and the replicas have %d logical "
                                  "device%s",
                                  calls[q->kind], q->n, s->n_logical, s->n_logical == 1 ? "" : "s");
}

static cohort_status check_list(const cohort_strategy *s, const dealing_request *q)
{
    cohort_status status = check_count(s, q);
    if (status >= 0)
        status = cohort_parts_check(calls[q->kind], s, q->into, q->n);
    for (int i = 0; i < q->n && status >= 0; i++)
        status = check_one(q, i);
    return status;
}

/* Of a component that is there. */
static cohort_status check_cut(const dealing_request *q, const cohort_component *c, int32_t id)
{
    const cohort_extents *e = &c->extents;
    if (q->axis < 0 || q->axis >= e->rank)
        return cohort_error_set(COHORT_EINVAL, "%s: axis %d of rank %d", calls[q->kind], q->axis,
                                e->rank);
    if (e->shape[q->axis] % q->n == 0)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: the %lld elements along axis %d of replica %d are not divisible by %d",
        calls[q->kind], (long long)e->shape[q->axis], q->axis, id, q->n);
}

static cohort_status check_component(const dealing_request *q, const cohort_component *c,
                                     int32_t id)
{
    cohort_status status = cohort_component_check(calls[q->kind], c, id, "it");
    bool is_cut = q->kind == SPLIT && c->state != COHORT_CONTENT_ABSENT;
    return status >= 0 && is_cut ? check_cut(q, c, id) : status;
}

/* ------------------------------------------------------------------ dealing */

/* What each of the values gets of a component. */
static cohort_component part_of(const dealing_request *q, cohort_component c)
{
    if (q->kind == SPLIT && c.state != COHORT_CONTENT_ABSENT)
        c.extents.shape[q->axis] /= q->n;
    return c;
}

static cohort_status prepare(const dealing_request *q, const cohort_operand *x, int32_t replica)
{
    cohort_component c = cohort_operand_look(x, replica);
    cohort_status status =
        check_component(q, &c, cohort_strategy_replica_id(cohort_operand_owner(x), replica));
    if (status >= 0 && c.state != COHORT_CONTENT_ABSENT)
        status = cohort_operand_prepare(x, replica, cohort_operand_device(x, replica));
    cohort_component part = status >= 0 ? part_of(q, c) : c;
    for (int i = 0; i < q->n && status >= 0; i++)
        status = cohort_part_prepare(calls[q->kind], q->into[i], replica, &part);
    return status;
}

static void fill(const dealing_request *q, const cohort_operand *x, int32_t replica, int i)
{
    cohort_component c = cohort_operand_look(x, replica), part = part_of(q, c);
    cohort_buffer *into = cohort_part_start(q->into[i], replica, &part);
    if (into == NULL)
        return;
    int32_t axis = q->kind == SPLIT ? q->axis : -1;
    cohort_blocks whole = cohort_component_blocks(&c, axis),
                  cut = cohort_component_blocks(&part, axis);
    cohort_buffer *from = cohort_operand_place(x, replica, cohort_operand_device(x, replica));
    uint64_t at = q->kind == SPLIT ? (uint64_t)i * cut.bytes : 0;
    cohort_transfer_copy_blocks(into, 0, cut.bytes, from, at, whole.bytes, cut.bytes, cut.count);
}

static void post(const dealing_request *q, const cohort_operand *x)
{
    const cohort_strategy *s = cohort_operand_owner(x);
    cohort_ledger_say_repeatable(s->executor);
    for (int i = 0; i < q->n; i++) {
        cohort_value_become_per_replica(q->into[i]);
        for (int32_t r = 0; r < s->n_replicas; r++)
            fill(q, x, r, i);
    }
}

static cohort_status deal(cohort_strategy *s, const void *request)
{
    const dealing_request *q = request;
    cohort_operand x;
    cohort_status status = check_list(s, q);
    if (status >= 0)
        status = cohort_operand_begin(&x, s, &q->x, calls[q->kind]);
    if (status < 0)
        return status;
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        status = prepare(q, &x, r);
    if (status >= 0)
        post(q, &x);
    cohort_operand_end(&x);
    return status;
}

/* ------------------------------------------------------------------ the calls */

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    dealing_request *q = request;
    cohort_status status = check_count(recorder->strategy, q);
    if (status >= 0)
        status = cohort_operand_keep_values(recorder, call, &q->into, q->n);
    if (status >= 0)
        status = cohort_operand_keep(recorder, call, &q->x);
    return status < 0 ? status : check_list(recorder->strategy, q);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const dealing_request *q = request;
    (void)strategy;
    if (q->kind == ASSIGN)
        (void)fprintf(out, "to logical device %d", cohort_value_logical_device(q->into[0]));
    else if (q->kind == SPLIT)
        (void)fprintf(out, "%d parts along axis %d", q->n, q->axis);
    else
        (void)fprintf(out, "%d copies", q->n);
}

static cohort_status make(const dealing_request *q)
{
    static const cohort_recordable recordable = {
        .bytes = sizeof(dealing_request), .keep = keep, .run = deal, .describe = describe
    };
    const char *call = calls[q->kind];
    cohort_strategy *other = cohort_operand_strategy(&q->x);
    if (q->into == NULL || q->n < 1)
        return cohort_call_refuse(
            other, call,
            q->into == NULL ? cohort_error_null(call, "the list of values to fill")
                            : cohort_error_set(COHORT_EINVAL, "%s: %d values to fill", call, q->n));
    cohort_status status =
        cohort_call_about(q->into[0], COHORT_HANDLE_VALUE, call, "the value to fill", other);
    return status < 0 ? status : cohort_call_make(q->into[0]->strategy, call, &recordable, q);
}

cohort_status cohort_assign_to_logical_device_argument(cohort_argument x, cohort_value *into)
{
    return make(&(dealing_request){ .kind = ASSIGN, .x = x, .into = &into, .n = 1 });
}

cohort_status cohort_split_to_logical_devices_argument(cohort_argument x, int axis,
                                                       cohort_value *const parts[], int n)
{
    return make(&(dealing_request){ .kind = SPLIT, .x = x, .axis = axis, .into = parts, .n = n });
}

cohort_status cohort_replicate_to_logical_devices_argument(cohort_argument x,
                                                           cohort_value *const copies[], int n)
{
    return make(&(dealing_request){ .kind = REPLICATE, .x = x, .into = copies, .n = n });
}
