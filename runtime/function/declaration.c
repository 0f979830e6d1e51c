/* SPDX-License-Identifier: BSD-3-Clause */
/* From the words of a declaration to its role: what the call passes for the parameter, or what
 * is computed for it. Contradictions are refused here, where there is a name to point at, so
 * that later stages know each role to be sound. */
#include "config.h"

#include "runtime/function/declaration.h"

#include "runtime/base/error.h"
#include "runtime/function/expression.h"
#include "runtime/function/image_declaration.h"

/* By its place where it has no name. */
static cohort_status wrong(const cohort_declaration *d, const char *what)
{
    if (d->name.length == 0)
        return cohort_lexer_error(d->lexer, d->name, "parameter %s %s", d->parameter->name, what);
    return cohort_lexer_error(d->lexer, d->name, "%.*s %s", cohort_token_shown(d->name),
                              d->name.start, what);
}

static cohort_status no_shape(const cohort_declaration *d)
{
    int length = cohort_token_shown(d->name);
    const char *name = d->name.start;
    return cohort_lexer_error(d->lexer, d->name,
                              "%.*s is a pointer without a shape: write %.*s[n], or "
                              "*%.*s COHORT_SHAPE(n), or void *%.*s for an opaque pointer",
                              length, name, length, name, length, name, length, name);
}

static cohort_status describe_vector(const cohort_declaration *d, uint32_t *out_type)
{
    const cohort_specifiers *s = &d->specifiers;
    return cohort_types_vector(d->types, d->lexer, s->token, s->vector, out_type);
}

/* float4 x[n] has the shape [n][4], and float3 x[n] the same, of whose last column no kernel knows;
 * plugins are told. Scratch is passed by its bytes alone and keeps the vector as its element. */
static cohort_status add_lanes(cohort_declaration *d)
{
    const cohort_specifiers *s = &d->specifiers;
    cohort_parameter *parameter = d->parameter;
    if (s->space == COHORT_SPACE_LOCAL) {
        cohort_status status = describe_vector(d, &parameter->type);
        parameter->bytes = status == COHORT_OK ? cohort_types_bytes(d->types, parameter->type) : 0;
        return status;
    }
    if (parameter->rank == COHORT_MAX_RANK)
        return wrong(d, "has more than 8 axes: the lanes of its vectors are the last one");
    cohort_status status = cohort_expression_number(d->types->arena, cohort_word_room(s->vector),
                                                    &parameter->extents[parameter->rank++]);
    return status == COHORT_OK && cohort_word_lanes(s->vector) == 3
               ? describe_vector(d, &parameter->padded)
               : status;
}

/* A kernel's own declaration, global float *x, does not say how much is there, and neither does
 * that of a header, float *x, which only a text may have: who writes a prototype for a body knows
 * the shape. */
void cohort_declaration_leave_unsized(cohort_parameter *parameter)
{
    parameter->is_unsized = true;
    parameter->rank = 1;
    parameter->extents[0] = (cohort_expression){ .bare = -1, .text = "" };
}

static cohort_status check_array(const cohort_declaration *d)
{
    const cohort_specifiers *s = &d->specifiers;
    if (d->is_computed)
        return wrong(d, "is an array; COHORT_IS computes integers");
    if (d->is_pointer && (d->has_brackets || d->is_empty))
        return wrong(d, "is an array of pointers; elements are numbers or structs");
    if (s->type == COHORT_VOID)
        return wrong(d, "has elements of type void");
    if (s->space == COHORT_SPACE_PRIVATE)
        return wrong(d, "points to private memory, which no caller can give: write global");
    if (s->is_out && s->space == COHORT_SPACE_LOCAL)
        return wrong(d, "is scratch, which is no output");
    if (s->is_const && s->is_out)
        return wrong(d, "is an output, which cannot be const");
    if (s->is_const && s->space == COHORT_SPACE_LOCAL)
        return wrong(d, "is scratch, which cannot be const");
    if (d->parameter->rank == 0 && s->space == COHORT_SPACE_NONE && !d->types->is_from_text)
        return no_shape(d);
    return COHORT_OK;
}

