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

/* Whether T points to something that is no argument. */
template <class T> struct cohort_is_foreign_pointer_ {
    using target = typename std::remove_cv<typename std::remove_pointer<T>::type>::type;
    static constexpr bool value = std::is_pointer<T>::value &&
                                  !std::is_same<target, cohort_value>::value &&
                                  !std::is_same<target, cohort_variable>::value;
};
template <class T> static inline
    typename std::enable_if<cohort_is_foreign_pointer_<T>::value, cohort_argument>::type
    COHORT_ARG_(T)
{
    static_assert(!cohort_is_foreign_pointer_<T>::value,
                  "a pointer is no argument: use COHORT_ARRAY(pointer, n), or COHORT_POINTER");
    return cohort_argument_drop_();
}

#endif
