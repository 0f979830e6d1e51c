/* SPDX-License-Identifier: BSD-3-Clause */
/* Binding: matching the arguments of a call with the parameters of its function. The parts of it
 * that look at one argument are in binding_arguments.c, those that differ from launch to launch in
 * binding_launches.c. Nothing but the binding changes here, so that a call that is refused has
 * changed nothing. */
#include "config.h"

#include "runtime/call/binding.h"

#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/call/batches.h"
#include "runtime/call/binder.h"
#include "runtime/function/parsed.h"
#include "runtime/value/remote.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ matching */

static bool is_passed(const cohort_parameter *p)
{
    return p->role == COHORT_ROLE_NUMBER || p->role == COHORT_ROLE_STRUCT ||
           p->role == COHORT_ROLE_ARRAY || p->role == COHORT_ROLE_POINTER;
}

/* The message names all that is passed and every bound, because a common mistake is to pass a bound
 * like any other argument. */
static cohort_status wrong_count(const cohort_binding *b, int32_t got)
{
    const cohort_signature *s = b->signature;
    char takes[512], bounds[256];
    cohort_text takes_text = cohort_text_begin(takes, sizeof takes);
    cohort_text bounds_text = cohort_text_begin(bounds, sizeof bounds);
    int32_t n_bounds = 0;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        if (is_passed(&s->parameters[i]))
            cohort_text_add_item(&takes_text, ", ", "%s", s->parameters[i].name);
        if (s->parameters[i].role == COHORT_ROLE_BOUND && n_bounds++ >= 0)
            cohort_text_add_item(&bounds_text, ", ", "%s", s->parameters[i].name);
    }
    if (s->has_result)
        cohort_text_add_item(&takes_text, ", ", "a value for the result");
    return cohort_error_set(COHORT_EINVAL, "%s: takes %s (from %s%s%s%s), got %d argument%s",
                            s->name, takes[0] != '\0' ? takes : "no arguments", s->prototype,
                            n_bounds > 0 ? "; " : "", bounds,
                            n_bounds == 0   ? ""
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

/* A computed integer and sized local memory follow from the arrays; a number from the caller could
 * only contradict them. */
static cohort_status match_named(cohort_binding *b, const cohort_argument *a)
{
    int32_t i = find_parameter(b->signature, a->name);
    if (i < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: no parameter '%s' in %s", b->signature->name,
                                a->name, b->signature->prototype);
    const cohort_parameter *p = &b->signature->parameters[i];
    cohort_role role = p->role;
    if (role == COHORT_ROLE_COMPUTED || (role == COHORT_ROLE_LOCAL && !p->is_unsized))
        return cohort_error_set(COHORT_EINVAL, "%s: '%s' is %s and cannot be passed",
                                b->signature->name, a->name,
                                role == COHORT_ROLE_LOCAL ? "scratch memory" : "computed");
    if (b->given[i] != NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' is passed twice",
                                b->signature->name, a->name);
    b->given[i] = a;
    return COHORT_OK;
}

/* Positional arguments go to the parameters that calls pass, in order, and one more to the
 * result. */
static cohort_status match(cohort_binding *b, const cohort_argument arguments[],
                           const cohort_argument **out_result)
{
    const cohort_signature *s = b->signature;
    int32_t n = 0, next = 0;
    cohort_status status = COHORT_OK;
    *out_result = NULL;
    memset(b->given, 0, (size_t)s->n_parameters * sizeof *b->given);
    for (; arguments[n].kind != COHORT_ARGUMENT_END && arguments[n].name == NULL &&
           n <= COHORT_MAX_ARGUMENTS;
         n++) {
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
    for (; arguments[n].kind != COHORT_ARGUMENT_END && n <= COHORT_MAX_ARGUMENTS && status >= 0;
         n++) {
        if (arguments[n].name == NULL && n > 0 && arguments[n - 1].name != NULL)
            status = cohort_error_set(COHORT_EINVAL,
                                      "%s: argument %d follows a named one and has no name",
                                      s->name, n + 1);
        else
            status =
                arguments[n].name != NULL ? match_named(b, &arguments[n]) : wrong_count(b, total);
    }
    bool is_complete = !s->has_result || *out_result != NULL;
    for (int32_t i = 0; i < s->n_parameters; i++)
        is_complete = is_complete && (b->given[i] != NULL || !is_passed(&s->parameters[i]));
    return status < 0 || is_complete ? status : wrong_count(b, total);
}

/* ------------------------------------------------------------------ lists */

/* Almost no call has a list, or names an input, and without one the arguments are used where they
 * are instead of being copied. */
static bool has_list(const cohort_argument arguments[])
{
    int32_t n = 0;
    for (; arguments[n].kind != COHORT_ARGUMENT_END && n <= COHORT_MAX_ARGUMENTS; n++)
        if (arguments[n].kind == COHORT_ARGUMENT_LIST ||
            arguments[n].kind == COHORT_ARGUMENT_BATCH_ROWS)
            return true;
    return false;
}

/* COHORT_BATCH_ROWS_OF(input) is a number from here on, but in a recording, whose replays ask
 * anew. */
static cohort_status count_rows(const cohort_binding *b, cohort_argument *a)
{
    if (b->is_recording)
        return COHORT_OK;
    const cohort_binder *binder = cohort_binder_of(b->strategy);
    if (binder == NULL)
        return COHORT_ENOMEM;
    int64_t rows = cohort_batches_rows(binder, a->as.p);
    if (rows < 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: COHORT_BATCH_ROWS_OF(input): the input has not stepped since "
                                "it was started, or is "
                                "none of this strategy",
                                b->signature->name);
    a->kind = COHORT_ARGUMENT_INT;
    a->as.i = rows;
    return COHORT_OK;
}

static cohort_status check_list(const cohort_binding *b, const cohort_argument *a, int32_t before)
{
    if (a->name != NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: a list of values (COHORT_VALUES) has no name",
                                b->signature->name);
    if (a->as.p == NULL && a->bytes > 0)
        return cohort_error_null(b->signature->name, "a list of values");
    if (a->bytes > (uint32_t)(COHORT_MAX_ARGUMENTS - before))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: with a list of %u values there are more than %d arguments",
                                b->signature->name, a->bytes, COHORT_MAX_ARGUMENTS);
    return COHORT_OK;
}

/* COHORT_VALUES(list, n) counts as n arguments. */
static cohort_status spread_lists(cohort_binding *b, const cohort_argument arguments[])
{
    int32_t n = 0;
    for (int32_t i = 0; arguments[i].kind != COHORT_ARGUMENT_END; i++) {
        const cohort_argument *a = &arguments[i];
        bool is_list = a->kind == COHORT_ARGUMENT_LIST;
        cohort_status status = is_list ? check_list(b, a, n) : COHORT_OK;
        if (status >= 0 && n + !is_list > COHORT_MAX_ARGUMENTS)
            status = cohort_error_set(COHORT_EINVAL, "%s: more than %d arguments",
                                      b->signature->name, COHORT_MAX_ARGUMENTS);
        if (status < 0)
            return status;
        if (!is_list)
            b->spread[n++] = *a;
        if (a->kind == COHORT_ARGUMENT_BATCH_ROWS)
            status = count_rows(b, &b->spread[n - 1]);
        if (status < 0)
            return status;
        for (uint32_t j = 0; is_list && j < a->bytes; j++)
            b->spread[n++] = cohort_argument_make_(COHORT_ARGUMENT_VALUE,
                                                   ((const cohort_value *const *)a->as.p)[j]);
    }
    b->spread[n] = cohort_argument_make_(COHORT_ARGUMENT_END, NULL);
    return COHORT_OK;
}

const cohort_argument *cohort_binding_spread(cohort_binding *b, const cohort_argument arguments[])
{
    if (!has_list(arguments))
        return arguments;
    return spread_lists(b, arguments) >= 0 ? b->spread : NULL;
}

/* ------------------------------------------------------------------ what is updated */

static bool is_variable(const cohort_binding *b, int32_t i, bool is_written)
{
    const cohort_parameter *p = &b->signature->parameters[i];
    return cohort_parameter_is_array(p) && (cohort_parameter_is_written(p) || !is_written) &&
           b->given[i]->kind == COHORT_ARGUMENT_VARIABLE && b->given[i]->as.p != NULL;
}

/* The first that is this variable (NULL: any), and that is written, if one of them is; -1: none. */
static int32_t find_variable(const cohort_binding *b, const cohort_variable *which, bool is_written)
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++)
        if (is_variable(b, i, is_written) && (which == NULL || b->given[i]->as.p == which))
            return i;
    return is_written && which != NULL ? find_variable(b, which, false) : -1;
}

