/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/function/bounds.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/expression.h"

#include <stdio.h>
#include <string.h>

_Static_assert(COHORT_MAX_ARGUMENTS <= 64, "a set of parameters is 64 bits");

/* Failing is rare, and its rooms for texts would stand in every frame. */
#define COLD __attribute__((cold, noinline))

/* Where the value of a bound came from: its name, or axis `source % COHORT_MAX_RANK` of the array
 * `source / COHORT_MAX_RANK`. */
enum { SOURCE_NAME = -1 };

typedef struct solver {
    const cohort_signature *signature;
    const char *where;
    cohort_bounds *bounds;
    uint64_t solved;                       /* a bit for each parameter */
    int16_t sources[COHORT_MAX_ARGUMENTS]; /* of solved bounds */
} solver;

static bool is_solved(const solver *s, int32_t bound)
{
    return (s->solved >> bound & 1) != 0;
}

static void set_solved(solver *s, int32_t bound, int source)
{
    cohort_assert(source == SOURCE_NAME || source / COHORT_MAX_RANK < s->signature->n_parameters);
    s->solved |= UINT64_C(1) << bound;
    s->sources[bound] = (int16_t)source;
}

/* ---- Words for messages */

enum { SHOWN_ARRAY = 320 };

/* "x[n][2 * d]" */
static const char *array_text(const cohort_parameter *parameter, char room[SHOWN_ARRAY])
{
    int used = snprintf(room, SHOWN_ARRAY, "%.80s", parameter->name);
    for (int32_t axis = 0; axis < parameter->rank && used < SHOWN_ARRAY; axis++)
        used += snprintf(room + used, (size_t)(SHOWN_ARRAY - used), "[%.80s]",
                         parameter->extents[axis].text);
    return room;
}

