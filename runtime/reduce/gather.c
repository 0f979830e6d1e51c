/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathering: components behind one another along an axis, in order of the replicas. It is copying
 * alone, so it takes any dtype, structs too. */
#include "config.h"

#include "runtime/reduce/gather.h"

#include "runtime/base/array.h"
#include "runtime/base/memory.h"
#include "runtime/operation/ledger.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/reduce.h"

#include <cohort/reduce.h>

#include <string.h>

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

/* What the survey has found of each worker, which have met for it. */
static cohort_status keep_workers(cohort_gather_plan *p)
{
    const cohort_workers *w = p->strategy->workers;
    p->along = cohort_allocate((size_t)w->n, sizeof *p->along);
    if (p->along == NULL || cohort_reducer_of(p->strategy) == NULL) {
        cohort_free(p->along);
        p->along = NULL;
        return cohort_error_memory(p->call);
    }
    for (int32_t i = 0; i < w->n; i++) {
        cohort_survey_note note;
        memcpy(&note, cohort_workers_note(w, i), sizeof note);
        p->along[i] = note.along;
    }
    return COHORT_OK;
}

/* The survey counts what is not per replica once for each of them; here the plan says how often it
 * counts. */
cohort_status cohort_gather_plan_begin(cohort_gather_plan *p, const char *call, cohort_strategy *s,
                                       const cohort_argument *x, int axis, bool is_repeated)
{
    *p = (cohort_gather_plan){ .strategy = s, .call = call };
    cohort_status status = cohort_operand_begin(&p->x, s, x, call);
    if (status < 0)
        return status;
    status = survey_rows(p, call, axis);
    bool is_one = !cohort_operand_is_per_replica(&p->x);
    p->times = is_one && is_repeated ? s->n_replicas : 1;
    bool crosses = s->workers != NULL && (!is_one || is_repeated);
    if (status >= 0 && is_one)
        p->survey.along = (is_repeated ? s->n_in_sync : 1) * p->survey.like.extents.shape[p->axis];
    if (status >= 0 && crosses)
        status = keep_workers(p);
    if (status < 0)
        cohort_operand_end(&p->x);
    return status;
}

void cohort_gather_plan_end(cohort_gather_plan *p)
{
    cohort_operand_end(&p->x);
    cohort_free(p->along);
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
    cohort_extents extents = like->extents;
    extents.shape[p->axis] = p->survey.along;
    cohort_content_take_shape(into, like->dtype, like->item_bytes, &extents);
}

/* One index of the axes before, and one along the axis: so many bytes, and so often. */
static uint64_t row_bytes(const cohort_gather_plan *p)
{
    const cohort_component *like = &p->survey.like;
    return (uint64_t)(cohort_shape_items(like->extents.rank - p->axis - 1,
                                         like->extents.shape + p->axis + 1) *
                      like->item_bytes);
}

static uint64_t outer_of(const cohort_gather_plan *p)
{
    return (uint64_t)cohort_shape_items(p->axis, p->survey.like.extents.shape);
}

static cohort_buffer *place(const cohort_gather_plan *p, int32_t replica)
{
    const int32_t device = cohort_operand_device(&p->x, replica);
    return p->is_guarded ? cohort_operand_place_guarded(&p->x, replica, device, p->call)
                         : cohort_operand_place(&p->x, replica, device);
}

/* Component by component into its place; along another axis than the first that is many blocks. */
static void post_here(const cohort_gather_plan *p, int64_t along, cohort_buffer *dst)
{
    uint64_t row = row_bytes(p), outer = outer_of(p), offset = 0,
             dst_stride = (uint64_t)along * row;
    for (int32_t r = 0; r < n_components(p); r++) {
        cohort_component c = cohort_operand_look(&p->x, r);
        if (!has_items(p, &c))
            continue;
        uint64_t block = (uint64_t)c.extents.shape[p->axis] * row;
        cohort_buffer *src = place(p, r);
        for (int32_t i = 0; i < p->times; i++, offset += block)
            cohort_transfer_copy_blocks(dst, offset, dst_stride, src, 0, block, block, outer);
    }
}

/* What this worker has, in memory of this process. The buffer may be NULL: there is nothing. */
static cohort_status bring(cohort_buffer *buffer, void *into, uint64_t bytes)
{
    if (buffer != NULL) {
        cohort_executor *executor = buffer->executor;
        cohort_executor_wait(executor, cohort_transfer_download(buffer, 0, into, bytes));
        return cohort_failure_tell(&executor->failure);
    }
    return COHORT_OK;
}

