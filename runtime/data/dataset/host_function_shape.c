/* SPDX-License-Identifier: BSD-3-Clause */
/* The shapes of a function's outputs, as far as they are known before there is an element: all of
 * them where the components have known extents, else the extents that follow from those that
 * are. */
#include "config.h"

#include "runtime/data/dataset/host_function.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/expression.h"

#include <string.h>

/* Bounds that all elements share. */
typedef struct knowledge {
    bool is_known[COHORT_MAX_ARGUMENTS];
    int64_t values[COHORT_MAX_ARGUMENTS];
} knowledge;

static bool is_array_read(const cohort_host_function *f, int32_t i)
{
    return f->input_of[i] >= 0 && cohort_parameter_is_array(&f->signature->parameters[i]);
}

/* Some array that is read has the bound as an extent by itself. */
static bool is_solved_by_input(const cohort_host_function *f, int32_t bound)
{
    for (int32_t i = 0; i < f->signature->n_parameters; i++)
        for (int32_t axis = 0; is_array_read(f, i) && axis < f->signature->parameters[i].rank;
             axis++)
            if (f->signature->parameters[i].extents[axis].bare == bound)
                return true;
    return false;
}

static cohort_status check_bounds(const cohort_host_function *f, const char *who)
{
    const cohort_signature *s = f->signature;
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (s->parameters[i].role == COHORT_ROLE_BOUND && !is_solved_by_input(f, i))
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: %s: nothing says how large %s is: no array that is read has it as an extent; "
                "write a number in its place",
                who, s->name, s->parameters[i].name);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ some extents are known */

static bool product(const cohort_spec *spec, int64_t *out)
{
    *out = 1;
    for (int32_t i = 0; i < spec->rank; i++)
        if (spec->shape[i] < 0 || !cohort_multiply(*out, spec->shape[i], out))
            return false;
    return true;
}

/* A bound gets its value from arrays with known extents. Where two disagree the later one stays
 * here: solving an element tells that as an error. */
static void learn(const cohort_parameter *p, const cohort_spec *spec, knowledge *k)
{
    for (int32_t axis = 0; axis < p->rank && !p->is_unsized; axis++) {
        int64_t value = p->rank == 1 ? 0 : spec->shape[axis];
        int32_t bound = p->extents[axis].bare;
        if (bound < 0 || value < 0 || (p->rank == 1 && !product(spec, &value)))
            continue;
        k->is_known[bound] = true;
        k->values[bound] = value;
    }
}

static bool evaluate(const cohort_expression *e, const knowledge *k, int64_t *out)
{
    for (int32_t i = 0; i < e->count; i++)
        if (e->nodes[i].kind == COHORT_NODE_PARAMETER && !k->is_known[e->nodes[i].operand])
            return false;
    return cohort_expression_evaluate(e, k->values, out) == NULL && *out >= 0;
}

static void know(const cohort_host_function *f, const cohort_spec specs[], knowledge *k)
{
    const cohort_signature *s = f->signature;
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (is_array_read(f, i))
            learn(&s->parameters[i], &specs[f->input_of[i]], k);
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (s->parameters[i].role == COHORT_ROLE_COMPUTED)
            k->is_known[i] = evaluate(&s->parameters[i].computed, k, &k->values[i]);
}

static void guess_outputs(cohort_host_function *f, const cohort_spec specs[])
{
    knowledge k = { 0 };
    know(f, specs, &k);
    for (int32_t i = 0; i < f->signature->n_parameters; i++) {
        const cohort_parameter *p = &f->signature->parameters[i];
        if (f->output_of[i] < 0)
            continue;
        cohort_spec *out = &f->outputs[f->output_of[i]];
        *out = (cohort_spec){ .dtype = (cohort_dtype)p->type, .rank = p->rank };
        for (int32_t axis = 0; axis < p->rank; axis++)
            if (!evaluate(&p->extents[axis], &k, &out->shape[axis]))
                out->shape[axis] = -1;
        /* an array that is read and written has the shape of its component */
        if (f->input_of[i] >= 0)
            *out = specs[f->input_of[i]];
    }
}

/* ------------------------------------------------------------------ all are */

static cohort_status fix(cohort_host_function *f, const cohort_spec specs[], const char *who)
{
    cohort_array in[COHORT_MAX_ARGUMENTS], out[COHORT_MAX_ARGUMENTS + 1];
    const cohort_bounds *bounds;
    for (int32_t k = 0; k < f->n_inputs; k++) {
        in[k] = (cohort_array){ .dtype = specs[k].dtype, .rank = specs[k].rank };
        memcpy(in[k].shape, specs[k].shape, sizeof in[k].shape);
    }
    cohort_status status = cohort_host_function_solve(f, in, -1, &f->bounds, &bounds, out);
    if (status < 0)
        return cohort_error_prefix(status, "%s", who);
    for (int32_t k = 0; k < f->n_outputs; k++)
        memcpy(f->outputs[k].shape, out[k].shape, sizeof out[k].shape);
    f->is_fixed = true;
    return COHORT_OK;
}

cohort_status cohort_host_function_shape(cohort_host_function *f, const cohort_spec specs[],
                                         const char *who)
{
    int64_t items;
    bool is_known = true;
    cohort_status status = check_bounds(f, who);
    for (int32_t k = 0; k < f->n_inputs; k++)
        is_known = is_known && product(&specs[k], &items);
    guess_outputs(f, specs);
    if (f->signature->has_result)
        f->outputs[f->n_outputs - 1] =
            (cohort_spec){ .dtype = (cohort_dtype)f->signature->result_type };
    return status >= 0 && is_known ? fix(f, specs, who) : status;
}
