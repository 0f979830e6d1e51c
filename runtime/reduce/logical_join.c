/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that lie on logical devices, put together along an axis. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/operation/ledger.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/logical_parts.h"
#include "runtime/strategy/call.h"

#include <cohort/logical.h>

#include <string.h>

static const char call[] = "cohort_join_logical_devices";

typedef struct join_request {
    cohort_value *const *parts;
    int n;
    int32_t axis;
    cohort_value *into;
} join_request;

static cohort_operand operand_of(cohort_value *part)
{
    return (cohort_operand){ .value = part };
}

static cohort_component look(const join_request *q, int i, int32_t replica)
{
    const cohort_operand part = operand_of(q->parts[i]);
    return cohort_operand_look(&part, replica);
}

/* ------------------------------------------------------------------ checks */

static cohort_status check_list(const cohort_strategy *s, const join_request *q)
{
    cohort_status status = cohort_parts_check(call, s, q->parts, q->n);
    for (int i = 0; i < q->n && status >= 0; i++)
        if (q->parts[i] == q->into)
            status =
                cohort_error_set(COHORT_EINVAL, "%s: value %d is also the one to fill", call, i);
    return status;
}

static cohort_status check_kinds(const join_request *q)
{
    for (int i = 0; i < q->n; i++)
        if (q->parts[i]->kind != COHORT_PER_REPLICA_VALUE)
            return cohort_error_set(COHORT_EINVAL,
                                    q->parts[i]->kind == COHORT_EMPTY_VALUE
                                        ? "%s: nothing has written value %d"
                                        : "%s: value %d is not per replica",
                                    call, i);
    return COHORT_OK;
}

static cohort_status check_axis(const join_request *q, const cohort_component *c)
{
    return q->axis >= 0 && q->axis < c->extents.rank
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: axis %d of rank %d", call, q->axis,
                                  c->extents.rank);
}

static bool fits(const join_request *q, const cohort_component *first, const cohort_component *c)
{
    cohort_extents extents = c->extents;
    if (c->dtype != first->dtype || c->item_bytes != first->item_bytes ||
        extents.rank != first->extents.rank)
        return false;
    extents.shape[q->axis] = first->extents.shape[q->axis];
    return cohort_extents_is_same(&extents, &first->extents);
}

/* ------------------------------------------------------------------ what a replica gets */

static cohort_status check_part(int i, int32_t id, const cohort_component *c)
{
    char value[32];
    (void)snprintf(value, sizeof value, "value %d", i);
    return cohort_component_check(call, c, id, value);
}

static cohort_status refuse_part(const join_request *q, int32_t replica, int first, int i)
{
    char has[128], got[128];
    cohort_component one = look(q, first, replica), other = look(q, i, replica);
    return cohort_error_set(
        COHORT_EINVAL, "%s: value %d is %s and value %d is %s; they may differ along axis %d alone",
        call, first, cohort_shape_to_string(one.dtype, one.extents.rank, one.extents.shape, has), i,
        cohort_shape_to_string(other.dtype, other.extents.rank, other.extents.shape, got), q->axis);
}

/* One more part: the same value may be several of them, so their sum may be of any size. */
static cohort_status add_extent(const join_request *q, const cohort_component *part,
                                cohort_component *whole)
{
    int64_t *along = &whole->extents.shape[q->axis], bytes = whole->item_bytes;
    bool fits = !__builtin_add_overflow(*along, part->extents.shape[q->axis], along) &&
                cohort_multiply(bytes, *along, &bytes);
    for (int32_t i = 0; i < whole->extents.rank && fits; i++)
        fits = i == q->axis || cohort_multiply(bytes, whole->extents.shape[i], &bytes);
    return fits ? COHORT_OK
                : cohort_error_set(COHORT_EINVAL, "%s: more bytes than 64 bits count", call);
}

