/* SPDX-License-Identifier: BSD-3-Clause */
/* A change is checked when it begins, and posts nothing until it is applied: then every store gets
 * the bytes that it holds, computed with its current content where the change is no assignment. */
#include "config.h"

#include "runtime/rows/change.h"

#include "runtime/base/dtype.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/operation/elementwise.h"
#include "runtime/operation/scan.h"
#include "runtime/operation/transfer.h"
#include "runtime/operation/zeros.h"
#include "runtime/rows/components.h"
#include "runtime/value/remote.h"

#include <stdio.h>
#include <string.h>

const char *cohort_change_call(cohort_write_op op)
{
    static const char *const names[] = { "cohort_variable_assign", "cohort_variable_assign_add",
                                         "cohort_variable_assign_sub" };
    return op >= COHORT_ASSIGN && op <= COHORT_ASSIGN_SUB ? names[op] : "cohort_variable_scatter";
}

/* ------------------------------------------------------------------ checks */

/* Components that add up to the variable: what cross-replica context writes has to keep that
 * sum. */
static bool is_sum(const cohort_variable *v)
{
    return v->is_per_replica && v->options.aggregation == COHORT_AGGREGATE_SUM;
}

static cohort_status check_op(const cohort_change *c)
{
    cohort_variable *v = c->variable;
    cohort_write_op op = c->op;
    if (op < COHORT_ASSIGN || op > COHORT_SCATTER_UPDATE)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': %d is no cohort_write_op", v->name,
                                (int)op);
    if (op > COHORT_ASSIGN_SUB)
        return cohort_error_set(
            COHORT_EINVAL,
            "variable '%s': scatters take ids and rows: cohort_variable_scatter_add and its "
            "relatives",
            v->name);
    if (op != COHORT_ASSIGN && !cohort_elementwise_has(v->dtype))
        return cohort_error_set(COHORT_EINVAL,
                                "variable '%s' is %s, which has only cohort_variable_assign",
                                v->name, cohort_dtype_name(v->dtype));
    if (v->remote != NULL) {
        cohort_status status = cohort_remote_check_writer(v, cohort_change_call(op));
        if (status < 0)
            return status;
    }
    if (c->replica < 0 && is_sum(v)) {
        /* it is shared out, which is a matter of sums */
        cohort_status status = cohort_components_check(v);
        if (status < 0)
            return status;
    }
    /* an assignment to all stores is content enough; a sum needs what it adds to, and a single
     * component the others that stay */
    bool needs_content = (op != COHORT_ASSIGN || c->replica >= 0) && v->remote == NULL;
    return needs_content ? cohort_variable_check_readable(v, cohort_change_call(op)) : COHORT_OK;
}

/* A row-major array is used where it lies, since cohort_transfer_upload_copy is done with it when
 * it returns. */
static cohort_status take_array(cohort_change *c, const cohort_array *array)
{
    cohort_variable *v = c->variable;
    cohort_extents extents = { .rank = array->rank };
    cohort_status status = cohort_array_check(array, false, v->name);
    if (status < 0)
        return status;
    memcpy(extents.shape, array->shape, sizeof extents.shape);
    status = cohort_variable_check_alike(v, array->dtype, cohort_array_item_bytes(array), &extents,
                                         "what is assigned is");
    if (status < 0)
        return status;
    c->block = array->data;
    if (cohort_array_is_row_major(array))
        return COHORT_OK;
    c->block = c->staged = cohort_staging_take(&v->strategy->executor->staging, v->bytes);
    if (c->staged == NULL)
        return cohort_error_memory("an assignment");
    cohort_array_pack(c->staged, array);
    return COHORT_OK;
}

/* What servers get is written out as often as the variable has elements: from here on it is a block
 * as an array's. */
