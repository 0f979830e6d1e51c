# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/matmul/blas.c runtime/matmul/blas.h runtime/matmul/body.c runtime/matmul/body.h \
    runtime/matmul/clblast.c runtime/matmul/clblast.h \
    runtime/matmul/kernel.c runtime/matmul/kernel.h runtime/matmul/matmul.c runtime/matmul/pack.h \
    runtime/matmul/product.c runtime/matmul/product.h runtime/matmul/product_loops.h
