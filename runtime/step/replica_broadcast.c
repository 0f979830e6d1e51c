/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_replica_broadcast: the component of one replica, on all of them. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/reducer.h"
#include "runtime/step/contribution.h"
#include "runtime/step/trace.h"
#include "runtime/value/operand.h"

#include <stdio.h>
#include <string.h>

static const char call[] = "cohort_replica_broadcast";

/* ------------------------------------------------------------------ what the root has */

typedef struct broadcast {
    cohort_strategy *strategy;
    cohort_value *value;
    int32_t root;          /* of all replicas */
    int32_t owner;         /* the worker that hosts it */
    cohort_content *from;  /* the root's component; NULL: another worker has it */
    cohort_content shape;  /* of it */
    cohort_buffer *buffer; /* with its bytes; NULL: it has none */
} broadcast;

/* Looked at when all have met: until then the root may still be about to write its component. */
static cohort_status check_root(const cohort_content *c, int32_t root)
{
    if (c != NULL && c->state == COHORT_CONTENT_LOST)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: the call that was to write the component of replica %d failed; write it again",
            call, root);
    if (c == NULL || c->state == COHORT_CONTENT_EMPTY)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: nothing has written the component of replica %d", call, root);
    return COHORT_OK;
}

/* Has every replica a component, or will have? */
static bool is_own(const broadcast *b)
{
    return b->value->kind == COHORT_PER_REPLICA_VALUE || b->value->kind == COHORT_EMPTY_VALUE;
}

static uint64_t bytes_of(const broadcast *b)
{
    return b->shape.state == COHORT_CONTENT_FILLED ? cohort_content_bytes(&b->shape) : 0;
}

static cohort_status find_root(broadcast *b)
{
    const cohort_strategy *s = b->strategy;
    int32_t local = b->root - s->first_replica;
    b->owner = s->workers != NULL ? cohort_workers_host(s->workers, b->root) : 0;
    if (local < 0 || local >= s->n_replicas)
        return COHORT_OK;
    b->from = cohort_value_content(b->value, local);
    cohort_status status = check_root(b->from, b->root);
    if (status < 0)
        return status;
    b->shape.state = b->from->state;
    b->shape.dtype = b->from->dtype;
    b->shape.item_bytes = b->from->item_bytes;
    b->shape.extents = b->from->extents;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ across workers */

typedef struct note {
    int64_t item_bytes;
    cohort_extents extents;
    int32_t root, kind, state, dtype;
} note;

static note note_of(const broadcast *b)
{
    return (note){ .item_bytes = b->shape.item_bytes,
                   .extents = b->shape.extents,
                   .root = b->root,
                   .kind = (int32_t)b->value->kind,
                   .state = (int32_t)b->shape.state,
                   .dtype = (int32_t)b->shape.dtype };
}

static const char *kind_text(int32_t kind)
{
    return kind == COHORT_PER_REPLICA_VALUE ? "per replica"
           : kind == COHORT_EMPTY_VALUE     ? "not written"
                                            : "the same for all";
}

/* A value that nobody of a worker has written becomes what it is where the root is. */
static bool is_alike(int32_t kind, int32_t other)
{
    return (kind == COHORT_PER_REPLICA_VALUE || kind == COHORT_EMPTY_VALUE) ==
           (other == COHORT_PER_REPLICA_VALUE || other == COHORT_EMPTY_VALUE);
}

static cohort_status compare(const cohort_workers *w, int32_t other, const note *n,
                             const note *mine)
{
    if (n->root != mine->root)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the root of worker %d of %d is replica %d, of worker %d "
                                "replica %d; all workers name the same",
                                call, other, w->n, n->root, w->rank, mine->root);
    if (!is_alike(n->kind, mine->kind))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the value of worker %d of %d is %s, that of worker %d %s; all "
                                "workers bring the same",
                                call, other, w->n, kind_text(n->kind), w->rank,
                                kind_text(mine->kind));
    return COHORT_OK;
}

/* What comes from elsewhere is a shape that an array could have. */
static cohort_status take_shape(broadcast *b, const note *n)
{
    cohort_array array = { .dtype = (cohort_dtype)n->dtype,
                           .rank = n->extents.rank,
                           .item_bytes = n->item_bytes };
    memcpy(array.shape, n->extents.shape, sizeof array.shape);
    cohort_status status = cohort_array_check(&array, true, call);
    b->shape.item_bytes = n->item_bytes;
    b->shape.dtype = array.dtype;
    b->shape.extents = n->extents;
    b->shape.state = (cohort_content_state)n->state;
    return status < 0 ? status : check_root(&b->shape, b->root);
}

