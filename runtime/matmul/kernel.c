/* SPDX-License-Identifier: BSD-3-Clause */
/* An item keeps four rows of eight columns in registers, and takes up one term of all their sums at
 * a time: in the order that cohort/matmul.h states, and without barriers, which are slow on
 * CPUs. Rows and columns beyond the last are the last once more, and are not written. */
#include "config.h"

#include "runtime/matmul/kernel.h"

#include <cohort/function.h>

#define PRODUCT                                                                                    \
    "#ifdef ACCUMULATE\n"                                                                          \
    "#define BETA REAL beta,\n"                                                                    \
    "#define ADD(c) if (beta != 0) sum += beta * LOAD(c)\n"                                        \
    "#else\n"                                                                                      \
    "#define BETA\n"                                                                               \
    "#define ADD(c)\n"                                                                             \
    "#endif\n" COHORT_SOURCE(kernel void matmul(long m, long n, long k, long g, int kind,          \
                                                REAL alpha, global const ELEMENT *a,               \
                                                global const ELEMENT *b, BETA global ELEMENT *c) { \
        const long column = 8 * get_global_id(0);                                                  \
        const long row = 4 * get_global_id(1);                                                     \
        const long columns = min(n - column, 8L);                                                  \
        const long rows = min(m - row, 4L);                                                        \
        const long a_row = TRANSPOSE_A ? 1 : k;                                                    \
        const long a_step = TRANSPOSE_A ? m : 1;                                                   \
        const long b_column = TRANSPOSE_B ? k : 1;                                                 \
        const long b_step = TRANSPOSE_B ? 1 : n;                                                   \
        REAL8 sum0 = 0;                                                                            \
        REAL8 sum1 = 0;                                                                            \
        REAL8 sum2 = 0;                                                                            \
        REAL8 sum3 = 0;                                                                            \
        a += BATCH_A * get_global_id(2) * m * k + row * a_row;                                     \
        b += BATCH_B * get_global_id(2) * k * n + column * b_column;                               \
        c += get_global_id(2) * m * n + row * n + column;                                          \
        const long row1 = min(1L, rows - 1) * a_row;                                               \
        const long row2 = min(2L, rows - 1) * a_row;                                               \
        const long row3 = min(3L, rows - 1) * a_row;                                               \
        for (long l = 0; l < k; l++) {                                                             \
            REAL8 line;                                                                            \
            if (!TRANSPOSE_B && columns == 8)                                                      \
                line = LOAD8(b);                                                                   \
            else                                                                                   \
                line = (REAL8)(LOAD(b), LOAD(b + min(1L, columns - 1) * b_column),                 \
                               LOAD(b + min(2L, columns - 1) * b_column),                          \
                               LOAD(b + min(3L, columns - 1) * b_column),                          \
                               LOAD(b + min(4L, columns - 1) * b_column),                          \
                               LOAD(b + min(5L, columns - 1) * b_column),                          \
                               LOAD(b + min(6L, columns - 1) * b_column),                          \
                               LOAD(b + min(7L, columns - 1) * b_column));                         \
            sum0 += LOAD(a) * line;                                                                \
            sum1 += LOAD(a + row1) * line;                                                         \
            sum2 += LOAD(a + row2) * line;                                                         \
            sum3 += LOAD(a + row3) * line;                                                         \
            a += a_step;                                                                           \
            b += b_step;                                                                           \
        }                                                                                          \
        REAL sums[32];                                                                             \
        vstore8(sum0, 0, sums);                                                                    \
        vstore8(sum1, 1, sums);                                                                    \
        vstore8(sum2, 2, sums);                                                                    \
        vstore8(sum3, 3, sums);                                                                    \
        for (long i = 0; i < rows; i++)                                                            \
            for (long j = 0; j < columns; j++) {                                                   \
                REAL sum = alpha * sums[8 * i + j];                                                \
                ADD(c + i * n + j);                                                                \
                STORE(sum, c + i * n + j);                                                         \
            }                                                                                      \
    })

const char cohort_matmul_kernel_f32[] = "#define REAL float\n"
                                        "#define REAL8 float8\n"
                                        "#define ELEMENT float\n"
                                        "#define LOAD(p) (*(p))\n"
                                        "#define LOAD8(p) vload8(0, p)\n"
                                        "#define STORE(x, p) (*(p) = (x))\n" PRODUCT;

const char cohort_matmul_kernel_f64[] = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                                        "#define REAL double\n"
                                        "#define REAL8 double8\n"
                                        "#define ELEMENT double\n"
                                        "#define LOAD(p) (*(p))\n"
                                        "#define LOAD8(p) vload8(0, p)\n"
                                        "#define STORE(x, p) (*(p) = (x))\n" PRODUCT;

/* Numbers of these 16 bits are read and written by functions that every device has. */
const char cohort_matmul_kernel_f16[] = "#define REAL float\n"
                                        "#define REAL8 float8\n"
                                        "#define ELEMENT half\n"
                                        "#define LOAD(p) vload_half(0, p)\n"
                                        "#define LOAD8(p) vload_half8(0, p)\n"
                                        "#define STORE(x, p) vstore_half_rte(x, 0, p)\n" PRODUCT;

/* As runtime/base/half.h narrows them. */
const char cohort_matmul_kernel_bf16[] =
    "#define REAL float\n"
    "#define REAL8 float8\n"
    "#define ELEMENT ushort\n"
    "#define LOAD(p) as_float((uint)*(p) << 16)\n"
    "#define LOAD8(p) as_float8(convert_uint8(vload8(0, p)) << 16)\n"
    "#define STORE(x, p) (*(p) = matmul_narrow(as_uint(x)))\n" COHORT_SOURCE(
        ushort matmul_narrow(uint bits) {
            if ((bits & 0x7fffffffu) > 0x7f800000u)
                return (ushort)(bits >> 16 | 0x40u);
            return (ushort)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
        }) "\n" PRODUCT;
