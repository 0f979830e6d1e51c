/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/run/binding.h"

#include "runtime/base/memory.h"
#include "runtime/device/kernel.h"
#include "runtime/value/number.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ matching */

static bool is_passed(const cohort_parameter *p)
{
    return p->role == COHORT_ROLE_NUMBER || p->role == COHORT_ROLE_STRUCT || p->role == COHORT_ROLE_ARRAY ||
           p->role == COHORT_ROLE_POINTER;
}

static void append(char *text, size_t size, const char *separator, const char *word)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", used > 0 ? separator : "", word);
}

static cohort_status wrong_count(const cohort_binding *b, int32_t got)
{
    const cohort_signature *s = b->signature;
    char takes[512] = "", bounds[256] = "";
    int32_t n_bounds = 0;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        if (is_passed(&s->parameters[i]))
            append(takes, sizeof takes, ", ", s->parameters[i].name);
        if (s->parameters[i].role == COHORT_ROLE_BOUND && n_bounds++ >= 0)
            append(bounds, sizeof bounds, ", ", s->parameters[i].name);
    }
    if (s->has_result)
        append(takes, sizeof takes, ", ", "a value for the result");
    return cohort_error_set(COHORT_EINVAL, "%s: takes %s (from %s%s%s%s), got %d argument%s", s->name,
                            takes[0] != '\0' ? takes : "no arguments", s->prototype, n_bounds > 0 ? "; " : "", bounds,
                            n_bounds == 0  ? ""
                            : n_bounds == 1 ? " is read off the arrays"
                                            : " are read off the arrays",
                            got, got == 1 ? "" : "s");
}

static int32_t find_parameter(const cohort_signature *s, const char *name)
{
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (strcmp(s->parameters[i].name, name) == 0)
            return i;
    return -1;
}

static cohort_status match_named(cohort_binding *b, const cohort_argument *a)
{
    int32_t i = find_parameter(b->signature, a->name);
    if (i < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: no parameter '%s' in %s", b->signature->name, a->name,
                                b->signature->prototype);
    cohort_role role = b->signature->parameters[i].role;
    if (role == COHORT_ROLE_COMPUTED || role == COHORT_ROLE_LOCAL)
        return cohort_error_set(COHORT_EINVAL, "%s: '%s' is %s and cannot be passed", b->signature->name, a->name,
                                role == COHORT_ROLE_LOCAL ? "scratch memory" : "computed");
    if (b->given[i] != NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' is passed twice", b->signature->name, a->name);
    b->given[i] = a;
    return COHORT_OK;
}

/* Positional arguments go to the parameters that calls pass, in order, and one more to the result. */
static cohort_status match(cohort_binding *b, const cohort_argument arguments[], const cohort_argument **out_result)
{
    const cohort_signature *s = b->signature;
    int32_t n = 0, next = 0;
    cohort_status status = COHORT_OK;
    *out_result = NULL;
    memset(b->given, 0, (size_t)s->n_parameters * sizeof *b->given);
    for (; arguments[n].kind != COHORT_ARGUMENT_END && arguments[n].name == NULL && n <= COHORT_MAX_ARGUMENTS; n++) {
        while (next < s->n_parameters && !is_passed(&s->parameters[next]))
            next++;
        if (next < s->n_parameters)
            b->given[next++] = &arguments[n];
        else if (s->has_result && *out_result == NULL)
            *out_result = &arguments[n];
        else
            next = s->n_parameters + 1; /* too many */
        if (next > s->n_parameters)
            break;
    }
    int32_t total = 0;
    while (arguments[total].kind != COHORT_ARGUMENT_END && total <= COHORT_MAX_ARGUMENTS)
        total++;
    for (; arguments[n].kind != COHORT_ARGUMENT_END && n <= COHORT_MAX_ARGUMENTS && status >= 0; n++) {
        if (arguments[n].name == NULL && n > 0 && arguments[n - 1].name != NULL)
            status = cohort_error_set(COHORT_EINVAL, "%s: argument %d follows a named one and has no name", s->name, n + 1);
        else
            status = arguments[n].name != NULL ? match_named(b, &arguments[n]) : wrong_count(b, total);
    }
    bool is_complete = !s->has_result || *out_result != NULL;
    for (int32_t i = 0; i < s->n_parameters; i++)
        is_complete = is_complete && (b->given[i] != NULL || !is_passed(&s->parameters[i]));
    return status < 0 || is_complete ? status : wrong_count(b, total);
}

/* ------------------------------------------------------------------ checking */

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
    default:
        return cohort_number_is(a) ? "a number" : "an argument of unknown kind";
    }
}

