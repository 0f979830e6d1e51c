# SPDX-License-Identifier: BSD-3-Clause
# For tests alone, never installed; -rpath makes libtool build a shared object nevertheless.
check_LTLIBRARIES += plugins/cohort-loopback.la plugins/cohort-stream.la
loopback_sources = plugins/kit/native.c plugins/kit/native.h plugins/loopback.h plugins/loopback/device.c \
    plugins/loopback/device.h plugins/loopback/kernel.c plugins/loopback/memory.c plugins/loopback/steering.c \
    plugins/loopback/steering.h
plugins_cohort_loopback_la_SOURCES = $(loopback_sources) plugins/loopback/loopback.c
plugins_cohort_loopback_la_CFLAGS = $(PRODUCT_CFLAGS) -pthread
plugins_cohort_loopback_la_LDFLAGS = $(LDFLAGS_PLUGIN) -pthread -rpath /nowhere

# The same device behind a queue.
plugins_cohort_stream_la_SOURCES = $(loopback_sources) plugins/loopback/operation.c plugins/loopback/operation.h \
    plugins/loopback/queue.c plugins/loopback/queue.h plugins/loopback/stream.c
plugins_cohort_stream_la_CFLAGS = $(PRODUCT_CFLAGS) -pthread
plugins_cohort_stream_la_LDFLAGS = $(LDFLAGS_PLUGIN) -pthread -rpath /nowhere

# What a vendor begins with, installed as an example. It is a default device, so it is built in a folder that no other
# test searches.
check_LTLIBRARIES += plugins/skeleton/cohort-skeleton.la
plugins_skeleton_cohort_skeleton_la_SOURCES = plugins/skeleton/skeleton.c
plugins_skeleton_cohort_skeleton_la_LDFLAGS = $(LDFLAGS_PLUGIN) -rpath /nowhere
skeletondir = $(exampledir)/skeleton
dist_skeleton_DATA = plugins/skeleton/README.md plugins/skeleton/skeleton.c

# One of these two, with one operation that answers wrongly; in a folder that no other test searches.
check_LTLIBRARIES += plugins/wrong/cohort-wrong.la
plugins_wrong_cohort_wrong_la_SOURCES = plugins/wrong/wrong.c plugins/kit/operations.h
plugins_wrong_cohort_wrong_la_CFLAGS = $(PRODUCT_CFLAGS)
plugins_wrong_cohort_wrong_la_LDFLAGS = $(LDFLAGS_PLUGIN) -rpath /nowhere

# Any plugin, with faults as a schedule says; in a folder that no other test searches.
check_LTLIBRARIES += plugins/chaos/cohort-chaos.la
plugins_chaos_cohort_chaos_la_SOURCES = plugins/chaos.h plugins/chaos/chaos.c plugins/chaos/fault.c plugins/chaos/fault.h \
    plugins/chaos/mistake.c plugins/chaos/schedule.c plugins/chaos/schedule.h plugins/kit/operations.h
plugins_chaos_cohort_chaos_la_CFLAGS = $(PRODUCT_CFLAGS) -pthread
plugins_chaos_cohort_chaos_la_LDFLAGS = $(LDFLAGS_PLUGIN) -pthread -rpath /nowhere
plugins_chaos_cohort_chaos_la_LIBADD = $(LIBM)

# One of the plugins with one mistake, each of which breaks a rule of cohort plugin check; in a folder that no other test
# searches.
check_LTLIBRARIES += plugins/broken/cohort-broken.la
plugins_broken_cohort_broken_la_SOURCES = plugins/broken/broken.c plugins/kit/operations.h
plugins_broken_cohort_broken_la_CFLAGS = $(PRODUCT_CFLAGS) -pthread
plugins_broken_cohort_broken_la_LDFLAGS = $(LDFLAGS_PLUGIN) -pthread -rpath /nowhere
plugins_broken_cohort_broken_la_LIBADD = $(LIBM)
