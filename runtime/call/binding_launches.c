/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs from launch to launch of a call: shapes, bounds, constants. */
#include "config.h"

#include "runtime/base/dtype.h"
#include "runtime/base/limits.h"
#include "runtime/base/number.h"
#include "runtime/call/absence.h"
#include "runtime/call/batches.h"
#include "runtime/call/binding.h"
#include "runtime/call/cut.h"
#include "runtime/call/first_row.h"
#include "runtime/call/share.h"
#include "runtime/function/image.h"
#include "runtime/value/remote.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ bounds */

static bool has_replica(const cohort_binding *b)
{
    return b->kind != COHORT_CALL_UPDATE || b->updated->is_per_replica;
}

/* The number of one replica, of a call that has replicas. */
static cohort_status take_share(const cohort_binding *b, const cohort_argument *share,
                                int32_t launch, cohort_dtype dtype, void *out)
{
    if (!has_replica(b))
        return cohort_error_set(
            COHORT_EINVAL, "cohort_update runs once per copy, not per replica, and has no shares");
    return cohort_share_convert(share, cohort_binding_id(b, launch), b->strategy->n_in_sync, dtype,
                                out);
}

/* What is passed by name for a bound or unsized local counts as solved; cohort_bounds_solve
 * compares the arrays with it. */
static cohort_status named_bounds(const cohort_binding *b, int32_t launch, cohort_bounds *out)
{
    const cohort_signature *s = b->signature;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        bool can_be_named = p->role == COHORT_ROLE_BOUND || p->role == COHORT_ROLE_LOCAL;
        out->is_named[i] = can_be_named && b->given[i] != NULL;
        if (!out->is_named[i])
            continue;
        bool is_share = cohort_share_is(b->given[i]);
        if (!is_share && !cohort_number_is(b->given[i]))
            return cohort_error_set(COHORT_EINVAL, "%s: bound '%s' expects an integer", s->name,
                                    p->name);
        cohort_status status =
            is_share ? take_share(b, b->given[i], launch, COHORT_I64, &out->values[i])
                     : cohort_number_convert(b->given[i], COHORT_I64, &out->values[i]);
        if (status >= 0 && out->values[i] < 0)
            status = cohort_error_set(COHORT_EINVAL, "it is %lld", (long long)out->values[i]);
        if (status < 0)
            return cohort_error_prefix(status, "%s: bound '%s'", s->name, p->name);
    }
    return COHORT_OK;
}

/* A replica that its share gets launched, and who has no component of this value: no element. */
static void empty(cohort_extents *extents)
{
    extents->rank = extents->rank > 0 ? extents->rank : 1;
    extents->shape[0] = 0;
}

/* The shapes that one launch sees. */
static void collect_shapes(const cohort_binding *b, int32_t launch, bool has_share,
                           cohort_bounds *out)
{
    int32_t replica = cohort_binding_replica(b, launch);
    for (const cohort_bound_array *a = b->arrays; a < b->arrays + b->n_arrays; a++) {
        cohort_extents *extents = &out->arrays[a->at];
        /* unknown: an output has the shape that the bounds give it */
        extents->rank = -1;
        if (a->variable != NULL) {
            *extents = a->variable->extents;
        } else if (cohort_parameter_is_read(a->parameter)) {
            const cohort_content *content = cohort_value_content(a->value, replica);
            *extents = content->extents;
            if (has_share && content->state == COHORT_CONTENT_ABSENT)
                empty(extents);
            else if (content->state == COHORT_CONTENT_ABSENT &&
                     !cohort_absence_counts(b->signature, a->parameter))
                extents->rank = -1; /* it is not compared: the launch will be absent */
        } else if (a->value->is_declared) {
            *extents = a->value->declared;
        }
        if (cohort_cut_has(b, a))
            extents->shape[0] = cohort_cut_rows(b, launch);
    }
}

/* Whether the call has what the constant counts; a 0 in its place would be a number like any
 * other. */
