/* SPDX-License-Identifier: BSD-3-Clause */
/* Contributions are checked by each replica as it comes, and written by the one that plans for all,
 * under the lock of the stage. */
#include "config.h"

#include "runtime/step/contribution.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/reduce_op.h"
#include "runtime/value/operand.h"

#include <stdio.h>

/* ------------------------------------------------------------------ checks of one replica */

static cohort_status check_value(const cohort_replica *me, const cohort_value *value,
                                 const char *call)
{
    cohort_status status = cohort_handle_check(value, COHORT_HANDLE_VALUE, call, "a value");
    if (status < 0)
        return status;
    if (value->strategy != cohort_stage_strategy(me))
        return cohort_error_set(COHORT_EINVAL, "%s: a value belongs to another strategy", call);
    return COHORT_OK;
}

cohort_status cohort_contribution_check(const cohort_replica *me, cohort_value *const values[],
                                        int n, const char *call)
{
    cohort_status status = cohort_stage_check(me, call);
    for (int i = 0; i < n && status >= 0; i++)
        status = check_value(me, values[i], call);
    return status;
}

static cohort_status check_variable(const cohort_replica *me, const cohort_variable *variable,
                                    const char *call)
{
    cohort_status status =
        cohort_handle_check(variable, COHORT_HANDLE_VARIABLE, call, "the variable");
    if (status < 0)
        return status;
    if (variable->strategy != cohort_stage_strategy(me))
        return cohort_error_set(COHORT_EINVAL, "%s: the variable belongs to another strategy",
                                call);
    return COHORT_OK;
}

cohort_status cohort_contribution_check_operand(const cohort_replica *me, const cohort_argument *x,
                                                const cohort_value *into, const char *call)
{
    cohort_status status = cohort_stage_check(me, call);
    if (status >= 0 && x->kind == COHORT_ARGUMENT_VALUE)
        status = check_value(me, x->as.p, call);
    else if (status >= 0 && x->kind == COHORT_ARGUMENT_VARIABLE)
        status = check_variable(me, x->as.p, call);
    else if (status >= 0)
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: a value or a variable is needed; cohort_replica_set makes a value of a number or "
            "an array",
            call);
    if (status >= 0)
        status = check_value(me, into, call);
    if (status >= 0 && x->kind == COHORT_ARGUMENT_VALUE && x->as.p == into)
        status = cohort_error_set(COHORT_EINVAL, "%s: a value cannot be brought into itself", call);
    return status;
}

cohort_strategy *cohort_contribution_strategy(const cohort_argument *x, cohort_value *into)
{
    cohort_strategy *s = cohort_operand_strategy(x);
    return s != NULL ? s : cohort_operand_strategy_of_values(&into, 1);
}

/* ------------------------------------------------------------------ what comes out */

static bool is_own(const cohort_value *value)
{
    return value->kind == COHORT_PER_REPLICA_VALUE;
}

static int32_t n_contents(const cohort_value *value)
{
    return is_own(value) ? value->strategy->n_replicas : 1;
}

static bool has_no_row(const cohort_content *c)
{
    return c != NULL &&
           (c->state == COHORT_CONTENT_ABSENT ||
            (c->state == COHORT_CONTENT_FILLED && c->extents.rank > 0 && c->extents.shape[0] == 0));
}

cohort_status cohort_contribution_find_absent(const cohort_value *value, const char *call,
                                              bool *out_is_absent)
{
    cohort_workers *w = value->strategy->workers;
    bool is_all = true;
    for (int32_t r = 0; is_all && r < value->strategy->n_replicas; r++)
        is_all = has_no_row(cohort_value_content(value, r));
    int64_t with_rows = !is_all;
    cohort_status status = w != NULL ? cohort_workers_add_up(w, call, 1, &with_rows) : COHORT_OK;
    *out_is_absent = with_rows == 0;
    return status;
}

cohort_status cohort_contribution_prepare_components(cohort_value *value)
{
    const cohort_strategy *s = value->strategy;
    cohort_status status = cohort_value_prepare_components(value);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        status = cohort_places_prepare(&value->components[r].places, s->executor,
                                       cohort_value_device(value, r));
    return status;
}

/* What all see is at home. */
static int32_t device_of(const cohort_value *value, int32_t replica)
{
    return is_own(value) ? cohort_value_device(value, replica) : value->strategy->home;
}

cohort_status cohort_contribution_prepare(const cohort_value *value)
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < n_contents(value) && status >= 0; r++)
        status = cohort_places_prepare(&cohort_value_content(value, r)->places,
                                       value->strategy->executor, device_of(value, r));
    return status;
}

/* A component without rows has no buffer to fill, but the state that tells readers so. */
void cohort_contribution_store(cohort_value *value, int32_t replica, const cohort_content *shape,
                               cohort_buffer *from)
{
    cohort_content *c = cohort_value_content(value, replica);
    cohort_content_take_shape(c, shape->dtype, shape->item_bytes, &shape->extents);
    uint64_t bytes = cohort_content_bytes(c);
    if (is_own(value) && c->extents.rank > 0 && c->extents.shape[0] == 0) {
        cohort_content_become(c, COHORT_CONTENT_ABSENT);
        return;
    }
    cohort_buffer *into = cohort_value_start_content(value->strategy, c, device_of(value, replica));
    if (bytes > 0 && from != NULL)
        cohort_transfer_copy(into, from, bytes);
}

void cohort_contribution_hand_out(cohort_value *value, const cohort_content *shape,
                                  cohort_buffer *from)
{
    for (int32_t r = 0; r < n_contents(value); r++)
        cohort_contribution_store(value, r, shape, from);
}

/* In a trial there is none, and nothing reads it. */
cohort_status cohort_contribution_combine(const cohort_reduce_plan *plan, cohort_reducer *reducer,
                                          cohort_content *out_shape, cohort_buffer **out_total)
{
    const cohort_strategy *s = reducer->strategy;
    *out_total = NULL;
    cohort_reduce_plan_shape(plan, out_shape);
    if (s->is_trial)
        return COHORT_OK;
    cohort_reducer_restart(reducer);
    *out_total = cohort_reducer_scratch(reducer, s->home, cohort_content_bytes(out_shape));
    if (*out_total == NULL)
        return COHORT_ENOMEM;
    cohort_reduce_plan_post(plan, reducer, *out_total);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ words */

/* The number is the program's and unchecked: the words may be asked for before the plan has looked
 * at it, when two replicas do not agree. */
void cohort_contribution_describe_op(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    const char *name = cohort_reduce_op_name(rendezvous->op);
    if (name != NULL)
        (void)snprintf(out, size, "%s", name);
    else
        (void)snprintf(out, size, "reduction %d", (int)rendezvous->op);
}
