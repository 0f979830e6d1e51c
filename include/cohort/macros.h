/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the public macros that would make compilers warn: how `...` becomes a list of
 * arguments, and prototypes that are written twice. None of it is for programs.
 *
 * To gcc this is a system header. So it shows a wrong argument where the program has it, and not
 * again for each macro on the way. */
#ifndef COHORT_MACROS_H
#define COHORT_MACROS_H

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

/* On static variables of headers and of macros. */
#define COHORT_UNUSED_ __attribute__((unused))

/* The text of tokens whose macros are expanded. */
#define COHORT_EXPANDED_(...) #__VA_ARGS__

/* What names that C has as macros, and kernels too, expand to where a function is declared: a line
 * each, the name with its arguments, a tab, and what the library or the compiler makes of it. By
 * that the names are found again in the text of a body. All functions that see the same headers
 * share one such text. */
/* clang-format off */
#define COHORT_EXPANSION_(...) COHORT_EXPANSION_OF_(#__VA_ARGS__, __VA_ARGS__)
#define COHORT_EXPANSION_OF_(TEXT, ...) TEXT "\t" COHORT_EXPANDED_(__VA_ARGS__) "\n"
#define COHORT_EXPANSIONS_ \
    COHORT_EXPANSION_(NAN) COHORT_EXPANSION_(INFINITY) COHORT_EXPANSION_(HUGE_VALF) \
    COHORT_EXPANSION_(HUGE_VAL) COHORT_EXPANSION_(DBL_MAX) COHORT_EXPANSION_(DBL_MIN) \
    COHORT_EXPANSION_(DBL_EPSILON) COHORT_EXPANSION_(NULL) COHORT_EXPANSION_(isnan(cohort_a)) \
    COHORT_EXPANSION_(isfinite(cohort_a)) COHORT_EXPANSION_(isinf(cohort_a)) \
    COHORT_EXPANSION_(isnormal(cohort_a)) COHORT_EXPANSION_(signbit(cohort_a)) \
    COHORT_EXPANSION_(isgreater(cohort_a, cohort_b)) \
    COHORT_EXPANSION_(isgreaterequal(cohort_a, cohort_b)) \
    COHORT_EXPANSION_(isless(cohort_a, cohort_b)) \
    COHORT_EXPANSION_(islessequal(cohort_a, cohort_b)) \
    COHORT_EXPANSION_(islessgreater(cohort_a, cohort_b)) \
    COHORT_EXPANSION_(isunordered(cohort_a, cohort_b))
/* clang-format on */

#ifndef __cplusplus

/* Take functions of Cohort's alone: a C function of the program is an error of the compiler, which
 * else would only warn. */
#define COHORT_CALLED_(function)                                                                   \
    _Generic((function), const cohort_function *: (function), cohort_function *: (function),       \
        void *: (function))

/* Switch -Wvla off around a prototype of the program's, whose arrays x[n] are parameters and no
 * arrays of variable length on a stack. gcc places such a warning at the last pragma, which is here
 * then. It allows no pragma between a prototype and its body; clang does. */
#if defined(__clang__)
#define COHORT_PROTOTYPE_BEGIN_                                                                    \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wvla\"")
#define COHORT_PROTOTYPE_END_ _Pragma("clang diagnostic pop")
#elif defined(__GNUC__)
#define COHORT_PROTOTYPE_BEGIN_ _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic pop")
#define COHORT_PROTOTYPE_END_
#else
#define COHORT_PROTOTYPE_BEGIN_
#define COHORT_PROTOTYPE_END_
#endif

/* Room for what does not fit into 8 bytes of an argument (argument.h). */
/* clang-format off */
#define COHORT_ROOM_(x)                                                                           \
    _Generic((x), long double: (long double[1]){ 0 },                                             \
        float _Complex: (long double _Complex[1]){ 0 },                                           \
        double _Complex: (long double _Complex[1]){ 0 },                                          \
        long double _Complex: (long double _Complex[1]){ 0 },                                     \
        cohort_array: (cohort_array[1]){ { 0 } }, default: (void *)0)

#define COHORT_ARG_(x)                                                                            \
    _Generic((x), _Bool: cohort_argument_of_int_, char: cohort_argument_of_int_,                  \
        signed char: cohort_argument_of_int_, short: cohort_argument_of_int_,                     \
        int: cohort_argument_of_int_, long: cohort_argument_of_int_,                              \
        long long: cohort_argument_of_int_, unsigned char: cohort_argument_of_uint_,              \
        unsigned short: cohort_argument_of_uint_, unsigned: cohort_argument_of_uint_,             \
        unsigned long: cohort_argument_of_uint_, unsigned long long: cohort_argument_of_uint_,    \
        float: cohort_argument_of_real_, double: cohort_argument_of_real_,                        \
        long double: cohort_argument_of_long_double_,                                             \
        float _Complex: cohort_argument_of_complex_, double _Complex: cohort_argument_of_complex_, \
        long double _Complex: cohort_argument_of_complex_,                                        \
        cohort_array: cohort_argument_of_array_, cohort_argument: cohort_argument_of_argument_,   \
        cohort_value *: cohort_argument_of_value_,                                                \
        const cohort_value *: cohort_argument_of_value_,                                          \
        cohort_variable *: cohort_argument_of_variable_,                                          \
        const cohort_variable *: cohort_argument_of_variable_,                                    \
        default: cohort_wants_COHORT_ARRAY_or_COHORT_BYTES)                                       \
        (x, COHORT_ROOM_(x))
