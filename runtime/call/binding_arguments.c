/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of a call, each compared with its parameter. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/call/binding.h"
#include "runtime/call/share.h"
#include "runtime/function/image.h"
#include "runtime/value/variable_places.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ arrays */

static const char *kind_text(const cohort_argument *a)
{
    switch (a->kind) {
    case COHORT_ARGUMENT_ARRAY:
        return "an array";
    case COHORT_ARGUMENT_VALUE:
        return "a value";
    case COHORT_ARGUMENT_VARIABLE:
        return "a variable";
    case COHORT_ARGUMENT_BYTES:
        return "a struct";
    case COHORT_ARGUMENT_POINTER:
        return "a pointer";
    case COHORT_ARGUMENT_CONSTANT:
        return "a constant of the runtime";
    case COHORT_ARGUMENT_DROP:
        return "COHORT_DROP";
    case COHORT_ARGUMENT_SHARE:
    case COHORT_ARGUMENT_EACH:
        return "a number by replica";
    default:
        return cohort_number_is(a) ? "a number" : "an argument of unknown kind";
    }
}

static cohort_status wrong_kind(const cohort_binding *b, const cohort_parameter *p,
                                const char *expected, const cohort_argument *a)
{
    return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' expects %s, got %s",
                            b->signature->name, p->name, expected, kind_text(a));
}

static cohort_status check_dtype(const cohort_binding *b, const cohort_parameter *p,
                                 cohort_dtype dtype, int64_t item_bytes)
{
    if (dtype == cohort_parameter_array_dtype(p->type) && item_bytes == (int64_t)p->bytes)
        return COHORT_OK;
    if (dtype == COHORT_RECORD && cohort_parameter_array_dtype(p->type) == COHORT_RECORD)
        return cohort_error_set(
            COHORT_EINVAL, "%s: argument '%s' expects %s of %u bytes, got structs of %lld bytes",
            b->signature->name, p->name, cohort_signature_type_name(b->signature, p->type),
            p->bytes, (long long)item_bytes);
    return cohort_error_set(
        COHORT_EINVAL, "%s: argument '%s' expects %s, got %s", b->signature->name, p->name,
        cohort_signature_type_name(b->signature, p->type), cohort_dtype_name(dtype));
}

/* A value that stands for one call: a borrowed array, or an output that nobody wants. */
static cohort_value *borrow(cohort_binding *b, const cohort_array *array)
{
    cohort_value *value = cohort_value_borrow(b->strategy, array);
    if (value != NULL)
        b->borrowed[b->n_borrowed++] = value;
    return value;
}

static cohort_status check_foreign(const cohort_binding *b, const char *name,
                                   const cohort_strategy *owner)
{
    if (owner == b->strategy)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' belongs to another strategy",
                            b->signature->name, name);
}

/* Of an update: what is written lies where it runs; components are for the updates of
 * components. */
static cohort_status check_place(const cohort_binding *b, const cohort_parameter *p,
                                 const cohort_variable *v)
{
    const char *f = b->signature->name;
    if (cohort_parameter_is_written(p) && !cohort_variable_is_placed_like(v, b->updated))
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: variable '%s' is not placed like '%s'; create it with colocate_with", f, v->name,
            b->updated->name);
    if (v->is_per_replica && !b->updated->is_per_replica)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: variable '%s' has a component per replica, and '%s' has not: combine it with "
            "cohort_reduce first",
            f, v->name, b->updated->name);
    return COHORT_OK;
}

/* Of an update on parameter servers: read there, where it is. */
static bool stays_there(const cohort_binding *b, const cohort_variable *v)
{
    return b->kind == COHORT_CALL_UPDATE && b->updated->remote != NULL && v->remote != NULL;
}