static cohort_status write_out(cohort_change *c)
{
    const cohort_variable *v = c->variable;
    char *block = cohort_staging_take(&v->strategy->executor->staging, v->bytes);
    if (block == NULL)
        return cohort_error_memory("an assignment");
    for (uint64_t i = 0; i < v->bytes; i += (uint64_t)v->item_bytes)
        memcpy(block + i, c->item, (size_t)v->item_bytes);
    c->block = c->staged = block;
    return COHORT_OK;
}

static cohort_status take_number(cohort_change *c, const cohort_argument *number)
{
    const cohort_variable *v = c->variable;
    cohort_status status = cohort_number_convert(number, v->dtype, c->item);
    if (status < 0)
        return cohort_error_prefix(status, "variable '%s'", v->name);
    static const char zeros[sizeof c->item];
    c->is_zero = c->op == COHORT_ASSIGN && c->replica < 0 && v->remote == NULL && v->bytes > 0 &&
                 memcmp(c->item, zeros, (size_t)v->item_bytes) == 0;
    c->is_number = v->remote == NULL;
    return c->is_number ? COHORT_OK : write_out(c);
}

/* In cross-replica context every replica sees the same, of which that of replica 0 is looked at. A
 * component without rows has no shape to compare; cohort_change_is_absent tells those who apply. */
static cohort_status check_component(const cohort_change *c)
{
    const cohort_variable *v = c->variable;
    cohort_component seen = cohort_operand_look(&c->operand, c->replica > 0 ? c->replica : 0);
    if (seen.state == COHORT_CONTENT_LOST || seen.state == COHORT_CONTENT_EMPTY)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': %s", v->name,
                                seen.state == COHORT_CONTENT_LOST
                                    ? "the call that was to write the value failed; write it again"
                                    : "nothing has written the value to assign");
    if (seen.state == COHORT_CONTENT_ABSENT)
        return COHORT_OK;
    return cohort_variable_check_alike(v, seen.dtype, seen.item_bytes, &seen.extents,
                                       "what is assigned is");
}

static cohort_status take_operand(cohort_change *c, const cohort_argument *x)
{
    cohort_variable *v = c->variable;
    char who[COHORT_ERROR_BYTES / 4];
    (void)snprintf(who, sizeof who, "variable '%s'", v->name);
    cohort_status status = cohort_operand_begin(&c->operand, v->strategy, x, who);
    if (status < 0)
        return status;
    bool is_cross = c->replica < 0, is_value = c->operand.value != NULL;
    if (is_cross && is_value && cohort_operand_is_per_replica(&c->operand))
        return cohort_error_set(
            COHORT_EINVAL,
            "variable '%s': the value to assign is per replica, and cross-replica context takes "
            "one for all: combine it with cohort_reduce first",
            v->name);
    if (is_cross && !is_value && c->operand.variable->is_per_replica) {
        status = cohort_components_check(c->operand.variable);
        if (status < 0)
            return status;
    }
    return check_component(c);
}

cohort_status cohort_change_begin(cohort_change *out, cohort_variable *variable, cohort_write_op op,
                                  const cohort_argument *x, int32_t replica)
{
    *out = (cohort_change){ .variable = variable, .op = op, .replica = replica };
    cohort_status status = check_op(out);
    if (status < 0)
        return status;
    if (x->kind == COHORT_ARGUMENT_ARRAY)
        return take_array(out, x->as.p);
    if (x->kind == COHORT_ARGUMENT_VALUE || x->kind == COHORT_ARGUMENT_VARIABLE)
        return take_operand(out, x);
    if (cohort_number_is(x))
        return take_number(out, x);
    return cohort_error_set(
        COHORT_EINVAL, "variable '%s': a number, an array, a value or a variable can be assigned",
        variable->name);
}

void cohort_change_begin_whole(cohort_change *out, cohort_variable *variable, cohort_write_op op,
                               cohort_buffer *whole)
{
    *out = (cohort_change){ .variable = variable, .op = op, .whole = whole, .replica = -1 };
}

