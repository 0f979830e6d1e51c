/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan is one reduction. Everything that can be wrong with its arguments is found by begin,
 * everything that may fail for lack of memory happens in prepare, and post only posts
 * (plan_post.c). */
#include "config.h"

#include "runtime/reduce/plan.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/reduce_op.h"
#include "runtime/operation/integers.h"
#include "runtime/value/lying.h"

#include <string.h>

/* ------------------------------------------------------------------ which reductions there are */

/* What leaves every number but -0.0 as it is: 0, 1, or the integer of which all bits are set. */
typedef enum neutral { NEUTRAL_NONE, NEUTRAL_ZERO, NEUTRAL_ONE, NEUTRAL_ALL_BITS } neutral;

#define KIND(letter) (UINT32_C(1) << ((letter) - 'a')) /* as cohort_dtype_kind has it */
enum {
    INTEGERS = KIND('i') | KIND('u'),
    NUMBERS = INTEGERS | KIND('f') | KIND('c'),
    ORDERED = INTEGERS | KIND('f') | KIND('b'),
    BITS = INTEGERS | KIND('b')
};

/* A reduction.
 *
 * kinds          of the numbers that have it, KIND of each: complex numbers have no order, bool has
 *                no arithmetic
 * is_idempotent  it makes no difference how often a content counts */
typedef struct reduction {
    uint32_t kinds;
    const char *noun;
    neutral neutral;
    bool is_idempotent;
} reduction;

static const reduction reductions[COHORT_REDUCE_OPS_END] = {
    [COHORT_SUM] = { NUMBERS, "the sum", NEUTRAL_ZERO, false },
    [COHORT_MEAN] = { NUMBERS, "the mean", NEUTRAL_NONE, true },
    [COHORT_MIN] = { ORDERED, "the minimum", NEUTRAL_NONE, true },
    [COHORT_MAX] = { ORDERED, "the maximum", NEUTRAL_NONE, true },
    [COHORT_PROD] = { NUMBERS, "the product", NEUTRAL_ONE, false },
    [COHORT_BAND] = { BITS, "the and", NEUTRAL_ALL_BITS, true },
    [COHORT_BOR] = { BITS, "the or", NEUTRAL_ZERO, true },
    [COHORT_BXOR] = { BITS, "the exclusive or", NEUTRAL_ZERO, false },
};

/* op: 0 for a function of the program, of which nothing is known, and of plans that are not checked
 * yet any number. */
static const reduction *find(cohort_reduce_op op)
{
    static const reduction unknown = { 0, "the combination", NEUTRAL_NONE, false };
    const bool is_known = (uint32_t)op < COHORT_REDUCE_OPS_END && reductions[op].kinds != 0;
    return is_known ? &reductions[op] : &unknown;
}

bool cohort_reduce_has(cohort_reduce_op op, cohort_dtype dtype)
{
    return cohort_dtype_is_number(dtype) && (find(op)->kinds & KIND(cohort_dtype_kind(dtype))) != 0;
}

#define NAMED(name, value, text) ", COHORT_" #name

cohort_status cohort_reduce_check_op(cohort_reduce_op op, cohort_dtype dtype, const char *call)
{
    static const char all[] = COHORT_REDUCE_OPS(NAMED);
    const char *name = cohort_reduce_op_name(op);
    if (name == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: %d is no reduction; there are %s", call,
                                (int)op, all + strlen(", "));
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
    const uint64_t bytes = (uint64_t)cohort_dtype_bytes(dtype);
    const neutral what = find(op)->neutral;
    const bool is_one = what == NEUTRAL_ONE || (what == NEUTRAL_ALL_BITS && dtype == COHORT_BOOL);
    memset(items, what == NEUTRAL_ALL_BITS ? 0xff : 0, count * bytes);
    if (!is_one || count == 0)
        return;
    (void)cohort_dtype_convert(COHORT_U8, &(uint8_t){ 1 }, dtype, items);
    for (uint64_t i = 1; i < count; i++)
        memcpy((char *)items + i * bytes, items, bytes);
}

/* ------------------------------------------------------------------ what one content counts as */

cohort_contributes cohort_reduce_unwrap(cohort_argument *x)
{
    cohort_contributes contributes = x->kind == COHORT_ARGUMENT_ONCE ? COHORT_CONTRIBUTES_ONCE
                                     : x->kind == COHORT_ARGUMENT_REPEATED
                                         ? COHORT_CONTRIBUTES_REPEATED
                                         : COHORT_CONTRIBUTES_NOTHING_SAID;
    if (contributes != COHORT_CONTRIBUTES_NOTHING_SAID)
        x->kind = x->bytes;
    return contributes;
}

