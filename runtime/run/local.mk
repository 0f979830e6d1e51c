# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/run/absence.c runtime/run/absence.h runtime/run/all_gather.c runtime/run/all_reduce_into.c runtime/run/baton.c runtime/run/baton.h runtime/run/batches.c runtime/run/batches.h runtime/run/bed.c runtime/run/bed.h \
    runtime/run/binder.c runtime/run/binder.h runtime/run/binding.c runtime/run/binding.h \
    runtime/run/binding_arguments.c runtime/run/binding_launches.c runtime/run/change.c \
    runtime/run/change.h runtime/run/collectives.c runtime/run/combine.c runtime/run/combine.h \
    runtime/run/components.c runtime/run/components.h runtime/run/content_across.c \
    runtime/run/content_across.h runtime/run/contribution.c runtime/run/contribution.h runtime/run/create.c runtime/run/cut.c runtime/run/cut.h \
    runtime/run/dispatch.c runtime/run/dispatch.h runtime/run/dispatch_update.c \
    runtime/run/driver_handle.c runtime/run/fetch.c runtime/run/fetch.h runtime/run/first_row.c runtime/run/first_row.h runtime/run/gather_rows.c runtime/run/guard.c \
    runtime/run/guard.h runtime/run/halo.c runtime/run/in_place.c runtime/run/in_place.h \
    runtime/run/memo.c runtime/run/memo.h runtime/run/memo_block.c \
    runtime/run/memo_find.c runtime/run/memo_make.c \
    runtime/run/memo_parts.h runtime/run/news.c runtime/run/news.h runtime/run/place.c \
    runtime/run/place.h runtime/run/prepare.c runtime/run/prepare.h runtime/run/recording.c \
    runtime/run/recording.h runtime/run/reduce_with.c runtime/run/rendezvous.c \
    runtime/run/rendezvous.h runtime/run/replica.c runtime/run/replica_broadcast.c runtime/run/replica_first_row.c runtime/run/replica_first_row.h runtime/run/replica_update.c \
    runtime/run/results.c runtime/run/run.c runtime/run/scatter_across.c runtime/run/scatter_across.h runtime/run/scatter_rows.c runtime/run/served_call.c runtime/run/served_call.h runtime/run/share.c \
    runtime/run/share.h runtime/run/sharers.c runtime/run/sharers.h runtime/run/stage.c \
    runtime/run/stage.h runtime/run/step.c runtime/run/step.h runtime/run/update.c \
    runtime/run/write.c
