# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/call.t
tests_call_t_SOURCES = tests/call.c tests/tap.h
tests_call_t_LDADD = $(CORE_LIBS)
EXTRA_DIST += tests/data/signature_cases.c scripts/make_signature_cases.py
