/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce_to and cohort_batch_reduce_to: into values that are mirrored on chosen devices.
 * Small reductions of a batch that go to the same devices travel packed, as one. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/operation/ledger.h"
#include "runtime/reduce/communication.h"
#include "runtime/reduce/destination.h"
#include "runtime/reduce/reduce.h"
#include "runtime/reduce/reducer_combine.h"

#include <cohort/reduce.h>

/* A reduction to several devices, prepared, and then posted alone or in a pack. */
typedef struct delivery {
    cohort_reduce_plan plan;
    cohort_destination destination;
    cohort_value *into;
    bool is_posted;
} delivery;

/* ------------------------------------------------------------------ one reduction */

static cohort_status prepare(delivery *d)
{
    cohort_status status = cohort_reducer_of(d->plan.strategy) != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0)
        status = cohort_destination_prepare(&d->destination, d->into);
    return status >= 0 ? cohort_reduce_plan_prepare(&d->plan) : status;
}

static void end(delivery *d)
{
    cohort_destination_fini(&d->destination);
    cohort_reduce_plan_end(&d->plan);
}

/* Checked and prepared; on failure there is nothing to end. */
static cohort_status begin(delivery *d, const char *call, const cohort_reduce_request *request,
                           const cohort_argument *at, cohort_value *into)
{
    cohort_strategy *s = into->strategy;
    *d = (delivery){ .into = into };
    cohort_status status = cohort_reduce_check_into(&request->x, into, call);
    if (status >= 0)
        status = cohort_destination_init(&d->destination, call, s, at);
    if (status < 0)
        return status;
    status = cohort_reduce_plan_begin(&d->plan, call, s, request);
    if (status < 0) {
        cohort_destination_fini(&d->destination);
        return status;
    }
    status = prepare(d);
    if (status < 0)
        end(d);
    return status;
}

/* The buffer on the first device, of a value that is now mirrored; NULL in a trial. */
static cohort_buffer *start_value(delivery *d)
{
    cohort_reduce_plan_shape(&d->plan, &d->into->plain);
    d->is_posted = true;
    return cohort_destination_start(&d->destination, d->into);
}

/* Combined on the first device of its destination, then copied to the others. */
static void post_alone(delivery *d, cohort_reducer *reducer)
{
    cohort_buffer *first = start_value(d);
    if (first == NULL)
        return;
    cohort_reducer_restart(reducer);
    cohort_reduce_plan_post(&d->plan, reducer, first);
    cohort_destination_mirror(&d->destination, d->into, first);
}

typedef struct to_request {
    cohort_reduce_request what;
    cohort_argument at;
    cohort_value *into;
} to_request;

static cohort_status keep_to(cohort_recorder *recorder, const char *call, void *request)
{
    to_request *r = request;
    cohort_status status = cohort_reduce_keep(recorder, call, &r->what.x, r->into);
    return status < 0 ? status : cohort_operand_keep(recorder, call, &r->at);
}

static cohort_status reduce_to(cohort_strategy *strategy, const void *request)
{
    const to_request *r = request;
    delivery d;
    cohort_status status = begin(&d, "cohort_reduce_to", &r->what, &r->at, r->into);
    if (status < 0)
        return status;
    cohort_ledger_say_repeatable(strategy->executor);
    post_alone(&d, cohort_reducer_of(strategy));
    end(&d);
    return COHORT_OK;
}

cohort_status cohort_reduce_to_argument(cohort_reduce_op op, cohort_argument x, cohort_argument at,
                                        cohort_value *into)
{
    static const cohort_recordable recordable = { .bytes = sizeof(to_request),
                                                  .keep = keep_to,
                                                  .run = reduce_to,
                                                  .describe = cohort_destination_describe };
    const cohort_contributes contributes = cohort_reduce_unwrap(&x);
    const to_request request = { { .op = op, .x = x, .contributes = contributes }, at, into };
    return cohort_reduce_make(into, &x, "cohort_reduce_to", &recordable, &request);
}

/* ------------------------------------------------------------------ what is packed */

static uint64_t count_of(const delivery *d)
{
    return (uint64_t)cohort_component_items(&d->plan.survey.like);
}

static uint64_t bytes_of(const delivery *d)
{
    return count_of(d) * (uint64_t)d->plan.survey.like.item_bytes;
}

/* Some contribution has to travel to the first device. */
static bool is_far(const delivery *d)
{
    const cohort_context *first =
        cohort_strategy_context(d->plan.strategy, d->destination.devices[0]);
    for (int32_t r = 0; r < d->plan.strategy->n_replicas; r++)
        if (cohort_reduce_plan_counts(&d->plan, r) &&
            !cohort_fold_reaches(
                first,
                cohort_strategy_context(d->plan.strategy, cohort_reduce_plan_device(&d->plan, r))))
            return true;
    return false;
}

