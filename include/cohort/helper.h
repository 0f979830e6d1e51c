/* SPDX-License-Identifier: BSD-3-Clause */
/* What bodies of COHORT_ITEMS may use beside their parameters: functions, constants and tables of
 * the program, written once for the host's compiler and for the kernels of other devices.
 *
 *     COHORT_CONSTANT(float, threshold, 0.5f);
 *     COHORT_TABLE(float, weights, [3], { 0.25f, 0.5f, 0.25f });
 *     COHORT_HELPER(float, soften, (float x), { return x > threshold ? x - threshold : 0; });
 *
 *     COHORT_ITEMS(blur, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
 *         float sum = weights[1] * soften(x[i]);
 *         if (i > 0)
 *             sum += weights[0] * soften(x[i - 1]);
 *         if (i < n - 1)
 *             sum += weights[2] * soften(x[i + 1]);
 *         y[i] = sum;
 *     });
 *
 * They stand at file scope, also in a header, before the functions that use them, and belong to the
 * translation unit as static functions and static constants do. A body uses them by their names;
 * nothing lists them. All kernels of a body have those that it uses and no others.
 *
 * A function of items that uses one is refused (COHORT_EINVAL) when it is parsed, at its first use
 * or by cohort_function_check, on the host too, with the name and what to write instead, if the
 * helper has what host and kernels do not have alike:
 *   - all that a body may not have (cohort/function.h), but for `return`, which it may;
 *   - a pointer or an array as parameter or result: a kernel's pointers say which memory they lead
 *     to, and it has several. Hand over the element, x[i];
 *   - a call of itself, directly or by others;
 *   - a table that is handed on or pointed into, and not indexed: its memory is one of its own;
 *   - a constant or table that is made by a call, of another constant or table, or of NAN: write
 *     numbers and macros, and NAN in bodies and functions;
 *   - the name of a function of C that kernels have, such as sqrtf, or one that begins with
 *     cohort_.
 * A type of the program's is listed by each function that uses the helper (COHORT_TYPES). */
#ifndef COHORT_HELPER_H
#define COHORT_HELPER_H

#include <cohort/macros.h>
#include <cohort/status.h>

#include <stdint.h>

/* A helper, as the macros below describe it; all texts live as long as the program or the library
 * that has them, and have their macros expanded.
 *
 * parameters  "(float x)"; NULL: a constant or a table
 * extents     of a table, "[3][3]"; else ""
 * text        the body "{ return x * x; }", or what a constant or table begins with
 * expansions  as in cohort_function
 * next        the one before it in its translation unit, or NULL */
typedef struct cohort_helper {
    uint32_t struct_size;
    int32_t line;
    const char *file, *name, *type, *parameters, *extents, *text, *expansions;
    struct cohort_helper *next;
} cohort_helper;

/* COHORT_HELPER(type, name, (parameters), { body }): a static inline function. Parameters and
 * result are numbers, bool, and structs of COHORT_STRUCT; the result may be void. */
#define COHORT_HELPER(TYPE, NAME, PROTO, ...)                                                      \
    static inline TYPE NAME PROTO __VA_ARGS__ COHORT_HELPER_(                                      \
        NAME, COHORT_EXPANDED_(NAME), COHORT_EXPANDED_(TYPE), COHORT_EXPANDED_(PROTO), "",         \
        COHORT_EXPANDED_(__VA_ARGS__))

/* COHORT_CONSTANT(type, name, number): a static const variable. An integer that extents of arrays
 * are to have is a macro or an enum instead, which C wants there. */
#define COHORT_CONSTANT(TYPE, NAME, ...)                                                           \
    static const TYPE NAME COHORT_UNUSED_ = __VA_ARGS__;                                           \
    COHORT_HELPER_(NAME, COHORT_EXPANDED_(NAME), COHORT_EXPANDED_(TYPE), COHORT_NULL_, "",         \
                   COHORT_EXPANDED_(__VA_ARGS__))

/* COHORT_TABLE(type, name, [extents], { numbers }): a static const array of one or more axes, whose
 * first extent may be left out: []. On OpenCL devices it is constant memory, of which each has
 * 64 KiB at least. */
#define COHORT_TABLE(TYPE, NAME, EXTENTS, ...)                                                     \
    static const TYPE NAME EXTENTS COHORT_UNUSED_ = __VA_ARGS__;                                   \
    COHORT_HELPER_(NAME, COHORT_EXPANDED_(NAME), COHORT_EXPANDED_(TYPE), COHORT_NULL_,             \
                   COHORT_EXPANDED_(EXTENTS), COHORT_EXPANDED_(__VA_ARGS__))

/* The helpers of this translation unit, which join before main, or when the library that has them
 * is loaded: before anything of the program can parse a function. */
static cohort_helper *cohort_helpers_ COHORT_UNUSED_;

#define COHORT_HELPER_(NAME, TEXT, TYPE, PARAMETERS, EXTENTS, BODY)                                \
    static cohort_helper NAME##_cohort_helper = {                                                  \
        sizeof(cohort_helper), __LINE__,    __FILE__, TEXT, TYPE, PARAMETERS, EXTENTS, BODY,       \
        COHORT_EXPANSIONS_,    COHORT_NULL_                                                        \
    };                                                                                             \
    __attribute__((constructor(101))) static void NAME##_cohort_join(void)                         \
    {                                                                                              \
        NAME##_cohort_helper.next = cohort_helpers_;                                               \
        cohort_helpers_ = &NAME##_cohort_helper;                                                   \
    }                                                                                              \
    struct cohort_helper

#endif
