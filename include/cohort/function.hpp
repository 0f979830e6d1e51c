/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions in C++: function.h includes it. */
#ifndef COHORT_FUNCTION_HPP
#define COHORT_FUNCTION_HPP

#include <cohort/function.h>

#include <type_traits>

#define COHORT_ALIGNOF_(type) alignof(type)
#define COHORT_SCALAR_NAME_(type) cohort_scalar_name_<type>()

/* The C name of a scalar type; of an enum, that of its underlying type. */
template <class T, bool is_enum = std::is_enum<T>::value> struct cohort_plain_type_ {
    using type = T;
};
template <class T> struct cohort_plain_type_<T, true> {
    using type = typename std::underlying_type<T>::type;
};
template <class T> constexpr const char *cohort_scalar_name_()
{
    using U = typename cohort_plain_type_<T>::type;
    return std::is_same<U, bool>::value          ? "bool"
           : std::is_same<U, float>::value       ? "float"
           : std::is_same<U, double>::value      ? "double"
           : std::is_same<U, long double>::value ? "long double"
           : sizeof(U) == 1                      ? (std::is_signed<U>::value ? "int8_t" : "uint8_t")
           : sizeof(U) == 2 ? (std::is_signed<U>::value ? "int16_t" : "uint16_t")
           : sizeof(U) == 4 ? (std::is_signed<U>::value ? "int32_t" : "uint32_t")
                            : (std::is_signed<U>::value ? "int64_t" : "uint64_t");
}

/* Designators in any order are not C++: each body is an assignment to a member instead. */
#define COHORT_FUNCTION_(TYPE, RETURNS, NAME, TEXT, PROTO, PROTOTYPE, ...)                         \
    static TYPE NAME##_host PROTO;                                                                 \
    static const cohort_function *const NAME =                                                     \
        COHORT_DESCRIBE_(TEXT, RETURNS, PROTOTYPE, NAME##_host, __VA_ARGS__);                      \
    static TYPE NAME##_host PROTO

#define COHORT_FUNCTION_OF(NAME, TYPE, CFUNCTION, PROTO, ...)                                      \
    extern "C" TYPE CFUNCTION PROTO;                                                               \
    static const cohort_function *const NAME =                                                     \
        COHORT_DESCRIBE_(#NAME, #TYPE, #PROTO, CFUNCTION, __VA_ARGS__)

#define COHORT_INT64_(number) static_cast<int64_t>(number)

#define COHORT_ITEMS_FUNCTION_(NAME, TEXT, ITEM, COUNTED, PROTOTYPE, TYPES, BODY)                  \
    static const cohort_function *const NAME = COHORT_DESCRIBE_(                                   \
        TEXT, "void", PROTOTYPE, NAME##_host, .item = ITEM, .count = COUNTED, .item_body = BODY,   \
        .types = TYPES, .expansions = COHORT_EXPANSIONS_, .helpers = &cohort_helpers_)

#define COHORT_DESCRIBE_(TEXT, RETURNS, PROTOTYPE, HOST, ...)                                      \
    [] {                                                                                           \
        static cohort_function described = {};                                                     \
        described.struct_size = static_cast<uint32_t>(sizeof described);                           \
        described.line = __LINE__, described.name = TEXT, described.returns = RETURNS;             \
        described.prototype = PROTOTYPE, described.file = __FILE__;                                \
        described.host = reinterpret_cast<void (*)(void)>(HOST);                                   \
        COHORT_EACH_(COHORT_MEMBER_IS_, __VA_ARGS__)                                               \
        return &described;                                                                         \
    }()
#define COHORT_MEMBER_IS_(designator) described designator;

/* COHORT_EACH_(m, a, b) is m(a) m(b), up to 8. */
#define COHORT_EACH_(m, ...) COHORT_EACH_OF_(COHORT_COUNT_8_(__VA_ARGS__), m, __VA_ARGS__)
#define COHORT_EACH_OF_(n, ...) COHORT_EACH_N_(n, __VA_ARGS__)
#define COHORT_EACH_N_(n, ...) COHORT_EACH_##n##_(__VA_ARGS__)
#define COHORT_EACH_1_(m, a) m(a)
#define COHORT_EACH_2_(m, a, ...) m(a) COHORT_EACH_1_(m, __VA_ARGS__)
#define COHORT_EACH_3_(m, a, ...) m(a) COHORT_EACH_2_(m, __VA_ARGS__)
#define COHORT_EACH_4_(m, a, ...) m(a) COHORT_EACH_3_(m, __VA_ARGS__)
#define COHORT_EACH_5_(m, a, ...) m(a) COHORT_EACH_4_(m, __VA_ARGS__)
#define COHORT_EACH_6_(m, a, ...) m(a) COHORT_EACH_5_(m, __VA_ARGS__)
#define COHORT_EACH_7_(m, a, ...) m(a) COHORT_EACH_6_(m, __VA_ARGS__)
#define COHORT_EACH_8_(m, a, ...) m(a) COHORT_EACH_7_(m, __VA_ARGS__)

template <const cohort_type *...type> struct cohort_types_ {
    static constexpr const cohort_type *list[] = { type..., nullptr };
};
/* In parentheses: its commas must not divide the arguments of the macros that it passes through. */
#define COHORT_TYPES(...) (cohort_types_<COHORT_JOIN_(COHORT_TYPE_ADDRESS_, __VA_ARGS__)>::list)

#endif