static cohort_status become_array(cohort_declaration *d)
{
    const cohort_specifiers *s = &d->specifiers;
    bool is_local = s->space == COHORT_SPACE_LOCAL;
    cohort_status status = check_array(d);
    if (status != COHORT_OK)
        return status;
    if (d->parameter->rank == 0)
        cohort_declaration_leave_unsized(d->parameter);
    d->parameter->role = is_local ? COHORT_ROLE_LOCAL : COHORT_ROLE_ARRAY;
    /* const is "only read"; what has neither const nor COHORT_OUT may be both, the safe answer */
    d->parameter->direction = is_local      ? 0
                              : s->is_out   ? COHORT_WRITE
                              : s->is_const ? COHORT_READ
                                            : COHORT_READ | COHORT_WRITE;
    return s->vector != NULL ? add_lanes(d) : COHORT_OK;
}

/* void *p: the call passes an address as it is, of which Cohort knows nothing. */
static cohort_status become_pointer(cohort_declaration *d)
{
    if (d->specifiers.is_out || d->is_computed)
        return wrong(d, "is an opaque pointer, which has no direction and no shape");
    d->parameter->role = COHORT_ROLE_POINTER;
    d->parameter->is_const = d->specifiers.is_const;
    d->parameter->type = COHORT_POINTER;
    d->parameter->bytes = sizeof(void *);
    return COHORT_OK;
}

static cohort_status check_value(const cohort_declaration *d)
{
    const cohort_specifiers *s = &d->specifiers;
    if (s->is_out)
        return wrong(d, "is an output, but no array: write it as an array of 1 element");
    if (s->space == COHORT_SPACE_LOCAL)
        return wrong(d, "is scratch, but no array");
    if (s->space == COHORT_SPACE_GLOBAL || s->space == COHORT_SPACE_CONSTANT)
        return wrong(d, "has an address space, but is no pointer");
    if (d->has_shape)
        return wrong(d, "has a COHORT_SHAPE, but is no pointer");
    if (s->type == COHORT_VOID)
        return wrong(d, "has the type void");
    if (cohort_dtype_is_narrow((cohort_dtype)s->type))
        return wrong(d, cohort_dtype_bytes((cohort_dtype)s->type) == 1
                            ? "is an 8-bit float, which is passed in arrays only"
                            : "is a 16-bit float, which is passed in arrays only");
    if (d->parameter->bytes > COHORT_LIMIT_STRUCT_BYTES)
        return wrong(d, "is a struct too large to be passed by value: pass an array of 1 element");
    if (d->is_computed && (!cohort_declaration_is_integer(s->type) || s->vector != NULL))
        return wrong(d, "is no integer; COHORT_IS computes integers");
    return COHORT_OK;
}

/* A vector by value is passed as a struct of its lanes. */
static cohort_status become_vector(cohort_declaration *d)
{
    cohort_parameter *parameter = d->parameter;
    cohort_status status = describe_vector(d, &parameter->type);
    if (status == COHORT_OK)
        parameter->bytes = cohort_types_bytes(d->types, parameter->type);
    parameter->role = COHORT_ROLE_STRUCT;
    return status;
}

static cohort_status become_value(cohort_declaration *d)
{
    cohort_status status = check_value(d);
    if (status != COHORT_OK)
        return status;
    if (d->specifiers.vector != NULL)
        return become_vector(d);
    /* a number becomes a bound when an extent names it (parser.c) */
    d->parameter->role = d->is_computed                             ? COHORT_ROLE_COMPUTED
                         : d->specifiers.type >= COHORT_STRUCT_BASE ? COHORT_ROLE_STRUCT
                                                                    : COHORT_ROLE_NUMBER;
    return COHORT_OK;
}

/* void * without any shape: an opaque pointer in C, and an array of bytes in a kernel, to which the
 * host can pass nothing else. */
static bool is_plain_void(const cohort_declaration *d)
{
    return d->is_pointer && !d->has_brackets && !d->has_shape && d->specifiers.type == COHORT_VOID;
}

static bool is_kernel_memory(cohort_space space)
{
    return space == COHORT_SPACE_GLOBAL || space == COHORT_SPACE_CONSTANT;
}

cohort_status cohort_declaration_assign_role(cohort_declaration *d)
{
    bool is_array = d->has_brackets || d->is_empty || d->is_pointer, is_void = is_plain_void(d),
         is_image = false;
    cohort_status status = cohort_image_declaration_assign_role(d, &is_image);
    if (is_image)
        return status;
    if (is_void && is_kernel_memory(d->specifiers.space))
        d->specifiers.type = COHORT_U8;
    d->parameter->type = d->specifiers.type;
    d->parameter->bytes = cohort_types_bytes(d->types, d->specifiers.type);
    if (is_void && d->specifiers.space == COHORT_SPACE_NONE)
        return become_pointer(d);
    return is_array ? become_array(d) : become_value(d);
}
