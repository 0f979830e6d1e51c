/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies for OpenCL devices: one text, and what the elements are in it. */
#ifndef COHORT_MATMUL_KERNEL_H
#define COHORT_MATMUL_KERNEL_H

/* Of a work-item: the rows and columns of the part of c that it computes. */
#define COHORT_MATMUL_KERNEL_ROWS "4"
#define COHORT_MATMUL_KERNEL_COLUMNS "8"

extern const char cohort_matmul_kernel_f32[], cohort_matmul_kernel_f64[],
    cohort_matmul_kernel_f16[], cohort_matmul_kernel_bf16[];

#endif
