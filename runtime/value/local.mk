# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/value/agreement.c runtime/value/agreement.h runtime/value/alterations.c runtime/value/alterations.h runtime/value/content.c \
    runtime/value/content.h runtime/value/fetched_rows.c runtime/value/fetched_rows.h \
    runtime/value/forms.c runtime/value/forms.h \
    runtime/value/from_function.c runtime/value/group.c runtime/value/keep.c \
    runtime/value/operand.c runtime/value/operand.h runtime/value/places.c runtime/value/places.h runtime/value/remote.c runtime/value/remote.h \
    runtime/value/rows.c runtime/value/rows.h runtime/value/scatter.c runtime/value/scatter.h \
    runtime/value/slices.c runtime/value/slices.h runtime/value/split.c runtime/value/value.c \
    runtime/value/value.h runtime/value/value_content.c runtime/value/value_content.h \
    runtime/value/value_read.c runtime/value/value_set.c runtime/value/variable.c \
    runtime/value/variable.h runtime/value/variable_places.c runtime/value/variable_places.h \
    runtime/value/variable_read.c runtime/value/variable_settle.c runtime/value/variable_table.c \
    runtime/value/variable_table.h runtime/value/variable_write.c
