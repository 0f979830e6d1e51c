# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/run/arguments.c runtime/run/combine.c runtime/run/combine.h runtime/run/launches.c \
    runtime/run/reduce_with.c \
    runtime/run/binder.c runtime/run/binder.h runtime/run/binding.c runtime/run/binding.h \
    runtime/run/dispatch.c runtime/run/dispatch.h runtime/run/handle.c runtime/run/replica.c runtime/run/stage.c \
    runtime/run/stage.h runtime/run/wait.c
