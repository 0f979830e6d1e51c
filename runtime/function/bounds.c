/* SPDX-License-Identifier: BSD-3-Clause */
/* The solver of a call: what the prototype says about extents, applied to the arrays of one
 * replica. It runs in each call for each replica, so it allocates nothing, and texts of errors
 * are in a file of their own (bounds_error.c). */
#include "config.h"

#include "runtime/function/bounds.h"

#include "runtime/base/assert.h"
#include "runtime/base/dtype.h"
#include "runtime/base/memory.h"
#include "runtime/function/bounds_error.h"
#include "runtime/function/expression.h"
#include "runtime/function/image.h"
#include "runtime/function/linear.h"

_Static_assert(COHORT_MAX_ARGUMENTS <= 64, "a set of parameters is 64 bits");

static bool is_solved(const cohort_bounds_solver *s, int32_t bound)
{
    return (s->solved >> bound & 1) != 0;
}

/* The first source of a bound is kept for messages; later ones are only compared. */
static void set_solved(cohort_bounds_solver *s, int32_t bound, int source)
{
    cohort_assert(source == COHORT_BOUNDS_BY_NAME ||
                  source / COHORT_MAX_RANK < s->signature->n_parameters);
    s->solved |= UINT64_C(1) << bound;
    s->sources[bound] = (int16_t)source;
}

/* ---- Arrays that are known */

/* Elements along an axis of the prototype. A single bracket takes an array of any rank as its
 * elements, all in one axis. */
static bool given_extent(const cohort_parameter *parameter, const cohort_extents *array,
                         int32_t axis, int64_t *out)
{
    *out = 1;
    if (parameter->rank != 1) {
        *out = array->shape[axis];
        return *out >= 0;
    }
    for (int32_t i = 0; i < array->rank; i++)
        if (array->shape[i] < 0 || !cohort_multiply(*out, array->shape[i], out))
            return false;
    return true;
}

/* The first array that has a bound says its value, each later one is compared. The extent is
 * looked at even where it says no bound: a negative one, or too many elements, is an error
 * anyway. */
static cohort_status take_extent(cohort_bounds_solver *s, int32_t i, int32_t axis)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    int32_t bound = parameter->extents[axis].bare;
    int source = i * COHORT_MAX_RANK + axis;
    int64_t value = 0;
    if (!given_extent(parameter, &s->bounds->arrays[i], axis, &value))
        return cohort_bounds_error_shape(s, parameter, &s->bounds->arrays[i]);
    if (bound < 0 || s->signature->parameters[bound].role != COHORT_ROLE_BOUND)
        return COHORT_OK;
    if (!is_solved(s, bound)) {
        set_solved(s, bound, source);
        s->bounds->values[bound] = value;
    }
    return s->bounds->values[bound] == value ? COHORT_OK
                                             : cohort_bounds_error_bound(s, bound, source, value);
}

/* An unsized parameter has one axis without a size; behind it there may be one more, which is
 * always a number: the lanes of its vectors (declaration.c). */
static int64_t lanes_of(const cohort_parameter *unsized)
{
    cohort_assert(unsized->rank == 1 || unsized->extents[1].nodes[0].operand > 0);
    return unsized->rank == 2 ? unsized->extents[1].nodes[0].operand : 1;
}

static cohort_status take_image(const cohort_bounds_solver *s, const cohort_parameter *parameter,
                                const cohort_extents *array)
{
    cohort_image unused;
    return cohort_image_describe(parameter, array->rank, array->shape, &unused)
               ? COHORT_OK
               : cohort_bounds_error_image(s, parameter, array);
}

/* An unsized parameter takes an array of any rank and size, as long as whole vectors fit. */
static cohort_status take_unsized(const cohort_bounds_solver *s, const cohort_parameter *parameter,
                                  const cohort_extents *array)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < array->rank; axis++)
        if (array->shape[axis] < 0 || !cohort_multiply(count, array->shape[axis], &count))
            return cohort_bounds_error_shape(s, parameter, array);
    if (parameter->image != 0)
        return take_image(s, parameter, array);
    return count % lanes_of(parameter) == 0
               ? COHORT_OK
               : cohort_bounds_error_lanes(s, parameter, array, lanes_of(parameter));
}