static cohort_status check_constant(const cohort_binding *b, int64_t which)
{
    if (which < COHORT_CONSTANT_REPLICA_ID || which > COHORT_CONSTANT_STEP)
        return cohort_error_set(COHORT_EINVAL, "unknown constant %lld", (long long)which);
    if (!has_replica(b) &&
        (which == COHORT_CONSTANT_REPLICA_ID || which == COHORT_CONSTANT_FIRST_ROW))
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_update runs once per copy, not per replica, and has no replica id");
    if (which == COHORT_CONSTANT_FIRST_ROW && b->lead < 0 && cohort_first_row_value(b) == NULL)
        return cohort_error_set(
            COHORT_EINVAL,
            "COHORT_FIRST_ROW counts the rows of a per-replica value, such as one of "
            "cohort_value_split, or of a COHORT_SHARE, and this call reads none");
    if (which == COHORT_CONSTANT_BATCH_ROWS && b->batch_rows == COHORT_BATCH_ROWS_MANY)
        return cohort_error_set(
            COHORT_EINVAL,
            "COHORT_BATCH_ROWS is of several inputs, which have stepped and are not at their end; "
            "COHORT_BATCH_ROWS_OF(input) says which");
    if (which == COHORT_CONSTANT_BATCH_ROWS && b->batch_rows < 0)
        return cohort_error_set(
            COHORT_EINVAL,
            "COHORT_BATCH_ROWS counts the rows of the latest step of an input, and the strategy "
            "had none; call cohort_run_next or cohort_input_next before");
    if (which == COHORT_CONSTANT_STEP && b->strategy->executor->failure.step == 0)
        return cohort_error_set(COHORT_EINVAL,
                                "COHORT_STEP counts the replays of a program, and this call is of "
                                "none; pass a counter of your own");
    return COHORT_OK;
}

static int64_t constant_of(const cohort_binding *b, int64_t which, int32_t launch)
{
    switch (which) {
    case COHORT_CONSTANT_REPLICA_ID:
        return cohort_binding_id(b, launch);
    case COHORT_CONSTANT_NUM_REPLICAS:
        return b->strategy->n_in_sync;
    case COHORT_CONSTANT_FIRST_ROW:
        return b->first_rows[launch];
    case COHORT_CONSTANT_STEP:
        return (int64_t)b->strategy->executor->failure.step;
    default:
        return b->batch_rows;
    }
}

static cohort_status try_constant(const cohort_binding *b, const cohort_parameter *p, int64_t which,
                                  int32_t launch)
{
    char number[16];
    cohort_status status = check_constant(b, which);
    if (status < 0)
        return status;
    if (!cohort_dtype_is_integer((cohort_dtype)p->type))
        return cohort_error_set(
            COHORT_EINVAL, "a constant of the runtime is for an integer parameter, this one is %s",
            cohort_dtype_name((cohort_dtype)p->type));
    cohort_argument a =
        cohort_argument_integer_(COHORT_ARGUMENT_INT, constant_of(b, which, launch));
    return cohort_number_convert(&a, (cohort_dtype)p->type, number);
}

static cohort_status try_number(const cohort_binding *b, const cohort_parameter *p,
                                const cohort_argument *given, int32_t launch)
{
    _Alignas(16) char number[COHORT_NUMBER_BYTES];
    if (p->role == COHORT_ROLE_NUMBER && cohort_share_is(given))
        return take_share(b, given, launch, (cohort_dtype)p->type, number);
    return given != NULL && given->kind == COHORT_ARGUMENT_CONSTANT
               ? try_constant(b, p, given->as.i, launch)
               : COHORT_OK;
}

/* Before anything is posted: every launch can have its constants and shares. */
static cohort_status check_constants(const cohort_binding *b, int32_t launch)
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++) {
        const cohort_parameter *p = &b->signature->parameters[i];
        cohort_status status = try_number(b, p, b->given[i], launch);
        if (status < 0)
            return cohort_error_prefix(status, "%s: argument '%s'", b->signature->name, p->name);
    }
    return COHORT_OK;
}

/* Each launch has bounds of its own, and starts from those that were named. */
static cohort_status solve_launch(cohort_binding *b, int32_t launch, const char *where)
{
    cohort_bounds *bounds = &b->bounds[launch];
    int64_t share = 0;
    bounds->keeps_rank = true;
    cohort_status status = named_bounds(b, launch, bounds);
    if (status >= 0 && b->lead >= 0)
        status = cohort_first_row_share(b, cohort_binding_replica(b, launch), &share);
    if (status < 0)
        return status;
    collect_shapes(b, launch, share > 0, bounds);
    status = cohort_bounds_solve(b->signature, where, bounds);
    if (status >= 0)
        b->is_absent[launch] = b->lead >= 0 ? share == 0 : cohort_absence_is(b, launch);
    return status >= 0 && b->is_varied ? check_constants(b, launch) : status;
}

void cohort_binding_where(const cohort_binding *b, int32_t launch, char *out_text, size_t size)
{
    bool is_update = b->kind == COHORT_CALL_UPDATE, is_shard = cohort_cut_is_on(b);
    int32_t own = b->first + launch;
    out_text[0] = '\0';
    if (is_update && b->updated->remote != NULL)
        (void)snprintf(out_text, size, ", shard %d on parameter server %d", launch,
                       b->updated->remote->shards[launch].server);
    else if (!is_update || is_shard || b->updated->is_per_replica)
        (void)snprintf(
            out_text, size, ", %s %d on %s", is_shard ? "shard" : "replica",
            is_shard ? own : cohort_strategy_replica_id(b->strategy, own),
            cohort_strategy_context(b->strategy, cohort_binding_device(b, launch))->device->id);
}

