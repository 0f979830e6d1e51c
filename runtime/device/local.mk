# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/device/arithmetic.c runtime/device/arithmetic.h runtime/device/half.h \
    runtime/device/reduction.c runtime/device/reduction.h