/* Blocks of the workers, one behind the other, each outer x along[w] rows: interleaved. */
static void interleave(const cohort_gather_plan *p, const char *all, char *into)
{
    uint64_t row = row_bytes(p), outer = outer_of(p), before = 0;
    for (int32_t w = 0; w < p->strategy->workers->n; w++) {
        uint64_t block = (uint64_t)p->along[w] * row;
        for (uint64_t i = 0; i < outer; i++, all += block)
            memcpy(into + i * (uint64_t)p->survey.along * row + before, all, block);
        before += block;
    }
}

/* All meet once more when what they have is there, so that nobody waits for one that has failed. */
static cohort_status cross(const cohort_gather_plan *p, cohort_buffer *mine, char *all,
                           uint64_t bytes[])
{
    cohort_workers *w = p->strategy->workers;
    uint64_t before = 0;
    for (int32_t i = 0; i < w->n; i++) {
        bytes[i] = (uint64_t)p->along[i] * row_bytes(p) * outer_of(p);
        before += i < w->rank ? bytes[i] : 0;
    }
    cohort_status status = bring(mine, all + before, bytes[w->rank]);
    cohort_talk_begin(&w->talk);
    if (status >= 0)
        status = cohort_workers_meet(w, "the rows of a gather", "", 0);
    if (status >= 0)
        status = cohort_workers_gather(w, p->call, all, bytes);
    cohort_talk_end(&w->talk);
    return status;
}

static cohort_status post_all(const cohort_gather_plan *p, cohort_buffer *mine, uint64_t total,
                              cohort_buffer *dst)
{
    cohort_staging *staging = &dst->executor->staging;
    uint64_t *bytes = cohort_allocate((size_t)p->strategy->workers->n, sizeof *bytes);
    char *all = cohort_staging_take(staging, total), *into = cohort_staging_take(staging, total);
    cohort_status status = bytes != NULL && all != NULL && into != NULL
                               ? cross(p, mine, all, bytes)
                               : cohort_error_memory(p->call);
    cohort_free(bytes);
    if (status >= 0)
        interleave(p, all, into);
    cohort_messages_give(&p->strategy->workers->messages, all, cohort_staging_give);
    if (status >= 0)
        cohort_transfer_upload_taken(dst, 0, into, total);
    else
        cohort_staging_give(into);
    return status;
}

static void post_across(const cohort_gather_plan *p, cohort_buffer *dst)
{
    cohort_executor *executor = dst->executor;
    int64_t along = p->along[p->strategy->workers->rank];
    uint64_t each = row_bytes(p) * outer_of(p), here = (uint64_t)along * each;
    cohort_buffer *mine =
        here > 0 ? cohort_reducer_scratch(cohort_reducer_of(p->strategy), p->strategy->home, here)
                 : NULL;
    if (mine != NULL)
        post_here(p, along, mine);
    if (!cohort_failure_is_set(&executor->failure)) {
        cohort_status status = post_all(p, mine, (uint64_t)p->survey.along * each, dst);
        if (status < 0)
            cohort_failure_raise_own(&executor->failure, status);
    }
    if (cohort_failure_is_set(&executor->failure))
        cohort_transfer_fail(dst, p->call);
}

void cohort_gather_plan_post(const cohort_gather_plan *p, cohort_buffer *dst)
{
    if (p->along != NULL)
        post_across(p, dst);
    else
        post_here(p, p->survey.along, dst);
}

/* ------------------------------------------------------------------ cohort_gather */

cohort_status cohort_gather_into(const char *call, const cohort_argument *x, int axis,
                                 cohort_value *into)
{
    cohort_gather_plan plan;
    cohort_status status = cohort_reduce_check_into(x, into, call);
    if (status >= 0)
        status = cohort_gather_plan_begin(&plan, call, into->strategy, x, axis, false);
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
    cohort_status status = cohort_gather_into("cohort_gather", &r->x, r->axis, r->into);
    if (status >= 0)
        cohort_ledger_say_repeatable(strategy->executor);
    return status;
}

cohort_status cohort_gather_argument(cohort_argument x, int axis, cohort_value *into)
{
    static const cohort_recordable recordable = { .bytes = sizeof(gather_request),
                                                  .keep = keep,
                                                  .run = run,
                                                  .describe = cohort_reduce_describe_home };
    const gather_request request = { x, axis, into };
    return cohort_reduce_make(into, &x, "cohort_gather", &recordable, &request);
}
