# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/signature.t tests/bounds.t tests/call.t
tests_signature_t_SOURCES = tests/signature.c tests/tap.h
tests_signature_t_LDADD = $(CORE_LIBS)
tests_bounds_t_SOURCES = tests/bounds.c tests/tap.h
tests_bounds_t_LDADD = $(CORE_LIBS)
tests_call_t_SOURCES = tests/call.c tests/tap.h
tests_call_t_LDADD = $(CORE_LIBS)
EXTRA_DIST += tests/data/signature_cases.c scripts/make_signature_cases.py