void cohort_change_end(cohort_change *change)
{
    cohort_staging_give(change->staged);
    cohort_free(change->owned);
    change->staged = change->owned = NULL;
}

bool cohort_change_is_absent(const cohort_change *c)
{
    bool is_operand = c->operand.value != NULL || c->operand.variable != NULL;
    return is_operand && cohort_operand_look(&c->operand, c->replica > 0 ? c->replica : 0).state ==
                             COHORT_CONTENT_ABSENT;
}

/* ------------------------------------------------------------------ bringing */

/* Bytes [offset, offset + bytes) into a buffer. */
static void bring(const cohort_change *c, uint64_t offset, uint64_t bytes, cohort_buffer *into)
{
    if (c->is_there)
        return;
    if (c->is_zero)
        cohort_zeros_post(into, bytes);
    else if (c->is_number)
        cohort_transfer_fill(into, c->item, (uint64_t)c->variable->item_bytes, bytes);
    else if (c->block != NULL)
        cohort_transfer_upload_copy(into, 0, (const char *)c->block + offset, bytes,
                                    "the content of a variable");
    else if (c->whole != NULL)
        cohort_transfer_copy_blocks(into, 0, 0, c->whole, offset, 0, bytes, 1);
    else
        cohort_operand_copy_range(&c->operand, c->replica > 0 ? c->replica : 0, offset, bytes,
                                  into);
}

/* The same into scratch of a store's device; NULL with the failure set. Components of replicas that
 * one device hosts take the same bytes, which are brought to it once. */
static cohort_buffer *bring_beside(cohort_change *c, const cohort_store *store)
{
    bool is_there = c->brought != NULL && c->brought->context->index == store->device &&
                    c->brought_offset == store->offset && c->brought_bytes == store->bytes;
    if (is_there)
        return c->brought;
    c->brought = cohort_reducer_scratch(c->reducer, store->device, store->bytes);
    c->brought_offset = store->offset;
    c->brought_bytes = store->bytes;
    if (c->brought != NULL)
        bring(c, store->offset, store->bytes, c->brought);
    return c->brought;
}

/* As cohort_operand_place_guarded, for what no operand holds. */
static void guard_block(const cohort_change *c, int32_t replica, cohort_buffer *leaf)
{
    const cohort_variable *v = c->variable;
    char subject[COHORT_SCAN_SUBJECT_BYTES];
    if (v->strategy->guard == COHORT_GUARD_PROPAGATE || !cohort_dtype_is_number(v->dtype))
        return;
    (void)snprintf(subject, sizeof subject, "%s: the contribution of replica %d on %s",
                   cohort_change_call(c->op), cohort_strategy_replica_id(v->strategy, replica),
                   leaf->context->device->id);
    cohort_scan_post(leaf, v->dtype, v->bytes / (uint64_t)v->item_bytes, subject);
}

/* A value or a variable is combined where its contribution lies, a block on the device of its
 * replica. Preparing the read may fail when other replicas' changes are already placed, so its
 * error becomes the strategy's. */
cohort_buffer *cohort_change_place(cohort_change *c, cohort_reducer *reducer)
{
    const cohort_strategy *s = c->variable->strategy;
    int32_t replica = c->replica > 0 ? c->replica : 0;
    if (c->block == NULL && !c->is_number) {
        int32_t device = cohort_operand_device(&c->operand, replica);
        if (cohort_operand_prepare(&c->operand, replica, device) >= 0)
            return cohort_operand_place_guarded(&c->operand, replica, device,
                                                cohort_change_call(c->op));
        cohort_failure_raise_own(&s->executor->failure, COHORT_ENOMEM);
        return NULL;
    }
    cohort_buffer *leaf = cohort_reducer_scratch(reducer, s->host[replica], c->variable->bytes);
    if (leaf != NULL) {
        bring(c, 0, c->variable->bytes, leaf);
        guard_block(c, replica, leaf);
    }
    return leaf;
}

