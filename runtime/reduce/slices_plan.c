/* SPDX-License-Identifier: BSD-3-Clause */
/* Index slices: ids of all replicas behind one another, and their rows in the same order. Nothing
 * is added up here; equal ids are combined where the slices are applied, which keeps the order of
 * replicas. */
#include "config.h"

#include "runtime/reduce/slices_plan.h"

#include "runtime/operation/integers.h"
#include "runtime/reduce/reduce.h"

#include <cohort/reduce.h>

/* ------------------------------------------------------------------ checks */

static int64_t n_rows(const cohort_gather_plan *p, int32_t replica)
{
    cohort_component c = cohort_operand_look(&p->x, replica);
    return c.state == COHORT_CONTENT_ABSENT ? 0 : c.extents.shape[0];
}

static cohort_status check_ids(const cohort_slices_plan *s, const char *call)
{
    const cohort_component *ids = &s->ids.survey.like;
    bool is_id = (ids->dtype == COHORT_I32 || ids->dtype == COHORT_I64) && ids->extents.rank == 1;
    return is_id ? COHORT_OK
                 : cohort_error_set(COHORT_EINVAL,
                                    "%s: ids are %s of rank %d; they are int32 or int64 of rank 1",
                                    call, cohort_dtype_name(ids->dtype), ids->extents.rank);
}

/* Looked at replica by replica: equal totals of ids and rows could still shift rows to the ids of
 * another replica. */
static cohort_status check_rows(const cohort_slices_plan *s, const char *call)
{
    for (int32_t r = 0; r < s->ids.strategy->n_replicas; r++)
        if (n_rows(&s->ids, r) != n_rows(&s->rows, r))
            return cohort_error_set(COHORT_EINVAL, "%s: replica %d has %lld ids and %lld rows",
                                    call, cohort_strategy_replica_id(s->ids.strategy, r),
                                    (long long)n_rows(&s->ids, r), (long long)n_rows(&s->rows, r));
    return cohort_reduce_check_op(s->op, s->rows.survey.like.dtype, call);
}

/* Where the replicas have both in common, that is one contribution. */
static cohort_status check_contribution(const cohort_slices_plan *s, const char *call)
{
    if (s->op != COHORT_SUM || s->is_step || cohort_operand_is_per_replica(&s->ids.x) ||
        cohort_operand_is_per_replica(&s->rows.x))
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the sum of ids and rows that are not per replica, which are one "
                            "contribution and index slices already: use them as they are",
                            call);
}

/* ------------------------------------------------------------------ plans */

/* ids is begun already and is ended by the caller when this fails; of rows nothing is left then. */
static cohort_status begin_rows(cohort_slices_plan *s, const char *call, cohort_value *rows)
{
    const cohort_argument x = cohort_argument_make_(COHORT_ARGUMENT_VALUE, rows);
    cohort_strategy *owner = s->ids.strategy;
    cohort_status status = cohort_gather_plan_begin(&s->rows, call, owner, &x, 0, true);
    if (status < 0)
        return status;
    s->rows.is_guarded = true;
    status = check_rows(s, call);
    if (status >= 0)
        status = check_contribution(s, call);
    if (status >= 0)
        status = cohort_reducer_of(owner) != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0)
        status = cohort_gather_plan_prepare(&s->ids);
    if (status >= 0)
        status = cohort_gather_plan_prepare(&s->rows);
    if (status < 0)
        cohort_gather_plan_end(&s->rows);
    return status;
}

cohort_status cohort_slices_plan_begin(cohort_slices_plan *s, const char *call, cohort_reduce_op op,
                                       cohort_value *ids, cohort_value *rows, bool is_step,
                                       cohort_strategy *owner)
{
    const cohort_argument x = cohort_argument_make_(COHORT_ARGUMENT_VALUE, ids);
    *s = (cohort_slices_plan){ .op = op, .is_step = is_step };
    if (op != COHORT_SUM && op != COHORT_MEAN)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: index slices have COHORT_SUM and COHORT_MEAN, not %d", call,
                                (int)op);
    cohort_status status = cohort_gather_plan_begin(&s->ids, call, owner, &x, 0, true);
    if (status < 0)
        return status;
    status = check_ids(s, call);
    if (status >= 0)
        status = begin_rows(s, call, rows);
    if (status < 0)
        cohort_gather_plan_end(&s->ids);
    return status;
}

void cohort_slices_plan_end(cohort_slices_plan *s)
{
    cohort_gather_plan_end(&s->rows);
    cohort_gather_plan_end(&s->ids);
}

/* MEAN of integers has a dtype of its own, as every other mean of integers. */
void cohort_slices_plan_shape(const cohort_slices_plan *s, cohort_content *ids,
                              cohort_content *rows)
{
    cohort_gather_plan_shape(&s->ids, ids);
    cohort_gather_plan_shape(&s->rows, rows);
    cohort_dtype dtype = cohort_reduce_result(s->op, rows->dtype);
    if (dtype != rows->dtype)
        cohort_content_take_shape(rows, dtype, cohort_dtype_bytes(dtype), &rows->extents);
}