/* "4 x 5", "1 element" for rank 0 */
static const char *shape_text(const cohort_extents *array, char room[SHOWN_ARRAY])
{
    int used = snprintf(room, SHOWN_ARRAY, "%s", array->rank == 0 ? "1 element" : "");
    for (int32_t axis = 0; axis < array->rank && used < SHOWN_ARRAY; axis++)
        used += snprintf(room + used, (size_t)(SHOWN_ARRAY - used), "%s%lld", axis > 0 ? " x " : "",
                         (long long)array->shape[axis]);
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

/* "rows of x", or "by name" */
static const char *source_text(const solver *s, int source, char room[SHOWN_ARRAY])
{
    char axis[SHOWN_ARRAY];
    if (source == SOURCE_NAME)
        return "by name";
    const cohort_parameter *parameter = &s->signature->parameters[source / COHORT_MAX_RANK];
    (void)snprintf(room, SHOWN_ARRAY, "%.80s of %.80s",
                   axis_text(parameter, source % COHORT_MAX_RANK, axis), parameter->name);
    return room;
}

/* "; n is 10, d is 4": the parameters that an expression names; "" when it names none. */
static const char *values_text(const solver *s, const cohort_expression *expression,
                               char room[SHOWN_ARRAY])
{
    int used = 0;
    uint64_t is_told = 0; /* one bit for each parameter */
    room[0] = '\0';
    for (int32_t i = 0; i < expression->count && used < SHOWN_ARRAY; i++) {
        const cohort_expression_step *node = &expression->nodes[i];
        if (node->kind != COHORT_NODE_PARAMETER || (is_told >> node->operand & 1) != 0)
            continue;
        is_told |= UINT64_C(1) << node->operand;
        used += snprintf(room + used, (size_t)(SHOWN_ARRAY - used), "%s%.80s is %lld",
                         used > 0 ? ", " : "; ", s->signature->parameters[node->operand].name,
                         (long long)s->bounds->values[node->operand]);
    }
    return room;
}

COLD __attribute__((format(printf, 2, 3))) static cohort_status refuse(const solver *s,
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

/* Elements along an axis of the prototype: with a single bracket all that the array has. */
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

COLD static cohort_status refuse_rank(const solver *s, const cohort_parameter *parameter,
                                      const cohort_extents *array)
{
    char wanted[SHOWN_ARRAY], found[SHOWN_ARRAY];
    if (array->rank < 0 || array->rank > COHORT_MAX_RANK)
        return refuse(s, "the array for %s has rank %d", parameter->name, (int)array->rank);
    return refuse(s, "%s wants rank %d, the array has rank %d (%s)", array_text(parameter, wanted),
                  (int)parameter->rank, (int)array->rank, shape_text(array, found));
}

COLD static cohort_status refuse_shape(const solver *s, const cohort_parameter *parameter,
                                       const cohort_extents *array)
{
    char found[SHOWN_ARRAY];
    return refuse(s, "the array for %s is %s, which is negative or too large", parameter->name,
                  shape_text(array, found));
}

COLD static cohort_status refuse_bound(const solver *s, int32_t bound, int source, int64_t value)
{
    char first[SHOWN_ARRAY], second[SHOWN_ARRAY];
    return refuse(s, "%s is %lld %s but %lld %s; arrays that share a bound must agree",
                  s->signature->parameters[bound].name, (long long)s->bounds->values[bound],
                  source_text(s, s->sources[bound], first), (long long)value,
                  source_text(s, source, second));
}

static cohort_status take_extent(solver *s, int32_t i, int32_t axis)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    int32_t bound = parameter->extents[axis].bare;
    int source = i * COHORT_MAX_RANK + axis;
    int64_t value = 0;
    if (!given_extent(parameter, &s->bounds->arrays[i], axis, &value))
        return refuse_shape(s, parameter, &s->bounds->arrays[i]);
    if (bound < 0 || s->signature->parameters[bound].role != COHORT_ROLE_BOUND)
        return COHORT_OK;
    if (!is_solved(s, bound)) {
        set_solved(s, bound, source);
        s->bounds->values[bound] = value;
    }
    return s->bounds->values[bound] == value ? COHORT_OK : refuse_bound(s, bound, source, value);
}

static int64_t lanes_of(const cohort_parameter *unsized)
{
    cohort_assert(unsized->rank == 1 || unsized->extents[1].nodes[0].operand > 0);
    return unsized->rank == 2 ? unsized->extents[1].nodes[0].operand : 1;
}

COLD static cohort_status refuse_lanes(const solver *s, const cohort_parameter *parameter,
                                       const cohort_extents *array)
{
    char found[SHOWN_ARRAY];
    return refuse(
        s, "%s is made of vectors of %lld elements; the array is %s, which does not divide by %lld",
        parameter->name, (long long)lanes_of(parameter), shape_text(array, found),
        (long long)lanes_of(parameter));
}

/* Any rank and size, as long as whole vectors fit. */
static cohort_status take_unsized(const solver *s, const cohort_parameter *parameter,
                                  const cohort_extents *array)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < array->rank; axis++)
        if (array->shape[axis] < 0 || !cohort_multiply(count, array->shape[axis], &count))
            return refuse_shape(s, parameter, array);
    return count % lanes_of(parameter) == 0 ? COHORT_OK : refuse_lanes(s, parameter, array);
}

static cohort_status take_array(solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    const cohort_extents *array = &s->bounds->arrays[i];
    cohort_status status = COHORT_OK;
    if (array->rank == -1)
        return COHORT_OK;
    bool takes_any_rank = parameter->rank == 1 || parameter->is_unsized;
    if (array->rank < 0 || array->rank > COHORT_MAX_RANK ||
        (!takes_any_rank && array->rank != parameter->rank))
        return refuse_rank(s, parameter, array);
    if (parameter->is_unsized)
        return take_unsized(s, parameter, array);
    for (int32_t axis = 0; status == COHORT_OK && axis < parameter->rank; axis++)
        status = take_extent(s, i, axis);
    return status;
}

static cohort_status take_arrays(solver *s)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < s->signature->n_parameters; i++)
        if (s->bounds->is_named[i])
            set_solved(s, i, SOURCE_NAME);
    for (int32_t i = 0; status == COHORT_OK && i < s->signature->n_parameters; i++)
        if (s->signature->parameters[i].role == COHORT_ROLE_ARRAY)
            status = take_array(s, i);
    return status;
}

/* ---- Bounds and computed integers */

