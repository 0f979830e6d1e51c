# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/repeat/compare.c runtime/repeat/cycle.c runtime/repeat/cycle.h runtime/repeat/feeds.c \
    runtime/repeat/repeat.c runtime/repeat/repeat.h runtime/repeat/series.c runtime/repeat/series.h \
    runtime/repeat/shadow.h
if ASSERTIONS
libcohort_core_la_SOURCES += runtime/repeat/shadow.c
endif
