# SPDX-License-Identifier: BSD-3-Clause
# The core through its public calls alone.
CORE_TESTS_LDADD = libcohort.la $(LIBM)
check_PROGRAMS += tests/wrong_calls.t
tests_wrong_calls_t_SOURCES = tests/wrong_calls.c tests/core.h tests/tap.h
tests_wrong_calls_t_LDADD = $(CORE_TESTS_LDADD)
