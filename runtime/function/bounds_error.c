/* SPDX-License-Identifier: BSD-3-Clause */
/* Each text names both sides with where they come from, and the fix where there is one. Names
 * and expressions of the prototype are cut to 80 bytes, so that the end of a sentence, which has
 * the fix, is never lost to a long name. */
#include "config.h"

#include "runtime/function/bounds_error.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/function/image.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Words for messages */

enum { SHOWN_ARRAY = 320 };

/* "x[n][2 * d]" */
static const char *array_text(const cohort_parameter *parameter, char room[SHOWN_ARRAY])
{
    cohort_text text = cohort_text_begin(room, SHOWN_ARRAY);
    cohort_text_add(&text, "%.80s", parameter->name);
    for (int32_t axis = 0; axis < parameter->rank; axis++)
        cohort_text_add(&text, "[%.80s]", parameter->extents[axis].text);
    return room;
}

/* "4 x 5", "1 element" for rank 0 */
static const char *shape_text(const cohort_extents *array, char room[SHOWN_ARRAY])
{
    cohort_text text = cohort_text_begin(room, SHOWN_ARRAY);
    for (int32_t axis = 0; axis < array->rank; axis++)
        cohort_text_add_item(&text, " x ", "%lld", (long long)array->shape[axis]);
    if (array->rank == 0)
        cohort_text_add(&text, "1 element");
    return room;
}

/* "rows", "columns", "elements", "elements along axis 2" */
static const char *axis_text(const cohort_parameter *parameter, int32_t axis,
                             char room[SHOWN_ARRAY])
{
    if (axis == 0 || parameter->rank == 2)
        return parameter->rank == 1 ? "elements" : axis == 0 ? "rows" : "columns";
    (void)snprintf(room, SHOWN_ARRAY, "elements along axis %d", (int)axis);
    return room;
}

/* "rows of x", "by x[2 * n]", or "by name" */
static const char *source_text(const cohort_bounds_solver *s, int source, char room[SHOWN_ARRAY])
{
    char axis[SHOWN_ARRAY];
    if (source == COHORT_BOUNDS_BY_NAME)
        return "by name";
    const cohort_parameter *parameter = &s->signature->parameters[source / COHORT_MAX_RANK];
    if (parameter->extents[source % COHORT_MAX_RANK].bare < 0) {
        (void)snprintf(room, SHOWN_ARRAY, "by %.300s", array_text(parameter, axis));
        return room;
    }
    (void)snprintf(room, SHOWN_ARRAY, "%.80s of %.80s",
                   axis_text(parameter, source % COHORT_MAX_RANK, axis), parameter->name);
    return room;
}

/* Integers are computed when all bounds are solved. */
static bool has_value(const cohort_bounds_solver *s, int32_t i)
{
    uint64_t open = s->signature->bounds & ~s->solved;
    bool is_computed = s->signature->parameters[i].role == COHORT_ROLE_COMPUTED;
    return is_computed ? open == 0 : (open >> i & 1) == 0;
}

/* "; n is 10, d is 4": the known parameters that an expression names; "" when it names none. */
static const char *values_text(const cohort_bounds_solver *s, const cohort_expression *expression,
                               char room[SHOWN_ARRAY])
{
    cohort_text text = cohort_text_begin(room, SHOWN_ARRAY);
    uint64_t is_told = 0; /* one bit for each parameter */
    for (int32_t i = 0; i < expression->count; i++) {
        const cohort_expression_step *node = &expression->nodes[i];
        if (node->kind != COHORT_NODE_PARAMETER || (is_told >> node->operand & 1) != 0 ||
            !has_value(s, (int32_t)node->operand))
            continue;
        is_told |= UINT64_C(1) << node->operand;
        cohort_text_add(&text, "%s%.80s is %lld", text.length > 0 ? ", " : "; ",
                        s->signature->parameters[node->operand].name,
                        (long long)s->bounds->values[node->operand]);
    }
    return room;
}

__attribute__((format(printf, 2, 3))) static cohort_status refuse(const cohort_bounds_solver *s,
                                                                  const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return cohort_error_set(COHORT_EINVAL, "%s%s: %s", s->signature->name, s->where, message);
}

/* ---- Arrays that are known */