/* Packing saves transfers and costs copies: it is for small contributions that have to travel. What
 * has to depends on the devices, which differ between workers, where all have to do alike. One
 * whose dtype changes (a mean of integers) has other leaves than its contribution. */
static bool is_packable(const delivery *d)
{
    cohort_dtype dtype = d->plan.survey.like.dtype;
    return d->plan.strategy->workers == NULL && !d->is_posted &&
           cohort_operand_is_per_replica(&d->plan.x) && d->plan.survey.n_contributing > 0 &&
           cohort_reduce_result(d->plan.op, dtype) == dtype && bytes_of(d) > 0 &&
           bytes_of(d) <= cohort_pack_bytes(d->plan.strategy) && is_far(d);
}

/* One divisor and one set of leaves serve the whole pack, so the same replicas must contribute to
 * all of it, in one dtype. */
static bool fits(const delivery *a, const delivery *b)
{
    bool is_same = a->plan.survey.like.dtype == b->plan.survey.like.dtype &&
                   cohort_destination_equals(&a->destination, &b->destination);
    for (int32_t r = 0; is_same && r < a->plan.strategy->n_replicas; r++)
        is_same = cohort_reduce_plan_counts(&a->plan, r) == cohort_reduce_plan_counts(&b->plan, r);
    return is_same;
}

/* The first one that is left, and those after it that fit. */
static int32_t pick(delivery deliveries[], int32_t n, delivery *picked[])
{
    int32_t n_picked = 1;
    const uint64_t most = cohort_pack_bytes(deliveries[0].plan.strategy);
    uint64_t bytes = bytes_of(&deliveries[0]);
    picked[0] = &deliveries[0];
    for (int32_t i = 1; i < n && is_packable(picked[0]); i++) {
        delivery *d = &deliveries[i];
        if (!is_packable(d) || !fits(picked[0], d) || bytes + bytes_of(d) > most)
            continue;
        bytes += bytes_of(d);
        picked[n_picked++] = d;
    }
    return n_picked;
}

/* ------------------------------------------------------------------ one pack */

typedef struct pack {
    delivery **deliveries;
    int32_t n;
    uint64_t count, bytes; /* of all */
    cohort_reducer *reducer;
} pack;

/* The contributions of a replica one after the other, where they are. */
static cohort_buffer *join(const pack *p, int32_t replica)
{
    uint64_t offset = 0;
    int32_t device = cohort_reduce_plan_device(&p->deliveries[0]->plan, replica);
    cohort_buffer *into = cohort_reducer_scratch(p->reducer, device, p->bytes);
    for (int32_t i = 0; i < p->n && into != NULL; i++) {
        uint64_t bytes = bytes_of(p->deliveries[i]);
        const cohort_reduce_plan *plan = &p->deliveries[i]->plan;
        cohort_buffer *from = cohort_operand_place_guarded(&plan->x, replica, device, plan->call);
        cohort_transfer_copy_blocks(into, offset, 0, from, 0, 0, bytes, 1);
        offset += bytes;
    }
    return into;
}

/* The results of a pack, which is on one of its devices, into their values there. */
static void part(const pack *p, cohort_buffer *from, int32_t device)
{
    uint64_t offset = 0;
    for (int32_t i = 0; i < p->n; i++) {
        delivery *d = p->deliveries[i];
        uint64_t bytes = bytes_of(d);
        bool is_first = device == d->destination.devices[0];
        cohort_buffer *into =
            is_first ? start_value(d) : cohort_content_place_copy(&d->into->plain, device);
        if (from != NULL)
            cohort_transfer_copy_blocks(into, 0, 0, from, offset, 0, bytes, 1);
        else
            cohort_transfer_fail(into, "a reduction");
        offset += bytes;
    }
}

static cohort_buffer *combine(const pack *p)
{
    const cohort_reduce_plan *plan = &p->deliveries[0]->plan;
    cohort_reducer *reducer = p->reducer;
    uint64_t divisor = plan->op == COHORT_MEAN ? (uint64_t)plan->survey.n_contributing : 1;
    cohort_reducer_restart(reducer);
    for (int32_t r = 0; r < plan->strategy->n_replicas; r++)
        reducer->leaves[r] = cohort_reduce_plan_counts(plan, r) ? join(p, r) : NULL;
    cohort_buffer *total =
        cohort_reducer_scratch(reducer, p->deliveries[0]->destination.devices[0], p->bytes);
    if (total != NULL)
        cohort_reducer_combine(reducer, plan->op, plan->survey.like.dtype, p->count, divisor,
                               total);
    return total;
}