/* Whatever the number of replicas, so that a program with one tells it already. */
cohort_status cohort_reduce_check_contribution(const char *call, cohort_reduce_op op,
                                               cohort_contributes contributes,
                                               const cohort_operand *x, bool has_weights)
{
    bool is_said =
        contributes == COHORT_CONTRIBUTES_ONCE || contributes == COHORT_CONTRIBUTES_REPEATED;
    const char *said = contributes == COHORT_CONTRIBUTES_ONCE ? "ONCE" : "REPEATED";
    if (is_said && cohort_operand_is_per_replica(x))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: COHORT_%s(x) is for one content; this x is per replica, and "
                                "each component contributes",
                                call, said);
    if (contributes == COHORT_CONTRIBUTES_ONCE && has_weights)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: COHORT_ONCE(x) with weights that are per replica: each weighs "
                                "a contribution of its own",
                                call);
    if (find(op)->is_idempotent || contributes != COHORT_CONTRIBUTES_NOTHING_SAID || has_weights ||
        cohort_operand_is_per_replica(x))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: %s of what is not per replica, which is one content and not one for each replica: "
        "COHORT_ONCE(x) counts it once, COHORT_REPEATED(x) once for each replica",
        call, find(op)->noun);
}

/* ------------------------------------------------------------------ begin */

bool cohort_reduce_plan_is_integer_mean(const cohort_reduce_plan *p)
{
    return p->op == COHORT_MEAN && cohort_integers_limbs(p->survey.like.dtype) > 0;
}

/* Over no element there is what has a neutral number; nothing else. */
static cohort_status check_elements(const cohort_reduce_plan *p)
{
    cohort_extents left = cohort_axes_drop(p->survey.axes, &p->survey.like.extents);
    bool has_neutral = find(p->op)->neutral != NEUTRAL_NONE;
    bool is_nothing = p->op != COHORT_MEAN && cohort_axes_along(UINT32_MAX, &left) == 0;
    if (p->survey.n_contributing > 0 || has_neutral || is_nothing)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: no elements: no replica contributes anything",
                            p->call);
}

/* Of one content that counts once the first replica of all contributes. */
static bool is_once_elsewhere(const cohort_reduce_plan *p, int32_t replica)
{
    return p->contributes == COHORT_CONTRIBUTES_ONCE && p->strategy->first_replica + replica > 0;
}

static int64_t times_here(const cohort_reduce_plan *p)
{
    return p->contributes != COHORT_CONTRIBUTES_ONCE ? p->strategy->n_replicas
                                                     : !is_once_elsewhere(p, 0);
}

cohort_status cohort_reduce_plan_look(cohort_reduce_plan *p, const char *call, cohort_strategy *s,
                                      const cohort_reduce_request *q)
{
    *p = (cohort_reduce_plan){
        .call = call, .strategy = s, .op = q->op, .contributes = q->contributes
    };
    cohort_status status = cohort_operand_begin(&p->x, s, &q->x, call);
    if (status < 0)
        return status;
    status = cohort_survey_look(call, s, &p->x, times_here(p), q->axes, q->n_axes, &p->survey);
    if (status < 0)
        cohort_operand_end(&p->x);
    return status;
}

static bool has_weights_of_replicas(const cohort_reduce_plan *p)
{
    return p->has_weights && cohort_operand_is_per_replica(&p->weights);
}

/* The operation is for the dtype that the survey found, and the number of elements follows from
 * both. */
cohort_status cohort_reduce_plan_check(const cohort_reduce_plan *p)
{
    cohort_status status = cohort_reduce_check_op(p->op, p->survey.like.dtype, p->call);
    if (status >= 0)
        status = cohort_reduce_check_contribution(p->call, p->op, p->contributes, &p->x,
                                                  has_weights_of_replicas(p));
    return status < 0 ? status : check_elements(p);
}

/* ------------------------------------------------------------------ weights */

/* The extents that weights of a component have, unless they are one number. */
static cohort_extents weight_extents(uint32_t axes, const cohort_extents *x)
{
    return cohort_axes_drop(~axes, x);
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
        (has_one ? w.extents.rank == 0 : cohort_extents_is_same(&w.extents, &wanted)))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: the weights of replica %d are %s; its component takes %s, or rank 0",
        p->call, cohort_strategy_replica_id(p->strategy, replica),
        is_filled ? cohort_shape_to_string(w.dtype, w.extents.rank, w.extents.shape, found)
                  : "not there",
        cohort_shape_to_string(x.dtype, wanted.rank, wanted.shape, needed));
}

