# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/device/arithmetic.c runtime/device/arithmetic.h runtime/device/arithmetic_avx2.c \
    runtime/device/arithmetic_loops.h runtime/device/arithmetic_plain.c runtime/device/body.c runtime/device/buffer.c \
    runtime/device/buffer.h runtime/device/cache.c runtime/device/cache.h runtime/device/cache_folder.c \
    runtime/device/cache_folder.h runtime/device/candidate.c runtime/device/candidate.h \
    runtime/device/crew.c runtime/device/crew.h runtime/device/device.c \
    runtime/device/elementwise.c runtime/device/elementwise.h runtime/device/elf.c runtime/device/elf.h \
    runtime/device/enumerate.c runtime/device/enumerate.h runtime/device/failure.c runtime/device/failure.h \
    runtime/device/flight.c runtime/device/flight.h runtime/device/fold.c runtime/device/fold.h \
    runtime/device/guard.c runtime/device/guard.h runtime/device/half.h runtime/device/here.c \
    runtime/device/here.h runtime/device/host_table.c runtime/device/info.c runtime/device/info.h \
    runtime/device/integers.c runtime/device/integers.h runtime/device/inventory.c \
    runtime/device/inventory.h runtime/device/kernel.c runtime/device/kernel.h runtime/device/lane.c \
    runtime/device/lane.h runtime/device/library.c runtime/device/library.h runtime/device/nan.h runtime/device/opened.c \
    runtime/device/opened.h runtime/device/plugin.c runtime/device/plugin.h runtime/device/reduction.c \
    runtime/device/reduction.h runtime/device/registry.c runtime/device/registry.h runtime/device/scan.c \
    runtime/device/scan.h runtime/device/search.c runtime/device/search.h runtime/device/selection.c \
    runtime/device/text.c runtime/device/text.h runtime/device/transfer.c runtime/device/transfer.h \
    runtime/device/trust.c runtime/device/trust.h runtime/device/unused.c runtime/device/unused.h \
    runtime/device/write_arithmetic.c runtime/device/write_arithmetic.h
libcohort_core_la_SOURCES += \
    runtime/device/errand.c runtime/device/errand.h runtime/device/gate.c runtime/device/gate.h \
    runtime/device/handle.c \
    runtime/device/operation.c runtime/device/operation.h runtime/device/question.c runtime/device/question.h
