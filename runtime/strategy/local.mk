# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/strategy/across.c runtime/strategy/across.h runtime/strategy/balance.c runtime/strategy/balance.h \
    runtime/strategy/cuts.c runtime/strategy/cuts.h \
    runtime/strategy/call.c runtime/strategy/call.h runtime/strategy/configure.c \
    runtime/strategy/describe.c runtime/strategy/farewell.c runtime/strategy/farewell.h runtime/strategy/device_list.c runtime/strategy/device_list.h \
    runtime/strategy/hosting.c runtime/strategy/hosting.h runtime/strategy/kind.c \
    runtime/strategy/kind.h runtime/strategy/lifecycle.c runtime/strategy/logical.c runtime/strategy/loss.c \
    runtime/strategy/loss.h runtime/strategy/monitor.c runtime/strategy/monitor.h runtime/strategy/monitor_file.c runtime/strategy/monitor_file.h \
    runtime/strategy/monitored.c runtime/strategy/monitored.h runtime/strategy/moves.c runtime/strategy/moves.h runtime/strategy/plugins_across.c \
    runtime/strategy/plugins_across.h runtime/strategy/recorder.c runtime/strategy/recorder.h runtime/strategy/transaction.h \
    runtime/strategy/repeating.c runtime/strategy/repeating.h \
    runtime/strategy/scope.c runtime/strategy/scope.h runtime/strategy/served.c \
    runtime/strategy/served.h runtime/strategy/served_across.c \
    runtime/strategy/served_across.h runtime/strategy/strategy.c \
    runtime/strategy/stats.c runtime/strategy/stats.h \
    runtime/strategy/strategy.h runtime/strategy/tpu.c
