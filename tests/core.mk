# SPDX-License-Identifier: BSD-3-Clause
# The core through its public calls alone.
CORE_TESTS_LDADD = libcohort.la $(LIBM)
check_PROGRAMS += tests/wrong_calls.t
tests_wrong_calls_t_SOURCES = tests/wrong_calls.c tests/core.h tests/tap.h
tests_wrong_calls_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/value.t
tests_value_t_SOURCES = tests/value.c tests/core.h tests/tap.h
tests_value_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/variable.t
tests_variable_t_SOURCES = tests/variable.c tests/core.h tests/tap.h
tests_variable_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/run.t
tests_run_t_SOURCES = tests/run.c tests/core.h tests/tap.h
tests_run_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce.t
tests_reduce_t_SOURCES = tests/reduce.c tests/core.h tests/tap.h
tests_reduce_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce_with.t
tests_reduce_with_t_SOURCES = tests/reduce_with.c tests/core.h tests/tap.h
tests_reduce_with_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce_to.t
tests_reduce_to_t_SOURCES = tests/reduce_to.c tests/core.h tests/steer.h tests/tap.h plugins/loopback.h
tests_reduce_to_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce_tree.t
tests_reduce_tree_t_SOURCES = tests/reduce_tree.c tests/core.h tests/tap.h
tests_reduce_tree_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/gather.t
tests_gather_t_SOURCES = tests/gather.c tests/core.h tests/tap.h
tests_gather_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/async.t
tests_async_t_SOURCES = tests/async.c tests/core.h tests/steer.h tests/tap.h plugins/loopback.h
tests_async_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_async_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/pipeline.t
tests_pipeline_t_SOURCES = tests/pipeline.c tests/core.h tests/steer.h tests/tap.h plugins/loopback.h
tests_pipeline_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_pipeline_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/steady.t
tests_steady_t_SOURCES = tests/steady.c tests/core.h tests/next.h tests/tap.h
tests_steady_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/threads.t
tests_threads_t_SOURCES = tests/threads.c tests/core.h tests/steer.h tests/tap.h plugins/loopback.h
tests_threads_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_threads_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/replica.t
tests_replica_t_SOURCES = tests/replica.c tests/core.h tests/steer.h tests/tap.h plugins/loopback.h
tests_replica_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_replica_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/exhausted.t
tests_exhausted_t_SOURCES = tests/exhausted.c tests/core.h tests/next.h tests/steer.h tests/tap.h plugins/loopback.h
tests_exhausted_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_exhausted_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/items_bits.t
tests_items_bits_t_SOURCES = tests/items_bits.c tests/tap.h
tests_items_bits_t_LDADD = $(CORE_TESTS_LDADD)

# Long and random: outside of check, with a seed that is printed.
EXTRA_PROGRAMS += tests/long/stress
tests_long_stress_SOURCES = tests/long/stress.c tests/steer.h tests/tap.h
tests_long_stress_LDADD = libcohort.la -ldl
EXTRA_PROGRAMS += tests/long/math
tests_long_math_SOURCES = tests/long/math.c tests/tap.h tests/ulp.h
tests_long_math_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_long_math_LDADD = $(LIBM)
LONG_SECONDS = 600

.PHONY: check-long
check-long: tests/long/math$(EXEEXT) tests/long/stress$(EXEEXT) cli/cohort$(EXEEXT) $(plugin_LTLIBRARIES) \
    $(check_LTLIBRARIES)
	$(AM_TESTS_ENVIRONMENT) STARTS=100 $(SHELL) $(srcdir)/tests/parallel_starts.t
	tests/long/math$(EXEEXT)
	COHORT_PLUGIN_PATH='$(abs_builddir)/host/.libs:$(abs_builddir)/plugins/.libs' \
	    tests/long/stress$(EXEEXT) $${SEED:-$$(date +%s)} $(LONG_SECONDS)
	$(AM_TESTS_ENVIRONMENT) ROWS=10000001 $(SHELL) $(srcdir)/tests/cli_split.t
