# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/operation/alone.c runtime/operation/alone.h \
    runtime/operation/bucket.c runtime/operation/bucket.h runtime/operation/buffer.c \
    runtime/operation/buffer.h runtime/operation/build.c runtime/operation/build.h \
    runtime/operation/kernel_cache.c runtime/operation/kernel_cache.h runtime/operation/check.c \
    runtime/operation/check_array.c runtime/operation/check_array.h \
    runtime/operation/check_body.c runtime/operation/check_body.h \
    runtime/operation/check_close.c runtime/operation/check_close.h \
    runtime/operation/check_copy.c runtime/operation/check_copy.h \
    runtime/operation/check_launch.c runtime/operation/check_launch.h \
    runtime/operation/check_report.c runtime/operation/check_report.h \
    runtime/operation/check_twin.c runtime/operation/check_twin.h \
    runtime/operation/elementwise.c runtime/operation/elementwise.h \
    runtime/operation/executable.c runtime/operation/executable.h runtime/operation/executable_make.c \
    runtime/operation/executable_make.h \
    runtime/operation/fallback.c runtime/operation/fallback.h runtime/operation/feed.c \
    runtime/operation/feed.h runtime/operation/fold.c \
    runtime/operation/fold.h runtime/operation/fold_all.c runtime/operation/fold_all.h \
    runtime/operation/fold_halves.c runtime/operation/fold_halves.h \
    runtime/operation/fold_rows.c runtime/operation/fold_rows.h \
    runtime/operation/give_back.c runtime/operation/give_back.h runtime/operation/integers.c \
    runtime/operation/integers.h runtime/operation/launch.c runtime/operation/launch.h \
    runtime/operation/launch_batch.c runtime/operation/launch_batch.h \
    runtime/operation/launch_set.c runtime/operation/launch_set.h \
    runtime/operation/launch_slices.c runtime/operation/ledger.c \
    runtime/operation/ledger.h runtime/operation/scan.c runtime/operation/scan.h \
    runtime/operation/transfer.c \
    runtime/operation/transfer.h runtime/operation/use.c runtime/operation/use.h \
    runtime/operation/zeros.c runtime/operation/zeros.h
