# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/memo/memo.c runtime/memo/memo.h runtime/memo/memo_block.c runtime/memo/memo_find.c \
    runtime/memo/memo_make.c runtime/memo/memo_parts.h runtime/memo/shadow.h
if ASSERTIONS
libcohort_core_la_SOURCES += runtime/memo/shadow.c
endif
