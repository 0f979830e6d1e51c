/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays: a view of memory that the caller owns. */
#ifndef COHORT_ARRAY_H
#define COHORT_ARRAY_H

#include <cohort/status.h>

/* The most axes that an array may have. */
#define COHORT_MAX_RANK 8

/* A view of memory: elements of one type along up to COHORT_MAX_RANK axes.
 *
 * data        the first element; the caller's
 * dtype       element type; COHORT_RECORD for structs
 * rank        0 (one element) to COHORT_MAX_RANK
 * shape       elements along each axis, each at least 0
 * strides     in elements; all zero: row-major without gaps
 * item_bytes  of one element; needed for COHORT_RECORD, else 0 or the size of the dtype */
typedef struct cohort_array {
    void *data;
    cohort_dtype dtype;
    int32_t rank;
    int64_t shape[COHORT_MAX_RANK], strides[COHORT_MAX_RANK], item_bytes;
} cohort_array;

/* An element of COHORT_F8_E4M3, and of COHORT_F8_E5M2: its bits, for C has no such type. In a
 * prototype these names say the dtype; COHORT_ARRAY sees a uint8_t, so that such an array is
 * written out.
 *
 * e4m3fn  4 bits of exponent with bias 7, 3 of fraction; to 448, no infinity, NaN 0x7f and 0xff
 * e5m2    5 bits of exponent with bias 15, 2 of fraction; to 57344, infinity 0x7c
 * Source: OCP 8-bit Floating Point Specification (OFP8), revision 1.0. */
typedef uint8_t cohort_float8_e4m3fn;
typedef uint8_t cohort_float8_e5m2;

/* The number of items of a list, as far as the compiler knows the object; -1 where it does not, as
 * for the parameter of a function. So a call refuses a list that is too short, and does not run
 * over its end. */
static inline int cohort_length_(size_t bytes, size_t item)
{
    return bytes == SIZE_MAX || bytes / item > INT32_MAX ? -1 : COHORT_CAST_(int, bytes / item);
}
#if defined(__GNUC__)
#define COHORT_LENGTH_(list, type) cohort_length_(__builtin_object_size((list), 0), sizeof(type))
#else
#define COHORT_LENGTH_(list, type) cohort_length_(COHORT_CAST_(size_t, -1), sizeof(type))
#endif

/* Dtype and shape of an array to come; -1: an extent that is not known. */
typedef struct cohort_spec {
    cohort_dtype dtype;
    int32_t rank;
    int64_t shape[COHORT_MAX_RANK];
} cohort_spec;

#ifndef __cplusplus

/* Plain char is int8 or uint8, as the compiler has it; anything that is not a number is a
 * record. */
/* clang-format off */
#define COHORT_DTYPE_OF_(x)                                                                       \
    _Generic((x), _Bool: COHORT_BOOL, char: (char)-1 < 0 ? COHORT_I8 : COHORT_U8,                 \
        signed char: COHORT_I8, unsigned char: COHORT_U8,                                         \
        short: COHORT_I16, unsigned short: COHORT_U16,                                            \
        int: COHORT_I32, unsigned: COHORT_U32,                                                    \
        long: sizeof(long) == 8 ? COHORT_I64 : COHORT_I32,                                        \
        unsigned long: sizeof(long) == 8 ? COHORT_U64 : COHORT_U32,                               \
        long long: COHORT_I64, unsigned long long: COHORT_U64,                                    \
        float: COHORT_F32, double: COHORT_F64,                                                    \
        float _Complex: COHORT_C64, double _Complex: COHORT_C128, default: COHORT_RECORD)
/* clang-format on */

/* COHORT_ARRAY(pointer, n, d): n x d elements at pointer, row-major; the dtype follows from the
 * pointer's type. An array has no const: a call that only reads takes a const pointer too. */
#define COHORT_ARRAY(pointer, ...)                                                                 \
    /* through an integer, so that -Wcast-qual, with which programs may be compiled, is content */ \
    ((cohort_array){ .data = (void *)(uintptr_t)(pointer),                                         \
                     .dtype = COHORT_DTYPE_OF_(*(pointer)),                                        \
                     .rank = (int32_t)(sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)),      \
                     .shape = { __VA_ARGS__ },                                                     \
                     .item_bytes = (int64_t)sizeof *(pointer) })