/* Without parts that are there it is absent, in the shape of the first. */
static cohort_status find_whole(const join_request *q, int32_t replica, cohort_component *whole)
{
    int first = -1;
    int32_t id = cohort_strategy_replica_id(q->into->strategy, replica);
    cohort_status status = COHORT_OK;
    *whole = look(q, 0, replica);
    whole->state = COHORT_CONTENT_ABSENT;
    for (int i = 0; i < q->n && status >= 0; i++) {
        cohort_component part = look(q, i, replica);
        status = check_part(i, id, &part);
        if (status < 0 || part.state == COHORT_CONTENT_ABSENT)
            continue;
        if (first < 0) {
            status = check_axis(q, &part);
            *whole = part;
            first = i;
        } else {
            status = fits(q, whole, &part) ? add_extent(q, &part, whole)
                                           : refuse_part(q, replica, first, i);
        }
    }
    return status;
}

/* ------------------------------------------------------------------ joining */

static cohort_status prepare(const join_request *q, int32_t replica)
{
    cohort_component whole;
    cohort_status status = find_whole(q, replica, &whole);
    if (status >= 0)
        status = cohort_part_prepare(call, q->into, replica, &whole);
    for (int i = 0; i < q->n && status >= 0; i++) {
        const cohort_operand part = operand_of(q->parts[i]);
        if (look(q, i, replica).state != COHORT_CONTENT_ABSENT)
            status = cohort_operand_prepare(&part, replica, cohort_operand_device(&part, replica));
    }
    return status;
}

static void fill(const join_request *q, int32_t replica)
{
    cohort_component whole;
    (void)find_whole(q, replica, &whole);
    cohort_buffer *into = cohort_part_start(q->into, replica, &whole);
    uint64_t stride = into != NULL ? cohort_component_blocks(&whole, q->axis).bytes : 0, at = 0;
    for (int i = 0; i < q->n && into != NULL; i++) {
        const cohort_operand operand = operand_of(q->parts[i]);
        cohort_component part = look(q, i, replica);
        if (part.state == COHORT_CONTENT_ABSENT)
            continue;
        cohort_blocks blocks = cohort_component_blocks(&part, q->axis);
        if (blocks.bytes > 0)
            cohort_transfer_copy_blocks(
                into, at, stride,
                cohort_operand_place(&operand, replica, cohort_operand_device(&operand, replica)),
                0, blocks.bytes, blocks.bytes, blocks.count);
        at += blocks.bytes;
    }
}

static cohort_status join(cohort_strategy *s, const void *request)
{
    const join_request *q = request;
    cohort_status status = check_list(s, q);
    if (status >= 0)
        status = check_kinds(q);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        status = prepare(q, r);
    if (status < 0)
        return status;
    cohort_ledger_say_repeatable(s->executor);
    cohort_value_become_per_replica(q->into);
    for (int32_t r = 0; r < s->n_replicas; r++)
        fill(q, r);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the call */

static cohort_status keep(cohort_recorder *recorder, const char *name, void *request)
{
    join_request *q = request;
    cohort_status status = cohort_operand_keep_values(recorder, name, &q->parts, q->n);
    if (status >= 0)
        status = cohort_operand_keep_value(recorder, name, q->into, "the value to fill");
    return status < 0 ? status : check_list(recorder->strategy, q);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const join_request *q = request;
    (void)strategy;
    (void)fprintf(out, "%d parts along axis %d", q->n, q->axis);
}

cohort_status cohort_join_logical_devices(cohort_value *const parts[], int n, int axis,
                                          cohort_value *into)
{
    static const cohort_recordable recordable = {
        .bytes = sizeof(join_request), .keep = keep, .run = join, .describe = describe
    };
    const join_request request = { parts, n, axis, into };
    cohort_strategy *other = n > 0 ? cohort_operand_strategy_of_values(parts, n) : NULL;
    cohort_status status =
        cohort_call_about(into, COHORT_HANDLE_VALUE, call, "the value to fill", other);
    if (status < 0)
        return status;
    if (parts == NULL || n < 1)
        return cohort_call_refuse(into->strategy, call,
                                  parts == NULL
                                      ? cohort_error_null(call, "the list of parts")
                                      : cohort_error_set(COHORT_EINVAL, "%s: %d parts", call, n));
    return cohort_call_make(into->strategy, call, &recordable, &request);
}
