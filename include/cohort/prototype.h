/* SPDX-License-Identifier: BSD-3-Clause */
/* The prototype of a function as data: its parameters and its result, for programs that make calls
 * from data, such as the command and language bindings.
 *
 *     cohort_parameter_info p = { .struct_size = sizeof p };
 *     for (int i = 0; cohort_function_parameter(f, i, &p) == COHORT_OK; i++)
 *         printf("%s: %s\n", p.name, p.type);
 */
#ifndef COHORT_PROTOTYPE_H
#define COHORT_PROTOTYPE_H

#include <cohort/array.h>
#include <cohort/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call deals with a parameter. The first four are passed, by position. */
typedef enum cohort_parameter_kind {
    COHORT_PARAMETER_NUMBER = 1, /* a scalar by value */
    COHORT_PARAMETER_STRUCT,     /* a struct or vector by value: COHORT_BYTES */
    COHORT_PARAMETER_ARRAY,      /* a value, a variable or an array */
    COHORT_PARAMETER_POINTER,    /* COHORT_POINTER */
    COHORT_PARAMETER_BOUND,      /* read off the arrays, or passed by name where no array tells */
    COHORT_PARAMETER_COMPUTED,   /* COHORT_IS: never passed */
    COHORT_PARAMETER_LOCAL       /* scratch memory: not passed, or its number of elements by name */
} cohort_parameter_kind;

/* Flags of an array: in 1, out 2, inout 3; const void *p has 1, and void *p 3. */
enum { COHORT_PARAMETER_READ = 1, COHORT_PARAMETER_WRITTEN = 2 };

/* The index of the result, which comes after the parameters. */
enum { COHORT_RESULT = -1 };

/* The description of a parameter.
 *
 * struct_size  sizeof of this struct, set by the caller: it may grow
 * dtype        of the value, or of one element; COHORT_RECORD for structs, COHORT_VOID where there
 *              is no result
 * rank         brackets of an array; one takes any rank. 0: no array, or a kernel's T *x, which
 *              takes any array
 * item_bytes   of the value, or of one element
 * type         "float32", or the struct's name
 * extents      texts of the brackets, such as "n" and "2 * k"; NULL behind the last
 * Texts are lent until the function is destroyed, or for the life of the program for one of
 * COHORT_FUNCTION. */
typedef struct cohort_parameter_info {
    uint32_t struct_size, flags;
    cohort_parameter_kind kind;
    cohort_dtype dtype;
    int32_t rank, reserved;
    int64_t item_bytes;
    const char *name, *type;
    const char *extents[COHORT_MAX_RANK];
} cohort_parameter_info;

/* Describe the parameter at this place of the prototype, from 0 on, or COHORT_RESULT, whose name is
 * "result"; a returned cohort_status is no result. COHORT_END past the last; COHORT_EINVAL when the
 * prototype does not parse, or struct_size is not set; then nothing is written. Threads: any. */
COHORT_API cohort_status cohort_function_parameter(const cohort_function *function, int index,
                                                   cohort_parameter_info *out);

/* Describe a number in one item of that parameter: dtype and place of the number at `position`,
 * counted from 0 through nested structs and arrays; an item that is a number has this one alone.
 * COHORT_END past the last; errors as above. */
COHORT_API cohort_status cohort_function_scalar(const cohort_function *function, int index,
                                                int position, cohort_dtype *out_dtype,
                                                int64_t *out_offset);

#ifdef __cplusplus
}
#endif
#endif
