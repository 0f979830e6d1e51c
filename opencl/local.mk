# SPDX-License-Identifier: BSD-3-Clause
if OPENCL
plugin_LTLIBRARIES += opencl/cohort-opencl.la
endif
opencl_cohort_opencl_la_SOURCES = \
    opencl/argument.c opencl/argument.h opencl/buildlog.c opencl/buildlog.h opencl/cltype.c \
    opencl/cltype.h opencl/describe.c opencl/describe.h opencl/dev.c opencl/dev.h opencl/device.c opencl/enqueue.c \
    opencl/enqueue.h opencl/empty.c opencl/empty.h opencl/error.c opencl/error.h opencl/event.c opencl/event.h \
    opencl/events.c \
    opencl/events.h opencl/fold.c opencl/fold.h opencl/found.c opencl/found.h opencl/geometry.c opencl/geometry.h \
    opencl/handle.c opencl/icd.c opencl/icd.h opencl/image.c opencl/image.h opencl/kept.c opencl/kept.h opencl/kernel.c opencl/kernel.h \
    opencl/launch.c opencl/launch.h \
    opencl/layout.c opencl/layout.h opencl/lines.c opencl/lines.h opencl/library.c opencl/library.h opencl/memory.c \
    opencl/mems.c opencl/mems.h opencl/opencl.c opencl/opencl.h opencl/part.c opencl/part.h \
    opencl/pocl.c opencl/pocl.h opencl/probe.c opencl/probe.h opencl/program.c opencl/program.h \
    opencl/query.h opencl/reduce.c opencl/reduce.h opencl/transfer.c opencl/unused.c opencl/unused.h opencl/uuid.c \
    opencl/uuid.h \
    plugins/kit/operations.h plugins/kit/room.c plugins/kit/room.h plugins/kit/thread.c plugins/kit/thread.h
opencl_cohort_opencl_la_CPPFLAGS = $(AM_CPPFLAGS) -DCL_TARGET_OPENCL_VERSION=200 -DCL_USE_DEPRECATED_OPENCL_1_2_APIS
opencl_cohort_opencl_la_CFLAGS = $(PRODUCT_CFLAGS) $(OPENCL_CFLAGS)
opencl_cohort_opencl_la_LDFLAGS = $(LDFLAGS_PLUGIN)
opencl_cohort_opencl_la_LIBADD = $(OPENCL_LIBS) $(LIBM)
