# SPDX-License-Identifier: BSD-3-Clause
# What every plugin must do, once for each; and what is special to one.
dist_check_SCRIPTS += tests/conformance-host.t tests/conformance-loopback.t tests/conformance-skeleton.t \
    tests/conformance-stream.t tests/plugin_check.t

# Its claims as TAP, in tests of one plugin.
check_LTLIBRARIES += tests/libclaims.la
tests_libclaims_la_SOURCES = cli/regular_file.c cli/regular_file.h cli/conformance/body.c cli/conformance/body.h cli/conformance/claim.h \
    cli/conformance/subject.c cli/conformance/subject.h tests/claims.c tests/subject_built.h tests/tap.h
CONFORMANCE_LIBS = tests/libclaims.la $(CORE_LIBS) $(LIBM)

check_PROGRAMS += tests/no_affinity.t tests/quota.t
tests_no_affinity_t_SOURCES = tests/no_affinity.c tests/tap.h
tests_no_affinity_t_LDADD = $(CORE_TESTS_LDADD)
tests_quota_t_SOURCES = tests/quota.c tests/tap.h host/quota.c host/quota.h
tests_quota_t_LDADD = $(LIBM)
check_PROGRAMS += tests/host.t tests/loopback.t
tests_host_t_SOURCES = tests/host.c
tests_host_t_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_host_t_LDADD = $(CONFORMANCE_LIBS)
check_PROGRAMS += tests/team.t
tests_team_t_SOURCES = tests/team.c tests/core.h tests/sanitized.h tests/tap.h
tests_team_t_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) -pthread
tests_team_t_LDADD = libcohort.la $(LIBM)
tests_loopback_t_SOURCES = tests/loopback.c plugins/loopback.h
tests_loopback_t_LDADD = $(CONFORMANCE_LIBS)
check_PROGRAMS += tests/stream.t
tests_stream_t_SOURCES = tests/stream.c plugins/loopback.h
tests_stream_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_stream_t_LDADD = $(CONFORMANCE_LIBS)

check_PROGRAMS += tests/abi_layout.t
tests_abi_layout_t_SOURCES = tests/abi_layout.c tests/tap.h

check_PROGRAMS += tests/own_format.t
tests_own_format_t_SOURCES = tests/own_format.c tests/tap.h
tests_own_format_t_LDADD = libcohort.la $(LIBM)
dist_check_SCRIPTS += tests/cli_own_format.t
check_PROGRAMS += tests/wrong_answers.t
tests_wrong_answers_t_SOURCES = tests/wrong_answers.c tests/sanitized.h tests/tap.h
tests_wrong_answers_t_LDADD = libcohort.la $(LIBM)
check_PROGRAMS += tests/chaos.t
tests_chaos_t_SOURCES = tests/chaos.c tests/sanitized.h tests/tap.h plugins/chaos.h
tests_chaos_t_LDADD = libcohort.la $(LIBM)
check_PROGRAMS += tests/check_plugins.t
tests_check_plugins_t_SOURCES = tests/check_plugins.c tests/sanitized.h tests/tap.h plugins/chaos.h
tests_check_plugins_t_LDADD = libcohort.la $(LIBM)
check_PROGRAMS += tests/shown_memory.t
tests_shown_memory_t_SOURCES = tests/shown_memory.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h \
    plugins/loopback.h
tests_shown_memory_t_LDADD = libcohort.la $(LIBM)
check_PROGRAMS += tests/stragglers.t
tests_stragglers_t_SOURCES = tests/stragglers.c tests/late_leaks.h tests/tap.h
tests_stragglers_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_stragglers_t_LDADD = libcohort.la
check_PROGRAMS += tests/deadlines.t
tests_deadlines_t_SOURCES = tests/deadlines.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_deadlines_t_LDADD = libcohort.la $(LIBM)

# The program has no libcohort of its own: it loads that of the build, and a library that uses it.
check_PROGRAMS += tests/unload.t
tests_unload_t_SOURCES = tests/unload/main.c tests/unload/user.h tests/tap.h
tests_unload_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_unload_t_LDADD = -ldl
tests_unload_t_DEPENDENCIES = tests/unload/libuser.la
check_LTLIBRARIES += tests/unload/libuser.la
tests_unload_libuser_la_SOURCES = tests/unload/user.c tests/unload/user.h
tests_unload_libuser_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
tests_unload_libuser_la_LIBADD = libcohort.la
