# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/step/all_gather.c runtime/step/all_reduce_into.c runtime/step/baton.c runtime/step/baton.h \
    runtime/step/bed.c runtime/step/bed.h runtime/step/collectives.c runtime/step/contribution.c \
    runtime/step/contribution.h runtime/step/halo.c runtime/step/in_place.c runtime/step/in_place.h \
    runtime/step/lateness.c runtime/step/lateness.h runtime/step/news.c runtime/step/news.h runtime/step/news_await.c \
    runtime/step/news_await.h runtime/step/player.c runtime/step/player.h runtime/step/rendezvous.c \
    runtime/step/rendezvous.h runtime/step/replica.c \
    runtime/step/replica_broadcast.c runtime/step/replica_first_row.c runtime/step/replica_first_row.h \
    runtime/step/replica_update.c runtime/step/same_arguments.c runtime/step/same_arguments.h runtime/step/stage.h \
    runtime/step/stage_calls.c runtime/step/stage_make.c runtime/step/stage_make.h runtime/step/step.c \
    runtime/step/words.c runtime/step/words.h \
    runtime/step/trace.c runtime/step/trace.h \
    runtime/step/traced_run.c runtime/step/traced_run.h runtime/step/traced_set.c runtime/step/traced_set.h