static cohort_status take_array(cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    const cohort_extents *array = &s->bounds->arrays[i];
    cohort_status status = COHORT_OK;
    if (array->rank == -1)
        return COHORT_OK;
    bool takes_any_rank = parameter->rank == 1 || parameter->is_unsized;
    if (array->rank < 0 || array->rank > COHORT_MAX_RANK ||
        (!takes_any_rank && array->rank != parameter->rank))
        return cohort_bounds_error_rank(s, parameter, array);
    if (parameter->is_unsized)
        return take_unsized(s, parameter, array);
    for (int32_t axis = 0; status == COHORT_OK && axis < parameter->rank; axis++)
        status = take_extent(s, i, axis);
    return status;
}

/* Names come first: where an array disagrees with a name, the message has the name as what was
 * said first, and the array as what is at fault. */
static cohort_status take_arrays(cohort_bounds_solver *s)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < s->signature->n_parameters; i++)
        if (s->bounds->is_named[i])
            set_solved(s, i, COHORT_BOUNDS_BY_NAME);
    for (int32_t i = 0; status == COHORT_OK && i < s->signature->n_parameters; i++)
        if (s->signature->parameters[i].role == COHORT_ROLE_ARRAY)
            status = take_array(s, i);
    return status;
}

/* ---- Extents with one unknown */

/* A set of parameters: bounds that nothing has told yet. */
static uint64_t open_bounds(const cohort_bounds_solver *s)
{
    return s->signature->bounds & ~s->solved;
}

/* start[rows + 1] says how many rows there are. An extent that is not linear says nothing. */
static cohort_status solve_extent(cohort_bounds_solver *s, int32_t i, int32_t axis)
{
    const cohort_parameter *all = s->signature->parameters, *parameter = &all[i];
    const cohort_expression *extent = &parameter->extents[axis];
    int32_t unknown = cohort_linear_unknown(extent, all, ~open_bounds(s));
    cohort_linear form = { 0, 0, true };
    if (unknown < 0)
        return COHORT_OK;
    const char *problem = cohort_linear_of(extent, all, s->bounds->values, unknown, &form);
    if (problem != NULL)
        return cohort_bounds_error_expression(s, parameter, axis, problem);
    if (!form.is_curved && form.factor != 0) {
        int64_t found = 0, value = 0;
        (void)given_extent(parameter, &s->bounds->arrays[i], axis, &found);
        if (!cohort_linear_solve(&form, found, &value) || value < 0)
            return cohort_bounds_error_solution(s, parameter, axis, unknown, found, value);
        set_solved(s, unknown, i * COHORT_MAX_RANK + axis);
        s->bounds->values[unknown] = value;
    }
    return COHORT_OK;
}

static cohort_status solve_array(cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    cohort_status status = COHORT_OK;
    if (parameter->role != COHORT_ROLE_ARRAY || parameter->is_unsized ||
        s->bounds->arrays[i].rank == -1)
        return COHORT_OK;
    for (int32_t axis = 0; axis < parameter->rank && status == COHORT_OK; axis++)
        status = solve_extent(s, i, axis);
    return status;
}

/* A bound that one extent has solved may be all that another lacked. */
static cohort_status solve_extents(cohort_bounds_solver *s)
{
    cohort_status status = COHORT_OK;
    uint64_t before;
    do {
        before = s->solved;
        for (int32_t i = 0; i < s->signature->n_parameters && status == COHORT_OK; i++)
            status = solve_array(s, i);
    } while (status == COHORT_OK && before != s->solved);
    return status;
}

/* ---- Bounds and computed integers */

static bool fits(uint32_t type, int64_t value)
{
    cohort_dtype dtype = (cohort_dtype)type;
    return value >= cohort_dtype_least(dtype) &&
           (value < 0 || (uint64_t)value <= cohort_dtype_most(dtype));
}

