# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/value/results.c \
    runtime/value/driver_handle.c runtime/value/transaction.c runtime/value/transaction.h \
    runtime/value/carried.c runtime/value/carried.h \
    runtime/value/agreement.c runtime/value/agreement.h runtime/value/content.c \
    runtime/value/content.h runtime/value/fetched_rows.c runtime/value/fetched_rows.h \
    runtime/value/forms.c runtime/value/forms.h \
    runtime/value/from_function.c runtime/value/group.c runtime/value/keep.c \
    runtime/value/operand.c runtime/value/operand.h runtime/value/places.c runtime/value/places.h \
    runtime/value/lying.c runtime/value/lying.h \
    runtime/value/remote.c runtime/value/remote.h \
    runtime/value/skip.c runtime/value/skip.h \
    runtime/value/sparse_rows.c runtime/value/sparse_rows.h runtime/value/scatter.c runtime/value/scatter.h \
    runtime/value/scatter_op.h runtime/value/scatter_sorted.c \
    runtime/value/slices.c runtime/value/slices.h runtime/value/shared_rows.c runtime/value/undo.c \
    runtime/value/undo.h runtime/value/value.c \
    runtime/value/value.h runtime/value/value_content.c runtime/value/value_content.h \
    runtime/value/value_read.c runtime/value/value_set.c runtime/value/variable.c \
    runtime/value/variable.h runtime/value/variable_make.c runtime/value/variable_make.h \
    runtime/value/variable_places.c runtime/value/variable_places.h \
    runtime/value/variable_move.c runtime/value/variable_read.c runtime/value/variable_settle.c runtime/value/variable_step.c runtime/value/variable_table.c \
    runtime/value/variable_table.h runtime/value/variable_write.c
