/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of a call in C++: argument.h includes it. */
#ifndef COHORT_ARGUMENT_HPP
#define COHORT_ARGUMENT_HPP

#include <cohort/argument.h>

#include <type_traits>

/* Arguments live until the end of the full expression, which is as long as the call needs them. */
static inline cohort_argument COHORT_ARG_(const cohort_argument &x)
{
    return x;
}
static inline cohort_argument COHORT_ARG_(const cohort_array &x)
{
    return cohort_argument_make_(COHORT_ARGUMENT_ARRAY, &x);
}
static inline cohort_argument COHORT_ARG_(const long double &x)
{
    return cohort_argument_make_(COHORT_ARGUMENT_LONG_DOUBLE, &x);
}
static inline cohort_argument COHORT_ARG_(const cohort_value *x)
{
    return cohort_argument_make_(COHORT_ARGUMENT_VALUE, x);
}
static inline cohort_argument COHORT_ARG_(const cohort_variable *x)
{
    return cohort_argument_make_(COHORT_ARGUMENT_VARIABLE, x);
}
static inline cohort_argument COHORT_ARG_(double x)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_REAL, nullptr);
    argument.as.f = x;
    return argument;
}
static inline cohort_argument COHORT_ARG_(float x)
{
    return COHORT_ARG_(static_cast<double>(x));
}
template <class T> static inline
    typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value,
                            cohort_argument>::type
    COHORT_ARG_(T x)
{
    if (std::is_signed<T>::value)
        return cohort_argument_integer_(COHORT_ARGUMENT_INT, static_cast<int64_t>(x));
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_UINT, nullptr);
    argument.as.u = static_cast<uint64_t>(x);
    return argument;
}

#endif
