# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/coordinator/chief.c runtime/coordinator/chief.h runtime/coordinator/closure.c \
    runtime/coordinator/closure.h runtime/coordinator/closures.c runtime/coordinator/closures.h \
    runtime/coordinator/coordinator.c runtime/coordinator/coordinator.h \
    runtime/coordinator/coordinator_make.c runtime/coordinator/functions.c \
    runtime/coordinator/functions.h runtime/coordinator/loss.c runtime/coordinator/loss.h \
    runtime/coordinator/pause.h runtime/coordinator/remote_value.c runtime/coordinator/role.c \
    runtime/coordinator/role.h runtime/coordinator/schedule.c runtime/coordinator/seat.c \
    runtime/coordinator/seat.h runtime/coordinator/words.h runtime/coordinator/worker_run.c
