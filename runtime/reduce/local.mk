# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/reduce/reduce.c runtime/reduce/reduce.h runtime/reduce/reducer.c runtime/reduce/reducer.h
