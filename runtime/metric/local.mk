# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/metric/metric.c runtime/metric/metric.h runtime/metric/post.c runtime/metric/tally.c runtime/metric/tally.h \
    runtime/metric/update.c
