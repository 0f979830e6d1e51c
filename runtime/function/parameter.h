/* SPDX-License-Identifier: BSD-3-Clause */
/* A parameter of a prototype: its role, its type, and the expressions of its extents. */
#ifndef COHORT_FUNCTION_PARAMETER_H
#define COHORT_FUNCTION_PARAMETER_H

#include "runtime/base/dtype.h"

#include <cohort/argument.h>
#include <cohort/array.h>
#include <cohort/plugin.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum cohort_role {
    COHORT_ROLE_NUMBER, /* a scalar that the call passes: integer, real, complex, bool */
    COHORT_ROLE_STRUCT, /* a struct by value that the call passes */
    /* an integer that is an array bound: not passed by position, may be passed by name */
    COHORT_ROLE_BOUND,
    COHORT_ROLE_COMPUTED, /* COHORT_IS: not passed */
    COHORT_ROLE_ARRAY,    /* T x[..], or a pointer with COHORT_SHAPE */
    COHORT_ROLE_LOCAL,    /* COHORT_LOCAL scratch: not passed */
    COHORT_ROLE_POINTER   /* void *: passed with COHORT_POINTER */
} cohort_role;

/* One step of an expression in reverse Polish order. */
typedef struct cohort_expression_step {
    enum {
        COHORT_NODE_NUMBER,
        COHORT_NODE_PARAMETER,
        COHORT_NODE_ADD,
        COHORT_NODE_SUBTRACT,
        COHORT_NODE_MULTIPLY,
        COHORT_NODE_DIVIDE
    } kind;
    int64_t operand; /* the number, or the index of the parameter */
} cohort_expression_step;

typedef struct cohort_expression {
    const cohort_expression_step *nodes;
    int32_t count;
    int32_t bare;     /* the parameter, when the expression is one name and nothing else; else -1 */
    const char *text; /* as written, for messages: "n", "2 * k" */
} cohort_expression;

typedef struct cohort_parameter {
    const char *name;
    cohort_role role;
    /* cohort_dtype of the value or element, or COHORT_STRUCT_BASE + i: sig.types[i] */
    uint32_t type;
    /* arrays: COHORT_READ, COHORT_WRITE (COHORT_OUT), or both (inout); else 0 */
    uint32_t direction;
    uint32_t bytes; /* of the value, or of one element */
    /* an array of vectors of 3: COHORT_STRUCT_BASE + i, the vector with its room, of which the last
     * axis is the numbers; else 0 */
    uint32_t padded;
    /* an array that is passed as an image: a kind of cohort_arg, and COHORT_PIXEL_...; else 0. It
     * is unsized, and its extents are a value of the launch, a cohort_image */
    uint32_t image, pixel;
    bool is_sampler; /* a struct of the layout of cohort_sampler */
    int32_t rank;    /* arrays and locals: number of extents, at least 1; else 0 */
    /* a kernel's T *x: extents[0] is empty (count 0), and extents[1] has the lanes of a vector. Of
     * a local, the number of elements is given by name */
    bool is_unsized;
    bool is_const; /* of a pointer: const void * */
    /* each extent is a bound by itself: reading the bounds off the array checks it */
    bool is_plain;
    cohort_expression extents[COHORT_MAX_RANK];
    cohort_expression computed; /* COHORT_ROLE_COMPUTED */
} cohort_parameter;

/* The dtype of arrays of a type, of a parameter or a result: elements that have none of their own
 * (structs, long double) travel as records of the same size. */
static inline cohort_dtype cohort_parameter_array_dtype(uint32_t type)
{
    return cohort_dtype_is_number((cohort_dtype)type) ? (cohort_dtype)type : COHORT_RECORD;
}

/* Whether a launch has a value of it. */
static inline bool cohort_parameter_has_value(const cohort_parameter *parameter)
{
    return parameter->image != 0 ||
           (parameter->role != COHORT_ROLE_ARRAY && parameter->role != COHORT_ROLE_LOCAL);
}

/* Room for that value, where values stand one behind the other. */
static inline uint32_t cohort_parameter_value_bytes(const cohort_parameter *parameter)
{
    uint32_t bytes = parameter->image != 0 ? (uint32_t)sizeof(cohort_image) : parameter->bytes;
    return (bytes + 15) / 16 * 16;
}

/* A number that an expression may name. */
static inline bool cohort_parameter_is_integer(const cohort_parameter *parameter)
{
    bool is_number = parameter->role == COHORT_ROLE_NUMBER ||
                     parameter->role == COHORT_ROLE_BOUND ||
                     parameter->role == COHORT_ROLE_COMPUTED;
    return is_number && cohort_dtype_is_integer((cohort_dtype)parameter->type);
}

static inline bool cohort_parameter_is_array(const cohort_parameter *parameter)
{
    return parameter->role == COHORT_ROLE_ARRAY;
}

static inline bool cohort_parameter_is_read(const cohort_parameter *parameter)
{
    return (parameter->direction & COHORT_READ) != 0;
}

static inline bool cohort_parameter_is_written(const cohort_parameter *parameter)
{
    return (parameter->direction & COHORT_WRITE) != 0;
}

#endif
