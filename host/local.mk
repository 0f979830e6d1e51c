# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += host/cohort-host.la
host_cohort_host_la_SOURCES = \
    host/cores.c host/cores.h host/crew.c host/crew.h host/dev.h host/device.c host/handles.c host/handles.h \
    host/host.c host/host.h \
    host/kernel.c host/locate.c host/machine.c host/machine.h host/memory.c \
    host/quota.c host/quota.h host/reduce.c host/room.c host/room.h host/seats.c host/seats.h host/stack.c host/stack.h \
    host/team.c host/team.h host/topology.c \
    host/topology.h host/transfer.c host/work.c host/work.h plugins/kit/native.c plugins/kit/native.h \
    plugins/kit/operations.h plugins/kit/room.c plugins/kit/room.h plugins/kit/thread.c plugins/kit/thread.h
host_cohort_host_la_CFLAGS = $(PRODUCT_CFLAGS) $(OPENMP_CFLAGS)
host_cohort_host_la_LDFLAGS = $(LDFLAGS_PLUGIN) $(OPENMP_CFLAGS)
host_cohort_host_la_LIBADD = $(LIBM) -lpthread
