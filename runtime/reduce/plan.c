/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan is one reduction. Everything that can be wrong with its arguments is found by begin,
 * everything that may fail for lack of memory happens in prepare, and post only posts: leaves
 * first, each on the device of its contribution, then the tree over them, then the division. */
#include "config.h"

#include "runtime/reduce/plan.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/operation/fallback.h"
#include "runtime/operation/integers.h"

#include <string.h>

/* ------------------------------------------------------------------ which reductions there are */

/* From the list in cohort/codes.h, so that a new operation has its name at once. */
static const char *op_name(cohort_reduce_op op)
{
#define OP_NAME(name, value, text) [value] = text,
    static const char *const names[] = { COHORT_REDUCE_OPS(OP_NAME) };
    return op >= COHORT_SUM && op <= COHORT_PROD ? names[op] : NULL;
}

/* Complex numbers have no order, bool has no arithmetic, and of a struct nothing is known. */
#define BIT(dtype) (UINT32_C(1) << COHORT_##dtype)
#define INTEGERS                                                                                   \
    (BIT(I8) | BIT(U8) | BIT(I16) | BIT(U16) | BIT(I32) | BIT(U32) | BIT(I64) | BIT(U64))
#define REALS (INTEGERS | BIT(F16) | BIT(BF16) | BIT(F32) | BIT(F64))
#define NUMBERS (REALS | BIT(C64) | BIT(C128))

const uint32_t cohort_reduce_dtypes[COHORT_PROD + 1] = { [COHORT_SUM] = NUMBERS,
                                                         [COHORT_MEAN] = NUMBERS,
                                                         [COHORT_MIN] = REALS | BIT(BOOL),
                                                         [COHORT_MAX] = REALS | BIT(BOOL),
                                                         [COHORT_PROD] = NUMBERS };

cohort_status cohort_reduce_check_op(cohort_reduce_op op, cohort_dtype dtype, const char *call)
{
    const char *name = op_name(op);
    if (name == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %d is no reduction; COHORT_SUM, MEAN, MIN, MAX or PROD", call,
                                (int)op);
    return cohort_reduce_has(op, dtype) ? COHORT_OK
                                        : cohort_error_set(COHORT_EINVAL, "%s: no %s of %s", call,
                                                           name, cohort_dtype_name(dtype));
}

cohort_dtype cohort_reduce_result(cohort_reduce_op op, cohort_dtype dtype)
{
    return op == COHORT_MEAN && cohort_integers_limbs(dtype) > 0 ? cohort_integers_mean(dtype)
                                                                 : dtype;
}

void cohort_reduce_fill_neutral(cohort_reduce_op op, cohort_dtype dtype, void *items,
                                uint64_t count)
{
    uint64_t bytes = (uint64_t)cohort_dtype_bytes(dtype);
    memset(items, 0, count * bytes);
    if (op != COHORT_PROD || count == 0)
        return;
    (void)cohort_dtype_convert(COHORT_U8, &(uint8_t){ 1 }, dtype, items);
    for (uint64_t i = 1; i < count; i++)
        memcpy((char *)items + i * bytes, items, bytes);
}

/* ------------------------------------------------------------------ begin */

/* The mean of integers is summed up in limbs that do not wrap (operation/integers.h), and divided
 * once: its leaves and its tree are of limbs, not of the dtype. */
static bool is_integer_mean(const cohort_reduce_plan *p)
{
    return p->op == COHORT_MEAN && cohort_integers_limbs(p->survey.like.dtype) > 0;
}

/* Over no element there is a sum and a product; nothing else. */
static cohort_status check_elements(const cohort_reduce_plan *p)
{
    cohort_extents left = cohort_axes_drop(p->survey.axes, &p->survey.like.extents);
    bool has_neutral = p->op == COHORT_SUM || p->op == COHORT_PROD;
    bool is_nothing = p->op != COHORT_MEAN && cohort_axes_along(UINT32_MAX, &left) == 0;
    if (p->survey.n_contributing > 0 || has_neutral || is_nothing)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: no elements: no replica contributes anything",
                            p->call);
}

