/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_prefix: what the blocks of each replica combine to is gathered, so that every replica
 * finds what is before its own blocks, and then its elements. What lies between these runs lasts
 * as long as the call. */
#include "config.h"

#include <cohort/prefix.h>

#include "runtime/base/memory.h"
#include "runtime/base/reduce_op.h"
#include "runtime/call/plain.h"
#include "runtime/reduce/gather.h"
#include "runtime/reduce/reduce.h"
#include "runtime/run/prefix_bodies.h"

static const char call[] = "cohort_prefix";

typedef struct prefix_request {
    cohort_reduce_op op;
    cohort_argument x;
    int32_t axis; /* or COHORT_NO_AXIS */
    cohort_prefix_options options;
    cohort_value *into;
} prefix_request;

typedef struct prefix {
    const prefix_request *request;
    cohort_strategy *strategy;
    cohort_operand x;
    cohort_survey survey;
    const cohort_prefix_bodies *bodies;
    bool is_per_replica;
    int32_t axis; /* from 0 */
    int64_t outer, inner;
    int64_t *rows;       /* [replicas of all workers]: along the axis, of those of this worker */
    cohort_array shares; /* these */
    /* of the time of the call: of each block what it combines to, the same of all replicas, what is
     * before it, and the elements of what is not per replica */
    cohort_value *totals, *all, *carries, *elements;
} prefix;

/* ---- What can be wrong. */

static cohort_status check_options(const prefix_request *r)
{
    for (size_t i = 0; i < sizeof r->options.reserved; i++)
        if (r->options.reserved[i] != 0)
            return cohort_error_set(COHORT_EINVAL, "%s: reserved[%zu] of the options is not zero",
                                    call, i);
    if (r->into->is_declared)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the value to fill is one of cohort_value_shaped; give it one "
                                "of cohort_value_create",
                                call);
    if (cohort_prefix_bodies_of(r->op, COHORT_F32) != NULL)
        return COHORT_OK;
    const char *name = cohort_reduce_op_name((int64_t)r->op);
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the reduction %s (%d) has no prefixes; take COHORT_SUM, _PROD, "
                            "_MIN or _MAX",
                            call, name != NULL ? name : "?", (int)r->op);
}

/* Of one content there is nothing before a replica. */
static cohort_status check_replicas(prefix *p)
{
    const prefix_request *r = p->request;
    p->is_per_replica = cohort_operand_is_per_replica(&p->x);
    if (p->is_per_replica || (r->axis != COHORT_NO_AXIS && !r->options.separate))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: x is not per replica, so that %s; name an axis, without `separate`",
        call, r->options.separate ? "no replica begins anew" : "no replica goes on from another");
}

static cohort_status find_bodies(prefix *p)
{
    const cohort_dtype dtype = p->survey.like.dtype;
    p->bodies = cohort_prefix_bodies_of(p->request->op, dtype);
    if (p->bodies != NULL)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: x is of %s; take float32, float64 or integers of 8 to 64 bits",
                            call, cohort_dtype_name(dtype));
}

/* ---- The shape. Without an axis a component is one row. */

static int64_t rows_along(const prefix *p, const cohort_component *c)
{
    if (!cohort_survey_counts(&p->survey, c))
        return 0;
    return p->request->axis == COHORT_NO_AXIS ? 1 : c->extents.shape[p->axis];
}

static void find_shape(prefix *p)
{
    const cohort_extents *e = &p->survey.like.extents;
    const bool has_axis = p->request->axis != COHORT_NO_AXIS;
    p->axis = p->request->axis < 0 ? p->request->axis + e->rank : p->request->axis;
    p->outer = has_axis ? cohort_shape_items(p->axis, e->shape) : 1;
    p->inner = has_axis ? cohort_shape_items(e->rank - p->axis - 1, e->shape + p->axis + 1)
                        : cohort_shape_items(e->rank, e->shape);
}

