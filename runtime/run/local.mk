# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/run/dispatch.c runtime/run/dispatch.h \
    runtime/run/prefix.c runtime/run/prefix_bodies.c runtime/run/prefix_bodies.h runtime/run/prefix_loops.h \
    runtime/run/recording.c runtime/run/recording.h \
    runtime/run/reduce_with.c runtime/run/rollback_words.c runtime/run/rollback_words.h runtime/run/run.c runtime/run/update.c
