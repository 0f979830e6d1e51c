/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathering: components behind one another along an axis, in order of the replicas. It is copying
 * alone, so it takes any dtype, structs too. */
#include "config.h"

#include "runtime/reduce/gather.h"

#include "runtime/base/array.h"
#include "runtime/reduce/reduce.h"

#include <cohort/reduce.h>

/* ------------------------------------------------------------------ begin */

/* The survey of a reduction along this axis says what gathering needs as well: extents that agree
 * beside the axis, and the sum of those along it. */
static cohort_status survey_rows(cohort_gather_plan *p, const char *call, int axis)
{
    int32_t one = axis;
    if (axis == COHORT_NO_AXIS)
        return cohort_error_set(COHORT_EINVAL, "%s: an axis along which to concatenate is needed",
                                call);
    cohort_status status = cohort_survey_make(call, p->strategy, &p->x, &one, 1, &p->survey);
    if (status >= 0)
        p->axis = axis < 0 ? axis + p->survey.like.extents.rank : axis;
    return status;
}

/* The survey counts what is not per replica once for each of them; here the plan says how often it
 * counts. */
cohort_status cohort_gather_plan_begin(cohort_gather_plan *p, const char *call, cohort_strategy *s,
                                       const cohort_argument *x, int axis, bool is_repeated)
{
    *p = (cohort_gather_plan){ .strategy = s };
    cohort_status status = cohort_operand_begin(&p->x, s, x, call);
    if (status < 0)
        return status;
    status = survey_rows(p, call, axis);
    bool is_one = !cohort_operand_is_per_replica(&p->x);
    p->times = is_one && is_repeated ? s->n_replicas : 1;
    if (status >= 0 && is_one)
        p->survey.along = p->times * p->survey.like.extents.shape[p->axis];
    if (status < 0)
        cohort_operand_end(&p->x);
    return status;
}

void cohort_gather_plan_end(cohort_gather_plan *p)
{
    cohort_operand_end(&p->x);
}

/* ------------------------------------------------------------------ prepare, shape, post */

static int32_t n_components(const cohort_gather_plan *p)
{
    return cohort_operand_is_per_replica(&p->x) ? p->strategy->n_replicas : 1;
}

/* Without an element there is nothing to copy, and maybe no buffer to copy it from. */
static bool has_items(const cohort_gather_plan *p, const cohort_component *c)
{
    return cohort_survey_counts(&p->survey, c) && cohort_component_items(c) > 0;
}

cohort_status cohort_gather_plan_prepare(const cohort_gather_plan *p)
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < n_components(p) && status >= 0; r++) {
        cohort_component c = cohort_operand_look(&p->x, r);
        if (has_items(p, &c))
            status = cohort_operand_prepare(&p->x, r, cohort_operand_device(&p->x, r));
    }
    return status;
}

void cohort_gather_plan_shape(const cohort_gather_plan *p, cohort_content *into)
{
    const cohort_component *like = &p->survey.like;
    into->dtype = like->dtype;
    into->item_bytes = like->item_bytes;
    into->extents = like->extents;
    into->extents.shape[p->axis] = p->survey.along;
}

/* Component by component into its place; along another axis than the first that is many blocks. */
void cohort_gather_plan_post(const cohort_gather_plan *p, cohort_buffer *dst)
{
    const cohort_component *like = &p->survey.like;
    const int64_t *shape = like->extents.shape;
    uint64_t row =
        (uint64_t)(cohort_shape_items(like->extents.rank - p->axis - 1, shape + p->axis + 1) *
                   like->item_bytes);
    uint64_t outer = (uint64_t)cohort_shape_items(p->axis, shape), offset = 0,
             dst_stride = (uint64_t)p->survey.along * row;
    for (int32_t r = 0; r < n_components(p); r++) {
        cohort_component c = cohort_operand_look(&p->x, r);
        if (!has_items(p, &c))
            continue;
        uint64_t block = (uint64_t)c.extents.shape[p->axis] * row;
        cohort_buffer *src = cohort_operand_place(&p->x, r, cohort_operand_device(&p->x, r));
        for (int32_t i = 0; i < p->times; i++, offset += block)
            cohort_transfer_copy_blocks(dst, offset, dst_stride, src, 0, block, block, outer);
    }
}

/* ------------------------------------------------------------------ cohort_gather */

static cohort_status gather(const cohort_argument *x, int axis, cohort_value *into)
{
    cohort_gather_plan plan;
    cohort_status status = cohort_reduce_check_into(x, into, "cohort_gather");
    if (status >= 0)
        status = cohort_gather_plan_begin(&plan, "cohort_gather", into->strategy, x, axis, false);
    if (status < 0)
        return status;
    status = cohort_value_prepare_home(into);
    if (status >= 0)
        status = cohort_gather_plan_prepare(&plan);
    if (status >= 0) {
        cohort_gather_plan_shape(&plan, &into->plain);
        cohort_buffer *dst = cohort_value_start_home(into);
        if (dst != NULL)
            cohort_gather_plan_post(&plan, dst);
    }
    cohort_gather_plan_end(&plan);
    return status;
}

typedef struct gather_request {
    cohort_argument x;
    int axis;
    cohort_value *into;
} gather_request;

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    gather_request *r = request;
    return cohort_reduce_keep(recorder, call, &r->x, r->into);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const gather_request *r = request;
    (void)strategy;
    return gather(&r->x, r->axis, r->into);
}

cohort_status cohort_gather_argument(cohort_argument x, int axis, cohort_value *into)
{
    static const cohort_recordable recordable = { sizeof(gather_request), keep, run,
                                                  cohort_reduce_describe_home };
    const gather_request request = { x, axis, into };
    return cohort_reduce_make(into, &x, "cohort_gather", &recordable, &request);
}
