# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/dataset/block.c runtime/dataset/block.h runtime/dataset/cursor.c runtime/dataset/cursor.h \
    runtime/dataset/dataset.c runtime/dataset/dataset.h runtime/dataset/describe.c \
    runtime/dataset/element.c runtime/dataset/element.h runtime/dataset/iterator.c \
    runtime/dataset/slices.c