static cohort_status check_variable(cohort_binding *b, const cohort_parameter *p,
                                    cohort_bound_array *out, const cohort_argument *a)
{
    cohort_variable *v = out->variable = cohort_memory_own(a->as.p);
    const char *f = b->signature->name;
    cohort_status status = cohort_handle_check(v, COHORT_HANDLE_VARIABLE, f, p->name);
    if (status >= 0)
        status = check_foreign(b, p->name, v->strategy);
    if (status >= 0)
        status = check_dtype(b, p, v->dtype, v->item_bytes);
    if (status < 0)
        return status;
    status =
        b->is_recording || stays_there(b, v) ? COHORT_OK : cohort_variable_check_readable(v, f);
    if (status < 0)
        return status;
    if (cohort_parameter_is_written(p) && b->kind != COHORT_CALL_UPDATE)
        return cohort_error_set(
            COHORT_EINVAL, "%s: '%s' is written, and %s changes no variable: use cohort_update", f,
            p->name, b->kind == COHORT_CALL_RUN ? "cohort_run" : "cohort_replica_run");
    return b->kind == COHORT_CALL_UPDATE ? check_place(b, p, v) : COHORT_OK;
}

/* Each replica that a launch will read for is looked at, before any launch is posted. A joint
 * update runs for stores and not for replicas, so there is no replica whose component it could
 * read. */
static cohort_status check_readable(const cohort_binding *b, const cohort_parameter *p,
                                    const cohort_value *value)
{
    const char *f = b->signature->name;
    if (value->kind == COHORT_EMPTY_VALUE)
        return cohort_error_set(COHORT_EINVAL, "%s: nothing has written argument '%s' yet", f,
                                p->name);
    bool is_joint = b->kind == COHORT_CALL_UPDATE && !b->updated->is_per_replica;
    if (is_joint && value->kind == COHORT_PER_REPLICA_VALUE)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: argument '%s' of the update of variable '%s' is per replica: combine it with "
            "cohort_reduce first",
            f, p->name, b->updated->name);
    for (int32_t i = 0; i < (is_joint ? 1 : b->count); i++) {
        int32_t r = cohort_binding_replica(b, i);
        const cohort_content *c = cohort_value_content(value, r);
        if (c->state == COHORT_CONTENT_LOST)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: the call that was to write argument '%s' failed; write it again", f, p->name);
        if (c->state == COHORT_CONTENT_EMPTY)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: nothing has written argument '%s' of replica %d yet", f,
                                    p->name, cohort_strategy_replica_id(b->strategy, r));
        cohort_status status = check_dtype(b, p, c->dtype, c->item_bytes);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

/* A value that is only written may be empty and takes what comes; only one of cohort_value_shaped
 * insists on its dtype. */
static cohort_status check_value(cohort_binding *b, const cohort_parameter *p,
                                 cohort_bound_array *out, const cohort_argument *a)
{
    cohort_value *value = out->value = cohort_memory_own(a->as.p);
    cohort_status status =
        cohort_handle_check(value, COHORT_HANDLE_VALUE, b->signature->name, p->name);
    if (status >= 0)
        status = check_foreign(b, p->name, value->strategy);
    if (status >= 0 && cohort_parameter_is_written(p) && b->kind == COHORT_CALL_UPDATE)
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: '%s' is written, and cohort_update writes variables: pass one, or use "
            "cohort_run",
            b->signature->name, p->name);
    if (status < 0 || b->is_recording)
        return status;
    if (cohort_parameter_is_written(p) && cohort_parameter_is_read(p) &&
        (value->kind == COHORT_PLAIN_VALUE || value->kind == COHORT_MIRRORED_VALUE))
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: '%s' is read and written by every replica, so its value must be per "
            "replica; this one is plain",
            b->signature->name, p->name);
    if (status >= 0 && cohort_parameter_is_read(p))
        status = check_readable(b, p, value);
    else if (status >= 0 && value->is_declared)
        status =
            check_dtype(b, p, value->declared_dtype, cohort_dtype_bytes(value->declared_dtype));
    return status;
}

/* With what takes its place: only variables are updated. */
static cohort_status written_array(const cohort_binding *b, const cohort_parameter *p)
{
    char instead[COHORT_LIMIT_NAME_BYTES + 96] = "value, such as cohort_value_split(s, array)";
    if (b->kind == COHORT_CALL_UPDATE)
        (void)snprintf(instead, sizeof instead,
                       "variable, such as cohort_variable_create(s, \"%s\", array, NULL)", p->name);
    return cohort_error_set(
        COHORT_EINVAL, "%s: '%s' is written, and an array of the caller is only read: pass a %s",
        b->signature->name, p->name, instead);
}

