/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of reductions: one for each type, which plays the stack program of a reduction for
 * one element.
 *
 * The kernels have the bits of the core's loops (runtime/arithmetic): every merge is rounded to the
 * type, or to float32 where 16-bit floats are divided, and NaN are made canonical in the last step.
 * A device leaves to the core what it need not compute so: floats without subnormal numbers,
 * quotients that are not rounded correctly, products of complex numbers. No barriers and no local
 * memory, which are slow where the device is a CPU. */
#include "config.h"

#include "opencl/fold.h"

#include <string.h>

/* The numbers of the operations are those of cohort_reduce_op. */
const char opencl_fold_source[] =
    "#ifdef HAS_FP64\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#endif\n"
    "float from_bf16(ushort x) { return as_float((uint)x << 16); }\n"
    "ushort to_bf16(float x) {\n"
    "    uint bits = as_uint(x);\n"
    "    if ((bits & 0x7fffffffu) > 0x7f800000u) return (ushort)(bits >> 16 | 0x40u);\n"
    "    return (ushort)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);\n"
    "}\n"
    "float from_f16(ushort x) {\n"
    "    uint sign = (uint)(x & 0x8000u) << 16, shifted = (uint)(x & 0x7fffu) << 13;\n"
    "    uint bits = shifted >= 0x0f800000u ? shifted | 0x7f800000u : shifted + 0x38000000u;\n"
    "    if (shifted < 0x00800000u)\n"
    "        bits = as_uint(as_float(shifted + 0x38800000u) - 0x1p-14f);\n"
    "    return as_float(sign | bits);\n"
    "}\n"
    "ushort to_f16(float x) {\n"
    "    uint bits = as_uint(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;\n"
    "    uint half_bits = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;\n"
    "    if (size < 0x38800000u) half_bits = as_uint(as_float(size) + 0.5f) - 0x3f000000u;\n"
    "    if (size >= 0x477ff000u) half_bits = 0x7c00u;\n"
    "    if (size > 0x7f800000u) half_bits = 0x7e00u | (size >> 13 & 0x3ffu);\n"
    "    return (ushort)(sign | half_bits);\n"
    "}\n"
    "#define SAME(x) (x)\n"
    "#define DONE_bf16(x) (((x) & 0x7fffu) > 0x7f80u ? (ushort)0x7fc0 : (x))\n"
    "#define DONE_f16(x) (((x) & 0x7fffu) > 0x7c00u ? (ushort)0x7e00 : (x))\n"
    "#define DONE_f32(x) ((x) != (x) ? as_float(0x7fc00000u) : (x))\n"
    "#define DONE_f64(x) ((x) != (x) ? as_double(0x7ff8000000000000ul) : (x))\n"
    "#define AT(LOAD, k) case k: y = LOAD(p##k[o##k + i]); break;\n"
    "#define FOLD(NAME, TYPE, S, LOAD, STORE, R, SUM, PROD, MIN, MAX, BITWISE, DONE, QUOTIENT)\\\n"
    "kernel void NAME(uint op, uint n, ulong merges, ulong count, uint is_divided, R by,\\\n"
    "                 global TYPE *d, ulong at, ARGUMENTS(TYPE)) {\\\n"
    "    ulong i = get_global_id(0);\\\n"
    "    S s[16], y = 0;\\\n"
    "    uint depth = 0;\\\n"
    "    if (i >= count) return;\\\n"
    "    for (uint t = 0; t < n; t++) {\\\n"
    "        if (t > 0) s[depth++] = y;\\\n"
    "        switch (t) {\\\n"
    "        AT(LOAD, 0) AT(LOAD, 1) AT(LOAD, 2) AT(LOAD, 3)\\\n"
    "        AT(LOAD, 4) AT(LOAD, 5) AT(LOAD, 6) AT(LOAD, 7)\\\n"
    "        AT(LOAD, 8) AT(LOAD, 9) AT(LOAD, 10) AT(LOAD, 11)\\\n"
    "        AT(LOAD, 12) AT(LOAD, 13) AT(LOAD, 14) AT(LOAD, 15)\\\n"
    "        }\\\n"
    "        for (uint m = (uint)(merges >> 4 * t) & 15u; m > 0; m--) {\\\n"
    "            S x = s[--depth];\\\n"
    "            y = op == 1u ? SUM : op == 3u ? MIN : op == 4u ? MAX : op == 5u ? PROD : "
    "BITWISE;\\\n"
    "        }\\\n"
    "    }\\\n"
    "    if (n > 1) y = DONE(y);\\\n"
    "    if (is_divided) y = DONE((S)(QUOTIENT));\\\n"
    "    d[at + i] = STORE(y);\\\n"
    "}\n"
    "#define TERM(T, k) global const T *p##k, ulong o##k\n"
    "#define ARGUMENTS(T)\\\n"
    "    TERM(T, 0), TERM(T, 1), TERM(T, 2), TERM(T, 3), TERM(T, 4),\\\n"
    "    TERM(T, 5), TERM(T, 6), TERM(T, 7), TERM(T, 8), TERM(T, 9),\\\n"
    "    TERM(T, 10), TERM(T, 11), TERM(T, 12), TERM(T, 13), TERM(T, 14),\\\n"
    "    TERM(T, 15)\n"
    "#define BITS(T) (T)(op == 6u ? x & y : op == 7u ? x | y : x ^ y)\n"
    "#define WHOLE(NAME, TYPE, WIDE) FOLD(NAME, TYPE, TYPE, SAME, SAME, uint,\\\n"
    "    (TYPE)((WIDE)x + (WIDE)y), (TYPE)((WIDE)x * (WIDE)y), x < y ? x : y,\\\n"
    "    x > y ? x : y, BITS(TYPE), SAME, y)\n"
    "WHOLE(fold_2, char, uint) WHOLE(fold_3, uchar, uint)\n"
    "WHOLE(fold_4, short, uint) WHOLE(fold_5, ushort, uint)\n"
    "WHOLE(fold_6, int, uint) WHOLE(fold_7, uint, uint)\n"
    "WHOLE(fold_8, long, ulong) WHOLE(fold_9, ulong, ulong)\n"
    "#define TRUTH(x) ((x) != 0)\n"
    "FOLD(fold_1, uchar, uchar, TRUTH, SAME, uint, y, y, x & y, x | y, BITS(uchar), SAME, y)\n"
    "#define REAL(NAME, TYPE, S, LOAD, STORE, R, FROM, TO, DONE)\\\n"
    "    FOLD(NAME, TYPE, S, LOAD, STORE, R, TO(FROM(x) + FROM(y)), TO(FROM(x) * FROM(y)),\\\n"
    "    FROM(x) < FROM(y) || FROM(x) != FROM(x) ? x : y,\\\n"
    "    FROM(x) > FROM(y) || FROM(x) != FROM(x) ? x : y, y, DONE, TO(FROM(y) / by))\n"
    "REAL(fold_10, ushort, ushort, SAME, SAME, float, from_f16, to_f16, DONE_f16)\n"
    "REAL(fold_11, ushort, ushort, SAME, SAME, float, from_bf16, to_bf16, DONE_bf16)\n"
    "REAL(fold_12, float, float, SAME, SAME, float, SAME, SAME, DONE_f32)\n"
    "#ifdef HAS_FP64\n"
    "REAL(fold_13, double, double, SAME, SAME, double, SAME, SAME, DONE_f64)\n"
    "#endif\n"
    "REAL(fold_14, ushort, float, from_f16, to_f16, float, SAME, SAME, DONE_f32)\n"
    "REAL(fold_15, ushort, float, from_bf16, to_bf16, float, SAME, SAME, DONE_f32)\n";