static cohort_status agree(broadcast *b)
{
    cohort_workers *w = b->strategy->workers;
    const note mine = note_of(b);
    cohort_status status = cohort_workers_meet(w, call, &mine, sizeof mine);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        note n;
        memcpy(&n, cohort_workers_note(w, i), sizeof n);
        status = compare(w, i, &n, &mine);
        if (status >= 0 && i == b->owner && i != w->rank)
            status = take_shape(b, &n);
    }
    return status;
}

/* The bytes into a block of every worker, which all have taken before they meet once more. */
static cohort_status cross(const broadcast *b, void *block)
{
    cohort_executor *executor = b->strategy->executor;
    cohort_workers *w = b->strategy->workers;
    cohort_status status = COHORT_OK;
    if (b->buffer != NULL && b->from != NULL)
        cohort_executor_wait(executor, cohort_transfer_download(b->buffer, 0, block, bytes_of(b)));
    status = cohort_failure_tell(&executor->failure);
    cohort_talk_begin(&w->talk);
    if (status >= 0)
        status = cohort_workers_meet(w, "the bytes of a broadcast", "", 0);
    if (status >= 0)
        status = cohort_workers_broadcast(w, call, b->owner, block, bytes_of(b));
    cohort_talk_end(&w->talk);
    return status;
}

static cohort_status bring(broadcast *b)
{
    cohort_executor *executor = b->strategy->executor;
    cohort_reducer *reducer = cohort_reducer_of(b->strategy);
    if (reducer == NULL)
        return COHORT_ENOMEM;
    cohort_reducer_restart(reducer);
    if (b->from == NULL)
        b->buffer = cohort_reducer_scratch(reducer, b->strategy->home, bytes_of(b));
    void *block = cohort_staging_take(&executor->staging, bytes_of(b));
    cohort_status status =
        block != NULL ? cohort_failure_tell(&executor->failure) : cohort_error_memory(call);
    if (status >= 0)
        status = cross(b, block);
    if (status >= 0 && b->from == NULL)
        cohort_transfer_upload_taken(b->buffer, 0, block, bytes_of(b));
    else if (!cohort_executor_has_lost(executor))
        cohort_messages_give(&b->strategy->workers->messages, block, cohort_staging_give);
    return status;
}

/* Of the root's component, here. */
static cohort_status find_bytes(broadcast *b)
{
    cohort_strategy *s = b->strategy;
    if (bytes_of(b) > 0 && b->from != NULL)
        b->buffer = cohort_content_place_read(
            b->from, s->executor, cohort_value_device(b->value, b->root - s->first_replica));
    return bytes_of(b) > 0 && s->workers != NULL ? bring(b) : COHORT_OK;
}

/* ------------------------------------------------------------------ the call */

static void hand_out(const broadcast *b)
{
    const cohort_strategy *s = b->strategy;
    cohort_value_become_per_replica(b->value);
    for (int32_t r = 0; r < s->n_replicas; r++) {
        /* the root keeps what it has */
        if (s->first_replica + r == b->root)
            continue;
        cohort_contribution_store(b->value, r, &b->shape, b->buffer);
        /* a root without rows leaves all others without rows */
        if (b->shape.state != COHORT_CONTENT_FILLED)
            cohort_content_become(&b->value->components[r], b->shape.state);
    }
}

/* What all see already is what the root has. */
static cohort_status plan_broadcast(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                    void *const all[])
{
    broadcast b = { .strategy = s,
                    .value = rendezvous->values[0],
                    .root = (int32_t)rendezvous->op };
    cohort_status status = find_root(&b);
    (void)all;
    if (status >= 0 && s->workers != NULL)
        status = agree(&b);
    if (status < 0 || !is_own(&b))
        return status;
    status = cohort_contribution_prepare_components(b.value);
    if (status < 0)
        return status;
    cohort_ledger_say_repeatable(s->executor);
    if (!s->is_trial)
        status = find_bytes(&b);
    if (status >= 0)
        hand_out(&b);
    return status;
}

static void describe_root(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    (void)snprintf(out, size, "root %d", (int)rendezvous->op);
}

cohort_status cohort_replica_broadcast_at(const char *site, cohort_replica *me, cohort_value *value,
                                          int root)
{
    static const cohort_traced traced;
    cohort_value *const values[] = { value };
    cohort_status status = cohort_contribution_check(me, values, 1, call);
    if (status >= 0 && (root < 0 || root >= cohort_stage_strategy(me)->n_in_sync))
        status = cohort_error_set(COHORT_EINVAL, "%s: root %d of %d replicas", call, root,
                                  cohort_stage_strategy(me)->n_in_sync);
    if (status < 0)
        return cohort_stage_end(me, cohort_operand_strategy_of_values(values, 1), status);
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = call,
                                                       .site = site,
                                                       .op = (cohort_reduce_op)root,
                                                       .n = 1,
                                                       .values = values,
                                                       .plan = plan_broadcast,
                                                       .describe = describe_root,
                                                       .traced = &traced });
}