static cohort_status wrong_kind(const cohort_binding *b, const cohort_parameter *p, const char *expected,
                                const cohort_argument *a)
{
    return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' expects %s, got %s", b->signature->name, p->name, expected,
                            kind_text(a));
}

/* Elements that have no dtype of an array (structs, long double) travel as records of the same size. */
static cohort_dtype array_dtype(const cohort_parameter *p)
{
    return p->type < COHORT_RECORD ? (cohort_dtype)p->type : COHORT_RECORD;
}

static cohort_status check_dtype(const cohort_binding *b, const cohort_parameter *p, cohort_dtype dtype, int64_t item_bytes)
{
    if (dtype == array_dtype(p) && item_bytes == (int64_t)p->bytes)
        return COHORT_OK;
    if (dtype == COHORT_RECORD && array_dtype(p) == COHORT_RECORD)
        return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' expects %s of %u bytes, got structs of %lld bytes",
                                b->signature->name, p->name, cohort_signature_type_name(b->signature, p->type), p->bytes,
                                (long long)item_bytes);
    return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' expects %s, got %s", b->signature->name, p->name,
                            cohort_signature_type_name(b->signature, p->type), cohort_dtype_name(dtype));
}

static bool is_written(const cohort_parameter *p)
{
    return (p->direction & COHORT_WRITE) != 0;
}

static bool is_read(const cohort_parameter *p)
{
    return (p->direction & COHORT_READ) != 0;
}

/* A value that stands for one call: a borrowed array, or an output that nobody wants. */
static cohort_value *borrow(cohort_binding *b, const cohort_array *array)
{
    cohort_value *value = cohort_value_borrow(b->strategy, array);
    if (value != NULL)
        b->borrowed[b->n_borrowed++] = value;
    return value;
}

static cohort_status check_foreign(const cohort_binding *b, const char *name, const cohort_strategy *owner)
{
    if (owner == b->strategy)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' belongs to another strategy", b->signature->name, name);
}

static cohort_status check_variable(cohort_binding *b, const cohort_parameter *p, cohort_bound_array *out,
                                    const cohort_argument *a)
{
    cohort_variable *v = out->variable = (cohort_variable *)a->as.p;
    const char *f = b->signature->name;
    if (v == NULL)
        return cohort_error_null(f, p->name);
    cohort_status status = check_foreign(b, p->name, v->strategy);
    if (status >= 0)
        status = check_dtype(b, p, v->dtype, v->item_bytes);
    if (status < 0)
        return status;
    if (v->version == 0)
        return cohort_error_set(COHORT_EINVAL, "%s: variable '%s' never got its content; assign it", f, v->name);
    if (is_written(p) && b->kind != COHORT_CALL_UPDATE)
        return cohort_error_set(COHORT_EINVAL, "%s: '%s' is written, and %s changes no variable: use cohort_update", f, p->name,
                                b->kind == COHORT_CALL_RUN ? "cohort_run" : "cohort_replica_run");
    bool is_placed_alike = b->kind != COHORT_CALL_UPDATE || v->n_copies == b->updated->n_copies;
    for (int32_t i = 0; b->kind == COHORT_CALL_UPDATE && is_placed_alike && i < v->n_copies; i++)
        is_placed_alike = v->devices[i] == b->updated->devices[i];
    return is_placed_alike ? COHORT_OK
                           : cohort_error_set(COHORT_EINVAL, "%s: variable '%s' is not placed like '%s'; create it with "
                                                             "colocate_with", f, v->name, b->updated->name);
}

