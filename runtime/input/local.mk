# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/input/across.c runtime/input/across.h runtime/input/cardinality.c runtime/input/cardinality.h runtime/input/catch_up.c runtime/input/input_context.c \
    runtime/input/division.c runtime/input/division.h runtime/input/input.c runtime/input/input.h runtime/input/look.c \
    runtime/input/marks.c runtime/input/marks.h runtime/input/move.c runtime/input/move.h runtime/input/next.c \
    runtime/input/numpy.c runtime/input/open.c runtime/input/pipeline_sources.c \
    runtime/input/position.c runtime/input/position.h runtime/input/room.c runtime/input/save.c runtime/input/source.c \
    runtime/input/source.h runtime/input/input_step.c