/* Where a launch takes place is put into words only for the message of one that is wrong. */
static cohort_status explain_launch(cohort_binding *b, int32_t launch)
{
    char where[160];
    cohort_binding_where(b, launch, where, sizeof where);
    return solve_launch(b, launch, where);
}

static bool is_varied(const cohort_binding *b)
{
    bool is = false;
    for (int32_t i = 0; i < b->signature->n_parameters && !is; i++)
        is = b->given[i] != NULL &&
             (b->given[i]->kind == COHORT_ARGUMENT_CONSTANT || cohort_share_is(b->given[i]));
    return is;
}

static bool is_step(const cohort_argument *given)
{
    return given != NULL && given->kind == COHORT_ARGUMENT_CONSTANT &&
           given->as.i == COHORT_CONSTANT_STEP;
}

static uint64_t list_steps(const cohort_binding *b)
{
    uint64_t list = 0;
    for (int32_t i = 0; i < b->signature->n_parameters && b->is_varied; i++)
        list |= (uint64_t)is_step(b->given[i]) << i;
    return list;
}

cohort_status cohort_binding_solve(cohort_binding *b)
{
    b->is_varied = is_varied(b);
    b->counts = list_steps(b);
    b->lead = b->is_varied ? cohort_binding_find_lead(b) : -1;
    cohort_status status = b->is_varied ? cohort_first_row_solve(b) : COHORT_OK;
    if (status < 0)
        return status;
    for (int32_t i = 0; i < b->count; i++)
        if (solve_launch(b, i, "") < 0)
            return explain_launch(b, i);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ values */

/* Which the solver has tried. */
static void fill_image(const cohort_parameter *p, const cohort_extents *array, cohort_image *out)
{
    (void)cohort_image_describe(p, array->rank, array->shape, out);
}

/* What is the same in all launches is copied in one piece; bounds, computed integers and constants
 * of the runtime are then written into their places. */
void cohort_binding_fill_values(const cohort_binding *b, int32_t launch, char *values)
{
    const cohort_signature *s = b->signature;
    if (s->value_bytes > 0)
        memcpy(values, b->numbers, s->value_bytes);
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (!cohort_parameter_has_value(p))
            continue;
        if (p->image != 0)
            fill_image(p, &b->bounds[launch].arrays[i], (cohort_image *)values);
        else if (p->role == COHORT_ROLE_BOUND || p->role == COHORT_ROLE_COMPUTED)
            cohort_dtype_store_integer((cohort_dtype)p->type, b->bounds[launch].values[i], values);
        else if (b->given[i]->kind == COHORT_ARGUMENT_CONSTANT)
            cohort_dtype_store_integer((cohort_dtype)p->type,
                                       constant_of(b, b->given[i]->as.i, launch), values);
        else if (cohort_share_is(b->given[i])) /* which check_constants has tried */
            (void)cohort_share_convert(b->given[i], cohort_binding_id(b, launch),
                                       b->strategy->n_in_sync, (cohort_dtype)p->type, values);
        values += cohort_parameter_value_bytes(p);
    }
}

void cohort_binding_integers(const cohort_binding *b, int32_t launch,
                             int64_t out[COHORT_MAX_ARGUMENTS])
{
    const cohort_signature *s = b->signature;
    _Alignas(16) char values[COHORT_LIMIT_ARGUMENT_BYTES];
    const char *value = values;
    cohort_binding_fill_values(b, launch, values);
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (!cohort_parameter_has_value(p))
            continue;
        /* a uint64 beyond int64 is negative, which is refused */
        out[i] = cohort_dtype_is_integer((cohort_dtype)p->type) && p->image == 0
                     ? cohort_dtype_load_integer((cohort_dtype)p->type, value, 0)
                     : 0;
        value += cohort_parameter_value_bytes(p);
    }
}

/* ------------------------------------------------------------------ the rows of a call */

static bool gives_rows(const cohort_binding *b, int32_t i)
{
    cohort_role role = b->signature->parameters[i].role;
    const cohort_argument *given = b->given[i];
    return (role == COHORT_ROLE_BOUND && cohort_share_is(given)) ||
           (role == COHORT_ROLE_NUMBER && given->kind == COHORT_ARGUMENT_SHARE);
}

int32_t cohort_binding_find_lead(const cohort_binding *b)
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++)
        if (gives_rows(b, i))
            return i;
    return -1;
}

cohort_status cohort_binding_rows(const cohort_binding *b, int32_t replica, int64_t *out)
{
    const cohort_strategy *s = b->strategy;
    cohort_status status = cohort_share_convert(b->given[b->lead], s->first_replica + replica,
                                                s->n_in_sync, COHORT_I64, out);
    if (status >= 0 && *out < 0)
        status = cohort_error_set(COHORT_EINVAL, "it is %lld", (long long)*out);
    return status;
}
