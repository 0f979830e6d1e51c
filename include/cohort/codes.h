/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes that the public interface and the plugin ABI share: statuses, element types, reductions,
 * and how images are read. */
#ifndef COHORT_CODES_H
#define COHORT_CODES_H

#include <stddef.h>
#include <stdint.h>

/* Casts for the headers' own lines, so that C++ programs may have -Wold-style-cast and
 * -Wzero-as-null-pointer-constant. */
#ifdef __cplusplus
#define COHORT_CAST_(type, x) static_cast<type>(x)
#define COHORT_NULL_ nullptr
#else
#define COHORT_CAST_(type, x) ((type)(x))
#define COHORT_NULL_ NULL
#endif

/* The statuses of calls: 0 is fine, positive is an answer and no error, negative is an error.
 * X(name, value, sentence). Values are never reused. Plugins never return END. */
#define COHORT_STATUSES(X)                                                                         \
    X(OK, 0, "no error")                                                                           \
    X(EINVAL, -1, "invalid argument")                                                              \
    X(ENOMEM, -2, "out of memory")                                                                 \
    X(ENODEV, -3, "no such device, or not usable now")                                             \
    X(ENOENT, -4, "not found")                                                                     \
    X(ENOTSUP, -5, "not supported")                                                                \
    X(ELOST, -6, "device lost")                                                                    \
    X(ETIMEDOUT, -7, "deadline passed")                                                            \
    X(EINCOMPATIBLE, -8, "incompatible")                                                           \
    X(EBUILD, -9, "does not build")                                                                \
    X(EINTERNAL, -10, "internal error")                                                            \
    X(EAGAIN, -11, "not ready yet")                                                                \
    X(END, 1, "end of the data")

/* The answer of a call: one of COHORT_STATUSES. */
typedef int32_t cohort_status;
#define COHORT_STATUS_VALUE_(name, value, sentence) COHORT_##name = value,
enum { COHORT_STATUSES(COHORT_STATUS_VALUE_) COHORT_STATUS_COUNT_ = 13 };

/* The dtypes of numbers, as X(name, value, text, bytes of one element, kind). Of what a dtype is,
 * the kind tells and the bytes, never the order of the values, which is that of their invention.
 * The kind is NumPy's letter: 'b' a bool, 'i' an integer, 'u' an integer without a sign, 'f' a
 * floating-point number, 'c' a complex number, 'V' a struct; else 0. */
#define COHORT_NUMBER_DTYPES(X)                                                                    \
    X(BOOL, 1, "bool", 1, 'b')                                                                     \
    X(I8, 2, "int8", 1, 'i')                                                                       \
    X(U8, 3, "uint8", 1, 'u')                                                                      \
    X(I16, 4, "int16", 2, 'i')                                                                     \
    X(U16, 5, "uint16", 2, 'u')                                                                    \
    X(I32, 6, "int32", 4, 'i')                                                                     \
    X(U32, 7, "uint32", 4, 'u')                                                                    \
    X(I64, 8, "int64", 8, 'i')                                                                     \
    X(U64, 9, "uint64", 8, 'u')                                                                    \
    X(F16, 10, "float16", 2, 'f')                                                                  \
    X(BF16, 11, "bfloat16", 2, 'f')                                                                \
    X(F32, 12, "float32", 4, 'f')                                                                  \
    X(F64, 13, "float64", 8, 'f')                                                                  \
    X(C64, 14, "complex64", 8, 'c')                                                                \
    X(C128, 15, "complex128", 16, 'c')                                                             \
    X(F8_E4M3, 16, "float8_e4m3fn", 1, 'f')                                                        \
    X(F8_E5M2, 17, "float8_e5m2", 1, 'f')

/* The other element types, from 64 on: the values below are for numbers, of which a plugin says as
 * bits which it knows (cohort_device_info). RECORD can be the elements of an array, as the numbers
 * can; the others only stand in prototypes. */