/* In this order because each step needs the one before: the survey reads the operand, the operation
 * is for the dtype that the survey found, and the number of elements follows from both. */
static cohort_status begin_x(cohort_reduce_plan *p, const cohort_reduce_request *q)
{
    cohort_status status = cohort_operand_begin(&p->x, p->strategy, &q->x, p->call);
    if (status < 0)
        return status;
    status = cohort_survey_make(p->call, p->strategy, &p->x, q->axes, q->n_axes, &p->survey);
    if (status >= 0)
        status = cohort_reduce_check_op(q->op, p->survey.like.dtype, p->call);
    if (status >= 0)
        status = check_elements(p);
    if (status < 0)
        cohort_operand_end(&p->x);
    return status;
}

/* ------------------------------------------------------------------ weights */

/* The extents that weights of a component have, unless they are one number. */
static cohort_extents weight_extents(uint32_t axes, const cohort_extents *x)
{
    return cohort_axes_drop(~axes, x);
}

static bool is_equal(const cohort_extents *a, const cohort_extents *b)
{
    bool is_same = a->rank == b->rank;
    for (int32_t i = 0; is_same && i < a->rank; i++)
        is_same = a->shape[i] == b->shape[i];
    return is_same;
}

/* A component that does not count needs no weight; its replica may have none. */
static cohort_status check_weight(const cohort_reduce_plan *p, int32_t replica, bool has_one)
{
    cohort_component x = cohort_operand_look(&p->x, replica),
                     w = cohort_operand_look(&p->weights, replica);
    cohort_extents wanted = weight_extents(p->survey.axes, &x.extents);
    char found[128], needed[128];
    if (!cohort_survey_counts(&p->survey, &x))
        return COHORT_OK;
    bool is_filled = w.state == COHORT_CONTENT_FILLED;
    if (is_filled && w.dtype == x.dtype &&
        (has_one ? w.extents.rank == 0 : is_equal(&w.extents, &wanted)))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: the weights of replica %d are %s; its component takes %s, or rank 0",
        p->call, replica,
        is_filled ? cohort_shape_to_string(w.dtype, w.extents.rank, w.extents.shape, found)
                  : "not there",
        cohort_shape_to_string(x.dtype, wanted.rank, wanted.shape, needed));
}

static bool is_per_replica(const cohort_reduce_plan *p)
{
    return cohort_operand_is_per_replica(&p->x) ||
           (p->has_weights && cohort_operand_is_per_replica(&p->weights));
}

/* Leaves that are made: one stands for all replicas where all see the same. */
static int32_t n_leaves(const cohort_reduce_plan *p)
{
    return is_per_replica(p) ? p->strategy->n_replicas : 1;
}

static cohort_status begin_weights(cohort_reduce_plan *p, cohort_value *weights)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_VALUE, weights);
    if (!cohort_dtype_is_floating(p->survey.like.dtype))
        return cohort_error_set(
            COHORT_EINVAL, "%s: weights are for float16, bfloat16, float32 and float64; this is %s",
            p->call, cohort_dtype_name(p->survey.like.dtype));
    cohort_status status = cohort_operand_begin(&p->weights, p->strategy, &argument, p->call);
    if (status < 0)
        return status;
    p->has_weights = true;
    p->has_one_weight = cohort_operand_look(&p->weights, p->survey.first).extents.rank == 0;
    for (int32_t r = 0; r < n_leaves(p) && status >= 0; r++)
        status = check_weight(p, r, p->has_one_weight);
    return status;
}

cohort_status cohort_reduce_plan_begin(cohort_reduce_plan *p, const char *call, cohort_strategy *s,
                                       const cohort_reduce_request *q)
{
    *p = (cohort_reduce_plan){ .call = call, .strategy = s, .op = q->op };
    cohort_status status = begin_x(p, q);
    if (status < 0 || q->weights == NULL)
        return status;
    status = begin_weights(p, q->weights);
    if (status < 0)
        cohort_reduce_plan_end(p);
    return status;
}

