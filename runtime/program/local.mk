# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/program/block.h runtime/program/condition.c runtime/program/condition.h \
    runtime/program/control.c runtime/program/describe.c runtime/program/kept.c \
    runtime/program/kept.h runtime/program/program.c \
    runtime/program/program.h runtime/program/record.c runtime/program/replay.c \
    runtime/program/trial.c