/* ------------------------------------------------------------------ applying */

/* The content of a sum is shared out over its components, so that they sum up to it. */
static bool is_shared_out(const cohort_change *c, cohort_write_kind kind)
{
    return c->op == COHORT_ASSIGN && kind == COHORT_WRITE_JOINT && !c->is_whole &&
           is_sum(c->variable);
}

/* Of integers, component 0 takes the remainder as well as its share, so that all components
 * together are exactly what was assigned. */
static void compute_next(cohort_change *c, int32_t store, bool is_share, cohort_buffer *next)
{
    cohort_variable *v = c->variable;
    cohort_buffer *other = bring_beside(c, &v->stores[store]);
    uint64_t count = v->stores[store].bytes / (uint64_t)v->item_bytes;
    if (other == NULL)
        return; /* the failure is set, and nothing more is done */
    cohort_elementwise_op op =
        !is_share
            ? (c->op == COHORT_ASSIGN_ADD ? COHORT_ELEMENTWISE_ADD : COHORT_ELEMENTWISE_SUBTRACT)
        : v->strategy->first_replica + store == 0 ? COHORT_ELEMENTWISE_REST
                                                  : COHORT_ELEMENTWISE_SHARE;
    cohort_elementwise_post(op, v->dtype, is_share ? NULL : cohort_variable_current(v, store),
                            other, next, count, (uint32_t)v->strategy->n_in_sync);
}

/* Memory that this process sees, is large enough, and nobody uses: nothing is under way at all. So
 * no write is unfinished that would want the other buffer of a store to go back to; a step that is
 * kept might. */
static bool is_free(const cohort_buffer *next, uint64_t bytes)
{
    return cohort_buffer_has(next, bytes) &&
           cohort_context_has(next->context, COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE) &&
           next->host != NULL;
}

static bool are_free(const cohort_variable *v)
{
    bool is_good =
        v->bytes > 0 && !v->strategy->keeps_steps && cohort_executor_is_idle(v->strategy->executor);
    for (int32_t i = 0; i < v->n_stores && is_good; i++)
        is_good = is_free(cohort_variable_next(v, i), v->stores[i].bytes);
    return is_good;
}

void *cohort_change_memory(const cohort_variable *v)
{
    if (v->remote != NULL || is_sum(v) || !are_free(v))
        return NULL;
    for (int32_t i = 0; i < v->n_stores; i++)
        if (v->stores[i].bytes == v->bytes)
            return cohort_variable_next(v, i)->host;
    return NULL;
}

/* An array that would be copied for the lanes is copied to where it belongs instead, by the caller,
 * before the writes are posted, which then bring nothing. It may lie in one of these places. */
static void copy_in_call(cohort_change *c)
{
    const cohort_variable *v = c->variable;
    bool is_good = c->op == COHORT_ASSIGN && c->block != NULL &&
                   !is_shared_out(c, COHORT_WRITE_JOINT) && are_free(v);
    for (int32_t i = 0; i < v->n_stores && is_good; i++) {
        void *into = cohort_variable_next(v, i)->host;
        const char *from = (const char *)c->block + v->stores[i].offset;
        if (into != from)
            memcpy(into, from, v->stores[i].bytes);
    }
    v->strategy->executor->plan.moved += is_good ? v->bytes : 0;
    c->is_there = is_good;
}

static void write_store(cohort_change *c, int32_t store, cohort_write_kind kind)
{
    cohort_variable *v = c->variable;
    bool is_share = is_shared_out(c, kind);
    cohort_buffer *next = c->operand.variable == v
                              ? cohort_variable_start_other(v, store, kind, false)
                              : cohort_variable_start(v, store, kind, false);
    if (c->op == COHORT_ASSIGN && !is_share)
        bring(c, v->stores[store].offset, v->stores[store].bytes, next);
    else
        compute_next(c, store, is_share, next);
    cohort_variable_post_commit(v, store, kind, next);
}