void cohort_reduce_plan_end(cohort_reduce_plan *p)
{
    cohort_operand_end(&p->x);
    if (p->has_weights)
        cohort_operand_end(&p->weights);
}

/* ------------------------------------------------------------------ prepare, shape */

bool cohort_reduce_plan_counts(const cohort_reduce_plan *p, int32_t replica)
{
    cohort_component c = cohort_operand_look(&p->x, replica);
    return cohort_survey_counts(&p->survey, &c);
}

/* What all replicas see is combined where it is, unless their weights differ. */
int32_t cohort_reduce_plan_device(const cohort_reduce_plan *p, int32_t replica)
{
    return is_per_replica(p) ? p->strategy->host[replica] : cohort_operand_device(&p->x, replica);
}

/* Exactly the reads that place_leaves will make; a place that is missing there would be a NULL
 * buffer. */
cohort_status cohort_reduce_plan_prepare(const cohort_reduce_plan *p)
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < n_leaves(p) && status >= 0; r++) {
        int32_t device = cohort_reduce_plan_device(p, r);
        if (!cohort_reduce_plan_counts(p, r))
            continue;
        status = cohort_operand_prepare(&p->x, r, device);
        if (status >= 0 && p->has_weights)
            status = cohort_operand_prepare(&p->weights, r, device);
    }
    return status;
}

void cohort_reduce_plan_shape(const cohort_reduce_plan *p, cohort_content *into)
{
    into->dtype = cohort_reduce_result(p->op, p->survey.like.dtype);
    into->item_bytes = cohort_dtype_bytes(into->dtype);
    into->extents = cohort_axes_drop(p->survey.axes, &p->survey.like.extents);
}

/* ------------------------------------------------------------------ leaves */

/* Rows in order: the component itself where they are. */
static cohort_buffer *place_rows(const cohort_reduce_plan *p, cohort_reducer *reducer,
                                 int32_t replica, cohort_fold_shape *out_shape)
{
    int32_t device = cohort_reduce_plan_device(p, replica);
    cohort_component c = cohort_operand_look(&p->x, replica);
    cohort_buffer *from = cohort_operand_place_guarded(&p->x, replica, device, p->call);
    if (cohort_axes_shape(p->survey.axes, &c.extents, out_shape))
        return from;
    cohort_buffer *into = cohort_reducer_scratch(
        reducer, device, (uint64_t)(cohort_component_items(&c) * c.item_bytes));
    if (into != NULL)
        cohort_axes_post_rows(c.dtype, p->survey.axes, &c.extents, from, into);
    return into;
}

static cohort_buffer *place_weights(const cohort_reduce_plan *p, int32_t replica)
{
    int32_t device = cohort_reduce_plan_device(p, replica);
    return p->has_weights ? cohort_operand_place_guarded(&p->weights, replica, device, p->call)
                          : NULL;
}

/* A leaf has one element for each place beside the axes. Without axes it is the contribution
 * itself, but for a mean of integers, whose leaves are limbs. */
static cohort_buffer *place_leaf(const cohort_reduce_plan *p, cohort_reducer *reducer,
                                 int32_t replica)
{
    cohort_fold_shape shape;
    cohort_dtype dtype = p->survey.like.dtype;
    cohort_buffer *from = place_rows(p, reducer, replica, &shape);
    bool is_sum_of_integers = is_integer_mean(p);
    if (from == NULL || (p->survey.axes == 0 && !is_sum_of_integers))
        return from;
    cohort_buffer *weights = place_weights(p, replica);
    uint64_t count = (uint64_t)(shape.outer * shape.inner),
             item = (uint64_t)cohort_dtype_bytes(dtype);
    item = is_sum_of_integers ? cohort_integers_limbs(dtype) * sizeof(int64_t) : item;
    cohort_buffer *into =
        cohort_reducer_scratch(reducer, cohort_reduce_plan_device(p, replica), count * item);
    if (into != NULL && is_sum_of_integers)
        cohort_integers_post_sum(dtype, from, shape, into);
    else if (into != NULL)
        cohort_fold_post_rows(cohort_reduce_step(p->op), dtype, from, shape, shape.inner, weights,
                              p->has_one_weight, into);
    return into;
}