/* What all see is done by the first replica of all. */
static cohort_status count_rows(prefix *p)
{
    const cohort_strategy *s = p->strategy;
    p->rows = cohort_allocate((size_t)s->n_in_sync, sizeof *p->rows);
    if (p->rows == NULL)
        return cohort_error_memory(call);
    p->shares = COHORT_ARRAY(p->rows, s->n_in_sync);
    if (!p->is_per_replica)
        p->rows[0] = rows_along(p, &p->survey.like);
    for (int32_t r = 0; r < s->n_replicas && p->is_per_replica; r++) {
        const cohort_component c = cohort_operand_look(&p->x, r);
        p->rows[s->first_replica + r] = rows_along(p, &c);
    }
    return COHORT_OK;
}

static cohort_status survey(prefix *p)
{
    const int32_t axis = p->request->axis;
    cohort_status status =
        cohort_survey_make(call, p->strategy, &p->x, &axis, axis != COHORT_NO_AXIS, &p->survey);
    if (status >= 0)
        status = find_bodies(p);
    if (status < 0)
        return status;
    find_shape(p);
    return count_rows(p);
}

/* ---- Runs. */

static cohort_status launch(prefix *p, const cohort_function *function,
                            const cohort_argument arguments[])
{
    const cohort_plain_call run = { .function = function,
                                    .arguments = arguments,
                                    .kind = COHORT_CALL_RUN,
                                    .count = p->strategy->n_replicas };
    cohort_binder *binder = cohort_binder_of(p->strategy);
    bool posts;
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_status status = cohort_plain_begin(binder, &run, &posts);
    if (status >= 0 && posts)
        cohort_plain_post(binder, &run);
    cohort_plain_end(binder);
    return status;
}

static cohort_argument x_of(const prefix *p)
{
    return p->x.variable != NULL ? COHORT_ARG_(p->x.variable) : COHORT_ARG_(p->x.value);
}

static cohort_argument rows_of(const prefix *p)
{
    const cohort_argument shares = cohort_argument_make_(COHORT_ARGUMENT_ARRAY, &p->shares);
    return COHORT_NAMED(n, COHORT_EACH (shares));
}

static cohort_status find_totals(prefix *p)
{
    return launch(p, &p->bodies->totals,
                  (const cohort_argument[]){ x_of(p), COHORT_ARG_(p->totals),
                                             COHORT_NAMED(outer, p->outer), rows_of(p),
                                             COHORT_NAMED(inner, p->inner),
                                             cohort_argument_make_(COHORT_ARGUMENT_END, NULL) });
}

static cohort_status gather_totals(prefix *p)
{
    const cohort_argument totals = COHORT_ARG_(p->totals);
    return cohort_gather_into(call, &totals, 0, p->all);
}

static cohort_status find_carries(prefix *p, bool goes_on)
{
    const cohort_argument first = goes_on ? COHORT_FIRST_ROW : COHORT_ARG_(0);
    return launch(p, &p->bodies->carries,
                  (const cohort_argument[]){
                      first, COHORT_ARG_(p->totals), COHORT_ARG_(goes_on ? p->all : p->totals),
                      COHORT_ARG_(p->carries), cohort_argument_make_(COHORT_ARGUMENT_END, NULL) });
}

static cohort_status find_elements(prefix *p, cohort_value *into)
{
    return launch(p, &p->bodies->elements,
                  (const cohort_argument[]){ COHORT_ARG_(p->request->options.exclusive), x_of(p),
                                             COHORT_ARG_(p->carries), COHORT_ARG_(into),
                                             COHORT_NAMED(outer, p->outer), rows_of(p),
                                             COHORT_NAMED(inner, p->inner),
                                             cohort_argument_make_(COHORT_ARGUMENT_END, NULL) });
}

/* ---- Results: of three extents as they are made, and then of those of x. */