/* A bound counts elements, so it is refused below 0 even where its type is signed. */
static cohort_status check_bounds(const cohort_bounds_solver *s)
{
    for (int32_t i = 0; i < s->signature->n_parameters; i++) {
        const cohort_parameter *parameter = &s->signature->parameters[i];
        if (parameter->role != COHORT_ROLE_BOUND)
            continue;
        if (!is_solved(s, i))
            return cohort_bounds_error_unknown(s, i);
        if (s->bounds->values[i] < 0 || !fits(parameter->type, s->bounds->values[i]))
            return cohort_bounds_error_value(s, i);
    }
    return COHORT_OK;
}

/* A computed integer never names another computed one (parser.c), so one pass in any order is
 * enough. */
static cohort_status compute_integers(const cohort_bounds_solver *s)
{
    for (int32_t i = 0; i < s->signature->n_parameters; i++) {
        const cohort_parameter *parameter = &s->signature->parameters[i];
        if (parameter->role != COHORT_ROLE_COMPUTED)
            continue;
        int64_t *value = &s->bounds->values[i];
        const char *problem =
            cohort_expression_evaluate(&parameter->computed, s->bounds->values, value);
        if (problem != NULL)
            return cohort_bounds_error_computed(s, parameter, problem);
        if (!fits(parameter->type, *value))
            return cohort_bounds_error_value(s, i);
    }
    return COHORT_OK;
}

/* ---- The other extents */

static cohort_status evaluate_extent(const cohort_bounds_solver *s,
                                     const cohort_parameter *parameter, int32_t axis, int64_t *out)
{
    /* nearly all extents are one name, and need no stack machine */
    const cohort_expression *extent = &parameter->extents[axis];
    const char *problem = NULL;
    if (extent->bare >= 0)
        *out = s->bounds->values[extent->bare];
    else
        problem = cohort_expression_evaluate(extent, s->bounds->values, out);
    if (problem == NULL && *out < 0)
        problem = "is below 0";
    return problem == NULL ? COHORT_OK
                           : cohort_bounds_error_expression(s, parameter, axis, problem);
}

/* Elements of an array that is to be made. Its bytes must fit 63 bits too, since whoever makes
 * it multiplies without a check. */
static cohort_status count_elements(const cohort_bounds_solver *s,
                                    const cohort_parameter *parameter, const int64_t *shape,
                                    int64_t *out)
{
    int64_t bytes = parameter->bytes;
    *out = 1;
    for (int32_t axis = 0; axis < parameter->rank; axis++)
        if (!cohort_multiply(bytes, shape[axis], &bytes) ||
            !cohort_multiply(*out, shape[axis], out))
            return cohort_bounds_error_size(s, parameter, shape);
    return COHORT_OK;
}

static cohort_status compute_shape(const cohort_bounds_solver *s, const cohort_parameter *parameter,
                                   int64_t *shape, int64_t *out_count)
{
    cohort_status status = COHORT_OK;
    for (int32_t axis = 0; status == COHORT_OK && axis < parameter->rank; axis++)
        status = evaluate_extent(s, parameter, axis, &shape[axis]);
    return status == COHORT_OK ? count_elements(s, parameter, shape, out_count) : status;
}

/* Extents that are bounds by themselves gave those bounds or were compared with them. */
static cohort_status check_array(const cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    for (int32_t axis = 0; axis < parameter->rank; axis++) {
        int64_t wanted = 0, found = 0;
        int32_t bare = parameter->extents[axis].bare;
        if (bare >= 0 && s->signature->parameters[bare].role == COHORT_ROLE_BOUND)
            continue;
        cohort_status status = evaluate_extent(s, parameter, axis, &wanted);
        if (status != COHORT_OK)
            return status;
        /* take_extent has seen that there is such a number */
        (void)given_extent(parameter, &s->bounds->arrays[i], axis, &found);
        if (wanted != found)
            return cohort_bounds_error_extent(s, parameter, axis, wanted, found);
    }
    return COHORT_OK;
}

