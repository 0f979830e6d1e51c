# SPDX-License-Identifier: BSD-3-Clause
# The core, once as libcohort and once for tests of its inner nouns.
noinst_LTLIBRARIES += libcohort-core.la
libcohort_core_la_SOURCES = $(base_sources)
base_sources = \
    runtime/base/admission.h runtime/base/alterations.c runtime/base/alterations.h \
    runtime/base/array.c runtime/base/array.h runtime/base/ascii.h runtime/base/assert.h \
    runtime/base/barrier.c runtime/base/barrier.h runtime/base/byte_order.h \
    runtime/base/callback.c runtime/base/callback.h \
    runtime/base/checks.c runtime/base/checks.h \
    runtime/base/cyclic.c runtime/base/cyclic.h \
    runtime/base/digest.h \
    runtime/base/dtype.c runtime/base/dtype.h \
    runtime/base/error.c runtime/base/error.h runtime/base/prefetch.c runtime/base/prefetch.h \
    runtime/base/fpstate.h runtime/base/guarded.c runtime/base/guarded.h runtime/base/limits.h \
    runtime/base/file_limit.c runtime/base/file_limit.h \
    runtime/base/futex.c runtime/base/futex.h runtime/base/guess.c runtime/base/guess.h \
    runtime/base/gzip.c runtime/base/gzip.h runtime/base/half.h \
    runtime/base/handle.c runtime/base/handle.h runtime/base/own_folder.c runtime/base/own_folder.h \
    runtime/base/installed.c runtime/base/installed.h \
    runtime/base/kept.c runtime/base/kept.h \
    runtime/base/library.c runtime/base/library.h runtime/base/log.c runtime/base/log.h \
    runtime/base/log_levels.c runtime/base/log_levels.h runtime/base/log_line.c runtime/base/log_line.h runtime/base/subsystem.c runtime/base/subsystem.h \
    runtime/base/memory.c runtime/base/memory.h \
    runtime/base/number.c runtime/base/number.h \
    runtime/base/poison.h \
    runtime/base/print.c runtime/base/print.h runtime/base/quarantine.c runtime/base/quarantine.h \
    runtime/base/row_shares.h \
    runtime/base/reduce_op.c runtime/base/reduce_op.h \
    runtime/base/settings.c runtime/base/settings.h runtime/base/status.c \
    runtime/base/text.c runtime/base/text.h runtime/base/trace.c runtime/base/trace.h runtime/base/trace_line.c runtime/base/trace_line.h \
    runtime/base/thread.c runtime/base/thread.h runtime/base/utf8.c runtime/base/utf8.h
if ASSERTIONS
base_sources += runtime/base/assert.c
endif
# Where configure installs: of runtime/base/installed.c, whoever compiles it.
places = -DPREFIX='"$(prefix)"' -DLIBDIR='"$(libdir)"' -DPLUGINDIR='"$(plugindir)"' \
    -DPKGDATADIR='"$(pkgdatadir)"' -DEXAMPLEDIR='"$(exampledir)"' -DSYSCONFDIR='"$(sysconfdir)"'
libcohort_core_la_CPPFLAGS = $(AM_CPPFLAGS) $(places)
libcohort_core_la_CFLAGS = $(PRODUCT_CFLAGS) $(SIMD_CFLAGS) $(FFI_CFLAGS) -pthread
libcohort_core_la_LIBADD = $(FFI_LIBS) $(LIBM)

lib_LTLIBRARIES += libcohort.la
libcohort_la_SOURCES =
libcohort_la_LIBADD = libcohort-core.la
# Never unloaded, as plugins are not: its threads may be under way, and plugins have its functions in their tables.
libcohort_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 -no-undefined $(Z_DEFS) $(Z_NODELETE) -pthread
if VSCRIPT
libcohort_la_LDFLAGS += -Wl,--version-script=$(top_srcdir)/libcohort.map
endif

include runtime/arithmetic/local.mk
include runtime/function/local.mk
include runtime/matmul/local.mk
include runtime/plugin/local.mk
include runtime/checking/local.mk
include runtime/executor/local.mk
include runtime/operation/local.mk
include runtime/placement/local.mk
include runtime/mesh/local.mk
include runtime/cluster/local.mk
include runtime/exchange/local.mk
include runtime/strategy/local.mk
include runtime/value/local.mk
include runtime/reduce/local.mk
include runtime/call/local.mk
include runtime/memo/local.mk
include runtime/run/local.mk
include runtime/step/local.mk
include runtime/rows/local.mk
include runtime/metric/local.mk
include runtime/data/format/local.mk
include runtime/data/dataset/local.mk
include runtime/input/local.mk
include runtime/repeat/local.mk
include runtime/program/local.mk
include runtime/checkpoint/local.mk
include runtime/server/local.mk
include runtime/coordinator/local.mk