cohort_status cohort_bounds_error_rank(const cohort_bounds_solver *s,
                                       const cohort_parameter *parameter,
                                       const cohort_extents *array)
{
    char wanted[SHOWN_ARRAY], found[SHOWN_ARRAY];
    if (array->rank < 0 || array->rank > COHORT_MAX_RANK)
        return refuse(s, "the array for %s has rank %d", parameter->name, (int)array->rank);
    return refuse(s, "%s wants rank %d, the array has rank %d (%s)", array_text(parameter, wanted),
                  (int)parameter->rank, (int)array->rank, shape_text(array, found));
}

cohort_status cohort_bounds_error_shape(const cohort_bounds_solver *s,
                                        const cohort_parameter *parameter,
                                        const cohort_extents *array)
{
    char found[SHOWN_ARRAY];
    return refuse(s, "the array for %s is %s, which is negative or too large", parameter->name,
                  shape_text(array, found));
}

cohort_status cohort_bounds_error_bound(const cohort_bounds_solver *s, int32_t bound, int source,
                                        int64_t value)
{
    char first[SHOWN_ARRAY], second[SHOWN_ARRAY];
    return refuse(s, "%s is %lld %s but %lld %s; arrays that share a bound must agree",
                  s->signature->parameters[bound].name, (long long)s->bounds->values[bound],
                  source_text(s, s->sources[bound], first), (long long)value,
                  source_text(s, source, second));
}

cohort_status cohort_bounds_error_solution(const cohort_bounds_solver *s,
                                           const cohort_parameter *parameter, int32_t axis,
                                           int32_t bound, int64_t found, int64_t value)
{
    char place[SHOWN_ARRAY], array[SHOWN_ARRAY], values[SHOWN_ARRAY], least[40] = "";
    if (value < 0)
        (void)snprintf(least, sizeof least, " but %lld", (long long)value);
    return refuse(s, "%s has %lld %s, which is %s for no %s%s%s", parameter->name, (long long)found,
                  axis_text(parameter, axis, place), array_text(parameter, array),
                  s->signature->parameters[bound].name, least,
                  values_text(s, &parameter->extents[axis], values));
}

cohort_status cohort_bounds_error_lanes(const cohort_bounds_solver *s,
                                        const cohort_parameter *parameter,
                                        const cohort_extents *array, int64_t lanes)
{
    char found[SHOWN_ARRAY];
    return refuse(
        s, "%s is made of vectors of %lld elements; the array is %s, which does not divide by %lld",
        parameter->name, (long long)lanes, shape_text(array, found), (long long)lanes);
}

cohort_status cohort_bounds_error_image(const cohort_bounds_solver *s,
                                        const cohort_parameter *parameter,
                                        const cohort_extents *array)
{
    char found[SHOWN_ARRAY];
    return refuse(s, "%s is an %s: %s, and then %s; the array is %s", parameter->name,
                  cohort_image_type(parameter), cohort_image_axes(parameter),
                  (parameter->pixel & COHORT_PIXEL_BGRA) != 0
                      ? "4 channels (bgra)"
                      : "2 or 4 channels, or nothing, which is one channel",
                  shape_text(array, found));
}

/* ---- Bounds and computed integers */

cohort_status cohort_bounds_error_value(const cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    char room[SHOWN_ARRAY];
    long long value = s->bounds->values[i];
    if (parameter->role == COHORT_ROLE_COMPUTED)
        return refuse(s, "%s is COHORT_IS(%.80s) and would be %lld, which does not fit %s%s",
                      parameter->name, parameter->computed.text, value,
                      cohort_dtype_name((cohort_dtype)parameter->type),
                      values_text(s, &parameter->computed, room));
    return refuse(s, "%s is %lld %s, which %s %s", parameter->name, value,
                  source_text(s, s->sources[i], room),
                  value < 0 ? "is below 0, and it is" : "does not fit",
                  value < 0 ? "a bound" : cohort_dtype_name((cohort_dtype)parameter->type));
}

static bool names(const cohort_expression *expression, int32_t i)
{
    for (int32_t k = 0; k < expression->count; k++)
        if (expression->nodes[k].kind == COHORT_NODE_PARAMETER && expression->nodes[k].operand == i)
            return true;
    return false;
}

/* How a parameter uses bound i: 0 not at all, 1 inside an expression, 2 as an extent by itself.
 * The last is the best one to name: there the bound is read off directly. */
static int use_of(const cohort_parameter *parameter, int32_t i)
{
    int use = parameter->role == COHORT_ROLE_COMPUTED && names(&parameter->computed, i);
    for (int32_t axis = 0; axis < parameter->rank; axis++)
        if (parameter->extents[axis].bare == i)
            return 2;
        else if (names(&parameter->extents[axis], i))
            use = 1;
    return use;
}