/* A contribution that is to be multiplied by one weight, which is placed beside it. */
static cohort_buffer *place_weighed(const cohort_reduce_plan *p, cohort_reducer *reducer,
                                    int32_t replica)
{
    cohort_fold_shape shape;
    cohort_buffer *from = place_rows(p, reducer, replica, &shape);
    reducer->weights[replica] = place_weights(p, replica);
    return from;
}

/* The sum of a replica's weights along the axes. */
static cohort_buffer *place_weight(const cohort_reduce_plan *p, cohort_reducer *reducer,
                                   int32_t replica)
{
    int32_t device = cohort_reduce_plan_device(p, replica);
    cohort_component c = cohort_operand_look(&p->x, replica);
    cohort_fold_shape shape = { 1, cohort_axes_along(p->survey.axes, &c.extents), 1 };
    cohort_buffer *from = cohort_operand_place(&p->weights, replica, device);
    if (p->survey.axes == 0)
        return from;
    cohort_buffer *into =
        cohort_reducer_scratch(reducer, device, (uint64_t)cohort_dtype_bytes(c.dtype));
    if (into != NULL)
        cohort_fold_post_rows(COHORT_SUM, c.dtype, from, shape, p->has_one_weight ? 0 : 1, NULL,
                              false, into);
    return into;
}

typedef cohort_buffer *(*leaf_fn)(const cohort_reduce_plan *p, cohort_reducer *reducer,
                                  int32_t replica);

/* What is the same for all replicas is made once, and counts for every one. */
static void place_leaves(const cohort_reduce_plan *p, cohort_reducer *reducer, leaf_fn place)
{
    int32_t n = n_leaves(p);
    for (int32_t r = 0; r < p->strategy->n_replicas; r++)
        reducer->leaves[r] = r >= n                            ? reducer->leaves[0]
                             : cohort_reduce_plan_counts(p, r) ? place(p, reducer, r)
                                                               : NULL;
    for (int32_t r = n; r < p->strategy->n_replicas; r++)
        reducer->weights[r] = reducer->weights[0];
}

/* ------------------------------------------------------------------ post */

/* No replica contributes: the sum of nothing is 0, its product 1 (check_elements has refused all
 * others). */
