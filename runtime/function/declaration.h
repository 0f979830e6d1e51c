/* SPDX-License-Identifier: BSD-3-Clause */
/* The declaration of one parameter: what the parser has read of it, and the role that follows. */
#ifndef COHORT_FUNCTION_DECLARATION_H
#define COHORT_FUNCTION_DECLARATION_H

#include "runtime/base/dtype.h"
#include "runtime/function/parameter.h"
#include "runtime/function/signature.h"
#include "runtime/function/specifiers.h"

typedef struct cohort_declaration {
    cohort_lexer *lexer; /* of the prototype, for the carets of errors */
    cohort_types *types;
    /* filled by the parser but for role, type, direction, bytes and a shape that is not written */
    cohort_parameter *parameter;
    cohort_specifiers specifiers;
    cohort_token name; /* of length 0 where there is none */
    bool is_pointer, has_brackets, has_shape, is_computed;
    bool is_empty; /* x[] */
} cohort_declaration;

/* Types of bounds and of COHORT_IS. */
static inline bool cohort_declaration_is_integer(uint32_t type)
{
    return cohort_dtype_is_integer((cohort_dtype)type);
}

/* Give the parameter its role, type, direction and bytes; an array without a shape becomes an
 * unsized one, and lanes of vectors become the last axis. COHORT_EINVAL, with a caret under the
 * name: its words contradict each other. */
cohort_status cohort_declaration_assign_role(cohort_declaration *d);

/* An array whose size the call says: of a kernel's own declaration, and of an image. */
void cohort_declaration_leave_unsized(cohort_parameter *parameter);

#endif
