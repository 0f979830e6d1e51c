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
check_PROGRAMS += tests/gather.t
tests_gather_t_SOURCES = tests/gather.c tests/core.h tests/tap.h
tests_gather_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/async.t
tests_async_t_SOURCES = tests/async.c tests/core.h tests/steer.h tests/tap.h plugins/loopback.h
tests_async_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/steady.t
tests_steady_t_SOURCES = tests/steady.c tests/core.h tests/tap.h
tests_steady_t_LDADD = $(CORE_TESTS_LDADD)
