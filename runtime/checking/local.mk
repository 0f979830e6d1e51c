# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/checking/around.c runtime/checking/around.h runtime/checking/census.c \
    runtime/checking/census.h runtime/checking/checking.h runtime/checking/event.c \
    runtime/checking/finding.c runtime/checking/finding.h runtime/checking/handles.c \
    runtime/checking/handles.h runtime/checking/kernel.c runtime/checking/layer.c \
    runtime/checking/layer.h runtime/checking/memory.c runtime/checking/reduce.c \
    runtime/checking/padded.c runtime/checking/padded.h runtime/checking/transfer.c