/* Nothing solves bound i: say what has it, best an output, whose shape can be declared instead. */
cohort_status cohort_bounds_error_unknown(const cohort_bounds_solver *s, int32_t i)
{
    const cohort_parameter *user = NULL, *parameters = s->signature->parameters;
    const char *name = parameters[i].name;
    char room[SHOWN_ARRAY];
    int best = 0;
    for (int32_t k = 0; k < s->signature->n_parameters; k++) {
        int use = use_of(&parameters[k], i) + (parameters[k].role == COHORT_ROLE_ARRAY);
        if (use_of(&parameters[k], i) > 0 && use > best) {
            user = &parameters[k];
            best = use;
        }
    }
    cohort_assert(user != NULL); /* an integer is a bound because another parameter names it */
    if (user->role == COHORT_ROLE_ARRAY && user->direction == COHORT_WRITE && use_of(user, i) == 2)
        return refuse(s,
                      "nothing says how large %s is: only the output %s has it; pass "
                      "COHORT_NAMED(%s, SIZE) or make "
                      "%s with cohort_value_shaped",
                      name, array_text(user, room), name, user->name);
    return refuse(s, "nothing says how large %s is: only %s has it; pass COHORT_NAMED(%s, SIZE)",
                  name, array_text(user, room), name);
}

cohort_status cohort_bounds_error_computed(const cohort_bounds_solver *s,
                                           const cohort_parameter *parameter, const char *problem)
{
    char room[SHOWN_ARRAY];
    return refuse(s, "%s is COHORT_IS(%.80s), which %s%s", parameter->name,
                  parameter->computed.text, problem, values_text(s, &parameter->computed, room));
}

/* ---- The other extents */

cohort_status cohort_bounds_error_expression(const cohort_bounds_solver *s,
                                             const cohort_parameter *parameter, int32_t axis,
                                             const char *problem)
{
    const cohort_expression *extent = &parameter->extents[axis];
    char array[SHOWN_ARRAY], values[SHOWN_ARRAY];
    return refuse(s, "%.80s of %s %s%s", extent->text, array_text(parameter, array), problem,
                  values_text(s, extent, values));
}

cohort_status cohort_bounds_error_size(const cohort_bounds_solver *s,
                                       const cohort_parameter *parameter, const int64_t *shape)
{
    char array[SHOWN_ARRAY], found[SHOWN_ARRAY];
    cohort_extents extents = { .rank = parameter->rank };
    memcpy(extents.shape, shape, (size_t)parameter->rank * sizeof *shape);
    return refuse(s, "%s would be %s, which is too large", array_text(parameter, array),
                  shape_text(&extents, found));
}

cohort_status cohort_bounds_error_extent(const cohort_bounds_solver *s,
                                         const cohort_parameter *parameter, int32_t axis,
                                         int64_t wanted, int64_t found)
{
    char array[SHOWN_ARRAY], values[SHOWN_ARRAY], place[SHOWN_ARRAY];
    return refuse(s, "%.80s has %lld %s, but %s says %lld%s", parameter->name, (long long)found,
                  axis_text(parameter, axis, place), array_text(parameter, array),
                  (long long)wanted, values_text(s, &parameter->extents[axis], values));
}

cohort_status cohort_bounds_error_unsized(const cohort_bounds_solver *s,
                                          const cohort_parameter *parameter)
{
    const char *name = parameter->name;
    if (parameter->role == COHORT_ROLE_LOCAL)
        return refuse(s,
                      "nothing says how large the scratch %s is; pass COHORT_NAMED(%s, 64) or "
                      "write %s[n] in the "
                      "prototype",
                      name, name, name);
    if (parameter->image != 0)
        return refuse(s, "nothing says how large %s is: make %s with cohort_value_shaped", name,
                      name);
    return refuse(s,
                  "nothing says how large %s is: it has no shape; write %s[n] in the prototype or "
                  "make %s with "
                  "cohort_value_shaped",
                  name, name, name);
}

cohort_status cohort_bounds_error_local(const cohort_bounds_solver *s,
                                        const cohort_parameter *parameter, int64_t given)
{
    return refuse(s, "the scratch %s has %lld elements by name; it needs at least 1",
                  parameter->name, (long long)given);
}
