/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of the program as a step of a dataset: which component of an element is which
 * parameter, checked once when the dataset is made, so that a call for an element only moves
 * bytes. */
#include "config.h"

#include "runtime/data/dataset/host_function.h"

#include "runtime/base/handle.h"
#include "runtime/base/library.h"
#include "runtime/base/memory.h"
#include "runtime/function/format.h"
#include "runtime/function/native_call.h"

/* ------------------------------------------------------------------ the body */

/* The function that the host plugin would be given; its own comes first. */
static cohort_status find_body(const cohort_function *function, const char *who,
                               cohort_native_fn *out)
{
    *out = COHORT_HAS(function, cohort_function, host) ? function->host : NULL;
    const cohort_body *more = COHORT_HAS(function, cohort_function, more) ? function->more : NULL;
    for (const cohort_body *b = more; *out == NULL && b != NULL && b->format != NULL; b++) {
        cohort_format format = cohort_format_of(b->format);
        if (format == COHORT_FORMAT_NATIVE_FN)
            *out = b->fn;
        if (format != COHORT_FORMAT_NATIVE_SYM)
            continue;
        cohort_status status =
            cohort_library_symbol(b->data, b->entry != NULL ? b->entry : function->name, out);
        if (status < 0)
            return cohort_error_prefix(status, "%s: %s", who, function->name);
    }
    if (*out == NULL)
        return cohort_error_set(COHORT_EINCOMPATIBLE, "%s: %s has no body for the host", who,
                                function->name);
    return COHORT_OK;
}

static cohort_status prepare_call(cohort_host_function *f, const cohort_function *function,
                                  const char *who)
{
    cohort_error error = { .struct_size = sizeof error };
    f->is_item = COHORT_HAS(function, cohort_function, item_body);
    cohort_status status = cohort_call_prepare(
        f->is_item ? &f->signature->item_sig : &f->signature->sig, &f->call, &error);
    return status < 0 ? cohort_error_set(status, "%s: %s: %s", who, function->name, error.text)
                      : COHORT_OK;
}

/* ------------------------------------------------------------------ components for parameters */

static bool is_read(const cohort_parameter *p)
{
    return p->role == COHORT_ROLE_NUMBER ||
           (cohort_parameter_is_array(p) && cohort_parameter_is_read(p));
}

static cohort_status check_parameter(const cohort_host_function *f, const cohort_parameter *p,
                                     const char *who)
{
    const char *problem = NULL;
    if (p->role == COHORT_ROLE_POINTER)
        problem = "is a pointer";
    else if (p->image != 0)
        problem = "is an image";
    else if (p->is_sampler)
        problem = "is a sampler";
    else if (p->type >= COHORT_STRUCT_BASE)
        problem = "is made of structs";
    else if (p->role == COHORT_ROLE_LOCAL && p->is_unsized)
        problem = "is scratch memory without a size; write one into the prototype";
    else if (cohort_parameter_is_array(p) && p->is_unsized && !cohort_parameter_is_read(p))
        problem = "is written and has no shape; write one into the prototype";
    if (problem == NULL)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: %s: '%s' %s, which no component of an element is",
                            who, f->signature->name, p->name, problem);
}

static cohort_status match_component(const cohort_host_function *f, const cohort_parameter *p,
                                     int32_t component, const cohort_spec *spec, const char *who)
{
    const char *name = f->signature->name;
    bool is_number = p->role == COHORT_ROLE_NUMBER;
    if (p->type != (uint32_t)spec->dtype)
        return cohort_error_set(COHORT_EINVAL, "%s: %s: '%s' is %s, but component %d is %s", who,
                                name, p->name, cohort_dtype_name((cohort_dtype)p->type),
                                (int)component, cohort_dtype_name(spec->dtype));
    if (is_number ? spec->rank == 0 : p->rank == 1 || p->is_unsized || p->rank == spec->rank)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: %s: '%s' has rank %d, but component %d has rank %d",
                            who, name, p->name, is_number ? 0 : (int)p->rank, (int)component,
                            (int)spec->rank);
}

static cohort_status wrong_count(const cohort_host_function *f, int32_t n, const char *who)
{
    return cohort_error_set(
        COHORT_EINVAL, "%s: %s reads %d arguments (from %s), but elements have %d components", who,
        f->signature->name, (int)f->n_inputs, f->signature->prototype, (int)n);
}

/* The component that each parameter reads, and the output that it writes. */
static cohort_status match(cohort_host_function *f, const cohort_spec specs[], int32_t n,
                           const char *who)
{
    const cohort_signature *s = f->signature;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < s->n_parameters && status >= 0; i++) {
        const cohort_parameter *p = &s->parameters[i];
        status = check_parameter(f, p, who);
        /* components stand in the order of the parameters that are read, outputs in that of
         * those written */
        f->input_of[i] = is_read(p) ? f->n_inputs++ : -1;
        f->output_of[i] =
            cohort_parameter_is_array(p) && cohort_parameter_is_written(p) ? f->n_outputs++ : -1;
    }
    if (status >= 0 && f->n_inputs != n)
        status = wrong_count(f, n, who);
    for (int32_t i = 0; i < s->n_parameters && status >= 0; i++)
        if (f->input_of[i] >= 0)
            status =
                match_component(f, &s->parameters[i], f->input_of[i], &specs[f->input_of[i]], who);
    if (status >= 0 && s->has_result && s->result_type >= COHORT_STRUCT_BASE)
        status = cohort_error_set(COHORT_EINVAL, "%s: %s returns a struct, which no component is",
                                  who, s->name);
    f->n_outputs += s->has_result;
    return status;
}

/* ------------------------------------------------------------------ all together */

cohort_status cohort_host_function_create(const cohort_function *function,
                                          const cohort_spec specs[], int32_t n, const char *who,
                                          cohort_host_function **out)
{
    *out = NULL;
    if (function == NULL)
        return cohort_handle_refuse(function, COHORT_HANDLE_FUNCTION, who, "the function");
    const cohort_signature *signature = cohort_signature_of(function);
    if (signature == NULL)
        return cohort_error_prefix(COHORT_EINVAL, "%s", who);
    cohort_host_function *f = cohort_allocate(1, sizeof *f);
    if (f == NULL)
        return cohort_error_memory(who);
    cohort_signature_retain(signature);
    f->signature = signature;
    cohort_status status = find_body(function, who, &f->body);
    if (status >= 0)
        status = match(f, specs, n, who);
    if (status >= 0)
        status = prepare_call(f, function, who);
    if (status >= 0)
        status = cohort_host_function_shape(f, specs, who);
    if (status >= 0)
        *out = f;
    else
        cohort_host_function_destroy(f);
    return status;
}

void cohort_host_function_destroy(cohort_host_function *f)
{
    if (f == NULL)
        return;
    cohort_call_free(f->call);
    cohort_signature_release(f->signature);
    cohort_free(f);
}