/* The array is checked before it is borrowed, for cohort_value_borrow relies on that. */
static cohort_status check_borrowed(cohort_binding *b, const cohort_parameter *p,
                                    cohort_bound_array *out, const cohort_argument *a)
{
    const cohort_array *array = a->as.p;
    if (cohort_parameter_is_written(p))
        return written_array(b, p);
    cohort_status status = cohort_array_check(array, false, p->name);
    if (status < 0)
        return cohort_error_prefix(status, "%s", b->signature->name);
    status = check_dtype(b, p, array->dtype, cohort_array_item_bytes(array));
    if (status >= 0 && (out->value = borrow(b, array)) == NULL)
        status = COHORT_ENOMEM;
    return status;
}

/* A body always gets memory for an output. Where nobody wants it, a value stands for the output
 * until the call ends; it begins with no element, and placing gives it the shape that the bounds
 * say. */
static cohort_status check_dropped(cohort_binding *b, const cohort_parameter *p,
                                   cohort_bound_array *out, const cohort_argument *a)
{
    static const char nothing;
    if (cohort_parameter_is_read(p) || b->kind == COHORT_CALL_UPDATE)
        return wrong_kind(b, p, "an array", a);
    out->value =
        borrow(b, &(cohort_array){
                      .data = cohort_memory_read_only(&nothing), .dtype = COHORT_U8, .rank = 1 });
    return out->value != NULL ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status check_array(cohort_binding *b, const cohort_parameter *p,
                                 cohort_bound_array *out, const cohort_argument *a)
{
    out->value = NULL;
    out->variable = NULL;
    switch (a->kind) {
    case COHORT_ARGUMENT_VALUE:
        return check_value(b, p, out, a);
    case COHORT_ARGUMENT_VARIABLE:
        return check_variable(b, p, out, a);
    case COHORT_ARGUMENT_ARRAY:
        return check_borrowed(b, p, out, a);
    case COHORT_ARGUMENT_DROP:
        return check_dropped(b, p, out, a);
    default:
        return wrong_kind(b, p, "an array", a);
    }
}

/* ------------------------------------------------------------------ numbers */

/* A plain value that this process set stands for its number. One that is recorded may be set, or
 * written by something else, before the call is made. */
static bool has_number(const cohort_binding *b, const cohort_value *value)
{
    return b->is_recording ? value->origin == COHORT_VALUE_NUMBER : cohort_value_is_number(value);
}

static cohort_status read_number_value(const cohort_binding *b, const cohort_parameter *p,
                                       const cohort_value *value, cohort_argument *out)
{
    cohort_status status =
        cohort_handle_check(value, COHORT_HANDLE_VALUE, b->signature->name, p->name);
    if (status < 0)
        return status;
    status = check_foreign(b, p->name, value->strategy);
    if (status >= 0 && !has_number(b, value))
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: argument '%s' expects a number, got a value that cohort_value_number did "
            "not make; a number that a device computed goes to a parameter such as "
            "const float %s[1], and a number for each replica is a COHORT_EACH",
            b->signature->name, p->name, p->name);
    *out = cohort_argument_make_(COHORT_ARGUMENT_REAL, NULL);
    out->as.f = value->number;
    if (status >= 0 && !b->is_recording)
        cohort_content_note_read(cohort_value_content(cohort_memory_own(value), 0));
    return status;
}

static cohort_status fill_number(const cohort_binding *b, const cohort_parameter *p,
                                 const cohort_argument *a, char *out)
{
    cohort_argument number = *a;
    cohort_status status = COHORT_OK;
    if (a->kind == COHORT_ARGUMENT_CONSTANT || cohort_share_is(a) ||
        (b->is_recording && a->kind == COHORT_ARGUMENT_BATCH_ROWS))
        return COHORT_OK; /* differs from launch to launch, or from replay to replay */
    if (a->kind == COHORT_ARGUMENT_VALUE)
        status = read_number_value(b, p, a->as.p, &number);
    else if (!cohort_number_is(a))
        status = wrong_kind(b, p, "a number", a);
    if (status < 0 || (b->is_recording && a->kind == COHORT_ARGUMENT_VALUE))
        return status;
    status = cohort_number_convert(&number, (cohort_dtype)p->type, out);
    return status < 0
               ? cohort_error_prefix(status, "%s: argument '%s'", b->signature->name, p->name)
               : COHORT_OK;
}

