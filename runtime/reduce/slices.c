/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce_slices: ids and rows of all replicas, one after the other. */
#include "config.h"

#include "runtime/device/integers.h"
#include "runtime/reduce/gather.h"
#include "runtime/reduce/reduce.h"

#include <cohort/reduce.h>

static const char call[] = "cohort_reduce_slices";

typedef struct slices {
    cohort_reduce_op op;
    cohort_gather_plan ids, rows;
    cohort_value *into_ids, *into_rows;
} slices;

/* ------------------------------------------------------------------ checks */

static cohort_status check_values(cohort_reduce_op op, cohort_value *const x[2], cohort_value *const into[2])
{
    if (op != COHORT_SUM && op != COHORT_MEAN)
        return cohort_error_set(COHORT_EINVAL, "%s: index slices have COHORT_SUM and COHORT_MEAN, not %d", call,
                                (int)op);
    for (int i = 0; i < 2; i++)
        if (x[i] == NULL || into[i] == NULL)
            return cohort_error_null(call, x[i] == NULL ? "the ids or the rows" : "a value to fill");
    if (into[0]->strategy != into[1]->strategy)
        return cohort_error_set(COHORT_EINVAL, "%s: the values to fill belong to different strategies", call);
    return cohort_reduce_check_distinct(call, x, 2, into);
}

static int64_t n_rows(const cohort_gather_plan *p, int32_t replica)
{
    cohort_component c = cohort_operand_look(&p->x, replica);
    return c.state == COHORT_CONTENT_ABSENT ? 0 : c.extents.shape[0];
}

static cohort_status check_slices(const slices *s)
{
    const cohort_component *ids = &s->ids.survey.like;
    bool is_id = (ids->dtype == COHORT_I32 || ids->dtype == COHORT_I64) && ids->extents.rank == 1;
    if (!is_id)
        return cohort_error_set(COHORT_EINVAL, "%s: ids are %s of rank %d; they are int32 or int64 of rank 1", call,
                                cohort_dtype_name(ids->dtype), ids->extents.rank);
    for (int32_t r = 0; r < s->ids.strategy->n_replicas; r++)
        if (n_rows(&s->ids, r) != n_rows(&s->rows, r))
            return cohort_error_set(COHORT_EINVAL, "%s: replica %d has %lld ids and %lld rows", call, r,
                                    (long long)n_rows(&s->ids, r), (long long)n_rows(&s->rows, r));
    return cohort_reduce_check_op(s->op, s->rows.survey.like.dtype, call);
}

/* ------------------------------------------------------------------ one call */

static cohort_status prepare(const cohort_gather_plan *p, cohort_value *into)
{
    cohort_status status = cohort_value_prepare_plain(into);
    if (status >= 0)
        status = cohort_content_prepare(&into->plain, p->strategy->crew, p->strategy->home);
    return status >= 0 ? cohort_gather_plan_prepare(p) : status;
}

static cohort_buffer *start_value(cohort_value *into)
{
    cohort_strategy *s = into->strategy;
    into->kind = COHORT_PLAIN_VALUE;
    return cohort_content_place_write(&into->plain, s->crew, s->home, cohort_content_bytes(&into->plain), false);
}

/* Integers are divided as the mean of one contribution each. */
static void divide_integers(const slices *s, uint64_t count, cohort_buffer *dst)
{
    cohort_strategy *owner = s->rows.strategy;
    cohort_dtype dtype = s->rows.survey.like.dtype;
    cohort_reducer *reducer = owner->reducer;
    cohort_reducer_restart(reducer);
    cohort_buffer *items =
        cohort_reducer_scratch(reducer, owner->home, count * (uint64_t)s->rows.survey.like.item_bytes);
    cohort_buffer *limbs =
        cohort_reducer_scratch(reducer, owner->home, count * cohort_integers_limbs(dtype) * sizeof(int64_t));
    if (items == NULL || limbs == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    cohort_gather_plan_post(&s->rows, items);
    cohort_integers_post_sum(dtype, items, (cohort_fold_shape){ 1, 1, (int64_t)count }, limbs);
    cohort_integers_post_quotient(dtype, limbs, count, (uint64_t)s->rows.survey.n_contributing, dst);
}

static void post_rows(const slices *s)
{
    cohort_dtype dtype = s->rows.survey.like.dtype;
    cohort_content *plain = &s->into_rows->plain;
    cohort_gather_plan_shape(&s->rows, plain);
    plain->dtype = cohort_reduce_result(s->op, dtype);
    plain->item_bytes = cohort_dtype_bytes(plain->dtype);
    uint64_t count = (uint64_t)cohort_content_items(plain);
    cohort_buffer *dst = start_value(s->into_rows);
    const cohort_fold_term all = { .buffer = dst };
    if (count == 0)
        return;
    if (plain->dtype != dtype) {
        divide_integers(s, count, dst);
        return;
    }
    cohort_gather_plan_post(&s->rows, dst);
    if (s->op == COHORT_MEAN)
        cohort_fold_post(COHORT_SUM, dtype, &all, 1, dst, count, (uint64_t)s->rows.survey.n_contributing);
}

static cohort_status post(const slices *s)
{
    cohort_status status = check_slices(s);
    if (status >= 0)
        status = cohort_reducer_of(s->ids.strategy) != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0)
        status = prepare(&s->ids, s->into_ids);
    if (status >= 0)
        status = prepare(&s->rows, s->into_rows);
    if (status < 0)
        return status;
    cohort_gather_plan_shape(&s->ids, &s->into_ids->plain);
    cohort_gather_plan_post(&s->ids, start_value(s->into_ids));
    post_rows(s);
    return COHORT_OK;
}

static cohort_status reduce_slices(slices *s, const cohort_argument x[2])
{
    cohort_strategy *owner = s->into_ids->strategy;
    cohort_status status = cohort_gather_plan_begin(&s->ids, call, owner, &x[0], 0, true);
    if (status < 0)
        return status;
    status = cohort_gather_plan_begin(&s->rows, call, owner, &x[1], 0, true);
    if (status >= 0) {
        status = post(s);
        cohort_gather_plan_end(&s->rows);
    }
    cohort_gather_plan_end(&s->ids);
    return status;
}

cohort_status cohort_reduce_slices(cohort_reduce_op op, cohort_value *ids, cohort_value *rows, cohort_value *into_ids,
                                   cohort_value *into_rows)
{
    cohort_value *const values[2] = { ids, rows }, *const into[2] = { into_ids, into_rows };
    slices s = { .op = op, .into_ids = into_ids, .into_rows = into_rows };
    cohort_status status = check_values(op, values, into);
    if (status < 0)
        return status;
    const cohort_argument x[2] = { cohort_argument_make_(COHORT_ARGUMENT_VALUE, ids),
                                   cohort_argument_make_(COHORT_ARGUMENT_VALUE, rows) };
    status = cohort_reduce_enter(into_ids, call, "cohort_all_reduce_slices");
    return status < 0 ? status : cohort_strategy_advance(into_ids->strategy, reduce_slices(&s, x));
}
