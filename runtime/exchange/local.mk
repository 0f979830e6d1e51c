# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/exchange/communicator.c runtime/exchange/communicator.h runtime/exchange/writes.c \
    runtime/exchange/writes.h runtime/exchange/machines.c runtime/exchange/machines.h runtime/exchange/messages.c runtime/exchange/messages.h runtime/exchange/mpi.c \
    runtime/exchange/presence.c runtime/exchange/presence.h runtime/exchange/ranks.c runtime/exchange/ranks.h \
    runtime/exchange/refusal.c runtime/exchange/refusal.h runtime/exchange/roots.c runtime/exchange/roots.h \
    runtime/exchange/servers.c runtime/exchange/servers.h runtime/exchange/talk.c runtime/exchange/talk.h \
    runtime/exchange/sums.h runtime/exchange/sums_combine.c \
    runtime/exchange/sums_notes.c runtime/exchange/sums_rooms.c runtime/exchange/sums_slots.c runtime/exchange/workers.c runtime/exchange/workers.h \
    runtime/exchange/workers_number.c runtime/exchange/workers_writes.c runtime/exchange/workers_share.c runtime/exchange/workers_sum.c
