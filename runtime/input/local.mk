# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/input/across.c runtime/input/across.h runtime/input/catch_up.c runtime/input/context.c \
    runtime/input/division.c runtime/input/division.h runtime/input/input.c runtime/input/input.h runtime/input/look.c \
    runtime/input/marks.c runtime/input/marks.h runtime/input/next.c \
    runtime/input/numpy.c runtime/input/open.c runtime/input/plan.c \
    runtime/input/position.c runtime/input/position.h runtime/input/save.c runtime/input/source.c \
    runtime/input/source.h runtime/input/step.c