static bool fits(uint32_t type, int64_t value)
{
    static const struct {
        int64_t least, most;
    } ranges[] = {
        [COHORT_I8] = { INT8_MIN, INT8_MAX },    [COHORT_U8] = { 0, UINT8_MAX },
        [COHORT_I16] = { INT16_MIN, INT16_MAX }, [COHORT_U16] = { 0, UINT16_MAX },
        [COHORT_I32] = { INT32_MIN, INT32_MAX }, [COHORT_U32] = { 0, UINT32_MAX },
        [COHORT_I64] = { INT64_MIN, INT64_MAX }, [COHORT_U64] = { 0, INT64_MAX },
    };
    cohort_assert(type >= COHORT_I8 && type <= COHORT_U64); /* bounds are integers */
    return value >= ranges[type].least && value <= ranges[type].most;
}

COLD static cohort_status refuse_value(const solver *s, int32_t i)
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

/* How a parameter uses bound i: 0 not at all, 1 inside an expression, 2 as an extent by itself. */
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
COLD static cohort_status refuse_unknown(const solver *s, int32_t i)
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

static cohort_status check_bounds(const solver *s)
{
    for (int32_t i = 0; i < s->signature->n_parameters; i++) {
        const cohort_parameter *parameter = &s->signature->parameters[i];
        if (parameter->role != COHORT_ROLE_BOUND)
            continue;
        if (!is_solved(s, i))
            return refuse_unknown(s, i);
        if (s->bounds->values[i] < 0 || !fits(parameter->type, s->bounds->values[i]))
            return refuse_value(s, i);
    }
    return COHORT_OK;
}

COLD static cohort_status refuse_computed(const solver *s, const cohort_parameter *parameter,
                                          const char *problem)
{
    char room[SHOWN_ARRAY];
    return refuse(s, "%s is COHORT_IS(%.80s), which %s%s", parameter->name,
                  parameter->computed.text, problem, values_text(s, &parameter->computed, room));
}

static cohort_status compute_integers(const solver *s)
{
    for (int32_t i = 0; i < s->signature->n_parameters; i++) {
        const cohort_parameter *parameter = &s->signature->parameters[i];
        if (parameter->role != COHORT_ROLE_COMPUTED)
            continue;
        int64_t *value = &s->bounds->values[i];
        const char *problem =
            cohort_expression_evaluate(&parameter->computed, s->bounds->values, value);
        if (problem != NULL)
            return refuse_computed(s, parameter, problem);
        if (!fits(parameter->type, *value))
            return refuse_value(s, i);
    }
    return COHORT_OK;
}

/* ---- The other extents */

COLD static cohort_status refuse_expression(const solver *s, const cohort_parameter *parameter,
                                            int32_t axis, const char *problem)
{
    const cohort_expression *extent = &parameter->extents[axis];
    char array[SHOWN_ARRAY], values[SHOWN_ARRAY];
    return refuse(s, "%.80s of %s %s%s", extent->text, array_text(parameter, array), problem,
                  values_text(s, extent, values));
}

static cohort_status evaluate_extent(const solver *s, const cohort_parameter *parameter,
                                     int32_t axis, int64_t *out)
{
    const cohort_expression *extent = &parameter->extents[axis];
    const char *problem = NULL;
    if (extent->bare >= 0)
        *out = s->bounds->values[extent->bare];
    else
        problem = cohort_expression_evaluate(extent, s->bounds->values, out);
    if (problem == NULL && *out < 0)
        problem = "is below 0";
    return problem == NULL ? COHORT_OK : refuse_expression(s, parameter, axis, problem);
}

COLD static cohort_status refuse_size(const solver *s, const cohort_parameter *parameter,
                                      const int64_t *shape)
{
    char array[SHOWN_ARRAY], found[SHOWN_ARRAY];
    cohort_extents extents = { .rank = parameter->rank };
    memcpy(extents.shape, shape, (size_t)parameter->rank * sizeof *shape);
    return refuse(s, "%s would be %s, which is too large", array_text(parameter, array),
                  shape_text(&extents, found));
}