static cohort_status check_readable(const cohort_binding *b, const cohort_parameter *p, const cohort_value *value)
{
    const char *f = b->signature->name;
    if (value->kind == COHORT_EMPTY_VALUE)
        return cohort_error_set(COHORT_EINVAL, "%s: nothing has written argument '%s' yet", f, p->name);
    if (b->kind == COHORT_CALL_UPDATE && value->kind == COHORT_PER_REPLICA_VALUE)
        return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' of cohort_update is per replica: combine it with "
                                               "cohort_reduce first", f, p->name);
    for (int32_t r = b->first; r < b->first + b->count; r++) {
        const cohort_content *c = cohort_value_content(value, r);
        if (c->state == COHORT_CONTENT_LOST)
            return cohort_error_set(COHORT_EINVAL, "%s: the call that was to write argument '%s' failed; write it again", f,
                                    p->name);
        if (c->state == COHORT_CONTENT_EMPTY)
            return cohort_error_set(COHORT_EINVAL, "%s: nothing has written argument '%s' of replica %d yet", f, p->name, r);
        cohort_status status = check_dtype(b, p, c->dtype, c->item_bytes);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

static cohort_status check_value(cohort_binding *b, const cohort_parameter *p, cohort_bound_array *out,
                                 const cohort_argument *a)
{
    cohort_value *value = out->value = (cohort_value *)a->as.p;
    if (value == NULL)
        return cohort_error_null(b->signature->name, p->name);
    cohort_status status = check_foreign(b, p->name, value->strategy);
    if (status >= 0 && is_written(p) && b->kind == COHORT_CALL_UPDATE)
        status = cohort_error_set(COHORT_EINVAL, "%s: '%s' is written, and cohort_update writes variables: pass one, or use "
                                                 "cohort_run", b->signature->name, p->name);
    if (status >= 0 && is_written(p) && is_read(p) && value->kind == COHORT_PLAIN_VALUE)
        status = cohort_error_set(COHORT_EINVAL, "%s: '%s' is read and written by every replica, so its value must be per "
                                                 "replica; this one is plain", b->signature->name, p->name);
    if (status >= 0 && is_read(p))
        status = check_readable(b, p, value);
    else if (status >= 0 && value->is_declared)
        status = check_dtype(b, p, value->declared_dtype, cohort_dtype_bytes(value->declared_dtype));
    return status;
}

static cohort_status check_borrowed(cohort_binding *b, const cohort_parameter *p, cohort_bound_array *out,
                                    const cohort_argument *a)
{
    const cohort_array *array = a->as.p;
    if (is_written(p))
        return cohort_error_set(COHORT_EINVAL, "%s: '%s' is written, and an array of the caller is only read: pass a value, "
                                               "such as cohort_value_split(s, array)", b->signature->name, p->name);
    cohort_status status = cohort_array_check(array, false, p->name);
    if (status < 0)
        return cohort_error_prefix(status, "%s", b->signature->name);
    status = check_dtype(b, p, array->dtype, cohort_array_item_bytes(array));
    if (status >= 0 && (out->value = borrow(b, array)) == NULL)
        status = COHORT_ENOMEM;
    return status;
}

static cohort_status check_dropped(cohort_binding *b, const cohort_parameter *p, cohort_bound_array *out,
                                   const cohort_argument *a)
{
    static const char nothing;
    if (is_read(p) || b->kind == COHORT_CALL_UPDATE)
        return wrong_kind(b, p, "an array", a);
    out->value = borrow(b, &(cohort_array){ .data = (void *)&nothing, .dtype = COHORT_U8, .rank = 1 });
    return out->value != NULL ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status check_array(cohort_binding *b, const cohort_parameter *p, cohort_bound_array *out, const cohort_argument *a)
{
    *out = (cohort_bound_array){ NULL, NULL };
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

/* A container that one call writes may not stand at another place of the call, unless both read and write in place. */
static cohort_status check_aliases(const cohort_binding *b)
{
    const cohort_signature *s = b->signature;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role != COHORT_ROLE_ARRAY || !is_written(p))
            continue;
        for (int32_t j = 0; j < s->n_parameters; j++) {
            const cohort_parameter *q = &s->parameters[j];
            bool is_same = j != i && q->role == COHORT_ROLE_ARRAY && b->arrays[i].value == b->arrays[j].value &&
                           b->arrays[i].variable == b->arrays[j].variable;
            bool is_harmless = b->arrays[i].variable != NULL ? !is_written(q) : is_read(p) && is_read(q) && !is_written(q);
            if (is_same && !is_harmless)
                return cohort_error_set(COHORT_EINVAL, "%s: arguments '%s' and '%s' are the same, and '%s' is written", s->name,
                                        s->parameters[i < j ? i : j].name, s->parameters[i < j ? j : i].name, p->name);
        }
        if (b->result != NULL && b->result == b->arrays[i].value)
            return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' also gets the result", s->name, p->name);
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ numbers */

/* A plain value that this process set stands for its number. */
static cohort_status read_number_value(const cohort_binding *b, const cohort_parameter *p, const cohort_value *value,
                                       cohort_argument *out)
{
    if (value == NULL)
        return cohort_error_null(b->signature->name, p->name);
    cohort_status status = check_foreign(b, p->name, value->strategy);
    if (status >= 0 && value->origin != COHORT_VALUE_NUMBER)
        status = cohort_error_set(COHORT_EINVAL, "%s: argument '%s' expects a number, got a value that cohort_value_number did "
                                                 "not make; a number that a device computed goes to a parameter such as "
                                                 "const float %s[1]", b->signature->name, p->name, p->name);
    *out = cohort_argument_make_(COHORT_ARGUMENT_REAL, NULL);
    out->as.f = value->number;
    return status;
}

static cohort_status fill_number(const cohort_binding *b, const cohort_parameter *p, const cohort_argument *a, char *out)
{
    char who[256];
    cohort_argument number = *a;
    cohort_status status = COHORT_OK;
    if (a->kind == COHORT_ARGUMENT_CONSTANT)
        return COHORT_OK; /* differs from launch to launch */
    if (a->kind == COHORT_ARGUMENT_VALUE)
        status = read_number_value(b, p, a->as.p, &number);
    else if (!cohort_number_is(a))
        status = wrong_kind(b, p, "a number", a);
    (void)snprintf(who, sizeof who, "%s: argument '%s'", b->signature->name, p->name);
    return status >= 0 ? cohort_number_convert(&number, (cohort_dtype)p->type, who, out) : status;
}

static cohort_status fill_struct(const cohort_binding *b, const cohort_parameter *p, const cohort_argument *a, char *out)
{
    if (a->kind != COHORT_ARGUMENT_BYTES)
        return wrong_kind(b, p, "a struct (COHORT_BYTES)", a);
    if (a->as.p == NULL)
        return cohort_error_null(b->signature->name, p->name);
    if (a->bytes != p->bytes)
        return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' expects %s of %u bytes, got %u bytes", b->signature->name,
                                p->name, cohort_signature_type_name(b->signature, p->type), p->bytes, a->bytes);
    memcpy(out, a->as.p, p->bytes);
    return COHORT_OK;
}

static cohort_status fill_value(const cohort_binding *b, const cohort_parameter *p, const cohort_argument *a, char *out)
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

static cohort_status check_arguments(cohort_binding *b)
{
    const cohort_signature *s = b->signature;
    char *value = b->numbers;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < s->n_parameters && status >= 0; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role == COHORT_ROLE_ARRAY) {
            status = check_array(b, p, &b->arrays[i], b->given[i]);
        } else if (p->role != COHORT_ROLE_LOCAL) {
            if (b->given[i] != NULL)
                status = fill_value(b, p, b->given[i], value);
            value += cohort_launch_value_bytes(p);
        }
    }
    return status;
}

