# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/executor/context.c runtime/executor/context.h runtime/executor/context_handle.c \
    runtime/executor/context_memory.c runtime/executor/executor.c runtime/executor/executor.h \
    runtime/executor/failure.c runtime/executor/failure.h runtime/executor/fences.h \
    runtime/executor/lane.c runtime/executor/lane.h runtime/executor/lane_wait.c \
    runtime/executor/patience.c runtime/executor/patience.h \
    runtime/executor/pending.c runtime/executor/pending.h \
    runtime/executor/plan.h runtime/executor/posting.c runtime/executor/question.c runtime/executor/question.h \
    runtime/executor/spin.c runtime/executor/spin.h \
    runtime/executor/staging.c runtime/executor/staging.h runtime/executor/account.h runtime/executor/traced.c runtime/executor/traced.h runtime/executor/tracks.c runtime/executor/tracks.h runtime/executor/waiting.c \
    runtime/executor/waiting.h runtime/executor/worker.c runtime/executor/worker.h