static bool is_per_replica(const cohort_reduce_plan *p)
{
    return cohort_operand_is_per_replica(&p->x) || has_weights_of_replicas(p);
}

int32_t cohort_reduce_plan_leaves(const cohort_reduce_plan *p)
{
    return is_per_replica(p) ? p->strategy->n_replicas : 1;
}

/* One number for each component, or one for each of its elements along the axes: with all workers
 * alike. Those whose replicas do not count have no say. */
static cohort_status agree_on_weights(cohort_reduce_plan *p)
{
    cohort_workers *w = p->strategy->workers;
    int64_t counting = 0;
    if (w == NULL)
        return COHORT_OK;
    for (int32_t r = 0; r < cohort_reduce_plan_leaves(p); r++)
        counting += cohort_reduce_plan_counts(p, r);
    int64_t numbers[] = { p->has_one_weight && counting > 0, !p->has_one_weight && counting > 0 };
    cohort_status status = cohort_workers_add_up(w, "the weights of a reduction", 2, numbers);
    if (status >= 0 && numbers[0] > 0 && numbers[1] > 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the weights of %lld workers are one number for each "
                                "component, of %lld one for each element; all have the same",
                                p->call, (long long)numbers[0], (long long)numbers[1]);
    return status;
}

/* A product is made where both are. */
static cohort_status lie_together(const cohort_reduce_plan *p)
{
    cohort_lying met = { -1, NULL };
    (void)cohort_lying_meet(&met, cohort_operand_logical(&p->x), "x");
    cohort_status status = cohort_lying_meet(&met, cohort_operand_logical(&p->weights), "weights");
    return status < 0 ? cohort_error_prefix(status, "%s", p->call) : status;
}

static cohort_status begin_weights(cohort_reduce_plan *p, cohort_value *weights)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_VALUE, weights);
    if (!cohort_dtype_is_floating(p->survey.like.dtype))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: weights are for floating-point numbers; this is %s", p->call,
                                cohort_dtype_name(p->survey.like.dtype));
    cohort_status status = cohort_operand_begin(&p->weights, p->strategy, &argument, p->call);
    if (status < 0)
        return status;
    p->has_weights = true;
    p->has_one_weight = cohort_operand_look(&p->weights, p->survey.first).extents.rank == 0;
    for (int32_t r = 0; r < cohort_reduce_plan_leaves(p) && status >= 0; r++)
        status = check_weight(p, r, p->has_one_weight);
    if (status >= 0)
        status = lie_together(p);
    return status < 0 ? status : agree_on_weights(p);
}

cohort_status cohort_reduce_plan_begin(cohort_reduce_plan *p, const char *call, cohort_strategy *s,
                                       const cohort_reduce_request *q)
{
    cohort_survey *survey = &p->survey;
    cohort_status status = cohort_reduce_plan_look(p, call, s, q);
    if (status < 0)
        return status;
    status = cohort_survey_join(call, s, &survey, 1);
    if (status >= 0 && q->weights != NULL)
        status = begin_weights(p, q->weights);
    if (status >= 0)
        status = cohort_reduce_plan_check(p);
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
    return cohort_survey_counts(&p->survey, &c) && !is_once_elsewhere(p, replica);
}

/* What all replicas see is combined where it is, unless their weights differ. */
int32_t cohort_reduce_plan_device(const cohort_reduce_plan *p, int32_t replica)
{
    bool is_of_weights = !cohort_operand_is_per_replica(&p->x) && has_weights_of_replicas(p);
    return cohort_operand_device(is_of_weights ? &p->weights : &p->x, replica);
}

/* Exactly the reads that place_leaves will make; a place that is missing there would be a NULL
 * buffer. */
cohort_status cohort_reduce_plan_prepare(const cohort_reduce_plan *p)
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < cohort_reduce_plan_leaves(p) && status >= 0; r++) {
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
    cohort_dtype dtype = cohort_reduce_result(p->op, p->survey.like.dtype);
    cohort_extents extents = cohort_axes_drop(p->survey.axes, &p->survey.like.extents);
    cohort_content_take_shape(into, dtype, cohort_dtype_bytes(dtype), &extents);
}
