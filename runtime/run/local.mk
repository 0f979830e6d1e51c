# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/run/arguments.c runtime/run/launches.c runtime/run/baton.c runtime/run/baton.h \
    runtime/run/binder.c runtime/run/binder.h runtime/run/binding.c runtime/run/binding.h \
    runtime/run/dispatch.c runtime/run/dispatch.h runtime/run/handle.c runtime/run/meeting.c \
    runtime/run/meeting.h runtime/run/replica.c runtime/run/collectives.c runtime/run/all_gather.c \
    runtime/run/contribution.c runtime/run/contribution.h runtime/run/replica_update.c \
    runtime/run/stage.c runtime/run/stage.h runtime/run/step.c runtime/run/step.h runtime/run/wait.c