/* Elements of an array that is to be made; its bytes are a number too. */
static cohort_status count_elements(const solver *s, const cohort_parameter *parameter,
                                    const int64_t *shape, int64_t *out)
{
    int64_t bytes = parameter->bytes;
    *out = 1;
    for (int32_t axis = 0; axis < parameter->rank; axis++)
        if (!cohort_multiply(bytes, shape[axis], &bytes) ||
            !cohort_multiply(*out, shape[axis], out))
            return refuse_size(s, parameter, shape);
    return COHORT_OK;
}

static cohort_status compute_shape(const solver *s, const cohort_parameter *parameter,
                                   int64_t *shape, int64_t *out_count)
{
    cohort_status status = COHORT_OK;
    for (int32_t axis = 0; status == COHORT_OK && axis < parameter->rank; axis++)
        status = evaluate_extent(s, parameter, axis, &shape[axis]);
    return status == COHORT_OK ? count_elements(s, parameter, shape, out_count) : status;
}

COLD static cohort_status refuse_extent(const solver *s, const cohort_parameter *parameter,
                                        int32_t axis, int64_t wanted, int64_t found)
{
    char array[SHOWN_ARRAY], values[SHOWN_ARRAY], place[SHOWN_ARRAY];
    return refuse(s, "%.80s has %lld %s, but %s says %lld%s", parameter->name, (long long)found,
                  axis_text(parameter, axis, place), array_text(parameter, array),
                  (long long)wanted, values_text(s, &parameter->extents[axis], values));
}

/* Extents that are bounds by themselves gave those bounds or were compared with them. */
static cohort_status check_array(const solver *s, int32_t i)
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
        (void)given_extent(parameter, &s->bounds->arrays[i], axis, &found);
        if (wanted != found)
            return refuse_extent(s, parameter, axis, wanted, found);
    }
    return COHORT_OK;
}

COLD static cohort_status refuse_unsized(const solver *s, const cohort_parameter *parameter)
{
    const char *name = parameter->name;
    if (parameter->role == COHORT_ROLE_LOCAL)
        return refuse(s,
                      "nothing says how large the scratch %s is; pass COHORT_NAMED(%s, 64) or "
                      "write %s[n] in the "
                      "prototype",
                      name, name, name);
    return refuse(s,
                  "nothing says how large %s is: it has no shape; write %s[n] in the prototype or "
                  "make %s with "
                  "cohort_value_shaped",
                  name, name, name);
}

/* The number of elements was given by name. */
static cohort_status finish_unsized_local(const solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    int64_t count = 0, given = s->bounds->values[i];
    if (!s->bounds->is_named[i])
        return refuse_unsized(s, parameter);
    if (given < 1)
        return refuse(s, "the scratch %s has %lld elements by name; it needs at least 1",
                      parameter->name, (long long)given);
    return count_elements(s, parameter, &given, &count);
}

static cohort_status finish_parameter(const solver *s, int32_t i)
{
    const cohort_parameter *parameter = &s->signature->parameters[i];
    cohort_extents *array = &s->bounds->arrays[i];
    int64_t count = 0, shape[COHORT_MAX_RANK];
    if (parameter->role == COHORT_ROLE_LOCAL && parameter->is_unsized)
        return finish_unsized_local(s, i);
    if (parameter->role == COHORT_ROLE_LOCAL)
        return compute_shape(s, parameter, shape, &s->bounds->values[i]);
    if (parameter->role != COHORT_ROLE_ARRAY)
        return COHORT_OK;
    if (parameter->is_unsized)
        return array->rank != -1 ? COHORT_OK : refuse_unsized(s, parameter);
    if (array->rank != -1)
        return parameter->is_plain ? COHORT_OK : check_array(s, i);
    array->rank = parameter->rank;
    return compute_shape(s, parameter, array->shape, &count);
}

cohort_status cohort_bounds_solve(const cohort_signature *signature, const char *where,
                                  cohort_bounds *bounds)
{
    solver s = { .signature = signature, .where = where, .bounds = bounds };
    cohort_status status = take_arrays(&s);
    if (status == COHORT_OK)
        status = check_bounds(&s);
    if (status == COHORT_OK)
        status = compute_integers(&s);
    for (int32_t i = 0; status == COHORT_OK && i < signature->n_parameters; i++)
        status = finish_parameter(&s, i);
    return status;
}
