/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes that the public interface and the plugin ABI share: statuses, element types, reductions. */
#ifndef COHORT_CODES_H
#define COHORT_CODES_H

#include <stddef.h>
#include <stdint.h>

/* For the headers' own lines, so that C++ programs may have -Wold-style-cast and
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

/* What a call answers: one of COHORT_STATUSES. */
typedef int32_t cohort_status;
#define COHORT_STATUS_VALUE_(name, value, sentence) COHORT_##name = value,
enum { COHORT_STATUSES(COHORT_STATUS_VALUE_) COHORT_STATUS_COUNT_ = 13 };

/* The element types, as X(name, value, text, bytes of one element).
 * The first sixteen can be the elements of an array; the others only stand in prototypes. */
#define COHORT_DTYPES(X)                                                                           \
    X(VOID, 0, "void", 0)                                                                          \
    X(BOOL, 1, "bool", 1)                                                                          \
    X(I8, 2, "int8", 1)                                                                            \
    X(U8, 3, "uint8", 1)                                                                           \
    X(I16, 4, "int16", 2)                                                                          \
    X(U16, 5, "uint16", 2)                                                                         \
    X(I32, 6, "int32", 4)                                                                          \
    X(U32, 7, "uint32", 4)                                                                         \
    X(I64, 8, "int64", 8)                                                                          \
    X(U64, 9, "uint64", 8)                                                                         \
    X(F16, 10, "float16", 2)                                                                       \
    X(BF16, 11, "bfloat16", 2)                                                                     \
    X(F32, 12, "float32", 4)                                                                       \
    X(F64, 13, "float64", 8)                                                                       \
    X(C64, 14, "complex64", 8)                                                                     \
    X(C128, 15, "complex128", 16)                                                                  \
    X(RECORD, 16, "struct", 0)                                                                     \
    X(LONG_DOUBLE, 17, "long double", sizeof(long double))                                         \
    X(COMPLEX_LONG_DOUBLE, 18, "complex long double", 2 * sizeof(long double))                     \
    X(POINTER, 19, "pointer", sizeof(void *))

#define COHORT_DTYPE_VALUE_(name, value, text, bytes) COHORT_##name = value,

/* An element type: one of COHORT_DTYPES. */
typedef enum cohort_dtype {
    COHORT_DTYPES(COHORT_DTYPE_VALUE_) COHORT_STRUCT_BASE =
        256 /* in a plugin's signature: 256 + i is its i-th struct */
} cohort_dtype;

/* The ways to combine contributions, as X(name, value, text). MEAN is the sum divided once; a NaN
 * wins MIN and MAX. */
#define COHORT_REDUCE_OPS(X)                                                                       \
    X(SUM, 1, "sum") X(MEAN, 2, "mean") X(MIN, 3, "min") X(MAX, 4, "max") X(PROD, 5, "prod")

#define COHORT_REDUCE_OP_VALUE_(name, value, text) COHORT_##name = value,

/* How contributions are combined: one of COHORT_REDUCE_OPS. */
typedef enum cohort_reduce_op { COHORT_REDUCE_OPS(COHORT_REDUCE_OP_VALUE_) } cohort_reduce_op;

#endif
