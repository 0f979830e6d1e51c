# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/program/program.c runtime/program/program.h runtime/program/record.c \
    runtime/program/repeat.c runtime/program/replay.c