#define DTYPE_BYTES(name, value, text, bytes, kind) [value] = (uint32_t)(bytes),
static const uint32_t dtype_bytes[COHORT_NUMBER_DTYPES_END] = { COHORT_NUMBER_DTYPES(DTYPE_BYTES) };
#define DTYPE_KIND(name, value, text, bytes, kind) [value] = kind,
static const char dtype_kinds[COHORT_NUMBER_DTYPES_END] = { COHORT_NUMBER_DTYPES(DTYPE_KIND) };

/* The numbers of the kernels in the source: one whose stack is of the type, and of 16-bit floats
 * that are divided one whose stack is of float32. 0: there is none. */
static const struct {
    uint32_t alike, wide;
} kernels[COHORT_NUMBER_DTYPES_END] = {
    [COHORT_BOOL] = { 1, 0 },  [COHORT_I8] = { 2, 0 },     [COHORT_U8] = { 3, 0 },
    [COHORT_I16] = { 4, 0 },   [COHORT_U16] = { 5, 0 },    [COHORT_I32] = { 6, 0 },
    [COHORT_U32] = { 7, 0 },   [COHORT_I64] = { 8, 0 },    [COHORT_U64] = { 9, 0 },
    [COHORT_F16] = { 10, 14 }, [COHORT_BF16] = { 11, 15 }, [COHORT_F32] = { 12, 0 },
    [COHORT_F64] = { 13, 0 },
};

static bool is_complex(uint32_t type)
{
    return type == COHORT_C64 || type == COHORT_C128;
}

opencl_fold_elements opencl_fold_elements_of(const cohort_reduction *r)
{
    uint32_t type = r->type == COHORT_C64    ? COHORT_F32
                    : r->type == COHORT_C128 ? COHORT_F64
                                             : r->type;
    if (type >= COHORT_NUMBER_DTYPES_END)
        return (opencl_fold_elements){ .type = type };
    const uint32_t wide = r->divisor != 1 ? kernels[type].wide : 0;
    return (opencl_fold_elements){
        .type = type,
        .kernel = wide != 0 ? wide : kernels[type].alike,
        .kind = dtype_kinds[type],
        .bytes = dtype_bytes[type],
        .count = is_complex(r->type) ? 2 * r->count : r->count,
    };
}

/* The kinds of numbers that have a reduction in the source, and have the core's bits. */
bool opencl_fold_has(const cohort_reduction *r)
{
    static const char *const kinds[COHORT_REDUCE_OPS_END] = {
        [COHORT_SUM] = "iufc", [COHORT_PROD] = "iuf", [COHORT_MIN] = "biuf", [COHORT_MAX] = "biuf",
        [COHORT_BAND] = "biu", [COHORT_BOR] = "biu",  [COHORT_BXOR] = "biu",
    };
    return r->op < COHORT_REDUCE_OPS_END && kinds[r->op] != NULL &&
           r->type < COHORT_NUMBER_DTYPES_END && dtype_kinds[r->type] != '\0' &&
           strchr(kinds[r->op], dtype_kinds[r->type]) != NULL;
}