static cohort_status check_result(cohort_binding *b, const cohort_argument *result)
{
    const char *f = b->signature->name;
    b->result = NULL;
    if (result == NULL || result->kind == COHORT_ARGUMENT_DROP)
        return COHORT_OK;
    if (b->kind == COHORT_CALL_UPDATE)
        return cohort_error_set(COHORT_EINVAL, "%s: cohort_update has no place for a result; pass COHORT_DROP", f);
    if (result->kind != COHORT_ARGUMENT_VALUE)
        return cohort_error_set(COHORT_EINVAL, "%s: the result goes to a value, got %s", f, kind_text(result));
    b->result = (cohort_value *)result->as.p;
    if (b->result == NULL)
        return cohort_error_null(f, "the value for the result");
    return check_foreign(b, "result", b->result->strategy);
}

/* ------------------------------------------------------------------ bounds */

static cohort_status named_bounds(const cohort_binding *b, cohort_bounds *out)
{
    const cohort_signature *s = b->signature;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        char who[256];
        out->is_named[i] = p->role == COHORT_ROLE_BOUND && b->given[i] != NULL;
        if (!out->is_named[i])
            continue;
        if (!cohort_number_is(b->given[i]))
            return wrong_kind(b, p, "an integer", b->given[i]);
        (void)snprintf(who, sizeof who, "%s: bound '%s'", s->name, p->name);
        cohort_status status = cohort_number_convert(b->given[i], COHORT_I64, who, &out->values[i]);
        if (status >= 0 && out->values[i] < 0)
            status = cohort_error_set(COHORT_EINVAL, "%s: bound '%s' is %lld", s->name, p->name, (long long)out->values[i]);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

/* The shapes that one launch sees; is it one of a replica without rows? */
static bool collect_shapes(const cohort_binding *b, int32_t replica, cohort_bounds *out)
{
    const cohort_signature *s = b->signature;
    bool is_absent = false;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role != COHORT_ROLE_ARRAY)
            continue;
        const cohort_value *value = b->arrays[i].value;
        out->arrays[i].rank = -1;
        if (b->arrays[i].variable != NULL) {
            out->arrays[i] = b->arrays[i].variable->extents;
        } else if (!is_read(p)) {
            if (value->is_declared)
                out->arrays[i] = value->declared;
        } else {
            const cohort_content *c = cohort_value_content(value, replica);
            out->arrays[i] = c->extents;
            bool is_mine = value->kind == COHORT_PER_REPLICA_VALUE;
            is_absent = is_absent || (is_mine && (c->state == COHORT_CONTENT_ABSENT || cohort_content_items(c) == 0));
        }
    }
    return is_absent;
}