/* Structs have no name that a call could pass, so their size is all that can be compared. */
static cohort_status check_sampler(const cohort_binding *b, const cohort_parameter *p,
                                   const void *given)
{
    cohort_sampler sampler;
    memcpy(&sampler, given, sizeof sampler);
    const char *fault = cohort_sampler_fault(&sampler);
    return fault == NULL ? COHORT_OK
                         : cohort_error_set(COHORT_EINVAL, "%s: argument '%s' is no sampler: %s",
                                            b->signature->name, p->name, fault);
}

static cohort_status fill_struct(const cohort_binding *b, const cohort_parameter *p,
                                 const cohort_argument *a, char *out)
{
    if (a->kind != COHORT_ARGUMENT_BYTES)
        return wrong_kind(b, p, "a struct (COHORT_BYTES)", a);
    if (a->as.p == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' is NULL", b->signature->name,
                                p->name);
    if (a->bytes != p->bytes)
        return cohort_error_set(
            COHORT_EINVAL, "%s: argument '%s' expects %s of %u bytes, got %u bytes",
            b->signature->name, p->name, cohort_signature_type_name(b->signature, p->type),
            p->bytes, a->bytes);
    cohort_status status = p->is_sampler ? check_sampler(b, p, a->as.p) : COHORT_OK;
    if (status >= 0)
        memcpy(out, a->as.p, p->bytes);
    return status;
}

static cohort_status fill_value(const cohort_binding *b, const cohort_parameter *p,
                                const cohort_argument *a, char *out)
{
    switch (p->role) {
    case COHORT_ROLE_NUMBER:
        return fill_number(b, p, a, out);
    case COHORT_ROLE_STRUCT:
        return fill_struct(b, p, a, out);
    case COHORT_ROLE_POINTER:
        if (a->kind != COHORT_ARGUMENT_POINTER)
            return wrong_kind(b, p, "a pointer (COHORT_POINTER)", a);
        memcpy(out, &a->as.p, sizeof a->as.p);
        return COHORT_OK;
    default:
        return COHORT_OK; /* bounds and computed integers are known per launch */
    }
}

/* b->numbers is laid out as the values of a launch are (operation/launch.h). Parameters that were
 * not passed keep their place in it: a bound is filled in for each launch. */
cohort_status cohort_binding_check_arguments(cohort_binding *b)
{
    const cohort_signature *s = b->signature;
    char *value = b->numbers;
    cohort_status status = COHORT_OK;
    b->n_arrays = 0;
    for (int32_t i = 0; i < s->n_parameters && status >= 0; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role == COHORT_ROLE_ARRAY) {
            cohort_bound_array *array = &b->arrays[b->n_arrays++];
            array->at = i;
            array->parameter = p;
            array->mode = cohort_parameter_is_written(p) ? COHORT_USE_WRITE : COHORT_USE_READ;
            status = check_array(b, p, array, b->given[i]);
        } else if (p->role != COHORT_ROLE_LOCAL && b->given[i] != NULL)
            status = fill_value(b, p, b->given[i], value);
        if (cohort_parameter_has_value(p))
            value += cohort_parameter_value_bytes(p);
    }
    return status;
}

cohort_status cohort_binding_check_result(cohort_binding *b, const cohort_argument *result)
{
    const char *f = b->signature->name;
    b->result = NULL;
    if (result == NULL || result->kind == COHORT_ARGUMENT_DROP)
        return COHORT_OK;
    if (b->kind == COHORT_CALL_UPDATE)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: cohort_update has no place for a result; pass COHORT_DROP", f);
    if (result->kind != COHORT_ARGUMENT_VALUE)
        return cohort_error_set(COHORT_EINVAL, "%s: the result goes to a value, got %s", f,
                                kind_text(result));
    b->result = cohort_memory_own(result->as.p);
    cohort_status status =
        cohort_handle_check(b->result, COHORT_HANDLE_VALUE, f, "the value for the result");
    return status < 0 ? status : check_foreign(b, "result", b->result->strategy);
}