#else
#include <complex>
#include <type_traits>

template <class T> constexpr cohort_dtype cohort_dtype_of_()
{
    using U = typename std::remove_cv<T>::type;
    if (std::is_same<U, bool>::value)
        return COHORT_BOOL;
    if (std::is_integral<U>::value)
        /* clang-format off */
    return sizeof(U) == 1   ? (std::is_signed<U>::value ? COHORT_I8 : COHORT_U8)
               : sizeof(U) == 2 ? (std::is_signed<U>::value ? COHORT_I16 : COHORT_U16)
               : sizeof(U) == 4 ? (std::is_signed<U>::value ? COHORT_I32 : COHORT_U32)
                                : (std::is_signed<U>::value ? COHORT_I64 : COHORT_U64);
    /* clang-format on */
    if (std::is_same<U, float>::value)
        return COHORT_F32;
    if (std::is_same<U, double>::value)
        return COHORT_F64;
    if (std::is_same<U, std::complex<float>>::value)
        return COHORT_C64;
    if (std::is_same<U, std::complex<double>>::value)
        return COHORT_C128;
    return COHORT_RECORD;
}

template <class T, class... Extent> inline cohort_array COHORT_ARRAY(T *pointer, Extent... extent)
{
    static_assert(sizeof...(extent) <= COHORT_MAX_RANK,
                  "an array has at most COHORT_MAX_RANK axes");
    cohort_array array = {};
    array.data = const_cast<typename std::remove_cv<T>::type *>(pointer);
    array.dtype = cohort_dtype_of_<T>();
    array.item_bytes = static_cast<int64_t>(sizeof(T));
    ((array.shape[array.rank++] = static_cast<int64_t>(extent)), ...);
    return array;
}
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Size and name of a dtype: bytes of one element where it has a fixed size, else 0; and a text,
 * such as "float32". */
COHORT_API int64_t cohort_dtype_bytes(cohort_dtype dtype);
COHORT_API const char *cohort_dtype_name(cohort_dtype dtype);

/* The dtype of that name, COHORT_VOID when there is none or name is NULL. */
COHORT_API cohort_dtype cohort_dtype_parse(const char *name);

/* The kind of an element, in NumPy's letters: 'b' a bool, 'i' an integer, 'u' an integer without a
 * sign, 'f' a floating-point number, 'c' a complex number, 'V' a struct; else 0. */
COHORT_API char cohort_dtype_kind(cohort_dtype dtype);

/* The dtype of both parts of a complex dtype, any other dtype by itself. */
COHORT_API cohort_dtype cohort_dtype_part(cohort_dtype dtype);

/* Convert a number: write that at `element` as one of another dtype at `out`, such as the elements
 * of an array whose dtype is only known at run time:
 *
 *     double x;
 *     cohort_dtype_convert(array.dtype, array.data, COHORT_F64, &x);
 *
 * The result is rounded once, to the nearest, where the other dtype has less digits. long double is
 * a dtype of numbers, complex or not. `element` and `out` are borrowed for the call, may be the
 * same and need no alignment; `out` has cohort_dtype_bytes(to) bytes. Threads: any.
 *
 * COHORT_EINVAL, and *out as it was, where the other dtype has no such number:
 *   - a fraction, an infinity, a NaN or a number out of range would become an integer or a bool;
 *   - a finite number would become infinite;
 *   - an imaginary part would be lost;
 *   - a dtype is no number. */
COHORT_API cohort_status cohort_dtype_convert(cohort_dtype from, const void *element,
                                              cohort_dtype to, void *out);

/* Number of elements of the array: the product of its extents, 1 for rank 0. -1, without an error,
 * for NULL, a rank or an extent that is none, and a product beyond 63 bits. */
COHORT_API int64_t cohort_array_items(const cohort_array *array);

/* The reduction called "sum", "MEAN" ... in any case; 0 when there is none of that name. */
COHORT_API cohort_reduce_op cohort_reduce_op_parse(const char *text);

#ifdef __cplusplus
}
#endif
#endif