static void post_neutral(const cohort_reduce_plan *p, uint64_t count, cohort_buffer *dst)
{
    uint64_t bytes = count * (uint64_t)cohort_dtype_bytes(p->survey.like.dtype);
    void *block = cohort_staging_take(dst->context->staging, bytes);
    if (block == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    cohort_reduce_fill_neutral(p->op, p->survey.like.dtype, block, count);
    cohort_transfer_upload_taken(dst, 0, block, bytes);
}

/* What post_quotient asks of this process, copied into the record of the operation. */
typedef struct quotient {
    cohort_dtype dtype;
    uint64_t count;
} quotient;

static cohort_status divide_here(const void *what, const void *const sources[], void *into)
{
    const quotient *q = what;
    memcpy(into, sources[0], q->count * (uint64_t)cohort_dtype_bytes(q->dtype));
    cohort_arithmetic_find_quotient(q->dtype)(into, sources[1], q->count);
    return COHORT_OK;
}

/* dst = sums divided by the number in `divisor`, of the same dtype. */
static void post_quotient(cohort_dtype dtype, cohort_buffer *sums, uint64_t count,
                          cohort_buffer *divisor, cohort_buffer *dst)
{
    quotient q = { dtype, count };
    uint64_t item = (uint64_t)cohort_dtype_bytes(dtype);
    const cohort_fallback_memory sources[] = { { sums, count * item }, { divisor, item } };
    cohort_fallback_post(divide_here, &q, sizeof q, sources, 2,
                         (cohort_fallback_memory){ dst, count * item });
}

/* The product of a contribution and its weight, where it lies. */
static cohort_buffer *multiply(const cohort_reduce_plan *p, cohort_reducer *reducer, uint64_t count,
                               int32_t replica)
{
    cohort_dtype dtype = p->survey.like.dtype;
    const cohort_fold_shape shape = { 1, 1, (int64_t)count };
    cohort_buffer *into = cohort_reducer_scratch(reducer, cohort_reduce_plan_device(p, replica),
                                                 count * (uint64_t)cohort_dtype_bytes(dtype));
    if (into != NULL)
        cohort_fold_post_rows(COHORT_SUM, dtype, reducer->leaves[replica], shape, shape.inner,
                              reducer->weights[replica], true, into);
    return into;
}

/* One weight for each contribution: in the pass that combines them where one fold sees all of it,
 * else in one of its own before. */
static void post_weighed_terms(const cohort_reduce_plan *p, cohort_reducer *reducer, uint64_t count,
                               cohort_buffer *dst)
{
    cohort_reduce_op op = cohort_reduce_step(p->op);
    cohort_dtype dtype = p->survey.like.dtype;
    int32_t n = n_leaves(p);
    place_leaves(p, reducer, place_weighed);
    if (cohort_reducer_can_weigh(reducer, dst)) {
        cohort_reducer_combine_weighed(reducer, op, dtype, count, dst);
        return;
    }
    for (int32_t r = 0; r < p->strategy->n_replicas; r++)
        reducer->leaves[r] = r >= n                       ? reducer->leaves[0]
                             : reducer->leaves[r] != NULL ? multiply(p, reducer, count, r)
                                                          : NULL;
    cohort_reducer_combine(reducer, op, dtype, count, 1, dst);
}

/* Along axes each replica combines its rows, weighed, in one pass. */
static void post_weighed(const cohort_reduce_plan *p, cohort_reducer *reducer, uint64_t count,
                         cohort_buffer *dst)
{
    if (p->survey.axes == 0) {
        post_weighed_terms(p, reducer, count, dst);
        return;
    }
    place_leaves(p, reducer, place_leaf);
    cohort_reducer_combine(reducer, cohort_reduce_step(p->op), p->survey.like.dtype, count, 1, dst);
}

/* The weighed sum, then the sum of the weights, then one division. */
static void post_weighed_mean(const cohort_reduce_plan *p, cohort_reducer *reducer, uint64_t count,
                              cohort_buffer *dst)
{
    cohort_dtype dtype = p->survey.like.dtype;
    uint64_t item = (uint64_t)cohort_dtype_bytes(dtype);
    cohort_buffer *sums = cohort_reducer_scratch(reducer, dst->context->index, count * item);
    cohort_buffer *divisor = cohort_reducer_scratch(reducer, dst->context->index, item);
    if (sums == NULL || divisor == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    post_weighed(p, reducer, count, sums);
    place_leaves(p, reducer, place_weight);
    cohort_reducer_combine(reducer, COHORT_SUM, dtype, 1, 1, divisor);
    post_quotient(dtype, sums, count, divisor, dst);
}

void cohort_reduce_plan_post(const cohort_reduce_plan *p, cohort_reducer *reducer,
                             cohort_buffer *dst)
{
    const cohort_survey *v = &p->survey;
    cohort_extents left = cohort_axes_drop(v->axes, &v->like.extents);
    uint64_t count = (uint64_t)cohort_axes_along(UINT32_MAX, &left);
    /* along axes MEAN divides by the elements along them, without by the replicas that
     * contribute */
    uint64_t divisor =
        p->op == COHORT_MEAN ? (uint64_t)(v->axes != 0 ? v->along : v->n_contributing) : 1;
    if (count == 0)
        return;
    if (v->n_contributing == 0) {
        post_neutral(p, count, dst);
        return;
    }
    if (p->has_weights) {
        (p->op == COHORT_MEAN ? post_weighed_mean : post_weighed)(p, reducer, count, dst);
        return;
    }
    place_leaves(p, reducer, place_leaf);
    if (is_integer_mean(p))
        cohort_reducer_divide_integers(reducer, v->like.dtype, count, divisor, dst);
    else
        cohort_reducer_combine(reducer, p->op, v->like.dtype, count, divisor, dst);
}
