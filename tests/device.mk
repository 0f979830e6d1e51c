# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/plugin.t
# The search is compiled again, with an installed folder and manifests inside the build folder.
tests_plugin_t_SOURCES = tests/plugin.c tests/command_output.h tests/tap.h runtime/plugin/search.c
tests_plugin_t_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGINDIR='"$(abs_builddir)/tests/plugin-work/installed"' \
    -DSYSCONFDIR='"$(abs_builddir)/tests/plugin-work/etc"'
tests_plugin_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_plugin_t_LDADD = $(CORE_LIBS)
EXTRA_DIST += tests/plugins-bad/variant.c

check_PROGRAMS += tests/elf.t tests/trust.t
tests_elf_t_SOURCES = tests/elf.c tests/tap.h
tests_elf_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_elf_t_LDADD = $(CORE_LIBS)
tests_trust_t_SOURCES = tests/trust.c tests/tap.h
tests_trust_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_trust_t_LDADD = $(CORE_LIBS)

check_PROGRAMS += tests/arithmetic.t
tests_arithmetic_t_SOURCES = tests/arithmetic.c tests/tap.h
tests_arithmetic_t_LDADD = $(CORE_LIBS)

check_PROGRAMS += tests/bucket.t
tests_bucket_t_SOURCES = tests/bucket.c tests/tap.h
tests_bucket_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_bucket_t_LDADD = $(CORE_LIBS)

check_PROGRAMS += tests/reduction.t
tests_reduction_t_SOURCES = tests/reduction.c tests/dtypes.h tests/tap.h
tests_reduction_t_LDADD = $(CORE_LIBS) $(LIBM)

check_PROGRAMS += tests/rows.t
tests_rows_t_SOURCES = tests/rows.c tests/dtypes.h tests/tap.h
tests_rows_t_LDADD = $(CORE_LIBS)

check_PROGRAMS += tests/settings.t
tests_settings_t_SOURCES = tests/settings.c tests/tap.h
tests_settings_t_LDADD = $(CORE_LIBS)

check_PROGRAMS += tests/cache.t
tests_cache_t_SOURCES = tests/cache.c tests/tap.h
tests_cache_t_LDADD = $(CORE_LIBS)
