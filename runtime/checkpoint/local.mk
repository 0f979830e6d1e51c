# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/checkpoint/compare.c runtime/checkpoint/convert.c runtime/checkpoint/convert.h \
    runtime/checkpoint/export.c runtime/checkpoint/import.c \
    runtime/checkpoint/tensor.c runtime/checkpoint/tensor.h runtime/checkpoint/file.c runtime/checkpoint/file.h \
    runtime/checkpoint/agree.c runtime/checkpoint/agree.h runtime/checkpoint/agreement.c runtime/checkpoint/agreement.h \
    runtime/checkpoint/generations.c runtime/checkpoint/generations.h runtime/checkpoint/manager.c runtime/checkpoint/manager.h runtime/checkpoint/manager_due.c runtime/checkpoint/manager_write.c \
    runtime/checkpoint/generation_name.c runtime/checkpoint/generation_name.h \
    runtime/checkpoint/manifest.c runtime/checkpoint/manifest.h runtime/checkpoint/newest.c \
    runtime/checkpoint/open_across.c runtime/checkpoint/open_across.h \
    runtime/checkpoint/save_across.c runtime/checkpoint/save_across.h runtime/checkpoint/save_place.c runtime/checkpoint/shards.c runtime/checkpoint/source.c runtime/checkpoint/source.h \
    runtime/checkpoint/pairs.c runtime/checkpoint/pairs.h runtime/checkpoint/pairs_check.c \
    runtime/checkpoint/pattern.c runtime/checkpoint/pattern.h runtime/checkpoint/plan.c \
    runtime/checkpoint/plan.h runtime/checkpoint/served_copy.c runtime/checkpoint/served_copy.h runtime/checkpoint/prune.c runtime/checkpoint/restore.c runtime/checkpoint/save.c \
    runtime/checkpoint/state_copy.c runtime/checkpoint/state_copy.h runtime/checkpoint/state.c runtime/checkpoint/state.h runtime/checkpoint/stop.c runtime/checkpoint/stop.h runtime/checkpoint/variables.c