void cohort_slices_plan_post_ids(const cohort_slices_plan *s, cohort_buffer *dst)
{
    cohort_gather_plan_post(&s->ids, dst);
}

/* Integers are divided as the mean of one contribution each. */
static void divide_integers(const cohort_slices_plan *s, cohort_reducer *reducer, uint64_t count,
                            cohort_buffer *dst)
{
    int32_t home = s->rows.strategy->home;
    cohort_dtype dtype = s->rows.survey.like.dtype;
    cohort_buffer *items =
        cohort_reducer_scratch(reducer, home, count * (uint64_t)s->rows.survey.like.item_bytes);
    cohort_buffer *limbs = cohort_reducer_scratch(
        reducer, home, count * cohort_integers_limbs(dtype) * sizeof(int64_t));
    if (items == NULL || limbs == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    cohort_gather_plan_post(&s->rows, items);
    cohort_integers_post_sum(dtype, items, (cohort_fold_shape){ 1, 1, (int64_t)count }, limbs);
    cohort_integers_post_quotient(dtype, limbs, count, (uint64_t)s->rows.survey.n_contributing,
                                  dst);
}

/* SUM is the gathered rows themselves. MEAN divides each row by the number of contributing
 * replicas, so that adding up the rows of one id gives its mean. */
void cohort_slices_plan_post_rows(const cohort_slices_plan *s, cohort_reducer *reducer,
                                  cohort_buffer *dst)
{
    cohort_dtype dtype = s->rows.survey.like.dtype;
    cohort_content shape = { .state = COHORT_CONTENT_EMPTY };
    cohort_gather_plan_shape(&s->rows, &shape);
    uint64_t count = (uint64_t)cohort_content_items(&shape);
    const cohort_fold_term all = { .buffer = dst };
    if (count == 0)
        return;
    if (cohort_reduce_result(s->op, dtype) != dtype) {
        divide_integers(s, reducer, count, dst);
        return;
    }
    cohort_gather_plan_post(&s->rows, dst);
    if (s->op == COHORT_MEAN)
        cohort_fold_post(COHORT_SUM, dtype, &all, 1, dst, count,
                         (uint64_t)s->rows.survey.n_contributing);
}

/* ------------------------------------------------------------------ cohort_reduce_slices */

static const char call[] = "cohort_reduce_slices";

static cohort_status check_values(cohort_value *const x[2], cohort_value *const into[2])
{
    if (into[0]->strategy != into[1]->strategy)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the values to fill belong to different strategies", call);
    return cohort_reduce_check_distinct(call, x, 2, into);
}

static void post(const cohort_slices_plan *plan, cohort_value *const into[2])
{
    cohort_reducer *reducer = cohort_reducer_of(into[0]->strategy);
    cohort_slices_plan_shape(plan, &into[0]->plain, &into[1]->plain);
    cohort_buffer *ids = cohort_value_start_home(into[0]), *rows = cohort_value_start_home(into[1]);
    if (ids == NULL)
        return;
    cohort_reducer_restart(reducer);
    cohort_slices_plan_post_ids(plan, ids);
    cohort_slices_plan_post_rows(plan, reducer, rows);
}

static cohort_status reduce_slices(cohort_reduce_op op, cohort_value *const x[2],
                                   cohort_value *const into[2])
{
    cohort_slices_plan plan;
    cohort_status status = check_values(x, into);
    if (status >= 0)
        status = cohort_slices_plan_begin(&plan, call, op, x[0], x[1], false, into[0]->strategy);
    if (status < 0)
        return status;
    for (int i = 0; i < 2 && status >= 0; i++)
        status = cohort_value_prepare_home(into[i]);
    if (status >= 0)
        post(&plan, into);
    cohort_slices_plan_end(&plan);
    return status;
}

typedef struct slices_request {
    cohort_reduce_op op;
    cohort_reduce_values lists; /* ids and rows */
} slices_request;

static cohort_status keep(cohort_recorder *recorder, const char *name, void *request)
{
    return cohort_reduce_keep_list(recorder, name, &((slices_request *)request)->lists);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const slices_request *r = request;
    (void)strategy;
    return reduce_slices(r->op, r->lists.values, r->lists.into);
}

cohort_status cohort_reduce_slices(cohort_reduce_op op, cohort_value *ids, cohort_value *rows,
                                   cohort_value *into_ids, cohort_value *into_rows)
{
    static const cohort_recordable recordable = { .bytes = sizeof(slices_request),
                                                  .keep = keep,
                                                  .run = run,
                                                  .describe = cohort_reduce_describe_home };
    cohort_value *const values[2] = { ids, rows }, *const into[2] = { into_ids, into_rows };
    const slices_request request = { op, { values, into, 2 } };
    return cohort_reduce_make_list(&request.lists, call, &recordable, &request);
}