/* Components are combined only now, because combining posts; the change was checked long before. */
static void begin_apply(cohort_change *c, cohort_reducer *reducer)
{
    c->reducer = reducer;
    if (c->replica < 0 && c->operand.variable != NULL && c->operand.variable->is_per_replica)
        c->whole = cohort_components_combine(c->operand.variable, reducer);
}

static void write_local(cohort_change *c, int32_t store)
{
    write_store(c, store, COHORT_WRITE_LOCAL);
    cohort_variable_finish_local(c->variable, store);
}

void cohort_change_apply_local(cohort_change *c, cohort_reducer *reducer, int32_t store)
{
    begin_apply(c, reducer);
    write_local(c, store);
}

/* What the servers get is memory of this process, which has to be there now. */
static cohort_status apply_remote(cohort_change *c)
{
    cohort_variable *v = c->variable;
    cohort_staging *staging = &v->strategy->executor->staging;
    void *block = c->block == NULL ? cohort_staging_take(staging, v->bytes + 1) : NULL;
    cohort_status status = COHORT_OK;
    if (c->block == NULL && block == NULL)
        return cohort_error_memory("an assignment");
    if (c->block == NULL && c->whole != NULL)
        status = cohort_transfer_fetch(c->whole, block, v->bytes);
    else if (c->block == NULL)
        status =
            cohort_operand_fetch(&c->operand, c->replica > 0 ? c->replica : 0, block, v->bytes);
    if (status >= 0)
        status = cohort_remote_write(v, c->op, c->block != NULL ? c->block : block,
                                     cohort_change_call(c->op));
    if (!cohort_executor_has_lost(v->strategy->executor)) /* else a late device may write there */
        cohort_staging_give(block);
    return status;
}

/* The sum of components grows by what one of them grows by: adding to one is enough, and leaves the
 * contributions of all other replicas as they are. What is added may be components of all
 * workers. */
void cohort_change_apply(cohort_change *c, cohort_reducer *reducer)
{
    cohort_variable *v = c->variable;
    begin_apply(c, reducer);
    if (v->remote != NULL) {
        cohort_status status = apply_remote(c);
        if (status < 0)
            cohort_failure_raise_own(&v->strategy->executor->failure, status);
        return;
    }
    if (is_sum(v) && c->op != COHORT_ASSIGN) {
        if (v->strategy->first_replica == 0)
            write_local(c, 0);
        return;
    }
    copy_in_call(c);
    for (int32_t i = v->n_stores - 1; i >= 0;
         i--) /* the caller's own device, mostly the first, comes last */
        write_store(c, i, COHORT_WRITE_JOINT);
    cohort_variable_finish(v);
}

/* Zeros are not sent: a table may be larger than what this worker could hold. */
static cohort_status fill_remote(cohort_variable *v, const cohort_array *content)
{
    cohort_change c = { .variable = v, .op = COHORT_ASSIGN, .replica = -1 };
    cohort_status status =
        content->data != NULL && v->bytes > 0 ? take_array(&c, content) : COHORT_OK;
    if (status < 0)
        return status;
    status = cohort_remote_create(v, c.block);
    cohort_change_end(&c);
    return status;
}

cohort_status cohort_change_fill(cohort_variable *v, const cohort_array *content,
                                 cohort_reducer *reducer)
{
    if (v->remote != NULL)
        return fill_remote(v, content);
    cohort_change c = { .variable = v,
                        .op = COHORT_ASSIGN,
                        .is_whole = true,
                        .replica = -1,
                        .is_zero = content->data == NULL && v->bytes > 0 };
    cohort_status status = c.is_zero ? COHORT_OK : take_array(&c, content);
    if (status < 0)
        return status;
    cohort_reducer_restart(reducer);
    cohort_change_apply(&c, reducer);
    cohort_change_end(&c);
    return COHORT_OK;
}
