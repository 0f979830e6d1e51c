/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix products: functions with a body for the host and one for OpenCL devices, blocked for
 * caches and registers, for whatever takes a function: runs, updates, step functions, recorded
 * steps.
 *
 *     const cohort_matmul_options back = { .transpose_b = true };
 *     cohort_matmul(s, NULL, 1, h, w, z);                       // z = h w
 *     cohort_matmul(s, &back, 1, e, w, eh);                     // eh = e w'
 *     cohort_replica_run(me, cohort_matmul_function(&back), 1, e, w, eh);
 *
 * Every replica multiplies its own operands: a share of rows, h, by a variable that all have, w,
 * gives a share of rows; of x' e with shares x and e each replica has what its rows add, and
 * cohort_reduce sums that. A replica whose shares have no rows has nothing to do (cohort/run.h). */
#ifndef COHORT_MATMUL_H
#define COHORT_MATMUL_H

#include <cohort/function.h>
#include <cohort/run.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How op(a) and op(b) are multiplied; all zero is a product of two matrices of float32.
 *
 * dtype         of a, b and c: COHORT_F32, _F64, _F16 or _BF16; 0: COHORT_F32
 * transpose_a   op(a) = a', so that a is [k][m]; else it is [m][k]
 * transpose_b   op(b) = b', so that b is [n][k]; else it is [k][n]
 * accumulate    c is read too, and beta stands before it
 * batch_a       a has one axis more, before the others, of g matrices; c has it too
 * batch_b       so has b, whose g is the same where a has it; else every matrix of one is
 *               multiplied by the only one of the other
 * reproducible  one order of all additions, below, on every device
 * reserved      must be zero */
typedef struct cohort_matmul_options {
    cohort_dtype dtype;
    bool transpose_a, transpose_b, accumulate;
    bool batch_a, batch_b;
    bool reproducible;
    uint8_t reserved[14];
} cohort_matmul_options;

/* The function of a product, in row-major order, called "matmul":
 *
 *     void matmul(T alpha, const E a[m][k], const E b[k][n], COHORT_OUT E c[m][n]);
 *     void matmul(T alpha, const E a[m][k], const E b[k][n], T beta, E c[m][n]);   // accumulate
 *
 * beside its bounds m, n, k and, of a batch, g. c = alpha op(a) op(b), plus beta c where it
 * accumulates; with beta 0 the numbers of c are not looked at, and may be NaN. T is double for
 * float64, else float: numbers of 16 bits are multiplied and added as float32, and what becomes an
 * element of c is rounded once. k 0 is a sum without terms, 0. A c that is a or b is refused, as
 * any argument is that is written and stands twice; so are extents that do not fit and another
 * dtype, with their names.
 *
 * Reproducible: the sum of an element begins with 0 and takes up a[i][l] * b[l][j] for l from 0 to
 * k - 1, one after the other; each product, each sum, alpha times the sum, beta times c and the sum
 * of both are rounded to T by itself. So bits are equal on every device that has IEEE 754
 * arithmetic with subnormal numbers, for each number of threads, and equal to those of three plain
 * loops. Sign and payload of a NaN are the device's. Else bits are those of the device and its
 * libraries, though the same in each run there: no digest should depend on them.
 *
 * COHORT_BLAS (cohort-env(7)) says which library of CBLAS a product of float32 or float64 is left
 * to on the host, when it need not be reproducible. It is asked for at the first such call of the
 * process. Where there is none, for 16 bits, and for extents above 2^31 - 1, both are the same
 * code. A library of BLAS has its own threads, which no device of Cohort counts: give it one a
 * replica, OPENBLAS_NUM_THREADS=1. The product of Cohort's own is divided among the threads of the
 * device.
 *
 * On OpenCL devices both are the same kernel, unless COHORT_CLBLAST names a library of CLBlast (1.4
 * or later), such as libclblast.so.1: then products of float32 and float64 that need not be
 * reproducible are left to it. It builds its kernels in the first launch, and is made for GPUs. It
 * counts in 32 bits: where a, b or c has 2^31 elements or more the launch fails with
 * COHORT_ENOTSUP. What it answers else fails the launch with COHORT_ENOMEM, COHORT_EBUILD,
 * COHORT_ENOTSUP (no doubles) or COHORT_EINTERNAL, and the log has its number.
 *
 * options  NULL: all zero
 * Returns  the same pointer for the same options, which lives as long as the process; NULL, with
 *          the reason in the error text, for another dtype, for reserved bytes that are not zero,
 *          and while COHORT_BLAS or COHORT_CLBLAST names what is no such library. A call that gets
 *          the NULL is refused
 * Threads  any */
COHORT_API const cohort_function *cohort_matmul_function(const cohort_matmul_options *options);

/* cohort_matmul(s, options, alpha, a, b, c), cohort_matmul(s, options, alpha, a, b, beta, c): that
 * function in a cohort_run; the second where it accumulates. Options that are written in the call
 * stand in parentheses, (&(cohort_matmul_options){ ... }), for a macro divides at commas. */
#define cohort_matmul(strategy, options, ...)                                                      \
    cohort_run((strategy), cohort_matmul_function(options), __VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
