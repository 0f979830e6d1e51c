# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/signature.t tests/bounds.t tests/call.t tests/prototype.t
tests_signature_t_SOURCES = tests/signature.c tests/tap.h
tests_signature_t_LDADD = $(CORE_LIBS)
tests_bounds_t_SOURCES = tests/bounds.c tests/tap.h
tests_bounds_t_LDADD = $(CORE_LIBS)
tests_call_t_SOURCES = tests/call.c tests/tap.h
tests_call_t_LDADD = $(CORE_LIBS)
tests_prototype_t_SOURCES = tests/fuzz/prototype.c tests/tap.h
tests_prototype_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/math.t
tests_math_t_SOURCES = tests/math.c tests/tap.h tests/ulp.h
tests_math_t_LDADD = $(LIBM)
dist_check_SCRIPTS += tests/math_bits.t
EXTRA_DIST += tests/data/signature_cases.c scripts/make_signature_cases.py tests/fuzz/corpus

# make fuzz CC=clang: search for prototypes that do harm; finds go to tests/fuzz/found.
FUZZ_SECONDS = 60
EXTRA_PROGRAMS += tests/fuzz/prototype
tests_fuzz_prototype_SOURCES = tests/fuzz/prototype.c $(function_sources) runtime/base/error.c runtime/base/memory.c \
    runtime/base/status.c
nodist_tests_fuzz_prototype_SOURCES = $(function_texts)
tests_fuzz_prototype_CPPFLAGS = $(AM_CPPFLAGS) -DCOHORT_FUZZER
tests_fuzz_prototype_CFLAGS = $(AM_CFLAGS) $(FFI_CFLAGS) -pthread -g -O1 \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
tests_fuzz_prototype_LDADD = $(FFI_LIBS)
CLEANFILES += tests/fuzz/prototype$(EXEEXT)

.PHONY: fuzz
fuzz: tests/fuzz/prototype$(EXEEXT)
	$(MKDIR_P) tests/fuzz/found
	tests/fuzz/prototype$(EXEEXT) -max_total_time=$(FUZZ_SECONDS) -timeout=10 -max_len=20000 \
	    -artifact_prefix=tests/fuzz/found/ tests/fuzz/found $(top_srcdir)/tests/fuzz/corpus/prototype
