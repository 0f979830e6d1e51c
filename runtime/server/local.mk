# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/server/guest.c runtime/server/guest.h runtime/server/lodger.c runtime/server/lodger.h \
    runtime/server/room.c runtime/server/room.h \
    runtime/server/room_contents.c runtime/server/room_do.h runtime/server/room_variables.c \
    runtime/server/server.c runtime/server/worker_call.c runtime/server/worker_call.h