static void post_pack(const pack *p)
{
    const cohort_destination *d = &p->deliveries[0]->destination;
    cohort_buffer *total = combine(p);
    part(p, total, d->devices[0]);
    for (int32_t i = 1; i < d->n; i++) {
        cohort_buffer *there =
            total != NULL ? cohort_reducer_scratch(p->reducer, d->devices[i], p->bytes) : NULL;
        if (there != NULL)
            cohort_transfer_copy(there, total, p->bytes);
        part(p, there, d->devices[i]);
    }
}

/* Post all: those that gain from it packed, with the bits that they have alone. picked: room for n
 * of them. */
static void post_all(delivery deliveries[], int32_t n, delivery *picked[], cohort_reducer *reducer)
{
    for (int32_t i = 0; i < n; i++) {
        pack p = { .deliveries = picked, .reducer = reducer };
        if (deliveries[i].is_posted)
            continue;
        p.n = pick(deliveries + i, n - i, picked);
        for (int32_t k = 0; k < p.n; k++) {
            p.count += count_of(picked[k]);
            p.bytes += bytes_of(picked[k]);
        }
        if (p.n == 1 || deliveries->plan.strategy->is_trial)
            post_alone(&deliveries[i], reducer);
        else
            post_pack(&p);
    }
}

/* ------------------------------------------------------------------ a batch */

/* begun counts what is to be ended: begin has ended by itself what it could not begin. */
static cohort_status batch(cohort_reduce_op op, int n, cohort_value *const values[],
                           const cohort_argument at[], cohort_value *const into[])
{
    int begun = 0;
    if (at == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_batch_reduce_to: %d values, a list is NULL",
                                n);
    cohort_status status = cohort_reduce_check_distinct("cohort_batch_reduce_to", values, n, into);
    if (status < 0)
        return status;
    cohort_reducer *reducer = cohort_reducer_of(into[0]->strategy);
    delivery *deliveries =
        reducer != NULL
            ? cohort_reducer_room(reducer, (size_t)n, sizeof *deliveries + sizeof(delivery *))
            : NULL;
    status = deliveries != NULL ? COHORT_OK : COHORT_ENOMEM;
    for (; begun < n && status >= 0; begun += status >= 0) {
        const cohort_reduce_request what = {
            .op = op, .x = cohort_argument_make_(COHORT_ARGUMENT_VALUE, values[begun])
        };
        status = into[begun]->strategy != into[0]->strategy
                     ? cohort_error_set(COHORT_EINVAL,
                                        "cohort_batch_reduce_to: values 0 and %d to fill belong to "
                                        "different strategies",
                                        begun)
                     : begin(&deliveries[begun], "cohort_batch_reduce_to", &what, &at[begun],
                             into[begun]);
    }
    if (status >= 0)
        post_all(deliveries, n, (delivery **)(deliveries + n), reducer);
    for (int i = 0; i < begun; i++)
        end(&deliveries[i]);
    return status;
}

typedef struct batch_request {
    cohort_reduce_op op;
    cohort_reduce_values lists;
    const cohort_argument *at; /* [lists.n] */
} batch_request;

static cohort_status keep_batch(cohort_recorder *recorder, const char *call, void *request)
{
    batch_request *r = request;
    cohort_status status = cohort_reduce_keep_list(recorder, call, &r->lists);
    if (status < 0 || r->at == NULL)
        return status < 0 ? status : cohort_error_null(call, "the list of destinations");
    cohort_argument *at = cohort_recorder_copy(recorder, r->at, (size_t)r->lists.n, sizeof *at);
    status = at != NULL ? COHORT_OK : COHORT_ENOMEM;
    for (int i = 0; i < r->lists.n && status >= 0; i++)
        status = cohort_operand_keep(recorder, call, &at[i]);
    r->at = at;
    return status;
}

static cohort_status run_batch(cohort_strategy *strategy, const void *request)
{
    const batch_request *r = request;
    cohort_ledger_say_repeatable(strategy->executor);
    return batch(r->op, r->lists.n, r->lists.values, r->at, r->lists.into);
}

static void describe_batch(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)strategy;
    (void)fprintf(out, "%d values, each into a mirrored value",
                  ((const batch_request *)request)->lists.n);
}

cohort_status cohort_batch_reduce_to(cohort_reduce_op op, int n, cohort_value *const values[],
                                     const cohort_argument at[], cohort_value *const into[])
{
    static const cohort_recordable recordable = { .bytes = sizeof(batch_request),
                                                  .keep = keep_batch,
                                                  .run = run_batch,
                                                  .describe = describe_batch };
    if (n == 0)
        return COHORT_OK;
    const batch_request request = { op, { values, into, n }, at };
    return cohort_reduce_make_list(&request.lists, "cohort_batch_reduce_to", &recordable, &request);
}
