# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/placement/placement.c runtime/placement/placement.h runtime/placement/sharded.c
