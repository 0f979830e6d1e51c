# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/checkpoint/compare.c runtime/checkpoint/file.c runtime/checkpoint/file.h \
    runtime/checkpoint/generations.c runtime/checkpoint/generations.h runtime/checkpoint/manager.c \
    runtime/checkpoint/newest.c \
    runtime/checkpoint/pairs.c runtime/checkpoint/pairs.h runtime/checkpoint/pairs_check.c \
    runtime/checkpoint/pattern.c runtime/checkpoint/pattern.h runtime/checkpoint/plan.c \
    runtime/checkpoint/plan.h runtime/checkpoint/prune.c runtime/checkpoint/restore.c runtime/checkpoint/save.c \
    runtime/checkpoint/state_copy.h runtime/checkpoint/state.c runtime/checkpoint/state.h runtime/checkpoint/stop.c runtime/checkpoint/stop.h runtime/checkpoint/variables.c
