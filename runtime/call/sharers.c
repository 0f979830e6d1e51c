/* SPDX-License-Identifier: BSD-3-Clause */
/* Who updates a store: the devices of its copies, one for each lane, if all of them reach
 * everything that the launch uses. */
#include "config.h"

#include "runtime/call/sharers.h"

#include "runtime/call/guard.h"
#include "runtime/operation/alone.h"

/* ALONE_BYTES: less is not worth the way to several lanes. Ranges of CUT items begin at a cache
 * line of any array; of several indices the first one is divided as it comes, for there are many
 * items in each. */
enum { ALONE_BYTES = 16 * 1024, CUT = 64 };

bool cohort_sharers_take_items(const cohort_prepared *p)
{
    const cohort_executable *e = p->executable;
    return e->takes_items && e->n_slots == e->n_arrays && p->grid.range.dims > 0;
}

/* ------------------------------------------------------------------ preparing */

static bool is_little(const cohort_binding *b)
{
    return b->updated->bytes < ALONE_BYTES;
}

/* What is little is done by one, who may be another one than the caller, if there is a caller's
 * lane. */
static bool may_share(const cohort_binding *b)
{
    const cohort_variable *v = b->updated;
    const cohort_executor *executor = b->strategy->executor;
    return b->signature->item != NULL && !v->is_per_replica && !v->is_sharded &&
           v->n_copies > v->n_stores &&
           (!is_little(b) || (executor->caller >= 0 && executor->n_lanes > 1));
}

int32_t cohort_sharers_room(const cohort_binding *b)
{
    return may_share(b) ? b->updated->n_copies : 0;
}

cohort_status cohort_sharers_prepare(cohort_binder *binder, const cohort_binding *b)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < cohort_sharers_room(b) && status >= 0; i++) {
        cohort_prepared *p = &binder->prepared[b->count + i];
        p->grid = binder->prepared[b->updated->copy_stores[i]].grid;
        p->record = NULL;
        status = cohort_binder_find(binder, b->function, b->signature,
                                    cohort_variable_device(b->updated, i), &p->executable);
    }
    return status;
}

/* ------------------------------------------------------------------ choosing */

static bool reaches_all(const cohort_context *context, const cohort_use uses[], int32_t n)
{
    bool reaches = true;
    for (int32_t i = 0; i < n && reaches; i++)
        reaches = uses[i].buffer == NULL || context->can_access[uses[i].buffer->context->index];
    return reaches;
}

static bool has_lane(const cohort_sharer list[], int32_t n, const cohort_lane *lane)
{
    bool has = false;
    for (int32_t i = 0; i < n && !has; i++)
        has = list[i].prepared->executable->context->lane == lane;
    return has;
}

/* Of the devices that share a lane the first one. */
static int32_t list_sharers(const cohort_binding *b, int32_t launch,
                            const cohort_prepared prepared[], const cohort_use uses[], int32_t n,
                            cohort_sharer out[])
{
    int32_t count = 0;
    for (int32_t i = 0; i < cohort_sharers_room(b) && count < COHORT_SHARERS; i++) {
        const cohort_prepared *p = &prepared[b->count + i];
        if (b->updated->copy_stores[i] == launch && cohort_sharers_take_items(p) &&
            !has_lane(out, count, p->executable->context->lane) &&
            reaches_all(p->executable->context, uses, n))
            out[count++].prepared = p;
    }
    return count;
}

/* In the order of the devices: each does the same range in every update, and finds it in its cache.
 * Returns how many got some. */
static int32_t share_out(cohort_sharer list[], int32_t n, const cohort_range *range)
{
    int64_t items = (int64_t)range->global[range->dims - 1], cut = range->dims == 1 ? CUT : 1;
    int64_t share = ((items + n - 1) / n + cut - 1) / cut * cut, first = 0;
    int32_t i = 0;
    for (; i < n && first < items; i++, first += share) {
        list[i].first_item = first;
        list[i].items = items - first < share ? items - first : share;
    }
    return i;
}

static void move_caller_last(cohort_sharer list[], int32_t n, int32_t caller)
{
    for (int32_t i = 0; i < n - 1; i++)
        if (list[i].prepared->executable->context->lane->index == caller) {
            cohort_sharer own = list[i];
            list[i] = list[n - 1];
            list[n - 1] = own;
        }
}

/* What belongs to an update and is done by operations of their own, a copy before it or the look of
 * a guard behind it, is the device's of the launch, and to go back and forth takes longer. */
static bool may_go_elsewhere(const cohort_binding *b, const cohort_prepared *own)
{
    return cohort_ledger_plan(b->strategy->executor)->spares_caller &&
           own->way != COHORT_UPDATE_OTHER && !cohort_guard_is_on(b);
}

/* Who updates a little store; of the device of the launch a memo may keep a record. */
static const cohort_prepared *choose_one(const cohort_binding *b, int32_t launch,
                                         const cohort_prepared prepared[], const cohort_use uses[],
                                         int32_t n)
{
    cohort_sharer list[COHORT_SHARERS];
    cohort_context *able[COHORT_SHARERS];
    const cohort_prepared *own = &prepared[launch];
    if (!may_go_elsewhere(b, own))
        return own;
    int32_t count = list_sharers(b, launch, prepared, uses, n, list);
    for (int32_t i = 0; i < count; i++)
        able[i] = list[i].prepared->executable->context;
    int32_t chosen = count > 1 ? cohort_alone_choose(b->strategy->executor, able, count) : 0;
    return chosen > 0 ? list[chosen].prepared : own;
}

static int32_t leave_to(const cohort_prepared *one, cohort_sharer out[])
{
    out[0] = (cohort_sharer){ .prepared = one };
    return 1;
}

int32_t cohort_sharers_choose(const cohort_binding *b, int32_t launch,
                              const cohort_prepared prepared[], const cohort_use uses[], int32_t n,
                              cohort_sharer out[COHORT_SHARERS])
{
    if (is_little(b))
        return leave_to(choose_one(b, launch, prepared, uses, n), out);
    int32_t count = list_sharers(b, launch, prepared, uses, n, out);
    if (count > 1)
        count = share_out(out, count, &prepared[launch].grid.range);
    if (count <= 1)
        return leave_to(&prepared[launch], out);
    move_caller_last(out, count, b->strategy->executor->caller);
    return count;
}
