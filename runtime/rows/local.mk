# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/rows/change.c runtime/rows/change.h runtime/rows/components.c runtime/rows/components.h \
    runtime/rows/content_across.c runtime/rows/content_across.h runtime/rows/create.c runtime/rows/fetch.c \
    runtime/rows/fetch.h runtime/rows/gather_rows.c runtime/rows/scatter_across.c runtime/rows/scatter_across.h \
    runtime/rows/scatter_rows.c runtime/rows/write.c