static int64_t rows_of(const cohort_value *value, int32_t replica)
{
    const cohort_content *c = cohort_value_content(value, replica);
    return c->state == COHORT_CONTENT_ABSENT ? 0 : c->extents.rank > 0 ? c->extents.shape[0] : 1;
}

/* Rows of the replicas before this one, in the first per-replica argument that is read. */
static int64_t first_row(const cohort_binding *b, int32_t replica)
{
    const cohort_value *rows = NULL;
    for (int32_t i = 0; i < b->signature->n_parameters && rows == NULL; i++)
        if (b->signature->parameters[i].role == COHORT_ROLE_ARRAY && is_read(&b->signature->parameters[i]) &&
            b->arrays[i].value != NULL && b->arrays[i].value->kind == COHORT_PER_REPLICA_VALUE)
            rows = b->arrays[i].value;
    int64_t sum = 0;
    for (int32_t r = 0; rows != NULL && r < replica; r++)
        sum += rows_of(rows, r);
    return sum;
}

static cohort_status fill_constant(const cohort_binding *b, const cohort_parameter *p, int64_t which, int32_t replica, char *out)
{
    char who[256];
    int64_t number = which == COHORT_CONSTANT_NUM_REPLICAS ? b->strategy->n_replicas
                     : which == COHORT_CONSTANT_REPLICA_ID ? replica
                                                           : first_row(b, replica);
    (void)snprintf(who, sizeof who, "%s: argument '%s'", b->signature->name, p->name);
    if (which < COHORT_CONSTANT_REPLICA_ID || which > COHORT_CONSTANT_FIRST_ROW)
        return cohort_error_set(COHORT_EINVAL, "%s: unknown constant %lld", who, (long long)which);
    if (b->kind == COHORT_CALL_UPDATE && which != COHORT_CONSTANT_NUM_REPLICAS)
        return cohort_error_set(COHORT_EINVAL, "%s: cohort_update runs once per copy, not per replica, and has no replica id",
                                who);
    cohort_argument a = cohort_argument_integer_(COHORT_ARGUMENT_INT, number);
    return cohort_number_convert(&a, (cohort_dtype)p->type, who, out);
}

