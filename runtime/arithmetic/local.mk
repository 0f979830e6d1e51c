# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/arithmetic/arena.h \
    runtime/arithmetic/arithmetic.c runtime/arithmetic/arithmetic.h \
    runtime/arithmetic/arithmetic_avx2.c runtime/arithmetic/arithmetic_avx512.c runtime/arithmetic/arithmetic_loops.h \
    runtime/arithmetic/arithmetic_plain.c runtime/arithmetic/bfloat_twos.h \
    runtime/arithmetic/half_lanes.h runtime/arithmetic/nan.h \
    runtime/arithmetic/reduction.c runtime/arithmetic/reduction.h \
    runtime/arithmetic/rows.c runtime/arithmetic/rows.h runtime/arithmetic/transpose.h \
    runtime/arithmetic/write_arithmetic.c runtime/arithmetic/write_arithmetic.h
