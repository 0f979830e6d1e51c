# SPDX-License-Identifier: BSD-3-Clause
# For tests alone, never installed; -rpath makes libtool build a shared object nevertheless.
check_LTLIBRARIES += plugins/cohort-loopback.la
plugins_cohort_loopback_la_SOURCES = \
    plugins/kit/native.c plugins/kit/native.h plugins/loopback.h plugins/loopback/device.c \
    plugins/loopback/device.h plugins/loopback/kernel.c plugins/loopback/loopback.c plugins/loopback/memory.c \
    plugins/loopback/steering.c plugins/loopback/steering.h
plugins_cohort_loopback_la_CFLAGS = $(AM_CFLAGS) -pthread
plugins_cohort_loopback_la_LDFLAGS = $(LDFLAGS_PLUGIN) -pthread -rpath /nowhere