#define COHORT_OTHER_DTYPES(X)                                                                     \
    X(VOID, 0, "void", 0, 0)                                                                       \
    X(RECORD, 64, "struct", 0, 'V')                                                                \
    X(LONG_DOUBLE, 65, "long double", sizeof(long double), 'f')                                    \
    X(COMPLEX_LONG_DOUBLE, 66, "complex long double", 2 * sizeof(long double), 'c')                \
    X(POINTER, 67, "pointer", sizeof(void *), 0)

/* All element types. */
#define COHORT_DTYPES(X) COHORT_NUMBER_DTYPES(X) COHORT_OTHER_DTYPES(X)

#define COHORT_LAST_VALUE_(name, value, ...) char of_##name[(value) + 1];
union cohort_number_dtypes_ {
    COHORT_NUMBER_DTYPES(COHORT_LAST_VALUE_)
};

/* One more than the largest value of COHORT_NUMBER_DTYPES: the size of a table by its values. */
enum { COHORT_NUMBER_DTYPES_END = sizeof(union cohort_number_dtypes_) };

#define COHORT_DTYPE_VALUE_(name, value, text, bytes, kind) COHORT_##name = value,

/* An element type: one of COHORT_DTYPES. */
typedef enum cohort_dtype {
    COHORT_DTYPES(COHORT_DTYPE_VALUE_) COHORT_STRUCT_BASE =
        256 /* in a plugin's signature: 256 + i is its i-th struct */
} cohort_dtype;

/* The ways to combine contributions, as X(name, value, text). MEAN is the sum divided once; a NaN
 * wins MIN and MAX. BAND, BOR and BXOR combine the bits of integers, and truths of bool. */
#define COHORT_REDUCE_OPS(X)                                                                       \
    X(SUM, 1, "sum")                                                                               \
    X(MEAN, 2, "mean")                                                                             \
    X(MIN, 3, "min")                                                                               \
    X(MAX, 4, "max")                                                                               \
    X(PROD, 5, "prod")                                                                             \
    X(BAND, 6, "band")                                                                             \
    X(BOR, 7, "bor")                                                                               \
    X(BXOR, 8, "bxor")

#define COHORT_REDUCE_OP_VALUE_(name, value, text) COHORT_##name = value,

/* How contributions are combined: one of COHORT_REDUCE_OPS. */
typedef enum cohort_reduce_op { COHORT_REDUCE_OPS(COHORT_REDUCE_OP_VALUE_) } cohort_reduce_op;

union cohort_reduce_ops_ {
    COHORT_REDUCE_OPS(COHORT_LAST_VALUE_)
};

/* One more than the largest value of COHORT_REDUCE_OPS, for tables as well. */
enum { COHORT_REDUCE_OPS_END = sizeof(union cohort_reduce_ops_) };

/* What lies outside of an image. Only with normalized coordinates: REPEAT and MIRRORED_REPEAT. */
typedef enum cohort_addressing {
    COHORT_ADDRESSING_NONE = 0,      /* undefined: the kernel never reads there */
    COHORT_ADDRESSING_CLAMP_TO_EDGE, /* the nearest pixel */
    COHORT_ADDRESSING_CLAMP,         /* 0; alpha 1 where the image has none */
    COHORT_ADDRESSING_REPEAT,
    COHORT_ADDRESSING_MIRRORED_REPEAT
} cohort_addressing;

/* Which pixels are read at a coordinate between them; LINEAR of floating-point formats and norm. */
typedef enum cohort_filter { COHORT_FILTER_NEAREST = 0, COHORT_FILTER_LINEAR } cohort_filter;

/* A sampler of images (cohort/image.h).
 *
 * is_normalized  coordinates run from 0 to 1 over each extent, else over its pixels
 * addressing     a cohort_addressing
 * filter         a cohort_filter */
typedef struct cohort_sampler {
    uint32_t is_normalized, addressing, filter;
} cohort_sampler;

#endif