/* Before anything is posted: every launch can have its constants. */
static cohort_status check_constants(const cohort_binding *b, int32_t replica)
{
    char number[16];
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < b->signature->n_parameters && status >= 0; i++)
        if (b->given[i] != NULL && b->given[i]->kind == COHORT_ARGUMENT_CONSTANT)
            status = fill_constant(b, &b->signature->parameters[i], b->given[i]->as.i, replica, number);
    return status;
}

static cohort_status solve(cohort_binding *b)
{
    for (int32_t i = 0; i < b->count; i++) {
        char where[160] = "";
        int32_t replica = b->first + i;
        cohort_bounds *bounds = &b->bounds[i];
        cohort_status status = named_bounds(b, bounds);
        if (status < 0)
            return status;
        b->is_absent[i] = collect_shapes(b, replica, bounds);
        if (b->kind != COHORT_CALL_UPDATE)
            (void)snprintf(where, sizeof where, ", replica %d on %s", replica,
                           b->strategy->crew->opened[b->strategy->host[replica]]->device->id);
        status = cohort_bounds_solve(b->signature, where, bounds);
        if (status >= 0)
            status = check_constants(b, replica);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ begin and end */

static cohort_status make_room(cohort_binding *b)
{
    bool is_made = cohort_grow((void **)&b->bounds, &b->bounds_capacity, (size_t)b->count, sizeof *b->bounds) &&
                   cohort_grow((void **)&b->is_absent, &b->absent_capacity, (size_t)b->count, sizeof *b->is_absent) &&
                   cohort_grow((void **)&b->numbers, &b->numbers_capacity, b->signature->value_bytes, 1);
    return is_made ? COHORT_OK : cohort_error_memory("the arguments of a call");
}

cohort_status cohort_binding_begin(cohort_binding *b, cohort_strategy *strategy, const cohort_function *function,
                                   const cohort_argument arguments[], cohort_call_kind kind, int32_t first, int32_t count,
                                   cohort_variable *updated)
{
    const cohort_argument *result;
    b->n_borrowed = 0;
    if (function == NULL)
        return cohort_error_null("call", "the function");
    if (arguments == NULL)
        return cohort_error_null(function->name, "the list of arguments");
    b->strategy = strategy;
    b->function = function;
    b->kind = kind;
    b->first = first;
    b->count = count;
    b->updated = updated;
    b->signature = cohort_signature_of(function);
    cohort_status status = b->signature != NULL ? make_room(b) : COHORT_EINVAL;
    if (status >= 0)
        status = match(b, arguments, &result);
    if (status >= 0)
        status = check_arguments(b);
    if (status >= 0)
        status = check_result(b, result);
    if (status >= 0)
        status = check_aliases(b);
    return status >= 0 ? solve(b) : status;
}

static void store_integer(char *out, uint32_t bytes, int64_t value)
{
    int8_t i8 = (int8_t)value;
    int16_t i16 = (int16_t)value;
    int32_t i32 = (int32_t)value;
    memcpy(out, bytes == 1 ? (void *)&i8 : bytes == 2 ? (void *)&i16 : bytes == 4 ? (void *)&i32 : (void *)&value, bytes);
}

void cohort_binding_fill_values(const cohort_binding *b, int32_t launch, char *values)
{
    const cohort_signature *s = b->signature;
    memcpy(values, b->numbers, s->value_bytes);
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role == COHORT_ROLE_ARRAY || p->role == COHORT_ROLE_LOCAL)
            continue;
        if (p->role == COHORT_ROLE_BOUND || p->role == COHORT_ROLE_COMPUTED)
            store_integer(values, p->bytes, b->bounds[launch].values[i]);
        else if (b->given[i]->kind == COHORT_ARGUMENT_CONSTANT)
            (void)fill_constant(b, p, b->given[i]->as.i, b->first + launch, values); /* it was checked */
        values += cohort_launch_value_bytes(p);
    }
}

void cohort_binding_end(cohort_binding *b)
{
    for (int32_t i = 0; i < b->n_borrowed; i++)
        b->borrowed[i]->dependent.destroy(&b->borrowed[i]->dependent);
    b->n_borrowed = 0;
}

void cohort_binding_fini(cohort_binding *b)
{
    cohort_free(b->bounds);
    cohort_free(b->is_absent);
    cohort_free(b->numbers);
}