/* An update has one launch for each store of `updated`: of the variable that cohort_update was
 * called for, else (cohort_update_non_slot) of the first that the function writes. rows_of names
 * the bound by which the other arguments are cut when these stores are shards (cut.h). */
static cohort_status choose_stores(cohort_binding *b)
{
    b->rows_of = find_variable(b, b->updated, true);
    if (b->rows_of < 0)
        b->rows_of = find_variable(b, NULL, true);
    if (b->updated == NULL && b->rows_of < 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: it writes no variable, so there is nothing to update",
                                b->signature->name);
    if (b->updated == NULL) {
        cohort_variable *first = cohort_memory_own(b->given[b->rows_of]->as.p);
        const char *name = b->signature->parameters[b->rows_of].name;
        cohort_status status =
            cohort_handle_check(first, COHORT_HANDLE_VARIABLE, b->signature->name, name);
        if (status < 0)
            return status;
        b->updated = first;
    }
    if (b->count == 0)
        b->count = b->updated->remote != NULL ? b->updated->remote->n : b->updated->n_stores;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ aliases */

static bool is_same_container(const cohort_bound_array *a, const cohort_bound_array *b)
{
    return a != b && a->value == b->value && a->variable == b->variable;
}

/* Of two arrays that are the same container, the first of which is written. A variable is read in
 * its current buffer and written in the other one (variable.h). A value that the function reads and
 * writes has one buffer with content for both arguments. A value that it only writes has no content
 * that the other argument could read. */
static bool is_harmless(const cohort_bound_array *written, const cohort_bound_array *other)
{
    if (other->mode == COHORT_USE_WRITE)
        return false;
    return written->variable != NULL || cohort_parameter_is_read(written->parameter);
}

static cohort_status refuse_alias(const cohort_binding *b, const cohort_bound_array *written,
                                  const cohort_bound_array *other)
{
    bool is_first = written < other;
    return cohort_error_set(
        COHORT_EINVAL, "%s: arguments '%s' and '%s' are the same, and '%s' is written",
        b->signature->name, (is_first ? written : other)->parameter->name,
        (is_first ? other : written)->parameter->name, written->parameter->name);
}

/* A container that one call writes may not stand at another place of the call, unless both read and
 * write in place. */
static cohort_status check_aliases(const cohort_binding *b)
{
    const cohort_bound_array *end = b->arrays + b->n_arrays;
    for (const cohort_bound_array *x = b->arrays; x < end; x++) {
        if (x->mode != COHORT_USE_WRITE)
            continue;
        for (const cohort_bound_array *y = b->arrays; y < end; y++)
            if (is_same_container(x, y) && !is_harmless(x, y))
                return refuse_alias(b, x, y);
    }
    for (const cohort_bound_array *x = b->arrays; x < end && b->result != NULL; x++)
        if (b->result == x->value)
            return cohort_error_set(COHORT_EINVAL, "%s: argument '%s' also gets the result",
                                    b->signature->name, x->parameter->name);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ begin and end */

/* The room is kept for the next call, so that a program in its steady state allocates nothing
 * here. */
static cohort_status make_room(cohort_binding *b)
{
    bool is_made =
        cohort_grow((void **)&b->bounds, &b->bounds_capacity, (size_t)b->count,
                    sizeof *b->bounds) &&
        cohort_grow((void **)&b->is_absent, &b->absent_capacity, (size_t)b->count,
                    sizeof *b->is_absent) &&
        cohort_grow((void **)&b->first_rows, &b->rows_capacity, (size_t)b->count,
                    sizeof *b->first_rows) &&
        cohort_grow((void **)&b->numbers, &b->numbers_capacity, b->signature->value_bytes, 1);
    return is_made ? COHORT_OK : cohort_error_memory("the arguments of a call");
}

/* Everything but the bounds. */
static cohort_status begin(cohort_binding *b, cohort_strategy *strategy,
                           const cohort_function *function, const cohort_argument arguments[],
                           cohort_call_kind kind, int32_t first, int32_t count,
                           cohort_variable *updated)
{
    static const char *const calls[] = { "cohort_run", "cohort_update",
                                         "cohort_replica_run" }; /* by kind */
    const cohort_argument *result;
    b->n_borrowed = 0;
    cohort_status status = cohort_parsed_check(function, calls[kind]);
    if (status < 0)
        return status;
    if (arguments == NULL)
        return cohort_error_null(function->name, "the list of arguments");
    b->strategy = strategy;
    b->function = function;
    b->kind = kind;
    b->first = first;
    b->count = count;
    b->is_of_component = kind == COHORT_CALL_UPDATE && count > 0;
    b->updated = updated;
    b->signature = cohort_signature_of(function);
    status = b->signature != NULL ? COHORT_OK : COHORT_EINVAL;
    const cohort_argument *flat = status >= 0 ? cohort_binding_spread(b, arguments) : NULL;
    status = flat != NULL ? match(b, flat, &result) : COHORT_EINVAL;
    /* how many launches an update has is known only now, and make_room needs it */
    if (status >= 0 && kind == COHORT_CALL_UPDATE)
        status = choose_stores(b);
    if (status >= 0)
        status = make_room(b);
    if (status >= 0)
        status = cohort_binding_check_arguments(b);
    if (status >= 0)
        status = cohort_binding_check_result(b, result);
    if (status >= 0)
        status = check_aliases(b);
    if (status >= 0)
        status = cohort_binding_choose_logical(b);
    return status;
}

cohort_status cohort_binding_begin(cohort_binding *b, cohort_strategy *strategy,
                                   const cohort_function *function,
                                   const cohort_argument arguments[], cohort_call_kind kind,
                                   int32_t first, int32_t count, cohort_variable *updated)
{
    b->is_recording = false;
    cohort_status status = begin(b, strategy, function, arguments, kind, first, count, updated);
    return status >= 0 ? cohort_binding_solve(b) : status;
}

cohort_status cohort_binding_begin_recording(cohort_binding *b, cohort_strategy *strategy,
                                             const cohort_function *function,
                                             const cohort_argument arguments[],
                                             cohort_call_kind kind, cohort_variable *updated)
{
    b->is_recording = true;
    return begin(b, strategy, function, arguments, kind, 0,
                 kind == COHORT_CALL_RUN ? strategy->n_replicas : 0, updated);
}

cohort_status cohort_binding_begin_matching(cohort_binding *b, cohort_strategy *strategy,
                                            const cohort_function *function,
                                            const cohort_argument arguments[],
                                            cohort_call_kind kind, int32_t replica,
                                            cohort_variable *updated)
{
    b->is_recording = true;
    cohort_status status = begin(b, strategy, function, arguments, kind, replica, 1, updated);
    b->lead = status >= 0 ? cohort_binding_find_lead(b) : -1;
    return status;
}

/* Launches that were posted may still read what was borrowed: dropping a value gives its memory
 * back behind them, in line. */
void cohort_binding_end(cohort_binding *b)
{
    for (int32_t i = 0; i < b->n_borrowed; i++)
        cohort_value_drop(b->borrowed[i]);
    b->n_borrowed = 0;
}

void cohort_binding_fini(cohort_binding *b)
{
    cohort_free(b->bounds);
    cohort_free(b->is_absent);
    cohort_free(b->first_rows);
    cohort_free(b->own_first_rows);
    cohort_free(b->parts);
    cohort_free(b->numbers);
}

int32_t cohort_binding_device(const cohort_binding *b, int32_t launch)
{
    return b->kind == COHORT_CALL_UPDATE
               ? b->updated->stores[b->first + launch].device
               : cohort_strategy_device(b->strategy, b->first + launch, b->logical);
}

int32_t cohort_binding_replica(const cohort_binding *b, int32_t launch)
{
    return b->kind == COHORT_CALL_UPDATE && !b->updated->is_per_replica ? 0 : b->first + launch;
}

int32_t cohort_binding_named(const cohort_binding *b, int32_t launch)
{
    return b->kind == COHORT_CALL_UPDATE && !b->updated->is_per_replica
               ? -1
               : cohort_strategy_replica_id(b->strategy, cohort_binding_replica(b, launch));
}