/* The number of elements was given by name. */
static cohort_status finish_unsized_local(const cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    int64_t count = 0, given = s->bounds->values[i];
    if (!s->bounds->is_named[i])
        return cohort_bounds_error_unsized(s, parameter);
    if (given < 1)
        return cohort_bounds_error_local(s, parameter, given);
    return count_elements(s, parameter, &given, &count);
}

/* The array that an output y[n] is like: the first one with a shape that is declared x[n]; NULL:
 * there is none. */
static const cohort_extents *find_like(const cohort_bounds_solver *s,
                                       const cohort_parameter *output)
{
    int32_t bound = output->extents[0].bare;
    if (!s->bounds->keeps_rank || output->rank != 1 || bound < 0)
        return NULL;
    for (int32_t i = 0; i < s->signature->n_parameters; i++) {
        const cohort_parameter *p = &s->signature->parameters[i];
        if (p->role == COHORT_ROLE_ARRAY && p->rank == 1 && !p->is_unsized &&
            p->extents[0].bare == bound && s->bounds->arrays[i].rank != -1)
            return &s->bounds->arrays[i];
    }
    return NULL;
}

/* The shape of an output that has none yet. */
static cohort_status make_output(const cohort_bounds_solver *s, const cohort_parameter *parameter,
                                 cohort_extents *array)
{
    int64_t count = 0;
    const cohort_extents *like = find_like(s, parameter);
    cohort_status status = compute_shape(s, parameter, array->shape, &count);
    array->rank = parameter->rank;
    if (status == COHORT_OK && like != NULL && like->rank > 1)
        *array = *like;
    return status;
}

/* An image that nobody gave a shape is as the first one of its type that the call reads. */
static cohort_status make_image(const cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *all = s->signature->parameters, *image = &all[i];
    for (int32_t k = 0; k < s->signature->n_parameters; k++)
        if (all[k].image == image->image && cohort_parameter_is_read(&all[k])) {
            s->bounds->arrays[i] = s->bounds->arrays[k];
            return take_image(s, image, &s->bounds->arrays[i]);
        }
    return cohort_bounds_error_unsized(s, image);
}

static cohort_status finish_unsized(const cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    if (s->bounds->arrays[i].rank != -1)
        return COHORT_OK;
    return parameter->image != 0 ? make_image(s, i) : cohort_bounds_error_unsized(s, parameter);
}

static cohort_status finish_parameter(const cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    cohort_extents *array = &s->bounds->arrays[i];
    int64_t shape[COHORT_MAX_RANK];
    if (parameter->role == COHORT_ROLE_LOCAL && parameter->is_unsized)
        return finish_unsized_local(s, i);
    /* scratch has no array: its number of elements stands among the values */
    if (parameter->role == COHORT_ROLE_LOCAL)
        return compute_shape(s, parameter, shape, &s->bounds->values[i]);
    if (parameter->role != COHORT_ROLE_ARRAY)
        return COHORT_OK;
    if (parameter->is_unsized)
        return finish_unsized(s, i);
    if (array->rank != -1)
        /* all extents of a plain array are bounds, and were compared when the array was taken */
        return parameter->is_plain ? COHORT_OK : check_array(s, i);
    return make_output(s, parameter, array);
}

/* In this order each step has what it reads: bounds from arrays, computed integers from bounds,
 * extents from both. */
cohort_status cohort_bounds_solve(const cohort_signature *signature, const char *where,
                                  cohort_bounds *bounds)
{
    cohort_bounds_solver s = { .signature = signature, .where = where, .bounds = bounds };
    cohort_status status = take_arrays(&s);
    if (status == COHORT_OK && open_bounds(&s) != 0)
        status = solve_extents(&s);
    if (status == COHORT_OK)
        status = check_bounds(&s);
    if (status == COHORT_OK)
        status = compute_integers(&s);
    for (int32_t i = 0; status == COHORT_OK && i < signature->n_parameters; i++)
        status = finish_parameter(&s, i);
    return status;
}
