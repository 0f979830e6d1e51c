# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/call/absence.c runtime/call/absence.h runtime/call/batches.c runtime/call/batches.h runtime/call/binder.c \
    runtime/call/binder.h runtime/call/binding.c runtime/call/binding.h runtime/call/binding_arguments.c \
    runtime/call/binding_launches.c runtime/call/binding_logical.c runtime/call/combine.c runtime/call/combine.h runtime/call/cut.c \
    runtime/call/cut.h runtime/call/first_row.c runtime/call/first_row.h runtime/call/guard.c runtime/call/guard.h \
    runtime/call/place.c runtime/call/place.h runtime/call/plain.c runtime/call/plain.h runtime/call/plain_update.c \
    runtime/call/prepare.c runtime/call/prepare.h runtime/call/served_call.c runtime/call/served_call.h \
    runtime/call/share.c runtime/call/share.h runtime/call/sharers.c runtime/call/sharers.h