static void take_shape(cohort_content *content, const cohort_component *x)
{
    if (content->state != COHORT_CONTENT_ABSENT)
        cohort_content_take_shape(content, x->dtype, x->item_bytes, &x->extents);
}

static void take_shapes(const prefix *p, const cohort_value *into)
{
    for (int32_t r = 0; r < p->strategy->n_replicas; r++) {
        const cohort_component c = cohort_operand_look(&p->x, r);
        take_shape(cohort_value_content(into, r), &c);
    }
}

static cohort_status fill_components(prefix *p)
{
    cohort_value *into = p->request->into;
    cohort_status status = find_elements(p, into);
    if (status >= 0)
        take_shapes(p, into);
    return status;
}

static cohort_status fill_plain(prefix *p)
{
    cohort_value *into = p->request->into;
    const cohort_argument elements = COHORT_ARG_(p->elements);
    cohort_status status = find_elements(p, p->elements);
    if (status >= 0)
        status = cohort_gather_into(call, &elements, 1, into);
    if (status >= 0)
        take_shape(&into->plain, &p->survey.like);
    return status;
}

static cohort_status take_values(prefix *p)
{
    cohort_value **const values[] = { &p->totals, &p->all, &p->carries, &p->elements };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if ((*values[i] = cohort_value_take(p->strategy)) == NULL)
            return COHORT_ENOMEM;
    return COHORT_OK;
}

static cohort_status go(prefix *p)
{
    const bool goes_on =
        p->is_per_replica && !p->request->options.separate && p->survey.n_contributing > 1;
    cohort_status status = take_values(p);
    if (status >= 0)
        status = find_totals(p);
    if (status >= 0 && goes_on)
        status = gather_totals(p);
    if (status >= 0)
        status = find_carries(p, goes_on);
    if (status < 0)
        return status;
    return p->is_per_replica ? fill_components(p) : fill_plain(p);
}

/* What is not per replica and has no element is its own result. */
static cohort_status fill(prefix *p)
{
    const cohort_argument x = x_of(p);
    if (!p->is_per_replica && cohort_component_items(&p->survey.like) == 0)
        return cohort_gather_into(call, &x, p->axis, p->request->into);
    return go(p);
}

/* ---- The call. */

static void end(prefix *p)
{
    cohort_value_drop(p->totals);
    cohort_value_drop(p->all);
    cohort_value_drop(p->carries);
    cohort_value_drop(p->elements);
    cohort_free(p->rows);
    cohort_operand_end(&p->x);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    prefix p = { .request = request, .strategy = strategy };
    cohort_status status = cohort_reduce_check_into(&p.request->x, p.request->into, call);
    if (status >= 0)
        status = check_options(request);
    if (status >= 0)
        status = cohort_operand_begin(&p.x, strategy, &p.request->x, call);
    if (status < 0)
        return status;
    status = check_replicas(&p);
    if (status >= 0)
        status = survey(&p);
    if (status >= 0)
        status = fill(&p);
    end(&p);
    return status;
}

static cohort_status keep(cohort_recorder *recorder, const char *name, void *request)
{
    prefix_request *r = request;
    cohort_status status = cohort_reduce_keep(recorder, name, &r->x, r->into);
    return status < 0 ? status : check_options(r);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const prefix_request *r = request;
    (void)strategy;
    (void)fprintf(out, "%s, %s", cohort_reduce_op_name(r->op),
                  r->axis == COHORT_NO_AXIS ? "over the replicas" : "along an axis");
}

cohort_status cohort_prefix_argument(cohort_reduce_op op, cohort_argument x, int axis,
                                     const cohort_prefix_options *options, cohort_value *into)
{
    static const cohort_recordable recordable = {
        .bytes = sizeof(prefix_request), .keep = keep, .run = run, .describe = describe
    };
    static const cohort_prefix_options defaults;
    const prefix_request request = { op, x, axis, options != NULL ? *options : defaults, into };
    return cohort_reduce_make(into, &x, call, &recordable, &request);
}
