# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/plugin.t
# The search is compiled again, with an installed folder and manifests inside the build folder.
tests_plugin_t_SOURCES = tests/plugin.c tests/tap.h runtime/device/search.c
tests_plugin_t_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGINDIR='"$(abs_builddir)/tests/plugin-work/installed"' \
    -DSYSCONFDIR='"$(abs_builddir)/tests/plugin-work/etc"'
tests_plugin_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_plugin_t_LDADD = $(CORE_LIBS)
EXTRA_DIST += tests/plugins-bad/variant.c
