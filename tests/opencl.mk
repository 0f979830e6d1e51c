# SPDX-License-Identifier: BSD-3-Clause
# The OpenCL plugin: what every plugin must do, and what is special to it.
# Without the plugin these say so.
dist_check_SCRIPTS += tests/conformance-oclgrind.t tests/conformance-opencl.t tests/conformance-opencl2.t
check_PROGRAMS += tests/opencl.t \
    tests/opencl_pair.t tests/opencl_unused.t
if OPENCL
check_PROGRAMS += tests/opencl_faults.t tests/opencl_found.t tests/opencl_handle.t tests/opencl_kernel.t tests/opencl_vectors.t tests/placement_opencl.t
endif
check_PROGRAMS += tests/opencl_image.t tests/opencl_offset.t
tests_opencl_image_t_SOURCES = tests/opencl_image.c tests/core.h tests/sanitized.h tests/tap.h
tests_opencl_image_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
tests_opencl_offset_t_SOURCES = tests/opencl_offset.c tests/core.h tests/sanitized.h tests/tap.h
tests_opencl_offset_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/buildlog.t
tests_buildlog_t_SOURCES = tests/buildlog.c opencl/buildlog.c opencl/buildlog.h opencl/lines.c opencl/lines.h tests/tap.h
check_PROGRAMS += tests/kept.t
tests_kept_t_SOURCES = tests/kept.c opencl/kept.c opencl/kept.h tests/tap.h
check_PROGRAMS += tests/index_spaces.t
tests_index_spaces_t_SOURCES = tests/index_spaces.c tests/core.h tests/sanitized.h tests/tap.h
tests_index_spaces_t_LDADD = $(CORE_TESTS_LDADD)
tests_opencl_pair_t_SOURCES = tests/opencl_pair.c tests/core.h tests/sanitized.h tests/tap.h
tests_opencl_pair_t_LDADD = $(CORE_TESTS_LDADD)
tests_opencl_t_SOURCES = tests/opencl.c tests/opencl_subject.h
tests_opencl_t_LDADD = $(CONFORMANCE_LIBS)
tests_opencl_kernel_t_SOURCES = tests/opencl_kernel.c tests/opencl_shim.c tests/opencl_shim.h tests/opencl_subject.h
tests_opencl_kernel_t_CPPFLAGS = $(AM_CPPFLAGS) -DCL_TARGET_OPENCL_VERSION=200 -DCL_USE_DEPRECATED_OPENCL_1_2_APIS
tests_opencl_kernel_t_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS) -pthread
tests_opencl_kernel_t_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_opencl_kernel_t_LDADD = $(CONFORMANCE_LIBS) $(OPENCL_LIBS)
tests_opencl_vectors_t_SOURCES = tests/opencl_vectors.c tests/opencl_subject.h
tests_opencl_vectors_t_LDADD = $(CONFORMANCE_LIBS)
tests_opencl_unused_t_SOURCES = tests/opencl_unused.c tests/opencl_subject.h
tests_opencl_unused_t_LDADD = $(CONFORMANCE_LIBS)

# Other drivers, and another loader: part of check-long (core.mk).
EXTRA_DIST += tests/long/drivers.sh tests/long/mutants.sh

# Programs that call OpenCL themselves, or stand between it and the plugin: then their symbols come first.
tests_placement_opencl_t_SOURCES = tests/placement_opencl.c tests/core.h tests/sanitized.h tests/opencl_shim.c tests/opencl_shim.h tests/tap.h
tests_placement_opencl_t_CPPFLAGS = $(AM_CPPFLAGS) -DCL_TARGET_OPENCL_VERSION=200
tests_placement_opencl_t_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS) -pthread
tests_placement_opencl_t_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_placement_opencl_t_LDADD = $(CORE_TESTS_LDADD) $(OPENCL_LIBS)
tests_opencl_faults_t_SOURCES = tests/opencl_faults.c tests/core.h tests/sanitized.h tests/opencl_shim.c tests/opencl_shim.h tests/tap.h
tests_opencl_faults_t_CPPFLAGS = $(AM_CPPFLAGS) -DCL_TARGET_OPENCL_VERSION=200
tests_opencl_faults_t_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS) -pthread
tests_opencl_faults_t_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_opencl_faults_t_LDADD = $(CORE_TESTS_LDADD) $(OPENCL_LIBS)
tests_opencl_found_t_SOURCES = tests/opencl_found.c tests/opencl_subject.h
tests_opencl_found_t_CPPFLAGS = $(AM_CPPFLAGS) -DCL_TARGET_OPENCL_VERSION=200
tests_opencl_found_t_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_opencl_found_t_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_opencl_found_t_LDADD = $(CONFORMANCE_LIBS)
tests_opencl_handle_t_SOURCES = tests/opencl_handle.c tests/core.h tests/sanitized.h tests/tap.h
tests_opencl_handle_t_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_opencl_handle_t_LDADD = $(CORE_TESTS_LDADD) $(OPENCL_LIBS)
if OPENCL
check_PROGRAMS += tests/clblast.t
tests/clblast.log: tests/clblast_plain.la
check_LTLIBRARIES += tests/clblast_plain.la
endif
tests_clblast_t_SOURCES = tests/clblast.c tests/product.h tests/core.h tests/sanitized.h tests/tap.h
tests_clblast_t_LDADD = $(CORE_TESTS_LDADD) -ldl
tests_clblast_plain_la_SOURCES = tests/clblast_plain.c
tests_clblast_plain_la_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_clblast_plain_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
tests_clblast_plain_la_LIBADD = $(OPENCL_LIBS)
