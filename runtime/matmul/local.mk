# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/matmul/pack.h runtime/matmul/product.c runtime/matmul/product.h runtime/matmul/product_loops.h