/* clang-format on */

/* COHORT_ARGUMENTS_(function, a, b): the list of a and b; the function comes along because `...`
 * may not be empty. */
#define COHORT_ARGUMENTS_(...)                                                                     \
    ((const cohort_argument[]){ COHORT_LIST_(COHORT_COUNT_(__VA_ARGS__), __VA_ARGS__) })
#define COHORT_HEAD_(head, ...) head
#define COHORT_LAST_ARGUMENT_                                                                      \
    {                                                                                              \
        .kind = COHORT_ARGUMENT_END                                                                \
    }
#define COHORT_LIST_(n, ...) COHORT_LIST_OF_(n, __VA_ARGS__)
#define COHORT_LIST_OF_(n, ...) COHORT_LIST_##n##_(__VA_ARGS__)
#define COHORT_LIST_MANY_(...) cohort_calls_take_at_most_40_arguments
/* clang-format off */
#define COHORT_COUNT_(...) \
    COHORT_PICK_(__VA_ARGS__, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, \
    MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, 41, 40, 39, 38, 37, 36, 35, 34, \
    33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, \
    10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define COHORT_PICK_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, \
    a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, \
    a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, \
    a56, a57, a58, a59, a60, a61, a62, a63, n, ...) n
#define COHORT_LIST_1_(f) COHORT_LAST_ARGUMENT_
#define COHORT_LIST_2_(f, a) COHORT_ARG_(a), COHORT_LAST_ARGUMENT_
#define COHORT_LIST_3_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_2_(f, __VA_ARGS__)
#define COHORT_LIST_4_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_3_(f, __VA_ARGS__)
#define COHORT_LIST_5_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_4_(f, __VA_ARGS__)
#define COHORT_LIST_6_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_5_(f, __VA_ARGS__)
#define COHORT_LIST_7_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_6_(f, __VA_ARGS__)
#define COHORT_LIST_8_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_7_(f, __VA_ARGS__)
#define COHORT_LIST_9_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_8_(f, __VA_ARGS__)
#define COHORT_LIST_10_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_9_(f, __VA_ARGS__)
#define COHORT_LIST_11_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_10_(f, __VA_ARGS__)
#define COHORT_LIST_12_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_11_(f, __VA_ARGS__)
#define COHORT_LIST_13_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_12_(f, __VA_ARGS__)
#define COHORT_LIST_14_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_13_(f, __VA_ARGS__)
#define COHORT_LIST_15_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_14_(f, __VA_ARGS__)
#define COHORT_LIST_16_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_15_(f, __VA_ARGS__)
#define COHORT_LIST_17_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_16_(f, __VA_ARGS__)
#define COHORT_LIST_18_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_17_(f, __VA_ARGS__)
#define COHORT_LIST_19_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_18_(f, __VA_ARGS__)
#define COHORT_LIST_20_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_19_(f, __VA_ARGS__)
#define COHORT_LIST_21_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_20_(f, __VA_ARGS__)
#define COHORT_LIST_22_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_21_(f, __VA_ARGS__)
#define COHORT_LIST_23_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_22_(f, __VA_ARGS__)
#define COHORT_LIST_24_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_23_(f, __VA_ARGS__)
#define COHORT_LIST_25_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_24_(f, __VA_ARGS__)
#define COHORT_LIST_26_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_25_(f, __VA_ARGS__)
#define COHORT_LIST_27_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_26_(f, __VA_ARGS__)
#define COHORT_LIST_28_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_27_(f, __VA_ARGS__)
#define COHORT_LIST_29_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_28_(f, __VA_ARGS__)
#define COHORT_LIST_30_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_29_(f, __VA_ARGS__)
#define COHORT_LIST_31_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_30_(f, __VA_ARGS__)
#define COHORT_LIST_32_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_31_(f, __VA_ARGS__)
#define COHORT_LIST_33_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_32_(f, __VA_ARGS__)
#define COHORT_LIST_34_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_33_(f, __VA_ARGS__)
#define COHORT_LIST_35_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_34_(f, __VA_ARGS__)
#define COHORT_LIST_36_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_35_(f, __VA_ARGS__)
#define COHORT_LIST_37_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_36_(f, __VA_ARGS__)
#define COHORT_LIST_38_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_37_(f, __VA_ARGS__)
#define COHORT_LIST_39_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_38_(f, __VA_ARGS__)
#define COHORT_LIST_40_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_39_(f, __VA_ARGS__)
#define COHORT_LIST_41_(f, a, ...) COHORT_ARG_(a), COHORT_LIST_40_(f, __VA_ARGS__)
/* clang-format on */

#else
#define COHORT_PROTOTYPE_BEGIN_
#define COHORT_PROTOTYPE_END_
#endif
#endif
